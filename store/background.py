"""Slow disk work, done in order in a background thread.

Syncing a file (`fsync`) takes 1 ms to 100 ms: too long after a key press. The thread ends when
nothing is left to do, and the program does not exit before that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import IO

from kumite.store.system import sync


class Background:
    """Runs jobs in order, in its own thread."""

    def __init__(self) -> None:
        self._jobs: deque[Callable[[], None]] = deque()
        self._changed = Condition()
        self._thread: Thread | None = None

    def later(self, job: Callable[[], None]) -> None:
        """Run a job soon; it must handle its own errors."""
        with self._changed:
            self._jobs.append(job)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="kumite-disk")
                self._thread.start()

    def finish(self) -> None:
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
                with self._changed:  # the next job starts another thread
                    self._thread = None
                    self._changed.notify_all()
                raise


DISK = Background()
_syncing: set[Path] = set()  # files with a pending sync


def sync_later(path: Path) -> None:
    """Sync a file soon, once for all writes until then."""
    if path not in _syncing:
        _syncing.add(path)
        DISK.later(partial(_sync, path))


def _sync(path: Path) -> None:
    _syncing.discard(path)  # first: later writes may miss this sync
    # The next write reports a disk error. Reopen the file, because a duplicate of its descriptor
    # would keep its lock.
    with suppress(OSError), path.open("r+b", buffering=0) as file:
        sync(file)


class Synced:
    """An open file that is synced in the background.

    It syncs the descriptor that wrote the data, because a disk error is reported only to that one,
    once. A duplicate would keep the file's lock.
    """

    def __init__(self, file: IO[bytes], failed: Callable[[OSError], object]) -> None:
        """Sync this file; `failed` is called in another thread."""
        self.file = file
        self.failure: OSError | None = None
        self._failed = failed
        self._closing = Lock()  # held during a sync
        self._is_asked = False

    def later(self) -> None:
        """Sync everything written until then, soon."""
        if not self._is_asked:
            self._is_asked = True
            DISK.later(self.now)

    def now(self) -> None:
        self._is_asked = False  # first: later writes may miss this sync
        with self._closing:
            if self.file.closed:
                return
            try:
                sync(self.file)
            except OSError as error:
                self.failure = error
        if self.failure is not None:
            self._failed(self.failure)

    def close(self) -> None:
        with self._closing, suppress(OSError):
            self.file.close()
