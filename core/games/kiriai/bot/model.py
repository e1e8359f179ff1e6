"""The bot model of Kiri-ai: `strong` draws from the solved mixed strategy (solved.py).

Lower levels draw from a sharpened version, or glance. One level also exploits the opponent's habits
(habits.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Budget, Choice, Line, Position, Skill, noticed
from kumite.core.game import Step
from kumite.core.games.kiriai.bot import habits
from kumite.core.games.kiriai.bot.solved import drawn, matrices_of, solve

if TYPE_CHECKING:
    from random import Random


LEVELS: Final = (  # all use the same solution; the levels differ in how often
    *(Skill(lapses=1), Skill(lapses=0.45)),
    *(Skill(1, slips=slips, sharp=3) for slips in (0.9, 0.65, 0.42, 0.25)),
    Skill(1, learner=habits.choose),
    Skill(1),
)
MIXES: Final = True
SHARP: Final = 6.0  # of `easy`: a plan that scores one more is 2 ** this times as likely
BLUNT: Final = 2.0  # the same, of `beginner`
MISSED: Final = 0.5  # of `beginner`: how often a plan is overlooked


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Return the mixed strategy; the first line is drawn from it, the others follow by share."""
    found = solve(position, budget)
    return drawn(position, *found, rng) if found else ()


def beginner(position: Position, rng: Random) -> Choice:
    """Choose like `easy`, but less sharply, and overlook some plans."""
    seen = set(noticed(position, rng, lambda _: MISSED).legal)
    return _drawn(position, rng, BLUNT, seen)


def easy(position: Position, rng: Random) -> Choice:
    """Choose a plan that does well against all plans of the opponent, taken as equally likely."""
    return _drawn(position, rng, SHARP, set(position.legal))


def _drawn(position: Position, rng: Random, sharp: float, seen: set[Step]) -> Choice:
    """Draw one of the seen plans, preferring plans that do well against all others."""
    matrices = list(matrices_of(position))
    scores = [
        sum(sum(one[row]) / len(one[row]) for one in matrices) / len(matrices)
        for row in range(len(matrices[0]))
    ]
    best = max(scores)
    weights = [
        2.0 ** (sharp * (score - best)) if step in seen else 0.0
        for step, score in zip(position.legal, scores, strict=True)
    ]
    return Choice(rng.choices(position.legal, weights)[0])
