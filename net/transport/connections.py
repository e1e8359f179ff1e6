"""The connections of a peer: opened, read, written and closed, all in its loop."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.net.session import events
from kumite.net.session.events import Input
from kumite.net.transport import network
from kumite.net.transport.network import Listener

if TYPE_CHECKING:
    from kumite.net.transport.beacons import Place, Try

CHUNK: Final = 4096  # bytes per read
TRIES: Final = 3  # concurrent connection attempts to one place
MAX_BEHIND: Final = 4 << 20  # bytes buffered for a slow terminal
LINGER: Final = 0.5  # s to flush the last messages before a connection is cut


@dataclass(slots=True)
class Wire:
    """A connection (mutable: the socket's side of it)."""

    writer: asyncio.StreamWriter
    address: str = ""  # of an incoming connection
    made: Try | None = None  # the target of an outgoing connection
    has_spoken: bool = False
    is_closing: bool = False


class Connections:
    """All connections of one peer, by number; received data go to `feed`."""

    def __init__(
        self, feed: Callable[[Input], None], spawn: Callable[[Coroutine[Any, Any, None]], object]
    ) -> None:
        """Pass inputs to `feed`, and background work to `spawn`."""
        self.wires: dict[int, Wire] = {}
        self._feed, self._spawn = feed, spawn
        self._count = 0  # connections so far, for their numbers
        self._tries: Counter[Try] = Counter()  # connections being made
        self._listener: Listener | None = None
        self._is_over = False

    async def listen(self, address: str | None, port: int) -> int:
        """Accept connections at this address or all; return the port, or raise NetworkError."""
        self._listener = await network.listen(address, port, self._accept, CHUNK)
        return self._listener.port

    def stop_listening(self) -> None:
        if self._listener is not None:
            self._listener.close()

    async def end(self) -> None:
        """Abort all connections, also half-accepted ones, before the loop closes."""
        self.stop_listening()
        self._is_over = True
        for wire in self.wires.values():
            wire.writer.transport.abort()
        letting_in = asyncio.all_tasks() - {asyncio.current_task()}
        if letting_in:  # asyncio's accept tasks, which `_accept` aborts
            await asyncio.wait(letting_in, timeout=LINGER)
        await asyncio.sleep(0)  # a socket closes in the next loop iteration

    async def connect(self, to: int, place: Place) -> None:
        """Connect to a terminal, with up to TRIES concurrent attempts per place."""
        made, (addresses, port) = (to, place), place
        if self._tries[made] >= TRIES:
            return
        self._tries[made] += 1
        try:
            reader, writer = await network.connect(addresses or ("",), port, CHUNK)
        except KumiteError as error:
            self._feed(events.Unreached(error))
        else:
            self._accept(reader, writer, "", made)
        finally:
            self._tries[made] -= 1

    def send(self, link: int, data: bytes) -> None:
        """Send bytes over a connection, unless it has ended."""
        wire = self.wires.get(link)
        if wire is None or wire.is_closing or wire.writer.is_closing():
            return  # `LineLost` has been fed, or will be
        wire.writer.write(data)
        wire.has_spoken = True
        if wire.writer.transport.get_write_buffer_size() > MAX_BEHIND:
            wire.writer.transport.abort()  # a terminal that does not read may reconnect

    def close(self, link: int) -> None:
        """Close a connection after its output is sent.

        Closing immediately could discard data that the other side has not read, so shut down our
        direction and wait briefly for theirs to end.
        """
        wire = self.wires.get(link)
        if wire is None:
            return
        wire.is_closing = True
        if not wire.has_spoken:
            wire.writer.transport.abort()
            return
        with suppress(OSError):
            wire.writer.write_eof()
        _later(wire.writer.transport.abort)

    def _accept(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        address: str,
        made: Try | None = None,
    ) -> None:
        if self._is_over:
            writer.transport.abort()
            return
        self._count += 1
        self.wires[self._count] = wire = Wire(writer, address, made)
        self._spawn(self._read(self._count, reader, wire))

    async def _read(self, link: int, reader: asyncio.StreamReader, wire: Wire) -> None:
        writer = wire.writer
        try:
            to = None if wire.made is None else wire.made[0]
            self._feed(events.Opened(link, wire.address, to))
            while data := await reader.read(CHUNK):
                if wire.is_closing:
                    continue  # waiting for the end only
                self._feed(events.Heard(link, data))
                await writer.drain()  # while our answers are not read, nothing more is heard
        except OSError:
            pass  # same as closed; the session interprets it
        finally:
            del self.wires[link]
            self._feed(events.LineLost(link))
            writer.close()
            _later(writer.transport.abort)
            with suppress(OSError):
                await writer.wait_closed()


def _later(action: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(LINGER, action)
