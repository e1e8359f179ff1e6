"""How a match of Kitsu! stands: what each clan has captured, and how many of its pieces wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kitsu.position import TO_WIN
from kumite.tui.scenes.figures import Bar, Tally

if TYPE_CHECKING:
    from kumite.core.games.kitsu.position import State


def tallies(view: State) -> tuple[Tally, ...]:
    """Return the captured Samurai and Foxes of each clan."""
    return tuple(
        Tally(
            (seat,),
            "",
            (Bar("Samurai", clan.taken[0], TO_WIN), Bar("Foxes", clan.taken[1], TO_WIN)),
            sum(clan.taken),
        )
        for seat, clan in enumerate(view.clans)
    )
