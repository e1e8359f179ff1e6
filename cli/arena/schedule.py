"""The schedule of an arena: every pairing and every order of seats occurs equally often.

A cycle is a list of seatings; match n uses seating n, modulo its length. The list is ordered so
that partial cycles are balanced, too.
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
MOST: Final = 12  # bots; with more, a cycle for six seats would have a million matches


def cycle(setup: Setup, bots: int) -> list[Seating]:
    """Return a cycle of seatings, in which each combination occurs equally often.

    Partners are played by the same bot. Without teams, the bots at a table get equally many seats,
    or differ by one.

    Raises:
        BadSetup: there are too few or too many bots.
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
    """Return all ordered pairs, each followed by its reverse, with the bots evenly spread."""
    found: list[Seating] = []
    for distance in range(1, bots // 2 + 1):
        for first in range(bots if 2 * distance < bots else distance):
            second = (first + distance) % bots
            found += [(first, second), (second, first)]
    return found


def _tables(bots: int, seats: int) -> list[Seating]:
    """Return all seatings of all tables, grouped by rotation.

    The groups are shuffled deterministically, so that the first matches cover all bots.
    """
    rounds = [one for table in _companies(bots, seats) for one in _rounds(table)]
    Random(f"{bots} {seats}").shuffle(rounds)
    return [seating for one in rounds for seating in one]


def _companies(bots: int, seats: int) -> Iterator[Seating]:
    """Yield the combinations of bots at a table, with the seats shared as evenly as possible."""
    each, more = divmod(seats, bots)
    for some in combinations(range(bots), more):
        yield tuple(sorted([*range(bots)] * each + [*some]))


def _rounds(table: Seating) -> list[list[Seating]]:
    """Return the distinct orders of a table, grouped by rotation."""
    left = dict.fromkeys(permutations(table))
    found = []
    while left:
        first = next(iter(left))
        turned = dict.fromkeys(first[by:] + first[:by] for by in range(len(first)))
        for one in turned:
            del left[one]
        found.append(list(turned))
    return found
