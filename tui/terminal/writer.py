"""Terminal output: immediately as much as it accepts, the rest from a thread.

A thread alone would delay every key by its wake-up time, which exceeds the drawing of a cursor
move; without one a terminal that does not read would block the app.
"""

from __future__ import annotations

import os
from contextlib import suppress
from queue import Queue
from threading import Lock, Thread
from typing import Final, TextIO

from kumite.store import system

MOST: Final = 30  # queued texts; with more, `write` blocks


class Writer:
    """Writes texts in order, from any thread, to one terminal."""

    def __init__(self, file: TextIO) -> None:
        """Start the thread; `file` is the terminal, or its replacement."""
        self._number = file.fileno()
        self._encoding, self._errors = file.encoding, file.errors or "strict"
        self._at_once = system.without_waiting(self._number)
        self._waiting: Queue[bytes] = Queue(MOST)
        self._order = Lock()
        self._thread = Thread(target=self._run, daemon=True, name="kumite-output")
        self._thread.start()

    def write(self, text: str) -> None:
        """Write a text; queue whatever the terminal does not accept now."""
        data = text.encode(self._encoding, self._errors)
        with self._order:
            if not self._waiting.unfinished_tasks:
                data = data[self._sent(data) :]
            if data:
                self._waiting.put(data)

    def stop(self) -> None:
        self._waiting.put(b"")
        self._thread.join()
        if self._at_once is not None:
            os.close(self._at_once)
            self._at_once = None

    def _sent(self, data: bytes) -> int:
        """Return the number of bytes written without blocking."""
        if self._at_once is None:
            return 0
        try:
            return os.write(self._at_once, data)
        except OSError:  # full; or gone, which the input thread notices
            return 0

    def _run(self) -> None:
        while data := self._waiting.get():
            with suppress(OSError):  # the terminal is gone
                while data:
                    data = data[os.write(self._number, data) :]
            self._waiting.task_done()
