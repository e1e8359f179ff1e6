"""Kiri-ai: the worked examples of its rules, its decisions, refusals and their reasons."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from kumite.core.errors import BadNotation
from kumite.core.game import CHANCE, SPECTATOR, Actor, Outcome, Seat, Seats, Setup, Step
from kumite.core.games.kiriai import rules as kiriai
from kumite.core.games.kiriai.action import BASIC, CARD, FACES, SPECIALS
from kumite.core.games.kiriai.state import State
from kumite.core.match import Match, perft
from tests.support.kiriai_positions import (
    ALL_TEXTS,
    BLUE,
    LATE,
    RED,
    ROUND_1,
    STANCES,
    begin,
    dealt,
    play,
    position,
    refusal,
    showing,
)
from tests.support.random_matches import setups, walk

LETTERS = {stance: letter for letter, stance in STANCES.items()}


def drawn(state: State) -> list[str]:
    """Return the samurai as the rules draw them: `3H*` is space 3, heaven, one wound."""
    return [f"{s.space}{LETTERS[s.stance]}{'*' * s.wounds}" for s in state.sides]


# --- Worked examples ---------------------------------------------------------------------------

EXAMPLE_1 = """
 1 standard 1H 4H first:charge/charge     2H 3H
 2 standard 2H 4H first:charge/approach   4H 4H
 3 standard 2H 4E first:approach/charge   3H 3E
 4 standard 1H 5H first:charge/charge     3H 3H
 5 standard 1H 4E first:charge/charge     3H 3E
 6 standard 2E 3E first:approach/approach 2E 3E
 7 standard 2E 3H first:approach/approach 2E 2H
 8 standard 3H 3H first:approach/retreat  4H 4H
 9 standard 3H 3E first:approach/retreat  3H 4E
10 standard 5E 5E first:approach/retreat  5E 5E
11 standard 4E 5E first:approach/retreat  5E 5E
12 standard 1H 2H first:retreat/retreat   1H 3H
13 advanced 2E 7E first:charge/charge     4E 5E
14 standard 1H 5H first:high/charge       1H 3H*
15 standard 2H 4H first:high/approach     2H 3H
16 standard 2H 4H first:high/high         2H 4H
17 standard 3H 3E first:kesa/balanced     3E 3E
18 standard 2H 3E first:low/low           2H* 3E
19 standard 2H 4H first:high/counter      2H* 4H
20 standard 2E 4H first:high/counter      2E 4H
21 standard 2E 4H first:zantetsu/counter  2H* 4H
22 standard 2H 4H first:kesa/retreat      2E 5H
23 standard 2H 4H first:zantetsu/stance   2H 4E
24 standard 1E 5H first:zantetsu/charge   1H 3H*
25 advanced 1E 4H first:zantetsu/high     1H 4H*
26 standard 2E 4H first:stance/high       2H* 4H
"""


# Beside the rows of example 1:
# A1: the standard field has 5 spaces the advanced 7.
# A3: stance comes before the kind of card.
# A4: the stance at the beginning of the action settles the order.
# A5: simultaneous moves stop where they would pass.
# A6: a simultaneous retreat makes room for the approach.
# A7: on one space nobody changes sides.
# A8: a retreat without room does nothing.
# A10: the stance always changes after kesa and zantetsu.
# A11: counter needs a successful attack in the same action.
# A12: two successful attacks clash whatever they are.
DECISIONS = """
A1  standard 1H 5H first:retreat/retreat    1H 5H
A1  advanced 1H 5H first:retreat/retreat    1H 6H
A1  advanced 1H 7H first:retreat/retreat    1H 7H
A3  standard 2E 4E first:approach/charge    2E 2E
A3  standard 3H 3E first:retreat/charge     2H 2E
A3  standard 3E 3E first:retreat/charge     2E 3E
A4  standard 3E 4E first:approach/stance    4E 4H
A4  standard 3H 3H first:stance/charge      3E 3H
A5  standard 3E 4E first:charge/charge      3E 4E
A5  standard 2H 4H first:approach/approach  3H 3H
A5  advanced 1H 7H first:charge/charge      3H 5H
A6  standard 3E 3E first:retreat/approach   2E 2E
A6  standard 1H 2H first:retreat/approach   1H 1H
A7  standard 3H 3H first:retreat/high       2H 3H
A7  standard 3H 3H first:high/retreat       3H 4H
A7  standard 3H 3H first:approach/high      3H 3H
A7  standard 3H 3H first:low/approach       3H 3H
A7  standard 3H 3H first:charge/high        3H 3H
A7  standard 3H 3H first:low/charge         3H 3H
A8  standard 1H 3H first:retreat/low        1H 3H
A8  standard 3H 5H first:low/retreat        3H 5H
A10 standard 2H 3H first:kesa/stance        2E 3E*
A10 standard 2H 5H first:kesa/stance        2E 5E
A10 standard 3H 3H first:kesa/balanced      3E 3H
A10 standard 3H 3H first:kesa/counter       3E* 3H
A10 standard 2E 3H first:kesa/stance        2E 3E
A10 standard 2E 5H first:zantetsu/stance    2H 5E*
A10 standard 2E 3H first:zantetsu/stance    2H 3E
A11 standard 3H 3E first:balanced/counter   3H* 3E
A11 standard 2E 3H first:low/counter        2E* 3H
A11 standard 2H 3H first:high/counter       2H 3H
A11 standard 2H 4H first:charge/counter     4H 4H
A12 standard 3H 3H first:kesa/balanced      3E 3H
A12 standard 2E 4H first:zantetsu/high      2H 4H
A12 standard 2E 3H first:low/kesa           2E 3E
"""


@pytest.mark.parametrize("row", [*EXAMPLE_1.strip().splitlines(), *DECISIONS.strip().splitlines()])
def test_example_1_one_action_and_decisions_on_one(row: str) -> None:
    _, field, red, blue, step, *after = row.split()
    state = showing(red, blue, step, field)
    assert kiriai.legal(state, CHANCE) == (step,)
    assert drawn(kiriai.apply(state, CHANCE, Step(step))) == after


def test_sequences_from_the_start_are_as_many_as_in_the_rules() -> None:
    standard, advanced = begin().state, begin(field="advanced").state
    assert perft(kiriai, standard, 7) == (3, 6, 312, 16224, 16224, 16224, 517636)
    assert perft(kiriai, advanced, 6) == (3, 6, 36, 216, 216, 11232)


def test_example_2_the_number_of_plans_depends_on_the_hand_alone() -> None:
    match = dealt()
    assert match.actors == (0, 1)
    assert [len(match.legal(seat)) for seat in match.actors] == [52, 52]
    for special, movement_aside, attack_aside, none_aside in (
        ("kesa", 28, 38, 52),
        ("", 18, 26, 38),
    ):
        assert len(kiriai.plans("", special)) == none_aside
        assert len(kiriai.plans("charge|stance", special)) == movement_aside
        assert len(kiriai.plans("approach|retreat", special)) == movement_aside
        assert {len(kiriai.plans(c, special)) for c in ("high", "low", "balanced")} == {
            attack_aside
        }


def test_example_3_the_shortest_list() -> None:
    state = position(
        "plan round 9",
        "at 2,earth wounds 0 aside approach|retreat spent kesa plan -",
        "at 4,earth wounds 0 aside high special counter plan -",
    )
    assert " ".join(kiriai.legal(state, Seat(0))) == (
        "balanced,charge balanced,high balanced,low balanced,stance"
        " charge,balanced charge,high charge,low high,balanced high,charge high,low high,stance"
        " low,balanced low,charge low,high low,stance stance,balanced stance,high stance,low"
    )


def test_example_4_the_advanced_start() -> None:
    match = dealt(field="advanced")
    assert match.actors == (0, 1)
    assert " ".join(match.legal(Seat(0))) == "2,earth 2,heaven 3,earth 3,heaven 4,earth 4,heaven"
    assert " ".join(match.legal(Seat(1))) == "4,earth 4,heaven 5,earth 5,heaven 6,earth 6,heaven"
    match = play(match, "0 4,heaven", "1 4,earth")
    assert match.actors == (CHANCE,)
    assert match.legal(CHANCE) == ("start:4,heaven/4,earth",)
    match = play(match, "start:4,heaven/4,earth")
    assert drawn(match.state) == ["4H", "4E"]
    assert (match.state.phase, match.state.round) == ("plan", 1)


def test_example_5_the_deal() -> None:
    third, half = Fraction(1, 3), Fraction(1, 2)
    match = begin()
    assert match.odds() == {"red:counter": third, "red:kesa": third, "red:zantetsu": third}
    assert match.game.seen(match.state, CHANCE, Step("red:kesa"), BLUE) == "red:?"
    match = play(match, "red:kesa")
    assert match.odds() == {"blue:counter": half, "blue:zantetsu": half}
    assert match.game.seen(match.state, CHANCE, Step("blue:counter"), RED) == "blue:?"
    assert drawn(play(match, "blue:counter").state) == ["1H", "5H"]


def test_example_6_a_round_and_what_comes_back() -> None:
    match = play(dealt(), *ROUND_1[:3])
    assert drawn(match.state) == ["2H", "5H"]
    match = play(match, ROUND_1[3])
    assert drawn(match.state) == ["2H", "5E"]
    assert [side.aside for side in match.state.sides] == ["high", "charge|stance"]
    assert [len(match.legal(seat)) for seat in match.actors] == [38, 28]
    match = play(match, "0 charge,kesa", "1 low,counter", "first:charge/low")
    assert drawn(match.state) == ["4H*", "5E"]
    match = play(match, "second:kesa/counter")
    assert drawn(match.state) == ["4E**", "5E"]
    assert match.outcome == Outcome((Seat(1),), "defeat")


def test_example_7_a_special_played_second_leaves_nothing_aside() -> None:
    match = play(dealt(), *ROUND_1, "0 charge,kesa", "1 low,balanced", "first:charge/low")
    match = play(match, "second:kesa/balanced")
    assert drawn(match.state) == ["4E*", "5E*"]
    red, blue = match.state.sides
    assert (red.aside, red.special, red.spent) == ("", "kesa", True)
    assert (blue.aside, blue.special, blue.spent) == ("balanced", "counter", False)
    assert [len(match.legal(seat)) for seat in match.actors] == [38, 38]
    assert match.state.round == 3


DEFEAT_FIRST = position(
    "plan round 1",
    "at 2,heaven wounds 1 aside - special counter plan -",
    "at 4,heaven wounds 0 aside - special kesa plan -",
)


def test_example_8_a_defeat_in_the_first_action_leaves_the_second_cards_unseen() -> None:
    start = Match.begin(Setup.of(kiriai), position=DEFEAT_FIRST)
    match = play(start, "0 stance,counter", "1 high,low", "first:stance/high")
    assert match.actors == ()
    assert match.outcome == Outcome((Seat(1),), "defeat")
    assert drawn(match.state) == ["2E**", "4H"]
    assert not match.state.sides[0].spent
    seen = match.seen_by(RED)
    assert [one.step for one in seen.steps()] == ["stance,counter", "?,?", "first:stance/high"]
    assert "low" not in match.game.text(seen.state)
    assert seen.state.sides[1].special == "?"


@pytest.mark.parametrize(
    ("red_wounds", "blue_wounds", "end"),
    [
        (0, 1, Outcome((Seat(0),), "decision")),
        (1, 0, Outcome((Seat(1),), "decision")),
        (1, 1, Outcome((), "limit")),
        (0, 0, Outcome((), "limit")),
    ],
)
def test_example_9_decision(red_wounds: int, blue_wounds: int, end: Outcome) -> None:
    state = position(
        "second round 20",
        f"at 1,heaven wounds {red_wounds} aside low special kesa plan high,stance",
        f"at 5,heaven wounds {blue_wounds} aside low special counter plan high,stance",
        rounds=20,
    )
    after = kiriai.apply(state, CHANCE, Step("second:stance/stance"))
    assert kiriai.outcome(after) == end
    assert kiriai.actors(after) == ()
    assert (after.round, after.sides[0].aside) == (20, "charge|stance")


def test_example_9_a_second_wound_in_the_last_action_is_a_defeat() -> None:
    state = position(
        "second round 20",
        "at 2,heaven wounds 0 aside low special kesa plan stance,high",
        "at 4,heaven wounds 1 aside low special counter plan high,stance",
        rounds=20,
    )
    after = kiriai.apply(state, CHANCE, Step("second:high/stance"))
    assert kiriai.outcome(after) == Outcome((Seat(0),), "defeat")
    assert after.sides[0].aside == "low"  # set-aside cards stay as they were


def test_example_10_views_of_a_round() -> None:
    match = play(dealt(), *ROUND_1)
    steps = ["red:kesa", "blue:?", "approach,high", "?,?", *ROUND_1[2:]]
    assert [one.step for one in match.seen_by(RED).steps()] == steps

    def known(number: int, seat: int, by: Seats) -> tuple[str, str]:
        side = kiriai.view(match.back(number).state, by).sides[seat]
        return side.special, side.secret

    for number, phase, rows in (
        (4, "first", [("kesa", "approach,high"), ("?", "?,?"), ("?", "?,?")]),
        (5, "second", [("kesa", "approach,high"), ("?", "high,?"), ("?", "approach,?")]),
    ):
        assert match.back(number).state.phase == phase
        assert known(number, 0, RED) == rows[0]
        assert known(number, 1, RED) == rows[1]
        assert known(number, 0, SPECTATOR) == rows[2]


def test_example_10_what_a_view_accepts() -> None:
    match = play(dealt(), *ROUND_1, "0 charge,kesa", "1 low,counter", "first:charge/low")
    view = kiriai.view(match.state, RED)
    accepted = [face for face in FACES if not refusal(view, CHANCE, f"second:kesa/{face}")]
    assert accepted == ["approach", "balanced", "counter", "high", "retreat", "zantetsu"]
    for by in (RED, BLUE, SPECTATOR):
        after = kiriai.apply(kiriai.view(match.state, by), CHANCE, Step("second:kesa/counter"))
        assert [(s.special, s.spent) for s in after.sides] == [("kesa", True), ("counter", True)]
    for by in (RED, SPECTATOR):
        after = kiriai.apply(kiriai.view(match.state, by), CHANCE, Step("second:kesa/balanced"))
        assert after.sides[1].special == "?"


# --- Decisions ---------------------------------------------------------------------------------


def test_A11_a_counter_that_meets_no_attack_is_spent() -> None:
    match = play(dealt(), "0 low,high", "1 counter,low", "first:low/counter")
    assert match.state.sides[1].spent


def test_A13_a_wound_counts_at_once_and_plans_are_bound() -> None:
    match = play(dealt(), "0 stance,kesa", "1 charge,high", "first:stance/charge")
    assert "blue has planned high, not low" in refusal(match.state, CHANCE, "second:kesa/low")
    after = play(Match.begin(Setup.of(kiriai), position=DEFEAT_FIRST), "0 stance,counter")
    over = play(after, "1 high,low", "first:stance/high")
    assert over.state.sides[0].secret == over.state.sides[1].secret == ""


def test_A14_plans_are_secret_and_made_in_any_order() -> None:
    one = play(dealt(), "0 stance,kesa", "1 charge,high")
    other = play(dealt(), "1 charge,high", "0 stance,kesa")
    assert one.state == other.state
    assert play(dealt(), "1 charge,high").actors == (0,)
    assert [len(one.seen_by(by).legal(CHANCE)) for by in (RED | BLUE,)] == [1]


def test_A17_a_hand_has_at_least_four_cards() -> None:
    for aside in ("", *BASIC):
        for special in ("", *SPECIALS):
            plans = kiriai.plans(aside, special)
            assert len({CARD[plan.split(",")[0]] for plan in plans}) >= 4


# --- Refusals, with their reasons --------------------------------------------------------------

SHOWING = position(
    "second round 5",
    "at 2,earth wounds 0 aside approach|retreat spent kesa plan high,low",
    "at 4,earth wounds 0 aside high special ? plan low,?",
)


NEW, RED_DEALT, DEALT = begin().state, play(begin(), "red:kesa").state, dealt().state
ADVANCED = dealt(field="advanced").state


@pytest.mark.parametrize(
    ("state", "actor", "step", "reason"),
    [
        (NEW, "*", "blue:kesa", "blue has its special after red"),
        (RED_DEALT, "*", "red:kesa", "red has its special"),
        (RED_DEALT, "*", "blue:kesa", "there is one kesa, and red has it"),
        (NEW, "*", "high,low", "high,low does not fit: now a special card is dealt"),
        (NEW, 0, "high,low", "it is not for seat 0: now a special card is dealt"),
        (DEALT, "*", "first:low/low", "it is not for chance: now each seat plans two cards"),
        (ADVANCED, 0, "5,earth", "seat 0 starts on 2, 3 or 4, not on 5"),
        (ADVANCED, 1, "3,earth", "seat 1 starts on 4, 5 or 6, not on 3"),
        (ADVANCED, 0, "0,earth", "seat 0 starts on 2, 3 or 4, not on 0"),
        (DEALT, 0, "high,high", "high and high are the same card; a plan takes two"),
        (DEALT, 0, "charge,stance", "charge and stance are the same card; a plan takes two"),
        (DEALT, 0, "high,counter", "seat 0 does not have counter"),
        (DEALT, 0, "?,?", "the cards of seat 0 are known here: say what it chooses"),
        (LATE, 0, "low,retreat", "seat 0 has set aside approach and retreat in this round"),
        (LATE, 0, "kesa,low", "seat 0 has spent its kesa"),
        (LATE, 1, "high,low", "seat 1 has set aside high in this round"),
        (
            play(dealt(), "0 high,low").state,
            0,
            "high,low",
            "seat 0 has chosen already, and the choice stands",
        ),
        (
            play(dealt(field="advanced"), "0 2,earth", "1 4,earth").state,
            "*",
            "start:2,heaven/4,earth",
            "red has chosen 2,earth, not 2,heaven",
        ),
        (
            play(dealt(), "0 high,low", "1 low,high").state,
            "*",
            "first:low/low",
            "red has planned high, not low",
        ),
        (SHOWING, "*", "second:low/low", "blue has just played low as its first card"),
        (SHOWING, "*", "second:low/high", "blue has set aside high in this round"),
        (SHOWING, "*", "second:low/kesa", "there is one kesa, and red has it"),
        (SHOWING, "*", "first:high/low", "first:high/low does not fit: now both second cards"),
        (
            kiriai.view(LATE, RED),
            1,
            "low,stance",
            "what seat 1 chooses is not known here: it is ?,?",
        ),
        (NEW, "*", "red:high", "'red:high' is no step of this game"),
        (DEALT, 0, "High,low", "'High,low' is no step of this game"),
        (DEALT, 0, "high,?", "'high,?' is no step of this game"),
    ],
)
def test_a_refusal_says_what_is_wrong(state: State, actor: Actor, step: str, reason: str) -> None:
    assert refusal(state, actor, step).startswith(reason)


def test_a_card_alone_is_answered_with_a_plan_that_begins_with_it() -> None:
    state = dealt().state
    for card in ("approach", "high"):
        with pytest.raises(BadNotation) as said:
            kiriai.apply(state, Seat(1), Step(card))
        assert f"{card!r} is one card; a plan takes two" in str(said.value)
        plan = said.value.hint.rpartition(" ")[2]
        assert plan.startswith(f"{card},")
        assert plan in kiriai.legal(state, Seat(1))


def test_why_agrees_with_the_list_for_every_text_there_is() -> None:
    rng = Random(11)
    for setup in setups(kiriai):
        line = walk(setup, 21).line()
        for match in rng.sample(line, min(12, len(line))):
            for actor in match.actors:
                legal = set(match.legal(actor))
                state = match.state
                allowed = {step for step in ALL_TEXTS if not kiriai.why(state, actor, Step(step))}
                assert allowed == legal
