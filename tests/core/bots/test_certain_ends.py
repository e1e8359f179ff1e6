"""Ends that are certain are found and told as such; what is not proven is never certain."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from random import Random

import pytest

from kumite.core import bots
from kumite.core.bots.base import UNSURE, chance
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.games.kuzushi.bot import kernel, model
from kumite.tui.bots import advice, protocol
from tests.core.bots.test_bots import positions
from tests.core.bots.test_turn_search import STATES, asked, wins
from tests.support import kumo_positions
from tests.support.random_matches import walk

LAST = 30  # check of a budget, by which its time is over


def near_the_end(moves: int, seeds: int) -> Iterator[kuzushi.State]:
    """Yield positions of Kuzushi so many moves before the ends of matches at random."""
    for seed in range(seeds):
        board = ("normal", "small")[seed % 2]
        yield walk(Setup.of(kuzushi, 2, {"board": board}), seed).line()[-1 - moves].state


def worth(state: kuzushi.State, known: dict[kuzushi.State, float]) -> float:
    """Return what a position is worth to seat 0, looked at in every way and without bounds."""
    if (outcome := kuzushi.outcome(state)) is not None:
        return (0 in outcome.winners) / len(outcome.winners)
    if state not in known:
        worths = [worth(after, known) for after in following(state).values()]
        known[state] = min(worths) if state.turn else max(worths)
    return known[state]


def following(state: kuzushi.State) -> dict[Step, kuzushi.State]:
    steps = kuzushi.legal(state, state.turn)
    return {step: kuzushi.apply(state, state.turn, step) for step in steps}


def exact(state: kuzushi.State) -> dict[Step, float]:
    place = kernel.place_of(state)
    found = model.exact(state, 1_000_000)
    return {model.step_of(place, move): value for move, value in found.items()}


def test_an_exact_search_finds_what_every_way_to_the_end_comes_to() -> None:
    found = set()
    for state in near_the_end(3, 40):
        left = state.limit**2 - state.cards.bit_count()
        if left > 2 or sum(map(int.bit_count, state.flags)) > 7:
            continue  # too many ways
        known: dict[kuzushi.State, float] = {}
        for step, value in exact(state).items():
            of_first = worth(following(state)[step], known)
            assert value == (1 - of_first if state.turn else of_first)
            found.add(value)
        assert set(exact(state)) == set(kuzushi.legal(state, state.turn))
    assert found >= {0.0, 1.0}


def test_an_end_that_takes_more_positions_is_not_known() -> None:
    state = next(near_the_end(4, 1))
    assert model.exact(state, 10) == {}
    assert model.exact(state, 1_000_000)


def test_the_end_of_kuzushi_is_played_exactly() -> None:
    certain = 0
    for state in near_the_end(4, 5):
        where = bots.Position(kuzushi, state, state.turn, (), kuzushi.legal(state, state.turn))
        choice = bots.find("strong")(where, Random(1), bots.Budget(1500))
        if choice.value in (0.0, 0.5, 1.0):
            certain += 1
            assert choice.value == max(exact(state).values())
            assert choice.lines[0].step == choice.step
    assert certain >= 4


def is_last(checks: Iterator[int]) -> bool:
    return next(checks) == LAST


def test_strong_thinks_to_the_end_of_its_time_unless_the_end_is_certain() -> None:
    uncertain = 0
    for state in near_the_end(9, 3):
        checks = count()
        budget = bots.Budget(None, partial(is_last, checks))
        where = bots.Position(kuzushi, state, state.turn, (), kuzushi.legal(state, state.turn))
        if bots.find("strong")(where, Random(1), budget).value not in (0.0, 0.5, 1.0):
            uncertain += 1
            assert next(checks) > LAST
    assert uncertain


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_move_that_ends_the_match_is_a_win_in_the_turn(seats: int) -> None:
    seen = 0
    for seed in range(6):
        line = walk(Setup.of(kuzushi, seats), seed).line()
        match, end = line[-2], line[-1]
        assert end.outcome is not None
        assert end.last is not None
        seat = Seat(int(match.actors[0]))
        where = bots.Position(kuzushi, match.state, seat, (), match.legal(seat))
        if end.outcome.winners == (seat,) and len(where.legal) > 1:
            seen += 1
            choice = bots.find("strong")(where, Random(1), bots.Budget(50))
            assert choice.value == 1
            assert choice.plan == (choice.step,)
    assert seen


@pytest.mark.parametrize("game_id", [one for one in GAMES if one != "kiriai"])  # that is solved
def test_what_is_not_proven_is_never_certain(game_id: str) -> None:
    for where in positions(GAMES[game_id], 6):
        for line in bots.find("strong")(where, Random(1), bots.Budget(60)).lines:
            is_end = where.game.outcome(where.game.apply(where.view, where.seat, line.step))
            assert UNSURE <= line.value <= 1 - UNSURE or line.plan or is_end


def test_a_threat_that_no_answer_looked_at_meets_is_no_win_yet() -> None:
    where = asked("kumo", kumo_positions.THREAT)
    lines = bots.find("strong")(where, Random(1), bots.Budget(9000)).lines
    assert len(lines) > 1
    assert all(line.value <= 1 - UNSURE for line in lines)


def test_a_chance_is_never_quite_certain() -> None:
    assert [chance(value) for value in (-1, 0.5, 2)] == [UNSURE, 0.5, 1 - UNSURE]


@pytest.mark.parametrize("name", STATES)
def test_a_winning_turn_is_told_to_its_end(name: str) -> None:
    where = asked(name, STATES[name])
    choice = bots.find("strong")(where, Random(1), bots.Budget())
    assert choice.plan[0] == choice.step
    assert wins(name, where.view, choice.plan)
    again = protocol.choice_of(protocol.line(protocol.answer(choice)), where.legal)
    assert again == choice
    said = advice.how_found(choice)
    assert said == f"wins in this turn, {advice.planned(choice.plan)}"
    assert advice.to_win(1.0, choice.plan) == "wins in this turn"


def test_certain_values_are_words() -> None:
    assert advice.to_win(1.0) == "wins by force"
    assert advice.to_win(0.0) == "loses by force"
    assert advice.to_win(0.62) == "62 % to win"
    assert [advice.standing(value) for value in (0.0, 0.4, 1.0)] == ["lost", "40 %", "won"]
