"""How a duel of Kiri-ai stands: the wounds that each has dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kiriai.state import DEFEAT
from kumite.tui.scenes.figures import Bar, Tally

if TYPE_CHECKING:
    from kumite.core.games.kiriai.state import State


def tallies(view: State) -> tuple[Tally, ...]:
    """Return how often each has hit the other."""
    hits = [view.sides[1 - seat].wounds for seat in range(2)]
    return tuple(
        Tally((seat,), "", (Bar("hit" + "s" * (hit != 1), hit, DEFEAT),), hit)
        for seat, hit in enumerate(hits)
    )
