"""Random matches of any game, for laws: seeds in, matches out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

from kumite.core.game import CHANCE, Actor, Game, Seat, Seats, Setup, Step, Value
from kumite.core.games import GAMES
from kumite.core.match import Match


def setups(game: Game[Any]) -> Iterator[Setup]:
    """Yield every number of seats: by default, with each single other value, and two mixtures."""
    for seats in game.SEATS:
        given: list[dict[str, Value]] = [{}]
        for option in game.OPTIONS:
            given += [{option.name: v} for v in option.allowed if v != option.default]
        rng = Random(f"{game.ID} {seats}")
        if len(game.OPTIONS) > 1:
            given += [{o.name: rng.choice(o.allowed) for o in game.OPTIONS} for _ in range(2)]
        for options in given:
            yield Setup.of(game, seats, options)


def viewers(seats: int) -> list[Seats]:
    """Return sets of seats: every one for up to four seats, else those with one or all but one."""
    all_seats = frozenset(map(Seat, range(seats)))
    if seats > 4:
        few = [frozenset({seat}) for seat in all_seats]
        pairs = [frozenset({Seat(0), Seat(2)}), frozenset({Seat(1), Seat(2)})]
        return [frozenset(), *few, *pairs, *(all_seats - one for one in few), all_seats]
    return [
        frozenset(map(Seat, some))
        for size in range(seats + 1)
        for some in combinations(range(seats), size)
    ]


def choose(match: Match, rng: Random) -> tuple[Actor, Step]:
    """Return a random legal step of a random actor (chance: by its odds)."""
    actor = rng.choice(match.actors)
    if actor == CHANCE:
        return actor, match.draw(rng)
    return actor, rng.choice(match.legal(actor))


def short_setup(game_id: str, seats: int | None = None) -> Setup:
    """Return a set-up of which random matches end soon: those of Kumo last a thousand steps."""
    shortest = {"limit": 40} if game_id == "kumo" else None
    return Setup.of(GAMES[game_id], seats, shortest)


def walk(setup: Setup, seed: int, longest: int = 100_000) -> Match:
    """Return a random match, played to its end or for `longest` steps."""
    options = tuple(sorted(setup.options.items()))
    return _walked(setup.game, setup.seats, options, seed, longest)


@lru_cache(maxsize=64)  # many tests take the same
def _walked(
    game: Game[Any], seats: int, options: tuple[tuple[str, Value], ...], seed: int, longest: int
) -> Match:
    rng = Random(f"{game.ID} {seats} {[*options]} {seed}")
    match = Match.begin(Setup.of(game, seats, dict(options)))
    while match.actors and match.number < longest:
        match = match.play(*choose(match, rng))
    return match
