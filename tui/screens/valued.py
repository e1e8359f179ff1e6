"""The curve of values in a replay: judged in the background, kept, shown below the course."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.store import evaluations
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import SWING, Values, curve_line, curve_rows
from kumite.tui.bots.judging import judge, recall

if TYPE_CHECKING:
    from textual.worker import Worker

    from kumite.tui.bots.evaluation import Swing
    from kumite.tui.play.course import Course
    from kumite.tui.scenes import Line
    from kumite.tui.screens.views import ReplayView
    from kumite.tui.widgets.lines import Lines

HIGH: Final = 6  # rows of the curve in its panel


class Curve:
    """What the positions of a replay are worth, as far as that has been asked for."""

    def __init__(self, screen: ReplayView) -> None:
        """Know nothing yet."""
        self._screen = screen
        self._worker: Worker[None] | None = None
        self._values: Values | None = None
        self._points: tuple[float | None, ...] = ()
        self._swings: dict[int, Swing] = {}
        self._course: Course | None = None

    # --- asking ---------------------------------------------------------------------------------

    @property
    def is_shown(self) -> bool:
        """Return whether there is a curve."""
        return self._values is not None

    @property
    def is_thinking(self) -> bool:
        """Return whether positions are being judged."""
        return self._worker is not None

    def open(self) -> None:
        """Show what was judged at an earlier time, if anything was."""
        if evaluations.is_kept(
            self._screen.replay.log.header.match_id
        ):  # else no bot need be loaded
            values = self._begin()
            if values.judged:
                self._take(values)

    def press(self) -> str:
        """Begin, stop, go on, or hide the curve; return what to say of it."""
        values = self._values
        if self.is_thinking and values is not None:
            self._stop()
            return f"{len(values.left)} positions are left; c goes on"
        if values is None:
            values = self._begin()
            if not values.asked:
                return f"No values: {advice.why_nobody(values.match)} e looks from other eyes."
            self._take(values)
        elif not values.left:
            self.hide()
            return "c shows the values again"
        if values.left:
            self._worker = self._screen.beside(self._judge, values, group="values")
            return "A bot is judging each position ...   c stops it"
        return ""

    def follow(self) -> None:
        """Judge anew what is looked at now: other eyes, or more steps."""
        before, self._course = self._values, None
        if before is None:
            return
        goes_on = self.is_thinking or not before.left  # else it was stopped
        self.hide()
        values = self._begin()
        self._take(values)
        if goes_on and values.left:
            self._worker = self._screen.beside(self._judge, values, group="values")

    def hide(self) -> None:
        """Show no curve."""
        self._stop()
        self._values, self._course = None, None
        self._points, self._swings = (), {}

    def _begin(self) -> Values:
        replay = self._screen.replay
        values = Values(replay.line[-1], replay.eyes.by)
        recall(values, replay.log.header.match_id)
        return values

    async def _judge(self, values: Values) -> None:
        match_id = self._screen.replay.log.header.match_id
        failure: KumiteError | None = None
        try:
            await judge(
                self._screen.shell.bot_service, values, match_id, lambda: self._told(values)
            )
        except KumiteError as error:
            failure = error
        if self._values is values:
            self._worker = None
            self._told(values)
            if failure is not None:
                self._screen.complain(failure)

    def _stop(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.cancel()

    def _told(self, values: Values) -> None:
        if self._values is values:
            self._take(values)
            self._screen.show_values()

    def _take(self, values: Values) -> None:
        self._values = values
        self._points = values.curve()
        self._swings = {swing.number: swing for swing in values.swings()}
        self._course = None

    # --- what there is to see -------------------------------------------------------------------

    @property
    def course(self) -> Course:
        """Return the course of the match, with the largest changes of value as turning points."""
        if self._course is None:
            more = dict.fromkeys(self._swings, SWING)
            self._course = self._screen.replay.course.with_events(more)
        return self._course

    def title(self, at: int) -> Line:
        """Return the value at a position, and how far the judging has come."""
        values = self._values
        if values is None:
            return ()
        value = self._points[at] if at < len(self._points) else None
        name = self._screen.replay.names[values.subject]
        said = f"  {name} {advice.standing(value)}" if value is not None else ""
        done = f"  judged {len(values.judged)} of {len(values.asked)}" if values.left else ""
        return ((said, "key"), (done, "quiet"))

    def line(self, at: int, columns: int) -> Line:
        """Return the curve in one line."""
        return curve_line(self._points, self._swings, at, columns, self._screen.shell.look)

    def fill(self, panel: Lines, at: int, columns: int) -> bool:
        """Show the curve in a panel that has so many columns; return whether it is there."""
        values = self._values
        rows: list[Line] = []
        if values is not None and columns:
            look = self._screen.shell.look
            rows = curve_rows(self._points, self._swings, at, columns, HIGH, look)
            panel.border_title = f"value to {self._screen.replay.names[values.subject]}"
        panel.show(rows)
        return bool(rows)

    def said(self, at: int) -> Line:
        """Return what the step to a position cost or brought, if it is one of the largest."""
        swing, values = self._swings.get(at), self._values
        if swing is None or values is None:
            return ()
        said = swing.said(self._screen.replay.names)
        before, last = values.judged.get(at - 1), values.line[at].last
        is_one = swing.first == at and swing.change < 0
        if is_one and before is not None and last is not None and before.step != last.step:
            said += f"; {before.step} was better"
        return ((f"  {said}", "contested"),)
