"""How a match of Kuzushi stands: the cards on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.tui.scenes.figures import Bar, Tally

if TYPE_CHECKING:
    from kumite.core.games.kuzushi.rules import State


def tallies(view: State) -> tuple[Tally, ...]:
    """Return the cards of each seat; the bars are as long as that of the one who has most."""
    scores = [view.score(seat) for seat in range(len(view.bases))]
    most = max(*scores, 1)
    return tuple(
        Tally((seat,), "", (Bar("cards", score, most),), score) for seat, score in enumerate(scores)
    )
