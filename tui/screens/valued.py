"""The value curve of a replay: computed in the background, cached, shown below the timeline."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Final

from textual.worker import Worker

from kumite.core.errors import KumiteError
from kumite.store import evaluations, log_files
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import Values, curve_line, curve_rows, simulations_of
from kumite.tui.bots.judging import Judge, look_back, recall, simulations_here
from kumite.tui.bots.review import Review, Turning
from kumite.tui.bots.service import BotService
from kumite.tui.drawing.end_card import Ending
from kumite.tui.play import narration, reviewed
from kumite.tui.play.course import AHEAD, EVENT, Course
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes import Line
from kumite.tui.scenes.lines import width
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.lines import Lines

HIGH: Final = 6  # rows of the curve in its panel
SCALE: Final = 5  # columns of its scale
COSTLY: Final = "costly"  # label of a costly choice on the timeline
COSTLIEST: Final = "costliest choice"  # label of a fact on the end card
NO_COSTLY: Final = "review", "no choice cost much"


class Curve:
    """The values of a replay's positions, as far as they have been computed."""

    def __init__(self, screen: KumiteScreen, replay: Replay, show: Callable[[], object]) -> None:
        """Start without values; `show` is called when there are new ones."""
        self._screen, self._replay, self._show = screen, replay, show
        self._worker: Worker[None] | None = None
        self._review: Review | None = None
        self._points: tuple[float | None, ...] = ()
        self._marks: dict[int, Turning] = {}  # by step number
        self._course: Course | None = None

    # --- asking ---------------------------------------------------------------------------------

    @property
    def is_shown(self) -> bool:
        return self._review is not None

    @property
    def is_thinking(self) -> bool:
        return self._worker is not None

    def open(self) -> None:
        """Show the cached values, if there are any."""
        if evaluations.changed(self._replay.log.header.match_id):  # otherwise avoid loading a bot
            review = self._begin()
            if review.done:
                self._take(review)

    def press(self) -> str:
        """Start, stop, continue or hide the curve; return the message to show."""
        review = self._review
        if self.is_thinking and review is not None:
            self._stop()
            left = review.count - review.done
            return (
                f"{left} positions are left; c continues" if left else "c continues the second look"
            )
        if review is None:
            review = self._begin()
            if not review.count:
                return f"No values: {advice.why_nobody(review.match)} e looks from other eyes."
            self._take(review)
        elif review.is_over:
            self.hide()
            return "c shows the values again"
        if not review.is_over:
            self._worker = self._screen.beside(self._look, review, group="values")
            return "A bot is judging each position ...   c stops it"
        return ""

    def follow(self) -> None:
        """Restart for a new view or for new steps."""
        before, self._course = self._review, None
        if before is None:
            return
        goes_on = self.is_thinking or before.is_over  # otherwise the user stopped it
        self.hide()
        review = self._begin()
        self._take(review)
        if goes_on and not review.is_over:
            self._worker = self._screen.beside(self._look, review, group="values")

    def hide(self) -> None:
        self._stop()
        self._review, self._course = None, None
        self._points, self._marks = (), {}

    def _begin(self) -> Review:
        replay = self._replay
        match, eyes, judge = replay.line[-1], replay.eyes.by, self._judge
        values = Values(match, eyes, simulations_here(match))
        recall(review := Review(match, eyes, frozenset(), values=values), judge)
        return review

    @property
    def _judge(self) -> Judge:
        return Judge(self._screen.shell.bot_service, self._replay.log.header.match_id)

    async def _look(self, review: Review) -> None:
        try:
            await look_back(self._judge, review, lambda: self._told(review))
        except KumiteError as error:
            if self._review is review:
                self._screen.call_later(self._screen.complain, error)  # once all is drawn
        if self._review is review:
            self._worker = None
            self._told(review)

    def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.cancel()

    def _told(self, review: Review) -> None:
        if self._review is review:
            self._take(review)
            self._show()

    def _take(self, review: Review) -> None:
        self._review = review
        self._points = review.values[0].curve()
        self._marks = {one.step_number: one for one in review.marks}
        self._course = None

    # --- what there is to see -------------------------------------------------------------------

    @property
    def course(self) -> Course:
        """Return the match's course with the costliest choices added as turning points."""
        if self._course is None:
            more = dict.fromkeys(self._marks, COSTLY)
            self._course = self._replay.course.with_events(more)
        return self._course

    def title(self, at: int) -> Line:
        """Return the value at a position and the progress."""
        if (review := self._review) is None:
            return ()
        value = self._points[at] if at < len(self._points) else None
        name = self._replay.names[review.values[0].subject]
        said = f"  {name} {advice.standing(value)}" if value is not None else ""
        return ((said, "key"), (self._progress(review), "quiet"))

    def _progress(self, review: Review) -> str:
        """Return the progress; "" once the review is over, or stopped during second looks."""
        if review.done < review.count:
            return f"  judged{review.briefly} {review.done} of {review.count}"
        if review.is_over or not self.is_thinking:
            return ""
        count = len(review.suspects)
        return f"  checking errors, {count - len(review.unseen)} of {count}"

    def line(self, at: int, columns: int) -> Line:
        return curve_line(self._points, self._marks, at, columns, self._screen.shell.look)

    def fill(self, panel: Lines, at: int, columns: int) -> bool:
        """Fill a panel that is `columns` wide; return whether it has any rows."""
        rows: list[Line] = []
        if self._review is not None and columns:
            subject = self._review.values[0].subject
            look, name = self._screen.shell.look, self._replay.names[subject]
            rows = curve_rows(self._points, self._marks, at, columns - SCALE, HIGH, look)
            rows = self._with_scale(rows, at, columns, name)
            panel.border_title = f"value to {name}"
        panel.show(rows)
        return bool(rows)

    def _with_scale(self, rows: list[Line], at: int, columns: int, name: str) -> list[Line]:
        """Return the curve with its scale at the left, and below it what is said of a position."""
        scale = {0: 1.0, len(rows) // 2: 0.5, len(rows) - 1: 0.0}
        marks = (advice.standing(scale[y]) if y in scale else "" for y in range(len(rows)))
        scaled: list[Line] = [
            ((f"{one:>{SCALE - 1}} ", "quiet"), *row) for one, row in zip(marks, rows, strict=True)
        ]
        before = takewhile(lambda span: span[1] != "title", scaled[0])
        column, value = sum(width(text) for text, _ in before), self._points[at]
        said = f"step {at}" + (f", {name} {advice.standing(value)}" if value is not None else "")
        pointer = self._screen.shell.look.arrows[2]
        if column + 2 + width(said) <= columns:
            line = f"{' ' * column}{pointer} {said}"
        else:
            line = f"{said:>{column - 1}} {pointer}"
        return [*scaled, ((line, "title"),)]

    def said(self, at: int) -> Line:
        """Return what a costly step lost and which step was better; () for other steps."""
        one, replay = self._marks.get(at), self._replay
        if one is None:
            return ()
        better = narration.step_name(replay.line[-1], one.better, replay.names)
        said = f"{one.said(replay.names)}; {better} was better"
        return ((f"  {said}", "contested"),)


# --- On the end card --------------------------------------------------------------------------


def on_card(ending: Ending, match_id: str, path: Path | None, eyes: str = "") -> Ending:
    """Return an end card with what a finished review has found, in place of facts of the score."""
    found = _verdict(path, eyes, evaluations.changed(match_id)) if path else ()
    others = (one for one in ending.facts if one[0] not in (AHEAD, EVENT))
    return ending._replace(facts=(*others, *found)) if found else ending  # the last stays longest


@lru_cache(maxsize=1)
def _verdict(path: Path, eyes: str, changed: int) -> tuple[tuple[str, str], ...]:
    """Return the costliest choice of a match; () if no review was finished when they `changed`."""
    if not changed:
        return ()
    with suppress(KumiteError):
        replay = Replay(log_files.load(path), eyes)
        review = reviewed.of_replay(replay, simulations_of(replay.line[-1]))
        recall(review, Judge(BotService(), replay.log.header.match_id))
        if review.is_over and review.count:
            worst = max(review.turnings, key=lambda one: one.lost, default=None)
            return ((COSTLIEST, worst.said(replay.names)) if worst else NO_COSTLY,)
    return ()
