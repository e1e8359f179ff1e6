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
from kumite.net.session import succession
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

Try: TypeAlias = tuple[int, Place]
"""A terminal, and where it may be."""


def tag(table_id: str, terminal: int = 0) -> str:
    """Return the name under which a terminal announces the matches of a table, or a tournament.

    0: the one that opened it; another one would carry it on, or does (session/succession.py).
    """
    about = (table_id, terminal) if terminal else (table_id,)
    return hashed(b"kumite-beacon", about, size=8).hex()


class Beacon:
    """Announces it from a thread of its own, at all addresses that this computer has now."""

    def __init__(
        self, table_id: str, port: int, interfaces: Sequence[str] = (), terminal: int = 0
    ) -> None:
        """Begin; `close` ends it."""
        self._tag, self._port, self._interfaces = tag(table_id, terminal), port, interfaces
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
        self._table_id, self._interfaces = table_id, interfaces
        self._over: Event | None = None
        self._tags: dict[str, int] = {}  # and whose they are
        self._found: dict[int, tuple[Place, ...]] = {}  # by terminal
        self._turns = count()

    def begin(self, terminals: Sequence[int] = (0,)) -> None:
        """Begin to look for what these terminals announce, unless that is under way."""
        tags = {tag(self._table_id, one): one for one in terminals}
        if tags != self._tags:
            self.end()
            self._tags = tags
        if self._over is None:
            self._over = Event()
            Thread(target=self._look, args=(self._over,), name="kumite-seeker", daemon=True).start()

    def end(self) -> None:
        """Stop looking, at once."""
        if self._over is not None:
            self._over.set()
            self._over = None

    def places(self, host: int, known: Place) -> tuple[Try, ...]:
        """Return what to try now, at once: where the host was, and what was found of each."""
        turn, tries = next(self._turns), [(host, known)]
        for terminal in self._tags.values():
            found = [one for one in self._found.get(terminal, ()) if (terminal, one) != tries[0]]
            tries += [(terminal, found[turn % len(found)])] if found else []
        return tuple(tries)

    def _look(self, over: Event) -> None:
        over.wait(SOON)
        while not over.is_set():
            finder = ways.finder(
                self._told(over),
                interfaces=self._interfaces,
                service=MATCHES,
                only=tuple(self._tags),
            )
            with suppress(KumiteError, OSError):
                finder.start()
            over.wait(LOOK_EVERY)
            finder.close()

    def _told(self, over: Event) -> Callable[[News], None]:
        tags = self._tags

        def told(news: News) -> None:
            if isinstance(news, Found) and not over.is_set():
                place, terminal = (news.addresses, news.table.port), tags[news.key]
                others = [one for one in self._found.get(terminal, ()) if one != place]
                self._found[terminal] = (place, *others)[:MAX_PLACES]

        return told


class WayBack:
    """What a peer does about a host that moves: what it hosts announced, or its host looked for."""

    def __init__(self, interfaces: Sequence[str]) -> None:
        """Use these interfaces, all if there are none."""
        self._interfaces = interfaces
        self._beacon: Beacon | None = None
        self._port = 0  # that it announces
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
        """Announce the port where we listen, or look for the host, as the session needs it now."""
        if s.credentials is None or not s.is_under_way or s.is_closed:
            self.close()
            return
        if not s.is_host or port != self._port:
            self._silence()
        if s.is_host and port and self._beacon is None:
            me = 0 if s.live is None else s.live.me or 0
            self._beacon = Beacon(s.credentials.table_id, port, self._interfaces, me)
            self._port = port
        if s.retry_at is not None:
            if self._seeker is None:
                self._seeker = Seeker(s.credentials.table_id, self._interfaces)
            self._seeker.begin(succession.sought(s))
        elif self._seeker is not None:
            self._seeker.end()

    def places(self, host: int, known: Place) -> tuple[Try, ...]:
        """Return what to try now, at once."""
        return self._seeker.places(host, known) if self._seeker is not None else ((host, known),)

    def close(self) -> None:
        """Stop both, at once."""
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
