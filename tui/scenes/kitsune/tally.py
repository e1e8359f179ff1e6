"""How a match of Kitsu: Zenko and Yako stands: rounds, and how far the markers have come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsune.state import CLANS
from kumite.tui.scenes.figures import Bar, Tally

if TYPE_CHECKING:
    from kumite.core.games.kitsune.state import State

COLORS: Final = (1, 4)  # of which seats blue and orange are the colours
ROUND: Final = 100  # what a round counts in spaces: more than any track has


def tallies(view: State) -> tuple[Tally, ...]:
    """Return the rounds that each clan has won, and the space on which its marker stands."""
    table, standing = view.table, view.standing
    return tuple(
        Tally(
            tuple(range(clan, table.seats, 2)),
            CLANS[clan],
            (
                Bar("rounds", standing.wins[clan], table.wins),
                Bar("spaces", standing.marks[clan], table.track),
            ),
            ROUND * standing.wins[clan] + standing.marks[clan],
            COLORS[clan],
        )
        for clan in range(2)
    )
