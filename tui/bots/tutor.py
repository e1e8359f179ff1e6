"""The tutor: it checks whether a step about to be made is a blunder.

It judges each position in advance, so that most steps need no wait. A step that seems costly is
looked at again, first briefly, then for as long as a turning point in a review.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from kumite.core import bots
from kumite.core.game import Seat, Step
from kumite.core.match import Match
from kumite.store.evaluations import Judged
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import Question, question
from kumite.tui.bots.looking import Outlook, Worth, outlook, worth_after
from kumite.tui.bots.review import GRADES

if TYPE_CHECKING:
    from kumite.tui.bots.judging import Judge

T = TypeVar("T")
BLUNDER: Final = GRADES[0][0]  # loss of winning chance
PART: Final = 5  # divisor of the simulations for a brief look


class Blunder(NamedTuple):
    """The cost of a step: the winning chances without it and with it."""

    step: Step
    had: float
    left: float
    wins: bool = False  # whether the match can be won in this turn
    ahead: Outlook = Outlook()  # what follows the step


class Tutor:
    """Judges one position for the seat that has to choose, in that seat's view."""

    def __init__(self, judge: Judge, match: Match, seat: Seat) -> None:
        self._judge, self._match, self._seat = judge, match, seat
        self._simulations = max(1, bots.usual(advice.LEVEL, match.game.ID))
        self._judged: Judged | None = None
        self._judging = asyncio.Lock()

    async def prepare(self) -> Judged:
        """Judge the position, once; concurrent callers wait for the result.

        Raises:
            KumiteError: the bot has failed.
        """
        async with self._judging:
            if self._judged is None:
                position = _position(self._match, self._seat)
                self._judged = await self._look(position, is_long=True)
                self._judge.save()
            return self._judged

    def is_fine(self, step: Step) -> bool:
        """True if a step is already known to cost little."""
        judged = self._judged
        return judged is not None and (step == judged.advised or not _seems_costly(judged, step))

    async def blunder(self, step: Step) -> Blunder | None:
        """Return the cost of a step if it is a blunder; None if it is not or that is unknown.

        Raises:
            KumiteError: the bot has failed.
        """
        judged = await self.prepare()
        if self.is_fine(step) or judged.value is None:
            return None
        wins, seems = bool(judged.plan), judged.worth(step)
        had, left = judged.value, seems
        if self._match.game.SECRETS is None:
            short = await self._worth(step, is_long=False)
            if short.value is not None and had - short.value < BLUNDER:
                return None
            after = await self._worth(step, is_long=True)
            better = await self._worth(judged.step, is_long=True)
            if after.value is not None and better.value is not None:
                had, left = better.value, after.value
        if left is None or had - left < BLUNDER:
            return None
        ahead = await self._look(outlook(self._match, self._seat, step), is_long=False)
        return Blunder(step, had, left, wins, ahead)

    async def _worth(self, step: Step, *, is_long: bool) -> Worth:
        return await self._look(worth_after(self._match, self._seat, step), is_long=is_long)

    async def _look(self, looking: Generator[Question, Judged, T], *, is_long: bool) -> T:
        simulations = self._simulations if is_long else max(1, self._simulations // PART)
        return await self._judge.answered(looking, simulations)


def _position(match: Match, seat: Seat) -> Generator[Question, Judged, Judged]:
    return (yield question(match, seat))


def _seems_costly(judged: Judged, step: Step) -> bool:
    """True if a step may be a blunder, judging by the position alone."""
    if judged.value is None or step == judged.step:
        return False
    worth = judged.worth(step)
    return worth is None or judged.value - worth >= BLUNDER
