"""Count the wins within a turn that `strong` misses: `python -m kumite.tools.missed_wins kitsu`.

Positions are drawn from matches of low levels, at the start of turns and within them, and every
second match is of STRONG against itself, which leaves only wins that are hard to see. An
independent search by the rules alone, in random order, finds out which have a win within the turn.
It prunes only the impossible: in Kumo, more pushes than actions left. `strong` runs compiled if
possible; `KUMITE_KERNEL=off` makes it run in plain Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from heapq import heappop, heappush
from random import Random
from time import process_time
from typing import Any, Final

import click

from kumite.cli.arena.report import wilson
from kumite.core import bots
from kumite.core.game import Game, Seat, Setup
from kumite.core.games import find
from kumite.core.games.kumo.bot import value
from kumite.core.match import Match
from kumite.tools import bot_matches
from kumite.tui.bots import kernels

PLAYERS: Final = ("easy", "easy", "random", "medium")
STRONG: Final = "strong:2000"
SEEN: Final = 1.0  # the value of a step with which a win is found


def has_win(
    game: Game[Any], state: Any, rng: Random, spend: Callable[[], object] = lambda: None
) -> bool:
    """Return whether the turn can be won, searching by the rules alone in random order.

    `spend` is called before each position, and may raise to stop the search.
    """
    (actor,) = game.actors(state)
    left, seen = [(0.0, 0, state)], {state}
    while left:
        one = heappop(left)[2]
        for step in game.legal(one, actor):
            spend()
            after = game.apply(one, actor, step)
            outcome = game.outcome(after)
            if outcome is not None and actor in outcome.winners:
                return True
            is_on = outcome is None and after.turn == state.turn
            if is_on and after not in seen and not _is_too_late(game, after):
                seen.add(after)
                heappush(left, (rng.random() - depth(after), len(seen), after))
    return False


def _is_too_late(game: Game[Any], state: Any) -> bool:
    """Return whether a Kumo arena needs more pushes than there are actions left."""
    if game.ID != "kumo":
        return False
    row = 81 * (len(state.boards) // 4 * 2 + (state.seat & 1))
    return bool(value.LEAST[row + state.stone] > 8 - state.used)


def depth(state: Any) -> float:
    """Return how much of the turn has been played; deep positions tend to be searched first."""
    return float(state.used) if hasattr(state, "prisons") else 0.5 * (4 - len(state.seasons))


def positions(game: Game[Any], seed: int, every: int) -> Iterator[Any]:
    """Yield positions at the start of a match's turns: the last two, and one in `every` others."""
    rng, setup = Random(f"missed {seed}"), Setup.of(game)
    names = [STRONG] if seed % 2 == 0 else PLAYERS
    players = [bots.find(rng.choice(names)) for _ in range(setup.seats)]
    begun: list[Any] = []
    most = None if seed % 2 == 0 else 60
    for match, where in bot_matches.positions(Match.begin(setup), players, rng, most):
        if where is not None and (not begun or begun[-1].turn != match.state.turn):
            begun.append(match.state)
    yield from begun[-2:]
    yield from rng.sample(begun[1:-2], len(begun[1:-2]) // every)


def sees(game: Game[Any], state: Any, seconds: float) -> bool:
    """Return whether `strong` finds a win within `seconds` of CPU time."""
    end = process_time() + seconds
    budget = bots.Budget(None, lambda: process_time() > end)
    seat = Seat(int(game.actors(state)[0]))
    position = bots.Position(game, state, seat, (), game.legal(state, seat))
    return bots.find("strong")(position, Random(1), budget).value == SEEN


def _is_won(game: Game[Any], state: Any, rng: Random, most: int) -> bool:
    """Return whether the independent search finds a win within `most` positions."""
    left = iter(range(most))
    try:
        return has_win(game, state, rng, partial(next, left))
    except StopIteration:
        return False


@click.command(help=__doc__)
@click.argument("game_id", type=click.Choice(["kitsu", "kumo"]))
@click.option("--seconds", default=1.0, help="of thought for each position")
@click.option("--most", default=150_000, help="positions of the other search")
@click.option("--every", default=6, help="turns before the last two, one of N")
@click.option("--cpu", default=300.0, help="seconds in all")
@click.option("--seed", default=1, help="of the first match")
def main(game_id: str, seconds: float, most: int, every: int, cpu: float, seed: int) -> None:
    game = find(game_id)
    kernels.load_for(game_id, ["strong"])
    looked = won = missed = 0
    while process_time() < cpu:
        for state in positions(game, seed, every):
            looked += 1
            is_seen = sees(game, state, seconds)
            if not is_seen and _is_won(game, state, Random(seed), most):
                missed += 1
                print(f"missed, match {seed}:\n{game.text(state)}", flush=True)
                won += 1
            won += is_seen
        seed += 1
    low, high = wilson(missed, won)
    print(f"{game.TITLE}: {looked} positions, {won} with a win in the turn, {missed} missed: "
          f"{100 * missed / max(1, won):.2f} % ({100 * low:.2f} to {100 * high:.2f})")  # fmt: skip


if __name__ == "__main__":
    main()
