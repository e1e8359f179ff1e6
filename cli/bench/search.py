"""The search of the bots on Mini-Kuzushi: simulations a second, to compare with other programs.

Beside it those on Kuzushi, Kitsu! and Kitsune, and all compiled (kernel.py), where numba is
installed.

A simulation is what it is elsewhere: down the tree, one new position, a random playout to the end.
In Kitsu! it is a position of a turn, in Kitsune a deal of the hidden cards and then the same.
"""

from __future__ import annotations

from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.cli.bench.plain import ALL, AROUND, NEAR, beside
from kumite.cli.saying import say
from kumite.core.bots import Budget
from kumite.core.bots.chances import Fit
from kumite.core.bots.kitsu.model import PASSES, KitsuGame
from kumite.core.bots.kitsune import model
from kumite.core.bots.kuzushi.game import game_on, place_of
from kumite.core.bots.kuzushi.model import PlainSearch, search_from
from kumite.core.bots.search import turns
from kumite.core.bots.search.uct import OVER, search
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.tui.bots import kernels

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.bots.kuzushi.game import KuzushiGame
    from kumite.core.bots.kuzushi.game import Place as KuzushiPlace
    from kumite.core.bots.kuzushi.model import Search
    from kumite.core.games.kitsu.position import State

Place: TypeAlias = tuple[int, int, int, int, int]
"""Bases of the seat to act and of the other, their flags, the seat to act."""
START: Final[Place] = (0, 0, 0, 0, 0)
SIZE: Final = 2000  # simulations of a search


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
        ("kitsu search", _kitsu, _kitsu_compiled),
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


def _kitsu(rng: Random) -> int:
    loops = turns.PlainSearch(KitsuGame(), rng, Budget(10 * SIZE))
    turns.compare(loops, _kitsu_start(), PASSES, Fit())
    return loops.done


def _kitsu_compiled(rng: Random) -> int:
    from kumite.core.bots.kitsu.compiled import CompiledSearch  # late: compiled as it is loaded

    loops = CompiledSearch(_kitsu_start(), rng, Budget(10 * SIZE))
    turns.compare(loops, loops.root, PASSES, Fit())
    return loops.done


def _kitsu_start() -> State:
    return kitsu.start(2, {option.name: option.default for option in kitsu.OPTIONS})


def _kitsune(seats: int) -> tuple[Callable[[Random], int], Callable[[Random], int]]:
    position, budget = kernels.first_choice("kitsune", seats), Budget(SIZE)

    def plain(rng: Random) -> int:
        model.plain(position, model.known_at(position), rng, budget, Fit())
        return SIZE

    def compiled(rng: Random) -> int:
        model.think(position, rng, budget)
        return SIZE

    return plain, compiled
