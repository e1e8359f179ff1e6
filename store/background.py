"""What may take the disk a while, done one after the other while nobody waits for it.

Bringing a file to the disk (`fsync`) takes from 1 ms to some 100: too long behind a key. The thread
ends when there is nothing left to do, and the program does not end before that.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from functools import partial
from threading import Condition, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Background:
    """Does jobs in their order, in a thread of its own."""

    def __init__(self) -> None:
        """Begin with nothing to do."""
        self._jobs: deque[Callable[[], None]] = deque()
        self._changed = Condition()
        self._thread: Thread | None = None

    def later(self, job: Callable[[], None]) -> None:
        """Do a job soon; it must see to its own errors."""
        with self._changed:
            self._jobs.append(job)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="kumite-disk")
                self._thread.start()

    def finish(self) -> None:
        """Wait until all is done that was asked for."""
        with self._changed:
            self._changed.wait_for(lambda: self._thread is None)

    def _work(self) -> None:
        while True:
            with self._changed:
                if not self._jobs:
                    self._thread = None
                    self._changed.notify_all()
                    return
                job = self._jobs.popleft()
            try:
                job()
            except BaseException:
                with self._changed:  # the others' work goes on in another thread
                    self._thread = None
                    self._changed.notify_all()
                raise


DISK = Background()
_syncing: set[Path] = set()  # files that are on their way to the disk


def sync_later(path: Path) -> None:
    """Bring what was written to a file to the disk, soon; once for all that is written by then."""
    if path not in _syncing:
        _syncing.add(path)
        DISK.later(partial(_sync, path))


def _sync(path: Path) -> None:
    _syncing.discard(path)  # first: what is written from now on may come too late for this one
    # An error of the disk is told by the next write. The file is opened once more, as a copy of
    # its number would keep its lock.
    with suppress(OSError), path.open("r+b", buffering=0) as file:
        os.fsync(file.fileno())
