"""The connections of a peer: made, read, written to and ended, all in its loop."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.net.session import inputs
from kumite.net.transport import ways

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from kumite.net.session.inputs import Input
    from kumite.net.transport.beacons import Place, Try
    from kumite.net.transport.ways import Door

CHUNK: Final = 4096  # bytes read at once
TRIES: Final = 3  # connections being made to one place at the same time
MAX_BEHIND: Final = 4 << 20  # bytes that wait for one terminal to read them
LINGER: Final = 0.5  # s for the last words to get out before a connection is cut


@dataclass(slots=True)
class Wire:
    """A connection (mutable: the socket's side of it)."""

    writer: asyncio.StreamWriter
    address: str = ""  # of who has come to us
    made: Try | None = None  # to whom it leads and where, if we have made it
    has_spoken: bool = False
    is_closing: bool = False


class Connections:
    """All connections of one peer, by number; what comes over them goes to `feed`."""

    def __init__(
        self,
        feed: Callable[[Input], None],
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        """Hand inputs to `feed`, and work that goes on beside everything else to `spawn`."""
        self.wires: dict[int, Wire] = {}
        self._feed, self._spawn = feed, spawn
        self._count = 0  # connections so far, for their numbers
        self._tries: Counter[Try] = Counter()  # connections being made
        self._door: Door | None = None
        self._is_over = False

    async def listen(self, address: str | None, port: int) -> int:
        """Let others come, to this address or all of ours; return the port, new if it was 0.

        Raises:
            NetworkError: this computer does not allow it, in words for people.
        """
        self._door = await ways.listening(address, port, self._accept, CHUNK)
        return self._door.port

    def stop_listening(self) -> None:
        """Let nobody else come."""
        if self._door is not None:
            self._door.close()

    async def end(self) -> None:
        """Cut whatever is left, also who is just being let in, before the loop closes."""
        self.stop_listening()
        self._is_over = True
        for wire in self.wires.values():
            wire.writer.transport.abort()
        letting_in = asyncio.all_tasks() - {asyncio.current_task()}
        if letting_in:  # asyncio's own, which `_accept` cuts
            await asyncio.wait(letting_in, timeout=LINGER)
        await asyncio.sleep(0)  # a socket is closed at the next turn of the loop

    async def connect(self, to: int, place: Place) -> None:
        """Reach a terminal; a session that has been there before tries several times at once."""
        made, (addresses, port) = (to, place), place
        if self._tries[made] >= TRIES:
            return
        self._tries[made] += 1
        try:
            reader, writer = await ways.reached(addresses or ("",), port, CHUNK)
        except KumiteError as error:
            self._feed(inputs.Unreached(error))
        else:
            self._accept(reader, writer, "", made)
        finally:
            self._tries[made] -= 1

    def send(self, link: int, data: bytes) -> None:
        """Send bytes over a connection, unless it has ended."""
        wire = self.wires.get(link)
        if wire is None or wire.is_closing or wire.writer.is_closing():
            return  # it is gone; `Gone` has been said, or will be
        wire.writer.write(data)
        wire.has_spoken = True
        if wire.writer.transport.get_write_buffer_size() > MAX_BEHIND:
            wire.writer.transport.abort()  # a terminal that does not read may come back and ask

    def close(self, link: int) -> None:
        """End a connection when everything is out.

        To close at once could destroy what the other side has not read yet, so we end our own
        direction, and wait a little for theirs to end.
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
            self._feed(inputs.Opened(link, wire.address, to))
            while data := await reader.read(CHUNK):
                if wire.is_closing:
                    continue  # waiting for the end only
                self._feed(inputs.Heard(link, data))
                await writer.drain()  # while our answers are not read, nothing more is heard
        except OSError:
            pass  # broken is the same as ended: the session says what it means
        finally:
            del self.wires[link]
            self._feed(inputs.Gone(link))
            writer.close()
            _later(writer.transport.abort)
            with suppress(OSError):
                await writer.wait_closed()


def _later(action: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(LINGER, action)
