"""Waiting for what another thread or process brings about: by the clock, never by counted polls.

A busy machine makes a poll take long, and many of them longer; a deadline far away only ever
matters to a test that fails.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

PATIENCE: Final = 60.0  # s until waiting for something has failed
PAUSE: Final = 0.01  # s between two looks


def looks(what: str, patience: float = PATIENCE) -> Iterator[None]:
    """Yield for each look, until who looks has seen enough or `patience` seconds are over."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        yield
    raise AssertionError(f"waited {patience:g} s for {what}")


def wait_for(condition: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    for _ in looks(what, patience):
        if condition():
            return
        time.sleep(PAUSE)


class Watched(ABC):
    """A terminal's screen that is read now and then."""

    @property
    @abstractmethod
    def text(self) -> str:
        """Return the screen as lines without spaces at their ends."""

    @abstractmethod
    def read(self, timeout: float) -> int:
        """Take in what comes within `timeout` seconds; return how many bytes (0: nothing)."""

    def wait_until(self, condition: Callable[[], bool], patience: float = PATIENCE) -> bool:
        """Read until `condition` holds of the screen; return whether it did in time."""
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                return False
            self.read(0.05)
        return True

    def wait_for(self, *texts: str) -> str:
        """Read until all of `texts` are on the screen, and return it."""
        shown = self.wait_until(lambda: all(text in self.text for text in texts))
        assert shown, f"{texts} did not appear on the screen:\n{self.text}"
        return self.text

    def find(self, pattern: str) -> re.Match[str]:
        """Read until `pattern` is on the screen, which may come in parts; return the match."""
        shown = self.wait_until(lambda: re.search(pattern, self.text) is not None)
        assert shown, f"{pattern} did not appear on the screen:\n{self.text}"
        found = re.search(pattern, self.text)
        assert found is not None
        return found


class Awaited(ABC):
    """A terminal's screen that is read while the loop goes on."""

    @property
    @abstractmethod
    def text(self) -> str:
        """Return the screen."""

    @abstractmethod
    async def take_in(self) -> bool:
        """Take in what comes next; return whether anything still can."""

    async def wait_for(self, *texts: str) -> str:
        """Read until all of these are on the screen, and return it."""
        return await self.wait_until(lambda: all(one in self.text for one in texts), str(texts))

    async def find(self, pattern: str) -> re.Match[str]:
        """Read until `pattern` is on the screen, which may come in parts; return the match."""
        await self.wait_until(lambda: re.search(pattern, self.text) is not None, pattern)
        found = re.search(pattern, self.text)
        assert found is not None
        return found

    async def wait_until(self, condition: Callable[[], bool], what: str) -> str:
        """Read until something holds of the screen, and return it."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition():
                    assert await self.take_in(), f"the line ended before {what}:\n{self.text}"
        except TimeoutError:
            raise AssertionError(f"{what} did not come:\n{self.text}") from None
        return self.text


def is_running(process: int) -> bool:
    """Return whether a process runs: a zombie that nobody has buried yet runs no more."""
    try:
        os.kill(process, 0)
        stat = Path(f"/proc/{process}/stat").read_text()
    except ProcessLookupError:  # it can end between the two, or while it is read
        return False
    except FileNotFoundError:  # there is no /proc; or it has ended, which the next look tells
        return True
    return stat.rpartition(")")[2].split()[0] != "Z"


def wait_for_end(process: int) -> None:
    wait_for(lambda: not is_running(process), f"the end of process {process}")
