"""The tree of uct.py as arrays, for games whose simulations are compiled.

A game's own module has the loop (kuzushi/kernel.py): down the tree with `wants_more`, `pick` and
`add`, a playout, and `back_up`. The same moves are tried in the same order as in uct.py, and the
same floats added, so the same tree grows; a test holds them against each other.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core.bots.fast import REAL, SMALL, fast, longer, zeros
from kumite.core.bots.search.stream import give_back, stream_of
from kumite.core.bots.search.uct import EXPLORE

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from kumite.core.bots.fast import Floats, Ints

OWED: Final = 64  # simulations that are asked for before they are made together
NODES: Final = 1024  # that there is place for at first
DEEPEST: Final = 512  # nodes of a path


class Tree(NamedTuple):
    """The nodes by number: 0 is the root, and as a link none."""

    mover: Ints  # the seat to act, or OVER
    move: Ints  # what led here
    moves: Ints  # how many there are; 0: not yet counted
    visits: Ints
    tried: Ints  # moves with a visit, each of them a child
    first: Ints  # the first child
    last: Ints
    next: Ints  # the child of the same parent that was tried after this one
    sums: Floats  # scores of the parent's mover
    possible: Ints  # how often it could be chosen, where many worlds share the tree (worldtree.py)
    path: Ints  # the nodes of the simulation, from the root down
    size: Ints  # one number: how many nodes there are


@fast
def copy(source: Ints, target: Ints) -> None:
    """Write over `target` what is in `source`, which is as long."""
    for index in range(len(source)):
        target[index] = source[index]


@fast
def wants_more(tree: Tree, node: int, widen: float) -> bool:
    """Return whether a move is to be tried that was not (`uct.Node.pick`)."""
    size = tree.moves[node]
    if widen:
        size = min(size, 2 + int(widen * sqrt(tree.visits[node])))
    return tree.tried[node] < size


@fast
def pick(tree: Tree, node: int) -> int:
    """Return the child that promises most."""
    bonus = EXPLORE * sqrt(log(tree.visits[node]))
    best, child = -1.0, tree.first[node]
    chosen = child
    while child:
        times = tree.visits[child]
        promise = (tree.sums[child] + bonus * sqrt(times)) / times
        if promise > best:
            best, chosen = promise, child
        child = tree.next[child]
    return chosen


@fast
def add(tree: Tree, node: int, move: int, mover: int) -> int:
    """Return a new child, whose mover is `mover`."""
    child = tree.size[0]
    tree.size[0] += 1
    if tree.tried[node]:
        tree.next[tree.last[node]] = child
    else:
        tree.first[node] = child
    tree.last[node] = child
    tree.tried[node] += 1
    tree.move[child] = move
    tree.mover[child] = mover
    return child


@fast
def back_up(tree: Tree, depth: int, scores: Floats) -> None:
    """Add the scores of a simulation to the nodes of its path: so many below the root."""
    tree.visits[0] += 1
    for index in range(1, depth + 1):
        child = tree.path[index]
        tree.visits[child] += 1
        tree.sums[child] += scores[tree.mover[tree.path[index - 1]]]


class CompiledTree:
    """A tree that a compiled loop lets grow, asked as uct.py's functions are."""

    def __init__(self, mover: int, grow: Callable[[Tree, Ints, int], None], most: int = 1) -> None:
        """Begin with the root's mover; `grow(tree, stream, times)` makes so many simulations.

        Each has `most` new nodes at most.
        """
        self._grow = grow
        self._most = most
        kinds = [(SMALL, NODES)] * 8 + [(REAL, NODES), (SMALL, NODES), (SMALL, DEEPEST), (SMALL, 1)]
        self.tree = Tree(*[zeros(kind, size) for kind, size in kinds])
        self.tree.mover[0] = mover
        self.tree.size[0] = 1
        self._stream: Ints = ()  # type: ignore[assignment]
        self._owed = 0

    def simulate(self, rng: Random, is_over: Callable[[int], bool], done: int) -> int:
        """Grow until it `is_over` after so many simulations; return how many that were."""
        self._stream = stream_of(rng)
        while not is_over(done):
            done += 1
            self._owed += 1
            if self._owed == OWED:
                self._settle()
        self._settle()
        give_back(rng, self._stream)
        return done

    def ranked(self) -> list[tuple[int, float, float]]:
        """Return move, value and share of the visits, the most visited first; untried ones not."""
        self._settle()
        tree, child, found = self.tree, int(self.tree.first[0]), []
        while child:
            times = int(tree.visits[child])
            found.append((times, float(tree.sums[child]) / times, int(tree.move[child])))
            child = int(tree.next[child])
        total = sum(times for times, _, _ in found)
        found.sort(key=lambda one: one[:2], reverse=True)
        return [(move, value, times / total) for times, value, move in found]

    def _doubled(self) -> Tree:
        """Return the tree with place for twice as many nodes."""
        fields: list[Any] = list(self.tree)
        *nodes, path, size = fields
        return Tree(*[*[longer(one, 2 * len(one)) for one in nodes], path, size])

    def _settle(self) -> None:
        """Make the simulations that are owed, with place for their nodes."""
        if not self._owed:
            return
        while self.tree.size[0] + self._most * self._owed > len(self.tree.visits):
            self.tree = self._doubled()
        self._grow(self.tree, self._stream, self._owed)
        self._owed = 0
