"""Announcing a table on the LAN in a thread of its own: each call may take a second."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from secrets import token_hex
from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.net.transport.discovery import Announced, Announcer


@dataclass(frozen=True, slots=True)
class Facts:
    """What a table tells everybody of itself."""

    name: str  # of its host
    game: str  # its id
    title: str
    free: int  # seats
    is_hall: bool = False  # a tournament, and no table


class Announcing:
    """Keeps what is announced up to date; `failed` is called, in the thread, if nothing can be."""

    def __init__(self, failed: Callable[[KumiteError], object]) -> None:
        self._failed = failed
        self._shown: Announced | None = None
        self._announcer: Announcer | None = None  # the thread's own
        self._thread = ThreadPoolExecutor(1)  # the program's end waits for the goodbye
        self._is_closed = False

    def show(self, facts: Facts, port: int) -> None:
        """Announce a table, or what has changed about it."""
        from kumite.net.transport.discovery import Announced
        from kumite.net.transport.peer import program

        table = Announced(
            facts.name, facts.game, facts.title, facts.free, port, program(), is_hall=facts.is_hall
        )
        if table != self._shown and not self._is_closed:
            self._shown = table
            self._thread.submit(self._announce, table)

    def close(self) -> None:
        """Let the table vanish from the others' lists."""
        if not self._is_closed:
            self._is_closed = True
            self._thread.submit(self._end)
            self._thread.shutdown(wait=False)

    def _announce(self, table: Announced) -> None:
        from kumite.net.transport.discovery import Announcer

        try:
            if self._announcer is None:
                announcer = Announcer(token_hex(8), table)
                announcer.start()
                self._announcer = announcer
            else:
                self._announcer.update(table)
        except (KumiteError, OSError) as error:
            self._failed(error if isinstance(error, KumiteError) else KumiteError(str(error)))

    def _end(self) -> None:
        if self._announcer is not None:
            self._announcer.close()
