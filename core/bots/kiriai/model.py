"""How Kiri-ai is thought about: it is solved (solved.py), and `strong` draws from the mixture.

The levels below draw from a sharpened one, or glance. One of them learns what the other is used to
(habits.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Choice, Line, Skill, noticed
from kumite.core.bots.kiriai import habits
from kumite.core.bots.kiriai.solved import drawn, matrices_of, solve
from kumite.core.game import HOLE, Seat, Step
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.state import Side, State

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position

LEVELS: Final = (  # there is one thought, which finds the one mixture: what differs is how often
    *(Skill(lapses=1), Skill(lapses=0.45)),
    *(Skill(1, slips=slips, sharp=3) for slips in (0.9, 0.65, 0.42, 0.25)),
    Skill(1, learner=habits.choose),
    Skill(1),
)
MIXES: Final = True
SHARP: Final = 6.0  # of `easy`: how much more likely a plan is that scores one more
BLUNT: Final = 2.0  # the same, of `beginner`
MISSED: Final = 0.5  # of `beginner`: how often a plan is overlooked


def worlds(view: State, seat: Seat, rng: Random) -> State:
    """Return a complete position that this view can be of: the other's special, if it is hidden.

    Plans stay hidden: nothing that was seen says anything of them.
    """
    sides = list(view.sides)
    other = sides[1 - seat]
    if other.special == HOLE:
        special = rng.choice([card for card in SPECIALS if card != sides[seat].special])
        sides[1 - seat] = Side(
            other.space, other.stance, other.wounds, other.aside, special, other.spent, other.secret
        )
    return State(view.field, view.rounds, view.phase, view.round, (sides[0], sides[1]))


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Return the mixture; its first line is drawn from it, the others follow by probability."""
    found = solve(position, budget)
    return drawn(position, *found, rng) if found else ()


def beginner(position: Position, rng: Random) -> Choice:
    """Do as `easy` with less of a plan, and overlook some."""
    seen = set(noticed(position, rng, lambda _: MISSED).legal)
    return _drawn(position, rng, BLUNT, seen)


def easy(position: Position, rng: Random) -> Choice:
    """Choose a plan that would do well against any plan of the other, all equally likely."""
    return _drawn(position, rng, SHARP, set(position.legal))


def _drawn(position: Position, rng: Random, sharp: float, seen: set[Step]) -> Choice:
    """Draw one of the plans that are seen: the better against all of the other's, the likelier."""
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
