"""The broker of one guest's app: carries out its network requests outside of the sandbox.

The protocol is in net/transport/broker.py. The app may be hostile: invalid requests are ignored,
excessive ones are delayed or refused, and a socket passed to it never leads directly to the
network.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Final

from kumite.core import codes
from kumite.core.codec import encode
from kumite.core.errors import BadData, KumiteError
from kumite.net.transport import sockets
from kumite.net.transport.broker import (
    ADDRESS,
    LONGEST,
    REPLIES,
    REQUESTS,
    Announce,
    Connect,
    Find,
    Granted,
    Listen,
    Refused,
    Reply,
    Request,
    unpack_request,
)
from kumite.net.transport.discovery import News
from kumite.net.wire.framing import LENGTH, MAX_PLAIN, frame
from kumite.serve import lan
from kumite.serve.bot_queue import channel
from kumite.serve.lan import Lan
from kumite.serve.limits import TokenBucket
from kumite.store.guest_mode import NotForGuests

PAUSE: Final = 0.02  # s between two messages of an app, which slows down floods
MOST_REQUESTS: Final = 24  # pending requests of one app
MOST_TABLES: Final = 4  # tables of one app on which the server listens
CONNECTIONS: Final = 96  # per app; a host has 64 places for connections that have sent nothing
CONNECTS: Final = 4.0  # new connections per second, with a burst of twice as many
ASKED: Final = 1.0  # announcements, or searches by key, per second, likewise
SPEED: Final = 1 << 20  # bytes per second in both directions, over all connections of an app
FREE_PORTS: Final = 1024  # lower ports are reserved for the system
AGAIN: Final = 0.5  # s between checks for a free place
UNREAD: Final = 600  # discovery events buffered for an app
UNREAD_REPLIES: Final = 4608  # bytes, for few replies: their sockets are open files of ours
CHUNK: Final = 16 << 10  # bytes passed on at once
LAST_WORDS: Final = 5.0  # s for one direction after the other has ended


@asynccontextmanager
async def brokered(shared: Lan) -> AsyncIterator[int]:
    """Provide a file descriptor for a guest app's requests, and serve them until the end."""
    # Each end of the pair is a file of its own: whatever the app does with its end, ours never
    # blocks.
    ours, theirs = channel()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD_REPLIES)
    with ours, theirs:
        broker = Broker(shared, ours)
        serving = asyncio.create_task(broker.serve())
        try:
            yield theirs.fileno()
        finally:
            await _cancel([serving])
            await broker.close()


class Broker:
    """Serves the requests of one app."""

    def __init__(self, shared: Lan, ours: socket.socket) -> None:
        self._lan, self._channel = shared, ours
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._bytes, self._connects = TokenBucket(SPEED, now), TokenBucket(CONNECTS, now)
        self._asked = TokenBucket(ASKED, now)
        self._requests: set[asyncio.Task[None]] = set()
        self._relays: set[asyncio.Task[None]] = set()
        self._ports: set[int] = set()  # on which the server listens for this app

    async def serve(self) -> None:
        while True:
            try:
                data = await self._loop.sock_recv(self._channel, LONGEST)
                number, request = unpack_request(data)
            except OSError:
                return
            except BadData:
                pass
            else:
                with suppress(OSError):  # too many open files, or the app reads no replies
                    self._begin(number, request)
            await asyncio.sleep(PAUSE)

    async def close(self) -> None:
        await _cancel([*self._requests, *self._relays])

    def _begin(self, number: int, request: Request) -> None:
        mine, theirs = socket.socketpair()
        with theirs:
            mine.setblocking(False)
            self._start(self._requests, self._fulfil(mine, request), mine)
            socket.send_fds(self._channel, [encode(number)], [theirs.fileno()])

    def _start(
        self,
        tasks: set[asyncio.Task[None]],
        work: Coroutine[None, None, None],
        *files: socket.socket,
    ) -> None:
        """Run `work` and always close `files`, also on early cancellation."""

        def end(task: asyncio.Task[None]) -> None:
            tasks.discard(task)
            for one in files:
                one.close()

        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(end)

    async def _fulfil(self, stream: socket.socket, request: Request) -> None:
        try:
            if len(self._requests) > MOST_REQUESTS:
                raise too_much()
            match request:
                case Connect():
                    await self._connect(stream, request)
                case Listen():
                    await self._listen(stream, request)
                case Announce():
                    await self._announce(stream, request)
                case Find():
                    await self._find(stream, request)
        except KumiteError as error:
            with suppress(OSError):
                stream.send(frame(REPLIES.pack(Refused.by(error))))
        except OSError:
            pass

    async def _send(self, stream: socket.socket, reply: Reply) -> None:
        await self._loop.sock_sendall(stream, frame(REPLIES.pack(reply)))

    async def _until_closed(self, stream: socket.socket, work: Coroutine[None, None, None]) -> None:
        """Run `work` until it ends, or the app closes the stream."""
        tasks = [asyncio.create_task(work), asyncio.create_task(self._closed(stream))]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancel(tasks)
        if not tasks[0].cancelled():
            tasks[0].result()

    async def _closed(self, stream: socket.socket) -> None:
        with suppress(OSError):
            while await self._loop.sock_recv(stream, MAX_PLAIN):
                await asyncio.sleep(PAUSE)

    # --- connections --------------------------------------------------------------------------

    @property
    def _has_room(self) -> bool:
        return len(self._relays) < CONNECTIONS and self._lan.connections < lan.CONNECTIONS

    async def _relay(self, one: socket.socket, other: socket.socket) -> None:
        """Pass on bytes in both directions until both end.

        With a socket on the server's network, the app could `connect` elsewhere a second time. So
        it gets one end of a pair, and the data are copied.
        """
        self._lan.connections += 1
        tasks = [
            asyncio.create_task(self._pass(source, target))
            for source, target in ((one, other), (other, one))
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait(tasks, timeout=LAST_WORDS)
        finally:
            self._lan.connections -= 1
            await _cancel(tasks)

    async def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):  # broken is the same as ended
            while data := await self._loop.sock_recv(source, CHUNK):
                await self._loop.sock_sendall(target, data)
                await asyncio.sleep(self._bytes.take(len(data), self._loop.time()))
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    async def _connect(self, stream: socket.socket, request: Connect) -> None:
        await asyncio.sleep(self._connects.take(1, self._loop.time()))
        known = await self._lan.reachable(request.addresses, request.port)
        if not known:
            where = " or ".join(request.addresses) or "there"
            raise NotForGuests(
                f"no table is known at {where}, port {request.port}",
                hint="guests can go to tables of this server, and of its network",
            )
        if not self._has_room:
            raise too_much()
        there = await sockets.connected(known, request.port)
        with there:
            there.setblocking(False)
            await self._send(stream, Granted())
            await self._relay(stream, there)

    async def _listen(self, stream: socket.socket, request: Listen) -> None:
        if len(self._ports) >= MOST_TABLES:
            raise too_much()
        if 0 < request.port < FREE_PORTS:
            raise NotForGuests(f"guests cannot open port {request.port}")
        with sockets.listening(self._lan.destinations.own, request.port) as listener:
            listener.setblocking(False)
            listener.listen(sockets.BACKLOG)
            port = listener.getsockname()[1]
            self._ports.add(port)
            try:
                with self._lan.hosted(port):
                    await self._send(stream, Granted(port))
                    await self._until_closed(stream, self._accept(stream, listener))
            finally:
                self._ports.discard(port)

    async def _accept(self, stream: socket.socket, listener: socket.socket) -> None:
        """Pass each connection to the app; if there is no room, connections wait."""
        while True:
            while not self._has_room:
                await asyncio.sleep(AGAIN)
            try:
                there, place = await self._loop.sock_accept(listener)
            except OSError:  # too many open files
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
                with suppress(BlockingIOError):  # the app accepts nothing: drop the connection
                    socket.send_fds(stream, [address], [theirs.fileno()])

    # --- discovery ----------------------------------------------------------------------------

    async def _announce(self, stream: socket.socket, request: Announce) -> None:
        await self._take_turn()
        port = request.table.port
        if port not in self._ports:
            raise NotForGuests("guests can announce tables of their own")
        async with self._lan.announced(request.service, request.key, request.table) as update:
            await self._send(stream, Granted())
            while True:
                await asyncio.sleep(PAUSE)
                size = int.from_bytes(await self._exactly(stream, LENGTH), "big")
                changed = REQUESTS.unpack(await self._exactly(stream, size))
                if isinstance(changed, Announce) and changed.table.port == port:
                    await self._take_turn()
                    await update(changed.table)

    async def _exactly(self, stream: socket.socket, size: int) -> bytes:
        data = b""
        while len(data) < min(size, MAX_PLAIN):
            data += (more := await self._loop.sock_recv(stream, size - len(data)))
            if not more:
                raise ConnectionResetError
        return data

    async def _take_turn(self) -> None:
        await asyncio.sleep(self._asked.take(1, self._loop.time()))

    async def _find(self, stream: socket.socket, request: Find) -> None:
        waiting: asyncio.Queue[News] = asyncio.Queue(UNREAD)
        task = asyncio.current_task()
        assert task is not None

        def hear(news: News) -> None:
            if waiting.full():
                task.cancel()  # an app that does not read has to ask again
            else:
                waiting.put_nowait(news)

        async def tell() -> None:
            while True:
                await self._send(stream, await waiting.get())

        if request.only:
            await self._take_turn()
        async with self._lan.found(request.service, request.only, hear):
            await self._send(stream, Granted())
            await self._until_closed(stream, tell())


def too_much() -> KumiteError:
    return sockets.NetworkError(
        codes.SLOW_DOWN,
        "This is more than a guest may do on the network at once",
        hint="close a table, or wait a little",
    )


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
