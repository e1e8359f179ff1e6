"""The level of Kiri-ai that learns habits: when it leaves the solution, how far, what it gains."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import mul
from random import Random
from typing import TYPE_CHECKING

import pytest

from kumite.cli.engine import Engine
from kumite.core import bots
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.bot import habits, model
from kumite.core.games.kiriai.bot.solved import solve
from kumite.core.match import Match
from tests.core.bots.test_bots import position
from tests.support.random_matches import walk

ME, OTHER = Seat(0), Seat(1)
FIELDS = pytest.mark.parametrize("field", ["standard", "advanced"])
LEARNER = next(str(n) for n, one in enumerate(model.LEVELS, start=1) if one.learner)

if TYPE_CHECKING:
    Habit = Callable[[Match, Random], Step]


def learned(where: bots.Position) -> bots.Choice:
    return bots.find(LEARNER)(where, Random(1), bots.Budget(1))


def mixture(choice: bots.Choice, where: bots.Position) -> list[float]:
    shares = {line.step: line.share for line in choice.lines}
    return [shares[step] for step in where.legal]


def planning(match: Match) -> Iterator[Match]:
    """Yield where both are to plan, of a match so far."""
    return (one for one in match.line() if one.actors == (ME, OTHER) and one.state.round)


@FIELDS
def test_before_anything_is_shown_it_plays_the_solution(field: str) -> None:
    for seed in range(3):
        match = walk(Setup.of(kiriai, 2, {"field": field}), seed)
        line = [one for one in match.line() if one.actors == (ME, OTHER)]
        for one in line[: 1 if field == "standard" else 2]:
            where = position(one, ME)
            choice, solution = learned(where), bots.find("strong")(where, Random(1), bots.Budget(1))
            assert choice.lines == solution.lines
            assert choice.step == solution.step
            assert choice.left == 0
            assert solution.left is None


# --- Habits -----------------------------------------------------------------------------------


def begins_alike(match: Match, rng: Random) -> Step:
    """Play the same first card always: the plan cannot be, as its second card is set aside."""
    plans = match.legal(OTHER)
    alike = [one for one in plans if one.startswith("charge,")]
    return rng.choice(alike or [one for one in plans if one.startswith("approach,")] or plans)


def repeats(match: Match, rng: Random) -> Step:
    """Repeat the plan of two rounds ago, whose second card is free again."""
    mine = [one.last.step for one in match.line() if one.last and one.last.actor == OTHER]
    fits = [one for one in mine[-2:] if one in match.legal(OTHER)]
    return fits[0] if fits else rng.choice(match.legal(OTHER))


def glances(match: Match, rng: Random) -> Step:
    return model.easy(position(match, OTHER), rng).step


def solves(match: Match, rng: Random) -> Step:
    return bots.find("strong")(position(match, OTHER), rng, bots.Budget(1)).step


def duel(habit: Habit, seed: int, most: int) -> Match:
    """Return a match of so many rounds against somebody with a habit; I play the solution."""
    match, rng = Match.begin(Setup.of(kiriai)), Random(seed)
    while match.outcome is None and match.state.round <= most:
        actor = match.actors[0]
        if actor == ME:
            step = bots.find("strong")(position(match, ME), rng, bots.Budget(1)).step
        else:
            step = rng.choice(match.legal(CHANCE)) if actor == CHANCE else habit(match, rng)
        match = match.play(actor, step)
    return match


def expected(match: Match, plans: Sequence[Step]) -> list[float]:
    """Return what each of my plans scores, -1 to 1, against some plans of the other, all alike."""
    found = solve(position(match, ME), bots.Budget())
    assert found is not None
    mine, theirs = match.state.sides
    cards = [one for one in SPECIALS if one != mine.special]
    matrix = found[0][0 if theirs.spent else cards.index(theirs.special)]
    legal = match.legal(OTHER)
    return [sum(row[legal.index(plan)] for plan in plans) / len(plans) for row in matrix]


@pytest.mark.parametrize("habit", [begins_alike, repeats, glances])
def test_against_a_habit_it_is_worth_more_than_the_solution(habit: Habit) -> None:
    gains, left = [], []
    for seed in range(8):
        for one in list(planning(duel(habit, seed, 8)))[2:]:
            where, rng = position(one, ME), Random(seed)
            choice, found = learned(where), solve(where, bots.Budget())
            assert found is not None
            plans = [habit(one, rng) for _ in range(60 if habit is glances else 10)]
            scores = expected(one, plans)
            gained = sum(map(mul, scores, mixture(choice, where))) - sum(map(mul, scores, found[1]))
            gains.append(gained / 2)
            left.append(choice.left or 0.0)
    assert len(gains) >= 10
    assert sum(gains) / len(gains) > 0.015
    assert sum(gains) > sum(left) / 2


def test_somebody_who_plays_the_solution_is_found_likelier_to_do_so() -> None:
    said = []
    for seed in range(4):
        match = duel(solves, seed, 12)
        where = position(list(planning(match))[-1], ME)
        found = habits.foretold(habits.rounds(where), bots.Budget())
        said.append(found[0])
        assert found[0] + sum(map(sum, found[1])) == pytest.approx(1)
    assert sum(said) / len(said) > habits.SOLVED


# --- What it gives up -------------------------------------------------------------------------


@FIELDS
def test_what_it_gives_up_is_what_it_says_and_no_more_than_the_bound(field: str) -> None:
    told = []
    for seed in (5, 8):
        for one in list(planning(walk(Setup.of(kiriai, 2, {"field": field}), seed)))[:4]:
            for seat in (ME, OTHER):
                where = position(one, seat)
                choice, found = learned(where), solve(where, bots.Budget())
                assert found is not None
                assert choice.left is not None
                matrices, solution = found
                x = mixture(choice, where)
                assert sum(x) == pytest.approx(1)
                least = (habits.at_least(matrices, one) for one in (solution, x))
                lost = next(least) - next(least)
                assert choice.left == pytest.approx(max(0.0, lost / 2), abs=1e-9)
                assert 0 <= choice.left <= habits.BOUND + 1e-9
                told.append(choice.left)
    assert max(told) > habits.BOUND / 2


def test_the_mixture_is_the_same_whatever_is_drawn() -> None:
    where = position(list(planning(walk(Setup.of(kiriai), 5)))[2], ME)
    choices = [bots.find(LEARNER)(where, Random(n), bots.Budget(1)) for n in range(12)]
    assert choices[0].left
    assert len({tuple(mixture(one, where)) for one in choices}) == 1
    assert len({one.left for one in choices}) == 1
    assert len({one.step for one in choices}) > 1


@pytest.mark.parametrize("most", [0, 1, 2, 3, 4, 6, 9, 14])
def test_interrupted_it_plays_the_solution_or_a_glance(most: int) -> None:
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > most

    where = position(list(planning(walk(Setup.of(kiriai), 5)))[4], ME)
    choice = bots.find(LEARNER)(where, Random(1), bots.Budget(None, stop))
    assert choice.step in where.legal
    assert len(asked) <= most + 3
    assert choice.left is None or choice.left <= habits.BOUND + 1e-9
    if most < 3:
        assert not choice.lines


# --- Where it is asked ------------------------------------------------------------------------


@FIELDS
def test_it_knows_the_rounds_as_they_were_played(field: str) -> None:
    match = walk(Setup.of(kiriai, 2, {"field": field}), 5)
    for number, one in enumerate(planning(match)):
        for seat in (ME, OTHER):
            past = habits.rounds(position(one, seat))
            assert len(past) == number + 1
            plans = [
                [two.last.step for two in one.line() if two.last and two.last.actor == who]
                for who in (seat, 1 - seat)
            ]
            start = field == "advanced"
            assert [each.mine for each in past] == [*plans[0][start:], ""]
            assert [each.theirs for each in past] == [*plans[1][start:], ""]


def test_who_plans_second_is_asked_the_same() -> None:
    one = list(planning(walk(Setup.of(kiriai), 5)))[4]
    before = learned(position(one, OTHER))
    after = learned(position(one.play(ME, one.legal(ME)[0]), OTHER))
    assert after == before


def test_a_match_that_began_in_its_middle_is_played_by_the_solution() -> None:
    match = list(planning(walk(Setup.of(kiriai), 5)))[4]
    engine = Engine(Match.begin(match.setup, None, match.state))
    for _ in range(2):
        said = engine.answer(f'{{"do":"choose","seat":0,"bot":"{LEARNER}"}}')
        assert said["ok"], said
        assert said["left"] == 0
        for seat in (ME, OTHER):
            step = engine.current.legal(seat)[7]
            assert engine.answer(f'{{"do":"apply","actor":{seat},"step":"{step}"}}')["ok"]
        while engine.current.actors == (CHANCE,):
            (step,) = engine.current.legal(CHANCE)
            engine.answer(f'{{"do":"apply","actor":"*","step":"{step}"}}')
        if engine.current.outcome:
            break


def test_after_a_step_is_taken_back_it_chooses_as_before() -> None:
    match = list(planning(walk(Setup.of(kiriai), 5)))[4]
    engine = Engine(match)
    ask = f'{{"do":"choose","seat":0,"bot":"{LEARNER}"}}'
    before = engine.answer(ask)
    engine.answer(f'{{"do":"apply","actor":0,"step":"{match.legal(ME)[0]}"}}')
    engine.answer('{"do":"undo"}')
    assert engine.answer(ask) == before
    assert before["left"]
    for level in ("6", "8"):
        assert "left" not in engine.answer(f'{{"do":"choose","seat":0,"bot":"{level}"}}')


def test_a_view_without_the_other_s_plan_says_nothing_of_it() -> None:
    one = list(planning(walk(Setup.of(kiriai), 5)))[3]
    told = {learned(position(one.play(ME, step), OTHER)) for step in one.legal(ME)[:6]}
    assert len(told) == 1
    assert kiriai.view(one.state, SPECTATOR) != one.state
