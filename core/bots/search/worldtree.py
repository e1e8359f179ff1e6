"""The tree of ismcts.py as arrays, for games with secrets whose simulations are compiled.

A node of tree.py is an edge there with the place it leads to: `mover` is the team that went there,
`possible` how often it could. A game's own module has the loop (kitsune/compiled.py).
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from kumite.core.bots.fast import fast
from kumite.core.bots.search.ismcts import EXPLORE, GROWS, WIDER
from kumite.core.bots.search.stream import draw
from kumite.core.bots.search.tree import add

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints
    from kumite.core.bots.search.tree import Tree

FIRST, LAST = GROWS


class Choices(NamedTuple):
    """Room for a list of moves."""

    moves: Ints
    child: Ints  # where they lead, 0 if that is not in the tree


@fast
def exploration(done: int) -> float:
    """Return how much to explore after so many simulations."""
    return EXPLORE + (WIDER - EXPLORE) * min(max(done - FIRST, 0) / (LAST - FIRST), 1.0)


@fast
def child_of(tree: Tree, node: int, move: int) -> int:
    """Return where a move leads, 0 if it is not in the tree."""
    child = tree.first[node]
    while child and tree.move[child] != move:
        child = tree.next[child]
    return child


@fast
def pass_on(tree: Tree, node: int, move: int, team: int) -> int:
    """Return where a move leads that is the only one in this world: a place on the way."""
    child = child_of(tree, node, move)
    if child == 0:
        child = add(tree, node, move, team)
        tree.visits[child] = 1
    return child


@fast
def pick(tree: Tree, node: int, choices: Choices, count: int, team: int, stream: Ints) -> int:
    """Return which of so many moves to try: the best so far, or one seldom tried."""
    fresh, chosen = 0, 0
    for index in range(count):
        choices.child[index] = child_of(tree, node, choices.moves[index])
        fresh += int(choices.child[index] == 0)
    if fresh:
        left = int(draw(stream) * fresh)
        while left or choices.child[chosen]:
            left -= int(choices.child[chosen] == 0)
            chosen += 1
        choices.child[chosen] = add(tree, node, choices.moves[chosen], team)
    else:
        explore, best = exploration(tree.visits[0]), -1.0
        for index in range(count):
            child = choices.child[index]
            times = tree.visits[child]
            promise = tree.sums[child] / times + explore * sqrt(
                log(tree.possible[child] + 1) / times
            )
            if promise > best:
                best, chosen = promise, index
    for index in range(count):
        if choices.child[index]:
            tree.possible[choices.child[index]] += 1
    return chosen


@fast
def back_up(tree: Tree, depth: int, score: float) -> None:
    """Add the score of the first team to the nodes of a path of that length."""
    for index in range(depth):
        child = tree.path[index]
        tree.visits[child] += 1
        tree.sums[child] += 1 - score if tree.mover[child] else score
