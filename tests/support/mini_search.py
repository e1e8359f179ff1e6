"""The search on Mini-Kuzushi, on sets of squares; by hand: its simulations a second."""

from __future__ import annotations

from random import Random
from typing import Final, TypeAlias

from kumite.cli.bench.plain_integers import ALL, LEFT, NEAR, RIGHT, SIZE
from kumite.core.bots.fast import REAL, Draws, Floats, draw, fast, unless, zeros
from kumite.core.bots.search.tree import OVER, Tree, TreeSearch, add, back_up, pick, wants_more

Place: TypeAlias = tuple[int, int, int, int]
"""Bases of the seat to act and of the other, and their flags."""
EMPTY: Final[Place] = (0, 0, 0, 0)


def tree() -> TreeSearch:
    scores = zeros(REAL, 2)
    return TreeSearch(0, lambda nodes, stream, times: grow(nodes, stream, times, scores))


@fast
def grow(tree: Tree, stream: Draws, times: int, scores: Floats) -> None:
    for _ in range(times):
        place, turn, node, depth = EMPTY, 0, 0, 0
        while tree.mover[node] != OVER and (node == 0 or tree.visits[node]):
            left = choices(place)
            tree.moves[node] = bits(left)
            if wants_more(tree, node, 0.0):
                move = nth(left, tree.tried[node])
                place, turn = after(place, move), 1 - turn
                node = add(tree, node, move, OVER if cards_of(place) == ALL else turn)
            else:
                node = pick(tree, node)
                place, turn = after(place, tree.move[node]), 1 - turn
            depth += 1
            tree.path[depth] = node
        mine = playout(place, stream)
        scores[turn], scores[1 - turn] = mine, 1 - mine
        back_up(tree, depth, scores)


@fast
def playout(place: Place, stream: Draws) -> float:
    """Play at random to the end; return the score of the seat to act."""
    is_other = False
    while cards_of(place) != ALL:
        left = choices(place)
        place = after(place, nth(left, int(draw(stream) * bits(left))))
        is_other = not is_other
    mine, theirs, my_flags, their_flags = place
    lead = bits(mine | my_flags) - bits(theirs | their_flags)
    score = 0.5 if lead == 0 else 1.0 if lead > 0 else 0.0
    return 1 - score if is_other else score


@fast
def cards_of(place: Place) -> int:
    return place[0] | place[1] | place[2] | place[3]


@fast
def choices(place: Place) -> int:
    """Return the squares that may be named."""
    cards = cards_of(place)
    if cards == 0:
        return ALL
    beside = cards << SIZE | cards >> SIZE | (cards & ~RIGHT) << 1 | (cards & ~LEFT) >> 1
    return beside & ALL & ~cards | place[2]


@fast
def after(place: Place, move: int) -> Place:
    mine, theirs, my_flags, their_flags = place
    mine |= 1 << move
    my_flags &= ~mine
    left = NEAR[move] & ~(mine | theirs)
    while left:
        bit = left & -left
        left ^= bit
        near = NEAR[bits(bit - 1)]
        more = bits(near & mine) - bits(near & theirs)
        my_flags = my_flags | bit if more > 0 else my_flags & ~bit
        if more >= 0:
            their_flags &= ~bit
    return theirs, mine, their_flags, my_flags


@fast
def nth(squares: int, index: int) -> int:
    """Return the square of that number, in ascending order."""
    for _ in range(index):
        squares &= squares - 1
    return bits((squares & -squares) - 1)


@unless(int.bit_count)
def bits(squares: int) -> int:
    """Return how many there are, of 36 at most: by pairs, fours, eights, and all eights at once."""
    squares -= squares >> 1 & 0x555555555
    squares = (squares & 0x333333333) + (squares >> 2 & 0x333333333)
    squares = squares + (squares >> 4) & 0xF0F0F0F0F
    return squares * 0x101010101 >> 32 & 0xFF


if __name__ == "__main__":
    from kumite.cli.bench.run import rate
    from kumite.core.bots import Budget
    from kumite.tui.bots.kernels import compiled

    for name, new in (("plain", tree), ("compiled", compiled("tests.support.mini_search").tree)):
        new().simulate(Random(1), Budget(2000).is_spent, 0)  # compiles
        found = rate(5, lambda rng, new=new: new().simulate(rng, Budget(2000).is_spent, 0))
        print(f"{name}: {found[1]:,.0f} simulations/s")
