"""What is under way is announced by a name made of its id, so that its terminals find a host again.

That is a match or a tournament: only the name and where it is are said. Whoever answers there has
to prove the key of the line, so a false announcement costs a try, and the old address stays one.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from secrets import token_hex
from threading import Event, Thread
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.errors import KumiteError
from kumite.net.crypto.keys import hashed
from kumite.net.transport import ways
from kumite.net.transport.discovery import MATCHES, Announced, Found

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.net.session.state import Session
    from kumite.net.transport.discovery import News

LOOK_EVERY: Final = 3.0  # s after which addresses may have changed, and what was asked may be lost
SOON: Final = 1.0  # s in which most lines are back by themselves
MAX_PLACES: Final = 8  # at which a match is announced; anybody can announce it

Place: TypeAlias = tuple[tuple[str, ...], int]
"""Addresses of a host, and its port."""


def tag(table_id: str) -> str:
    """Return the name under which the matches of a table, or a tournament, are announced."""
    return hashed(b"kumite-beacon", (table_id,), size=8).hex()


class Beacon:
    """Announces it from a thread of its own, at all addresses that this computer has now."""

    def __init__(self, table_id: str, port: int, interfaces: Sequence[str] = ()) -> None:
        """Begin; `close` ends it."""
        self._tag, self._port, self._interfaces = tag(table_id), port, interfaces
        self._over = Event()
        Thread(target=self._announce, name="kumite-beacon", daemon=True).start()

    def close(self) -> None:
        """Stop, at once; the goodbye is said soon after."""
        self._over.set()

    def _announce(self) -> None:
        while not self._over.is_set():
            table = Announced("", "-", "", 0, self._port)
            announcer = ways.announcer(
                self._tag, table, interfaces=self._interfaces, service=MATCHES
            )
            with suppress(KumiteError, OSError):  # without a network: there may be one soon
                at = ways.interface_addresses()
                announcer.start()
                while not self._over.wait(LOOK_EVERY) and ways.interface_addresses() == at:
                    pass
            announcer.close()
            self._over.wait(LOOK_EVERY / 10)


class Seeker:
    """Looks for it while its host is silent, from a thread of its own."""

    def __init__(self, table_id: str, interfaces: Sequence[str] = ()) -> None:
        """Prepare; nothing is looked for before `begin`."""
        self._tag, self._interfaces = tag(table_id), interfaces
        self._over: Event | None = None
        self._found: tuple[Place, ...] = ()
        self._turns = count()

    def begin(self) -> None:
        """Begin to look, unless that is under way."""
        if self._over is None:
            self._over = Event()
            Thread(target=self._look, args=(self._over,), name="kumite-seeker", daemon=True).start()

    def end(self) -> None:
        """Stop looking, at once."""
        if self._over is not None:
            self._over.set()
            self._over = None

    def places(self, known: Place) -> tuple[Place, ...]:
        """Return where to try now, at once: where the host was, and a place that was found."""
        others = [one for one in self._found if one != known]
        return (known, others[next(self._turns) % len(others)]) if others else (known,)

    def _look(self, over: Event) -> None:
        over.wait(SOON)
        while not over.is_set():
            finder = ways.finder(
                self._told(over), interfaces=self._interfaces, service=MATCHES, only=self._tag
            )
            with suppress(KumiteError, OSError):
                finder.start()
            over.wait(LOOK_EVERY)
            finder.close()

    def _told(self, over: Event) -> Callable[[News], None]:
        def told(news: News) -> None:
            if isinstance(news, Found) and not over.is_set():
                place = news.addresses, news.table.port
                others = [one for one in self._found if one != place]
                self._found = (place, *others)[:MAX_PLACES]

        return told


class WayBack:
    """What a peer does about a host that moves: what it hosts announced, or its host looked for."""

    def __init__(self, interfaces: Sequence[str]) -> None:
        """Use these interfaces, all if there are none."""
        self._interfaces = interfaces
        self._beacon: Beacon | None = None
        self._seeker: Seeker | None = None
        self._open: Beacon | None = None

    def stand_open(self, port: int) -> None:
        """Announce a table of ours whose match is still to begin, by a name that nobody looks for.

        Houses let their guests go to what is announced alone.
        """
        if self._open is not None:
            self._open.close()
        self._open = Beacon(token_hex(8), port, self._interfaces)

    def follow(self, s: Session, port: int) -> None:
        """Announce, or look for the host, as the session needs it now."""
        if s.credentials is None or not s.is_under_way or s.is_closed:
            self.close()
        elif s.is_host and self._beacon is None:
            self._beacon = Beacon(s.credentials.table_id, port, self._interfaces)
        elif not s.is_host and s.retry_at is not None:
            if self._seeker is None:
                self._seeker = Seeker(s.credentials.table_id, self._interfaces)
            self._seeker.begin()
        elif self._seeker is not None:
            self._seeker.end()

    def places(self, known: Place) -> tuple[Place, ...]:
        """Return where to try now, at once."""
        return self._seeker.places(known) if self._seeker is not None else (known,)

    def close(self) -> None:
        """Stop both, at once."""
        if self._beacon is not None:
            self._beacon.close()
        if self._open is not None:
            self._open.close()
        if self._seeker is not None:
            self._seeker.end()
        self._beacon = self._seeker = self._open = None
