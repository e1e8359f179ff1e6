"""A clock that keeps running while the computer sleeps.

`time.monotonic()` stops during sleep on Linux and macOS, and so do asyncio's timers. Timeouts that
affect other players (connections, clocks at a table, idle guests) use this clock instead.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import asyncio

# Linux has CLOCK_BOOTTIME; macOS counts sleep in CLOCK_MONOTONIC, Windows in monotonic()
_ID: Final[int | None] = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))


def now() -> float:
    """Return seconds since an arbitrary moment, including sleep."""
    return time.monotonic() if _ID is None else time.clock_gettime(_ID)


def new_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop whose `time()` and timers use this clock.

    Timers due during sleep fire after waking, late by at most their remaining wait.
    """
    import asyncio  # late: not needed to read logs

    loop = asyncio.new_event_loop()
    setattr(loop, "time", now)  # noqa: B010  (of this loop alone)
    return loop
