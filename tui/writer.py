"""What goes to the terminal: at once as much as it takes, the rest from a thread.

A thread alone makes every key wait until it has woken up, which takes longer than the picture of a
cursor step; and without one a terminal that does not read would stop the app.
"""

from __future__ import annotations

import os
from contextlib import suppress
from queue import Queue
from threading import Lock, Thread
from typing import Final, TextIO

from kumite.store import system

MOST: Final = 30  # texts that wait for the terminal; with more, who writes waits


class Writer:
    """Writes texts in the order in which they come, from any thread; made for one terminal."""

    def __init__(self, file: TextIO) -> None:
        """Begin; `file` is the terminal, or what takes its place."""
        self._number = file.fileno()
        self._encoding, self._errors = file.encoding, file.errors or "strict"
        self._at_once = system.without_waiting(self._number)
        self._waiting: Queue[bytes] = Queue(MOST)
        self._order = Lock()
        self._thread = Thread(target=self._run, daemon=True, name="kumite-output")
        self._thread.start()

    def write(self, text: str) -> None:
        """Write a text; what the terminal does not take now waits, and all that comes after it."""
        data = text.encode(self._encoding, self._errors)
        with self._order:
            if not self._waiting.unfinished_tasks:
                data = data[self._sent(data) :]
            if data:
                self._waiting.put(data)

    def stop(self) -> None:
        """Return once all has been written."""
        self._waiting.put(b"")
        self._thread.join()
        if self._at_once is not None:
            os.close(self._at_once)
            self._at_once = None

    def _sent(self, data: bytes) -> int:
        """Return how many bytes the terminal has taken at once."""
        if self._at_once is None:
            return 0
        try:
            return os.write(self._at_once, data)
        except OSError:  # it is full; or gone, which who reads from it hears
            return 0

    def _run(self) -> None:
        while data := self._waiting.get():
            with suppress(OSError):  # it is gone
                while data:
                    data = data[os.write(self._number, data) :]
            self._waiting.task_done()
