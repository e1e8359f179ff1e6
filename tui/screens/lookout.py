"""Tables on the LAN that are looked for while a screen is shown, and what is said of them."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.net.transport.discovery import Found, News
    from kumite.net.transport.ways import Finder

    Deliver: TypeAlias = Callable[[News], object]
    MakeFinder: TypeAlias = "Callable[[Deliver], Finder]"


def lan_finder(deliver: Deliver) -> Finder:
    """Return what finds tables on this LAN."""
    from kumite.net.transport import ways  # late: it takes a while to import

    return ways.finder(deliver)


class Lookout:
    """Looks for tables in a thread of its own, between `begin` and `end`; both return at once.

    Where nothing can be found it is silent: nobody has asked for it.
    """

    def __init__(self, make: MakeFinder, deliver: Deliver) -> None:
        self._make, self._deliver = make, deliver
        self._over: Event | None = None

    def begin(self) -> None:
        """Begin to look, if that has not begun yet."""
        if self._over is None:
            self._over = Event()
            Thread(target=self._look, args=(self._over,), name="lookout", daemon=True).start()

    def end(self) -> None:
        """Stop; what is still on its way is not delivered."""
        if self._over is not None:
            self._over.set()
            self._over = None

    def _look(self, over: Event) -> None:
        def deliver(news: News) -> None:
            if not over.is_set():
                self._deliver(news)

        # Whatever goes wrong with sockets, interfaces or zeroconf, the screen is whole without.
        with suppress(Exception):
            finder = self._make(deliver)
            try:
                finder.start()
                over.wait()
            finally:
                finder.close()


def free_seats(found: Found) -> str:
    """Return how many seats of a table are free, in words; or that it is a tournament."""
    if found.table.is_hall:
        return "tournament"
    free = found.table.free
    return f"{free} free seat{'' if free == 1 else 's'}" if free else "full"


def why_not(found: Found) -> str:
    """Return why a table of another version cannot be joined."""
    program = found.table.program or "unknown"
    return f"kumite {program}, protocol {found.table.protocol}: both need the same version"
