"""A background search for LAN tables, and the words that describe what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeAlias

from kumite.core.errors import KumiteError
from kumite.store.log_files import folder

if TYPE_CHECKING:
    from kumite.net.transport.discovery import Found, News
    from kumite.net.transport.network import Finder

Deliver: TypeAlias = "Callable[[News], object]"
MakeFinder: TypeAlias = "Callable[..., Finder]"


def lan_finder(deliver: Deliver, **more: Any) -> Finder:
    from kumite.net.transport import network  # imported late: it is slow

    return network.finder(deliver, **more)


class Lookout:
    """Searches for tables in its own thread; `begin` and `end` return at once.

    Errors are ignored, since the user did not ask for the search.
    """

    def __init__(self, make: MakeFinder, deliver: Deliver) -> None:
        self._make, self._deliver = make, deliver
        self._over: Event | None = None

    def begin(self) -> None:
        if self._over is None:
            self._over = Event()
            Thread(target=self._look, args=(self._over,), name="lookout", daemon=True).start()

    def end(self) -> None:
        """Stop; news that is still on its way is dropped."""
        if self._over is not None:
            self._over.set()
            self._over = None

    def _look(self, over: Event) -> None:
        def deliver(news: News) -> None:
            if not over.is_set():
                self._deliver(news)

        from kumite.net.transport.discovery import NoDiscovery

        # Errors from sockets, interfaces or zeroconf must not affect the screen.
        with suppress(Exception):
            finder = self._make(deliver)
            try:
                with suppress(NoDiscovery):  # the finder starts once there is a network
                    finder.start()
                over.wait()
            finally:
                finder.close()


def seat_lookout(make: MakeFinder, deliver: Deliver) -> Lookout:
    """Return a search for the open tables at which we have a seat, if we have one."""

    def finder(deliver: Deliver) -> Finder:
        if not any(folder().glob("*.table")):  # the rest is slow to import
            raise KumiteError("no match was played on the LAN")
        from kumite.net.transport import beacons

        if not (seats := beacons.own_seats()):
            raise KumiteError("no match on the LAN is unfinished")
        return beacons.seat_finder(make, seats, deliver)

    return Lookout(finder, deliver)


def keep_news(found: dict[str, Found], news: News, name: str) -> None:
    """Note news; `name`: under which we may have entered tournaments."""
    from kumite.net.transport.discovery import Found

    if isinstance(news, Found):
        found[news.key] = _entered(news, name) if news.table.is_tournament else news
    else:
        found.pop(news.key, None)


def _entered(found: Found, name: str) -> Found:
    """Return a tournament with our ticket for it, if we have one."""
    from kumite.net.transport import beacons, tournament_files
    from kumite.net.transport.discovery import Entered

    for one in tournament_files.known():
        if one.name == name and beacons.listed_as(one.tournament_id) == found.key:
            return Entered(found.key, found.table, found.addresses, one)
    return found


def is_awaiting(found: Found) -> bool:
    """True if it is a table at which we have a seat, or a tournament that we have entered."""
    from kumite.net.transport.discovery import Awaiting, Entered

    return isinstance(found, Awaiting | Entered)


def is_full(found: Found) -> bool:
    return not (found.table.free or found.table.is_tournament or is_awaiting(found))


def listed(found: Iterable[Found]) -> list[Found]:
    """Return what was found in the order of lists: where we have a seat first, and only once."""
    tables = sorted(found, key=lambda one: (is_full(one), one.table.name))
    tables.sort(key=lambda one: (not one.is_ours, not is_awaiting(one)))
    ours = {(at, one.table.port) for one in tables if is_awaiting(one) for at in one.addresses}

    def is_known(one: Found) -> bool:
        return is_full(one) and any((at, one.table.port) in ours for at in one.addresses)

    return [one for one in tables if not is_known(one)]


def does(found: Found) -> str:
    """Return what Enter does at a table."""
    if is_awaiting(found):
        return "Enter leads back to your seat"
    return "Enter looks on" if is_full(found) else "Enter joins"


def free_seats(found: Found) -> str:
    """Return the number of free seats in words, or "tournament"."""
    if is_awaiting(found):
        return "waits for you"
    if found.table.is_tournament:
        return "tournament"
    free = found.table.free
    return f"{free} free seat{'' if free == 1 else 's'}" if free else "full"


def why_not(found: Found) -> str:
    """Return why a table with another protocol version cannot be joined."""
    program = found.table.program or "unknown"
    return f"kumite {program}, protocol {found.table.protocol}: both need the same version"
