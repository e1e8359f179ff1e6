"""What a house does on the LAN for all its guests: finds and announces tables, by mDNS, once."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from kumite.core.errors import KumiteError
from kumite.net.transport.discovery import MATCHES, SERVICE, Announcer, Finder, Mdns
from kumite.serve.places import Places

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator

    from kumite.net.transport.discovery import Announced, News

    T = TypeVar("T")

WORKERS: Final = 4  # threads: what is asked of the network takes up to a second
MOST: Final = 512  # tables, and as many matches, that are known; a stranger can announce any number
KNOWN_WITHIN: Final = 3.0  # s in which a table is known that is just being announced
FREE_WITHIN: Final = 3.0  # s in which a name that was announced before is free again
LINES: Final = 1024  # connections that are passed on for all guests together


class Notice:
    """What is announced of one table of a guest's; its calls are done in turn."""

    def __init__(self, announcer: Announcer, do: Callable[..., Awaitable[Any]]) -> None:
        self._announcer, self._do = announcer, do
        self._last: asyncio.Future[Any] | None = None

    async def start(self) -> None:
        """Begin to announce.

        Raises:
            NoDiscovery: it cannot be done here.
        """
        await self._then(self._announcer.start)

    async def update(self, table: Announced) -> None:
        """Announce what has changed."""
        await self._then(partial(self._announcer.update, table))

    async def end(self) -> None:
        """Announce it no longer, once what was asked before is done."""
        if self._last is not None:
            await asyncio.gather(self._last, return_exceptions=True)
        with suppress(Exception):  # zeroconf's are of many kinds; it is over
            await self._do(self._announcer.close)

    async def _then(self, call: Callable[[], None]) -> None:
        self._last = asyncio.ensure_future(self._do(call))
        await asyncio.shield(self._last)  # it goes on in its thread, whoever waits for it


class Network:
    """The network of one house."""

    def __init__(self, own: str) -> None:
        """`own` is the address at which its guests' tables listen."""
        self.places = Places(own)
        self.lines = 0  # that are passed on now
        self._mdns: Mdns | None = None
        self._finders: list[Finder] = []
        self._opening: asyncio.Task[Mdns] | None = None
        self._notices: set[tuple[str, str]] = set()  # service and key of what is announced
        self._threads = ThreadPoolExecutor(WORKERS, "house-network")
        self._heard: set[tuple[str, Callable[[News], object]]] = set()
        self._news = asyncio.Event()  # set, and replaced, whenever there is any
        self._ending: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """End all of it."""
        await asyncio.gather(*self._ending, return_exceptions=True)
        if self._opening is not None:
            await asyncio.wait([self._opening])
        for finder in tuple(self._finders):
            self._lose(finder)
        mdns, self._mdns = self._mdns, None
        if mdns is not None:
            await self._do(mdns.close)
        self._threads.shutdown(wait=False)

    async def _do(self, call: Callable[[], T]) -> T:
        """Do what takes a while in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call)

    async def _opened(self) -> Mdns:
        """Return what finds and announces; the first who wants it has it opened.

        Raises:
            NoDiscovery: there is no network; the next who asks has it tried again.
        """
        if self._opening is None or (self._opening.done() and self._mdns is None):
            self._opening = asyncio.create_task(self._open())
        return await asyncio.shield(self._opening)

    async def _open(self) -> Mdns:
        mdns = await self._do(partial(Mdns, (self.places.own,)))
        for service in (SERVICE, MATCHES):
            await self._find(mdns, service)
        self._mdns = mdns
        return mdns

    async def _find(self, mdns: Mdns, service: str, only: Collection[str] = ()) -> Finder:
        loop = asyncio.get_running_loop()

        def deliver(news: News) -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._note, service, news)

        finder = Finder(deliver, service=service, only=only, on=mdns, most=MOST)
        self._finders.append(finder)
        try:
            await self._do(finder.start)
        except BaseException:
            self._lose(finder)
            raise
        return finder

    def _lose(self, finder: Finder) -> None:
        self._finders.remove(finder)
        finder.close()

    def _note(self, service: str, news: News) -> None:
        told = self.places.note(service, news)
        for where, hear in tuple(self._heard):
            if where == service:
                hear(told)
        self._tell()

    def _tell(self) -> None:
        """Wake whoever waits for something to change."""
        self._news.set()
        self._news = asyncio.Event()

    # --- for a guest --------------------------------------------------------------------------

    @asynccontextmanager
    async def found(
        self, service: str, only: Collection[str], hear: Callable[[News], object]
    ) -> AsyncIterator[None]:
        """Tell `hear` of all that is announced, and of what changes; or of some keys alone.

        Raises:
            NoDiscovery: nothing can be found here.
        """
        mdns = await self._opened()
        # Those that are looked for are asked for by name, whatever else strangers announce.
        own = await self._find(mdns, service, only) if only else None

        def told(news: News) -> None:
            if news.key in (only or (news.key,)):
                hear(news)

        for one in self.places.announced(service):
            told(one)
        entry = service, told
        self._heard.add(entry)
        try:
            yield
        finally:
            self._heard.discard(entry)
            if own is not None:
                self._lose(own)

    @asynccontextmanager
    async def announced(self, key: str, table: Announced, service: str) -> AsyncIterator[Notice]:
        """Announce a table of a guest's.

        Raises:
            NoDiscovery: it cannot be done here.
        """
        mdns, name = await self._opened(), (service, key)
        async with asyncio.timeout(FREE_WITHIN):  # nobody takes the name of somebody else's
            while name in self._notices:
                await self._news.wait()
        self._notices.add(name)
        notice = Notice(Announcer(key, table, service=service, on=mdns), self._do)
        try:
            await notice.start()
            yield notice
        finally:
            task = asyncio.create_task(self._end(notice, name))
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _end(self, notice: Notice, name: tuple[str, str]) -> None:
        await notice.end()
        self._notices.discard(name)
        self._tell()

    @contextmanager
    def hosted(self, port: int) -> Iterator[None]:
        """Let other guests come to a port while the house listens there for one of them."""
        self.places.hosted[port] += 1
        self._tell()
        try:
            yield
        finally:
            self.places.hosted[port] -= 1

    async def reachable(self, addresses: tuple[str, ...], port: int) -> tuple[str, ...]:
        """Return those of the addresses at which there is a table, as soon as one is known."""
        with suppress(KumiteError):  # then those of the house alone
            await self._opened()
        with suppress(TimeoutError):
            async with asyncio.timeout(KNOWN_WITHIN):
                while not (known := self.places.reachable(addresses, port)):
                    await self._news.wait()
                return known
        return ()
