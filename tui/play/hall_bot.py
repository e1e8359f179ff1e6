"""A bot that plays in a tournament when the players are an odd number: a player without a person.

It has a hall and tables of its own, as everybody; the organiser's program thinks for it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.net.session import events
from kumite.tui.play.hall import EnteredHall

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kumite.tui.bots.service import BotService
    from kumite.tui.play.hall import MatchTable, Post
    from kumite.tui.play.lan_table import LanTable
    from kumite.tui.play.openings import HallOpening

PAUSE: Final = 0.4  # s; so that a bot's step is seen to be one


class HallBot:
    """A bot in a hall."""

    def __init__(self, opening: HallOpening, post: Post) -> None:
        """Enter."""
        self._news = asyncio.Event()
        self.hall = EnteredHall(opening, post)
        self.hall.listener = lambda _: self._news.set()
        self.hall.seat_down = self._seat_down

    @property
    def number(self) -> int | None:
        """Return which player it is, once it is in the hall."""
        return None if self.hall.board is None else self.hall.board.me

    def _seat_down(self, table: LanTable) -> None:
        table.listener = self._heard
        self._news.set()

    def _heard(self, event: events.Event) -> None:
        """Go on; whatever people offer is declined: a tournament goes on."""
        table = self.hall.table
        if table is not None and isinstance(event, events.Offered) and not event.is_ours:
            table.peer.answer(False)
        self._news.set()

    async def run(self, service: Callable[[Path | None], BotService], seconds: float) -> None:
        """Play every match, until the hall is closed; bots with a clock think so many seconds."""
        table: MatchTable | None = None
        bots: BotService | None = None
        try:
            while self.hall.closed is None:
                await self._news.wait()
                self._news.clear()
                if self.hall.table is not table:
                    table = self.hall.table
                    if bots is not None:
                        bots.close()
                    bots = None
                if table is None or not table.has_begun or table.is_over:
                    continue
                bots = bots or service(table.path)
                await self._play(table, bots, seconds)
        finally:
            if bots is not None:
                bots.close()

    async def _play(self, table: MatchTable, bots: BotService, seconds: float) -> None:
        """Make a step, if it is to act; one that fails gives the match up."""
        match, seat = table.match, table.bot_to_act()
        if seat is None:
            return
        try:
            step = await table.think(seat, bots, seconds)
            await asyncio.sleep(PAUSE)
            if table.match is match and table.bot_to_act() == seat:
                table.play(seat, step)
        except KumiteError:
            if not table.closed:
                table.peer.resign(seat)

    def close(self) -> None:
        """Leave the hall."""
        self.hall.close()
        self._news.set()
