"""A guest's terminal over any kind of connection, and prompts on it."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

MOST: Final = 16 << 10  # bytes of pending input; beyond that the terminal is asked to wait
CHUNK: Final = 4 << 10  # bytes per read
LONGEST: Final = 64  # characters of an answer
SPEED, BURST = 64 << 10, 512 << 10  # bytes a second from a client, and burst; typing takes 100
BEHIND: Final = 64 << 10  # bytes of unread output, after which the app waits
LINGER: Final = 3.0  # s to deliver the last output
ANSWER: Final = 2.0  # s to answer a ping
SMALLEST, LARGEST = (1, 1), (300, 100)  # columns and rows
ENTER, DELETE, GIVE_UP = b"\r\n", b"\x7f\x08", b"\x03\x04"
KEY: Final = re.compile(rb"\x1b(\[[0-?]*[@-~]|O.)?")  # arrows and the like


def address_of(connection: Any) -> str:
    """Return the client's address; "" without one. IPv4 comes to an IPv6 socket as ::ffff:…."""
    name = connection.get_extra_info("peername") if connection is not None else None
    return str(name[0]).removeprefix("::ffff:") if name else ""


class Size(NamedTuple):
    """The size of a terminal."""

    columns: int
    rows: int

    @classmethod
    def within_reason(cls, columns: int, rows: int) -> Size:
        """Return a drawable size, whatever the terminal reports."""
        low, high = SMALLEST, LARGEST
        return cls(max(low[0], min(columns, high[0])), max(low[1], min(rows, high[1])))


class Terminal(ABC):
    """A terminal at the other end of a connection; buffers are small in both directions."""

    kind = ""  # its type as in $TERM, unchecked

    def __init__(self, size: Size, env: Mapping[str, str] | None = None) -> None:
        """`env`: the environment that the other side has sent, unchecked."""
        self.size, self.env = size, dict(env or {})
        self.on_resize: Callable[[], object] = lambda: None
        self._typed, self._has_ended, self._is_paused = bytearray(), False, False
        self._news = asyncio.Event()
        self._writable = asyncio.Event()  # whether the other side reads our output
        self._writable.set()

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Write to it, unless it is gone."""

    @abstractmethod
    def pause_reading(self) -> None:
        """Ask it to stop sending for now."""

    @abstractmethod
    def resume_reading(self) -> None:
        """Let it send again."""

    @abstractmethod
    def end(self) -> None:
        """End it once all output is sent; do not wait for a side that does not read."""

    @abstractmethod
    async def ping(self) -> None:
        """Wait until the other side shows that it is there."""

    @abstractmethod
    def cut(self) -> None:
        """End the connection immediately."""

    async def is_there(self) -> bool:
        """Return False, and cut the connection, if the other side does not answer."""
        try:
            await asyncio.wait_for(self.ping(), ANSWER)
        except OSError:  # TimeoutError, too
            self.cut()
            return False
        return True

    def resize(self, columns: int, rows: int) -> None:
        self.size = Size.within_reason(columns, rows)
        self.on_resize()

    def feed(self, data: bytes) -> None:
        self._typed += data
        self._news.set()
        if len(self._typed) > MOST and not self._is_paused:
            self._is_paused = True
            self.pause_reading()

    def unread(self, data: bytes) -> None:
        """Put back data that was read too early."""
        self._typed[:0] = data
        if data:
            self._news.set()

    def feed_eof(self) -> None:
        self._has_ended = True
        self._news.set()

    async def read(self) -> bytes:
        """Return some of the input; empty if the other side is gone."""
        while not self._typed and not self._has_ended:
            self._news.clear()
            await self._news.wait()
        data = bytes(self._typed[:CHUNK])
        del self._typed[:CHUNK]
        if self._is_paused and not self._typed:
            self._is_paused = False
            self.resume_reading()
        return data

    async def drain(self) -> None:
        await self._writable.wait()


async def ask(terminal: Terminal, question: str, *, is_secret: bool = False) -> str | None:
    """Return a line of input, None if the guest cancels or disconnects."""
    terminal.write(f"{question} ".encode())
    written = bytearray()
    while data := await terminal.read():
        data = KEY.sub(b"", data)
        for at, byte in enumerate(data):
            if byte in GIVE_UP:
                return None
            if byte in ENTER:
                rest = data[at + 1 :]
                terminal.unread(rest[1:] if data[at : at + 2] == b"\r\n" else rest)
                terminal.write(b"\r\n")
                return written.decode("utf-8", "replace")
            if byte in DELETE:
                if written:
                    _rub_out(terminal, written)
            elif byte >= 0x20 and len(written) < LONGEST:
                written.append(byte)
                if byte < 0x80 or byte >= 0xC0:  # once per character
                    terminal.write(b"*" if is_secret or byte >= 0x80 else bytes((byte,)))
    return None


def _rub_out(terminal: Terminal, written: bytearray) -> None:
    while written and 0x80 <= written[-1] < 0xC0:
        written.pop()
    if written:
        written.pop()
    terminal.write(b"\b \b")
