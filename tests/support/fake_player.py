"""A player that answers at once, or never, and remembers what it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from kumite.core.bots import Choice, Line, Position
from kumite.core.errors import KumiteError
from kumite.core.game import Setup, Step


def lines(position: Position) -> tuple[Line, ...]:
    """Return the legal steps from the last on, each a tenth worse, from 90 % on."""
    best = list(reversed(position.legal))[:5]
    return tuple(Line(step, 0.9 - n / 10, (5 - n) / 15) for n, step in enumerate(best))


class FakePlayer:
    """Stands in for `tui.bots.service.BotService`."""

    def __init__(self, answer: Callable[[Position], Choice] | None = None) -> None:
        self.asked: list[Position] = []
        self.seconds: list[float | None] = []
        self.simulations: list[int | None] = []
        self.stages: list[tuple[float, ...]] = []
        self.answer = answer
        self.is_stuck = False
        self.interrupted = 0
        self.error: KumiteError | None = None

    def of_table(self, errors: Path | None = None) -> FakePlayer:
        """Return the one that plays at a table: itself."""
        return self

    async def choose(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> Choice:
        assert who == "strong"
        assert str(seed)
        self.asked.append(position)
        self.seconds.append(seconds)
        self.simulations.append(simulations)
        return await self._thought(position)

    async def grow(
        self,
        who: str,
        position: Position,
        *,
        seed: int | str,
        stages: Sequence[float],
        told: Callable[[float, Choice], None],
        is_counted: bool = False,
    ) -> None:
        assert who == "strong"
        assert str(seed)
        assert not is_counted
        self.asked.append(position)
        self.stages.append(tuple(stages))
        for stage in stages:
            told(stage, await self._thought(position))

    async def _thought(self, position: Position) -> Choice:
        try:
            while self.is_stuck:
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            self.interrupted += 1
            raise
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        if self.answer is not None:
            return self.answer(position)
        found = lines(position)
        return Choice(found[0].step, found[0].value, found)

    async def warm(self, setup: Setup) -> None:
        """Be ready."""

    def close(self) -> None:
        """Do nothing."""


def answering(**values: float) -> Callable[[Position], Choice]:
    """Return an answer that gives these steps these values, the best first."""

    def answer(position: Position) -> Choice:
        found = tuple(Line(_step(one, position), value, 0.5) for one, value in values.items())
        return Choice(found[0].step, found[0].value, found)

    return answer


def _step(text: str, position: Position) -> Step:
    return next(step for step in position.legal if step == text)
