"""The search of the bots on Mini-Kuzushi: simulations a second, to compare with other programs.

A simulation is what it is elsewhere: down the tree, one new position, a random playout to the end.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.cli.bench.plain import ALL, AROUND, NEAR, beside
from kumite.core.bots import Budget
from kumite.core.bots.search.uct import OVER, search

if TYPE_CHECKING:
    from collections.abc import Sequence

Place: TypeAlias = tuple[int, int, int, int, int]
"""Bases of the seat to act and of the other, their flags, the seat to act."""
START: Final[Place] = (0, 0, 0, 0, 0)


class MiniKuzushi:
    """Mini-Kuzushi as an `OpenGame` of the search."""

    def mover(self, place: Place) -> int:
        """Return the seat to act."""
        mine, theirs, my_flags, their_flags, turn = place
        return OVER if mine | theirs | my_flags | their_flags == ALL else turn

    def moves(self, place: Place) -> Sequence[int]:
        """List the squares."""
        mine, theirs, my_flags, their_flags, _ = place
        cards = mine | theirs | my_flags | their_flags
        left = (beside(cards) & ~cards | my_flags) if cards else ALL
        found = []
        while left:
            low = left & -left
            found.append(low.bit_length() - 1)
            left ^= low
        return found

    def after(self, place: Place, move: int) -> Place:
        """Return the position after a base on that square."""
        mine, theirs, my_flags, their_flags, turn = place
        mine |= 1 << move
        my_flags &= ~mine
        bases = mine | theirs
        for neighbour in AROUND[move]:
            bit = 1 << neighbour
            if not bases & bit:
                near = NEAR[neighbour]
                more = (near & mine).bit_count() - (near & theirs).bit_count()
                my_flags = my_flags | bit if more > 0 else my_flags & ~bit
                if more >= 0:
                    their_flags &= ~bit
        return theirs, mine, their_flags, my_flags, 1 - turn

    def playout(self, place: Place, rng: Random) -> Sequence[float]:
        """Play at random to the end."""
        random, after = rng.random, self.after
        while True:
            mine, theirs, my_flags, their_flags, turn = place
            cards = mine | theirs | my_flags | their_flags
            if cards == ALL:
                break
            left = (beside(cards) & ~cards | my_flags) if cards else ALL
            for _ in range(int(random() * left.bit_count())):
                left &= left - 1
            place = after(place, (left & -left).bit_length() - 1)
        lead = (mine | my_flags).bit_count() - (theirs | their_flags).bit_count()
        score = 0.5 if not lead else float(lead > 0)
        return (score, 1 - score) if turn == 0 else (1 - score, score)


def rate(seconds: float) -> float:
    """Return simulations a second from the empty board, several searches one after the other."""
    begun, done, size = perf_counter(), 0, 2000
    while (spent := perf_counter() - begun) < seconds or not done:
        search(MiniKuzushi(), START, Random(done), Budget(size))
        done += size
    return done / spent
