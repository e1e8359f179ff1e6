"""Kuzushi on an array is what its rules say; a copy for a compiler finds what plain Python finds.

Nothing is compiled here: the copies are plain Python with the draws, sorts and batches of compiled
ones. That numba finds the same is in tests/tui/bots/test_kernels.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.bots import fast
from kumite.core.bots.fast import Ints
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.games.kuzushi.bot import kernel, model
from kumite.tui.bots import kernels
from tests.support import mini_search as mini
from tests.support.random_matches import setups, walk

KUZUSHI = find("kuzushi")
every_setup = pytest.mark.parametrize(
    "setup", [*setups(KUZUSHI)], ids=lambda one: f"{one.seats}-{one.options}"
)


class Listed(list[Any]):
    """A list that is asked as an array of numpy's."""

    def view(self, kind: str) -> Listed:
        return self


def listed_zeros(size: Any, kind: str) -> list[Any]:
    return [[0] * size[1] for _ in range(size[0])] if isinstance(size, tuple) else [0] * size


NUMPY = SimpleNamespace(zeros=listed_zeros, array=lambda values, kind: Listed(values))


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType], Any]:
    """Give copies of modules for a compiler that leaves functions as they are."""
    monkeypatch.setattr(kernels, "_compiled", {})
    return lambda module: kernels.import_compiled(module.__name__, lambda one: one, NUMPY)


def shown(place: Ints) -> tuple[object, ...]:
    """Return what a position is, whatever was listed when, and where nothing can be laid."""
    listed = sorted(place[kernel.OPEN : kernel.OPEN + place[kernel.LISTED]])
    assert len(set(listed)) == len(listed)
    squares = range(kernel.SIZE)
    alone = {kernel.LEFT_ALONE: kernel.UNSEEN}
    cards = [alone.get(place[square], place[square]) for square in squares]
    some = [square for square in squares if cards[square] <= 0]
    counts = [
        [place[begin + square] for square in some]
        for begin in (kernel.MOST, *range(kernel.BESIDE, len(place), kernel.SIZE))
    ]
    rest = place[kernel.LISTED + 1 : kernel.BESIDE]
    return cards, counts, rest, [square for square in listed if cards[square] < 0]


@every_setup
def test_a_match_of_kuzushi_on_an_array_is_that_of_the_rules(setup: Setup) -> None:
    for seed in range(3):
        line = walk(setup, seed).line()
        place = kernel.place_of(line[0].state)
        for match, after in pairwise(line):
            assert shown(place) == shown(kernel.place_of(match.state))
            moves = [0] * kernel.SIZE
            count = kernel.order(place, moves)
            steps = {model.step_of(place, move % kernel.SIZE): move for move in moves[:count]}
            assert sorted(steps) == list(match.legal(match.actors[0]))
            kernel.lay(place, steps[after.last.step] % kernel.SIZE)
        work, outcome = kernel.work_of(place), line[-1].outcome
        assert outcome is not None
        assert place[kernel.ENDED]
        kernel.score(place, work)
        won = tuple(seat for seat in range(setup.seats) if work.wins[seat])
        best = max(work.scores)
        assert won == tuple(outcome.winners)
        assert won == tuple(seat for seat in range(setup.seats) if work.scores[seat] > best - 1e-9)


@every_setup
def test_a_gain_is_what_the_cards_on_the_table_change_by(setup: Setup) -> None:
    for match in walk(setup, 4).line()[:-1]:
        place, state = kernel.place_of(match.state), match.state
        for move, after in model.following(place):
            then = kuzushi.apply(state, state.turn, model.step_of(place, move))
            change = [then.score(seat) - state.score(seat) for seat in range(setup.seats)]
            own = change.pop(state.turn)
            assert kernel.gain(place, move, 3) == 3 * own - sum(change)
            assert after[kernel.TABLE] == then.cards.bit_count()


def test_moves_are_listed_by_what_they_gain_whatever_the_way_to_a_position() -> None:
    for match in walk(Setup.of(KUZUSHI, 3), 2).line()[:-1]:
        place, moves, again = kernel.place_of(match.state), [0] * 420, [0] * 420
        count = kernel.order(place, moves)
        begin, end = kernel.OPEN, kernel.OPEN + place[kernel.LISTED]
        place[begin:end] = place[begin:end][::-1]
        assert kernel.order(place, again) == count
        assert moves == again
        gains = [kernel.gain(place, move % kernel.SIZE, 1) for move in moves[:count]]
        assert gains == sorted(gains, reverse=True)


# --- Copies -----------------------------------------------------------------------------------


def test_the_stream_draws_what_random_draws_and_gives_it_back(
    copied: Callable[[ModuleType], Any],
) -> None:
    copy, one, other = copied(fast), Random(5), Random(5)
    drawn = copy.stream_of(other)
    assert [copy.draw(drawn) for _ in range(1000)] == [one.random() for _ in range(1000)]
    one.gauss()  # keeps a second number for later
    other.gauss()
    copy.give_back(other, drawn)
    one.random()
    assert other.random() != one.random()


@pytest.mark.parametrize("simulations", [1, 63, 64, 65, 300])
def test_a_tree_of_mini_kuzushi_is_the_same(
    simulations: int, copied: Callable[[ModuleType], Any]
) -> None:
    found = []
    for module in (mini, copied(mini)):
        rng, tree = Random(simulations), module.tree()
        assert tree.simulate(rng, bots.Budget(simulations).is_spent, 0) == simulations
        found.append((tree.ranked(), rng.random()))
    assert found[0] == found[1]


@every_setup
def test_a_tree_of_kuzushi_is_the_same_in_every_set_up(
    setup: Setup, copied: Callable[[ModuleType], Any]
) -> None:
    line = walk(setup, 8).line()[:-1]
    for match in line[:: max(1, len(line) // 3)]:
        found = []
        for module in (kernel, copied(kernel)):
            rng, tree = Random(1), module.search_from(match.state)
            for simulations in (20, 45):  # it goes on where it was
                tree.simulate(rng, lambda done, most=simulations: done >= most, 0)
                found.append((tree.ranked(), rng.random()))
        assert found[:2] == found[2:]


def ends() -> Iterator[kuzushi.State]:
    for seed in range(4):
        setup = Setup.of(KUZUSHI, 2, {"board": ("normal", "small")[seed % 2]})
        yield from (match.state for match in walk(setup, seed).line()[-4:-1])


def test_an_exact_end_that_pauses_looks_at_the_same_positions(
    copied: Callable[[ModuleType], Any],
) -> None:
    for state in ends():
        whole = kernel.ending_of(state, 20_000)
        worths = kernel.worths(whole, 20_000)
        for module in (kernel, copied(kernel)):
            search, until = module.ending_of(state, 20_000), 0
            while not (found := module.worths(search, until)) and until < 20_000:
                until += 7
            assert found == worths
            assert search.at == whole.at


def test_a_tree_grows_beyond_its_first_size() -> None:
    tree = mini.tree()
    tree.simulate(Random(1), bots.Budget(1500).is_spent, 0)
    assert len(tree.tree.visits) > 1024 < tree.tree.size[0]
    assert sum(share for _, _, share in tree.ranked()) == pytest.approx(1)
