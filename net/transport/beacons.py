"""Announce a running match or tournament by a name derived from its id, to find a moved host.

Only the name and the address are public. The host must still prove the connection's key, so a false
announcement costs one try, and the old address is always tried too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from secrets import token_hex
from threading import Event, Thread
from typing import Final, TypeAlias

from kumite.core.errors import KumiteError
from kumite.net.crypto.keys import hashed
from kumite.net.session import succession
from kumite.net.session.state import Session
from kumite.net.transport import journal, network
from kumite.net.transport.discovery import (
    LOOK_EVERY,
    MATCHES,
    Announced,
    Awaiting,
    Found,
    News,
    Unanswered,
)
from kumite.net.wire.fields import MAX_SEATS
from kumite.store.library import Library

SOON: Final = 1.0  # s in which most connections recover
LONGEST_LOOK: Final = 0.5  # s to read new logs in full
MAX_PLACES: Final = 8  # addresses kept per match; anybody can announce it

Place: TypeAlias = tuple[tuple[str, ...], int]
"""Addresses of a host, and its port."""

Try: TypeAlias = tuple[int, Place]
"""A terminal, and an address to try."""


def tag(table_id: str, terminal: int = 0) -> str:
    """Return the name by which a terminal (0: who opened it) announces a table or a tournament."""
    about = (table_id, terminal) if terminal else (table_id,)
    return hashed(b"kumite-beacon", about, size=8).hex()


def listed_as(tournament_id: str) -> str:
    """Return the key under which a tournament is listed, by which those who entered know it."""
    return tag(tournament_id, 1)


def own_seats() -> dict[str, Awaiting]:
    """Return the newest tables of others at which we have a seat, by the tags of their hosts."""
    library, found = Library(), dict[str, Awaiting]()
    library.read(seconds=LONGEST_LOOK)
    for one in library.all():
        if not one.table or not library.can_go_on(one):
            continue
        log = library.path(one.name)
        with suppress(KumiteError, OSError):  # opening the match itself says why
            credentials, begins = journal.beginning(log.with_name(one.table))
            if credentials.ticket and begins.me is not None:
                table = Announced(begins.roster.who(0), one.game, one.title, 0, 1)
                found.setdefault(tag(credentials.table_id), Awaiting("", table, (), log))
        if len(found) == MAX_SEATS:  # the broker of a server takes no more
            break
    return found


def seat_finder(
    make: Callable[..., network.Finder],
    seats: Mapping[str, Awaiting],
    deliver: Callable[[News], object],
) -> network.Finder:
    """Return a finder of the tables of `own_seats` that are open."""

    def heard(news: News) -> None:
        if isinstance(news, Found):
            if (seat := seats.get(news.key)) is None:
                return
            table = replace(seat.table, port=news.table.port)
            news = replace(seat, key=news.key, table=table, addresses=news.addresses)
        if not isinstance(news, Unanswered):  # the list of all tables says so
            deliver(news)

    return make(heard, service=MATCHES, only=tuple(seats))


class Background:
    """An announcer or a finder in a thread of its own, which begins again if it fails."""

    def __init__(
        self, make: Callable[[], network.Announcer | network.Finder], after: float = 0.0
    ) -> None:
        """Begin `after` s; `close` ends it."""
        self._make, self._over = make, Event()
        Thread(target=self._run, args=(after,), name="kumite-beacon", daemon=True).start()

    def close(self) -> None:
        """Stop without waiting; the mDNS goodbye follows soon."""
        self._over.set()

    def _run(self, after: float) -> None:
        self._over.wait(after)
        while not self._over.is_set():
            one = self._make()
            with suppress(KumiteError, OSError):  # a server may still have the name in use
                one.start()
                self._over.wait()
            one.close()
            self._over.wait(LOOK_EVERY)


def beacon(name: str, port: int, interfaces: Sequence[str]) -> Background:
    """Announce our port by a tag."""
    table = Announced("", "-", "", 0, port)
    return Background(
        lambda: network.announcer(name, table, interfaces=interfaces, service=MATCHES)
    )


class HostRecovery:
    """A peer's recovery of a moved host: announces what it hosts, or looks for its host."""

    def __init__(self, interfaces: Sequence[str]) -> None:
        """Use these interfaces; all if empty."""
        self._interfaces = interfaces
        self._beacon: Background | None = None
        self._port = 0  # as announced
        self._open: Background | None = None
        self._search: Background | None = None
        self._tags: dict[str, int] = {}  # that are looked for, with their terminals
        self._found: dict[int, tuple[Place, ...]] = {}  # by terminal
        self._turns = count()

    def announce_open(self, port: int) -> None:
        """Announce our table before its match: guests of servers reach only announced ones."""
        if self._open is not None:
            self._open.close()
        self._open = beacon(token_hex(8), port, self._interfaces)

    def follow(self, s: Session, port: int) -> None:
        """Announce our port, or look for the host, as the session currently needs."""
        if s.credentials is None or not s.is_under_way or s.is_closed:
            self.close()
            return
        table_id = s.credentials.table_id
        if not s.is_host or port != self._port:
            self._silence()
        if s.is_host and port and self._beacon is None:
            me = 0 if s.live is None else s.live.me or 0
            self._beacon = beacon(tag(table_id, me), port, self._interfaces)
            self._port = port
        if s.line.retry_at is not None:
            self._look({tag(table_id, one): one for one in succession.sought(s)})
        else:
            self._end_search()

    def _look(self, tags: dict[str, int]) -> None:
        """Look for announcements of these terminals, unless already doing so."""
        if tags != self._tags:
            self._end_search()
            self._tags = tags
        if self._search is None:
            self._search = Background(
                lambda: network.finder(
                    self._hear, interfaces=self._interfaces, service=MATCHES, only=tuple(tags)
                ),
                SOON,
            )

    def _hear(self, news: News) -> None:
        # In the finder's thread: meanwhile other tags may be looked for.
        if isinstance(news, Found) and (terminal := self._tags.get(news.key)) is not None:
            place = news.addresses, news.table.port
            others = [one for one in self._found.get(terminal, ()) if one != place]
            self._found[terminal] = (place, *others)[:MAX_PLACES]

    def places(self, host: int, known: Place) -> tuple[Try, ...]:
        """Return the addresses to try now: the host's last one, and one found per terminal."""
        turn, tries = next(self._turns), [(host, known)]
        for terminal in self._tags.values():
            found = [one for one in self._found.get(terminal, ()) if (terminal, one) != tries[0]]
            tries += [(terminal, found[turn % len(found)])] if found else []
        return tuple(tries)

    def close(self) -> None:
        """Stop both, without waiting."""
        self._silence()
        if self._open is not None:
            self._open.close()
        self._end_search()
        self._open, self._tags, self._found = None, {}, {}

    def _silence(self) -> None:
        if self._beacon is not None:
            self._beacon.close()
        self._beacon = None

    def _end_search(self) -> None:
        if self._search is not None:
            self._search.close()
        self._search = None
