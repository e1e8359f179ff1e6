"""What comes from a guest's terminal and goes to it: never more than a little waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.serve.line import Size

MOST: Final = 16 << 10  # bytes; with more the terminal is asked to wait
CHUNK: Final = 4 << 10  # bytes that are taken at once


class Inbox:
    """Bytes in the order in which they have come; `pause` and `resume` are told to the line."""

    def __init__(self, pause: Callable[[], object], resume: Callable[[], object]) -> None:
        self._pause, self._resume = pause, resume
        self._held, self._has_ended, self._is_paused = bytearray(), False, False
        self._news = asyncio.Event()

    def put(self, data: bytes) -> None:
        """Add what has come."""
        self._held += data
        self._news.set()
        if len(self._held) > MOST and not self._is_paused:
            self._is_paused = True
            self._pause()

    def put_back(self, data: bytes) -> None:
        """Put in front again what was taken too early."""
        self._held[:0] = data
        if data:
            self._news.set()

    def end(self) -> None:
        """Note that nothing more comes."""
        self._has_ended = True
        self._news.set()

    async def take(self) -> bytes:
        """Return some bytes, as soon as there are any; none: nothing more comes."""
        while not self._held and not self._has_ended:
            self._news.clear()
            await self._news.wait()
        data = bytes(self._held[:CHUNK])
        del self._held[:CHUNK]
        if self._is_paused and not self._held:
            self._is_paused = False
            self._resume()
        return data


class TerminalEnd:
    """What all kinds of `Line` have alike: what waits in both directions, and a size."""

    def __init__(
        self, size: Size, pause: Callable[[], object], resume: Callable[[], object]
    ) -> None:
        """Begin with a terminal of this size; for the rest see Inbox."""
        self._size = size
        self._hear_size: Callable[[], object] = lambda: None
        self._inbox = Inbox(pause, resume)
        self._free = asyncio.Event()  # whether the other side reads what we write
        self._free.set()

    @property
    def size(self) -> Size:
        """Return the terminal's size."""
        return self._size

    def on_resize(self, hear: Callable[[], object]) -> None:
        """Call `hear` whenever the size has changed."""
        self._hear_size = hear

    async def drained(self) -> None:
        """Wait until the other side has read most of it."""
        await self._free.wait()

    async def take(self) -> bytes:
        """Return some of what was typed; nothing: the other side is gone."""
        return await self._inbox.take()

    def put_back(self, data: bytes) -> None:
        """Put in front again what was taken too early."""
        self._inbox.put_back(data)
