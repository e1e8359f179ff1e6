"""Announce a running match or tournament by a name derived from its id, to find a moved host.

Only the name and the address are public. The host must still prove the connection's key, so a false
announcement costs one try, and the old address is always tried too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from secrets import token_hex
from threading import Event, Thread
from typing import Final, TypeAlias

from kumite.core.errors import KumiteError
from kumite.net.crypto.keys import hashed
from kumite.net.session import succession
from kumite.net.session.state import Session
from kumite.net.transport import network
from kumite.net.transport.discovery import LOOK_EVERY, MATCHES, Announced, Found, News

SOON: Final = 1.0  # s in which most connections recover
MAX_PLACES: Final = 8  # addresses kept per match; anybody can announce it

Place: TypeAlias = tuple[tuple[str, ...], int]
"""Addresses of a host, and its port."""

Try: TypeAlias = tuple[int, Place]
"""A terminal, and an address to try."""


def tag(table_id: str, terminal: int = 0) -> str:
    """Return the name under which a terminal announces a table's matches, or a tournament.

    Terminal 0 opened it; another one may have taken it over (session/succession.py).
    """
    about = (table_id, terminal) if terminal else (table_id,)
    return hashed(b"kumite-beacon", about, size=8).hex()


class Beacon:
    """Announces it from its own thread."""

    def __init__(
        self, table_id: str, port: int, interfaces: Sequence[str] = (), terminal: int = 0
    ) -> None:
        """Begin to announce; `close` ends it."""
        self._tag, self._port, self._interfaces = tag(table_id, terminal), port, interfaces
        self._over = Event()
        Thread(target=self._announce, name="kumite-beacon", daemon=True).start()

    def close(self) -> None:
        """Stop without waiting; the mDNS goodbye follows soon."""
        self._over.set()

    def _announce(self) -> None:
        while not self._over.is_set():
            table = Announced("", "-", "", 0, self._port)
            announcer = network.announcer(
                self._tag, table, interfaces=self._interfaces, service=MATCHES
            )
            with suppress(KumiteError, OSError):  # a server may still have the name in use
                announcer.start()
                self._over.wait()
            announcer.close()
            self._over.wait(LOOK_EVERY)


class Seeker:
    """Looks for announcements while the host is silent, from its own thread."""

    def __init__(self, table_id: str, interfaces: Sequence[str] = ()) -> None:
        self._table_id, self._interfaces = table_id, interfaces
        self._over: Event | None = None
        self._tags: dict[str, int] = {}  # with their terminals
        self._found: dict[int, tuple[Place, ...]] = {}  # by terminal
        self._turns = count()

    def begin(self, terminals: Sequence[int] = (0,)) -> None:
        """Look for announcements of these terminals, unless already doing so."""
        tags = {tag(self._table_id, one): one for one in terminals}
        if tags != self._tags:
            self.end()
            self._tags = tags
        if self._over is None:
            self._over = Event()
            Thread(target=self._look, args=(self._over,), name="kumite-seeker", daemon=True).start()

    def end(self) -> None:
        if self._over is not None:
            self._over.set()
            self._over = None

    def places(self, host: int, known: Place) -> tuple[Try, ...]:
        """Return the addresses to try now: the host's last one, and one found per terminal."""
        turn, tries = next(self._turns), [(host, known)]
        for terminal in self._tags.values():
            found = [one for one in self._found.get(terminal, ()) if (terminal, one) != tries[0]]
            tries += [(terminal, found[turn % len(found)])] if found else []
        return tuple(tries)

    def _look(self, over: Event) -> None:
        over.wait(SOON)
        while not over.is_set():
            finder = network.finder(
                self._told(over),
                interfaces=self._interfaces,
                service=MATCHES,
                only=tuple(self._tags),
            )
            with suppress(KumiteError, OSError):
                finder.start()
                over.wait()
            finder.close()
            over.wait(LOOK_EVERY)

    def _told(self, over: Event) -> Callable[[News], None]:
        tags = self._tags

        def told(news: News) -> None:
            if isinstance(news, Found) and not over.is_set():
                place, terminal = (news.addresses, news.table.port), tags[news.key]
                others = [one for one in self._found.get(terminal, ()) if one != place]
                self._found[terminal] = (place, *others)[:MAX_PLACES]

        return told


class HostRecovery:
    """A peer's recovery of a moved host: announces what it hosts, or looks for its host."""

    def __init__(self, interfaces: Sequence[str]) -> None:
        """Use these interfaces; all if empty."""
        self._interfaces = interfaces
        self._beacon: Beacon | None = None
        self._port = 0  # as announced
        self._seeker: Seeker | None = None
        self._open: Beacon | None = None

    def announce_open(self, port: int) -> None:
        """Announce our table before its match, under a random name.

        Servers let their guests connect only to announced tables.
        """
        if self._open is not None:
            self._open.close()
        self._open = Beacon(token_hex(8), port, self._interfaces)

    def follow(self, s: Session, port: int) -> None:
        """Announce our port, or look for the host, as the session currently needs."""
        if s.credentials is None or not s.is_under_way or s.is_closed:
            self.close()
            return
        if not s.is_host or port != self._port:
            self._silence()
        if s.is_host and port and self._beacon is None:
            me = 0 if s.live is None else s.live.me or 0
            self._beacon = Beacon(s.credentials.table_id, port, self._interfaces, me)
            self._port = port
        if s.line.retry_at is not None:
            if self._seeker is None:
                self._seeker = Seeker(s.credentials.table_id, self._interfaces)
            self._seeker.begin(succession.sought(s))
        elif self._seeker is not None:
            self._seeker.end()

    def places(self, host: int, known: Place) -> tuple[Try, ...]:
        return self._seeker.places(host, known) if self._seeker is not None else ((host, known),)

    def close(self) -> None:
        """Stop both, without waiting."""
        self._silence()
        if self._open is not None:
            self._open.close()
        if self._seeker is not None:
            self._seeker.end()
        self._seeker = self._open = None

    def _silence(self) -> None:
        if self._beacon is not None:
            self._beacon.close()
        self._beacon = None
