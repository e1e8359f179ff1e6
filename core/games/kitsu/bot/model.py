"""The bot model of Kitsu!: whole turns found by a beam, ranked by the opponent's best answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Budget, Choice, Line, Position, Skill
from kumite.core.bots.chances import fit_of
from kumite.core.bots.search import turns
from kumite.core.bots.search.loops import TurnGame
from kumite.core.bots.search.turns import Pass
from kumite.core.game import Step
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.bot import kernel

if TYPE_CHECKING:
    from random import Random


LEVELS: Final = (
    *(Skill(overlooks=1), Skill(overlooks=0.1)),
    Skill(250, overlooks=0.08, slips=0.1, sharp=3),
    Skill(1850, overlooks=0.03, slips=0.06, sharp=3),
    *(Skill(2200, slips=0.06, sharp=3), Skill(4000), Skill(20000), Skill(60000)),
)
MIXES: Final = False
FASTER: Final = 30  # approximate speedup when compiled
MISSED: Final = {"long": 0.9, "back": 0.7, "leap": 0.6, "pounce": 0.9, "dispatch": 0.9}
LONG: Final = 3  # squares of a slide that is easily overlooked
QUIET: Final = (Step("stop"), Step("end"))  # people end a turn that nothing more improves
PASSES: Final = (
    Pass(1, 1, 1, hunt=100, fear=40),
    Pass(3, 4, 1, hunt=1000, fear=200),
    Pass(6, 8, 3, hunt=8000, fear=1000),
    Pass(12, 20, 6, hunt=30000, fear=3000),
    Pass(24, 50, 8, hunt=60000, fear=8000),
    Pass(48, 120, 12, hunt=200000, fear=25000),
    Pass(96, 300, 24, hunt=600000, fear=80000),
    Pass(128, 500, 32, hunt=800000, fear=120000),
    Pass(192, 1000, 48, hunt=1000000, fear=250000),
    Pass(384, 3000, 96, hunt=1000000, fear=400000),
)
"""Most turns are decisive, so many turns are compared, each by the replies it allows."""


GAME: Final = TurnGame(kitsu, kernel)


def kind(position: Position, step: Step) -> str:
    if step[2:3] not in ("-", "x"):
        return {">": "pounce", "~": "dispatch"}.get(step[2:3], "")
    files, ranks = abs(ord(step[0]) - ord(step[-2])), int(step[-1]) - int(step[1])
    if files == abs(ranks) >= LONG:
        return "long"
    if step[2] == "x":  # nobody overlooks a piece that can be had nearby
        return ""
    if ranks * (1 - 2 * position.seat) < 0:  # toward the own edge
        return "back"
    return "leap" if files != abs(ranks) else ""


def easy(position: Position, rng: Random) -> Choice:
    return turns.glance(GAME, position, rng, QUIET)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    return turns.think(GAME, position, rng, budget, PASSES, fit_of(kitsu.ID, 2))
