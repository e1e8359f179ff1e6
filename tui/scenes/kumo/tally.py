"""How a match of Kumo Hogosha stands: prisoners; where the stone lies says no figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kumo.state import KUMOTORI
from kumite.tui.scenes.figures import Bar, Tally

if TYPE_CHECKING:
    from kumite.core.games.kumo.state import State


def tallies(view: State) -> tuple[Tally, ...]:
    """Return the prisoners of each side. They decide nothing: nobody is ahead by them."""
    seats = len(view.boards)
    return tuple(
        Tally(tuple(range(side, seats, 2)), "", (Bar("prisoners", held, KUMOTORI),), 0)
        for side, held in enumerate(view.prisons)
    )
