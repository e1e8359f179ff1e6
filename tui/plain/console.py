"""A line-based terminal; output never contains escape sequences.

Lines are read in a separate thread, since an event loop cannot wait for input on Windows, nor
for files and pipes on every system.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from functools import cache, partial
from threading import Semaphore, Thread
from typing import Any, Final, TypeVar

from kumite.core.errors import KumiteError
from kumite.core.text import broken_at_words, clean, harmless
from kumite.store import system

T = TypeVar("T")
LONGEST: Final = 4000  # characters read of a line; the rest is dropped
AHEAD: Final = 200  # lines read ahead
CHUNK: Final = 65536  # bytes
PAGE: Final = 60  # blank lines that scroll secrets out of view
PROMPT: Final = "> "


class Console:
    """Reads and prints lines, and receives events in between."""

    def __init__(
        self,
        read: Callable[[], bytes] | None = None,
        write: Callable[[str], object] | None = None,
        *,
        is_terminal: bool | None = None,
        width: Callable[[], int] | None = None,
    ) -> None:
        """Use standard input and output, or replacements in tests.

        `read` returns some bytes, or b"" at the end; `width`, the columns of the terminal that is
        written to, or 0.
        """
        self._read = read or _read_input
        self._write = write or _write_output
        self._width = width or system.columns
        self._is_terminal = sys.stdin.isatty() if is_terminal is None else is_terminal
        self.spoken: Callable[[str], str] = str  # how a line is written to be read aloud
        self._lines: deque[str | None] = deque()
        self._news: deque[Any] = deque()
        self._came = asyncio.Event()
        self._room = Semaphore(AHEAD)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_open = False  # a prompt is waiting for a line

    def begin(self) -> None:
        """Listen for this event loop; one dialogue after another may use the console."""
        is_new, loop = self._loop is None, asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._came = loop, asyncio.Event()
            self._news.clear()
        if is_new:
            Thread(target=self._listen, name="lines", daemon=True).start()

    def post(self, news: object) -> None:
        """Queue `news` to be returned by `next`; callable from any thread."""
        assert self._loop is not None
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._take, news)

    async def next(self, *, reads: bool = True) -> Any:
        """Return the next posted item or line; None at the end of the input.

        Without `reads`, lines stay queued.
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
            self._lines.append(None)  # later calls must see the end, too
        if self._is_open and not self._is_terminal:
            self._write("\n" if line is None else f"{harmless(line)}\n")
        self._is_open = False
        return line

    # --- saying -------------------------------------------------------------------------------

    def say(self, *lines: str) -> None:
        """Print lines; control characters are shown as U+FFFD."""
        if not lines:
            return
        if self._is_open:
            self._write("\n")
            self._is_open = False
        width = self._width()
        said = (harmless(self.spoken(line)) for line in lines)
        self._write("".join(f"{broken_at_words(line, width)}\n" for line in said))

    def prompt(self, place: str = "") -> None:
        if not self._is_open:
            self._write(f"{place}{PROMPT}")
            self._is_open = True

    def ring(self) -> None:
        if self._is_terminal:
            self._write("\a")

    def push_up(self) -> bool:
        """Scroll the terminal's content out of view; return whether there is a terminal."""
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
        self._lines.append(line)  # kept, also between two dialogues
        assert self._loop is not None
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._came.set)

    def _take(self, news: object) -> None:
        self._news.append(news)
        self._came.set()


class Dialogue:
    """What is told and typed until it is left."""

    help_lines: tuple[str, ...] = ()

    def __init__(self, console: Console) -> None:
        self.console, self.is_left = console, False

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        """Return the commands by name; each is called with the rest of the line."""
        raise NotImplementedError

    def take(self, news: Any) -> None:
        """Handle a line, the end of the input (None), or what was posted: a function to call."""
        if callable(news):
            news()
        elif news is None:
            self.console.say("The input has ended.")
            self.leave()
        else:
            self.obey(news)

    def obey(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        if (command := self.commands.get(word.lower())) is not None:
            command(rest.strip())
        else:
            self.console.say(*self.help_lines)

    def start(
        self, work: Callable[[], Awaitable[T]], then: Callable[[T | KumiteError], object]
    ) -> asyncio.Task[None]:
        """Start some work, and handle its result or failure like a line that was typed."""

        async def working() -> None:
            found: T | KumiteError
            try:
                found = await work()
            except KumiteError as error:
                found = error
            self.console.post(partial(then, found))

        return asyncio.create_task(working())

    def talk(self, say: Callable[[str], object], text: str) -> None:
        if text:
            say(text)
        else:
            self.console.say("Say what? For example: say good luck")

    def leave(self) -> None:
        self.is_left = True


@cache
def standard() -> Console:
    """Return the console of standard input and output: two would take each other's lines."""
    return Console()


def talk(run: Callable[[Console], Coroutine[Any, Any, None]]) -> None:
    """Run a dialogue on standard input and output; a terminating signal exits at once."""
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
            await run(standard())
        finally:
            system.end_at_once()

    with suppress(asyncio.CancelledError):
        asyncio.run(main())
    if ended:
        raise SystemExit(ended)


def _read_input() -> bytes:
    """Return the available bytes, b"" at the end.

    Bypasses Python's buffer: a thread blocked in it would keep the program from exiting.
    """
    try:
        return os.read(sys.stdin.fileno(), CHUNK)
    except (OSError, ValueError):  # the terminal is gone, or there is no standard input
        return b""


def _write_output(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
