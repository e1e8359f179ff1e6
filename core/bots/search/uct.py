"""UCT for games without secrets: a tree that grows where the seat to act does best (max-n).

With two seats it is the usual search; with more, each seat is taken to look for its own score.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Line

S = TypeVar("S")
M = TypeVar("M")

EXPLORE: Final = 0.45  # scores are 0 to 1: both more, as the usual 1.4, and less plays worse
OVER: Final = -1  # the mover of a position in which nobody acts


class OpenGame(Protocol[S, M]):
    """A game without secrets as UCT asks it: quick, unsorted, unchecked."""

    def mover(self, state: S) -> int:
        """Return the seat to act, or OVER."""

    def moves(self, state: S) -> Sequence[M]:
        """List its moves, each once; the promising ones first if `WIDEN` is set."""

    def after(self, state: S, move: M) -> S:
        """Return the position after a legal move."""

    def playout(self, state: S, rng: Random) -> Sequence[float]:
        """Return a score of each seat, 0 to 1: what the position comes to."""


class Node(Generic[S, M]):
    """A position of the tree. Lists are by move; they are made when it is entered a second time."""

    __slots__ = ("children", "count", "mover", "moves", "state", "sums", "tried", "visits")

    def __init__(self, state: S, mover: int) -> None:
        self.state = state
        self.mover = mover
        self.count = 0
        self.tried = 0  # moves with a visit: the first ones
        self.moves: Sequence[M] = ()
        self.children: list[Node[S, M] | None] = []
        self.visits: list[int] = []
        self.sums: list[float] = []  # scores of the mover

    def enter(self, game: OpenGame[S, M]) -> None:
        """List the moves."""
        self.moves = game.moves(self.state)
        size = len(self.moves)
        self.children, self.visits, self.sums = [None] * size, [0] * size, [0.0] * size

    def pick(self, widen: float) -> int:
        """Return which move to try: the first untried one, else the one that promises most.

        `widen` > 0 looks only at the first `2 + widen * sqrt(visits)` moves (progressive widening).
        """
        visits, size = self.visits, len(self.visits)
        if widen:
            size = min(size, 2 + int(widen * sqrt(self.count)))
        if self.tried < size:
            self.tried += 1
            return self.tried - 1
        bonus = EXPLORE * sqrt(log(self.count))
        best, chosen = -1.0, 0
        for index, (times, total) in enumerate(zip(visits[:size], self.sums, strict=False)):
            promise = (total + bonus * sqrt(times)) / times
            if promise > best:
                best, chosen = promise, index
        return chosen


def search(
    game: OpenGame[S, M],
    state: S,
    rng: Random,
    budget: Budget,
    widen: float = 0.0,
    lines: Callable[[Node[S, M]], Sequence[Line]] | None = None,
) -> Node[S, M]:
    """Return the root of a tree grown from `state` until the budget is spent.

    `lines` makes lines of a root; with it, whoever watches the budget sees the tree as it grows.
    """
    root: Node[S, M] = Node(state, game.mover(state))
    root.enter(game)
    if lines is not None:
        budget.show(lambda: lines(root))
    simulate(game, root, rng, budget.is_spent, widen)
    return root


def simulate(
    game: OpenGame[S, M],
    root: Node[S, M],
    rng: Random,
    is_over: Callable[[int], bool],
    widen: float = 0.0,
    done: int = 0,
) -> int:
    """Grow the tree until it `is_over` after so many simulations; return how many that were."""
    mover, after, playout = game.mover, game.after, game.playout
    while not is_over(done):
        done += 1
        node, path = root, []
        while node.mover != OVER:
            if not node.moves:
                if not node.count:
                    break
                node.enter(game)
            index = node.pick(widen)
            path.append((node, index))
            child = node.children[index]
            if child is None:
                following = after(node.state, node.moves[index])
                child = node.children[index] = Node(following, mover(following))
            node = child
        scores = playout(node.state, rng)
        node.count += 1
        for node, index in path:
            node.count += 1
            node.visits[index] += 1
            node.sums[index] += scores[node.mover]
    return done


def ranked(root: Node[Any, M]) -> list[tuple[M, float, float]]:
    """Return move, value and share of the visits, the most visited first; untried ones not."""
    total = sum(root.visits)
    found = [
        (times, value / times, move)
        for times, value, move in zip(root.visits, root.sums, root.moves, strict=True)
        if times
    ]
    found.sort(key=lambda one: one[:2], reverse=True)
    return [(move, value, times / total) for times, value, move in found]
