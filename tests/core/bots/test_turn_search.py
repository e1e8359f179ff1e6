"""Searches of turns: the same draws find the same, whatever they keep and wherever they pause."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from kumite.core import bots
from kumite.core.bots.base import Budget, Line, Position
from kumite.core.bots.chances import Fit
from kumite.core.bots.search import frontier, loops, turns
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.bot import model as kitsu_model
from kumite.core.games.kumo.bot import model as kumo_model
from tests.support import kitsu_positions as of_kitsu
from tests.support import kumo_positions as of_kumo
from tests.support.searches import kitsu_positions, kumo_positions

MODELS: Final[dict[str, Any]] = {"kitsu": kitsu_model, "kumo": kumo_model}
QUIET: Final = {"kitsu": kitsu.parse(of_kitsu.WIN), "kumo": of_kumo.WIN}
POSITIONS: Final = {"kitsu": kitsu_positions, "kumo": kumo_positions}
each_game = pytest.mark.parametrize("name", MODELS)


def thought(name: str, state: Any, rng: Random, simulations: int) -> list[Line]:
    game, passes = MODELS[name].GAME, MODELS[name].PASSES
    where = bots.Position(game.game, state, state.seat, (), ())
    return turns.think(game, where, rng, Budget(simulations), passes, Fit())


def search_from(name: str, state: Any, budget: Budget | None = None) -> loops.TurnSearch:
    return loops.TurnSearch(MODELS[name].GAME, state, Random(1), budget or Budget())


def some(name: str, every: int) -> list[Position]:
    """Return positions of a game with something to choose."""
    found = [one for one in POSITIONS[name]() if len(one.legal) > 1][::every]
    assert len(found) > 9
    return found


@each_game
def test_the_same_draws_find_the_same_and_nothing_more_is_drawn(name: str) -> None:
    for where in some(name, 12):
        one, other = Random(3), Random(3)
        assert thought(name, where.view, one, 350) == thought(name, where.view, other, 350)
        assert one.random() == other.random()


@pytest.mark.parametrize("text", of_kitsu.TURNS_OUT_LOST)
def test_a_best_turn_that_turns_out_to_be_lost_is_left_out(text: str) -> None:
    state = kitsu.parse(text)
    for seed in range(6):
        lines = thought("kitsu", state, Random(seed), 700)
        values = [line.value for line in lines]
        assert values == sorted(values, reverse=True)
        assert len({line.step for line in lines}) == len(lines) > 0


@each_game
def test_a_search_that_keeps_little_finds_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = some(name, 6)[{"kitsu": 0, "kumo": 34}[name]]
    expected = thought(name, where.view, Random(1), 4000)
    forgotten: list[int] = []
    for size, value in (("KEPT", 100), ("WIDTH", 1), ("TURNS", 1)):
        monkeypatch.setattr(loops, size, value)
    monkeypatch.setattr(loops.Hunt, "forget", forgetting(forgotten))
    assert thought(name, where.view, Random(1), 4000) == expected
    assert forgotten


def forgetting(forgotten: list[int]) -> object:
    """Return how a hunt forgets and says so."""
    before = loops.Hunt.forget

    def forget(hunt: loops.Hunt) -> None:
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


@each_game
def test_a_beam_that_was_interrupted_as_it_grew_can_begin_anew(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled, it wrote over what belongs to others, and ended the process some time later."""
    monkeypatch.setattr(loops, "MANY", 4)
    interrupted = 0
    for where in some(name, 12):
        for simulations in (5, 20, 70):
            search = search_from(name, where.view, Budget(simulations))
            for _ in range(2):
                try:
                    search.turns(search.root, 40, 8)
                except turns.Spent:
                    interrupted += 1
    assert interrupted > 20


def test_the_best_are_kept_and_of_equal_ones_those_that_came_first() -> None:
    for most in (1, 2, 7, 40):
        rng, best, size = Random(most), [0] * most, 0
        worth = [float(rng.randrange(12)) for _ in range(30)]
        for number in range(len(worth)):
            size = frontier.kept(best, size, most, worth, number)
        assert best[:size] == sorted(range(30), key=lambda one: -worth[one])[:most]


@each_game
def test_moves_are_followed_only_to_the_end_of_a_turn(name: str) -> None:
    """What was a good answer once is tried first against other turns."""
    values = set()
    for where in some(name, 10):
        search = search_from(name, where.view)
        for one in search.turns(search.root, 3, 5):
            done = search.done
            assert search.follow(search.root, one.moves) == one.value
            for moves in (one.moves[:-1], one.moves[1:], (*one.moves, one.moves[0])):
                values.add(search.follow(search.root, moves))
            assert search.done == done + 4
            values.add(one.value)
    assert None in values
    assert len(values) > 20


@each_game
def test_a_turn_that_a_known_answer_wins_against_is_not_looked_at_again(name: str) -> None:
    search = search_from(name, QUIET[name])
    hunt = search.hunt(search.root, 10_000)
    killers = turns.Killers(search)
    killers.add(hunt.moves)
    done = search.done
    assert killers.value(search.root, turns.WIN) == turns.WIN
    assert search.done == done + 1
