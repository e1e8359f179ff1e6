"""Count the wins in a turn that `strong` does not see: `python -m kumite.tools.missed_wins kitsu`.

Positions are drawn from matches of low levels, at the beginnings of turns and within them. Another
search, by the rules alone and in an order of its own, looks which of them have a win in the turn;
nothing is pruned but what cannot be: in Kumo, more pushes than there are actions left. `strong` is
compiled, where that can be; `KUMITE_KERNEL=off` has it think in plain Python.
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any, Final

from kumite.cli.arena.rating import wilson
from kumite.core import bots
from kumite.core.bots.kitsu.model import KitsuGame
from kumite.core.bots.kumo.model import KumoGame
from kumite.core.bots.kumo.worth import LANES, QUARTERS, judge
from kumite.core.bots.search.hunt import Hunt
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.tui.bots import kernels

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.bots.search.hunt import HuntGame
    from kumite.core.game import Game, Step

PLAYERS: Final = ("easy", "easy", "random", "medium")
SEEN: Final = 1.0  # the value of a step after which a win is found


class Plain:
    """A game as it is: every legal step, in any order, and no hope that is not certain."""

    def __init__(self, game: Game[Any], model: HuntGame, rng: Random) -> None:
        self.game, self.rng = game, rng
        self.side, self.turn, self.has_won = model.side, model.turn, model.has_won

    def legal(self, state: Any) -> Sequence[Step]:
        """List all steps."""
        return self.game.legal(state, self.game.actors(state)[0])

    def tries(self, state: Any) -> Sequence[Step]:
        """List all steps."""
        return self.legal(state)

    def after(self, state: Any, step: Step) -> Any:
        """Return the position after a step."""
        return self.game.apply(state, self.game.actors(state)[0], step)

    def key(self, state: Any) -> object:
        """Return the whole position."""
        return state

    def finish(self, state: Any) -> tuple[Step, ...]:  # noqa: ARG002
        """Return (): nothing is seen without a search."""
        return ()

    def hope(self, state: Any) -> float | None:
        """Return any number, so that the order is of chance."""
        if self.game.ID == "kumo" and _pushes(state) > 8 - state.used:
            return None
        return self.rng.random() - depth(state)


def _pushes(state: Any) -> int:
    """Return the least pushes and quarters until the stone is out of a Kumo arena."""
    quarters = QUARTERS[len(state.boards)][state.seat & 1]
    return min([pushes + quarters[way] for _, way, _, pushes in LANES[state.stone]], default=1)


def depth(state: Any) -> float:
    """Return how much of a turn has been played, so that ends of turns are come to at all."""
    return float(state.used) if hasattr(state, "prisons") else 0.5 * (4 - len(state.seasons))


MODELS: Final[dict[str, HuntGame]] = {"kitsu": KitsuGame(), "kumo": KumoGame(judge)}


def positions(game: Game[Any], seed: int, every: int) -> Iterator[Any]:
    """Yield the positions at the beginnings of a match's turns: the last two, one of `every`."""
    rng, setup = Random(f"missed {seed}"), Setup.of(game)
    state = game.start(setup.seats, setup.options)
    players = [bots.find(rng.choice(PLAYERS)) for _ in range(setup.seats)]
    begun: list[Any] = []
    while actors := game.actors(state):
        assert actors[0] != CHANCE
        if not begun or begun[-1].turn != state.turn:
            begun.append(state)
        where = _asked(game, state)
        step = players[where.seat](where, rng, bots.Budget(60)).step
        state = game.apply(state, actors[0], step)
    yield from begun[-2:]
    yield from rng.sample(begun[1:-2], len(begun[1:-2]) // every)


def _asked(game: Game[Any], state: Any) -> bots.Position:
    seat = Seat(int(game.actors(state)[0]))
    return bots.Position(game, state, seat, (), game.legal(state, seat))


def sees(game: Game[Any], state: Any, seconds: float) -> bool:
    """Return whether `strong` finds a win in so much time of the processor."""
    end = process_time() + seconds
    budget = bots.Budget(None, lambda: process_time() > end)
    return bots.find("strong")(_asked(game, state), Random(1), budget).value == SEEN


def has_win(game: Game[Any], state: Any, rng: Random, most: int) -> bool:
    """Return whether the other search finds a win among so many positions."""
    hunt = Hunt(Plain(game, MODELS[game.ID], rng), state)
    return hunt.go_on(most, lambda: None)


def main() -> None:
    """Draw positions until the time is up, and print what was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", choices=sorted(MODELS))
    parser.add_argument("--seconds", type=float, default=1.0, help="of thought for each position")
    parser.add_argument("--most", type=int, default=150_000, help="positions of the other search")
    parser.add_argument("--every", type=int, default=6, help="turns before the last two, one of N")
    parser.add_argument("--cpu", type=float, default=300.0, help="seconds in all")
    parser.add_argument("--seed", type=int, default=1, help="of the first match")
    given = parser.parse_args()
    game, seed = find(given.game), given.seed
    kernels.load_for(given.game, ["strong"])
    looked = won = missed = 0
    while process_time() < given.cpu:
        for state in positions(game, seed, given.every):
            looked += 1
            is_seen = sees(game, state, given.seconds)
            if not is_seen and has_win(game, state, Random(seed), given.most):
                missed += 1
                print(f"missed, match {seed}:\n{game.text(state)}", flush=True)
                won += 1
            won += is_seen
        seed += 1
    low, high = wilson(missed, won) if won else (0.0, 1.0)
    print(f"{game.TITLE}: {looked} positions, {won} with a win in the turn, {missed} missed: "
          f"{100 * missed / max(1, won):.2f} % ({100 * low:.2f} to {100 * high:.2f})")  # fmt: skip


if __name__ == "__main__":
    main()
