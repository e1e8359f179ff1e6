"""A table that is played at, and how a step is chosen. Hot-seat, bots and LAN use it alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from kumite.core.errors import KumiteError
from kumite.tui import scenes
from kumite.tui.play import ending
from kumite.tui.play.local_table import LocalTable, only_person
from kumite.tui.play.narration import Remark
from kumite.tui.scenes.notation import form_lines
from kumite.tui.screens import table_words
from kumite.tui.screens.calling import Caller
from kumite.tui.screens.ending import Finish
from kumite.tui.screens.hinting import Adviser
from kumite.tui.screens.moving import Others
from kumite.tui.screens.playing import Bots, Forced
from kumite.tui.screens.shown_table import ShownTable
from kumite.tui.screens.table_keys import BINDINGS, HELP, is_possible
from kumite.tui.screens.tutoring import Tutoring
from kumite.tui.widgets.bindings import CHOOSE, JUMP
from kumite.tui.widgets.chooser import Chooser
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.field import TITLES
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.binding import Binding, BindingType

    from kumite.core.game import Step
    from kumite.tui.drawing.end_card import Ending
    from kumite.tui.play.local_table import Table
    from kumite.tui.scenes import Choice, Line


class TableScreen(ShownTable):
    """A match being played."""

    HELP = HELP
    RESULT = "the end"  # what takes the place of the facts
    LEAVING = "q leaves the table; the match is saved"
    HAS_TUTOR = True  # where somebody wants one
    BINDINGS: ClassVar[list[BindingType]] = BINDINGS

    def __init__(self, table: Table, *, wants_tutor: bool | None = None) -> None:
        """Play at a table; `wants_tutor` None: as the settings say."""
        super().__init__(table)
        self._wants_tutor = wants_tutor
        self.bots = Bots(self)
        self.adviser = Adviser(self)
        self.tutoring = Tutoring(self, self.adviser.note)
        self.forced = Forced(self)
        self.others = Others(self)
        self.finish = Finish(self)
        self.caller = Caller(self)

    def on_mount(self) -> None:
        """Show the table."""
        self.show_table()

    # --- showing ------------------------------------------------------------------------------

    def show_table(self) -> None:
        """Show the match as it is now; go on with what goes on by itself."""
        self.adviser.follow()
        self.draw_table()
        self.tutoring.follow()
        self.others.follow()
        self.show_words()
        self.caller.follow()
        self._wake()

    def show_still(self) -> None:
        """Show what is there when nothing moves any more, and say it."""
        self.draw_choice()
        self.show_words()

    @property
    def is_tutored(self) -> bool:
        """Return whether a tutor warns of steps that cost much."""
        wanted = self.shell.settings.tutor if self._wants_tutor is None else self._wants_tutor
        return self.HAS_TUTOR and wanted

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
        is_moving = self.others.moving.is_running
        if not is_moving or self.viewpoint.interlude:  # "your turn" is over, and is not said on
            self.show_title()
        if is_moving:
            self.query_one("#hint", Lines).show(())
            return
        self.query_one("#seats", Lines).show(self.scene.seats)
        result, advice = self.result_lines(), self.adviser.lines()
        facts = self.query_one("#facts", Lines)
        facts.border_title = self.RESULT if result else TITLES["facts"]
        facts.show(result or self.scene.facts)
        self.query_one("#advice", Lines).show(advice)
        self.field.tell_beside(bool(result or advice))
        self.show_log()
        self.show_hint()
        self.finish.follow()
        self.refresh_bindings()
        self.show_keys()

    def say_anew(self) -> None:
        """Say all that depends on how many columns there are; what was said last is kept."""
        said = self._hinted if self._hint_is_whole else ()
        if self.is_ready:
            self.show_words()
        if said:
            self.hint(said)

    def say_queued(self, words: str) -> None:
        """Say it in the title, too."""
        super().say_queued(words)
        if self.is_ready:
            self.show_title()

    def show_title(self) -> None:
        """Say anew what is due."""
        self.query_one("#title", Lines).show([self.title_line()])

    def redraw(self) -> None:
        """Show the table with other glyphs."""
        self.show_table()

    # --- choosing -----------------------------------------------------------------------------

    @on(Chooser.Hovered)
    def _hovered(self) -> None:
        if not self.tutoring.is_said():
            self.show_hint()

    @on(Chooser.Chosen)
    def _chosen(self, event: Chooser.Chosen) -> None:
        if self.viewpoint.interlude:
            self.action_go_on()
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
        if self.finish.put_aside():
            self.say("v shows the card again", "quiet")
        elif self.adviser.stop():
            self.say("It has stopped thinking.", "quiet")
        elif self.tutoring.stop():
            self.say("It is not made.", "quiet")
        elif self.viewpoint.behind:
            self.viewpoint.behind = 0
            self.show_table()
        elif self.choice and self.choice.chosen:
            self._choose_on(self.choice.back())
        else:
            self.say(self.LEAVING, "quiet")

    def _choose_on(self, choice: Choice) -> None:
        self.tutoring.stop()
        self.choice = choice
        self.draw_choice()
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
        """Compare the best steps; when the match is over, have all of it judged."""
        if self.is_over:
            self.finish.replay(judges=True)
        else:
            self.adviser.analyse()

    def ending(self) -> Ending | None:
        """Return how the match ended; None while it goes on."""
        table = self.table
        names = table.shown_names
        found = ending.ending(self.seen, table.end, names, only_person(table))
        said = tuple((names[seat], text) for seat, text in table.left.items())
        return found and found._replace(facts=(*found.facts, *said))

    def action_replay(self) -> None:
        """Replay the match that is over."""
        self.finish.replay()

    def action_review(self) -> None:
        """Look back at the match that is over."""
        self.finish.review()

    def action_keep_picture(self) -> None:
        """Keep the last position as a picture."""
        self.finish.keep_picture()

    def action_keep_film(self) -> None:
        """Keep the match as a picture that plays it."""
        self.finish.keep_film()

    def action_card(self) -> None:
        """Put the card of the end aside, or show it again."""
        self.finish.flip()

    def action_turn_board(self) -> None:
        """See the board from its other side; the cursor stays on its square."""
        field, name = self.field, self.field.board.cursor_name
        self.is_turned = field.is_turned = not self.is_turned
        self.show_table()
        field.board.point(name)

    def action_switch(self) -> None:
        """Go from the board to what lies beside it, and back."""
        self.field.switch()
        self.show_hint()

    @on(Chooser.NoneHere)
    def _next_elsewhere(self) -> None:
        """Go on to what can be chosen where the cursor is not."""
        if self.field.switch_to_choice():
            self.show_hint()

    @on(Cover.Lifted)
    def _lifted(self) -> None:
        """Show the person who has come to the screen what their seat may see."""
        if self.is_covered:
            self.table.uncover()
            self.show_table()

    def on_screen_resume(self) -> None:
        """Let a cover that is seen again take no key of the screen that was above it."""
        for cover in self.query(Cover):
            cover.deafen()
        if self.is_ready and self._about is not None:
            self.show_hint()  # what was said before is past

    def action_go_on(self) -> None:
        """Go on after an interlude that has been seen."""
        if self.viewpoint.interlude:
            self.viewpoint.confirm(self.seen)
            self.show_table()

    def action_type(self) -> None:
        """Write a step instead of choosing it."""
        if self.seat is not None:
            self.say("? lists how steps are written", "quiet")
            self._ask_step("")

    def _ask_step(self, text: str) -> None:
        legal = self.seen.legal(self.seat) if self.seat is not None else ()
        self.query_one(Prompt).ask("Step:", legal, text, has_list=True)

    @on(Prompt.Listed)
    def _list_forms(self) -> None:
        """Tell how steps are written; the line stays as it is."""
        legal = self.seen.legal(self.seat) if self.seat is not None else ()
        self.shell.show_help(form_lines(self.table.match.game.ID, legal))

    @on(Prompt.Submitted)
    def _typed(self, event: Prompt.Submitted) -> None:
        self.end_prompt()
        if not event.text:
            self.show_hint()  # there is nothing to be written any more
        choice = self.choice or scenes.Choice((), {})
        self._make_typed(choice.typed(event.text), choice)

    def _make_typed(self, left: Sequence[str], choice: Choice) -> None:
        """Make steps that were typed, one after the other."""
        before = self.table.match

        def go_on() -> None:
            if self.table.match is not before:  # else it is on its way to the others
                self._make_typed(left[1:], choice)

        if left and not self.play((self.choice or choice).meant(left[0]), go_on):
            self._ask_step(" ".join(left))  # to be mended, with all that was meant to follow

    def end_prompt(self) -> None:
        """Go back from writing to the table."""
        if self.is_covered:
            self.set_focus(self.query_one(Cover))
        else:
            self.field.return_cursor()

    def play(self, step: Step, then: Callable[[], None] | None = None) -> bool:
        """Make a step of the seat to act, `then` go on; return whether it could be made.

        A tutor may look at it first, or warn of it.
        """
        seat = self.seat
        if seat is None:
            self.say("It is not your turn.", "loss")
            return False

        def make() -> bool:
            is_made = self.attempt(lambda: self.table.play(seat, step), self.after_step)
            if is_made and then is not None:
                then()
            return is_made

        return self.tutoring.holds(seat, step, make) or make()

    def attempt(self, do: Callable[[], None], then: Callable[[], None]) -> bool:
        """Do something with the table and go on, or say why it cannot be done."""
        try:
            do()
        except KumiteError as error:
            self.complain(error)
            return False
        then()
        return True

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
        was_covered = self.is_covered

        def then() -> None:
            if was_covered:
                self.table.cover()  # whoever pressed the key need not be who has chosen
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
        """Return the help of a screen, and what the signs on the table mean."""
        from kumite.tui.screens import legend  # late: few ask

        signs = self.makes.signs(self.seen.state, self.table.shown_names, self.look)
        size = self.field.board.square_size
        return (
            *super().help_lines(),
            *legend.legend(self.scene, signs, self.shell.brush, size),
        )

    def key_said(self, binding: Binding) -> str:
        """Return what a key does: none chooses without a choice; of many, how many there are."""
        if binding.action == "hint" and self.adviser.is_known:
            return "why"
        if binding.action not in (JUMP, CHOOSE):
            return super().key_said(binding)
        if self.choice is None and self.seat is None:
            return ""
        count = len(self.choice.targets) if self.choice is not None else 0
        return f"next of {count}" if binding.action == JUMP and count > 1 else binding.description

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
        begins = f"A rematch: the seats have moved on, {again.shown_names[0]} has seat 1 now."
        self._told = (Remark(0, begins, "title"),)
        self.viewpoint.restart(again)
        self.show_table()
        self.say(self._told[0].text, "title")

    def action_who_plays(self) -> None:
        """Ask who plays on in a seat whose bot has failed."""
        self.bots.ask()

    def action_resign(self) -> None:
        """Give up, if the answer is yes."""
        from kumite.tui.screens import dialog

        def resign() -> None:  # once this screen is back, which says its own
            self.call_later(self.attempt, self.table.resign, self.show_table)

        question = ((("Give this match up?", "title"),),)
        dialog.confirm(self.app, question, "No, play on", "Yes, give up", resign)

    def action_back(self) -> None:
        """Leave the table; what was played is saved."""
        self.bots.close()
        self.table.close()
        self.shell.go_back()

    def on_unmount(self) -> None:
        """Close the log, however the screen ends."""
        self.shell.entitle(self.app.TITLE or "")
        self.bots.close()
        self.table.close()
