"""What a clan of Kitsu! has made so far, in numbers that can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsu.position import SPIRITS

if TYPE_CHECKING:
    from kumite.core.games.kitsu.position import Clan

TAKEN: Final = (0.0, 2.0, 5.0, 10.0, 0.0)  # what captured pieces of a kind are worth, by number
PLACED: Final = 0.25  # a piece put down, squared: the last ones count most
HAND: Final = 0.8
BOARD: Final = 0.4


def worth(clan: Clan) -> float:
    """Return what a clan has made so far."""
    waiting = sum(clan.spirit)
    placed = 2 * SPIRITS - waiting - sum(clan.hand)
    return (
        TAKEN[clan.taken[0]]
        + TAKEN[clan.taken[1]]
        + PLACED * placed * placed / 2
        + HAND * sum(clan.hand)
        + BOARD * clan.board.bit_count()
    )
