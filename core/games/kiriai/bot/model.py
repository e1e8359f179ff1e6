"""The bot model of Kiri-ai: `strong` draws from the solved mixed strategy (solved.py).

Lower levels draw from a sharpened version, or glance. One level also exploits the opponent's habits
(habits.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Budget, Choice, Line, Position, Skill
from kumite.core.game import Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.bot import habits
from kumite.core.games.kiriai.bot.solved import drawn, matrices_of, solve

if TYPE_CHECKING:
    from random import Random


MIXES: Final = True
SHARP: Final = 6.0  # of `easy`: a plan that scores one more is 2 ** this times as likely
BLUNT: Final = 2.0  # the same, of `beginner`
MISSED: Final = {"retreat": 0.7, "stance": 0.5, "special": 0.6, "charge": 0.4}


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Return the mixed strategy; the first line is drawn from it, the others follow by share."""
    found = solve(position, budget)
    return drawn(position, *found, rng) if found else ()


def kind(position: Position, step: Step) -> str:
    cards = step.split(",")
    if any(card in SPECIALS for card in cards):
        return "special"
    return next((card for card in ("retreat", "stance", "charge") if card in cards), "")


def beginner(position: Position, rng: Random) -> Choice:
    """Choose like `easy`, but less sharply."""
    return _drawn(position, rng, BLUNT)


LEVELS: Final = (  # all use the same solution; the levels differ in how often
    Skill(overlooks=1, lapses=1, beginner=beginner),
    Skill(overlooks=0.7, lapses=0.45, beginner=beginner),
    *(Skill(1, overlooks=0.3, slips=0.9, sharp=3), Skill(1, overlooks=0.2, slips=0.62, sharp=3)),
    *(Skill(1, slips=0.42, sharp=3), Skill(1, slips=0.25, sharp=3)),
    Skill(1, learner=habits.choose),
    Skill(1),
)


def easy(position: Position, rng: Random) -> Choice:
    """Choose a plan that does well against all plans of the opponent, taken as equally likely."""
    return _drawn(position, rng, SHARP)


def _drawn(position: Position, rng: Random, sharp: float) -> Choice:
    """Draw one of the legal plans, preferring plans that do well against all others."""
    rows = kiriai.legal(position.view, position.seat)  # of which `position` may have a part
    matrices = list(matrices_of(replace(position, legal=rows)))
    scores = [
        sum(sum(one[row]) / len(one[row]) for one in matrices) / len(matrices)
        for row in range(len(matrices[0]))
    ]
    best = max(scores)
    weights = [
        2.0 ** (sharp * (score - best)) if step in position.legal else 0.0
        for step, score in zip(rows, scores, strict=True)
    ]
    return Choice(rng.choices(rows, weights)[0])
