"""A background search for LAN tables, and the words that describe what it finds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from kumite.net.transport.discovery import Found, News
    from kumite.net.transport.network import Finder

Deliver: TypeAlias = "Callable[[News], object]"
MakeFinder: TypeAlias = "Callable[[Deliver], Finder]"


def lan_finder(deliver: Deliver) -> Finder:
    from kumite.net.transport import network  # imported late: it is slow

    return network.finder(deliver)


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


def keep_news(found: dict[str, Found], news: News) -> None:
    from kumite.net.transport.discovery import Found

    if isinstance(news, Found):
        found[news.key] = news
    else:
        found.pop(news.key, None)


def free_seats(found: Found) -> str:
    """Return the number of free seats in words, or "tournament"."""
    if found.table.is_tournament:
        return "tournament"
    free = found.table.free
    return f"{free} free seat{'' if free == 1 else 's'}" if free else "full"


def why_not(found: Found) -> str:
    """Return why a table with another protocol version cannot be joined."""
    program = found.table.program or "unknown"
    return f"kumite {program}, protocol {found.table.protocol}: both need the same version"
