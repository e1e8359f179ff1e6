"""A win that lies in a turn is found, however quietly it begins; and none where there is none."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import process_time
from typing import TYPE_CHECKING, Any

import pytest

from kumite.core import bots
from kumite.core.bots.kitsu.model import KitsuGame
from kumite.core.bots.kumo.model import KumoGame
from kumite.core.bots.kumo.worth import judge
from kumite.core.bots.search import turns
from kumite.core.bots.search.hunt import Hunt
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kitsu import rules as kitsu
from tests.support import kitsu_positions, kumo_positions
from tests.support.random_matches import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kumite.core.bots.search.turns import TurnGame

MODELS: dict[str, TurnGame] = {"kitsu": KitsuGame(), "kumo": KumoGame(judge)}
STATES: dict[str, Any] = {
    "kitsu": kitsu.parse(kitsu_positions.WIN),
    "kumo": kumo_positions.WIN,
}
both = pytest.mark.parametrize("name", STATES)


def asked(name: str, state: Any) -> bots.Position:
    game = GAMES[name]
    (seat,) = game.actors(state)
    assert seat != CHANCE
    return bots.Position(game, state, Seat(int(seat)), (), game.legal(state, seat))


def no_limit() -> None:
    """Let a hunt go on."""


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
    """Return whose turn it is."""
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
        hunt = Hunt(model, state)
        hunt.go_on(10**9, no_limit)
        assert hunt.is_over
        assert bool(hunt.win) == has_win(name, state), GAMES[name].text(state)
        assert not hunt.win or wins(name, state, hunt.win)
        found[bool(hunt.win)] += 1
    assert min(found) >= 5


def left(name: str, state: Any) -> int:
    """Return how much is left of the turn: seasons, or actions."""
    return len(state.seasons) if name == "kitsu" else state.most() - state.used


@both
def test_a_hunt_that_is_left_and_gone_on_with_finds_the_same(name: str) -> None:
    model, state = MODELS[name], STATES[name]
    whole, parts = Hunt(model, state), Hunt(model, state)
    whole.go_on(10**6, no_limit)
    for most in range(0, 10**6, 7):
        if parts.go_on(most, no_limit):
            break
    assert parts.win == whole.win
    assert parts.made == whole.made
    assert wins(name, state, whole.win)


def counting(most: int) -> Callable[[], None]:
    left = iter(range(most))

    def spend() -> None:
        if next(left, None) is None:
            raise turns.Spent

    return spend


@both
def test_a_hunt_spends_one_for_each_position(name: str) -> None:
    hunt = Hunt(MODELS[name], STATES[name])
    with pytest.raises(turns.Spent):
        hunt.go_on(10**6, counting(20))
    assert hunt.made == 20


@both
def test_a_turn_is_compared_by_the_win_that_it_leaves_to_the_other(name: str) -> None:
    game, model = GAMES[name], MODELS[name]
    state = STATES[name]
    search = turns.PlainSearch(model, Random(1), bots.Budget())
    thought = turns.Thought(search)
    wide = turns.Pass(1, 1, 1, fear=10**6)
    turn = turns.Turn(0.0, (game.legal(state, game.actors(state)[0])[0],), state)
    assert thought.answered(turn, 1, wide, -turns.WIN) < turns.LOST
    assert search.hunt(state, 0).is_won


def test_positions_that_leave_a_team_mate_other_actions_are_told_apart() -> None:
    one = kumo_positions.crowded(4, "turn")
    fewer, more = replace(one, spent=(3, 0)), replace(one, spent=(4, 0))
    assert MODELS["kumo"].key(fewer) != MODELS["kumo"].key(more)
    assert MODELS["kumo"].key(one) != MODELS["kumo"].key(replace(one, drawn=True))
