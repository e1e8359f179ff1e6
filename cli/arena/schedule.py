"""Which bot sits where: every pairing and every order of seats equally often.

A cycle is a list of seatings; match n has seating n of it, and behind its end it begins anew. In
the middle of a cycle all is as even as it can be.
"""

from __future__ import annotations

from itertools import combinations, permutations
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.errors import BadSetup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.game import Setup

Seating: TypeAlias = tuple[int, ...]
"""The bot of each seat, by its index."""
MOST: Final = 12  # bots; a cycle of more for six seats would have a million matches


def cycle(setup: Setup, bots: int) -> list[Seating]:
    """Return the seatings after which everything has happened equally often.

    Partners are played by the same bot. Where all play for themselves, the bots get as many seats
    each, or one more than others.

    Raises:
        BadSetup: too few or too many bots.
    """
    if bots < 2:
        raise BadSetup(
            "an arena needs two bots at least", hint="kumite arena kuzushi strong medium"
        )
    if bots > MOST:
        raise BadSetup(f"{bots} bots are too many", hint=f"at most {MOST} in one arena")
    places = 2 if setup.game.TEAMS else setup.seats
    found = _pairs(bots) if places == 2 else _tables(bots, places)
    return [tuple(one[seat % places] for seat in range(setup.seats)) for one in found]


def _pairs(bots: int) -> list[Seating]:
    """Return all ordered pairs, both orders after each other, every bot in turn."""
    found: list[Seating] = []
    for distance in range(1, bots // 2 + 1):
        for first in range(bots if 2 * distance < bots else distance):
            second = (first + distance) % bots
            found += [(first, second), (second, first)]
    return found


def _tables(bots: int, seats: int) -> list[Seating]:
    """Return all orders of all tables, one round of the seats after the other.

    Tables are shuffled, always in the same way, so that the first ones tell about all bots.
    """
    rounds = [one for table in _companies(bots, seats) for one in _rounds(table)]
    Random(f"{bots} {seats}").shuffle(rounds)
    return [seating for one in rounds for seating in one]


def _companies(bots: int, seats: int) -> Iterator[Seating]:
    """Yield who may sit at one table, as evenly as possible."""
    each, more = divmod(seats, bots)
    for some in combinations(range(bots), more):
        yield tuple(sorted([*range(bots)] * each + [*some]))


def _rounds(table: Seating) -> list[list[Seating]]:
    """Return the orders of a table, those together that are turned into each other."""
    left = dict.fromkeys(permutations(table))
    found = []
    while left:
        first = next(iter(left))
        turned = dict.fromkeys(first[by:] + first[:by] for by in range(len(first)))
        for one in turned:
            del left[one]
        found.append(list(turned))
    return found
