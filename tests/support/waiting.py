"""Waiting for what another thread or process brings about: by the clock, never by counted polls.

A busy machine makes a poll take long, and many of them longer; a deadline far away only ever
matters to a test that fails.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PATIENCE: Final = 60.0  # s until waiting for something has failed
PAUSE: Final = 0.01  # s between two looks


def looks(what: str, patience: float = PATIENCE) -> Iterator[None]:
    """Yield for each look, until who looks has seen enough or `patience` seconds are over."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        yield
    raise AssertionError(f"waited {patience:g} s for {what}")


def wait_for(condition: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    """Wait until something holds."""
    for _ in looks(what, patience):
        if condition():
            return
        time.sleep(PAUSE)


def is_running(process: int) -> bool:
    """Return whether a process runs: a zombie that nobody has buried yet runs no more."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def wait_for_end(process: int) -> None:
    """Wait until a process has ended."""
    wait_for(lambda: not is_running(process), f"the end of process {process}")
