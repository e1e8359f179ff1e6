"""Simple bots for any game: random, and lookahead of one or two steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kumite.core.bots.base import Budget, Choice, Position
from kumite.core.errors import Hidden
from kumite.core.game import CHANCE, Actor, Step

if TYPE_CHECKING:
    from random import Random


FEARED: Final = 10_000  # upper bound for the opponents' answers tried


def at_random(position: Position, rng: Random, budget: Budget) -> Choice:  # noqa: ARG001
    return Choice(rng.choice(position.legal))


def one_step_ahead(position: Position, rng: Random, budget: Budget) -> Choice:  # noqa: ARG001
    """Win at once if possible; otherwise leave the others the fewest legal steps, ties at random.

    It needs only `apply`, `legal` and `outcome`, so it can play any game, though badly.
    """
    ranked = _ranked(position)
    best = min(value for value, _ in ranked)
    return Choice(rng.choice([step for value, step in ranked if value == best]))


def two_steps_ahead(position: Position, rng: Random, budget: Budget) -> Choice:
    """Play like `one_step_ahead`, but avoid steps that let another seat win immediately.

    A reply that refuted one step is tried first against the next, since most steps share it.
    """
    game, seat = position.game, position.seat
    ranked = [(value, rng.random(), step) for value, step in _ranked(position)]
    ranked.sort()
    wins: list[Step] = []
    left = FEARED
    for value, _, step in ranked:
        if value < 0:
            return Choice(step)
        after = game.apply(position.view, seat, step)
        try:
            actor, answers = _answers(game, after, seat)
        except Hidden:
            return Choice(step)
        known = [answer for answer in wins if answer in answers]
        for answer in (*known, *answers):
            left -= 1
            if left < 0 or budget.stop():
                return Choice(ranked[0][-1])
            outcome = game.outcome(game.apply(after, actor, answer))
            if outcome and actor in outcome.winners and seat not in outcome.winners:
                wins = [answer, *wins]
                break
        else:
            return Choice(step)
    return Choice(ranked[0][-1])


def _answers(game: Any, after: Any, seat: int) -> tuple[Actor, tuple[Step, ...]]:
    """Return the next seat and its legal steps; () if it is the same seat, chance or several."""
    actors = game.actors(after)
    if not actors or actors[0] in (CHANCE, seat) or len(actors) > 1:
        return CHANCE, ()
    return actors[0], game.legal(after, actors[0])


def _ranked(position: Position) -> list[tuple[float, Step]]:
    """Return each step with the number of choices it leaves the others; a win is negative."""
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
    return ranked
