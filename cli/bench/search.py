"""The search of the bots on Mini-Kuzushi: simulations a second, to compare with other programs.

Beside it those on Kuzushi, Kitsu!, Kumo and Kitsune, and all compiled (kernel.py), where numba is
installed.

A simulation is what it is elsewhere: down the tree, one new position, a random playout to the end.
In Kitsu! and Kumo it is a position of a turn, in Kitsune a deal of the hidden cards and then the
same.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from kumite.cli.bench.plain import ALL, AROUND, NEAR, beside
from kumite.cli.saying import say
from kumite.core.bots import Budget
from kumite.core.bots.chances import Fit
from kumite.core.bots.kitsu import model as kitsu
from kumite.core.bots.kitsune import model as kitsune_model
from kumite.core.bots.kumo import model as kumo
from kumite.core.bots.kuzushi.game import game_on, place_of
from kumite.core.bots.kuzushi.model import PlainSearch, search_from
from kumite.core.bots.search import turns
from kumite.core.bots.search.uct import OVER, search
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.tui.bots import kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.bots.kuzushi.game import KuzushiGame
    from kumite.core.bots.kuzushi.game import Place as KuzushiPlace
    from kumite.core.bots.kuzushi.model import Search
    from kumite.core.bots.search.turns import Pass, TurnGame

Place: TypeAlias = tuple[int, int, int, int, int]
"""Bases of the seat to act and of the other, their flags, the seat to act."""
START: Final[Place] = (0, 0, 0, 0, 0)
SIZE: Final = 2000  # simulations of a search


class TurnModel(Protocol):
    """A game that is searched by whole turns: the module `model` of its bots."""

    @property
    def GAME(self) -> TurnGame:  # noqa: N802
        """The game as its search asks it."""

    @property
    def PASSES(self) -> Sequence[Pass]:  # noqa: N802
        """How wide to look, one time after the other."""


class MiniKuzushi:
    """Mini-Kuzushi as an `OpenGame` of the search."""

    def mover(self, place: Place) -> int:
        """Return the seat to act."""
        mine, theirs, my_flags, their_flags, turn = place
        return OVER if mine | theirs | my_flags | their_flags == ALL else turn

    def moves(self, place: Place) -> Sequence[int]:
        """List the squares."""
        mine, theirs, my_flags, their_flags, _ = place
        cards = mine | theirs | my_flags | their_flags
        left = (beside(cards) & ~cards | my_flags) if cards else ALL
        found = []
        while left:
            low = left & -left
            found.append(low.bit_length() - 1)
            left ^= low
        return found

    def after(self, place: Place, move: int) -> Place:
        """Return the position after a base on that square."""
        mine, theirs, my_flags, their_flags, turn = place
        mine |= 1 << move
        my_flags &= ~mine
        bases = mine | theirs
        for neighbour in AROUND[move]:
            bit = 1 << neighbour
            if not bases & bit:
                near = NEAR[neighbour]
                more = (near & mine).bit_count() - (near & theirs).bit_count()
                my_flags = my_flags | bit if more > 0 else my_flags & ~bit
                if more >= 0:
                    their_flags &= ~bit
        return theirs, mine, their_flags, my_flags, 1 - turn

    def playout(self, place: Place, rng: Random) -> Sequence[float]:
        """Play at random to the end."""
        random, after = rng.random, self.after
        while True:
            mine, theirs, my_flags, their_flags, turn = place
            cards = mine | theirs | my_flags | their_flags
            if cards == ALL:
                break
            left = (beside(cards) & ~cards | my_flags) if cards else ALL
            for _ in range(int(random() * left.bit_count())):
                left &= left - 1
            place = after(place, (left & -left).bit_length() - 1)
        lead = (mine | my_flags).bit_count() - (theirs | their_flags).bit_count()
        score = 0.5 if not lead else float(lead > 0)
        return (score, 1 - score) if turn == 0 else (1 - score, score)


def print_rates(seconds: float) -> None:
    """Measure and print the searches of the games whose loops are compiled, plain and compiled."""
    why_not = kernels.load()
    for name, plain, compiled in (
        ("mk6 search", _mini, _mini_compiled),
        ("kuzushi 2 seats search", _kuzushi(PlainSearch), _kuzushi(search_from)),
        ("kitsu search", _turns(kitsu, "kitsu"), _turns_compiled(kitsu, "kitsu")),
        ("kumo 2 seats search", _turns(kumo, "kumo"), _turns_compiled(kumo, "kumo")),
        *((f"kitsune {n} seats search", *_kitsune(n)) for n in kitsune.SEATS),
    ):
        text = f"compiled {rate(seconds, compiled):,.0f}" if not why_not else f"none: {why_not}"
        say(f"{name:24} {rate(seconds, plain):10,.0f} simulations/s; {text}")


def rate(seconds: float, grow: Callable[[Random], int]) -> float:
    """Return simulations a second of searches from the start, several one after the other."""
    grow(Random(0))  # what is loaded at first is no part of it
    begun, done = perf_counter(), 0
    while (spent := perf_counter() - begun) < seconds or not done:
        done += grow(Random(done))
    return done / spent


def _mini(rng: Random) -> int:
    search(MiniKuzushi(), START, rng, Budget(SIZE))
    return SIZE


def _mini_compiled(rng: Random) -> int:
    from kumite.cli.bench import kernel  # late: compiled as it is loaded

    return kernel.tree().simulate(rng, Budget(SIZE).is_spent, 0)


def _kuzushi(begin: Callable[[KuzushiGame, KuzushiPlace], Search]) -> Callable[[Random], int]:
    state = kuzushi.start(2, {"board": "normal"})
    board, place = game_on(state.limit), place_of(state)
    return lambda rng: begin(board, place).simulate(rng, Budget(SIZE // 4).is_spent, 0)


def _turns(model: TurnModel, game_id: str) -> Callable[[Random], int]:
    """Return a search of whole turns in plain Python."""
    start = _start(game_id)

    def grow(rng: Random) -> int:
        loops = turns.PlainSearch(model.GAME, rng, Budget(10 * SIZE))
        turns.compare(loops, start, model.PASSES, Fit())
        return loops.done

    return grow


def _turns_compiled(model: TurnModel, game_id: str) -> Callable[[Random], int]:
    """Return the same compiled."""
    start = _start(game_id)

    def grow(rng: Random) -> int:
        from kumite.core.bots.search.compiled import CompiledSearch  # late: compiled as loaded

        ways: Any = import_module(f"kumite.core.bots.{game_id}.ways")
        loops = CompiledSearch(ways, model.GAME, start, rng, Budget(10 * SIZE))
        turns.compare(loops, loops.root, model.PASSES, Fit())
        return loops.done

    return grow


def _start(game_id: str) -> Any:
    setup = Setup.of(find(game_id))
    return setup.game.start(setup.seats, setup.options)


def _kitsune(seats: int) -> tuple[Callable[[Random], int], Callable[[Random], int]]:
    position, budget = kernels.first_choice("kitsune", seats), Budget(SIZE)

    def plain(rng: Random) -> int:
        kitsune_model.plain(position, kitsune_model.known_at(position), rng, budget, Fit())
        return SIZE

    def compiled(rng: Random) -> int:
        kitsune_model.think(position, rng, budget)
        return SIZE

    return plain, compiled
