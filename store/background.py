"""What may take the disk a while, done one after the other while nobody waits for it.

Bringing a file to the disk (`fsync`) takes from 1 ms to some 100: too long behind a key. The thread
ends when there is nothing left to do, and the program does not end before that.
"""

from __future__ import annotations

import errno
import os
from collections import deque
from contextlib import suppress
from functools import partial
from threading import Condition, Lock, Thread
from typing import IO, TYPE_CHECKING

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


class Synced:
    """An open file that is brought to the disk while nobody waits for it.

    It is done by the number under which the file was written: a disk's error is told to that one,
    and once. A copy of the number would keep the file's lock.
    """

    def __init__(self, file: IO[bytes], failed: Callable[[OSError], object]) -> None:
        """Sync this file; `failed` is called in another thread."""
        self.file = file
        self.failure: OSError | None = None
        self._failed = failed
        self._closing = Lock()  # held while it is brought to the disk
        self._is_asked = False

    def later(self) -> None:
        """Bring all that was written by then to the disk, soon."""
        if not self._is_asked:
            self._is_asked = True
            DISK.later(self.now)

    def now(self) -> None:
        """Bring all that was written to the disk."""
        self._is_asked = False  # first: what is written from now on may come too late for this one
        with self._closing:
            if self.file.closed:
                return
            try:
                os.fsync(self.file.fileno())
            except OSError as error:
                if error.errno in (errno.EINVAL, errno.ENOTSUP):  # a file system that cannot
                    return
                self.failure = error
        if self.failure is not None:
            self._failed(self.failure)

    def close(self) -> None:
        """Close the file."""
        with self._closing, suppress(OSError):
            self.file.close()
