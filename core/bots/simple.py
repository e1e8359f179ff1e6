"""Two simple players for every game: at random, and with a look at the next position."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.bots.base import Choice
from kumite.core.errors import Hidden

if TYPE_CHECKING:
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.game import Step


def at_random(position: Position, rng: Random, budget: Budget) -> Choice:  # noqa: ARG001
    """Choose any legal step, each equally likely."""
    return chosen(rng.choice(position.legal))


def one_step_ahead(position: Position, rng: Random, budget: Budget) -> Choice:  # noqa: ARG001
    """Win at once if possible; else leave the others the fewest choices, ties at random.

    It knows nothing of a game but `apply`, `legal` and `outcome`, so it plays all of them, and
    badly: a partner to try the table with.
    """
    game, seat = position.game, position.seat
    ranked: list[tuple[float, Step]] = []
    for step in position.legal:
        after = game.apply(position.view, seat, step)
        outcome = game.outcome(after)
        if outcome:
            ranked.append((-1.0 if seat in outcome.winners else 1e9, step))
            continue
        try:
            choices = sum(len(game.legal(after, actor)) for actor in game.actors(after))
        except Hidden:
            choices = 0
        ranked.append((float(choices), step))
    best = min(value for value, _ in ranked)
    return chosen(rng.choice([step for value, step in ranked if value == best]))


def chosen(step: Step) -> Choice:
    """Return the choice of a step without an opinion of it."""
    return Choice(step)
