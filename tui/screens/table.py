"""The table: board, players, log, and how a step is chosen. Hot-seat, bots and LAN use it alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on

from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR
from kumite.tui import scenes
from kumite.tui.play import narration
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.viewpoint import Viewpoint
from kumite.tui.screens import table_words
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.hinting import Adviser
from kumite.tui.screens.moving import Others
from kumite.tui.screens.playing import Bots, Forced
from kumite.tui.screens.table_keys import BINDINGS, HELP, is_possible
from kumite.tui.widgets.chooser import Chooser
from kumite.tui.widgets.field import ChoosingField, around
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.geometry import Size

    from kumite.core.game import Seat, Step
    from kumite.tui.play.local_table import Table
    from kumite.tui.play.narration import Remark
    from kumite.tui.scenes import Choice, Line, Scene

TALL: Final = 30  # rows from which on there is room for a long log
CHOOSING_KEYS: Final = frozenset({"next choice", "choose"})
SHORT_LOG: Final = 9  # lines of it otherwise


class TableScreen(KumiteScreen):
    """A match being played."""

    SMALLEST = (56, 18)  # squares of a sign or two, and what is said of them
    AUTO_FOCUS = ""  # the cursor goes where something can be chosen
    HELP = HELP
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    table: Table

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.makes = scenes.maker(table.match)
        self.viewpoint = Viewpoint(table)
        self.choice: Choice | None = None
        self.bots = Bots(self)
        self.adviser = Adviser(self)
        self.forced = Forced(self)
        self.others = Others(self)
        self._message: Line | None = None
        self._about: object = None  # what the cursor was put on for

    def compose(self) -> ComposeResult:
        """Lay out title, field, side panel, hint and keys."""
        side = (
            Lines(id="seats", folds=True),
            Lines(id="facts", keep=True, folds=True),
            Lines(id="advice", folds=True),
            Lines(id="log", tail=True),
        )
        yield from around(
            ChoosingField(self._public_scene()),
            side,
            Lines(id="company"),
            Lines(id="hint"),
            Prompt(id="prompt"),
        )

    def _public_scene(self) -> Scene:
        """Return the table as anybody may see it."""
        match = self.table.match
        view = match.game.view(match.state, SPECTATOR)
        return self.makes.scene(view, self.table.shown_names, self.shell.look, None)

    def on_mount(self) -> None:
        """Show the table."""
        self.show_table()

    @property
    def field(self) -> ChoosingField:
        """Return board and tray, and the cursor on them."""
        return self.query_one(ChoosingField)

    @property
    def is_ready(self) -> bool:
        """Return whether there is anything to show things in: not before, nor after."""
        return self.is_mounted and bool(self.query(ChoosingField))

    @property
    def is_over(self) -> bool:
        """Return whether nobody can play any more."""
        return self.table.match.outcome is not None or self.table.end is not None

    @property
    def is_in_present(self) -> bool:
        """Return whether the present is shown, not what was, or has still to be seen."""
        return not self.viewpoint.behind and self.viewpoint.interlude is None

    @property
    def seat(self) -> Seat | None:
        """Return which of our seats is to act; nobody while covered or looking at what was."""
        if not self.is_in_present or self.table.awaited is not None:
            return None
        return self.table.acting

    # --- showing ------------------------------------------------------------------------------

    def show_table(self) -> None:
        """Show the match as it is now, as far as the people here may see it."""
        self.adviser.follow()
        view = self.viewpoint
        self.seen = view.take(self.table)
        seat = self.seat
        state = view.interlude.view if view.interlude and not view.behind else self.seen.state
        names, look, past = self.table.shown_names, self.shell.look, scenes.past(self.seen)
        self.scene = self.makes.scene(state, names, look, self.you, past)
        legal = self.seen.legal(seat) if seat is not None else ()
        self.choice = scenes.Choice.of(self.makes, legal) if legal else None
        self._show_choice()
        self._fit(self.app.size)
        self.others.follow()
        self.show_words()
        self._wake()

    def show_still(self) -> None:
        """Show what is there when nothing moves any more, and say it."""
        self._show_choice()
        self.show_words()

    @property
    def motion_left(self) -> float:
        """Return for how many seconds something still moves."""
        return self.others.moving.seconds

    def before_key(self) -> None:
        """End what moves: a key means what is there."""
        self.others.moving.end()

    def action_again(self) -> None:
        """Show the last turn of the others again."""
        if not self.others.show_again():
            self.say("nobody else has made a step yet", "quiet")

    def show_words(self) -> None:
        """Say what there is to say, once nothing moves; a choice that has been begun stays."""
        if self.others.moving.is_running:
            self.query_one("#hint", Lines).show(())
            return
        self.query_one("#title", Lines).show([self.title_line()])
        self.query_one("#seats", Lines).show(self.scene.seats)
        result, advice = self.result_lines(), self.adviser.lines()
        self.query_one("#facts", Lines).show(result or self.scene.facts)
        self.query_one("#advice", Lines).show(advice)
        self.field.tell_beside(bool(result or advice))
        self.show_log()
        self.show_hint()
        self.refresh_bindings()
        self.show_keys()

    def redraw(self) -> None:
        """Show the table with other glyphs."""
        self.show_table()

    @property
    def you(self) -> Seat | None:
        """Return for whom the table is drawn: the seat to act, or the only one played here."""
        eyes, seat = self.table.eyes, self.seat
        return seat if seat is not None else min(eyes) if len(eyes) == 1 else None

    def _show_choice(self) -> None:
        """Show what can be chosen now, and put the cursor there."""
        choice, field = self.choice, self.field
        targets = choice.targets if choice else frozenset()
        chosen = frozenset(choice.chosen) if choice else frozenset()
        trace = scenes.last_trace(self.makes, self.seen, self.you)
        field.draw(self.scene, targets, chosen, trace)
        can_board = field.lay(
            self.scene, targets, chosen, lambda part: table_words.label(self, part)
        )
        if field.is_away:
            return
        if self.table.awaited is not None or self.viewpoint.interlude or self.is_over:
            self.set_focus(None)  # Enter is the screen's: it uncovers, or goes on
            return
        about = self.seen.number, self.seat, choice.chosen if choice else ()
        field.take_cursor(can_board=can_board, is_new=about != self._about)
        self._about = about

    def on_resize(self, event: events.Resize) -> None:
        """Draw the board as large as there is room for."""
        if self.is_ready:
            self._fit(event.size)
            self.show_log()

    def _fit(self, size: Size) -> None:
        self.field.fit_window(size, self.company_rows)
        # A page of the log is drawn anew when it is full: on a small screen, a small page.
        self.query_one("#log").styles.max_height = SHORT_LOG if size.height < TALL else None

    @property
    def company_rows(self) -> int:
        """Return how many rows tell of those at other terminals."""
        return 0

    def title_line(self) -> Line:
        """Return what stands above the table."""
        return table_words.title(self, self.app.size.width - 2)

    def result_lines(self) -> tuple[Line, ...]:
        """Return what takes the place of the facts once the match is over."""
        return table_words.result(self)

    def show_log(self) -> None:
        """Tell the last steps, as many as fit, once it is known how broad they may be."""
        log = self.query_one("#log", Lines)
        width = self.field.side_columns
        if width:
            log.show(narration.told_lines(self.seen, self.table.shown_names, width, self.remarks()))

    def remarks(self) -> Sequence[Remark]:
        """Return what else the log tells, beside the steps."""
        return ()

    def show_hint(self) -> None:
        """Say what a choice of that under the cursor would do."""
        if self._message:
            self.hint(self._message, rows=2)
        else:
            self.hint(self.hover_line(self.field.pointed), rows=2)
        self._message = None

    def hover_line(self, name: str) -> Line:
        """Return what there is to say while the cursor is on the part of that name."""
        return table_words.hover(self, name)

    def complain(self, error: KumiteError) -> None:
        """Say why something was not done, where the eyes are."""
        said = str(error).removeprefix(f"{self.table.match.game.ID}: ")
        names = self.table.shown_names
        hint = narration.named(error.hint, names)
        self._message = ((narration.named(said, names), "loss"), (f"  {hint}", "quiet"))
        self.show_hint()

    # --- choosing -----------------------------------------------------------------------------

    @on(Chooser.Hovered)
    def _hovered(self) -> None:
        self.show_hint()

    @on(Chooser.Chosen)
    def _chosen(self, event: Chooser.Chosen) -> None:
        if self.viewpoint.interlude:
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
            self.hint(self.hover_line(event.name) or table_words.NOTHING_HERE)

    def action_look(self, by: int) -> None:
        """Look at the position after (1) or before (-1), without taking anything back."""
        self.viewpoint.look(by, self.seen)
        self.show_table()

    def action_unchoose(self) -> None:
        """Go back one part of a step; never anything worse."""
        if self.adviser.stop():
            self.say("It has stopped thinking.", "quiet")
        elif self.viewpoint.behind:
            self.viewpoint.behind = 0
            self.show_table()
        elif self.choice and self.choice.chosen:
            self._choose_on(self.choice.back())
        else:
            self.say("q leaves the table; the match is saved", "quiet")

    def _choose_on(self, choice: Choice) -> None:
        self.choice = choice
        self._show_choice()
        self.show_hint()
        self.show_keys()

    def advise(self, step: Step) -> None:
        """Choose all of a step but its last part, and put the cursor on that: nothing is made."""
        if self.choice is None:
            return
        part = self.choice.parts[step][-1]
        self._choose_on(self.choice.before_last(step))
        if not self.field.is_away:
            self.field.point(part)
        self.show_words()

    def action_hint(self) -> None:
        """Ask a bot for a good step."""
        self.adviser.ask()

    def action_analyse(self) -> None:
        """Compare the best steps."""
        self.adviser.analyse()

    def action_switch(self) -> None:
        """Go from the board to what lies beside it, and back."""
        self.field.switch()
        self.show_hint()

    @on(Chooser.NoneHere)
    def _next_elsewhere(self) -> None:
        """Go on to what can be chosen where the cursor is not."""
        if self.field.switch_to_choice():
            self.show_hint()

    def action_uncover(self) -> None:
        """Show the person who has come to the screen what their seat may see."""
        if self.table.awaited is not None:
            self.table.uncover()
            self.show_table()

    def action_go_on(self) -> None:
        """Go on after an interlude that has been seen."""
        if self.viewpoint.interlude:
            self.viewpoint.confirm(self.seen)
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
        self.field.return_cursor()

    def play(self, step: Step) -> None:
        """Make a step of the seat to act."""
        seat = self.seat
        if seat is not None:
            self.attempt(lambda: self.table.play(seat, step), self.after_step)

    def attempt(self, do: Callable[[], None], then: Callable[[], None]) -> None:
        """Do something with the table and go on, or say why it cannot be done."""
        try:
            do()
        except KumiteError as error:
            self.complain(error)
        else:
            then()

    def after_step(self) -> None:
        """Go on after a step of ours."""
        self.show_table()

    # --- the rest -----------------------------------------------------------------------------

    def _wake(self) -> None:
        """Let a bot think; make a step without a choice by itself."""
        self.bots.wake()
        self.forced.wake()

    def action_take_back(self) -> None:
        """Take the last step back."""

        def then() -> None:
            self.viewpoint.forget(self.table.match.number)
            self.viewpoint.behind = 0  # taking back is meant for playing on
            self.show_table()

        self.attempt(self.table.take_back, then)

    def action_rules(self) -> None:
        """Show the rules of this game from what matters now, and the way to the keys."""
        from kumite.tui.screens.reading import RulesScreen

        game = self.table.match.game
        chapter = self.makes.chapter(self.seen.state)
        self.app.push_screen(RulesScreen(game.ID, game.TITLE, chapter, self.help_lines()))

    def help_lines(self) -> tuple[Line, ...]:
        """Return the help of a screen, and what the marks on the board mean."""
        from kumite.tui.screens import legend

        return (*super().help_lines(), *legend.marks(self.scene, self.shell.brush))

    def keys_now(self) -> list[tuple[str, str]]:
        """Return the keys for the line at the bottom: none to choose with without a choice."""
        if self.choice is None and self.seat is None:
            return [(key, said) for key, said in super().keys_now() if said not in CHOOSING_KEYS]
        return table_words.counted(super().keys_now(), self.choice)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide the keys that do nothing now."""
        return is_possible(self, action)

    def action_rematch(self) -> None:
        """Play the same again, with the seats moved on by one."""
        table = self.table
        names = (*table.names[1:], table.names[0])
        try:
            again = LocalTable.begin(table.match.setup, names, programs=table.programs)
        except KumiteError as error:
            self.complain(error)
            return
        table.close()
        self.table = again
        self.viewpoint.restart(again)
        self.show_table()
        self.say("A new match; the seats have moved on by one.", "quiet")

    def action_who_plays(self) -> None:
        """Ask who plays on in a seat whose bot has failed."""
        self.bots.ask()

    def action_resign(self) -> None:
        """Give up, if the answer is yes."""
        from kumite.tui.screens import dialog

        def resign() -> None:
            try:
                self.table.resign()
            except KumiteError as error:
                self.complain(error)
            self.show_table()

        question = ((("Give this match up?", "title"),),)
        dialog.confirm(self.app, question, "No, play on", "Yes, give up", resign)

    def action_back(self) -> None:
        """Leave the table; what was played is saved."""
        self.bots.close()
        self.table.close()
        self.shell.go_back()

    def on_unmount(self) -> None:
        """Close the log, however the screen ends."""
        self.bots.close()
        self.table.close()
