"""Ratings of the bot levels, fixed so that players can be rated against them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Final

from kumite.core.bots.chances import measured
from kumite.core.bots.levels import BOTS, LEVELS, NAMED
from kumite.core.games import NAMES
from kumite.core.players import BOT
from kumite.core.rating import Rating

SURE: Final = 100.0  # deviation of a level's rating, measured in the arena with two seats
FIRST: Final = 900  # of level 1 in every game: a child who takes whatever can be taken
BELOW: Final = {"random": 500, "simple": 700}  # bots that know no game


def _anchors(steps: tuple[int, ...]) -> Mapping[str, Rating]:
    points = {**BELOW, **dict(zip(LEVELS, accumulate(steps, initial=FIRST), strict=True))}
    return {f"{BOT}{name}": Rating(points[NAMED.get(name, name)], SURE) for name in BOTS}


ANCHORS: Final[Mapping[str, Mapping[str, Rating]]] = {
    game_id: _anchors(found.steps) for game_id in NAMES if (found := measured(game_id))
}
"""Ratings by game and by name, as players are named in logs."""
