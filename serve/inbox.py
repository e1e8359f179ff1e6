"""What comes from a guest's terminal until somebody takes it: never more than a little."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

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
