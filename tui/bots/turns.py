"""The queue for bot searches on a server, where guests take turns; elsewhere there is no wait.

The server sends a place in its queue: at 0 a search may begin or go on, otherwise it waits.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

from kumite.store.guest_mode import DONE, TURNS

LONGEST: Final = 32  # bytes read at once


class Queue:
    """This app's place in the server's queue."""

    def __init__(self, channel: int | None) -> None:
        """Talk to the server through this file descriptor; None: there is no server."""
        self._channel = channel
        self._number = 0
        self.place = 0
        self._moved: Callable[[], object] = lambda: None

    @classmethod
    def of_process(cls) -> Queue:
        """Return the queue that the server gave this process, or one without a server."""
        said = os.environ.get(TURNS, "")
        channel = int(said) if said.isdecimal() else None
        if channel is not None:
            os.set_inheritable(channel, False)
        return cls(channel)

    def on_move(self, moved: Callable[[], object]) -> None:
        """Call `moved` whenever the place changes."""
        self._moved = moved

    def words(self) -> str:
        """Return that a bot is queued, and its place; "" if none is."""
        if not self.place:
            return ""
        return f"Bots take turns on this server: the one you wait for is number {self.place}."

    @asynccontextmanager
    async def turn(self, wish: str, change: Callable[[bool], object]) -> AsyncIterator[None]:
        """Wait for a turn and hold it; call `change(False)` on a pause, `change(True)` after it."""
        if self._channel is None:
            yield
            return
        loop, begins = asyncio.get_running_loop(), asyncio.Event()
        self._number += 1
        number, channel = self._number, self._channel

        def heard() -> None:
            for place in self._said(number):
                had, self.place = self.place, place
                if not begins.is_set():
                    if place == 0:
                        begins.set()
                elif (had == 0) != (place == 0):
                    change(place == 0)
                if had != place:
                    self._moved()

        loop.add_reader(channel, heard)
        try:
            if self._tell(f"{number} {wish}"):
                await begins.wait()
            yield
        finally:
            loop.remove_reader(channel)
            self._tell(f"{number} {DONE}")
            if self.place:
                self.place = 0
                self._moved()

    def _said(self, number: int) -> list[int]:
        """Return the places sent for this search, ignoring earlier searches."""
        assert self._channel is not None
        found = []
        with suppress(OSError):
            while True:
                said = os.read(self._channel, LONGEST)
                if not said:  # the server is gone: stop reading
                    asyncio.get_running_loop().remove_reader(self._channel)
                    break
                about, _, place = said.partition(b" ")
                if about == b"%d" % number and place.isdigit():
                    found.append(int(place))
        return found

    def _tell(self, said: str) -> bool:
        assert self._channel is not None
        try:
            return os.write(self._channel, said.encode()) > 0
        except OSError:  # the server is gone; this process will follow
            return False
