"""A guest's app has no network: what it needs of it, its house does, see wishes.py.

The same as sockets.py and discovery.py do for everybody else; ways.py knows which of them.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from functools import cache
from threading import Lock, Thread
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import BadData
from kumite.net.transport.discovery import SERVICE, NoDiscovery
from kumite.net.transport.sockets import NetworkError
from kumite.net.transport.wishes import (
    ADDRESS,
    LONGEST,
    MAX_ASKED,
    TOLD,
    WISHES,
    Find,
    Frames,
    Granted,
    Listen,
    Reach,
    Refused,
    announce,
    news_of,
    pack_asked,
    unpack_answered,
)
from kumite.net.wire.framing import LENGTH, frame
from kumite.net.wire.hall import MAX_ADDRESSES
from kumite.store.house import NETWORK

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from kumite.net.transport.discovery import Announced, News
    from kumite.net.transport.wishes import Told, Wish

    Accept = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], object]

ANSWER: Final = 10.0  # s; a house answers in a few thousandths
RESULT: Final = 15.0  # s for what it has to ask the network for
CHUNK: Final = 4096  # bytes read at once


class House:
    """The house of this process, which is asked by an open file."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel, self._asking, self._number = channel, Lock(), 0
        channel.set_inheritable(False)
        channel.settimeout(ANSWER)

    def begin(self, wish: Wish) -> tuple[socket.socket, int]:
        """Return the line by which the house does this, and a port if that was asked for.

        Raises:
            NetworkError: it does not.
        """
        try:
            with self._asking:  # one after the other, whatever the thread
                return self._begun(wish)
        except (OSError, BadData) as error:
            raise _no_house() from error

    def _begun(self, wish: Wish) -> tuple[socket.socket, int]:
        self._number = (self._number + 1) % MAX_ASKED
        self._channel.send(pack_asked(self._number, wish))
        while True:
            said, files, _, _ = socket.recv_fds(self._channel, LONGEST, 1)
            lines = [socket.socket(fileno=one) for one in files]
            answer = unpack_answered(said)
            match answer.told:
                case Granted(port) if answer.number == self._number and lines:
                    lines[0].set_inheritable(False)
                    return lines[0], port
                case Refused() as refused if answer.number == self._number:
                    raise _error(refused)
            for line in lines:  # of a wish for whose answer nobody has waited
                line.close()

    async def reached(
        self, addresses: Sequence[str], port: int, limit: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a connection to the table there; `limit` bytes of it are read at once.

        Raises:
            NetworkError: there is none, in words for people.
        """
        known = tuple(one for one in addresses if one)[:MAX_ADDRESSES]
        line, _ = await asyncio.to_thread(self.begin, Reach(known, port))
        reader, writer = await asyncio.open_connection(sock=line, limit=limit)
        try:
            async with asyncio.timeout(RESULT):
                size = int.from_bytes(await reader.readexactly(LENGTH), "big")
                told = TOLD.unpack(await reader.readexactly(size))
            if isinstance(told, Refused):
                raise _error(told)
        except (OSError, EOFError, BadData) as error:
            writer.transport.abort()
            raise _no_house() from error
        except BaseException:
            writer.transport.abort()
            raise
        return reader, writer

    async def listening(self, port: int, accept: Accept, limit: int) -> Door:
        """Return a door at that port, or if it is 0 at any.

        Raises:
            NetworkError: the house does not open one, in words for people.
        """
        line, port = await asyncio.to_thread(self.begin, Listen(port))
        return Door(line, port, accept, limit)

    def announcer(self, key: str, table: Announced, service: str = SERVICE) -> Announcer:
        """Return what has a table announced."""
        return Announcer(self, key, table, service)

    def finder(
        self,
        deliver: Callable[[News], object],
        service: str = SERVICE,
        only: Collection[str] = (),
    ) -> Finder:
        """Return what tells of tables, or of those."""
        return Finder(self, deliver, service, only)


def of_process() -> House | None:
    """Return the house of this process; None: there is none, we have a network ourselves."""
    said = os.environ.get(NETWORK, "")
    return _house(int(said)) if said.isdecimal() else None


@cache
def _house(number: int) -> House:
    return House(socket.socket(fileno=number))


def _error(refused: Refused) -> NetworkError:
    return NetworkError(refused.code, refused.text, hint=refused.hint)


def _no_house() -> NetworkError:
    return NetworkError(
        codes.UNREACHABLE, "The house does not answer", hint="leave it, and come again"
    )


# --- who comes ------------------------------------------------------------------------------


class Door:
    """Where others come to us; the house listens there, as long as this is open."""

    def __init__(self, line: socket.socket, port: int, accept: Accept, limit: int) -> None:
        """Hand who comes to `accept`, with their address; `limit` bytes are read at once."""
        self.port = port
        self._line, self._accept, self._limit = line, accept, limit
        self._coming: set[asyncio.Task[None]] = set()
        line.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(line, self._come)

    def _come(self) -> None:
        try:
            said, files, _, _ = socket.recv_fds(self._line, ADDRESS, 1)
        except BlockingIOError:
            return
        except OSError:
            said, files = b"", []
        for number in files:
            sock, address = socket.socket(fileno=number), said.rstrip(b"\0").decode("ascii")
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
        """Let nobody else come."""
        if self._line.fileno() >= 0:
            self._loop.remove_reader(self._line)
            self._line.close()


# --- what is announced ------------------------------------------------------------------------


def _told(line: socket.socket) -> Iterator[Told]:
    """Yield what is told over a line, until it ends."""
    frames = Frames()
    with suppress(OSError, BadData):
        while data := line.recv(CHUNK):
            for packed in frames.take(data):
                yield TOLD.unpack(packed)


def _granted(house: House, wish: Wish) -> tuple[socket.socket, Iterator[Told]]:
    """Return the line by which the house announces or finds, and what it tells there.

    Raises:
        NoDiscovery: it cannot be done.
    """
    try:
        line, _ = house.begin(wish)
    except NetworkError as error:
        raise NoDiscovery(str(error), hint=error.hint) from error
    line.settimeout(RESULT)
    said = _told(line)
    first = next(said, None)
    if not isinstance(first, Granted):
        line.close()
        why = _error(first) if isinstance(first, Refused) else _no_house()
        raise NoDiscovery(str(why), hint=why.hint)
    line.settimeout(None)
    return line, said


class Announcer:
    """Has one table announced by the house, as discovery.Announcer does it by itself."""

    def __init__(self, house: House, key: str, table: Announced, service: str = SERVICE) -> None:
        self._house, self._key, self._table, self._service = house, key, table, service
        self._line: socket.socket | None = None

    def start(self) -> None:
        """Begin to announce.

        Raises:
            NoDiscovery: there is no network to announce on.
        """
        wish = announce(self._key, self._table, self._service)
        self._line, _ = _granted(self._house, wish)

    def update(self, table: Announced) -> None:
        """Announce what has changed."""
        self._table = table
        if self._line is not None:
            wish = announce(self._key, table, self._service)
            self._line.sendall(frame(WISHES.pack(wish)))

    def close(self) -> None:
        """Let the table vanish from lists."""
        line, self._line = self._line, None
        if line is not None:
            line.close()


class Finder:
    """Tells of tables that the house finds, as discovery.Finder finds them by itself."""

    def __init__(
        self,
        house: House,
        deliver: Callable[[News], object],
        service: str = SERVICE,
        only: Collection[str] = (),
    ) -> None:
        self._house, self._deliver, self._service, self._only = house, deliver, service, only
        self._line: socket.socket | None = None
        self._is_closed = False

    def start(self) -> None:
        """Begin to listen.

        Raises:
            NoDiscovery: there is no network to ask on.
        """
        self._line, told = _granted(self._house, Find(self._service, tuple(self._only)))
        Thread(target=self._hear, args=(self._line, told), name="finder", daemon=True).start()
        if self._is_closed:  # meanwhile
            self._end()

    def close(self) -> None:
        """Stop, at once: nothing is delivered any more."""
        self._is_closed = True
        self._end()

    def _end(self) -> None:
        if self._line is not None:
            with suppress(OSError):  # it has ended already
                self._line.shutdown(socket.SHUT_RDWR)  # which wakes the thread

    def _hear(self, line: socket.socket, said: Iterator[Told]) -> None:
        with line:
            for told in said:
                news = news_of(told)
                if news is not None and not self._is_closed:
                    self._deliver(news)
