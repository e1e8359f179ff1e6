"""Where each level stands on the scale of ratings: what people are measured against."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from kumite.core.bots.levels import BOTS, LEVELS, NAMED
from kumite.core.players import BOT
from kumite.core.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Mapping

SURE: Final = 100.0  # the deviation of a level: the arena has measured it with two seats
FIRST: Final = 900  # of level 1, in every game: a child who takes what can be taken
BELOW: Final = {"random": 500, "simple": 700}  # who knows no game
STEPS: Final[Mapping[str, tuple[int, ...]]] = {
    "kiriai": (70, 147, 35, 70, 17, 70, 44),
    "kitsu": (177, 143, 160, 131, 173, 123, 147),
    "kitsune": (161, 223, 176, 134, 161, 147, 182),
    "kumo": (160, 147, 275, 363, 315, 359, 352),
    "kuzushi": (161, 154, 183, 176, 215, 147, 143),
}
"""By game, by how many points each level is above the one before it, as in docs/measured.md."""


def _anchors(steps: tuple[int, ...]) -> Mapping[str, Rating]:
    points = {**BELOW, **dict(zip(LEVELS, accumulate(steps, initial=FIRST), strict=True))}
    return {f"{BOT}{name}": Rating(points[NAMED.get(name, name)], SURE) for name in BOTS}


ANCHORS: Final[Mapping[str, Mapping[str, Rating]]] = {
    game_id: _anchors(steps) for game_id, steps in STEPS.items()
}
"""By game, then by name, as logs write the players."""
