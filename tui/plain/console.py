"""A terminal of lines: what is typed comes as it comes, what is said leaves no escape sequence.

Lines are read in a thread of their own, because neither Windows nor files and pipes everywhere let
a loop wait for them.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from contextlib import suppress
from threading import Semaphore, Thread
from typing import TYPE_CHECKING, Any, Final

from kumite.core.text import clean, harmless
from kumite.store import system

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

LONGEST: Final = 4000  # characters of a line that are read; what follows them is dropped
AHEAD: Final = 200  # lines that are read before anybody has asked for them
CHUNK: Final = 65536  # bytes
PAGE: Final = 60  # lines that push up what not everybody may read
PROMPT: Final = "> "


class Console:
    """Lines in, lines out, and news from elsewhere in between."""

    def __init__(
        self,
        read: Callable[[], bytes] | None = None,
        write: Callable[[str], object] | None = None,
        *,
        is_terminal: bool | None = None,
    ) -> None:
        """Use standard input and output, or what a test puts in their place.

        `read` returns some bytes, none at the end.
        """
        self._read = read or _read_input
        self._write = write or _write_output
        self._is_terminal = sys.stdin.isatty() if is_terminal is None else is_terminal
        self._lines: deque[str | None] = deque()
        self._news: deque[Any] = deque()
        self._came = asyncio.Event()
        self._room = Semaphore(AHEAD)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_open = False  # a prompt waits for a line

    def begin(self) -> None:
        """Begin to read, in the loop that runs."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
            Thread(target=self._listen, name="lines", daemon=True).start()

    def post(self, news: object) -> None:
        """Let the next call of `next` return this; from any thread."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop has ended, nobody listens
            self._loop.call_soon_threadsafe(self._take, self._news, news)

    async def next(self, *, reads: bool = True) -> Any:
        """Return what was posted, or the next line, None once there is none any more.

        Without `reads`, lines wait until somebody wants them.
        """
        while True:
            if self._news:
                return self._news.popleft()
            if reads and self._lines:
                return self._typed(self._lines.popleft())
            self._came.clear()
            await self._came.wait()

    def _typed(self, line: str | None) -> str | None:
        self._room.release()
        if line is None:
            self._lines.append(None)  # the end stays the end
        if self._is_open and not self._is_terminal:
            self._write("\n" if line is None else f"{harmless(line)}\n")
        self._is_open = False
        return line

    # --- saying -------------------------------------------------------------------------------

    def say(self, *lines: str) -> None:
        """Print lines; what would steer a terminal is shown as U+FFFD."""
        if not lines:
            return
        if self._is_open:
            self._write("\n")
            self._is_open = False
        self._write("".join(f"{harmless(line)}\n" for line in lines))

    def prompt(self) -> None:
        """Say that a line is waited for."""
        if not self._is_open:
            self._write(PROMPT)
            self._is_open = True

    def push_up(self) -> bool:
        """Push what stands on a terminal out of sight; return whether there is one."""
        if self._is_terminal:
            self._write("\n" * PAGE)
        return self._is_terminal

    # --- listening, in a thread of its own ----------------------------------------------------

    def _listen(self) -> None:
        rest = b""
        while data := self._read():
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._hand_over(line)
            rest = rest[: 4 * LONGEST]
        if rest:
            self._hand_over(rest)
        self._put(None)

    def _hand_over(self, line: bytes) -> None:
        self._put(clean(line[: 4 * LONGEST].decode("utf-8", "replace"), LONGEST))

    def _put(self, line: str | None) -> None:
        self._room.acquire()
        assert self._loop is not None
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._take, self._lines, line)

    def _take(self, where: deque[Any], what: object) -> None:
        where.append(what)
        self._came.set()


def talk(run: Callable[[Console], Coroutine[Any, Any, None]]) -> int:
    """Run a talk on standard input and output; return the status to end with.

    A signal that wants the program to end does so at once.
    """
    ended = 0

    async def main() -> None:
        task = asyncio.current_task()

        def end(sign: int) -> None:
            nonlocal ended
            ended = 128 + sign
            if task is not None:
                task.cancel()

        system.on_ending(asyncio.get_running_loop(), end)
        try:
            await run(Console())
        finally:
            system.end_at_once()

    with suppress(asyncio.CancelledError):
        asyncio.run(main())
    return ended


def _read_input() -> bytes:
    """Return what there is to read, b"" at the end.

    Past Python's buffer: a thread that waits in it keeps the program from ending.
    """
    try:
        return os.read(sys.stdin.fileno(), CHUNK)
    except (OSError, ValueError):  # a terminal that is gone; no standard input at all
        return b""


def _write_output(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
