"""What one guest's app asks of the house's network, and what is done (net/transport/wishes.py).

Anything may come: the process may obey somebody else. What is no wish is nothing, what is too much
waits or is refused, and no file that is handed over leads anywhere but to this house.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError
from kumite.net.transport import sockets
from kumite.net.transport.wishes import (
    ADDRESS,
    LONGEST,
    TOLD,
    WISHES,
    Announce,
    Find,
    Frames,
    Granted,
    Listen,
    Reach,
    pack_answered,
    refusal,
    table_of,
    told_of,
    unpack_asked,
)
from kumite.net.wire.framing import MAX_PLAIN, frame
from kumite.serve import network
from kumite.serve.allowance import Allowance
from kumite.serve.relay import passed_on
from kumite.serve.thinking import channel
from kumite.store.house import NotForGuests

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from kumite.net.transport.discovery import News
    from kumite.net.transport.wishes import Wish
    from kumite.serve.network import Network

BREATH: Final = 0.02  # s between two wishes, or two changes of one: who floods us waits
ERRANDS: Final = 24  # that one app may have under way
DOORS: Final = 4  # of them, at which the house listens
LINES: Final = 96  # connections; an app takes 64 in which nobody has said anything yet
REACHED: Final = 4.0  # connections a second that it may begin, after twice as many at once
ASKED: Final = 1.0  # things a second that it may announce, or look for by name, likewise
SPEED: Final = 1 << 20  # bytes a second, both ways, over all its connections
FREE_PORTS: Final = 1024  # below, a port belongs to the system
AGAIN: Final = 0.5  # s after which it is looked whether somebody can be let in
UNREAD: Final = 600  # pieces of news that wait for an app to read them


@asynccontextmanager
async def errands(house: Network) -> AsyncIterator[int]:
    """Give the open file by which one guest's app asks, and do what it asks until it ends."""
    # Both ends of a pair are files of their own: whatever the app does with its end, ours never
    # blocks.
    ours, theirs = channel()
    with ours, theirs:
        porter = Porter(house, ours)
        hearing = asyncio.create_task(porter.hear())
        try:
            yield theirs.fileno()
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
            await porter.close()


class Porter:
    """Runs the errands of one app."""

    def __init__(self, house: Network, ours: socket.socket) -> None:
        self._house, self._ours = house, ours
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._bytes, self._reaching = Allowance(SPEED, now), Allowance(REACHED, now)
        self._asking = Allowance(ASKED, now)
        self._errands: set[asyncio.Task[None]] = set()
        self._relays: set[asyncio.Task[None]] = set()
        self._doors: set[int] = set()  # ports

    async def hear(self) -> None:
        """Hear wishes, one after the other."""
        while True:
            try:
                said = await self._loop.sock_recv(self._ours, LONGEST)
                asked = unpack_asked(said)
            except OSError:
                return
            except BadData:  # it is nothing
                pass
            else:
                with suppress(OSError):  # this computer has no room
                    self._begin(asked.number, asked.wish)
            await asyncio.sleep(BREATH)

    async def close(self) -> None:
        """End all errands, and what they have brought about."""
        tasks = [*self._errands, *self._relays]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, number: int, wish: Wish) -> None:
        """Begin an errand, and hand over the file by which its app hears of it."""
        mine, theirs = socket.socketpair()
        with theirs:
            mine.setblocking(False)
            try:
                port, work = self._prepared(wish, mine)
            except KumiteError as error:
                mine.close()
                self._answer(pack_answered(number, refusal(error)))
                return
            self._start(self._errands, self._run(mine, work), mine)
            self._answer(pack_answered(number, Granted(port)), theirs.fileno())

    def _answer(self, said: bytes, *files: int) -> None:
        with suppress(OSError):  # who does not listen does not hear
            socket.send_fds(self._ours, [said], files)

    def _start(
        self,
        tasks: set[asyncio.Task[None]],
        work: Coroutine[None, None, None],
        *files: socket.socket,
    ) -> None:
        """Begin some work, and close its files at its end, even if it ends before it has begun."""

        def end(task: asyncio.Task[None]) -> None:
            tasks.discard(task)
            for one in files:
                one.close()

        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(end)

    def _prepared(
        self, wish: Wish, line: socket.socket
    ) -> tuple[int, Callable[[], Coroutine[None, None, None]]]:
        """Return the port of a wish to listen, and the work that there is to do.

        Raises:
            KumiteError: it is refused.
        """
        if len(self._errands) >= ERRANDS:
            raise too_much()
        match wish:
            case Reach():
                return 0, partial(self._reach, line, wish)
            case Announce():
                return 0, partial(self._announce, line, wish)
            case Find():
                return 0, partial(self._find, line, wish)
            case Listen(port):
                if len(self._doors) >= DOORS:
                    raise too_much()
                if 0 < port < FREE_PORTS:
                    raise NotForGuests(f"guests cannot open port {port}")
                door = sockets.listening(self._house.places.own, port)
                door.setblocking(False)
                door.listen(sockets.BACKLOG)
                return door.getsockname()[1], partial(self._listen, line, door)

    async def _run(
        self, line: socket.socket, work: Callable[[], Coroutine[None, None, None]]
    ) -> None:
        with line:
            try:
                await work()
            except KumiteError as error:
                with suppress(OSError):
                    line.send(frame(TOLD.pack(refusal(error))))
            except OSError:
                pass

    async def _until_gone(self, line: socket.socket, work: Coroutine[None, None, None]) -> None:
        """Do some work until it ends, or its app has closed the line."""
        tasks = [asyncio.create_task(work), asyncio.create_task(self._gone(line))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        if not tasks[0].cancelled():
            tasks[0].result()

    async def _gone(self, line: socket.socket) -> None:
        with suppress(OSError):
            while await self._loop.sock_recv(line, MAX_PLAIN):
                await asyncio.sleep(BREATH)

    # --- connections --------------------------------------------------------------------------

    @property
    def _has_room(self) -> bool:
        return len(self._relays) < LINES and self._house.lines < network.LINES

    async def _relay(self, one: socket.socket, other: socket.socket) -> None:
        self._house.lines += 1
        try:
            await passed_on(one, other, self._bytes)
        finally:
            self._house.lines -= 1

    async def _reach(self, line: socket.socket, wish: Reach) -> None:
        await asyncio.sleep(self._reaching.take(1, self._loop.time()))
        known = await self._house.reachable(wish.addresses, wish.port)
        if not known:
            where = " or ".join(wish.addresses) or "there"
            raise NotForGuests(
                f"no table is known at {where}, port {wish.port}",
                hint="guests can go to tables of this house, and of its network",
            )
        if not self._has_room:
            raise too_much()
        there = await sockets.connected(known, wish.port)
        with there:
            there.setblocking(False)
            await self._loop.sock_sendall(line, frame(TOLD.pack(Granted(0))))
            await self._relay(line, there)

    async def _listen(self, line: socket.socket, door: socket.socket) -> None:
        port = door.getsockname()[1]
        self._doors.add(port)
        with door, self._house.hosted(port):
            try:
                await self._until_gone(line, self._let_in(line, door))
            finally:
                self._doors.discard(port)

    async def _let_in(self, line: socket.socket, door: socket.socket) -> None:
        """Hand over who comes; while there is no room for them they wait."""
        while True:
            while not self._has_room:
                await asyncio.sleep(AGAIN)
            try:
                there, place = await self._loop.sock_accept(door)
            except OSError:  # this computer has no room
                await asyncio.sleep(AGAIN)
                continue
            try:
                mine, theirs = socket.socketpair()
            except OSError:
                there.close()
                continue
            with theirs:
                mine.setblocking(False)
                sockets.hurry(there)
                self._start(self._relays, self._relay(mine, there), mine, there)
                address = str(place[0]).encode()[:ADDRESS].ljust(ADDRESS, b"\0")
                with suppress(BlockingIOError):  # an app that takes nobody: they hear an end
                    socket.send_fds(line, [address], [theirs.fileno()])

    # --- what is announced --------------------------------------------------------------------

    async def _announce(self, line: socket.socket, wish: Announce) -> None:
        await self._take_turn()
        own, frames = (self._house.places.own,), Frames()
        found = table_of(wish, own)
        if found is None or wish.port not in self._doors:
            raise NotForGuests("guests can announce tables of their own")
        async with self._house.announced(wish.key, found.table, wish.service) as notice:
            await self._loop.sock_sendall(line, frame(TOLD.pack(Granted(0))))
            # What can be read at once is, and nobody else has a turn: who writes without end waits.
            while data := await self._loop.sock_recv(line, MAX_PLAIN):
                await asyncio.sleep(BREATH)
                for packed in [*frames.take(data)][-1:]:  # the last is what is true now
                    said = WISHES.unpack(packed)
                    found = table_of(said, own) if isinstance(said, Announce) else None
                    if found is not None and found.table.port == wish.port:
                        await self._take_turn()
                        await notice.update(found.table)

    async def _take_turn(self) -> None:
        await asyncio.sleep(self._asking.take(1, self._loop.time()))

    async def _find(self, line: socket.socket, wish: Find) -> None:
        waiting: asyncio.Queue[News] = asyncio.Queue(UNREAD)

        def hear(news: News) -> None:
            if not waiting.full():
                waiting.put_nowait(news)
            elif task is not None:
                task.cancel()  # an app that does not read asks again, if it ever does

        async def tell() -> None:
            while True:
                await self._loop.sock_sendall(line, told_of(await waiting.get()))

        task = asyncio.current_task()
        if wish.only:
            await self._take_turn()
        async with self._house.found(wish.service, wish.only, hear):
            await self._loop.sock_sendall(line, frame(TOLD.pack(Granted(0))))
            await self._until_gone(line, tell())


def too_much() -> KumiteError:
    """Return the error of who asks for more than a guest may have at once."""
    return sockets.NetworkError(
        codes.SLOW_DOWN,
        "This is more than a guest may do on the network at once",
        hint="close a table, or wait a little",
    )
