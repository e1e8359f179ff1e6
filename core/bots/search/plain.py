"""UCT over a game's own rules: for games without secrets that have no model of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kumite.core.bots.base import Budget, Line, Position, chance
from kumite.core.bots.search.tree import OVER, Tree, TreeSearch, add, back_up, pick, wants_more
from kumite.core.game import Step

if TYPE_CHECKING:
    from random import Random


class PlainSearch:
    """A search from one position; moves in the tree are indices into lists of legal steps."""

    def __init__(self, position: Position) -> None:
        self._game, state = position.game, position.view
        self._seats, _ = self._game.setup_of(state)
        self._states, self._steps = [state], {0: position.legal}  # by node
        self.tree = TreeSearch(self._mover(state), self._grow)

    def lines(self) -> Sequence[Line]:
        """Return the tried steps, most visited first."""
        steps = self._steps[0]
        return [Line(steps[move], chance(value), n) for move, value, n in self.tree.ranked()]

    def _mover(self, state: Any) -> int:
        """Return the first seat to act, or OVER."""
        actors = self._game.actors(state)
        return int(actors[0]) if actors else OVER

    def _after(self, node: int, step: Step) -> Any:
        state = self._states[node]
        return self._game.apply(state, self._game.actors(state)[0], step)

    def _grow(self, tree: Tree, rng: Random, times: int) -> None:
        for _ in range(times):
            node, depth = 0, 0
            while tree.mover[node] != OVER and (node == 0 or tree.visits[node]):
                if node not in self._steps:
                    state = self._states[node]
                    self._steps[node] = self._game.legal(state, self._game.actors(state)[0])
                tree.moves[node] = len(self._steps[node])
                if depth + 1 == len(tree.path):
                    break
                if wants_more(tree, node, 0.0):
                    move = tree.tried[node]
                    self._states.append(self._after(node, self._steps[node][move]))
                    node = add(tree, node, move, self._mover(self._states[-1]))
                else:
                    node = pick(tree, node)
                depth += 1
                tree.path[depth] = node
            back_up(tree, depth, self._playout(self._states[node], rng))

    def _playout(self, state: Any, rng: Random) -> Sequence[float]:
        """Play randomly to the end; return the score of each seat, 0 to 1."""
        game, random = self._game, rng.random
        while actors := game.actors(state):
            steps = game.legal(state, actors[0])
            state = game.apply(state, actors[0], steps[int(random() * len(steps))])
        outcome = game.outcome(state)
        winners = outcome.winners if outcome else ()
        won = 1 / len(winners) if winners else 1 / self._seats
        return [won if seat in winners or not winners else 0.0 for seat in range(self._seats)]


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    search = PlainSearch(position)
    budget.show(search.lines)
    search.tree.simulate(rng, budget.is_spent, 0)
    return search.lines()
