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
ENDING: Final = 2.0  # s in which all of a realm must be gone


def realm_of(process: int | str) -> int | None:
    """Return which realm a process is in; None: ours, or there is none that can be told."""
    with suppress(OSError):
        found = os.stat(PROCESSES / str(process) / "ns" / "user").st_ino
        return found if found != os.stat(PROCESSES / "self" / "ns" / "user").st_ino else None
    return None


def members(realm: int) -> Iterator[int]:
    """Yield the processes in a realm."""
    for name in os.listdir(PROCESSES):
        if name.isdecimal() and realm_of(name) == realm:
            yield int(name)


def end(realm: int) -> None:
    """Kill all that is in a realm, until nobody is left who could start others."""
    limit = monotonic() + ENDING
    while monotonic() < limit:
        found = list(members(realm))
        for sign in (signal.SIGSTOP, signal.SIGKILL):  # who stands still starts nobody
            for process in found:
                with suppress(OSError):
                    os.kill(process, sign)
        if not found:
            return
