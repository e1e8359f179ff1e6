"""UCT for games without secrets (max^n: each seat maximizes its own score).

With two seats it is the usual search. Each game has its own loop
(core/games/kuzushi/bot/kernel.py), or uses plain.py: descend with `wants_more`, `pick` and `add`,
run a playout, then call `back_up`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core.bots.fast import (
    IS_PLAIN,
    REAL,
    SMALL,
    Draws,
    Floats,
    Ints,
    fast,
    give_back,
    longer,
    stream_of,
    zeros,
)

if TYPE_CHECKING:
    from random import Random


EXPLORE: Final = 0.45  # for scores from 0 to 1; the usual 1.4 plays worse, as do lower values
OVER: Final = -1  # the mover of a terminal position
OWED: Final = 1 if IS_PLAIN else 64  # simulations per batch
NODES: Final = 1024  # initial capacity
DEEPEST: Final = 512  # longest path


class Tree(NamedTuple):
    """The nodes as arrays by number; 0 is the root and, as a link, means none."""

    mover: Ints  # the seat to act, or OVER
    move: Ints  # the move that led here
    moves: Ints  # number of legal moves; 0 if not counted yet
    visits: Ints
    tried: Ints  # moves with a visit, each with a child
    first: Ints  # first child
    last: Ints
    next: Ints  # next sibling, in the order of their first visits
    sums: Floats  # sum of scores for the parent's mover
    possible: Ints  # how often it was available, if worlds share the tree (ismcts.py)
    path: Ints  # nodes of the current simulation, from the root down
    size: Ints  # one element: the number of nodes


@fast
def wants_more(tree: Tree, node: int, widen: float) -> bool:
    """Return whether to try an untried move at this node.

    `widen` > 0 limits the search to the first `2 + widen * sqrt(visits)` moves (progressive
    widening).
    """
    tried = tree.tried[node]
    return tried < tree.moves[node] and (
        widen == 0 or tried < 2 + int(widen * sqrt(tree.visits[node]))
    )


@fast
def pick(tree: Tree, node: int) -> int:
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
    """Create a child node in which `mover` is to act; return its number."""
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
def back_up(tree: Tree, depth: int, scores: Sequence[float]) -> None:
    """Add the scores of a simulation to the nodes of its path, `depth` below the root."""
    tree.visits[0] += 1
    for index in range(1, depth + 1):
        child = tree.path[index]
        tree.visits[child] += 1
        tree.sums[child] += scores[tree.mover[tree.path[index - 1]]]


class TreeSearch:
    """A search tree, grown by the loop of a game."""

    def __init__(self, mover: int, grow: Callable[[Tree, Draws, int], None], most: int = 1) -> None:
        """Create the root; `grow(tree, stream, times)` runs `times` simulations.

        Each simulation adds at most `most` nodes.
        """
        self._grow = grow
        self._most = most
        kinds = [(SMALL, NODES)] * 8 + [(REAL, NODES), (SMALL, NODES), (SMALL, DEEPEST), (SMALL, 1)]
        self.tree = Tree(*[zeros(kind, size) for kind, size in kinds])
        self.tree.mover[0] = mover
        self.tree.size[0] = 1
        self._stream: Draws = None
        self._owed = 0

    def simulate(self, rng: Random, is_over: Callable[[int], bool], done: int) -> int:
        """Run simulations until `is_over`; return the new total."""
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
        """Return (move, value, share of the visits) of each tried move, most visited first."""
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
        fields: list[Any] = list(self.tree)
        *nodes, path, size = fields
        return Tree(*[*[longer(one, 2 * len(one)) for one in nodes], path, size])

    def _settle(self) -> None:
        """Run the outstanding batch of simulations, with enough room for their nodes."""
        if not self._owed:
            return
        while self.tree.size[0] + self._most * self._owed > len(self.tree.visits):
            self.tree = self._doubled()
        self._grow(self.tree, self._stream, self._owed)
        self._owed = 0
