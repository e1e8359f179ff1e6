"""Information-set MCTS with a single observer: UCT over many determinizations of one view.

Each simulation starts from a different world that is consistent with the view. Moves are stored as
the searching seat sees them, so indistinguishable worlds share nodes. A move competes only with the
moves that were available at the same time. The tree is that of tree.py; here a node also stands for
the move that leads to it: `mover` is the team that made the move, and `possible` counts how often
it was available. Each game has its own loop (see core/games/kitsune/bot/model.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.base import Budget, Line
from kumite.core.bots.fast import SMALL, Ints, draw, fast, zeros
from kumite.core.bots.search.tree import Tree, TreeSearch, add
from kumite.core.game import Step

if TYPE_CHECKING:
    from random import Random

    from kumite.core.bots.chances import Fit

EXPLORE: Final = 0.2  # small, because playouts end early and their scores are close together
WIDER: Final = 0.45  # the limit for long searches, which can afford to revisit moves
FIRST, LAST = 200, 2000  # simulations between which exploration grows
ENOUGH: Final = 1_000_000  # maximum of simulations; each needs up to two nodes, about 100 MB in all


class Choices(NamedTuple):
    """Scratch arrays for a list of moves."""

    moves: Ints
    child: Ints  # the node of each move, 0 if it has none
    where: Ints  # by move, its index in the list


def choices_of(most: int, numbers: int) -> Choices:
    return Choices(zeros(SMALL, most), zeros(SMALL, most), zeros(SMALL, numbers))


def search(
    tree: TreeSearch, rng: Random, budget: Budget, step_of: Callable[[int], Step], fit: Fit
) -> Sequence[Line]:
    """Run the search; return the tried moves, most visited first, with chances by `fit`."""

    def lines() -> list[Line]:
        found = [Line(step_of(move), fit.chance(score), n) for move, score, n in tree.ranked()]
        return sorted(found, key=lambda line: (-line.share, -line.value, line.step))

    budget.show(lines)
    tree.simulate(rng, lambda done: done >= ENOUGH or budget.is_spent(done), 0)
    return lines()


@fast
def exploration(done: int) -> float:
    if done <= FIRST:
        return EXPLORE
    return EXPLORE + (WIDER - EXPLORE) * min((done - FIRST) / (LAST - FIRST), 1.0)


@fast
def pass_on(tree: Tree, node: int, move: int, team: int) -> int:
    """Return the child for the only move of this world, created if necessary."""
    child = tree.first[node]
    while child:
        if tree.move[child] == move:
            return child
        child = tree.next[child]
    child = add(tree, node, move, team)
    tree.visits[child] = 1
    return child


@fast
def pick(
    tree: Tree, node: int, choices: Choices, count: int, team: int, explore: float, stream: Ints
) -> int:
    """Return the index of the move to try: the best by UCB, or an untried one."""
    moves, child, where = choices.moves, choices.child, choices.where
    for index in range(count):
        child[index] = 0
        where[moves[index]] = index
    move_to, possible, following = tree.move, tree.possible, tree.next
    known, one = 0, tree.first[node]
    while one:
        move = move_to[one]
        index = where[move]
        if index < count and moves[index] == move:
            child[index] = one
            possible[one] += 1
            known += 1
        one = following[one]
    chosen = 0
    if known < count:
        left = int(draw(stream) * (count - known))
        while left or child[chosen]:
            left -= int(child[chosen] == 0)
            chosen += 1
        child[chosen] = add(tree, node, moves[chosen], team)
        possible[child[chosen]] = 1
        return chosen
    best, visits, sums = -1.0, tree.visits, tree.sums
    for index in range(count):
        one = child[index]
        times = visits[one]
        promise = sums[one] / times + explore * sqrt(log(possible[one]) / times)
        if promise > best:
            best, chosen = promise, index
    return chosen


@fast
def back_up(tree: Tree, depth: int, score: float) -> None:
    """Add the score of the first team to the nodes of the path."""
    for index in range(depth):
        child = tree.path[index]
        tree.visits[child] += 1
        tree.sums[child] += 1 - score if tree.mover[child] else score
