"""Where each level stands on the scale of ratings: what people are measured against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.rating import Rating

if TYPE_CHECKING:
    from collections.abc import Mapping

SURE: Final = 60.0  # the deviation of a level: it differs from game to game
# An average of the games (docs/bots.md has what the arena measured in each), with `medium` at the
# middle of the scale.
_POINTS: Final = {"random": 500, "simple": 900, "easy": 1100, "medium": 1500, "strong": 1850}
ANCHORS: Final[Mapping[str, Rating]] = {
    f"bot:{level}": Rating(points, SURE) for level, points in _POINTS.items()
}
