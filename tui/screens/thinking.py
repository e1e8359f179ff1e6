"""The bot layer of the table screen: bot players, hints, the tutor, and model effects."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final

from kumite.core.bots import Choice, is_bot, is_timed
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Step
from kumite.core.match import Match
from kumite.core.players import BOT, COMMAND, bot_name
from kumite.core.table import Event, Note, Play, TakeBack
from kumite.tui.play import table_words
from kumite.tui.play.local_seats import STAND_IN, LocalSeats
from kumite.tui.play.table_model import Refuse, Show, Stop, Tell, Updated, Warn, Work
from kumite.tui.scenes import Line
from kumite.tui.scenes.lines import glued
from kumite.tui.scenes.notation import spelled
from kumite.tui.screens import dialog
from kumite.tui.screens.shown_table import ShownTable
from kumite.tui.widgets.cover import Cover
from kumite.tui.widgets.form import Row
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual.worker import Worker

    from kumite.tui.bots.judging import Blunder, Judge, Tutor
    from kumite.tui.bots.service import BotService

PAUSE: Final = 0.4  # s; makes a bot's step noticeable
LONG: Final = 3.0  # s of thought after which the time is shown
TICK: Final = 1.0  # s
SINGLE_PAUSE: Final = 0.8  # s; shows a forced step before it is made
CLOSE: Final = "Close (Enter at the table then makes the {}step)"
LOOKS: Final = "The tutor looks at it ...   {}Esc: choose again"
AT_ONCE: Final = "Enter makes it at once, "  # only if the cursor is on the step
MAKE, ALONE = "make", "alone"


class ThinkingTable(ShownTable):
    """A table with bots that play and advise in the background."""

    _bot_thought: Worker[None] | None = None
    _bot_about: tuple[Match, Seat] | None = None
    _lost_asked: tuple[Match, Seat] | None = None  # last asked about
    _service: BotService | None = None
    _served: LocalSeats | None = None  # the table that `_service` serves
    _tutor: Tutor | None = None
    _pointed = ""  # the part under the cursor when the check began
    _judge: Judge | None = None

    def show_table(self) -> None:
        super().show_table()
        self._wake_bot()
        self._make_only_step()

    def after_step(self) -> None:
        self.show_table()

    # --- effects ------------------------------------------------------------------------------

    def apply(self, updated: Updated) -> None:
        self.model, effects = updated
        for effect in effects:
            match effect:
                case Play():
                    before = self.table.match
                    if self._done(effect):
                        self.after_step()
                        self.apply(self.model.made(before))
                case TakeBack():
                    if self._done(effect):
                        self.show_table()
                case Note():
                    self._done(effect)
                case Tell(text, role):
                    self.say(text, role)
                case Refuse(error):
                    self.complain(error)
                case Show():
                    self._show(effect)
                case Work():
                    self._work(effect)
                case Stop():
                    self._stop(effect)
                case Warn(seat, blunder):
                    self._warn(seat, blunder)

    def _done(self, event: Event) -> bool:
        """Apply an event to the table; return False and report the error if it is refused."""
        try:
            self.table.do(event)
        except KumiteError as error:
            self.apply(self.model.refused(error))
            return False
        return True

    def _show(self, show: Show) -> None:
        match show.what:
            case "table":
                self.show_table()
            case "chosen":
                self.show_chosen(show.about)
            case "cursor":  # before the part is drawn as chosen, as if Enter had chosen it
                self.field.point(show.about)
            case "prompt":
                self.ask_step(show.about)
            case "hint" if self.model.choice is None:
                self.show_hint()
            case "hint" if show.about in self.model.choice.chosen:
                self.field.jump()  # Enter again on what is chosen leads to what can be chosen next
            case "hint":
                self.hint(self.hover_line(show.about) or table_words.NOTHING_HERE)

    def ask_step(self, text: str) -> None:
        """Prompt for a step, starting with `text`."""
        # What is legal is known once the turn has come.
        words = self._fitting if self.model.seat is None else self.steps_as_typed()
        self.query_one(Prompt).ask("Step:", self._typed, words, text, has_list=True)

    def _fitting(self, text: str) -> tuple[str, ...]:
        return tuple(word for word in self.steps_as_typed() if word.startswith(text))

    def _typed(self, text: str | None) -> None:
        if text and self.model.seat is None and self.model.may("type"):
            self.say("not your turn yet: Enter makes the step then", "quiet")
            self.ask_step(text)
            return
        self.end_prompt()
        if text:
            self.apply(self.model.type(text))
        else:
            self.show_hint()  # the prompt is closed

    def end_prompt(self) -> None:
        if self.model.is_covered:
            self.set_focus(self.query_one(Cover))
        else:
            field = self.field
            self.set_focus(field.board if field.board.display else field.tray)

    def steps_as_typed(self) -> tuple[str, ...]:
        """Return the legal steps in the notation that people type."""
        legal = self.model.choice.legal if self.model.choice is not None else ()
        game, names = self.table.match.game, self.table.shown_names
        return tuple(spelled(game, step, names) for step in legal)

    def _work(self, work: Work) -> None:
        match work.kind:
            case "prepare":
                from kumite.tui.bots.judging import Tutor  # late: few tables have a tutor

                self._tutor = Tutor(self._judge_here(), self.model.seen, work.seat)
                self.beside(self._ahead, self._tutor.prepare, group="tutor")
            case "check" if work.step is not None:
                self._check(work.step)
            case "hint":
                self.beside(self._think_of_hint, work.seat, group="hint")
            case "after" if self.model.hint is not None:
                self.beside(self._look_ahead, work.seat, self.model.hint, group="hint")

    def _stop(self, stop: Stop) -> None:
        groups = ("check", "tutor") if stop.kind == "tutor" else (stop.kind,)
        for group in groups:
            self.workers.cancel_group(self, group)
        if stop.kind == "tutor":
            self._tutor = None

    # --- the tutor ----------------------------------------------------------------------------

    async def _ahead(self, work: Callable[[], Awaitable[object]]) -> None:
        """Do work ahead of its time; its error is shown when a step is made or asked for."""
        with suppress(KumiteError):
            await work()

    def _check(self, step: Step) -> None:
        """Have the tutor check a step before it is made, unless it is known to be good."""
        tutor, choice = self._tutor, self.model.choice
        if tutor is None or tutor.is_fine(step):
            self.apply(self.model.check(step, None))
            return
        self._pointed = self.field.pointed
        is_there = choice is not None and choice.step_at(self._pointed) == step
        self.say(LOOKS.format(AT_ONCE * is_there), "quiet")
        self.beside(self._look_at_step, tutor, step, group="check")

    async def _look_at_step(self, tutor: Tutor, step: Step) -> None:
        found = None
        with self.complaining():  # and without the tutor, play on
            found = await tutor.blunder(step)
        if self._tutor is tutor:
            self.apply(self.model.check(step, found))

    @property
    def is_checking(self) -> bool:
        """True if the "tutor is checking" message is still shown: until the cursor moves."""
        return self.model.checked is not None and self.field.pointed == self._pointed

    def _warn(self, seat: Seat, blunder: Blunder) -> None:
        from kumite.tui.play import explained

        self.show_hint()
        names = self.table.shown_names
        head, *more = explained.warning(self.model.seen, seat, blunder, names)
        lines: list[Line] = [((line, "title"),) for line in glued(head, dialog.COLUMNS)]
        for text in more:
            lines += [(), *(((line, ""),) for line in glued(text, dialog.COLUMNS))]
        rows = [
            Row("other", "Choose another step"),
            Row(MAKE, "Play it anyway"),
            Row(ALONE, "Play it, and turn the tutor off for this match"),
        ]
        match = self.table.match

        def answered(key: str) -> None:
            if key in (MAKE, ALONE) and self.table.match is match:
                self.model = replace(self.model, wants_tutor=key == MAKE)
                self.apply(self.model.make(blunder.step))

        dialog.ask(self.app, lines, rows, answered)

    # --- hints --------------------------------------------------------------------------------

    async def _think_of_hint(self, seat: Seat) -> None:
        from kumite.tui.bots.judging import hint  # late, here and below: few tables ask for a hint

        model, match = self.model, self.table.match
        with self._thinking():
            choice = await hint(self._judge_here(), model.seen, seat)
            if self.model.seat == seat:
                self.take_hint(match, choice)

    def _judge_here(self) -> Judge:
        """Return the judge of this table's match, with what others have kept since."""
        from kumite.tui.bots.judging import Judge

        match_id = self.table.match_id
        if self._judge is None or self._judge.match_id != match_id:
            self._judge = Judge(self.shell.bot_service, match_id)
        else:
            self._judge.load()
        return self._judge

    def take_hint(self, match: Match, choice: Choice) -> None:
        """Show the step chosen for the position `match` as the hint."""
        model = self.model
        if model.seat is not None and match is self.table.match:
            choice = self._judge_here().advised(model.seen, model.seat, choice)
        self.apply(model.take_hint(match, choice))
        self.show_words()

    @contextmanager
    def _thinking(self) -> Iterator[None]:
        """Report errors of a hint search, and mark it as finished, unless it was stopped."""
        with self.complaining():
            yield
        self.apply(self.model.end_thought())

    async def _look_ahead(self, seat: Seat, choice: Choice) -> None:
        from kumite.tui.bots.judging import look_ahead
        from kumite.tui.play import explained

        seen, judge = self.model.seen, self._judge_here()
        with self._thinking():
            ahead = await look_ahead(judge, seen, seat, choice)
            if self.model.hint is choice and self.model.seat == seat:
                points = explained.points(seen, seat, choice, ahead, self.table.shown_names)
                self.show_hint()
                lines = [*table_words.hint_head(self.model, choice.step, dialog.COLUMNS), ()]
                for point in points:
                    first, *more = glued(f"{point.head}: {point.text}", dialog.COLUMNS)
                    lines.append(((point.head, "key"), (first.removeprefix(point.head), "")))
                    lines += [((line, ""),) for line in more]
                which = "first " * any(one.head == explained.THEN for one in points)
                dialog.ask(self.app, lines, [Row("back", CLOSE.format(which))], lambda _: None)

    # --- bots that play -----------------------------------------------------------------------

    def _make_only_step(self) -> None:
        """Make a forced step for a local player after a pause, unless the match has moved on."""
        match, seat, step = self.table.match, self.model.seat, self.model.only_step
        if step is None or seat is None or self.model.bot_due is not None:
            return

        def now() -> None:
            if self.table.match is match and self.is_ready and self.model.seat == seat:
                self.apply((self.model, (Play(seat, step),)))

        self.set_timer(SINGLE_PAUSE, now)

    def _wake_bot(self) -> None:
        """Start the bot whose turn it is and cancel any other; its step is made when ready."""
        table, bot, is_over = self.table, self.model.bot_due, self.model.is_over
        is_new = self._served is not table
        if is_new or is_over:
            self.close_bots()
            self._served = table
        has_levels = any(not who.startswith(COMMAND) for who in table.bots.values())
        if is_new and bot is None and not is_over and has_levels:
            setup = table.match.setup
            self.beside(self._ahead, lambda: self._service_of(table).warm(setup), group="warm")
        about = None if bot is None else (table.match, bot)
        is_thinking = self._bot_thought is not None and self._bot_thought.is_running
        if is_thinking and about == self._bot_about:
            return
        self._interrupt_bot()
        if bot is not None:
            self._bot_about = about
            self._bot_thought = self.beside(self._think, table, bot, group="bot")
            return
        lost = table.vacant_to_act()
        if lost is not None and self._lost_asked != (table.match, lost):
            self._lost_asked = (table.match, lost)
            self.call_later(self.action_who_plays)

    def _interrupt_bot(self) -> None:
        if self._bot_thought is not None:
            self._bot_thought.cancel()
            self._bot_thought = None

    def close_bots(self) -> None:
        """Cancel the bot's search and terminate this table's bot processes."""
        self._interrupt_bot()
        if self._service is not None:
            self._service.close()
            self._service = None

    def _service_of(self, table: LocalSeats) -> BotService:
        if self._service is None:
            self._service = self.shell.bot_service.of_table(table.path)
        return self._service

    async def _think(self, table: LocalSeats, bot: Seat) -> None:
        match, begun = table.match, monotonic()
        clock = self.beside(self._tell_time, table, bot, group="clock")
        try:
            step = await table.think(bot, self._service_of(table), self.shell.settings.think)
        except KumiteError as error:
            self._bot_thought = None
            table.lose(bot, error)
            self.show_table()
            return
        finally:
            clock.cancel()
            self.thought = ""
        await asyncio.sleep(max(PAUSE - (monotonic() - begun), self.motion_left))
        if table is not self.table or table.match is not match or table.bot_to_act() != bot:
            return
        self._bot_thought = None  # done; show_table may start another
        with self.complaining():
            table.play(bot, step)
            self.after_step()

    async def _tell_time(self, table: LocalSeats, bot: Seat) -> None:
        """Show the bot's thinking time, with its limit if it has one."""
        begun = monotonic()
        limit = f" of {self.shell.settings.think:g}" if is_timed(table.bots[bot]) else ""
        while True:
            if self.queued:  # it is still queued
                begun = monotonic()
            elif (passed := monotonic() - begun) >= LONG:
                self.thought = f"{round(passed)}{limit} s"
                self.show_title()
            await asyncio.sleep(TICK)

    def action_who_plays(self) -> None:
        table = self.table
        seat = table.vacant_to_act()
        if seat is None or not self.is_current:
            return
        why, name = table.vacant[seat], table.names[seat]
        question = dialog.lines(f"Seat {seat + 1} is lost", (str(why), "loss"), (why.hint, "quiet"))
        rows = [
            Row(f"{BOT}{STAND_IN}", f"{bot_name(STAND_IN)} plays on"),
            Row("person", "a person here plays on"),
        ]
        if name in table.programs or is_bot(name.removeprefix(BOT)):
            rows.append(Row(name, f"{table.shown_names[seat]} is asked again"))

        def hand_over(who: str) -> None:
            if seat in table.vacant:
                table.hand_over(seat, "" if who == "person" else who)
                self.show_table()

        dialog.ask(self.app, question, rows, hand_over)
