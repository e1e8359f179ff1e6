"""The bots of a table screen: they think beside it, and who plays on for one that has failed."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final

from kumite.core.bots import is_timed
from kumite.core.errors import KumiteError
from kumite.core.players import BOT, COMMAND
from kumite.tui.play.local_seats import STAND_IN
from kumite.tui.scenes.lines import wrap

if TYPE_CHECKING:
    from textual.worker import Worker

    from kumite.core.game import Seat
    from kumite.core.match import Match
    from kumite.tui.bots.service import BotService
    from kumite.tui.play.local_table import Table
    from kumite.tui.scenes import Line
    from kumite.tui.screens.views import TableView

PAUSE: Final = 0.4  # s; so that a bot's step is seen to be one
LONG: Final = 3.0  # s of thought; from then on it is said for how long
TICK: Final = 1.0  # s
SINGLE_PAUSE: Final = 0.8  # s; so that a step without a choice is seen before it is made


class Forced:
    """Steps without a choice: they are made by themselves, after they could be seen."""

    def __init__(self, screen: TableView) -> None:
        self._screen = screen

    def wake(self) -> None:
        """Make the only step there is after a moment, unless the match has gone on by then."""
        screen, table, choice, seat = (
            self._screen,
            self._screen.table,
            self._screen.choice,
            self._screen.seat,
        )
        is_waiting = screen.viewpoint.interlude or table.bot_to_act() is not None
        if choice is None or len(choice.legal) != 1 or is_waiting or seat is None:
            return
        match, (step,) = table.match, choice.legal

        def now() -> None:
            if screen.table.match is match and screen.is_ready and screen.seat == seat:
                screen.attempt(lambda: table.play(seat, step), screen.after_step)

        screen.set_timer(SINGLE_PAUSE, now)


class Bots:
    """The bots of one screen, of whatever table it shows."""

    def __init__(self, screen: TableView) -> None:
        self._screen = screen
        self._thought: Worker[None] | None = None
        self._about: tuple[Match, Seat] | None = None
        self._asked: tuple[Match, Seat] | None = None  # what was asked without a key
        self._service: BotService | None = None
        self._table: Table | None = None  # whose bots these are

    def wake(self) -> None:
        """Let the bot think that is to act, and no other; it makes its step when it has one."""
        screen = self._screen
        table = screen.table
        is_new = self._table is not table
        if is_new or screen.is_over:
            self.close()
            self._table = table
        bot = None if screen.viewpoint.interlude else table.bot_to_act()
        has_levels = any(not who.startswith(COMMAND) for who in table.bots.values())
        if is_new and bot is None and not screen.is_over and has_levels:
            screen.beside(self._warm, table, group="warm")
        about = None if bot is None else (table.match, bot)
        is_thinking = self._thought is not None and self._thought.is_running
        if is_thinking and about == self._about:
            return
        self.stop()
        if bot is not None:
            self._about = about
            self._thought = screen.beside(self._play, table, bot, group="bot")
        elif (lost := table.vacant_to_act()) is not None and self._asked != (table.match, lost):
            self._asked = (table.match, lost)
            screen.call_later(self.ask)

    def stop(self) -> None:
        """Interrupt what is being thought."""
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    def close(self) -> None:
        """Interrupt it, and end the programs that play at this table."""
        self.stop()
        if self._service is not None:
            self._service.close()
            self._service = None

    def _service_of(self, table: Table) -> BotService:
        """Return those who think for this table."""
        if self._service is None:
            self._service = self._screen.shell.bot_service.of_table(table.path)
        return self._service

    async def _warm(self, table: Table) -> None:
        """Let the bots get ready while the first seat thinks."""
        with suppress(KumiteError):  # whoever asks them for a step is told
            await self._service_of(table).warm(table.match.setup)

    async def _play(self, table: Table, bot: Seat) -> None:
        screen, match, begun = self._screen, table.match, monotonic()
        clock = screen.beside(self._tell_time, table, bot, group="clock")
        try:
            step = await table.think(bot, self._service_of(table), screen.shell.settings.think)
        except KumiteError as error:
            self._thought = None
            table.lose(bot, error)
            screen.show_table()
            return
        finally:
            clock.cancel()
            screen.thought = ""
        await asyncio.sleep(max(PAUSE - (monotonic() - begun), screen.motion_left))
        if table is not screen.table or table.match is not match or table.bot_to_act() != bot:
            return
        self._thought = None  # it is done: what is shown now may wake another
        try:
            table.play(bot, step)
        except KumiteError as error:
            screen.complain(error)
        else:
            screen.after_step()

    async def _tell_time(self, table: Table, bot: Seat) -> None:
        """Say for how long the bot has been thinking, and of how many seconds if that is known."""
        screen, begun = self._screen, monotonic()
        limit = f" of {screen.shell.settings.think:g}" if is_timed(table.bots[bot]) else ""
        while True:
            if screen.queued:  # it does not think yet
                begun = monotonic()
            elif (passed := monotonic() - begun) >= LONG:
                screen.thought = f"{round(passed)}{limit} s"
                screen.show_title()
            await asyncio.sleep(TICK)

    def ask(self) -> None:
        """Ask who plays on in the seat that has been lost."""
        from kumite.core.bots import is_bot
        from kumite.tui.screens import dialog
        from kumite.tui.widgets.form import Row

        table = self._screen.table
        seat = table.vacant_to_act()
        if seat is None or not self._screen.is_current:
            return
        why, name = table.vacant[seat], table.names[seat]
        question: list[Line] = [((f"Seat {seat + 1} is lost", "title"),)]
        question += [((part, "loss"),) for part in wrap(str(why), dialog.COLUMNS)]
        question += [((part, "quiet"),) for part in wrap(why.hint, dialog.COLUMNS)]
        rows = [
            Row(f"{BOT}{STAND_IN}", f"the bot {STAND_IN} plays on"),
            Row("person", "a person here plays on"),
        ]
        if name in table.programs or is_bot(name.removeprefix(BOT)):
            rows.append(Row(name, f"{name} is asked again"))

        def hand_over(who: str) -> None:
            if seat in table.vacant:
                table.hand_over(seat, "" if who == "person" else who)
                self._screen.show_table()

        dialog.ask(self._screen.app, question, rows, hand_over)
