"""Searches of turns: a win in a turn is found exactly where there is one.

The same draws find the same, whatever a search keeps and wherever it pauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from time import process_time
from typing import Any, Final

import pytest

from kumite.core import bots
from kumite.core.bots.base import Budget, Line, Position
from kumite.core.bots.chances import Fit
from kumite.core.bots.search import frontier, loops, turns
from kumite.core.bots.search.loops import Hunt, TurnGame, TurnSearch
from kumite.core.game import CHANCE, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.bot import model as kitsu_model
from kumite.core.games.kumo.bot import model as kumo_model
from tests.support import kitsu_positions as of_kitsu
from tests.support import kumo_positions as of_kumo
from tests.support.random_matches import walk
from tests.support.searches import kitsu_positions, kumo_positions

BOTS: Final[dict[str, Any]] = {"kitsu": kitsu_model, "kumo": kumo_model}
MODELS: Final[dict[str, TurnGame]] = {name: bot.GAME for name, bot in BOTS.items()}
STATES: Final[dict[str, Any]] = {"kitsu": kitsu.parse(of_kitsu.WIN), "kumo": of_kumo.WIN}
POSITIONS: Final = {"kitsu": kitsu_positions, "kumo": kumo_positions}
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
        while MODELS[name].side(state) == 0 and left(name, state) > 2:
            state = game.apply(state, Seat(0), rng.choice(game.legal(state, Seat(0))))
        if MODELS[name].side(state) == 0:
            yield state
    for seed in range(3):
        for match in walk(Setup.of(game), seed, longest=300).line()[-30:-1]:
            if left(name, match.state) <= 2:
                yield match.state


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
    return Hunt(model.loops, model.rules.place_of(STATES[name]), frontier.work_of(model.rules))


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
    search = search_from(name, STATES[name], Budget(20))
    with pytest.raises(turns.Spent):
        search.hunt(search.root, 10**6)
    assert search.done == 20
    search = search_from(name, STATES[name])
    assert search.hunt(search.root, 10**6).made == search.done


@both
def test_a_turn_is_compared_by_the_win_that_it_leaves_to_the_other(name: str) -> None:
    search = search_from(name, STATES[name])
    thought = turns.Thought(search)
    wide = turns.Pass(1, 1, 1, fear=10**6)
    turn = turns.Turn(0.0, (0,), search.root)
    assert thought.answered(turn, 1, wide, -turns.WIN) < turns.LOST
    assert search.hunt(search.root, 0).is_won


def test_positions_that_leave_a_team_mate_other_actions_are_told_apart() -> None:
    place_of = MODELS["kumo"].rules.place_of
    one = of_kumo.crowded(4, "turn")
    fewer, more = replace(one, spent=(3, 0)), replace(one, spent=(4, 0))
    assert place_of(fewer) != place_of(more)
    assert place_of(one) != place_of(replace(one, drawn=True))


def test_a_draw_at_the_limit_of_turns_is_no_win() -> None:
    """The last turn of Kitsu! ends the match however it ends, and wins it by no step here."""
    state = replace(of_kitsu.start(limit=40), turn=40)
    assert not MODELS["kitsu"].hunt(state, 3000).is_won


# --- The same again -----------------------------------------------------------------------------


def thought(name: str, state: Any, rng: Random, simulations: int) -> list[Line]:
    game, passes = MODELS[name], BOTS[name].PASSES
    where = bots.Position(game.game, state, state.seat, (), ())
    return turns.think(game, where, rng, Budget(simulations), passes, Fit())


def search_from(name: str, state: Any, budget: Budget | None = None) -> TurnSearch:
    return TurnSearch(MODELS[name], state, Random(1), budget or Budget())


def some(name: str, every: int) -> list[Position]:
    """Return positions of a game with something to choose."""
    found = [one for one in POSITIONS[name]() if len(one.legal) > 1][::every]
    assert len(found) > 9
    return found


@both
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


@both
def test_a_search_that_keeps_little_finds_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = some(name, 6)[{"kitsu": 0, "kumo": 34}[name]]
    expected = thought(name, where.view, Random(1), 4000)
    forgotten: list[int] = []
    for size, value in (("KEPT", 100), ("WIDTH", 1), ("TURNS", 1)):
        monkeypatch.setattr(loops, size, value)
    monkeypatch.setattr(Hunt, "forget", forgetting(forgotten))
    assert thought(name, where.view, Random(1), 4000) == expected
    assert forgotten


def forgetting(forgotten: list[int]) -> object:
    """Return how a hunt forgets and says so."""
    before = Hunt.forget

    def forget(hunt: Hunt) -> None:
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


@both
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


@both
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


@both
def test_a_turn_that_a_known_answer_wins_against_is_not_looked_at_again(name: str) -> None:
    search = search_from(name, STATES[name])
    hunt = search.hunt(search.root, 10_000)
    killers = turns.Killers(search)
    killers.add(hunt.moves)
    done = search.done
    assert killers.value(search.root, turns.WIN) == turns.WIN
    assert search.done == done + 1
