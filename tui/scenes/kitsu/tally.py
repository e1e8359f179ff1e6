"""How a match of Kitsu! stands: what each clan has captured, and how many of its pieces wait."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.scenes.figures import Bar, Tally

if TYPE_CHECKING:
    from kumite.core.games.kitsu.position import State

WINS: Final = 4  # captured pieces of one kind


def tallies(view: State) -> tuple[Tally, ...]:
    """Return the captured Samurai and Foxes of each clan."""
    return tuple(
        Tally(
            (seat,),
            "",
            (Bar("Samurai", clan.taken[0], WINS), Bar("Foxes", clan.taken[1], WINS)),
            sum(clan.taken),
        )
        for seat, clan in enumerate(view.clans)
    )
