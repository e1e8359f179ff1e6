"""Announce a table on the LAN from a separate thread: each call may take a second."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from secrets import token_hex
from time import time
from typing import TYPE_CHECKING, Any

from kumite.core.errors import KumiteError
from kumite.core.text import clean

if TYPE_CHECKING:
    from kumite.core.game import Game
    from kumite.net.session.events import Listening
    from kumite.net.transport.discovery import Announced
    from kumite.net.transport.network import Announcer


class Announcing:
    """Keeps the announcement of a table, or of a tournament, up to date."""

    def __init__(
        self, name: str, failed: Callable[[KumiteError], object], tournament_id: str = ""
    ) -> None:
        """`name`: of the host, or of the tournament. `failed` is called in the thread on errors."""
        self.name, self._failed, self._tournament_id = name, failed, tournament_id
        self._shown: Announced | None = None
        self._announcer: Announcer | None = None  # used only by the thread
        self._since = int(time())
        self._thread = ThreadPoolExecutor(1)  # program exit waits for the mDNS goodbye
        self._is_closed = False

    def show(
        self,
        game: Game[Any],
        free: int,
        at: Listening,
        best_of: int = 1,
        others: Sequence[str] = (),
    ) -> None:
        """Announce free seats and the names of the other players; of the code only its number."""
        from kumite.net.transport.discovery import MAX_OTHERS, Announced
        from kumite.net.transport.peer import program

        title = f"{game.TITLE}, best of {best_of}" if best_of > 1 else game.TITLE
        table = Announced(
            *(self.name, game.ID, title, free, at.port, program()),
            number=int(at.code.partition("-")[0] or 0),
            since=self._since,
            is_tournament=bool(self._tournament_id),
            others=clean(", ".join(others), MAX_OTHERS),
        )
        if table != self._shown and not self._is_closed:
            self._shown = table
            self._thread.submit(self._announce, table)

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self._thread.submit(self._end)
            self._thread.shutdown(wait=False)

    def _announce(self, table: Announced) -> None:
        from kumite.net.transport import beacons, network

        try:
            if self._announcer is None:
                its = self._tournament_id
                key = beacons.listed_as(its) if its else token_hex(8)
                self._announcer = network.announcer(key, table)
                self._announcer.start()
            else:
                self._announcer.update(table)
        except (KumiteError, OSError) as error:
            self._failed(error if isinstance(error, KumiteError) else KumiteError(str(error)))

    def _end(self) -> None:
        if self._announcer is not None:
            self._announcer.close()
