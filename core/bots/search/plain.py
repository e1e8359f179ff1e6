"""UCT over a game's own rules: for games without secrets that have no model of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kumite.core.bots.base import Budget, Line, Position, chance
from kumite.core.bots.search.tree import OVER, Tree, TreeSearch, add, back_up, pick, wants_more
from kumite.core.game import Game, Step

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, slots=True)
class PlainGame:
    """Adapter from a game's rules to the UCT search."""

    game: Game[Any]
    seats: int

    def mover(self, state: Any) -> int:
        """Return the first seat to act, or OVER."""
        actors = self.game.actors(state)
        return int(actors[0]) if actors else OVER

    def moves(self, state: Any) -> Sequence[Step]:
        return self.game.legal(state, self.game.actors(state)[0])

    def after(self, state: Any, move: Step) -> Any:
        return self.game.apply(state, self.game.actors(state)[0], move)

    def playout(self, state: Any, rng: Random) -> Sequence[float]:
        """Play randomly to the end; return the score of each seat, 0 to 1."""
        game, random = self.game, rng.random
        while actors := game.actors(state):
            steps = game.legal(state, actors[0])
            state = game.apply(state, actors[0], steps[int(random() * len(steps))])
        outcome = game.outcome(state)
        winners = outcome.winners if outcome else ()
        won = 1 / len(winners) if winners else 1 / self.seats
        return [won if seat in winners or not winners else 0.0 for seat in range(self.seats)]


class PlainSearch:
    """A search from one position; moves in the tree are indices into lists of legal steps."""

    def __init__(self, game: PlainGame, state: Any) -> None:
        self.moves: dict[int, Sequence[Any]] = {0: game.moves(state)}  # legal steps by node
        moves, states = self.moves, [state]

        def grow(tree: Tree, rng: Random, times: int) -> None:
            for _ in range(times):
                node, depth = 0, 0
                while tree.mover[node] != OVER and (node == 0 or tree.visits[node]):
                    if node not in moves:
                        moves[node] = game.moves(states[node])
                    tree.moves[node] = len(moves[node])
                    if depth + 1 == len(tree.path):
                        break
                    if wants_more(tree, node, 0.0):
                        move = tree.tried[node]
                        states.append(game.after(states[node], moves[node][move]))
                        node = add(tree, node, move, game.mover(states[-1]))
                    else:
                        node = pick(tree, node)
                    depth += 1
                    tree.path[depth] = node
                back_up(tree, depth, game.playout(states[node], rng))

        self.tree = TreeSearch(game.mover(state), grow)

    def ranked(self) -> list[tuple[Any, float, float]]:
        """Return (move, value, share of the visits) of each tried move, most visited first."""
        moves = self.moves[0]
        return [(moves[move], value, share) for move, value, share in self.tree.ranked()]


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    seats, _ = position.game.setup_of(position.view)
    search = PlainSearch(PlainGame(position.game, seats), position.view)

    def lines() -> Sequence[Line]:
        return [Line(move, chance(value), share) for move, value, share in search.ranked()]

    budget.show(lines)
    search.tree.simulate(rng, budget.is_spent, 0)
    return lines()
