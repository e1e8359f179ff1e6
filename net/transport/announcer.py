"""Announcing a table on the LAN in a thread of its own: each call may take a second.

A computer may get another address while a table stands open, and a hall does all evening.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from secrets import token_hex
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.net.transport.discovery import Announced
    from kumite.net.transport.ways import Announcer

LOOK_EVERY: Final = 3.0  # s after which addresses may have changed


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
        self._at: tuple[str, ...] = ()  # this computer's addresses when it was announced
        self._key = token_hex(8)
        self._thread = ThreadPoolExecutor(1)  # the program's end waits for the goodbye
        self._over = Event()

    def show(self, facts: Facts, port: int) -> None:
        """Announce a table, or what has changed about it."""
        from kumite.net.transport.discovery import Announced
        from kumite.net.transport.peer import program

        table = Announced(
            facts.name, facts.game, facts.title, facts.free, port, program(), is_hall=facts.is_hall
        )
        if table != self._shown and not self._over.is_set():
            if self._shown is None:
                Thread(target=self._watch, name="kumite-addresses", daemon=True).start()
            self._shown = table
            self._thread.submit(self._announce, table)

    def close(self) -> None:
        """Let the table vanish from the others' lists."""
        if not self._over.is_set():
            self._over.set()
            self._thread.submit(self._end)
            self._thread.shutdown(wait=False)

    def _announce(self, table: Announced) -> None:
        from kumite.net.transport import ways

        try:
            if self._announcer is None:
                self._at = ways.interface_addresses()
                announcer = ways.announcer(self._key, table)
                announcer.start()
                self._announcer = announcer
            else:
                self._announcer.update(table)
        except (KumiteError, OSError) as error:
            self._failed(error if isinstance(error, KumiteError) else KumiteError(str(error)))

    def _watch(self) -> None:
        """Have it announced anew whenever this computer has other addresses."""
        while not self._over.wait(LOOK_EVERY):
            if self._has_moved():
                with suppress(RuntimeError):  # closed at this moment
                    self._thread.submit(self._move)

    def _has_moved(self) -> bool:
        from kumite.net.transport import ways

        try:
            return bool(self._at) and ways.interface_addresses() != self._at
        except OSError:  # it has none at all at the moment
            return False

    def _move(self) -> None:
        if self._shown is not None and self._has_moved():
            self._end()
            self._announce(self._shown)

    def _end(self) -> None:
        announcer, self._announcer = self._announcer, None
        if announcer is not None:
            announcer.close()
