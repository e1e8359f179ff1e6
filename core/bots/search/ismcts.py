"""Search for games with secrets: one tree over many worlds (information-set UCT, one observer).

Each simulation begins with another world that the view can be of. Steps are remembered as the
asking seat sees them, so two worlds that look alike share their place in the tree. A step is
compared only with those that were possible when it was.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.core.bots.base import Line
from kumite.core.game import CHANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.bots.chances import Fit
    from kumite.core.game import Actor, Step

EXPLORE: Final = 0.2  # playouts end early and their scores are close together
WIDER: Final = 0.45  # what a long thought comes to: it can afford to look at steps again
GROWS: Final = (200, 2000)  # simulations between which it does
ENOUGH: Final = 1_000_000  # simulations of a thought: a tree has two places for each, about 100 MB


class SecretGame(Protocol):
    """A game with secrets as this search asks it."""

    def actor(self, state: Any) -> Actor | None:
        """Return who acts, None at the end."""

    def legal(self, state: Any, actor: Actor, rng: Random) -> Sequence[Step]:
        """List the steps; of chance only one, drawn by its odds."""

    def after(self, state: Any, actor: Actor, step: Step) -> Any:
        """Return the position after a legal step."""

    def seen(self, state: Any, actor: Actor, step: Step) -> Step:
        """Return the step as the asking seat sees it."""

    def team(self, actor: Actor) -> int:
        """Return which score a seat looks at."""

    def playout(self, state: Any, rng: Random) -> Sequence[float]:
        """Return a score of each team, 0 to 1."""


class Node:
    """A place in the tree; lists by step: visits, how often it was possible, sum, what follows."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps: dict[Step, Edge] = {}

    def pick(self, possible: Sequence[Step], rng: Random, explore: float) -> Step:
        """Return which of the possible steps to try: the best so far, or one seldom tried."""
        steps = self.steps
        fresh = [step for step in possible if step not in steps]
        if fresh:
            step = fresh[int(rng.random() * len(fresh))]
            steps[step] = Edge()
            chosen = step
        else:
            best, chosen = -1.0, possible[0]
            for step in possible:
                edge = steps[step]
                promise = edge.total / edge.visits + explore * sqrt(
                    log(edge.possible + 1) / edge.visits
                )
                if promise > best:
                    best, chosen = promise, step
        for step in possible:
            if step in steps:
                steps[step].possible += 1
        return chosen


class Edge:
    """A step from a place in the tree."""

    __slots__ = ("node", "possible", "total", "visits")

    def __init__(self) -> None:
        self.visits = self.possible = 0
        self.total = 0.0
        self.node = Node()


def search(
    game: SecretGame,
    position: Position,
    world: Callable[[], Any],
    rng: Random,
    budget: Budget,
    fit: Fit,
) -> list[Line]:
    """Return the steps tried, the most visited first; `fit` makes chances of scores."""
    root, done = Node(), 0
    budget.show(lambda: _lines(root, fit))
    while not is_over(budget, done):
        done += 1
        _simulate(game, root, world(), position, rng, _exploration(done))
    return _lines(root, fit)


def is_over(budget: Budget, done: int) -> bool:
    """Return whether no more is to be done after so many simulations."""
    return done >= ENOUGH or budget.is_spent(done)


def _exploration(done: int) -> float:
    """Return how much to explore after so many simulations."""
    first, last = GROWS
    return EXPLORE + (WIDER - EXPLORE) * min(max(done - first, 0) / (last - first), 1.0)


def _lines(root: Node, fit: Fit) -> list[Line]:
    """Return the steps tried so far, the most visited first."""
    edges = {step: edge for step, edge in root.steps.items() if edge.visits}
    total = sum(edge.visits for edge in edges.values())
    return lines_of(
        ((step, edge.total / edge.visits, edge.visits / total) for step, edge in edges.items()), fit
    )


def lines_of(found: Iterable[tuple[Step, float, float]], fit: Fit) -> list[Line]:
    """Return the lines of steps with their scores and shares, the most visited first."""
    lines = [Line(step, fit.chance(score), share) for step, score, share in found]
    return sorted(lines, key=lambda line: (-line.share, -line.value, line.step))


def _simulate(
    game: SecretGame, node: Node, state: Any, position: Position, rng: Random, explore: float
) -> None:
    path: list[tuple[Edge, int]] = []
    actor: Actor | None = position.seat  # of several who act at once, the asking seat is first
    while actor is not None:
        possible = game.legal(state, actor, rng)
        if actor == CHANCE or len(possible) == 1:
            step = possible[0]
            shown = game.seen(state, actor, step)
            edge = node.steps.get(shown)
            if edge is None:
                edge = node.steps[shown] = Edge()
                edge.visits = 1  # a place on the way, which nobody chooses
            node, state = edge.node, game.after(state, actor, step)
            actor = game.actor(state)
            continue
        step = node.pick(possible, rng, explore)
        edge = node.steps[step]
        path.append((edge, game.team(actor)))
        node, state = edge.node, game.after(state, actor, step)
        actor = game.actor(state)
        if edge.visits == 0:
            break
    scores = game.playout(state, rng)
    for edge, team in path:
        edge.visits += 1
        edge.total += scores[team]
