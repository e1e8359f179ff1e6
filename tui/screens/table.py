"""The table: board, players, log, and how a step is chosen. Hot-seat, bots and LAN use it alike."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Seat, Step
from kumite.tui import scenes
from kumite.tui.play import narration
from kumite.tui.play.local_seats import Follower
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes import Chip
from kumite.tui.screens import hovering
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.hinting import Adviser
from kumite.tui.screens.playing import Bots
from kumite.tui.screens.table_keys import BINDINGS, HELP
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt
from kumite.tui.widgets.tray import TrayWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from kumite.core.match import Match
    from kumite.tui.play.local_table import Table
    from kumite.tui.play.narration import Remark
    from kumite.tui.scenes import Choice, Interlude, Line

SIDE: Final = 31  # columns kept for players and log, beside the board
ABOVE_AND_BELOW: Final = 3  # title, hint, keys
TALL: Final = 30  # rows from which on there is room for a long log
SHORT_LOG: Final = 9  # lines of it otherwise
SINGLE_PAUSE: Final = 0.8  # s; so that a step without a choice is seen before it is made


class TableScreen(KumiteScreen):
    """A match being played."""

    SMALLEST = (80, 24)  # beside the board stands what the game counts, below it the hand
    AUTO_FOCUS = ""  # the cursor goes where something can be chosen
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    table: Table

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.makes = scenes.maker(table.match)
        self.choice: Choice | None = None
        self.bots = Bots(self)
        self._message: Line | None = None
        self._follower = Follower()
        self.behind = 0  # steps that the screen looks back
        self.moment: Interlude | None = None  # what is shown until it has been seen
        self._told = table.match.number  # steps up to here have been seen
        self.adviser = Adviser(self)

    def compose(self) -> ComposeResult:
        """Lay out title, board, side panel, hint and keys."""
        yield Lines(id="title")
        with Horizontal(id="middle"):
            with Vertical(id="field"):
                yield BoardWidget(id="board")
                yield Lines(id="picture")
                yield TrayWidget(id="tray")
            with Vertical(id="side"):
                yield Lines(id="seats")
                yield Lines(id="company")
                yield Lines(id="facts", keep=True)
                yield Lines(id="advice")
                yield Lines(id="log", tail=True)
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Show the table."""
        self.show_table()

    @property
    def board(self) -> BoardWidget:
        """Return the board."""
        return self.query_one(BoardWidget)

    @property
    def tray(self) -> TrayWidget:
        """Return what lies beside the board."""
        return self.query_one(TrayWidget)

    @property
    def is_at_tray(self) -> bool:
        """Return whether the cursor is beside the board."""
        return self.focused is self.tray  # a widget's own has_focus comes later

    @property
    def seat(self) -> Seat | None:
        """Return which of our seats is to act; nobody while covered or looking at what was."""
        if self.behind or self.moment or self.table.awaited is not None:
            return None
        return self.table.acting

    # --- showing ------------------------------------------------------------------------------

    def show_table(self) -> None:
        """Show the match as it is now, as far as who sits here may see it."""
        self.adviser.follow()
        seen = self._seen_until_now()
        seat = self.seat
        view = self.moment.view if self.moment and not self.behind else seen.state
        scene = self.makes.scene(view, self.table.names, self.kumite.look, self._you(seat))
        legal = seen.legal(seat) if seat is not None else ()
        self.choice = scenes.Choice.of(self.makes, legal) if legal else None
        self.seen, self.scene = seen, scene
        self._show_choice()
        self._fit(self.app.size)
        self.query_one("#seats", Lines).show(scene.seats)
        self.query_one("#picture", Lines).show(scene.picture)
        self.show_words()
        self._wake()

    def show_words(self) -> None:
        """Say what there is to say; a choice that has been begun stays."""
        self.query_one("#title", Lines).show([self._title()])
        self.query_one("#facts", Lines).show(self._result() or self.scene.facts)
        self.query_one("#advice", Lines).show(self.adviser.lines())
        self._show_log()
        self.show_hint()
        self.refresh_bindings()

    def redraw(self) -> None:
        """Show the table with other glyphs."""
        self.show_table()

    def _seen_until_now(self) -> Match:
        """Return the match up to the position to show: the present, a moment, or one looked at."""
        seen = self._follower.follow(self.table.match, self.table.eyes)
        stop = self._next_moment(seen)
        if stop is not None:  # all at this screen look at it, so nobody's cards may be open
            self.table.cover()
            seen = self._follower.follow(self.table.match, self.table.eyes)
            stop = self._next_moment(seen)
        self.moment = None
        if stop is None:
            self._told = seen.number
        else:
            seen, self.moment = stop
        if self.behind > seen.number:
            self.behind = 0
        return seen.back(seen.number - self.behind)

    def _next_moment(self, seen: Match) -> tuple[Match, Interlude] | None:
        """Return the first position since the last confirmed one that must be seen, if any."""
        stop, at = None, seen
        while at.number > self._told and at.before is not None and at.last is not None:
            before, (actor, step) = at.before, (at.last.actor, at.last.step)
            names = self.table.names
            moment = self.makes.interlude(before.state, actor, step, at.state, names)
            stop = (at, moment) if moment else stop
            at = at.before
        return stop

    def _you(self, seat: Seat | None) -> Seat | None:
        """Return for whom the table is drawn: who acts, or who alone plays here."""
        eyes = self.table.eyes
        return seat if seat is not None else min(eyes) if len(eyes) == 1 else None

    def _show_choice(self) -> None:
        """Show what can be chosen now, on the board and beside it."""
        choice, scene = self.choice, self.scene
        targets = choice.targets if choice else frozenset()
        chosen = frozenset(choice.chosen) if choice else frozenset()
        self.board.display = bool(scene.board.rows)
        self.board.show(scene.board, targets, chosen or scenes.last_marks(self.makes, self.seen))
        cells = {cell.name for row in scene.board.rows for cell in row}
        lying = {chip.name for chip in scene.tray}
        loose = sorted(targets - cells - lying)
        more = tuple(Chip(name, hovering.called(self, name), "key") for name in loose)
        self.tray.show(scene.tray + more, targets)
        self.tray.display = bool(scene.tray or more)
        self._focus(bool(targets & cells), targets | chosen)

    def _focus(self, can_board: bool, marked: frozenset[str]) -> None:
        """Put the cursor where something can be chosen.

        Not by the widgets' own `focus`: it comes later, and would undo what has come meanwhile.
        """
        board, tray = self.board, self.tray
        if isinstance(self.focused, Prompt):
            return  # somebody is writing
        if self.table.awaited is not None or self.moment or self.is_over:
            self.set_focus(None)  # Enter is the screen's: it says who has come, or goes on
        elif can_board and not (self.is_at_tray and tray.has_choice):
            self.set_focus(board)
            goes_on = self.choice is not None and (self.choice.chosen or self._goes_on())
            if goes_on and board.cursor_name not in marked:
                board.action_jump(1)
        elif tray.display and (tray.has_choice or not board.has_squares):
            self.set_focus(tray)
        elif board.has_squares:
            self.set_focus(board)
        else:
            self.set_focus(None)

    def _goes_on(self) -> bool:
        """Return whether who acts has made the last step as well."""
        return self.seen.last is not None and self.seen.last.actor == self.seat

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
        number = self.seen.number if self.moment else match.number + 1
        options = ", ".join(
            f"{option.name} {match.setup.options[option.name]}"
            for option in match.game.OPTIONS
            if match.setup.options[option.name] != option.default
        )
        line: list[tuple[str, str]] = [
            (match.game.TITLE, "title"),
            (f"  {options}{'   ' if options else ''}step {number}   ", "quiet"),
        ]
        if self.behind:
            line.append((f"looking back at step {match.number - self.behind}", "title"))
        elif self.moment:
            pass  # who is to play comes after it
        elif self.is_over:
            line.append(("The match is over", "title"))
        elif table.awaited is not None:
            line.append((f"{table.names[table.awaited]}, take the keyboard", "title"))
        elif self.seat is not None:
            line.append((f"{table.names[self.seat]} to play", "title"))
        elif (bot := table.bot_to_act()) is not None:
            line.append((f"{table.names[bot]} is thinking", ""))
        elif (lost := table.vacant_to_act()) is not None:
            line.append((f"nobody plays seat {lost}", "title"))
        else:
            waits = [
                table.names[int(a)] for a in match.actors if a != CHANCE and a not in table.chosen
            ]
            line.append((f"waiting for {', '.join(waits)}" if waits else "one moment", ""))
        return tuple(line)

    def _result(self) -> tuple[Line, ...]:
        if self.moment:
            return ()
        who, why = narration.result(self.table.match, self.table.end, self.table.names)
        if not who:
            return ()
        return (((who, "title"),), *(((part, ""),) for part in textwrap.wrap(why, SIDE - 2)))

    @property
    def is_over(self) -> bool:
        """Return whether nobody can play any more."""
        return self.table.match.outcome is not None or self.table.end is not None

    def _show_log(self) -> None:
        """Tell the last steps, as many as fit."""
        log = self.query_one("#log", Lines)
        width = max(20, (log.size.width or SIDE) - 1)
        log.show(narration.told_lines(self.seen, self.table.names, width, self.remarks()))

    def remarks(self) -> Sequence[Remark]:
        """Return what else the log tells, beside the steps."""
        return ()

    @property
    def pointed(self) -> str:
        """Return the name of what the cursor is on."""
        return self.tray.cursor_name if self.is_at_tray else self.board.cursor_name

    def show_hint(self) -> None:
        """Say what that under the cursor would do."""
        if self._message:
            self.hint(self._message, rows=2)
        else:
            self.hint(self._hover_line(self.pointed))
        self._message = None

    def _hover_line(self, name: str) -> Line:
        return hovering.line(self, name)

    def complain(self, error: KumiteError) -> None:
        """Say why something was not done, where the eyes are."""
        said = str(error).removeprefix(f"{self.table.match.game.ID}: ")
        names = self.table.names
        hint = narration.named(error.hint, names)
        self._message = ((narration.named(said, names), "loss"), (f"  {hint}", "quiet"))
        self.show_hint()

    # --- choosing -----------------------------------------------------------------------------

    @on(BoardWidget.Hovered)
    @on(TrayWidget.Hovered)
    def _hovered(self) -> None:
        self.show_hint()

    @on(BoardWidget.Chosen)
    @on(TrayWidget.Chosen)
    def _chosen(self, event: BoardWidget.Chosen | TrayWidget.Chosen) -> None:
        if self.moment:
            self.action_go_on()
            return
        if self.table.awaited is not None:
            self.action_uncover()
            return
        if self.choice is None or self.seat is None:
            self.show_hint()
            return
        step = self.choice.step_at(event.name)
        if step is not None:
            self.play(step)
        elif event.name in self.choice.targets:
            self._choose_on(self.choice.with_part(event.name))
        else:
            self.hint(self._hover_line(event.name) or hovering.NOTHING_HERE)

    def action_look(self, by: int) -> None:
        """Look at the step before, or after, without taking anything back."""
        self.behind = max(0, min(self.seen.number + self.behind, self.behind + by))
        self.show_table()

    def action_unchoose(self) -> None:
        """Go back one part of a step; never anything worse."""
        if self.adviser.stop():
            self.say("It has stopped thinking.", "quiet")
        elif self.behind:
            self.behind = 0
            self.show_table()
        elif self.choice and self.choice.chosen:
            self._choose_on(self.choice.back())
        else:
            self.say("q leaves the table; the match is saved", "quiet")

    def _choose_on(self, choice: Choice) -> None:
        self.choice = choice
        self._show_choice()
        self.show_hint()

    def advise(self, step: Step) -> None:
        """Choose all of a step but its last part, and put the cursor on that: nothing is made."""
        if self.choice is None:
            return
        part = self.choice.parts[step][-1]
        self._choose_on(self.choice.before_last(step))
        if not isinstance(self.focused, Prompt):  # somebody is writing
            where = self.board if self.board.place(part) else self.tray
            self.set_focus(where)
            where.point(part)
        self.show_words()

    def action_hint(self) -> None:
        """Ask a bot for a good step."""
        self.adviser.ask()

    def action_analyse(self) -> None:
        """Compare the best steps."""
        self.adviser.analyse()

    def action_switch(self) -> None:
        """Go from the board to what lies beside it, and back."""
        if self.is_at_tray and self.board.has_squares:
            self.set_focus(self.board)
        elif self.tray.display:
            self.set_focus(self.tray)
        else:
            self.board.action_jump(1)
        self.show_hint()

    @on(BoardWidget.NoneHere)
    @on(TrayWidget.NoneHere)
    def _next_elsewhere(self) -> None:
        """Go on to what can be chosen where the cursor is not."""
        other = self.board if self.is_at_tray else self.tray
        if other.display and other.has_choice:
            self.action_switch()
            if other.cursor_name not in other.targets:
                other.action_jump(1)

    def action_uncover(self) -> None:
        """Show who has come to the screen what he may see."""
        if self.table.awaited is not None:
            self.table.uncover()
            self.show_table()

    def action_go_on(self) -> None:
        """Go on after a moment that has been seen."""
        if self.moment:
            self._told = self.seen.number + self.behind
            self.behind = 0
            self.show_table()

    def action_type(self) -> None:
        """Write a step instead of choosing it."""
        if self.seat is not None:
            self.query_one(Prompt).ask("Step:", self.seen.legal(self.seat))

    @on(Prompt.Submitted)
    def _typed(self, event: Prompt.Submitted) -> None:
        self.end_prompt()
        choice = self.choice or scenes.Choice((), {})
        for text in choice.typed(event.text):
            before = self.table.match
            self.play((self.choice or choice).meant(text))
            if self.table.match is before:
                break  # what is written behind a step that was refused was meant to follow it

    def end_prompt(self) -> None:
        """Go back from writing to the table."""
        self.set_focus(self.board if self.board.display else self.tray)

    def play(self, step: Step) -> None:
        """Make a step of the seat to act."""
        if self.seat is None:
            return
        try:
            self.table.play(self.seat, step)
        except KumiteError as error:
            self.complain(error)
        else:
            self.after_step()

    def after_step(self) -> None:
        """Go on after a step of ours."""
        self.show_table()

    # --- the rest -----------------------------------------------------------------------------

    def _wake(self) -> None:
        """Let a bot think; make a step without a choice by itself."""
        table = self.table
        self.bots.wake()
        is_forced = self.choice is not None and len(self.choice.legal) == 1
        if self.moment or table.bot_to_act() is not None or not is_forced:
            return
        assert self.choice is not None
        seat, (step,) = self.seat, self.choice.legal
        if seat is not None:
            self._later(SINGLE_PAUSE, lambda: self.seat, lambda: table.play(seat, step))

    def _later(self, delay: float, who: Callable[[], object], do: Callable[[], None]) -> None:
        """Do it after `delay` seconds, unless the match has gone on, or `who` is another then."""
        match, meant = self.table.match, who()

        def now() -> None:
            if self.table.match is not match or not self.is_ready or who() != meant:
                return
            try:
                do()
            except KumiteError as error:
                self.complain(error)
            else:
                self.after_step()

        self.set_timer(delay, now)

    def action_take_back(self) -> None:
        """Take the last step back."""
        try:
            self.table.take_back()
        except KumiteError as error:
            self.complain(error)
        else:
            self._told = min(self._told, self.table.match.number)
            self.behind = 0  # who takes back wants to play
            self.show_table()

    def action_rules(self) -> None:
        """Show the rules of this game from what matters now, and the way to the keys."""
        from kumite.tui.screens.reading import RulesScreen

        game = self.table.match.game
        chapter = self.makes.chapter(self.seen.state)
        self.app.push_screen(RulesScreen(game.ID, game.TITLE, chapter, self.help_lines()))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide the keys that do nothing now."""
        if action == "rematch":
            return self.is_over and isinstance(self.table, LocalTable)
        if action == "go_on":
            return self.moment is not None
        if action == "uncover":
            return self.table.awaited is not None and self.moment is None
        if action in ("type", "hint", "analyse"):
            return self.seat is not None
        if action == "resign":
            return not self.is_over
        if action == "who_plays":
            return self.table.vacant_to_act() is not None
        if action == "take_back":
            return isinstance(self.table, LocalTable) and self.table.match.number > 0
        return True

    def action_rematch(self) -> None:
        """Play the same again; whoever sat second begins the next one's seating."""
        table = self.table
        names = (*table.names[1:], table.names[0])
        try:
            again = LocalTable.begin(table.match.setup, names, programs=table.programs)
        except KumiteError as error:
            self.complain(error)
            return
        table.close()
        self.table, self.behind, self._told = again, 0, again.match.number
        self.show_table()
        self.say("A new match; the seats have moved on by one.", "quiet")

    def action_who_plays(self) -> None:
        """Ask who plays on in a seat whose bot has failed."""
        self.bots.ask()

    def action_resign(self) -> None:
        """Give up, if the answer is yes."""
        from kumite.tui.screens.dialog import Dialog
        from kumite.tui.widgets.form import Row

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
        self.bots.close()
        self.table.close()
        self.kumite.go_back()

    def on_unmount(self) -> None:
        """Close the log, however the screen ends."""
        self.bots.close()
        self.table.close()
