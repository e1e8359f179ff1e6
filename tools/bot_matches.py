"""Matches between bots, position by position, for tools that query some of the positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from kumite.core import bots
from kumite.core.game import CHANCE, Seat
from kumite.core.match import Match


def positions(
    match: Match, players: Sequence[bots.Bot], rng: Random, simulations: int | None = None
) -> Iterator[tuple[Match, bots.Position | None]]:
    """Play a match to its end; yield it before each step, and at the end.

    Each match comes with the input for the bot to act, or None for chance and at the end.
    Without `simulations` for a step, each bot takes its usual number.
    """
    game = match.game
    alone = [frozenset({Seat(seat)}) for seat in range(match.setup.seats)]
    views = [match.seen_by(by) for by in alone]
    while match.actors:
        actor = match.actors[0]
        if actor == CHANCE:
            yield match, None
            odds = match.odds()
            step = rng.choices(list(odds), [float(one) for one in odds.values()])[0]
        else:
            own = views[actor]
            where = bots.Position(game, own.state, actor, own.steps(), own.legal(actor))
            yield match, where
            step = players[actor](where, rng, bots.Budget(simulations)).step
        views = [
            view.play(actor, game.seen(match.state, actor, step, by))
            for view, by in zip(views, alone, strict=True)
        ]
        match = match.play(actor, step)
    yield match, None
