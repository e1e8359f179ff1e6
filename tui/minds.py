"""Bots that think beside the app: a thought never blocks it, and can be interrupted. No Textual."""

from __future__ import annotations

import asyncio
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol

from core import bots

if TYPE_CHECKING:
    from core.bots import Choice, Position

COMMAND: Final = "cmd:"


class Mind(Protocol):
    """Whoever can be asked for a step: `Minds`, and stand-ins in tests."""

    async def choose(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> Choice:
        """Return what `who` (a level such as `strong`) would play.

        The same for the same seed and simulations. `seconds` is the most that it may think; with
        neither, a level takes its usual number of simulations. Cancelling the task interrupts.

        Raises:
            KumiteError: there is no such bot, or it has failed.
        """


class Minds:
    """The bots of this program."""

    async def choose(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> Choice:
        """See `Mind.choose`."""
        is_cancelled = False
        end = None if seconds is None else monotonic() + seconds

        def stop() -> bool:
            return is_cancelled or (end is not None and monotonic() >= end)

        budget = bots.Budget(simulations) if end is None else bots.Budget(simulations, stop)
        try:
            return await asyncio.to_thread(bots.find(who), position, Random(seed), budget)
        finally:
            is_cancelled = True

    def close(self) -> None:
        """End whatever still thinks."""
