"""A turn to think, where there is a house whose guests take turns; elsewhere one just thinks.

The house says a place in its queue: at 0 a thought may begin or go on, at any other it waits.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

from kumite.store.house import DONE, TURNS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

LONGEST: Final = 32  # bytes of what a house says at once


class Queue:
    """The place of this app in its house's queue."""

    def __init__(self, channel: int | None) -> None:
        """Ask by this open file; None: there is no house."""
        self._channel = channel
        self._number = 0
        self.place = 0
        self._moved: Callable[[], object] = lambda: None

    @classmethod
    def of_process(cls) -> Queue:
        """Return the one that the house has given to this process, if it is a guest's."""
        said = os.environ.get(TURNS, "")
        channel = int(said) if said.isdecimal() else None
        if channel is not None:
            os.set_inheritable(channel, False)
        return cls(channel)

    def on_move(self, moved: Callable[[], object]) -> None:
        """Call `moved` whenever the place is another."""
        self._moved = moved

    def words(self) -> str:
        """Say that a bot waits, and where in the queue; nothing if none does."""
        if not self.place:
            return ""
        return f"Bots take turns in this house: the one you wait for is number {self.place}."

    @asynccontextmanager
    async def turn(self, wish: str, change: Callable[[bool], object]) -> AsyncIterator[None]:
        """Wait for a turn, and have it; `change` is called when it is paused, and given back."""
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
        """Return the places that were said of this thought; those of earlier ones are past."""
        assert self._channel is not None
        found = []
        with suppress(OSError):
            while True:
                said = os.read(self._channel, LONGEST)
                if not said:  # the house has gone: there is nothing to be heard any more
                    asyncio.get_running_loop().remove_reader(self._channel)
                    break
                about, _, place = said.partition(b" ")
                if about == b"%d" % number and place.isdigit():
                    found.append(int(place))
        return found

    def _tell(self, said: str) -> bool:
        """Return whether the house can be asked at all."""
        assert self._channel is not None
        try:
            return os.write(self._channel, said.encode()) > 0
        except OSError:  # the house has gone, and we soon will
            return False
