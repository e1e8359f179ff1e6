"""The terminal at the other end of a line, whatever the line is; and asking somebody there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST: Final = 64  # characters of an answer
SMALLEST, LARGEST = (1, 1), (300, 100)  # columns and rows
ENTER, DELETE, GIVE_UP = b"\r\n", b"\x7f\x08", b"\x03\x04"
KEY: Final = re.compile(rb"\x1b(\[[0-?]*[@-~]|O.)?")  # arrows and the like


class Size(NamedTuple):
    """Of a terminal."""

    columns: int
    rows: int

    @classmethod
    def within_reason(cls, columns: int, rows: int) -> Size:
        """Return a size that can be drawn: a terminal may say anything."""
        low, high = SMALLEST, LARGEST
        return cls(max(low[0], min(columns, high[0])), max(low[1], min(rows, high[1])))


class Line(Protocol):
    """A terminal somewhere else."""

    @property
    def kind(self) -> str:
        """Return what it says it is, as in $TERM: any text."""

    @property
    def said(self) -> dict[str, str]:
        """Return the environment that it has sent: any texts."""

    @property
    def size(self) -> Size:
        """Return its size now, within reason."""

    def on_resize(self, hear: Callable[[], object]) -> None:
        """Call `hear` whenever its size has changed."""

    def write(self, data: bytes) -> None:
        """Write to it."""

    async def drained(self) -> None:
        """Wait until not much is left of what was written."""

    async def take(self) -> bytes:
        """Return some of what comes from it; nothing: it is gone."""

    def put_back(self, data: bytes) -> None:
        """Put in front again what was taken too early."""


async def ask(line: Line, question: str, *, is_secret: bool = False) -> str | None:
    """Return the line that somebody writes; None: they have given up, or are gone."""
    line.write(f"{question} ".encode())
    written = bytearray()
    while data := await line.take():
        data = KEY.sub(b"", data)
        for at, byte in enumerate(data):
            if byte in GIVE_UP:
                return None
            if byte in ENTER:
                rest = data[at + 1 :]
                line.put_back(rest[1:] if data[at : at + 2] == b"\r\n" else rest)
                line.write(b"\r\n")
                return written.decode("utf-8", "replace")
            if byte in DELETE:
                if written:
                    _rub_out(line, written)
            elif byte >= 0x20 and len(written) < LONGEST:
                written.append(byte)
                if byte < 0x80 or byte >= 0xC0:  # once for each character
                    line.write(b"*" if is_secret or byte >= 0x80 else bytes((byte,)))
    return None


def _rub_out(line: Line, written: bytearray) -> None:
    """Take back the last character."""
    while written and 0x80 <= written[-1] < 0xC0:
        written.pop()
    if written:
        written.pop()
    line.write(b"\b \b")
