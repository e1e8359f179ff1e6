"""Kitsu!'s loops for a compiler, run as the plain Python that they are: they find the same."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from kumite.core import bots
from kumite.core.bots.base import Budget
from kumite.core.bots.chances import Fit
from kumite.core.bots.fast import SMALL, is_ready, zeros
from kumite.core.bots.kitsu import compiled, kernel, near, ways
from kumite.core.bots.kitsu.model import PASSES, KitsuGame
from kumite.core.bots.search import turns
from kumite.core.bots.search.hunt import Hunt
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.games.kitsu import rules as kitsu
from tests.support.kitsu_positions import WIN as QUIET
from tests.support.random_matches import setups, walk
from tests.support.searches import kitsu_positions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.games.kitsu.position import State

GAME = KitsuGame()
every_setup = pytest.mark.parametrize(
    "setup", [*setups(find("kitsu"))], ids=lambda one: f"{one.options}"
)


def states(setup: Setup, seed: int) -> Iterator[State]:
    """Yield the positions of a random match, the end among them."""
    for match in walk(setup, seed, longest=300).line():
        yield match.state


@every_setup
def test_moves_on_arrays_are_those_of_the_rules_in_their_order(setup: Setup) -> None:
    moves = zeros(SMALL, kernel.MOST)
    for state in states(setup, 3):
        place = kernel.place_of(state)
        count = kernel.options(place, moves)
        steps = tuple(map(kernel.step_of, moves[:count]))
        assert steps == kitsu.legal(state, state.seat)
        for move, step in list(zip(moves, steps, strict=False))[:: 1 + count // 8]:
            after = list(place)
            kernel.play(after, move)
            assert after == kernel.place_of(kitsu.apply(state, state.seat, step))


@every_setup
def test_values_and_hopes_on_arrays_are_those_of_the_game(setup: Setup) -> None:
    chain = near.chain_of()
    for state in states(setup, 4):
        place = kernel.place_of(state)
        for side in (0, 1):
            assert near.value(place, side) == GAME.value(state, side)
        if state.reason:
            continue
        has_end = bool(GAME.finish(state))
        assert near.can_finish(place, chain) == has_end, kitsu.text(state)
        if not has_end:
            hope = GAME.hope(state)
            assert near.hope(place) == (near.OUT if hope is None else hope)


def test_a_fox_is_followed_to_the_end_where_what_it_has_seen_has_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(near, "SLOTS", 2)
    chain, found = near.chain_of(), [0, 0]
    for state in states(Setup.of(find("kitsu"), 2, {"adjacent": 8}), 2):
        if not state.reason:
            has_end = bool(GAME.finish(state))
            assert near.can_finish(kernel.place_of(state), chain) == has_end
            found[has_end] += 1
    assert min(found) > 10


@pytest.mark.parametrize("simulations", [1, 2, 350])
def test_lines_are_the_same_and_as_much_is_drawn(simulations: int) -> None:
    assert not is_ready()
    for where in [*kitsu_positions()][:: 12 if simulations > 2 else 4]:
        state, budget = where.view, Budget(simulations)
        one, other = Random(simulations), Random(simulations)
        lines = turns.think(GAME, where, one, budget, PASSES, Fit())
        assert compiled.think(state, other, budget, PASSES, Fit()) == lines, kitsu.text(state)
        assert other.random() == one.random()


def test_a_quiet_win_is_told_to_its_end() -> None:
    state = kitsu.parse(QUIET)
    plain, search = Hunt(GAME, state), compiled.CompiledSearch(state, Random(1), Budget())
    plain.go_on(10_000, lambda: None)
    hunt = search.hunt(search.root, 10_000)
    assert hunt.is_won
    assert hunt.win == plain.win
    assert hunt.made == plain.made == search.done


def test_a_hunt_that_forgets_goes_on_where_it_was() -> None:
    state = kitsu.parse(QUIET)
    plain, parts = Hunt(GAME, state), compiled.CompiledHunt(kernel.place_of(state), ways.work_of())
    for most in range(4, 2000, 10):
        plain.go_on(most, lambda: None)
        while not parts.go_on(most, parts.made + 3):
            pass
        assert (parts.made, parts.is_won) == (plain.made, plain.is_won)
        if plain.is_won:
            break
        parts.forget()
    assert [*map(kernel.step_of, parts.moves())] == [*plain.win[: len(parts.moves())]]
    assert plain.made > 40


def test_a_search_that_keeps_little_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    where = next(one for one in kitsu_positions() if len(one.legal) > 1)
    expected = compiled.think(where.view, Random(1), Budget(4000), PASSES, Fit())
    forgotten = []
    monkeypatch.setattr(compiled, "KEPT", 100)
    monkeypatch.setattr(compiled, "WIDTH", 1)
    monkeypatch.setattr(compiled, "TURNS", 1)
    monkeypatch.setattr(compiled.CompiledHunt, "forget", forgetting(forgotten))
    assert compiled.think(where.view, Random(1), Budget(4000), PASSES, Fit()) == expected
    assert forgotten


def forgetting(forgotten: list[int]) -> object:
    """Return how a hunt forgets and says so."""
    before = compiled.CompiledHunt.forget

    def forget(hunt: compiled.CompiledHunt) -> None:
        if not hunt.is_over:
            forgotten.append(hunt.made)
        before(hunt)

    return forget


def test_a_budget_says_how_many_it_leaves_before_it_has_to_be_asked() -> None:
    def watch(*stages: float, clock: bool = False) -> bots.Watch:
        return bots.Watch(stages, lambda *_: None, (lambda: 0.0) if clock else None)

    assert Budget().spare(5, 100) == 100
    assert Budget(20).spare(5, 100) == 15
    assert Budget(20).spare(20, 100) == 0
    assert Budget(stop=lambda: True).spare(0, 100) == 0
    assert Budget(watch=watch(30.5)).spare(5, 100) == 26
    assert Budget(28, watch=watch(30.5)).spare(5, 100) == 23
    assert Budget(watch=watch(30.0)).spare(30, 100) == 0
    assert Budget(watch=watch(30.0, clock=True)).spare(40, 100) == 100
