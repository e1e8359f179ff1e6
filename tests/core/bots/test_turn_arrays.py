"""Searches of turns for a compiler, run as the plain Python that they are: they find the same."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Final

import pytest

from kumite.core import bots
from kumite.core.bots.base import Budget
from kumite.core.bots.chances import Fit
from kumite.core.bots.fast import Compiler
from kumite.core.bots.kitsu import model as kitsu_model
from kumite.core.bots.kitsu import ways as kitsu_ways
from kumite.core.bots.kumo import model as kumo_model
from kumite.core.bots.kumo import ways as kumo_ways
from kumite.core.bots.search import compiled, turns, ways
from kumite.core.bots.search.hunt import Hunt
from kumite.core.games.kitsu import rules as kitsu
from tests.support import kitsu_positions as of_kitsu
from tests.support import kumo_positions as of_kumo
from tests.support.searches import kitsu_positions, kumo_positions

if TYPE_CHECKING:
    from kumite.core.bots.base import Line, Position
    from kumite.core.bots.search.compiled import Loops
    from kumite.core.bots.search.turns import Pass, TurnGame

LOOPS: Final[dict[str, Loops]] = {"kitsu": kitsu_ways, "kumo": kumo_ways}
GAMES: Final[dict[str, TurnGame]] = {"kitsu": kitsu_model.GAME, "kumo": kumo_model.GAME}
PASSES: Final[dict[str, tuple[Pass, ...]]] = {
    "kitsu": kitsu_model.PASSES,
    "kumo": kumo_model.PASSES,
}
QUIET: Final = {"kitsu": kitsu.parse(of_kitsu.WIN), "kumo": of_kumo.WIN}
POSITIONS: Final = {"kitsu": kitsu_positions, "kumo": kumo_positions}
each_game = pytest.mark.parametrize("name", LOOPS)


def thought(name: str, state: Any, rng: Random, simulations: int) -> list[Line]:
    """Return what the search on arrays finds."""
    loops, game, budget = LOOPS[name], GAMES[name], Budget(simulations)
    return compiled.think(loops, game, state, rng, budget, PASSES[name], Fit())


def some(name: str, every: int) -> list[Position]:
    """Return positions of a game with something to choose."""
    found = [one for one in POSITIONS[name]() if len(one.legal) > 1][::every]
    assert len(found) > 9
    return found


@each_game
@pytest.mark.parametrize(("simulations", "every"), [(1, 4), (2, 4), (350, 12)])
def test_lines_are_the_same_and_as_much_is_drawn(name: str, simulations: int, every: int) -> None:
    assert not Compiler.ready
    for where in some(name, every):
        one, other, budget = Random(simulations), Random(simulations), Budget(simulations)
        lines = turns.think(GAMES[name], where, one, budget, PASSES[name], Fit())
        assert thought(name, where.view, other, simulations) == lines, where.view
        assert other.random() == one.random()


@pytest.mark.parametrize("text", of_kitsu.TURNS_OUT_LOST)
def test_lines_are_the_same_where_the_best_turn_turns_out_to_be_lost(text: str) -> None:
    """It is left out as the others are told, and makes room for one more."""
    state = kitsu.parse(text)
    one = bots.Position(kitsu, state, state.seat, (), kitsu.legal(state, state.seat))
    for seed in range(6):
        lines = turns.think(
            kitsu_model.GAME, one, Random(seed), Budget(700), kitsu_model.PASSES, Fit()
        )
        assert lines
        assert thought("kitsu", state, Random(seed), 700) == lines


@each_game
def test_a_quiet_win_is_told_to_its_end(name: str) -> None:
    game, state = GAMES[name], QUIET[name]
    plain = Hunt(game, state)
    search = compiled.CompiledSearch(LOOPS[name], game, state, Random(1), Budget())
    plain.go_on(10_000, lambda: None)
    hunt = search.hunt(search.root, 10_000)
    assert hunt.is_won
    assert hunt.win == plain.win
    assert hunt.made == plain.made == search.done


@each_game
def test_a_hunt_that_forgets_goes_on_where_it_was(name: str) -> None:
    loops, state = LOOPS[name], QUIET[name]
    plain = Hunt(GAMES[name], state)
    parts = compiled.CompiledHunt(loops, loops.place_of(state), loops.work_of())
    for most in range(4, 6000, 10):
        plain.go_on(most, lambda: None)
        is_done = parts.made >= most
        while not is_done:
            is_done = parts.go_on(most, parts.made + 3)
        assert (parts.made, parts.is_won) == (plain.made, plain.is_won)
        if plain.is_won:
            break
        parts.forget()
    assert [*map(loops.step_of, parts.moves)] == [*plain.win[: len(parts.moves)]]
    assert plain.made > 40


@each_game
def test_a_search_that_keeps_little_finds_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = some(name, 6)[{"kitsu": 0, "kumo": 34}[name]]
    expected = thought(name, where.view, Random(1), 4000)
    forgotten: list[int] = []
    for size, value in (("KEPT", 100), ("WIDTH", 1), ("TURNS", 1)):
        monkeypatch.setattr(compiled, size, value)
    monkeypatch.setattr(compiled.CompiledHunt, "forget", forgetting(forgotten))
    assert thought(name, where.view, Random(1), 4000) == expected
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


@each_game
def test_a_beam_that_was_interrupted_as_it_grew_can_begin_anew(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled, it wrote over what belongs to others, and ended the process some time later."""
    monkeypatch.setattr(compiled, "MANY", 4)
    loops, game, interrupted = LOOPS[name], GAMES[name], 0
    for where in some(name, 12):
        for simulations in (5, 20, 70):
            budget = Budget(simulations)
            search = compiled.CompiledSearch(loops, game, where.view, Random(1), budget)
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
            size = ways.kept(best, size, most, worth, number)
        assert best[:size] == sorted(range(30), key=lambda one: -worth[one])[:most]


@each_game
def test_moves_are_followed_alike_and_only_to_the_end_of_a_turn(name: str) -> None:
    """What was a good answer once is tried first against other turns."""
    loops, game, values = LOOPS[name], GAMES[name], set()
    for where in some(name, 10):
        plain = turns.PlainSearch(game, Random(1), Budget())
        search = compiled.CompiledSearch(loops, game, where.view, Random(1), Budget())
        for one in search.turns(search.root, 3, 5):
            for moves in (one.moves, one.moves[:-1], one.moves[1:], (*one.moves, one.moves[0])):
                value = search.follow(search.root, moves)
                assert value == plain.follow(where.view, tuple(map(search.step_of, moves)))
                assert moves != one.moves or value == one.value
                values.add(value)
        assert search.done - plain.done == made_by_beam(plain, where.view)
    assert None in values
    assert len(values) > 20


def made_by_beam(plain: turns.PlainSearch, state: Any) -> int:
    before = plain.done
    plain.turns(state, 3, 5)
    return plain.done - before


@each_game
def test_a_turn_that_a_known_answer_wins_against_is_not_looked_at_again(name: str) -> None:
    game, state = GAMES[name], QUIET[name]
    plain = turns.PlainSearch(game, Random(1), Budget())
    search = compiled.CompiledSearch(LOOPS[name], game, state, Random(1), Budget())
    for one, place in ((plain, state), (search, search.root)):
        hunt = one.hunt(place, 10_000)
        killers = turns.Killers(one)
        killers.add(hunt.moves)
        done = one.done
        assert killers.value(place, turns.WIN) == turns.WIN
        assert one.done == done + 1
