"""The LAN shared by all guests: one mDNS client finds and announces tables for the server."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Final, TypeVar

from kumite.core.errors import KumiteError
from kumite.net.transport.discovery import (
    MATCHES,
    SERVICE,
    Announced,
    Announcer,
    Finder,
    Found,
    Mdns,
    News,
    Vanished,
)
from kumite.store.guest_mode import is_inner

if TYPE_CHECKING:
    T = TypeVar("T")

WORKERS: Final = 4  # threads: an mDNS call takes up to a second
MOST: Final = 512  # known tables, and as many matches; a stranger can announce any number
KNOWN_WITHIN: Final = 3.0  # s to wait for a table that is just being announced
FREE_WITHIN: Final = 3.0  # s to wait until a name announced before is free again
CONNECTIONS: Final = 1024  # over all guests


class Destinations:
    """Allowed destinations of guests: tables open on the server or announced on its network."""

    def __init__(self, own: str) -> None:
        """`own`: the address on which guests' tables listen."""
        self.own = own
        self.hosted: Counter[int] = Counter()  # ports on which the server listens for guests
        self._announced: dict[tuple[str, str], Found] = {}  # by service and key

    def note(self, service: str, news: News) -> News:
        """Handle an announcement; return what to report to guests."""
        if isinstance(news, Found) and (near := self.near(news.addresses)):
            found = Found(news.key, news.table, near)
            self._announced[service, news.key] = found
            return found
        self._announced.pop((service, news.key), None)
        return Vanished(news.key)

    def announced(self, service: str) -> list[Found]:
        return [one for (where, _), one in self._announced.items() if where == service]

    def near(self, addresses: Sequence[str]) -> tuple[str, ...]:
        """Return the addresses that may be on the server's network.

        Loopback is excluded, because services there expect only this computer. So are names:
        looking one up would tell a guest what the server's network knows.
        """
        is_alone = is_inner(self.own)
        return tuple(one for one in addresses if one == self.own or not (is_alone or is_inner(one)))

    def reachable(self, addresses: Sequence[str], port: int) -> tuple[str, ...]:
        """Return the addresses at which a table is open on that port."""
        known = {self.own} if self.hosted[port] else set()
        for one in self._announced.values():
            if one.table.port == port:
                known.update(one.addresses)
        return tuple(one for one in self.near(addresses) if one in known)


class Lan:
    """The LAN of a server."""

    def __init__(self, own: str) -> None:
        """`own`: the address on which guests' tables listen."""
        self.destinations = Destinations(own)
        self.connections = 0  # of guests, at present
        self._shared: Mdns | None = None
        self._opening = asyncio.Lock()
        self._finders: set[Finder] = set()
        self._taken: set[tuple[str, str]] = set()  # service and key of our announcements
        self._threads = ThreadPoolExecutor(WORKERS, "guests-lan")
        self._hearers: set[tuple[str, Callable[[News], object]]] = set()
        self._changed = asyncio.Event()  # set and replaced at each change
        self._ending: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        await asyncio.gather(*self._ending, return_exceptions=True)
        async with self._opening:
            for finder in tuple(self._finders):
                self._drop(finder)
            if self._shared is not None:
                await self._in_thread(self._shared.close)
        self._threads.shutdown(wait=False)

    async def _in_thread(self, call: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def _mdns(self) -> Mdns:
        """Return the shared sockets, opening them on first use, and again after an error."""
        async with self._opening:
            if self._shared is None:
                mdns = Mdns((self.destinations.own,))
                try:
                    for service in (SERVICE, MATCHES):
                        await self._find(mdns, service)
                except BaseException:
                    await self._in_thread(mdns.close)
                    raise
                self._shared = mdns
            return self._shared

    async def _find(self, mdns: Mdns, service: str, only: Collection[str] = ()) -> Finder:
        loop = asyncio.get_running_loop()

        def deliver(news: News) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._note, service, news)

        finder = Finder(deliver, service=service, only=only, on=mdns, most=MOST)
        self._finders.add(finder)
        try:
            await self._in_thread(finder.start)
        except BaseException:
            self._drop(finder)
            raise
        return finder

    def _drop(self, finder: Finder) -> None:
        self._finders.discard(finder)
        finder.close()

    def _note(self, service: str, news: News) -> None:
        told = self.destinations.note(service, news)
        for where, hear in tuple(self._hearers):
            if where == service:
                hear(told)
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    # --- for a guest --------------------------------------------------------------------------

    @asynccontextmanager
    async def found(
        self, service: str, only: Collection[str], hear: Callable[[News], object]
    ) -> AsyncIterator[None]:
        """Report all tables, or those with the keys `only`, and each change to `hear`."""
        mdns = await self._mdns()
        # Keys are searched for by name, so other announcements cannot crowd them out.
        own = await self._find(mdns, service, only) if only else None

        def told(news: News) -> None:
            if news.key in (only or (news.key,)):
                hear(news)

        for one in self.destinations.announced(service):
            told(one)
        self._hearers.add(entry := (service, told))
        try:
            yield
        finally:
            self._hearers.discard(entry)
            if own is not None:
                self._drop(own)

    @asynccontextmanager
    async def announced(
        self, service: str, key: str, table: Announced
    ) -> AsyncIterator[Callable[[Announced], Awaitable[None]]]:
        """Announce a guest's table, and provide a function for changes."""
        mdns, name = await self._mdns(), (service, key)
        async with asyncio.timeout(FREE_WITHIN):  # never announce a name twice
            while name in self._taken:
                await self._changed.wait()
        self._taken.add(name)
        announcer = Announcer(key, table, service=service, on=mdns)

        async def update(table: Announced) -> None:
            await self._in_thread(lambda: announcer.update(table))

        try:
            await self._in_thread(announcer.start)
            yield update
        finally:
            task = asyncio.create_task(self._unannounce(announcer, name))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _unannounce(self, announcer: Announcer, name: tuple[str, str]) -> None:
        with suppress(Exception):  # zeroconf raises many kinds, and it is over anyway
            await self._in_thread(announcer.close)
        self._taken.discard(name)
        self._wake()

    @contextmanager
    def hosted(self, port: int) -> Iterator[None]:
        """Let other guests connect to a port while the server listens there for a guest."""
        self.destinations.hosted[port] += 1
        self._wake()
        try:
            yield
        finally:
            self.destinations.hosted[port] -= 1

    async def reachable(self, addresses: tuple[str, ...], port: int) -> tuple[str, ...]:
        """Return the addresses at which a table is open; wait a little for an announcement."""
        with suppress(KumiteError):  # then only the server's own tables
            await self._mdns()
        with suppress(TimeoutError):
            async with asyncio.timeout(KNOWN_WITHIN):
                while not (known := self.destinations.reachable(addresses, port)):
                    await self._changed.wait()
                return known
        return ()
