"""Loops for a compiler, run as the plain Python that they are: the same draws, trees and ends."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from kumite.cli.bench import kernel as mini
from kumite.cli.bench import search as bench
from kumite.core import bots
from kumite.core.bots.fast import Compiler
from kumite.core.bots.kuzushi.compiled import CompiledSearch
from kumite.core.bots.kuzushi.game import game_on, place_of
from kumite.core.bots.kuzushi.model import PlainSearch
from kumite.core.bots.search import stream, uct
from kumite.core.game import Setup
from kumite.core.games import find
from tests.support.random_matches import setups, walk

KUZUSHI = find("kuzushi")


def test_the_stream_draws_what_random_draws_and_gives_it_back() -> None:
    one, other = Random(5), Random(5)
    drawn = stream.stream_of(other)
    assert [stream.draw(drawn) for _ in range(1000)] == [one.random() for _ in range(1000)]
    one.gauss()  # keeps a second number for later
    other.gauss()
    stream.give_back(other, drawn)
    one.random()
    assert other.random() != one.random()


@pytest.mark.parametrize("simulations", [1, 63, 64, 65, 300])
def test_a_tree_of_mini_kuzushi_is_the_same(simulations: int) -> None:
    one, other = Random(simulations), Random(simulations)
    root = uct.search(bench.MiniKuzushi(), bench.START, one, bots.Budget(simulations))
    tree = mini.tree()
    assert tree.simulate(other, bots.Budget(simulations).is_spent, 0) == simulations
    assert tree.ranked() == uct.ranked(root)
    assert other.random() == one.random()


@pytest.mark.slow
@pytest.mark.parametrize("setup", [*setups(KUZUSHI)], ids=lambda one: f"{one.seats}-{one.options}")
def test_a_tree_of_kuzushi_is_the_same_in_every_set_up(setup: Setup) -> None:
    assert not Compiler.ready
    line = [match for match in walk(setup, 8).line() if match.actors]
    for match in line[:: max(1, len(line) // 4)]:
        board, place = game_on(match.state.limit), place_of(match.state)
        one, other = Random(1), Random(1)
        plain, arrays = PlainSearch(board, place), CompiledSearch(board, place)
        for simulations in (20, 45):  # it goes on where it was
            plain.simulate(one, lambda done, most=simulations: done >= most, 0)
            arrays.simulate(other, lambda done, most=simulations: done >= most, 0)
            assert arrays.ranked() == plain.ranked()
        assert other.random() == one.random()


@pytest.mark.parametrize("seed", range(4))
def test_exact_ends_are_the_same_and_look_at_as_many_positions(seed: int) -> None:
    options = {"board": ("normal", "small")[seed % 2]}
    for match in walk(Setup.of(KUZUSHI, 2, options), seed).line()[-8:-1]:
        board, place = game_on(match.state.limit), place_of(match.state)
        plain, arrays = count(), count()
        worths = PlainSearch(board, place).worths(lambda looks=plain: next(looks))
        assert CompiledSearch(board, place).worths(lambda looks=arrays: next(looks)) == worths
        assert next(arrays) == next(plain) > 0


def test_a_tree_and_a_table_grow_beyond_their_first_size() -> None:
    tree = mini.tree()
    tree.simulate(Random(1), bots.Budget(1500).is_spent, 0)
    assert len(tree.tree.visits) > 1024 < tree.tree.size[0]
    assert sum(share for _, _, share in tree.ranked()) == pytest.approx(1)
