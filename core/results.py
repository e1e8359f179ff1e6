"""Who has won a match and why, by how its log says that it ended: no step is played for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat
from kumite.core.text import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kumite.core.game import Setup
    from kumite.core.log import End

FORFEITS: Final = frozenset({"resigned", "time", "gone"})  # ends whose seats have lost
DRAWS: Final = frozenset({"agreed"})  # ends at which all share
DRAWN: Final = "drawn"
ADJOURNED: Final = "adjourned"
BROKEN_OFF: Final = "broken off"


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


def together(seats: Collection[int], names: Sequence[str], you: Seat | None = None) -> str:
    """Return seats by their names, whoever reads it first: `you and ada`."""
    others = [names[seat] for seat in seats if seat != you]
    return listed(["you", *others] if you in seats else others)


def result(
    setup: Setup, end: End, names: Sequence[str], you: Seat | None = None
) -> tuple[str, str]:
    """Return in words who has won and why, for whoever plays the seat `you`.

    Why is empty where the rules have ended it: each game has its own words for that.
    """
    won, who = together(winners(setup, end), names, you), together(end.seats, names, you)
    why_so = why(end.kind, who, is_plural=len(end.seats) > 1 or you in end.seats)
    if won:
        return f"{won} won", why_so
    if end.kind in FORFEITS:
        return "nobody won", f"{why_so}, and the others have not played it out"
    if end.kind == "outcome" or end.kind in DRAWS:
        return DRAWN, why_so
    return (ADJOURNED if end.kind == "adjourned" else BROKEN_OFF), why_so


def why(kind: str, who: str, *, is_plural: bool) -> str:
    """Return why a match ended, by the kind of its end and whose it is; empty if by the rules."""
    whose = "your" if who == "you" else f"{who}'s"
    return {
        "outcome": "",
        "resigned": f"{who} gave up",
        "left": f"{who} left the table",
        "adjourned": f"{who} left" if who else "",
        "time": f"{whose} time has run out",
        "gone": f"{who} {'were' if is_plural else 'was'} gone for good, as all others said",
        "agreed": "all agreed to a draw",
        "spoiled": "the cards were tampered with; the audit tells by whom",
    }.get(kind, kind)


def is_decided(setup: Setup, end: End) -> bool:
    """Return whether an end is a result to count: somebody has won, or all agreed to share."""
    return end.kind == "outcome" or end.kind in DRAWS or bool(winners(setup, end))


def score(setup: Setup, won: frozenset[Seat], seat: Seat, other: Seat) -> float:
    """Return the score of a seat against one of another side: 1, 0, or 0.5 if they are even."""
    assert setup.side_of(seat) != setup.side_of(other)
    return 0.5 + ((seat in won) - (other in won)) / 2
