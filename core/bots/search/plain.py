"""UCT over a game's own rules: for games without secrets that have no model of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kumite.core.bots.base import Line, chance
from kumite.core.bots.search.uct import OVER, Node, ranked, search

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.game import Actor, Game, Step


@dataclass(frozen=True, slots=True)
class PlainGame:
    """A game's own rules as an `OpenGame`."""

    game: Game[Any]
    seats: int

    def mover(self, state: Any) -> int:
        """Return the first seat to act."""
        actors = self.game.actors(state)
        return int(actors[0]) if actors else OVER

    def moves(self, state: Any) -> Sequence[Step]:
        """List the legal steps of the mover."""
        return self.game.legal(state, self._actor(state))

    def after(self, state: Any, move: Step) -> Any:
        """Return the position after a step."""
        return self.game.apply(state, self._actor(state), move)

    def playout(self, state: Any, rng: Random) -> Sequence[float]:
        """Play at random to the end."""
        game, random = self.game, rng.random
        while actors := game.actors(state):
            steps = game.legal(state, actors[0])
            state = game.apply(state, actors[0], steps[int(random() * len(steps))])
        outcome = game.outcome(state)
        winners = outcome.winners if outcome else ()
        won = 1 / len(winners) if winners else 1 / self.seats
        return [won if seat in winners or not winners else 0.0 for seat in range(self.seats)]

    def _actor(self, state: Any) -> Actor:
        return self.game.actors(state)[0]


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Search from the position."""
    seats, _ = position.game.setup_of(position.view)
    return lines(search(PlainGame(position.game, seats), position.view, rng, budget, lines=lines))


def lines(root: Node[Any, Step]) -> Sequence[Line]:
    """Return what a tree says of the steps."""
    return [Line(move, chance(value), share) for move, value, share in ranked(root)]
