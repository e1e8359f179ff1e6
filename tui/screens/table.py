"""The table: board, players, log, and how a step is chosen. Hot-seat, bots and LAN use it alike."""

from __future__ import annotations

import re
import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from core.errors import KumiteError
from core.game import CHANCE, Seat, Step
from tui import scenes
from tui.screens.base import KumiteScreen
from tui.table import LocalTable
from tui.widgets.board import BoardWidget
from tui.widgets.lines import Lines
from tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from core.match import Match
    from tui.scenes import Choice, Line
    from tui.table import Table

SIDE: Final = 31  # columns kept for players and log, beside the board
ABOVE_AND_BELOW: Final = 3  # title, hint, keys
TALL: Final = 30  # rows from which on there is room for a long log
SHORT_LOG: Final = 9  # lines of it otherwise
BOT_PAUSE: Final = 0.4  # s; so that a bot's step is seen to be one


class TableScreen(KumiteScreen):
    """A match being played."""

    HELP = """\
Move the cursor over the board; the line below says what the square under it would
do, or why nothing can be done there. Enter makes the step. Marks: a full shape is
a base, a hollow one a flag, + can be chosen, x is contested and can be chosen too.
A step can also be typed: press : and write it, as in the log.

The match is saved as it is played. Leaving loses nothing: the home screen and
`kumite resume` go on with it."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("colon", "type", "type a step", id="table.type"),
        Binding("u", "take_back", "take back", id="table.back"),
        Binding("r", "rules", "rules", id="table.rules"),
        Binding("m", "rematch", "rematch", id="table.rematch"),
        Binding("g", "resign", "give up", show=False, id="table.resign"),
        Binding("q", "back", "leave", id="screen.back"),
        Binding("escape", "unchoose", "one part back", show=False, id="table.unchoose"),
    ]

    table: Table

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.makes = scenes.maker(table.match)
        self.choice: Choice | None = None
        self._message: Line | None = None

    def compose(self) -> ComposeResult:
        """Lay out title, board, side panel, hint and keys."""
        yield Lines(id="title")
        with Horizontal(id="middle"):
            yield BoardWidget(id="board")
            with Vertical(id="side"):
                yield Lines(id="seats")
                yield Lines(id="facts")
                yield Lines(id="log", tail=True)
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Show the table."""
        self.show_table()
        self.board.focus()

    @property
    def board(self) -> BoardWidget:
        """Return the board."""
        return self.query_one(BoardWidget)

    @property
    def seat(self) -> Seat | None:
        """Return which of our seats is to act."""
        if self.table.end is not None:
            return None
        mine = [actor for actor in self.table.match.actors if actor in self.table.mine]
        return Seat(int(mine[0])) if mine else None

    # --- showing ------------------------------------------------------------------------------

    def show_table(self) -> None:
        """Show the match as it is now."""
        match, seat = self.table.match, self.seat
        view = match.game.view(match.state, self.table.eyes)
        scene = self.makes.scene(view, self.table.names, self.kumite.look, self.seat)
        self.choice = scenes.Choice.of(self.makes, match.legal(seat)) if seat is not None else None
        targets = self.choice.targets if self.choice else frozenset()
        last = frozenset(self.makes.parts(match.last.step)) if match.last else frozenset()
        self.board.show(scene.board, targets, last)
        self._fit(self.app.size)
        self.query_one("#title", Lines).show([self._title()])
        self.query_one("#seats", Lines).show(scene.seats)
        self.query_one("#facts", Lines).show(self._result() or scene.facts)
        self._show_log()
        self.show_hint()
        self.refresh_bindings()
        self._wake_bot()

    def on_resize(self, event: events.Resize) -> None:
        """Draw the board as large as there is room for."""
        if self.is_ready:
            self._fit(event.size)
            self._show_log()

    @property
    def is_ready(self) -> bool:
        """Return whether there is anything to show things in: not before, nor after."""
        return self.is_mounted and bool(self.query(BoardWidget))

    def _fit(self, size: Size) -> None:
        self.board.fit(Size(size.width - SIDE, size.height - ABOVE_AND_BELOW))
        # A page of the log is drawn anew when it is full: on a small screen, a small page.
        self.query_one("#log").styles.max_height = SHORT_LOG if size.height < TALL else None

    def _title(self) -> Line:
        match, table = self.table.match, self.table
        options = ", ".join(f"{name} {value}" for name, value in match.setup.options.items())
        line: list[tuple[str, str]] = [
            (match.game.TITLE, "title"),
            (f"  {options}   step {match.number + 1}   ", "quiet"),
        ]
        if self.is_over:
            line.append(("The match is over", "title"))
        elif self.seat is not None:
            line.append((f"{table.names[self.seat]} to play", "title"))
        else:
            waits = [table.names[int(a)] for a in match.actors if a != CHANCE]
            line.append((f"waiting for {', '.join(waits)}", ""))
        return tuple(line)

    def _result(self) -> tuple[Line, ...]:
        match, end = self.table.match, self.table.end
        if outcome := match.outcome:
            winners = [self.table.names[seat] for seat in outcome.winners]
            said = f"{' and '.join(winners)} won" if winners else "A draw"
            why = self.makes.reason(outcome.reason)
        elif end is not None:
            said = "The match was left"
            who = ", ".join(self.table.names[seat] for seat in end.seats)
            why = {"resigned": f"{who} gave up", "left": f"{who} left the table"}.get(
                end.kind, end.kind
            )
        else:
            return ()
        wrapped = textwrap.wrap(why, SIDE - 2)
        return (((said, "title"),), *(((part, ""),) for part in wrapped))

    @property
    def is_over(self) -> bool:
        """Return whether nobody can play any more."""
        return self.table.match.outcome is not None or self.table.end is not None

    def _show_log(self) -> None:
        """Tell the last steps, as many as fit."""
        log = self.query_one("#log", Lines)
        width = max(20, (log.size.width or SIDE) - 1)
        log.show(told_lines(self.table.match, self.table.names, width))

    def show_hint(self) -> None:
        """Say what the square under the cursor would do."""
        self.hint(self._message or self._hover_line(self.board.cursor_name))
        self._message = None

    def _hover_line(self, name: str) -> Line:
        if self.is_over:
            return (("m: a rematch   u: take back   q: leave", "quiet"),)
        seat, match = self.seat, self.table.match
        if seat is None or self.choice is None:
            return (("It is not your turn.", "quiet"),)
        step = self.choice.step_at(name)
        if step is not None:
            return self.makes.preview(match.state, seat, step, self.kumite.look)
        if name in self.choice.targets:
            return ((f"{name} …", ""),)
        if match.last is not None and name in self.makes.parts(match.last.step):
            return ()  # the cursor still stands where the last step was made
        return ((self.named(match.game.why(match.state, seat, Step(name))), "quiet"),)

    def named(self, text: str) -> str:
        """Put the players' names into words of the rules."""
        return re.sub(r"\bseat (\d)\b", lambda found: self.table.names[int(found[1])], text)

    def complain(self, error: KumiteError) -> None:
        """Say why something was not done, where the eyes are."""
        said = str(error).removeprefix(f"{self.table.match.game.ID}: ")
        self._message = ((self.named(said), "loss"), (f"  {self.named(error.hint)}", "quiet"))
        self.show_hint()

    # --- choosing -----------------------------------------------------------------------------

    @on(BoardWidget.Hovered)
    def _hovered(self) -> None:
        self.show_hint()

    @on(BoardWidget.Chosen)
    def _chosen(self, event: BoardWidget.Chosen) -> None:
        if self.choice is None or self.seat is None:
            self.show_hint()
            return
        step = self.choice.step_at(event.name)
        if step is not None:
            self.play(step)
        elif event.name in self.choice.targets:
            self._choose_on(self.choice.with_part(event.name))
        else:
            self.show_hint()

    def action_unchoose(self) -> None:
        """Go back one part of a step; never anything worse."""
        if self.choice and self.choice.chosen:
            self._choose_on(self.choice.back())
        else:
            self.say("q leaves the table; the match is saved", "quiet")

    def _choose_on(self, choice: Choice) -> None:
        self.choice = choice
        self.board.aim(choice.targets)
        self.show_hint()

    def action_type(self) -> None:
        """Write a step instead of choosing it."""
        if self.seat is not None:
            self.query_one(Prompt).ask("Step:", self.table.match.legal(self.seat))

    @on(Prompt.Submitted)
    def _typed(self, event: Prompt.Submitted) -> None:
        self.board.focus()
        if event.text:
            legal = self.choice.legal if self.choice else ()
            fitting = [step for step in legal if self._reads(step, event.text)]
            self.play(fitting[0] if len(fitting) == 1 else Step(event.text))

    def _reads(self, step: Step, text: str) -> bool:
        """Return whether a step is what was written; its parts alone will do."""
        return text.lower() in (step, "".join(self.makes.parts(step)))

    def play(self, step: Step) -> None:
        """Make a step of the seat to act."""
        if self.seat is None:
            return
        try:
            self.table.play(self.seat, step)
        except KumiteError as error:
            self.complain(error)
            return
        self.show_table()

    # --- the rest -----------------------------------------------------------------------------

    def _wake_bot(self) -> None:
        if isinstance(self.table, LocalTable) and self.table.bot_to_act() is not None:
            self.set_timer(BOT_PAUSE, self._let_bot_play)

    def _let_bot_play(self) -> None:
        if isinstance(self.table, LocalTable):
            seat = self.table.bot_to_act()
            if seat is not None:
                self.table.play_bot(seat)
                self.show_table()

    def action_take_back(self) -> None:
        """Take the last step back."""
        try:
            self.table.take_back()
        except KumiteError as error:
            self.complain(error)
        else:
            self.show_table()

    def action_rules(self) -> None:
        """Show the rules of this game."""
        from tui.screens.reading import RulesScreen

        game = self.table.match.game
        self.app.push_screen(RulesScreen(game.ID, game.TITLE))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide the keys that do nothing now."""
        if action == "rematch":
            return self.is_over and isinstance(self.table, LocalTable)
        if action in ("type", "resign"):
            return not self.is_over
        if action == "take_back":
            return isinstance(self.table, LocalTable) and self.table.match.number > 0
        return True

    def action_rematch(self) -> None:
        """Play the same again; whoever sat second begins the next one's seating."""
        table = self.table
        names = (*table.names[1:], table.names[0])
        try:
            again = LocalTable.begin(table.match.setup, names)
        except KumiteError as error:
            self.complain(error)
            return
        table.close()
        self.table = again
        self.show_table()
        self.say("A new match; the seats have moved on by one.", "quiet")

    def action_resign(self) -> None:
        """Give up, if the answer is yes."""
        from tui.screens.dialog import Dialog
        from tui.widgets.form import Row

        def answered(answer: str | None) -> None:
            if answer == "yes":
                try:
                    self.table.resign()
                except KumiteError as error:
                    self.complain(error)
                self.show_table()

        self.app.push_screen(
            Dialog(
                ((("Give this match up?", "title"),),),
                (Row("no", "No, play on"), Row("yes", "Yes, give up")),
            ),
            answered,
        )

    def action_back(self) -> None:
        """Leave the table; what was played is saved."""
        self.table.close()
        self.kumite.go_back()

    def on_unmount(self) -> None:
        """Close the log, however the screen ends."""
        self.table.close()


def told_lines(match: Match, names: tuple[str, ...], width: int) -> list[Line]:
    """Return all steps told in sentences, wrapped to `width`."""
    makes = scenes.maker(match)
    told: list[Line] = []
    for before, after in pairwise(match.line()):
        assert after.last is not None
        actor, step = after.last.actor, after.last.step
        said = makes.told(before.state, actor, step, after.state, names)
        wrapped = textwrap.wrap(said, width - 4) or [""]
        told.append(((f"{after.number:>3} ", "quiet"), (wrapped[0], "")))
        told += [((f"    {more}", ""),) for more in wrapped[1:]]
    return told
