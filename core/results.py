"""Who has won a match, by how its log says that it ended: no step is played for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat

if TYPE_CHECKING:
    from kumite.core.game import Setup
    from kumite.core.log import End

FORFEITS: Final = frozenset({"resigned", "time", "gone"})  # ends whose seats have lost
DRAWS: Final = frozenset({"agreed"})  # ends at which all share


def winners(setup: Setup, end: End) -> tuple[Seat, ...]:
    """Return who has won: by the rules, or as the only side that has not given up or lost on time.

    Of several others nobody has won: how it would have ended among them, no rule says.
    """
    if end.kind == "outcome":
        return end.seats
    if end.kind not in FORFEITS:
        return ()
    lost = {setup.side_of(seat) for seat in end.seats}
    others = tuple(
        seat for seat in map(Seat, range(setup.seats)) if setup.side_of(seat) not in lost
    )
    return others if len({setup.side_of(seat) for seat in others}) == 1 else ()


def is_decided(setup: Setup, end: End) -> bool:
    """Return whether an end is a result to count: somebody has won, or all agreed to share."""
    return end.kind == "outcome" or end.kind in DRAWS or bool(winners(setup, end))


def score(setup: Setup, won: frozenset[Seat], seat: Seat, other: Seat) -> float:
    """Return the score of a seat against one of another side: 1, 0, or 0.5 if they are even."""
    assert setup.side_of(seat) != setup.side_of(other)
    return 0.5 + ((seat in won) - (other in won)) / 2
