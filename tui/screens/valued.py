"""The curve of values in a replay: judged in the background, kept, shown below the course."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.store import evaluations
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import Values, curve_line, curve_rows
from kumite.tui.bots.judging import look_back, recall, recall_marks, simulations_here
from kumite.tui.bots.review import Review
from kumite.tui.play import narration

if TYPE_CHECKING:
    from textual.worker import Worker

    from kumite.tui.bots.review import Turning
    from kumite.tui.play.course import Course
    from kumite.tui.scenes import Line
    from kumite.tui.screens.views import ReplayView
    from kumite.tui.widgets.lines import Lines

HIGH: Final = 6  # rows of the curve in its panel
COSTLY: Final = "costly"  # the word for a choice that cost much, in the course


class Curve:
    """What the positions of a replay are worth, as far as that has been asked for."""

    def __init__(self, screen: ReplayView) -> None:
        """Know nothing yet."""
        self._screen = screen
        self._worker: Worker[None] | None = None
        self._review: Review | None = None
        self._points: tuple[float | None, ...] = ()
        self._marks: dict[int, Turning] = {}  # by the number of the step
        self._course: Course | None = None

    # --- asking ---------------------------------------------------------------------------------

    @property
    def _values(self) -> Values | None:
        """Return what the positions are worth, None if there is no curve."""
        return None if self._review is None else self._review.values[0]

    @property
    def is_shown(self) -> bool:
        """Return whether there is a curve."""
        return self._review is not None

    @property
    def is_thinking(self) -> bool:
        """Return whether positions are being judged."""
        return self._worker is not None

    def open(self) -> None:
        """Show what was judged at an earlier time, if anything was."""
        if evaluations.is_kept(
            self._screen.replay.log.header.match_id
        ):  # else no bot need be loaded
            review = self._begin()
            if review.done:
                self._take(review)

    def press(self) -> str:
        """Begin, stop, go on, or hide the curve; return what to say of it."""
        review = self._review
        if self.is_thinking and review is not None:
            self._stop()
            left = review.count - review.done
            return f"{left} positions are left; c goes on" if left else "c goes on looking again"
        if review is None:
            review = self._begin()
            if not review.count:
                return f"No values: {advice.why_nobody(review.match)} e looks from other eyes."
            self._take(review)
        elif review.is_over:
            self.hide()
            return "c shows the values again"
        if not review.is_over:
            self._worker = self._screen.beside(self._judge, review, group="values")
            return "A bot is judging each position ...   c stops it"
        return ""

    def follow(self) -> None:
        """Judge anew what is looked at now: other eyes, or more steps."""
        before, self._course = self._review, None
        if before is None:
            return
        goes_on = self.is_thinking or before.is_over  # else it was stopped
        self.hide()
        review = self._begin()
        self._take(review)
        if goes_on and not review.is_over:
            self._worker = self._screen.beside(self._judge, review, group="values")

    def hide(self) -> None:
        """Show no curve."""
        self._stop()
        self._review, self._course = None, None
        self._points, self._marks = (), {}

    def _begin(self) -> Review:
        replay = self._screen.replay
        match, eyes, match_id = replay.line[-1], replay.eyes.by, replay.log.header.match_id
        values = Values(match, eyes, simulations_here(match))
        recall(values, match_id)
        review = Review(match, eyes, frozenset(), values=values)
        recall_marks(review, match_id)
        return review

    async def _judge(self, review: Review) -> None:
        match_id = self._screen.replay.log.header.match_id
        failure: KumiteError | None = None
        try:
            await look_back(
                self._screen.shell.bot_service, review, match_id, lambda: self._told(review)
            )
        except KumiteError as error:
            failure = error
        if self._review is review:
            self._worker = None
            self._told(review)
            if failure is not None:
                self._screen.complain(failure)

    def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.cancel()

    def _told(self, review: Review) -> None:
        if self._review is review:
            self._take(review)
            self._screen.show_values()

    def _take(self, review: Review) -> None:
        self._review = review
        self._points = review.values[0].curve()
        self._marks = {one.number + 1: one for one in review.marks}
        self._course = None

    # --- what there is to see -------------------------------------------------------------------

    @property
    def course(self) -> Course:
        """Return the course of the match, with the choices that cost most as turning points."""
        if self._course is None:
            more = dict.fromkeys(self._marks, COSTLY)
            self._course = self._screen.replay.course.with_events(more)
        return self._course

    def title(self, at: int) -> Line:
        """Return the value at a position, and how far the judging has come."""
        review, values = self._review, self._values
        if review is None or values is None:
            return ()
        value = self._points[at] if at < len(self._points) else None
        name = self._screen.replay.names[values.subject]
        said = f"  {name} {advice.standing(value)}" if value is not None else ""
        return ((said, "key"), (self._progress(review), "quiet"))

    def _progress(self, review: Review) -> str:
        """Return how far the judging has come; what was left at an earlier time is not awaited."""
        if review.done < review.count:
            return f"  judged {review.done} of {review.count}"
        if review.is_over or not self.is_thinking:
            return ""
        return f"  checking errors, {len(review.again)} of {len(review.suspects)}"

    def line(self, at: int, columns: int) -> Line:
        """Return the curve in one line."""
        return curve_line(self._points, self._marks, at, columns, self._screen.shell.look)

    def fill(self, panel: Lines, at: int, columns: int) -> bool:
        """Show the curve in a panel that has so many columns; return whether it is there."""
        values = self._values
        rows: list[Line] = []
        if values is not None and columns:
            look = self._screen.shell.look
            rows = curve_rows(self._points, self._marks, at, columns, HIGH, look)
            panel.border_title = f"value to {self._screen.replay.names[values.subject]}"
        panel.show(rows)
        return bool(rows)

    def said(self, at: int) -> Line:
        """Return what the step to a position cost, if it cost much, and what was better."""
        one, replay = self._marks.get(at), self._screen.replay
        if one is None:
            return ()
        better = narration.step_name(replay.line[-1], one.better, replay.names)
        said = f"{one.said(replay.names)}; {better} was better"
        return ((f"  {said}", "contested"),)
