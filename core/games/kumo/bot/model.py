"""The bot model of Kumo Hogosha: whole turns found by a beam, ranked by the foe's best answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Budget, Choice, Line, Position, Skill
from kumite.core.bots.chances import fit_of
from kumite.core.bots.search import turns
from kumite.core.bots.search.loops import TurnGame
from kumite.core.bots.search.turns import Pass
from kumite.core.game import Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.bot import value
from kumite.core.games.kumo.state import CAMPS, HEADING, SIZE, parse_step

if TYPE_CHECKING:
    from random import Random


LEVELS: Final = (
    *(Skill(overlooks=1), Skill(overlooks=0.2)),
    *(Skill(700, overlooks=0.15, sharp=3), Skill(2400, overlooks=0.1, sharp=3)),
    *(Skill(5500, sharp=3), Skill(10500), Skill(20000), Skill(45000)),
)
MIXES: Final = False
FASTER: Final = 30  # approximate speedup when compiled
MISSED: Final = {
    "jump": 0.6,
    "run": 0.3,
    "grab": 0.5,
    "block": 0.4,
    "change": 0.25,
    "back": 0.4,
    "far": 0.25,
}
FAR: Final = 3  # squares from the stone
PASSES: Final = (
    Pass(1, 1, 1, hunt=300, fear=60),
    Pass(4, 4, 1, hunt=1500, fear=120),
    Pass(8, 8, 3, 2, 1, hunt=4000, fear=250),
    Pass(40, 30, 4, 3, 1, hunt=30000, fear=500),
    Pass(80, 60, 6, 4, 2, hunt=80000, fear=2000),
    Pass(160, 120, 12, 5, 3, hunt=150000, fear=8000),
    Pass(320, 240, 24, 6, 6, hunt=400000, fear=30000),
    Pass(640, 480, 48, 8, 12, hunt=800000, fear=60000),
    Pass(1280, 960, 96, 10, 24, hunt=1000000, fear=120000),
    Pass(2560, 1920, 192, 12, 48, hunt=1000000, fear=240000),
    Pass(2560, 7680, 192, 12, 48, hunt=1000000, fear=240000),
)
"""Many turns, each with few answers, because more turns help more than better answers.

Hunts against each compared turn are short, since long ones took more than half of the time. The
last beam is no wider, since a beam keeps all positions that it makes.
"""


GAME: Final = TurnGame(kumo, value)


def kind(position: Position, step: Step) -> str:
    verb, args = parse_step(step)
    if verb in ("throw", *MISSED):
        return "grab" if verb == "throw" else verb
    if verb not in ("walk", "push", "pull"):
        return ""
    view, stone = position.view, position.view.stone
    if verb == "walk":
        way, is_far = args[1] - args[0], _apart(args[0], stone) > FAR
    else:
        way, is_far = (stone - args[0]) * (1 if verb == "push" else -1), False
    if HEADING[way] == CAMPS[len(view.boards)][position.seat]:
        return "back"
    return "far" if is_far else ""


def _apart(a: int, b: int) -> int:
    return max(abs(a // SIZE - b // SIZE), abs(a % SIZE - b % SIZE))


def easy(position: Position, rng: Random) -> Choice:
    return turns.glance(GAME, position, rng)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    fit = fit_of(kumo.ID, len(position.view.boards))
    return turns.think(GAME, position, rng, budget, PASSES, fit)
