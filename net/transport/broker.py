"""RPC through which a guest's sandboxed app uses its server's network (`serve/broker.py`).

A request is a datagram on the channel that the server gave to the app's process. The reply passes a
stream socket, on which the first frame is Granted or Refused. Then follow:

Connect     the bytes of the connection, both ways
Listen      per connection ADDRESS bytes with its origin, and a socket
Announce    from the app: another Announce for each change
Find        from the server: Found for each new or changed table, or Vanished

Messages from the other process are checked, limits first.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import cache
from threading import Lock, Thread
from typing import Annotated, Final, TypeAlias

from kumite.core import codes
from kumite.core.codec import decode, encode
from kumite.core.errors import BadData, KumiteError
from kumite.core.text import clean
from kumite.net.transport.discovery import (
    MATCHES,
    SERVICE,
    TABLE,
    Announced,
    Found,
    News,
    Port,
    Unanswered,
    Vanished,
)
from kumite.net.transport.sockets import NetworkError
from kumite.net.wire import fields
from kumite.net.wire.fields import Frozen, Kinds, each, many, number, one_of
from kumite.net.wire.framing import LENGTH, frame
from kumite.store.guest_mode import NETWORK

Accept: TypeAlias = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], object]
LONGEST: Final = 2000  # bytes of a datagram; macOS has 2,048
ADDRESS: Final = fields.MAX_ADDRESS  # bytes
MAX_NUMBER: Final = 2**31 - 1  # after that, numbers start again
REPLY: Final = 10.0  # s; the server replies within a few ms
GRANT: Final = 15.0  # s, if the server has to wait itself

AnyPort: TypeAlias = Annotated[int, number(0, 65535)]
Service: TypeAlias = Annotated[str, one_of(SERVICE, MATCHES)]


class Connect(Frozen):
    """Connect to a table by the first of these addresses that answers."""

    addresses: fields.Addresses
    port: Port


class Listen(Frozen):
    """Accept connections at this port; 0: any."""

    port: AnyPort


class Announce(Frozen):
    """Announce one of our tables by mDNS, as long as the stream is open."""

    service: Service
    key: fields.MatchId
    table: Annotated[Announced, TABLE]


class Find(Frozen):
    """Report the announced tables, or only those with the keys `only`."""

    service: Service
    only: Annotated[tuple[str, ...], many(fields.match_id, fields.MAX_SEATS)]


class Granted(Frozen):
    """The request succeeded; `port` is the one opened by Listen."""

    port: AnyPort = 0


class Refused(Frozen):
    """The request failed; an error for players."""

    code: fields.Word
    text: fields.Long
    hint: fields.Long

    @classmethod
    def by(cls, error: KumiteError) -> Refused:
        """Return an error in the form in which it is sent."""
        said, hint = (clean(one, fields.MAX_TEXT) for one in (str(error), error.hint))
        return cls(error.code, said, hint)


Request: TypeAlias = Connect | Listen | Announce | Find
Reply: TypeAlias = Granted | Refused | Found | Vanished


REQUESTS: Final[Kinds[Request]] = Kinds(Connect, Listen, Announce, Find)
REPLIES: Final[Kinds[Reply]] = Kinds(Granted, Refused, Found, Vanished)
_numbered = each(number(0, MAX_NUMBER), REQUESTS)


def pack_request(number: int, request: Request) -> bytes:
    """Return the datagram of a request; the reply has the same number."""
    return encode((number, REQUESTS.checked(request)))


def unpack_request(packed: bytes) -> tuple[int, Request]:
    """Return number and request, or raise BadData."""
    found: tuple[int, Request] = _numbered(decode(packed))
    return found


class BrokerClient:
    """The client of this process's broker, which is at the other end of the channel."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel, self._asking, self._number = channel, Lock(), 0
        channel.set_inheritable(False)
        channel.settimeout(REPLY)

    def request(self, request: Request) -> socket.socket:
        """Send a request; return the stream of its reply, or raise NetworkError if none comes."""
        try:
            with self._asking:  # one at a time, from any thread
                self._number = (self._number + 1) % MAX_NUMBER
                self._channel.send(pack_request(self._number, request))
                while True:
                    said, files, _, _ = socket.recv_fds(self._channel, LONGEST, 1)
                    for stream in (socket.socket(fileno=one) for one in files):
                        if said == encode(self._number):
                            stream.set_inheritable(False)
                            return stream
                        stream.close()  # of a late reply
                    if not said:
                        raise _gone()
        except OSError as error:
            raise _gone() from error

    def granted(self, request: Request) -> tuple[socket.socket, int]:
        """Send a request; return the reply's stream and port, or raise NetworkError if refused."""
        stream = self.request(request)
        stream.settimeout(GRANT)
        try:
            reply = _receive(stream)
        except (OSError, EOFError, BadData) as error:
            stream.close()
            raise _gone() from error
        if not isinstance(reply, Granted):
            stream.close()
            raise _error(reply)
        stream.settimeout(None)
        return stream, reply.port

    async def connect(
        self, addresses: Sequence[str], port: int, limit: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a connection that buffers about `limit` bytes, or raise NetworkError."""
        known = tuple(one for one in addresses if one)[: fields.MAX_ADDRESSES]
        stream = await asyncio.to_thread(self.request, Connect(known, port))
        reader, writer = await asyncio.open_connection(sock=stream, limit=limit)
        try:
            async with asyncio.timeout(GRANT):
                size = int.from_bytes(await reader.readexactly(LENGTH), "big")
                reply = REPLIES.unpack(await reader.readexactly(size))
            if not isinstance(reply, Granted):
                raise _error(reply)
        except (OSError, EOFError, BadData) as error:
            writer.transport.abort()
            raise _gone() from error
        except BaseException:
            writer.transport.abort()
            raise
        return reader, writer

    async def listen(self, port: int, accept: Accept, limit: int) -> Listener:
        """Accept connections at a port (0: any), or raise NetworkError for players."""
        stream, port = await asyncio.to_thread(self.granted, Listen(port))
        return Listener(stream, port, accept, limit)


def of_process() -> BrokerClient | None:
    """Return the broker of this process, None if it has a network itself."""
    said = os.environ.get(NETWORK, "")
    return _broker(int(said)) if said.isdecimal() else None


@cache
def _broker(number: int) -> BrokerClient:
    return BrokerClient(socket.socket(fileno=number))


def _receive(stream: socket.socket) -> Reply:
    def exactly(size: int) -> bytes:
        data = b""
        while len(data) < size:
            data += (more := stream.recv(size - len(data)))
            if not more:
                raise EOFError
        return data

    return REPLIES.unpack(exactly(int.from_bytes(exactly(LENGTH), "big")))


def _error(reply: Reply) -> NetworkError:
    if isinstance(reply, Refused):
        return NetworkError(reply.code, reply.text, hint=reply.hint)
    return _gone()


def _gone() -> NetworkError:
    hint = "leave it, and come again"
    return NetworkError(codes.UNREACHABLE, "The server does not answer", hint=hint)


class Listener:
    """A port on which the server listens for us; each connection is passed to `accept`."""

    def __init__(self, stream: socket.socket, port: int, accept: Accept, limit: int) -> None:
        """Start; `limit` as in `BrokerClient.connect`."""
        self.port = port
        self._stream, self._accept, self._limit = stream, accept, limit
        self._coming: set[asyncio.Task[None]] = set()
        stream.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(stream, self._receive)

    def _receive(self) -> None:
        try:
            said, files, _, _ = socket.recv_fds(self._stream, ADDRESS, 1)
        except BlockingIOError:
            return
        except OSError:
            said, files = b"", []
        for one in files:
            sock, address = socket.socket(fileno=one), said.rstrip(b"\0").decode("ascii")
            task = self._loop.create_task(self._let_in(sock, address))
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)
        if not said:
            self.close()

    async def _let_in(self, sock: socket.socket, address: str) -> None:
        sock.set_inheritable(False)
        reader, writer = await asyncio.open_connection(sock=sock, limit=self._limit)
        self._accept(reader, writer, address)

    def close(self) -> None:
        if self._stream.fileno() >= 0:
            self._loop.remove_reader(self._stream)
            self._stream.close()


class Announcer:
    """Announces a table through the server, like discovery.Announcer."""

    def __init__(
        self, broker: BrokerClient, key: str, table: Announced, service: str = SERVICE
    ) -> None:
        self._broker, self._request = broker, Announce(service, key, table)
        self._stream: socket.socket | None = None

    def start(self) -> None:
        """Start to announce, or raise NetworkError."""
        self._stream, _ = self._broker.granted(self._request)

    def update(self, table: Announced) -> None:
        self._request = Announce(self._request.service, self._request.key, table)
        if self._stream is not None:
            with suppress(OSError):  # the server has ended it
                self._stream.sendall(frame(REQUESTS.pack(self._request)))
                return
            self.close()
        self.start()

    def close(self) -> None:
        """Stop; the table vanishes from lists."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


class Finder:
    """Reports tables through the server, like discovery.Finder."""

    def __init__(
        self,
        broker: BrokerClient,
        deliver: Callable[[News], object],
        service: str = SERVICE,
        only: Collection[str] = (),
    ) -> None:
        self._broker, self._deliver, self._request = broker, deliver, Find(service, tuple(only))
        self._stream: socket.socket | None = None
        self._is_closed = False

    def start(self) -> None:
        """Start to listen, or raise NetworkError."""
        self._stream, _ = self._broker.granted(self._request)
        Thread(target=self._hear, args=(self._stream,), name="finder", daemon=True).start()
        if self._is_closed:  # meanwhile
            self.close()

    def close(self) -> None:
        """Stop immediately: nothing more is delivered."""
        self._is_closed = True
        if self._stream is not None:
            with suppress(OSError):  # it has ended already
                self._stream.shutdown(socket.SHUT_RDWR)  # which wakes the thread

    def _hear(self, stream: socket.socket) -> None:
        with stream, suppress(OSError, EOFError, BadData):
            while True:
                news = _receive(stream)
                if isinstance(news, Found | Vanished) and not self._is_closed:
                    self._deliver(news)
        if not self._is_closed:
            self._deliver(Unanswered(""))
