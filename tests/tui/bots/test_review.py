"""A match looked back at: what choices cost, what is looked at again, what is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from math import exp

import pytest

from kumite.core.bots import Choice, Line, Position
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.store import evaluations
from kumite.tui.bots import kernels
from kumite.tui.bots import review as review_module
from kumite.tui.bots.evaluation import Values
from kumite.tui.bots.judging import GLANCE, Judge, lengths, look_back, recall
from kumite.tui.bots.looking import worth_after
from kumite.tui.bots.review import KEPT, TOLD, Review, Turning, accuracy, grade
from tests.support.fake_player import FakePlayer
from tests.support.puzzles import SENT_TO_LEAP
from tests.support.random_matches import walk

BOTH = frozenset({Seat(0), Seat(1)})
ADA = frozenset({Seat(1)})  # who begins in Kuzushi


def kuzushi(steps: int = 6) -> Match:
    return walk(Setup.of(GAMES["kuzushi"]), 3, steps)


def minding(match: Match, **costs: float) -> Callable[[Position], Choice]:
    """Return a mind to which every position is even, and steps (`at2=0.3`) cost so much."""
    played = {one.number: one.last.step for one in match.line() if one.last}
    lost = {int(name.removeprefix("at")): cost for name, cost in costs.items()}

    def answer(position: Position) -> Choice:
        number = len(position.seen)
        has_erred = bool(position.seen) and position.seen[-1].step == played.get(number)
        value = 0.5 + (lost.get(number - 1, 0.0) if has_erred else 0.0)
        mine = played.get(number + 1, position.legal[0])
        other = next(step for step in position.legal if step != mine)
        best, worse = (other, mine) if number in lost else (mine, other)
        left = value - lost.get(number, 0.1)
        return Choice(best, value, (Line(best, value, 0.6), Line(worse, left, 0.4)))

    return answer


def all_compared(position: Position) -> Choice:
    """Return the first legal step as the best of all."""
    legal = position.legal
    lines = tuple(Line(step, 0.5 - at / 1000, 1 / len(legal)) for at, step in enumerate(legal))
    return Choice(legal[0], 0.5, lines)


async def reviewed(match: Match, mind: FakePlayer, people: frozenset[Seat] = BOTH) -> Review:
    review = Review(match, None, people)
    await look_back(Judge(mind, "ab12"), review)
    return review


# --- words and figures --------------------------------------------------------------------------


def test_what_a_choice_has_cost_has_a_word() -> None:
    assert [grade(lost) for lost in (0.0, 0.049, 0.05, 0.1, 0.19, 0.2, 1.0)] == [
        "good", "good", "inaccuracy", "mistake", "mistake", "blunder", "blunder",
    ]  # fmt: skip


def test_accuracy_is_the_mean_of_what_each_choice_counts() -> None:
    assert accuracy([]) is None
    assert accuracy([0.0, 0.0]) == 1.0
    assert accuracy([0.0, 0.1]) == pytest.approx((1 + exp(-0.4)) / 2)
    assert accuracy([0.5]) == pytest.approx(exp(-2))


# --- what a choice has cost ---------------------------------------------------------------------


async def test_a_step_that_costs_is_found_looked_at_again_and_told_with_what_was_better() -> None:
    match = kuzushi()
    mind = FakePlayer(minding(match, at2=0.3))
    review = await reviewed(match, mind)
    assert review.is_over
    assert [one.number for one in review.chosen] == [0, 1, 2, 3, 4, 5]
    assert [round(one.lost, 6) for one in review.chosen] == [0, 0, 0.3, 0, 0, 0]
    (turning,) = review.turnings
    seat = match.back(2).actors[0]
    assert (turning.number, turning.seat, turning.step) == (2, seat, match.back(3).last.step)
    assert turning.better != turning.step
    assert review.again[2, seat].lost == pytest.approx(0.3)  # what was seen; of it is told a part
    assert turning.lost == pytest.approx(KEPT * 0.3)
    assert turning.answer[1:3] == (1 - int(seat), match.back(4).last.step)
    assert review.losses(turning.seat)[1] == pytest.approx(KEPT * 0.3)
    assert sum(one > 0 for one in review.losses(Seat(1 - turning.seat))) == 0


async def test_where_two_searches_differ_a_step_has_cost_the_smaller() -> None:
    """The position after it turned out better than the search before it thought."""
    match = kuzushi()
    sound = minding(match, at2=0.3)

    def kinder(position: Position) -> Choice:
        choice = sound(position)
        if len(position.seen) == 3:
            return Choice(choice.step, 0.55, (Line(choice.step, 0.55, 1.0),))
        return choice

    review = await reviewed(match, FakePlayer(kinder))
    assert review.chosen[2].lost == pytest.approx(0.05)
    assert review.chosen[2].most == pytest.approx(0.3)
    assert review.suspects == (2,)  # one of the two searches has seen something
    assert not review.turnings  # the second look has not


async def test_a_second_look_can_acquit() -> None:
    """What was better turns out to be worth no more, once it is made."""
    match = kuzushi()
    first = minding(match, at2=0.3)
    played = match.back(3).last

    def answer(position: Position) -> Choice:
        choice = first(position)
        if len(position.seen) == 3 and played and position.seen[-1].step != played.step:
            return Choice(choice.step, 0.8, (Line(choice.step, 0.8, 1.0),))
        return choice

    review = await reviewed(match, FakePlayer(answer))
    assert review.chosen[2].lost == pytest.approx(0.3)
    assert not review.turnings
    assert review.losses(review.chosen[2].seat)[1] == 0


async def test_what_is_certain_is_told_whole() -> None:
    """A win in the turn that was not seen has cost all that was left, and no part of it."""
    one = SENT_TO_LEAP
    other = next(step for step in one.start.legal(one.seat) if step != one.answer[0])
    match = one.start.play(one.seat, other)

    def answer(position: Position) -> Choice:
        if position.seen:
            worth = 1.0 if position.seen[-1].step == one.answer[0] else 0.4
            worth = worth if position.seat == one.seat else 1 - worth
            return Choice(position.legal[0], worth, (Line(position.legal[0], worth, 1.0),))
        lines = (Line(one.answer[0], 1.0, 1.0, one.answer), Line(other, 0.4, 0.0))
        return Choice(one.answer[0], 1.0, lines)

    (turning,) = (await reviewed(match, FakePlayer(answer))).turnings
    assert (turning.had, turning.left) == (1.0, 0.4)


async def test_turning_points_are_in_order_the_costliest_three_of_people_and_two_of_bots(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(review_module, "AGAIN", (10, 2))
    match = kuzushi(24)
    costs = {f"at{number}": 0.1 + number / 100 for number in range(0, 24, 2)}
    review = await reviewed(match, FakePlayer(minding(match, **costs)), ADA)
    assert [one.seat for one in review.turnings] == [1] * TOLD[0]
    assert [one.number for one in review.turnings] == [18, 20, 22]
    assert len(review.again) < 12  # not all: some early ones, and the costliest
    nobody = await reviewed(match, FakePlayer(minding(match, **costs)), frozenset())
    assert len(nobody.turnings) == TOLD[0]
    other = await reviewed(match, FakePlayer(minding(match, **costs)), frozenset({Seat(0)}))
    assert [one.number for one in other.turnings] == [20, 22]
    assert len(other.again) == TOLD[1]


async def test_whoever_had_one_legal_step_has_not_chosen() -> None:
    match = kuzushi()
    mind = minding(match)

    def silent(position: Position) -> Choice:
        if len(position.seen) == 4:
            return Choice(position.legal[0])
        return mind(position)

    review = await reviewed(match, FakePlayer(silent))
    assert 4 not in [one.number for one in review.chosen]


async def test_a_step_that_ends_the_match_is_worth_what_it_brings() -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 1)
    assert match.before is not None
    seat = Seat(int(match.last.actor))
    looking = worth_after(match.before, seat, match.last.step)
    worth = await Judge(FakePlayer()).answered(looking, 5)
    assert worth.value == float(seat in match.outcome.winners)


async def test_a_card_that_loses_the_match_has_left_nothing_whatever_a_bot_guessed() -> None:
    """A bot that samples what it cannot see gives even that a hundredth."""
    match = next(match for match in map(short_kitsune, range(40)) if loses_it_all(match))
    last, seat = match.number - 1, Seat(int(match.last.actor))

    def guessing(position: Position) -> Choice:
        order = sorted(position.legal, key=lambda step: step == match.last.step)
        lines = (Line(order[0], 0.27, 0.9), Line(order[-1], 0.01, 0.1))
        return Choice(order[0], 0.27, lines)

    review = await reviewed(match, FakePlayer(guessing), frozenset({seat}))
    (turning,) = [one for one in review.again.values() if one.number == last]
    assert turning.left == 0.0
    tried = await Judge(FakePlayer(guessing)).answered(review.trial(turning, turning.step), 5)
    assert tried.value == 0.0


def short_kitsune(seed: int) -> Match:
    return walk(Setup.of(GAMES["kitsune"], 2, {"wins": 1, "track": 10}), seed)


def loses_it_all(match: Match) -> bool:
    """Return whether a match ended with a card of the loser's choice."""
    before, last = match.before, match.last
    if before is None or last is None or last.actor == CHANCE or match.outcome is None:
        return False
    return last.actor not in match.outcome.winners and len(before.legal(last.actor)) > 2


async def test_what_was_still_possible_later_in_a_turn_was_not_lost_before() -> None:
    match = walk(Setup.of(GAMES["kitsu"]), 3, 30)
    line = match.line()
    first = next(n for n in range(30) if line[n].actors == line[n + 1].actors and line[n].actors)
    seat = Seat(int(line[first].actors[0]))
    review = Review(match, None, BOTH)
    one, two = Step("a1-a2"), Step("a2-a3")
    for number, who, had, left in (
        (first, seat, 0.6, 0.1),
        (first + 1, seat, 0.5, 0.1),
        (first + 9, Seat(1 - seat), 0.9, 0.2),
    ):
        review.again[number, who] = Turning(line[number], who, one, two, had, left)
    lost = [turning.lost for turning in review.turnings]
    assert lost == pytest.approx([0.1, KEPT * 0.4, KEPT * 0.7])


# --- whose choices ------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", ["kiriai", "kitsune"])
async def test_each_is_asked_with_what_they_saw_also_of_those_who_choose_at_once(
    game_id: str,
) -> None:
    match = walk(Setup.of(GAMES[game_id]), 3, 40)
    mind = FakePlayer(all_compared)
    review = await reviewed(match, mind)
    assert {one.seat for one in review.chosen} == BOTH
    for position in mind.asked:
        own = frozenset({position.seat})
        number = len(position.seen)
        assert position.view == match.game.view(match.back(number).state, own)
    for one in review.chosen:
        later = match.line()[one.number + 1 :]
        assert one.step in [m.last.step for m in later if m.last and m.last.actor == one.seat][:1]
    own = frozenset({Seat(1)})
    theirs = Review(match.seen_by(own), own, own)
    await look_back(Judge(FakePlayer(all_compared), "cd34"), theirs)
    assert {one.seat for one in theirs.chosen} == own
    assert not Review(match.seen_by(SPECTATOR), SPECTATOR, BOTH).count


async def test_with_more_than_two_sides_a_step_is_judged_by_its_own_search() -> None:
    match = walk(Setup.of(GAMES["kuzushi"], 4), 3, 12)
    review = await reviewed(match, FakePlayer(minding(match, at4=0.4)))
    assert [turning.number for turning in review.turnings] == [4]
    assert review.turnings[0].lost == pytest.approx(KEPT * 0.4)
    assert review.turnings[0].answer is not None  # what the next player would do


async def test_the_answer_to_a_step_is_looked_for_after_the_rest_of_its_turn() -> None:
    match = walk(Setup.of(GAMES["kitsu"]), 3, 12)
    line = match.line()
    number = next(n for n, one in enumerate(line[:-2]) if one.actors == line[n + 1].actors)
    seat = Seat(int(line[number].actors[0]))
    before = minding(match, **{f"at{number}": 0.4})

    def mind(position: Position) -> Choice:
        if len(position.seen) <= number:
            return before(position)
        has_erred = position.seen[number].step == line[number + 1].last.step
        step = "end" if "end" in position.legal else position.legal[0]
        worth = 0.1 if has_erred else 0.5
        return Choice(step, worth if position.seat == seat else 1 - worth, (Line(step, 0.5, 1.0),))

    answer = (await reviewed(match, FakePlayer(mind))).again[number, seat].answer
    assert answer is not None
    assert answer.seat != seat


async def test_after_a_glance_at_all_the_costliest_choice_is_told_long_before_the_rest() -> None:
    match = kuzushi(20)
    mind = FakePlayer(minding(match, at5=0.08, at16=0.3))
    review, told = Review(match, None, BOTH), list[tuple[int, list[int]]]()

    def tell() -> None:
        told.append((review.done, [one.number for one in review.turnings]))

    await look_back(Judge(mind, "ab12"), review, tell)
    assert next(done for done, found in told if found) == 2  # the positions beside it
    assert told[-1] == (21, [5, 16])
    assert mind.simulations[:21] == [review.simulations // GLANCE] * 21
    assert {one.looked for one in review.values[0].judged.values()} == {review.simulations}


async def test_a_glance_blames_as_it_goes_and_only_provisionally() -> None:
    match = kuzushi(20)
    mind = FakePlayer(minding(match, at16=0.3))
    review, told = Review(match, None, BOTH), list[tuple[int, list[int], int]]()

    def tell() -> None:
        told.append((len(mind.asked), [one.number for one in review.blamed], len(review.turnings)))

    await look_back(Judge(mind, "ab12"), review, tell)
    asked, found, sure = next(one for one in told if one[1])
    assert (found, sure) == ([16], 0)
    assert asked == 6  # the five last positions, and the one after the better step
    assert told[-1][1:] == ([16], 1)
    assert review.blamed == list(review.turnings)


async def test_what_kept_evaluations_suspect_is_told_before_another_position_is_asked() -> None:
    """They are of hints or of the tutor, and may be shorter than a review's."""
    match = kuzushi(20)
    mind = FakePlayer(minding(match, at11=0.3, at3=0.3))
    before, judge = Review(match, None, BOTH), Judge(mind, "ab12")
    values = before.values[0]
    for number in (11, 12):
        await judge.look(values.question(number), before.simulations // 2)
    judge.save()
    mind.asked.clear()
    review, told = Review(match, None, BOTH), list[tuple[list[int], list[int]]]()

    def tell() -> None:
        numbers = [one.number for one in review.blamed]
        told.append((numbers, [len(position.seen) for position in mind.asked]))

    await look_back(Judge(mind, "ab12"), review, tell)
    assert told[0] == ([11], [12])  # after the better step


async def test_a_longer_look_can_acquit_what_a_glance_has_blamed() -> None:
    match = kuzushi(8)
    mind = FakePlayer()

    def answer(position: Position) -> Choice:
        is_short = mind.simulations[-1] < review.simulations
        return minding(match, at3=0.3 if is_short else 0.0, at5=0.2)(position)

    mind.answer = answer
    review, told = Review(match, None, BOTH), list[set[int]]()
    await look_back(
        Judge(mind, "ab12"), review, lambda: told.append({one.number for one in review.blamed})
    )
    assert {3, 5} in told
    assert told[-1] == {5}


async def test_looks_that_were_short_because_loops_are_being_compiled_are_done_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The process of the bots goes on in plain Python, and says how little that was."""
    monkeypatch.setattr(kernels, "times_as_fast", lambda _: 10)
    match = kuzushi(8)
    mind = FakePlayer()
    review, told = Review(match, None, BOTH, 60_000), list[tuple[int, int, bool]]()
    assert lengths(review) == [6_000 // GLANCE, 6_000, 60_000]

    def answer(position: Position) -> Choice:
        is_short = mind.simulations[-1] == 60_000 and len(mind.asked) < 40
        choice = minding(match, at3=0.3)(position)
        return replace(choice, looked=24_000) if is_short else choice

    def tell() -> None:
        is_blamed = [one.number for one in review.blamed] == [3]
        told.append((review.length, review.done, is_blamed))

    mind.answer = answer
    await look_back(Judge(mind, "ab12"), review, tell)
    brief = [one for one in told if one[0] < 60_000]
    assert {done for length, done, _ in brief if length == 6_000} == {*range(10)}
    assert brief[-1][-1]
    assert (60_000, 0, True) in told
    assert review.stage == " (look 3 of 3)"  # a title that stayed at `27 of 27` looked done
    assert review.is_over
    assert [one.number for one in review.turnings] == [3]


# --- what is kept -------------------------------------------------------------------------------


@pytest.mark.usefixtures("no_glance")
async def test_what_was_found_until_it_was_left_is_kept() -> None:
    match = kuzushi()
    mind = FakePlayer(minding(match, at2=0.3, at4=0.3))
    review = Review(match, None, BOTH)

    def tell() -> None:
        mind.is_stuck = len(review.again) == 1

    task = asyncio.create_task(look_back(Judge(mind, "ab12"), review, tell))
    while not mind.is_stuck:
        await asyncio.sleep(0)
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    asked = len(mind.asked)
    assert len(evaluations.load("ab12")) == asked - 1
    mind.is_stuck = False
    done = await reviewed(match, mind)
    assert len(done.turnings) == 2
    assert mind.asked[asked] == mind.asked[asked - 1]  # the interrupted one again
    assert len(mind.asked) == len(evaluations.load("ab12")) + 1


async def test_another_step_can_be_tried_in_its_place() -> None:
    match = kuzushi()
    mind = FakePlayer(minding(match, at2=0.3))
    review = await reviewed(match, mind)
    (turning,) = review.turnings
    third = next(
        step
        for step in match.back(2).legal(turning.seat)
        if step not in (turning.step, turning.better)
    )
    worth = await Judge(mind).answered(review.trial(turning, third), 5)
    assert worth.value == pytest.approx(0.5)
    assert mind.asked[-1].seen[-1].step == third


async def test_a_curve_is_marked_with_what_was_looked_at_again_and_cost_much() -> None:
    match, names = kuzushi(), ("bob", "ada")
    mind = minding(match, at1=0.09, at2=0.3, at3=0.15)
    review = Review(match, None, frozenset(), values=Values(match, None))
    recall(review, Judge(FakePlayer(), "ab12"))
    assert review.marks == ()
    await look_back(Judge(FakePlayer(mind), "ab12"), review)
    said = [one.said(names) for one in review.marks]
    assert said == ["step 3 cost ada 24 %", "step 4 cost bob 12 %"]
    values = Values(match, None)
    kept, mind = Review(match, None, frozenset(), values=values), FakePlayer()
    recall(kept, Judge(mind, "ab12"))
    await look_back(Judge(mind, "ab12"), kept)
    assert mind.asked == []
    assert kept.marks == review.marks
    assert kept.is_over
