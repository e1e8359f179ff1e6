"""Limits for all processes of a session together: control groups (cgroup v2), where allowed.

Only they count shared memory and the buffers of pipes and sockets, and stop a fork bomb by root.
They can be used if our own group is ours alone, as in a systemd unit with `Delegate=yes`.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Final

ROOT: Final = Path("/sys/fs/cgroup")
OWN: Final = Path("/proc/self/cgroup")
CONTROLLERS: Final = ("memory", "pids")
ENDING: Final = 2.0  # s for all processes of a group to end


class Group:
    """The processes of one session."""

    def __init__(self, place: Path, memory: int, tasks: int) -> None:
        """Limit it to `memory` bytes, and to `tasks` processes and threads."""
        self._place = place
        place.mkdir()
        with suppress(FileNotFoundError):  # a system without swap
            (place / "memory.swap.max").write_text("0")
        (place / "memory.oom.group").write_text("1")
        (place / "memory.max").write_text(f"{memory}")
        (place / "pids.max").write_text(f"{tasks}")

    def add(self, process: int) -> None:
        """Add a process; its later children belong to the group as well."""
        (self._place / "cgroup.procs").write_text(f"{process}")

    def end(self) -> None:
        limit = monotonic() + ENDING
        with suppress(OSError):
            (self._place / "cgroup.kill").write_text("1")
        while self._place.exists() and monotonic() < limit:
            with suppress(OSError):
                self._place.rmdir()
                return
            sleep(0.01)


class Groups:
    """The groups of this server."""

    def __init__(self) -> None:
        """Prepare to create groups; fails if other processes are in our own group."""
        (own,) = (one for one in OWN.read_text().splitlines() if one.startswith("0::"))
        self._own = ROOT / own.removeprefix("0::").lstrip("/")
        self._leaf = self._own / f"server-{token_hex(4)}"
        found = (self._own / "cgroup.controllers").read_text().split()
        if missing := set(CONTROLLERS) - set(found):
            raise FileNotFoundError(f"no controller for {' and '.join(sorted(missing))}")
        self._leaf.mkdir()  # a group with subgroups must not contain processes
        try:
            (self._leaf / "cgroup.procs").write_text(f"{os.getpid()}")
            wanted = " ".join(f"+{one}" for one in CONTROLLERS)
            (self._own / "cgroup.subtree_control").write_text(wanted)
        except OSError:
            self.close()
            raise

    def begin(self, memory: int, tasks: int) -> Group:
        return Group(self._own / f"session-{token_hex(8)}", memory, tasks)

    def close(self) -> None:
        with suppress(OSError):
            unwanted = " ".join(f"-{one}" for one in CONTROLLERS)
            (self._own / "cgroup.subtree_control").write_text(unwanted)
        with suppress(OSError):
            (self._own / "cgroup.procs").write_text(f"{os.getpid()}")
            self._leaf.rmdir()


def groups() -> Groups | None:
    """Return the groups of this server, None if it may not create any."""
    try:
        return Groups()
    except (OSError, ValueError):
        return None
