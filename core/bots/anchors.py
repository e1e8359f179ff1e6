"""Where each level stands on the scale of ratings: what people are measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.levels import BOTS, LEVELS, NAMED
from kumite.core.players import BOT
from kumite.core.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Mapping

SURE: Final = 100.0  # the deviation of a level: it differs from game to game
STEP: Final = 200  # points from one level to the next, as docs/bots.md means them to be
LOWEST: Final = 700  # of the level before the first: what knows no game
_POINTS: Final = {
    "random": 500,
    "simple": LOWEST,
    **{level: LOWEST + STEP * number for number, level in enumerate(LEVELS, start=1)},
}
ANCHORS: Final[Mapping[str, Rating]] = {
    f"{BOT}{name}": Rating(_POINTS[NAMED.get(name, name)], SURE) for name in BOTS
}
"""By name, as logs write the players."""
