"""All processes of one visit, also those that have left their parents: on Linux a user namespace.

inside.py begins one where the system lets it; nobody inside can leave it or begin another, so what
a visit has started can be counted by the system, and all be ended with it.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

PROCESSES: Final = Path("/proc")
USERS: Final = "ns/user"  # of a process: its user namespace
ENDING: Final = 2.0  # s in which all of a realm must be gone


class Realm:
    """A realm that is held: its number is nobody else's until it is let go.

    The system gives the number of a realm that is gone to the next that begins, at once: by the
    number alone another visit's processes would be taken for those that are left of this one.
    """

    def __init__(self, held: int) -> None:
        """`held` is an open file that stands for it."""
        self._held = held
        self._number = os.fstat(held).st_ino

    def members(self) -> Iterator[int]:
        """Yield the processes in it."""
        for name in os.listdir(PROCESSES):
            if name.isdecimal() and _number_of(name) == self._number:
                yield int(name)

    def end(self) -> None:
        """Kill all that is in it, until nobody is left who could start others, and let it go."""
        try:
            limit = monotonic() + ENDING
            while monotonic() < limit:
                found = list(self.members())
                for sign in (signal.SIGSTOP, signal.SIGKILL):  # who stands still starts nobody
                    for process in found:
                        with suppress(OSError):
                            os.kill(process, sign)
                if not found:
                    return
        finally:
            os.close(self._held)


def realm_of(process: int) -> Realm | None:
    """Return the realm that a process is in; None: ours, or there is none that can be told."""
    with suppress(OSError):
        held = os.open(PROCESSES / str(process) / USERS, os.O_RDONLY | os.O_CLOEXEC)
        if os.fstat(held).st_ino != _number_of("self"):
            return Realm(held)
        os.close(held)
    return None


def _number_of(process: str) -> int | None:
    with suppress(OSError):
        return os.stat(PROCESSES / str(process) / USERS).st_ino
    return None
