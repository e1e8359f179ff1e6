"""The winner of a match and the reason, from the `end` of its log."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final

from kumite.core.game import Seat, Setup
from kumite.core.text import listed

if TYPE_CHECKING:
    from kumite.core.log import End

FORFEITS: Final = frozenset({"resigned", "time", "gone"})  # ends whose seats have lost
DRAWS: Final = frozenset({"agreed"})
DRAWN: Final = "drawn"
ADJOURNED: Final = "adjourned"
BROKEN_OFF: Final = "broken off"


def winners(setup: Setup, end: End) -> tuple[Seat, ...]:
    """Return the winners: by the rules, or the only side that has not forfeited.

    With several sides left nobody wins, because no rule decides between them.
    """
    if end.kind in ("outcome", "decided"):
        return end.seats
    if end.kind not in FORFEITS:
        return ()
    lost = {setup.side_of(seat) for seat in end.seats}
    others = tuple(
        seat for seat in map(Seat, range(setup.seats)) if setup.side_of(seat) not in lost
    )
    return others if len({setup.side_of(seat) for seat in others}) == 1 else ()


def together(seats: Collection[int], names: Sequence[str], you: Seat | None = None) -> str:
    """Return seats by their names, the reader first: `you and ada`."""
    others = [names[seat] for seat in seats if seat != you]
    return listed(["you", *others] if you in seats else others)


def result(
    setup: Setup, end: End, names: Sequence[str], you: Seat | None = None
) -> tuple[str, str]:
    """Return who won and why as texts for the player of seat `you`.

    The reason is empty if the rules ended the match; each game words those.
    """
    won, who = together(winners(setup, end), names, you), together(end.seats, names, you)
    why_so = why(end.kind, who)
    if won:
        return f"{won} won", why_so
    if end.kind in FORFEITS:
        sides = len({setup.side_of(Seat(seat)) for seat in range(setup.seats)})
        what = "players" if sides == setup.seats else "sides"
        return "nobody won", f"{why_so}; with {sides} {what} that ends the match for all"
    if end.kind == "outcome" or end.kind in DRAWS:
        return DRAWN, why_so
    return (ADJOURNED if end.kind == "adjourned" else BROKEN_OFF), why_so


def why(kind: str, who: str) -> str:
    """Return why a match ended, from the kind of its end and who caused it; "" if by the rules."""
    whose = "your" if who == "you" else f"{who}'s"
    return {
        "outcome": "",
        "resigned": f"{who} gave up",
        "left": f"{who} left the table",
        "adjourned": f"{who} left" if who else "",
        "time": f"{whose} time ran out",
        "gone": f"{who} did not come back, and all others confirmed it",
        "agreed": "all agreed to a draw",
        "decided": "the organiser decided this match",
        "spoiled": "the cards were tampered with; the audit names the cheater",
    }.get(kind, kind)


def is_decided(setup: Setup, end: End) -> bool:
    """Return True if an end counts as a result: a win, or an agreed draw."""
    is_forfeit = end.kind in FORFEITS and bool(winners(setup, end))
    return end.kind == "outcome" or end.kind in DRAWS or is_forfeit


def score(setup: Setup, won: frozenset[Seat], seat: Seat, other: Seat) -> float:
    """Return the score of a seat against one of another side: 1, 0, or 0.5 if they are even."""
    assert setup.side_of(seat) != setup.side_of(other)
    return 0.5 + ((seat in won) - (other in won)) / 2
