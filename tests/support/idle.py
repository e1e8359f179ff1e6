"""Waiting for an app to have handled a key, without sleeping."""

from __future__ import annotations

import asyncio
from typing import Final

SOON: Final = 0.02  # s: what a timer brings about by then is waited for; screens are painted by one


async def idle(min_sleep: float = 0.0, max_sleep: float = 1.0) -> None:
    """Wait until this loop has nothing to do now or soon, in place of Textual's `wait_for_idle`.

    That one sleeps 20 ms and longer at each key, which was more than half of a screen's test.
    """
    loop = asyncio.get_running_loop()
    end = loop.time() + max_sleep
    while loop.time() < end:
        await asyncio.sleep(0)
        if loop._ready:
            continue
        timers = [one.when() for one in loop._scheduled if not one.cancelled()]
        wait = min(timers, default=end) - loop.time()
        if wait > SOON:
            return
        await asyncio.sleep(max(0.0, wait))
