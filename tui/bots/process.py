"""A child process that answers a line with a line. Uses pipes and a thread, no Textual.

The thread reads the pipes and the event loop awaits the result. So a program that hangs blocks
nothing, and a late answer is still removed from the pipe.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from concurrent.futures import Future
from contextlib import suppress
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.store import system

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

LONGEST: Final = 1 << 20  # bytes of an answer
ENDING: Final = 2.0  # s in which an ending or killed program must be gone


Heard: TypeAlias = "Callable[[bytes], bool]"


def _is_all(_: bytes) -> bool:
    return False


class Child:
    """A running child process."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        errors: Path | None = None,
    ) -> None:
        """Start the program in its own session, so that it gets no signals from terminal keys.

        Its standard error is appended to the file `errors`, or dropped.

        Raises:
            OSError: it cannot be started, or the file cannot be written.
        """
        self._errors = errors
        with open(errors or os.devnull, "ab") as file:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file,
                env=environment, **system.detached(),
            )  # fmt: skip
        self._questions: SimpleQueue[tuple[bytes, Heard, Future[bytes]] | None] = SimpleQueue()
        self._last: Future[bytes] | None = None  # the last question
        self._writing = Lock()
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    async def how_it_ended(self) -> str:
        """Return how the program ended, waiting briefly for its status."""
        end = monotonic() + ENDING
        while (status := self._process.poll()) is None:
            if monotonic() > end:
                return "it has closed its output"
            await asyncio.sleep(0.01)
        return f"killed by signal {-status}" if status < 0 else f"exit status {status}"

    async def ask(self, line: bytes, heard: Heard = _is_all) -> bytes:
        """Send a line and return the answer; b"" if the program has ended.

        The answer may have several lines: `heard` is called in the reading thread with each,
        and returns whether more follow. After a cancellation the answer is still due; `is_free`
        waits for it.
        """
        answered: Future[bytes] = Future()
        answered.set_running_or_notify_cancel()  # it cannot be cancelled
        self._last = answered
        self._questions.put((line, heard, answered))
        return await asyncio.wrap_future(answered)

    async def is_free(self, seconds: float) -> bool:
        """Wait for the last question to be answered; return whether it was in time."""
        if self._last is None or self._last.done():
            return True
        last = asyncio.wrap_future(self._last)
        done, _ = await asyncio.wait({last}, timeout=seconds)
        last.cancel()  # stops the waiting only; the thread still reads the answer
        return bool(done)

    def tell(self, line: bytes) -> None:
        """Send a line that has no answer; errors are ignored if the program has ended."""
        with self._writing, suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.write(line)
            self._process.stdin.flush()

    def kill(self) -> None:
        """Kill the program and everything it started."""
        self._questions.put(None)
        with suppress(OSError):
            system.kill(self._process)

    def close(self) -> None:
        """Kill the program and wait until it is gone."""
        self.kill()
        self._thread.join(ENDING)
        if self._errors is not None:
            with suppress(OSError):
                if not self._errors.stat().st_size:
                    self._errors.unlink()

    def _serve(self) -> None:
        with suppress(OSError), self._process as process:
            assert process.stdout is not None
            while (asked := self._questions.get()) is not None:
                line, heard, answered = asked
                self.tell(line)
                found = b""
                with suppress(OSError):
                    found = process.stdout.readline(LONGEST)
                    while heard(found):
                        found = process.stdout.readline(LONGEST)
                answered.set_result(found)
