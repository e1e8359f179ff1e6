"""A saved match, step by step."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from core.game import SPECTATOR
from tui import scenes
from tui.scenes.model import wrap
from tui.screens.base import KumiteScreen
from tui.screens.table import ABOVE_AND_BELOW, SIDE
from tui.table import names_in
from tui.widgets.board import BoardWidget
from tui.widgets.lines import Lines
from tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer

    from core.log import Log
    from tui.scenes import Line

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1)  # s a step


class ReplayScreen(KumiteScreen):
    """Look at a match at any of its steps."""

    AUTO_FOCUS = ""  # the keys are the screen's; the board only shows
    HELP = """\
Right and left go a step forward and back, Home and End to the start and the end.
A digit goes to the next step of that player (1 is the first). g asks for a step
number. Space plays the match by itself, + and - change how fast."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,right_square_bracket", "go(1)", "forward", id="replay.forward"),
        Binding("left,h,left_square_bracket", "go(-1)", "back", id="replay.back"),
        Binding("pagedown", "go(10)", "ten steps forward", show=False, id="replay.pagedown"),
        Binding("pageup", "go(-10)", "ten steps back", show=False, id="replay.pageup"),
        Binding("home", "to(0)", "start", show=False, id="replay.home"),
        Binding("end", "to(-1)", "end", show=False, id="replay.end"),
        Binding("g", "ask", "step ...", id="replay.ask"),
        Binding("space", "play", "play", id="replay.play"),
        Binding("plus,equals_sign", "speed(1)", "faster", id="replay.faster"),
        Binding("minus", "speed(-1)", "slower", show=False, id="replay.slower"),
        *(
            Binding(
                str(n), f"turn({n - 1})", f"Next step of player {n}", show=False, id=f"replay.{n}"
            )
            for n in range(1, 7)
        ),
        Binding("r", "rules", "rules", show=False, id="replay.rules"),
        Binding("escape", "back", "back", show=False, id="replay.leave"),
    ]

    def __init__(self, log: Log) -> None:
        """Show a log; as far as it is sound, if it is damaged."""
        super().__init__()
        self.log_read = log
        self.line = (log.whole or log.match).line()
        self.makes = scenes.maker(self.line[-1])
        self.names = names_in(log.header)
        self.at = 0
        self._speed = SPEEDS.index(1.0)
        self._timer: Timer | None = None
        self._told: list[str] = []

    def compose(self) -> ComposeResult:
        """Lay out title, board, side panel, hint and keys."""
        yield Lines(id="title")
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield BoardWidget(id="board")
                yield Lines(id="picture")
            with Vertical(id="side"):
                yield Lines(id="seats")
                yield Lines(id="facts")
                yield Lines(id="log")
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Begin at the start."""
        self._told = [
            self.makes.told(a.state, b.last.actor, b.last.step, b.state, self.names)
            for a, b in pairwise(self.line)
            if b.last is not None
        ]
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Draw the board as large as there is room for."""
        self._fit(event.size)
        self._show_steps()

    def _fit(self, size: Size) -> None:
        board = self.query_one(BoardWidget)
        board.fit(Size(size.width - SIDE, size.height - ABOVE_AND_BELOW))

    # --- showing ------------------------------------------------------------------------------

    def redraw(self) -> None:
        """Show the position with other glyphs."""
        self._show()

    def _show(self) -> None:
        match, game = self.line[self.at], self.log_read.match.game
        view = match.state
        if self.log_read.header.by is not None:
            view = game.view(view, self.log_read.header.by or SPECTATOR)
        scene = self.makes.scene(view, self.names, self.kumite.look, None)
        marked = None
        if match.before is not None and match.last is not None:
            marked = self.makes.marks(match.before.state, match.last.step, match.state)
        board = self.query_one(BoardWidget)
        board.display = bool(scene.board.rows)
        board.show(scene.board, frozenset(), marked or frozenset())
        self.query_one("#picture", Lines).show(scene.picture)
        self._fit(self.app.size)
        last = len(self.line) - 1
        playing = "   playing" if self._timer else ""
        self.query_one("#title", Lines).show(
            [((game.TITLE, "title"), (f"  step {self.at} of {last}{playing}", "quiet"))]
        )
        self.query_one("#seats", Lines).show(scene.seats)
        self.query_one("#facts", Lines).show(scene.facts)
        self._show_steps()
        self.hint(self._hint())

    def _hint(self) -> Line:
        match = self.line[self.at]
        if self.at == len(self.line) - 1:
            if self.log_read.damage is not None:
                return ((f"The log is damaged from here on: {self.log_read.damage}", "loss"),)
            if outcome := match.outcome:
                won = " and ".join(self.names[seat] for seat in outcome.winners) or "nobody"
                return ((f"{won} won: {self.makes.reason(outcome.reason)}", "title"),)
            end = self.log_read.end
            return ((f"The match ends here: {end.kind if end else 'not finished'}", "title"),)
        return ((self._told[self.at - 1] if self.at else "The start", ""),)

    def _show_steps(self) -> None:
        """Show the steps around the present one."""
        log = self.query_one("#log", Lines)
        width, height = max(20, (log.size.width or SIDE) - 1), max(1, log.size.height)
        lines: list[Line] = []
        now = 0
        for number, told in enumerate(self._told, start=1):
            if not told or abs(number - self.at) > height:
                continue
            wrapped = wrap(told, width - 6)
            is_now = number == self.at
            now = len(lines) if is_now else now
            role = "title" if is_now else "quiet"
            pointer = self.kumite.look.pointer if is_now else " "
            lines.append(((f"{pointer}{number:>3} ", role), (wrapped[0], role)))
            lines += [(("     ", ""), (more, role)) for more in wrapped[1:]]
        top = max(0, min(now - height // 2, len(lines) - height))
        log.show(lines[top:])

    # --- moving -------------------------------------------------------------------------------

    def _to(self, number: int) -> None:
        number = max(0, min(len(self.line) - 1, number))
        if number != self.at:
            self.at = number
            self._show()

    def action_go(self, by: int) -> None:
        """Go some steps forward or back."""
        self._stop()
        self._to(self.at + by)

    def action_to(self, number: int) -> None:
        """Go to a step; -1 is the last."""
        self._stop()
        self._to(number if number >= 0 else len(self.line) - 1)

    def action_turn(self, seat: int) -> None:
        """Go to the next step of a seat."""
        self._stop()
        for match in self.line[self.at + 1 :]:
            if match.last is not None and match.last.actor == seat:
                self._to(match.number)
                return
        self.say(f"Player {seat + 1} makes no step after this one.", "quiet")

    def action_ask(self) -> None:
        """Ask for a step number."""
        self._stop()
        self.query_one(Prompt).ask(f"Step 0 to {len(self.line) - 1}:")

    @on(Prompt.Submitted)
    def _asked(self, event: Prompt.Submitted) -> None:
        self.set_focus(None)
        number = int(event.text) if re.fullmatch("[0-9]{1,9}", event.text) else len(self.line)
        if number < len(self.line):
            self._to(number)
        elif event.text:
            self.say(f"There is no step {event.text}.", "loss")

    def action_play(self) -> None:
        """Play by itself, or stop."""
        if self._timer is not None:
            self._stop()
        else:
            if self.at == len(self.line) - 1:
                self._to(0)
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        self._show()

    def action_speed(self, by: int) -> None:
        """Play faster or slower."""
        self._speed = max(0, min(len(SPEEDS) - 1, self._speed + by))
        if self._timer is not None:
            self._timer.stop()
            self._timer = self.set_interval(SPEEDS[self._speed], self._tick)
        self.say(f"{SPEEDS[self._speed]:g} s a step", "quiet")

    def _tick(self) -> None:
        if self.at == len(self.line) - 1:
            self._stop()
            self._show()
        else:
            self._to(self.at + 1)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def action_rules(self) -> None:
        """Show the rules of this game."""
        from tui.screens.reading import RulesScreen

        game = self.log_read.match.game
        chapter = self.makes.chapter(self.line[self.at].state)
        self.app.push_screen(RulesScreen(game.ID, game.TITLE, chapter, self.help_lines()))
