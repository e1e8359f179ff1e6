"""A win that lies in a turn is found, however quietly it begins; and none where there is none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from time import process_time
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.bots.search import turns
from kumite.core.bots.search.frontier import work_of
from kumite.core.bots.search.loops import Hunt, TurnGame, TurnSearch
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.bot import model as kitsu_model
from kumite.core.games.kumo.bot import model as kumo_model
from tests.support import kitsu_positions, kumo_positions
from tests.support.random_matches import walk

MODELS: dict[str, TurnGame] = {"kitsu": kitsu_model.GAME, "kumo": kumo_model.GAME}
STATES: dict[str, Any] = {"kitsu": kitsu.parse(kitsu_positions.WIN), "kumo": kumo_positions.WIN}
both = pytest.mark.parametrize("name", STATES)


def asked(name: str, state: Any) -> bots.Position:
    game = GAMES[name]
    (seat,) = game.actors(state)
    assert seat != CHANCE
    return bots.Position(game, state, Seat(int(seat)), (), game.legal(state, seat))


def wins(name: str, state: Any, steps: tuple[Step, ...]) -> bool:
    """Say whether these steps of one turn end the match, won by whoever makes them."""
    game = GAMES[name]
    side = MODELS[name].side(state)
    for step in steps:
        (seat,) = game.actors(state)
        state = game.apply(state, seat, step)
    outcome = game.outcome(state)
    return outcome is not None and side in {seat % 2 for seat in outcome.winners}


@both
def test_a_quiet_beginning_of_a_win_is_found_in_a_second(name: str) -> None:
    state = STATES[name]
    for level in ("medium", "strong"):
        begun = process_time()
        choice = bots.find(level)(asked(name, state), Random(1), bots.Budget())
        assert process_time() - begun < 1
        assert choice.value == 1, level


@both
def test_a_win_that_was_found_is_played_to_its_end(name: str) -> None:
    game, state = GAMES[name], STATES[name]
    played = []
    while game.actors(state) and MODELS[name].side(state) == 0:
        choice = bots.find("strong")(asked(name, state), Random(2), bots.Budget(20_000))
        played.append(choice.step)
        (seat,) = game.actors(state)
        state = game.apply(state, seat, choice.step)
    assert wins(name, STATES[name], tuple(played))


def near_the_end(name: str) -> Iterator[Any]:
    """Yield positions with little left of a turn, from the ones above and from random matches."""
    game = GAMES[name]
    for seed in range(60):
        state, rng = STATES[name], Random(seed)
        if name == "kumo" and seed < 30:  # the last two steps of a win, and others instead
            state = game.apply(state, Seat(0), Step("cw"))
            state = game.apply(state, Seat(0), Step("ccw"))
            state = game.apply(state, Seat(0), Step("b8-b7"))
        while model_side(name, state) == 0 and left(name, state) > 2:
            state = game.apply(state, Seat(0), rng.choice(game.legal(state, Seat(0))))
        if model_side(name, state) == 0:
            yield state
    for seed in range(3):
        for match in walk(Setup.of(game), seed, longest=300).line()[-30:-1]:
            if left(name, match.state) <= 2:
                yield match.state


def model_side(name: str, state: Any) -> int:
    return MODELS[name].side(state)


def has_win(name: str, state: Any) -> bool:
    """Say by the rules alone, without any pruning, whether the turn can be won."""
    game, model = GAMES[name], MODELS[name]
    side, turn = model.side(state), state.turn
    seen, open_ = {state}, [state]
    while open_:
        one = open_.pop()
        (seat,) = game.actors(one)
        for step in game.legal(one, seat):
            after = game.apply(one, seat, step)
            if wins(name, one, (step,)):
                return True
            if model.side(after) == side and after.turn == turn and after not in seen:
                seen.add(after)
                open_.append(after)
    return False


@both
def test_a_hunt_finds_a_win_exactly_where_there_is_one(name: str) -> None:
    model, found = MODELS[name], [0, 0]
    for state in near_the_end(name):
        hunt = model.hunt(state, 10**9)
        assert hunt.is_over
        assert hunt.is_won == has_win(name, state), GAMES[name].text(state)
        assert not hunt.is_won or wins(name, state, model.win_by(state, hunt.moves))
        found[hunt.is_won] += 1
    assert min(found) >= 5


def left(name: str, state: Any) -> int:
    """Return how much is left of the turn: seasons, or actions."""
    return len(state.seasons) if name == "kitsu" else state.most() - state.used


def begun(name: str) -> Hunt:
    model = MODELS[name]
    return Hunt(model.loops, model.rules.place_of(STATES[name]), work_of(model.rules))


@both
def test_a_hunt_that_forgets_and_goes_on_finds_the_same(name: str) -> None:
    model, state = MODELS[name], STATES[name]
    whole, parts = model.hunt(state, 10**6), begun(name)
    for most in range(4, 6000, 10):
        while not parts.go_on(most, parts.made + 3):
            pass
        if parts.is_won:
            break
        assert parts.made >= most
        parts.forget()
    assert parts.moves == whole.moves
    assert parts.made == whole.made > 40
    assert wins(name, state, model.win_by(state, whole.moves))


@both
def test_a_search_spends_one_for_each_position_of_a_hunt(name: str) -> None:
    search = TurnSearch(MODELS[name], STATES[name], Random(1), bots.Budget(20))
    with pytest.raises(turns.Spent):
        search.hunt(search.root, 10**6)
    assert search.done == 20
    search = TurnSearch(MODELS[name], STATES[name], Random(1), bots.Budget())
    assert search.hunt(search.root, 10**6).made == search.done


@both
def test_a_turn_is_compared_by_the_win_that_it_leaves_to_the_other(name: str) -> None:
    search = TurnSearch(MODELS[name], STATES[name], Random(1), bots.Budget())
    thought = turns.Thought(search)
    wide = turns.Pass(1, 1, 1, fear=10**6)
    turn = turns.Turn(0.0, (0,), search.root)
    assert thought.answered(turn, 1, wide, -turns.WIN) < turns.LOST
    assert search.hunt(search.root, 0).is_won


def test_positions_that_leave_a_team_mate_other_actions_are_told_apart() -> None:
    place_of = MODELS["kumo"].rules.place_of
    one = kumo_positions.crowded(4, "turn")
    fewer, more = replace(one, spent=(3, 0)), replace(one, spent=(4, 0))
    assert place_of(fewer) != place_of(more)
    assert place_of(one) != place_of(replace(one, drawn=True))


def test_a_draw_at_the_limit_of_turns_is_no_win() -> None:
    """The last turn of Kitsu! ends the match however it ends, and wins it by no step here."""
    state = replace(kitsu_positions.start(limit=40), turn=40)
    assert not MODELS["kitsu"].hunt(state, 3000).is_won
