"""What may take the disk a while, done one after the other while nobody waits for it.

Bringing a file to the disk (`fsync`) takes from 1 ms to some 100: too long behind a key. The thread
ends when there is nothing left to do, and the program does not end before that.
"""

from __future__ import annotations

from collections import deque
from threading import Condition, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


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
