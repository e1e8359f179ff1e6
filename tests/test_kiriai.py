"""Kiri-ai: the worked examples and numbers of its rules, its decisions, refusals and secrets."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from core.codec import encode
from core.errors import BadData, BadNotation, Hidden, IllegalStep
from core.game import CHANCE, SPECTATOR, Outcome, Seat, Setup, Step
from core.games import kiriai
from core.games._kiriai_action import BASIC, CARD, FACES, SPECIALS
from core.games._kiriai_state import UNPLACED, Side, State
from core.match import Match, perft
from tests.random_matches import setups, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.game import Actor, Seats, Value

RED, BLUE = frozenset({Seat(0)}), frozenset({Seat(1)})
LETTERS = {"heaven": "H", "earth": "E"}
STANCES = {letter: stance for stance, letter in LETTERS.items()}


def begin(**options: Value) -> Match:
    return Match.begin(Setup.of(kiriai, 2, options))


def play(match: Match, *steps: str) -> Match:
    """Play steps like `0 charge,high`; without a seat in front it is a step of chance."""
    for said in steps:
        actor, _, step = said.rpartition(" ")
        match = match.play(Seat(int(actor)) if actor else CHANCE, Step(step))
    return match


def dealt(red: str = "kesa", blue: str = "counter", **options: Value) -> Match:
    return play(begin(**options), f"red:{red}", f"blue:{blue}")


def position(
    phase: str, red: str, blue: str, *, field: str = "standard", rounds: int = 40
) -> State:
    """Return a position from its canonical text: red and blue without their names."""
    head = f"kiriai field={field} rounds={rounds}"
    return kiriai.parse(f"{head}\nphase {phase}\nred {red}\nblue {blue}")


def drawn(state: State) -> list[str]:
    """Return the samurai as the rules draw them: `3H*` is space 3, heaven, one wound."""
    return [f"{s.space}{LETTERS[s.stance]}{'*' * s.wounds}" for s in state.sides]


def action(red: str, blue: str, step: str, field: str = "standard") -> list[str]:
    """Carry out one first action of two unhurt samurai like `2H`, `4E`."""
    one, two = step.removeprefix("first:").split("/")
    specials = [face for face in SPECIALS if face not in (one, two)]
    sides = []
    for place, face in ((red, one), (blue, two)):
        special = face if face in SPECIALS else specials.pop()
        plan = f"{face},{'low' if face == 'high' else 'high'}"
        at = f"{place[0]},{STANCES[place[1]]}"
        sides.append(f"at {at} wounds 0 aside - special {special} plan {plan}")
    state = position("first round 1", sides[0], sides[1], field=field)
    assert kiriai.legal(state, CHANCE) == (step,)
    return drawn(kiriai.apply(state, CHANCE, Step(step)))


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


@pytest.mark.parametrize("row", EXAMPLE_1.strip().splitlines())
def test_example_1_one_action(row: str) -> None:
    _, field, red, blue, step, *after = row.split()
    assert action(red, blue, step, field) == after


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


ROUND_1 = ("0 approach,high", "1 high,stance", "first:approach/high", "second:high/stance")


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


# --- Numbers -----------------------------------------------------------------------------------


def test_sequences_from_the_start_are_as_many_as_in_the_rules() -> None:
    standard, advanced = begin().state, begin(field="advanced").state
    assert perft(kiriai, standard, 7) == (3, 6, 312, 16224, 16224, 16224, 517636)
    assert perft(kiriai, advanced, 6) == (3, 6, 36, 216, 216, 11232)


# --- Positions that can occur in phase plan ----------------------------------------------------
#
# A position is split into its base (all but the set-aside cards and the round) and a bit for the
# pair of cards set aside: 36 bits for a base. The bases and what leads from one to another come
# from `apply`, the plans of a hand from `plans`; the search only puts them together.

ASIDES = ("", *BASIC)
Bits = int  # a set of pairs of set-aside cards: red's number * 6 + blue's number
BASES: list[State] = []  # all that were found, by number
Hands = dict[str, list[tuple[str, int]]]  # first face: second faces, each with its set of asides


def split(state: State) -> tuple[int, Bits]:
    """Return the number of the position's base and the bit of its set-aside cards."""
    red, blue = (ASIDES.index(side.aside) for side in state.sides)
    return numbered(based(state, "plan")), 1 << red * len(ASIDES) + blue


@cache
def numbered(base: State) -> int:
    BASES.append(base)
    return len(BASES) - 1


def based(state: State, phase: str, red: str = "", blue: str = "") -> State:
    """Return the position without asides and in the second round, with these plans."""
    one, two = (
        Side(side.space, side.stance, side.wounds, "", side.special, side.spent, plan)
        for side, plan in zip(state.sides, (red, blue), strict=True)
    )
    return State(state.field, state.rounds, phase, 2, (one, two))


def first_bases(field: str) -> set[int]:
    states, found = [kiriai.start(2, {"field": field, "rounds": 80})], set()
    while states:
        state = states.pop()
        if state.phase == "plan":
            found.add(split(state)[0])
        else:
            actor = kiriai.actors(state)[0]
            states += [kiriai.apply(state, actor, step) for step in kiriai.legal(state, actor)]
    return found


@cache
def hands(special: str) -> Hands:
    """Return the plans of a hand with `special` (or empty), each with the asides that allow it."""
    bits: dict[tuple[str, str], int] = Counter()
    for number, aside in enumerate(ASIDES):
        for plan in kiriai.plans(aside, special):
            first, second = plan.split(",")
            bits[first, second] |= 1 << number
    return {
        one: [(second, some) for (first, second), some in bits.items() if first == one]
        for one, _ in bits
    }


@cache
def pairs(red: int, blue: int) -> Bits:
    return sum(blue << number * len(ASIDES) for number in range(len(ASIDES)) if red >> number & 1)


@cache
def seconds(middle: State) -> dict[tuple[str, str], tuple[int, Bits]]:
    """Return what two second faces lead to, if it is a next round."""
    ends = {}
    if middle.phase == "second":
        faces = [[*hands("" if s.spent else s.special)] for s in middle.sides]
        for one in faces[0]:
            for two in faces[1]:
                state = based(middle, "second", f"x,{one}", f"x,{two}")
                after = kiriai.apply(state, CHANCE, Step(f"second:{one}/{two}"))
                if after.phase == "plan":
                    ends[one, two] = split(after)
    return ends


@cache
def rounds_from(number: int) -> list[tuple[int, Bits, Bits]]:
    """Return every base and pair of asides after one more round, and the pairs that lead there."""
    base = BASES[number]
    red, blue = (hands("" if s.spent else s.special) for s in base.sides)
    ways: dict[tuple[int, Bits], Bits] = {}
    for one, reds in red.items():
        for two, blues in blue.items():
            state = based(base, "first", f"{one},x", f"{two},x")
            after = kiriai.apply(state, CHANCE, Step(f"first:{one}/{two}"))
            ends = seconds(based(after, after.phase))
            for second, some in reds:
                for other, others in blues:
                    if end := ends.get((second, other)):
                        ways[end] = ways.get(end, 0) | pairs(some, others)
    return [(end, bit, bits) for (end, bit), bits in ways.items()]


def occurring(field: str) -> dict[State, Bits]:
    """Search from the deal until nothing new is found; return the bases with their asides."""
    found: dict[int, Bits] = {}
    fresh = dict.fromkeys(first_bases(field), 1)
    while fresh:
        base = next(iter(fresh))
        new = fresh.pop(base)
        found[base] = found.get(base, 0) | new
        for end, bit, bits in rounds_from(base):
            if new & bits and not bit & (found.get(end, 0) | fresh.get(end, 0)):
                fresh[end] = fresh.get(end, 0) | bit
    return {BASES[number]: bits for number, bits in found.items()}


def sides_of(found: dict[State, Bits]) -> Iterator[list[tuple[Side, str]]]:
    """Yield both sides of every position, each with its card aside."""
    for base, bits in found.items():
        for number in range(len(ASIDES) ** 2):
            if bits >> number & 1:
                asides = divmod(number, len(ASIDES))
                yield [(s, ASIDES[a]) for s, a in zip(base.sides, asides, strict=True)]


@pytest.mark.long
@pytest.mark.parametrize(
    ("field", "public", "spent", "full", "different", "unmirrored"),
    [
        ("standard", 84953, (5429, 37164, 42360), 149262, 80138, 40105),
        ("advanced", 161764, (10392, 70796, 80576), 284520, 152812, 76454),
    ],
)
def test_as_many_positions_can_occur_in_phase_plan_as_in_the_rules(
    field: str, public: int, spent: tuple[int, ...], full: int, different: int, unmirrored: int
) -> None:
    count, end = 0, kiriai.SPACES[field] + 1
    open_, played, halved = set(), set(), set()
    for sides in sides_of(occurring(field)):
        count += 1
        stand = [(s.space, s.stance, s.wounds, aside) for s, aside in sides]
        special = [s.special for s, _ in sides]
        used = [s.spent for s, _ in sides]
        open_.add((*stand, *(special[i] if used[i] else "?" for i in (0, 1))))
        hold = ["" if used[i] else special[i] for i in (0, 1)]
        mirrored = [(end - space, *rest) for space, *rest in stand]
        here, there = (*stand, *hold), (*mirrored[::-1], *hold[::-1])
        played.add(here)
        halved.add(min(here, there))
    assert count == full
    assert len(open_) == public
    unspent = Counter(position[-2:].count("?") for position in open_)
    assert (unspent[2], unspent[1], unspent[0]) == spent
    assert len(played) == different
    assert len(halved) == unmirrored


# --- Decisions ---------------------------------------------------------------------------------


def test_A1_the_standard_field_has_5_spaces_the_advanced_7() -> None:
    assert action("1H", "5H", "first:retreat/retreat") == ["1H", "5H"]
    assert action("1H", "5H", "first:retreat/retreat", "advanced") == ["1H", "6H"]
    assert action("1H", "7H", "first:retreat/retreat", "advanced") == ["1H", "7H"]


def test_A2_starts_are_the_ends_in_heaven_or_chosen_in_secret() -> None:
    match = dealt()
    assert (drawn(match.state), match.state.phase) == (["1H", "5H"], "plan")
    match = play(dealt(field="advanced"), "0 2,earth")
    assert [side.space for side in match.state.sides] == [0, 0]
    assert kiriai.view(match.state, BLUE).sides[0].secret == "?,?"
    assert drawn(play(match, "1 6,heaven", "start:2,earth/6,heaven").state) == ["2E", "6H"]


def test_A3_stance_comes_before_the_kind_of_card() -> None:
    assert action("2H", "4E", "first:approach/charge") == ["3H", "3E"]
    assert action("2E", "4E", "first:approach/charge") == ["2E", "2E"]
    assert action("3H", "3E", "first:retreat/charge") == ["2H", "2E"]
    assert action("3E", "3E", "first:retreat/charge") == ["2E", "3E"]


def test_A4_the_stance_at_the_beginning_of_the_action_settles_the_order() -> None:
    assert action("3E", "4E", "first:approach/stance") == ["4E", "4H"]
    assert action("3H", "3H", "first:stance/charge") == ["3E", "3H"]


def test_A5_simultaneous_moves_stop_where_they_would_pass() -> None:
    assert action("1H", "4H", "first:charge/charge") == ["2H", "3H"]
    assert action("3E", "4E", "first:charge/charge") == ["3E", "4E"]
    assert action("2H", "4H", "first:approach/approach") == ["3H", "3H"]
    assert action("1H", "7H", "first:charge/charge", "advanced") == ["3H", "5H"]


def test_A6_a_simultaneous_retreat_makes_room_for_the_approach() -> None:
    assert action("3H", "3H", "first:approach/retreat") == ["4H", "4H"]
    assert action("3E", "3E", "first:retreat/approach") == ["2E", "2E"]
    assert action("1H", "2H", "first:retreat/approach") == ["1H", "1H"]


def test_A7_on_one_space_nobody_changes_sides() -> None:
    for face in ("approach", "charge"):
        assert action("3H", "3H", f"first:{face}/high") == ["3H", "3H"]
        assert action("3H", "3H", f"first:low/{face}") == ["3H", "3H"]
    assert action("3H", "3H", "first:retreat/high") == ["2H", "3H"]
    assert action("3H", "3H", "first:high/retreat") == ["3H", "4H"]


def test_A8_a_retreat_without_room_does_nothing() -> None:
    assert action("1H", "3H", "first:retreat/low") == ["1H", "3H"]
    assert action("3H", "5H", "first:low/retreat") == ["3H", "5H"]


def test_A9_cards_that_cannot_work_may_be_planned() -> None:
    match = play(dealt(), "0 retreat,low", "1 balanced,high", "first:retreat/balanced")
    assert drawn(play(match, "second:low/high").state) == ["1H", "5H"]


@pytest.mark.parametrize(
    ("red", "blue", "step", "after"),
    [
        ("2H", "3H", "first:kesa/stance", ["2E", "3E*"]),  # it strikes
        ("2H", "5H", "first:kesa/stance", ["2E", "5E"]),  # a miss
        ("3H", "3H", "first:kesa/balanced", ["3E", "3H"]),  # a clash
        ("3H", "3H", "first:kesa/counter", ["3E*", "3H"]),  # countered
        ("2E", "3H", "first:kesa/stance", ["2E", "3E"]),  # in the wrong stance
        ("2E", "5H", "first:zantetsu/stance", ["2H", "5E*"]),
        ("2E", "3H", "first:zantetsu/stance", ["2H", "3E"]),
    ],
)
def test_A10_the_stance_always_changes_after_kesa_and_zantetsu(
    red: str, blue: str, step: str, after: list[str]
) -> None:
    assert action(red, blue, step) == after


def test_A11_counter_needs_a_successful_attack_in_the_same_action() -> None:
    assert action("3H", "3E", "first:balanced/counter") == ["3H*", "3E"]
    assert action("2E", "3H", "first:low/counter") == ["2E*", "3H"]
    assert action("2H", "3H", "first:high/counter") == ["2H", "3H"]
    assert action("2H", "4H", "first:charge/counter") == ["4H", "4H"]
    match = play(dealt(), "0 low,high", "1 counter,low", "first:low/counter")
    assert match.state.sides[1].spent  # for nothing


def test_A12_two_successful_attacks_clash_whatever_they_are() -> None:
    assert action("3H", "3H", "first:kesa/balanced") == ["3E", "3H"]
    assert action("2E", "4H", "first:zantetsu/high") == ["2H", "4H"]
    assert action("2E", "3H", "first:low/kesa") == ["2E", "3E"]


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


def test_A15_the_card_set_aside_is_away_for_one_round() -> None:
    match = play(dealt(), *ROUND_1)
    assert not any("high" in plan for plan in match.legal(Seat(0)))
    match = play(match, "0 low,balanced", "1 low,high", "first:low/low", "second:balanced/high")
    assert [side.aside for side in match.state.sides] == ["balanced", "high"]
    assert "high,charge" in match.legal(Seat(0))
    assert all(side.aside == "" for side in dealt().state.sides)


def test_A16_a_match_without_wounds_ends_after_the_last_round() -> None:
    match = play(dealt(field="advanced", rounds=20), "0 2,heaven", "1 6,heaven")
    match = play(match, "start:2,heaven/6,heaven")
    for number in range(20):
        assert match.state.round == number + 1
        second = ("low", "high")[number % 2]
        match = play(match, f"0 retreat,{second}", f"1 retreat,{second}")
        match = play(match, "first:retreat/retreat", f"second:{second}/{second}")
    assert match.outcome == Outcome((), "limit")
    assert match.number == 4 * 20 + 5


def test_A17_a_hand_has_at_least_four_cards() -> None:
    for aside in ("", *BASIC):
        for special in ("", *SPECIALS):
            plans = kiriai.plans(aside, special)
            assert len({CARD[plan.split(",")[0]] for plan in plans}) >= 4


# --- Refusals, with their reasons --------------------------------------------------------------


def refusal(state: State, actor: Actor, step: str) -> str:
    """Return the reason `apply` gives, which is that of `why`; empty if it takes the step."""
    reason = kiriai.why(state, actor, Step(step))
    if not reason:
        kiriai.apply(state, actor, Step(step))
        return ""
    with pytest.raises((IllegalStep, BadNotation)) as caught:
        kiriai.apply(state, actor, Step(step))
    assert str(caught.value) == f"kiriai: {reason}"
    return reason


LATE = position(
    "plan round 5",
    "at 2,earth wounds 0 aside approach|retreat spent kesa plan -",
    "at 4,earth wounds 0 aside high special counter plan -",
)
SHOWING = position(
    "second round 5",
    "at 2,earth wounds 0 aside approach|retreat spent kesa plan high,low",
    "at 4,earth wounds 0 aside high special ? plan low,?",
)


@pytest.mark.parametrize(
    ("state", "actor", "step", "reason"),
    [
        (begin().state, "*", "blue:kesa", "blue has its special after red"),
        (play(begin(), "red:kesa").state, "*", "red:kesa", "red has its special"),
        (play(begin(), "red:kesa").state, "*", "blue:kesa", "there is one kesa, and red has it"),
        (begin().state, "*", "high,low", "high,low does not fit: now a special card is dealt"),
        (begin().state, 0, "high,low", "it is not for seat 0: now a special card is dealt"),
        (
            dealt().state,
            "*",
            "first:low/low",
            "it is not for chance: now each seat plans two cards",
        ),
        (dealt(field="advanced").state, 0, "5,earth", "red starts on 2, 3 or 4, not on 5"),
        (dealt(field="advanced").state, 1, "3,earth", "blue starts on 4, 5 or 6, not on 3"),
        (dealt(field="advanced").state, 0, "0,earth", "red starts on 2, 3 or 4, not on 0"),
        (dealt().state, 0, "high,high", "high and high are the same card; a plan takes two"),
        (
            dealt().state,
            0,
            "charge,stance",
            "charge and stance are the same card; a plan takes two",
        ),
        (dealt().state, 0, "high,counter", "red does not have counter"),
        (dealt().state, 0, "?,?", "the cards of red are known here: say what it chooses"),
        (LATE, 0, "low,retreat", "red's approach|retreat is set aside in this round"),
        (LATE, 0, "kesa,low", "red has spent its kesa"),
        (LATE, 1, "high,low", "blue's high is set aside in this round"),
        (
            play(dealt(), "0 high,low").state,
            0,
            "high,low",
            "red has chosen already, and the choice stands",
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
        (SHOWING, "*", "second:low/high", "blue's high is set aside in this round"),
        (SHOWING, "*", "second:low/kesa", "there is one kesa, and red has it"),
        (SHOWING, "*", "first:high/low", "first:high/low does not fit: now both second cards"),
        (kiriai.view(LATE, RED), 1, "low,stance", "what blue chooses is not known here: it is ?,?"),
        (begin().state, "*", "red:high", "'red:high' is no step of this game"),
        (dealt().state, 0, "High,low", "'High,low' is no step of this game"),
        (dealt().state, 0, "high,?", "'high,?' is no step of this game"),
    ],
)
def test_a_refusal_says_what_is_wrong(state: State, actor: Actor, step: str, reason: str) -> None:
    assert refusal(state, actor, step).startswith(reason)


def test_nothing_is_played_after_the_end() -> None:
    over = play(Match.begin(Setup.of(kiriai), position=DEFEAT_FIRST), "0 stance,counter")
    state = play(over, "1 high,low", "first:stance/high").state
    assert refusal(state, CHANCE, "second:counter/low") == "the match is over"
    assert kiriai.legal(state, CHANCE) == ()


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


STARTS = [f"{space},{stance}" for space in range(10) for stance in ("heaven", "earth")]
ALL_TEXTS = [
    *(f"{name}:{face}" for name in ("red", "blue") for face in FACES),
    *STARTS,
    *(f"start:{one}/{two}" for one in STARTS for two in STARTS),
    *(f"{one},{two}" for one in FACES for two in FACES),
    *(f"{name}:{one}/{two}" for name in ("first", "second") for one in FACES for two in FACES),
]


# --- What each seat sees -----------------------------------------------------------------------


def test_each_step_is_seen_as_the_rules_say() -> None:
    match = play(dealt("kesa", "counter", field="advanced"), "0 2,earth", "1 4,earth")
    match = play(match, "start:2,earth/4,earth", "1 low,counter", "0 high,kesa", "first:high/low")
    shown = ["start:2,earth/4,earth", "first:high/low"]
    for by, steps in (
        (RED, ["red:kesa", "blue:?", "2,earth", "?,?", shown[0], "?,?", "high,kesa", shown[1]]),
        (
            BLUE,
            ["red:?", "blue:counter", "?,?", "4,earth", shown[0], "low,counter", "?,?", shown[1]],
        ),
        (SPECTATOR, ["red:?", "blue:?", "?,?", "?,?", shown[0], "?,?", "?,?", shown[1]]),
        (RED | BLUE, [one.step for one in match.steps()]),
    ):
        assert [one.step for one in match.seen_by(by).steps()] == steps


def test_a_special_stays_hidden_until_it_is_spent_and_after_the_end() -> None:
    match = play(dealt(), *ROUND_1, "0 charge,kesa", "1 low,balanced", "first:charge/low")
    blue = kiriai.view(match.state, BLUE).sides
    assert [side.special for side in blue] == ["?", "counter"]
    after = kiriai.view(play(match, "second:kesa/balanced").state, SPECTATOR).sides
    assert [(side.special, side.spent) for side in after] == [("kesa", True), ("?", False)]


def test_what_depends_on_a_hole_has_no_answer() -> None:
    with pytest.raises(Hidden):
        kiriai.legal(kiriai.view(dealt().state, RED), Seat(1))
    for by in (BLUE, SPECTATOR):
        dealing = kiriai.view(play(begin(), "red:kesa").state, by)
        with pytest.raises(Hidden):
            kiriai.legal(dealing, CHANCE)
        with pytest.raises(Hidden):
            kiriai.odds(dealing)
    planned = play(dealt(), "0 high,low", "1 low,high")
    started = play(dealt(field="advanced"), "0 2,earth", "1 4,earth")
    for match in (planned, play(planned, "first:high/low"), started):
        for by in (RED, BLUE, SPECTATOR):
            with pytest.raises(Hidden):
                kiriai.odds(kiriai.view(match.state, by))
        assert kiriai.odds(kiriai.view(match.state, RED | BLUE)) == {match.legal(CHANCE)[0]: 1}


def test_starts_and_hands_that_all_can_see_are_listed_on_any_view() -> None:
    advanced = kiriai.view(dealt(field="advanced").state, SPECTATOR)
    assert len(kiriai.legal(advanced, Seat(1))) == 6
    assert len(kiriai.legal(kiriai.view(LATE, SPECTATOR), Seat(0))) == 18


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("start:2,earth/4,heaven", ""),
        ("start:3,earth/4,heaven", "red has chosen 2,earth"),
        ("start:2,earth/3,heaven", "blue starts on 4, 5 or 6"),
    ],
)
def test_a_view_takes_a_start_that_can_be(step: str, reason: str) -> None:
    match = play(dealt(field="advanced"), "0 2,earth", "1 4,earth")
    said = refusal(kiriai.view(match.state, RED), CHANCE, step)
    assert said.startswith(reason) if reason else said == ""


def test_a_view_takes_a_special_only_where_it_can_be() -> None:
    match = play(dealt(), "0 high,low", "1 low,high")
    nobody = kiriai.view(match.state, SPECTATOR)
    assert refusal(nobody, CHANCE, "first:kesa/counter") == ""
    assert "not on both sides" in refusal(nobody, CHANCE, "first:kesa/kesa")
    assert "red has it" in refusal(kiriai.view(match.state, RED), CHANCE, "first:high/kesa")
    first = kiriai.apply(nobody, CHANCE, Step("first:kesa/low"))
    assert refusal(first, CHANCE, "second:high/kesa") == "there is one kesa, and red has it"
    assert refusal(first, CHANCE, "second:counter/high") == "red has spent its kesa"
    assert refusal(first, CHANCE, "second:high/zantetsu") == ""


def behind(view: State) -> Iterator[State]:
    """Yield every complete position that this view can be a view of, with pending choices."""
    red, blue = view.sides
    for one in filled(view, red):
        for two in filled(view, blue):
            if one.special != two.special:
                yield State(view.field, view.rounds, view.phase, view.round, (one, two))


def filled(view: State, side: Side) -> Iterator[Side]:
    for special in SPECIALS if side.special == "?" else (side.special,):
        secrets: tuple[str, ...] = (side.secret,)
        if side.secret == "?,?" and view.phase == "unveil":
            secrets = kiriai.STARTS[side is view.sides[1]]
        elif side.secret.endswith("?"):
            shown = side.secret.replace("?", "")  # nothing, or the first card
            held = "" if side.spent and shown.strip(",") not in SPECIALS else special
            plans = kiriai.plans(side.aside, held)
            secrets = tuple(p for p in plans if shown == "," or p.startswith(shown))
        for secret in secrets:
            stand = side.space, side.stance, side.wounds, side.aside
            yield Side(*stand, special, side.spent, secret)


@pytest.mark.parametrize("field", ["standard", "advanced"])
def test_a_view_takes_exactly_what_some_position_behind_it_allows(field: str) -> None:
    setup, looked = Setup.of(kiriai, 2, {"field": field}), Counter[str]()
    for seed in range(12):
        for match in walk(setup, 300 + seed).line():
            phase = match.state.phase
            if phase not in ("unveil", "first", "second") or looked[phase] >= 12:
                continue
            looked[phase] += 1
            for by in (RED, BLUE, SPECTATOR):
                view = kiriai.view(match.state, by)
                taken = {step for step in ALL_TEXTS if not kiriai.why(view, CHANCE, Step(step))}
                assert taken == {kiriai.legal(state, CHANCE)[0] for state in behind(view)}
    assert looked["first"] == looked["second"] == 12


def test_own_secrets_are_never_given_with_holes() -> None:
    secrets: list[tuple[Match, Actor, str, Seats]] = [
        (begin(), CHANCE, "red:?", RED),
        (play(begin(), "red:kesa"), CHANCE, "blue:?", BLUE),
        (dealt(), Seat(0), "?,?", RED),
        (dealt(field="advanced"), Seat(1), "?,?", BLUE),
    ]
    for match, actor, step, by in secrets:
        view = kiriai.view(match.state, by)
        with pytest.raises(IllegalStep):
            kiriai.seen(view, actor, Step(step), by)
        assert kiriai.seen(match.state, actor, match.legal(actor)[0], SPECTATOR) == step
        with pytest.raises(IllegalStep):
            match.seen_by(by).play(actor, Step(step))


def test_a_complete_position_takes_no_secret_plan_while_its_specials_are_held() -> None:
    for match in (dealt(), dealt(field="advanced"), play(dealt(), *ROUND_1)):
        for seat in match.actors:
            assert "say what it chooses" in refusal(match.state, seat, "?,?")


# --- Text and bytes ----------------------------------------------------------------------------

TEXT = """kiriai field=standard rounds=40
phase second round 2
red at 4,heaven wounds 1 aside high special kesa plan charge,kesa
blue at 5,earth wounds 0 aside charge|stance special ? plan low,?"""


def test_the_canonical_text_is_that_of_the_module() -> None:
    match = play(dealt(), *ROUND_1, "0 charge,kesa", "1 low,counter", "first:charge/low")
    assert kiriai.text(kiriai.view(match.state, RED)) == TEXT
    assert kiriai.__doc__ is not None
    assert TEXT.replace("\n", "\n    ") in kiriai.__doc__
    assert kiriai.text(begin(field="advanced", rounds=20).state).splitlines() == [
        "kiriai field=advanced rounds=20",
        "phase deal round 0",
        "red at - wounds 0 aside - special - plan -",
        "blue at - wounds 0 aside - special - plan -",
    ]
    started = play(dealt(field="advanced"), "0 2,earth").state
    assert kiriai.text(started).splitlines()[2] == (
        "red at - wounds 0 aside - special kesa start 2,earth"
    )
    over = kiriai.text(play(match, "second:kesa/counter").state).splitlines()
    assert over[2:] == [
        "red at 4,earth wounds 2 aside high spent kesa plan -",
        "blue at 5,earth wounds 0 aside charge|stance spent counter plan -",
        "over defeat 1",
    ]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("standard", "small", 1),
        ("rounds=40", "rounds=41", 1),
        ("second", "third", 2),
        ("second", "unveil", 2),
        ("round 2", "round 0", 2),
        ("round 2", "round 41", 2),
        ("round 2", "round 02", 2),
        ("at 4,heaven", "at 6,heaven", 3),
        ("at 4,heaven", "at 4,hell", 3),
        ("at 4,heaven", "at -", 3),
        ("wounds 1", "wounds 3", 3),
        ("aside high", "aside kesa", 3),
        ("aside high", "aside -", 3),
        ("aside high", "aside charge|stance", 3),
        ("special kesa", "special -", 3),
        ("special kesa", "special ?", 3),
        ("special kesa", "spent kesa", 3),
        ("special kesa", "special counter", 3),
        ("charge,kesa", "charge,stance", 3),
        ("charge,kesa", "charge,?", 3),
        ("charge,kesa", "kesa,charge", 3),
        ("plan charge", "start charge", 3),
        ("red at", "blue at", 3),
        ("at 5,earth", "at 3,earth", 4),
        ("special ?", "special kesa", 4),
        ("special ?", "spent ?", 4),
        ("low,?", "?,?", 4),
        ("low,?", "stance,?", 4),
        ("low,?", "low,high", 4),
        ("low,?", "-", 4),
        ("wounds 0", "wounds 2", 4),
        ("low,?", "low,?\nover defeat 0", 5),
    ],
)
def test_a_text_that_cannot_be_is_refused_with_its_line(old: str, new: str, line: int) -> None:
    assert kiriai.text(kiriai.parse(TEXT)) == TEXT
    with pytest.raises(BadNotation, match=f"line {line} "):
        kiriai.parse(TEXT.replace(old, new, 1))


@pytest.mark.parametrize(
    ("phase", "red", "blue", "line"),
    [
        ("deal round 0", "at - wounds 0 aside - special - plan -", "kesa", 4),
        ("deal round 0", "at - wounds 0 aside - special - plan -", "?", 4),
        ("deal round 0", "at - wounds 1 aside - special kesa plan -", "-", 3),
        ("deal round 0", "at - wounds 0 aside low special kesa plan -", "-", 3),
        ("deal round 0", "at - wounds 0 aside - spent kesa plan -", "-", 3),
        ("deal round 0", "at 1,heaven wounds 0 aside - special kesa plan -", "-", 3),
        ("deal round 0", "at - wounds 0 aside - special kesa plan ?,?", "-", 3),
        ("start round 0", "at - wounds 0 aside - special - start -", "kesa", 3),
        ("start round 0", "at - wounds 0 aside - special kesa start -", "-", 4),
        ("start round 0", "at - wounds 0 aside - special kesa start -", "kesa", 4),
        ("start round 0", "at - wounds 0 aside - special kesa start 5,earth", "counter", 3),
        ("start round 0", "at - wounds 0 aside - special kesa start ?,?", "counter", 3),
        ("unveil round 0", "at - wounds 0 aside - special kesa start 3,earth", "counter", 4),
        ("plan round 1", "at 1,heaven wounds 0 aside low special kesa plan -", "counter", 3),
        ("plan round 2", "at 1,heaven wounds 0 aside - special kesa plan -", "counter", 3),
        ("plan round 1", "at 1,heaven wounds 0 aside - special kesa plan -", "kesa", 4),
        ("plan round 1", "at 6,heaven wounds 0 aside - special kesa plan -", "counter", 4),
        ("first round 1", "at 1,heaven wounds 0 aside - special kesa plan high,low", "counter", 4),
        ("plan round 1", "at 1,heaven wounds 2 aside - special kesa plan -", "counter", 4),
        ("over round 1", "at 1,heaven wounds 1 aside - special kesa plan -", "counter", 4),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_line(
    phase: str, red: str, blue: str, line: int
) -> None:
    at = "-" if phase.endswith("0") else "5,heaven"
    choice = "start" if "start" in red else "plan"
    other = f"at {at} wounds 0 aside {'low' if '2' in phase else '-'} special {blue} {choice} -"
    with pytest.raises(BadNotation, match=f"line {line} "):
        position(phase, red, other, field="advanced")


def test_two_samurai_cannot_fall_together() -> None:
    sides = [
        f"at {space},heaven wounds 2 aside low special {card} plan -"
        for space, card in ((1, "kesa"), (5, "counter"))
    ]
    with pytest.raises(BadNotation, match="only one samurai can fall"):
        position("over round 20", sides[0], sides[1], rounds=20)


def test_what_is_short_or_no_text_at_all_is_refused() -> None:
    for said in ("", "\n\n", "kiriai", TEXT.splitlines()[0], "\n".join(TEXT.splitlines()[:3])):
        with pytest.raises(BadNotation):
            kiriai.parse(said)


def test_packed_sides_that_cannot_be_are_refused() -> None:
    packed = kiriai.pack(kiriai.parse(TEXT))
    assert isinstance(packed, tuple)
    red, blue = packed[4], packed[5]
    assert isinstance(red, tuple)
    for number, wrong in enumerate((6, "hell", 2, "", "zen", 2, "high")):
        side = (*red[:number], wrong, *red[number + 1 :])
        with pytest.raises(BadData):
            kiriai.unpack((*packed[:4], side, blue))


# --- Random matches ----------------------------------------------------------------------------


SETUPS = list(setups(kiriai))
NAMES = [f"{setup.options['field']}-{setup.options['rounds']}" for setup in SETUPS]


def mirrored(match: Match) -> Match:
    """Play the same match with the seats exchanged."""
    spaces = kiriai.SPACES[match.state.field]
    turned: list[tuple[Actor, str]] = []
    for one in match.steps():
        name, _, rest = one.step.rpartition(":")
        if one.actor != CHANCE:
            turned.append((Seat(1 - one.actor), _turned(rest, spaces)))
        elif name in kiriai.NAMES:  # red's comes first here, too
            turned.insert(0, (CHANCE, f"{'blue' if name == 'red' else 'red'}:{rest}"))
        else:
            red, blue = rest.split("/")
            turned.append((CHANCE, f"{name}:{_turned(blue, spaces)}/{_turned(red, spaces)}"))
    other = Match.begin(match.setup)
    for actor, step in turned:
        other = other.play(actor, Step(step))
    return other


def _turned(part: str, spaces: int) -> str:
    return f"{spaces + 1 - int(part[0])}{part[1:]}" if part[0].isdigit() else part


@pytest.mark.parametrize("setup", SETUPS, ids=NAMES)
def test_the_game_is_the_same_from_both_sides(setup: Setup) -> None:
    spaces = kiriai.SPACES[str(setup.options["field"])]
    for seed in range(5):
        match = walk(setup, 100 + seed)
        other = mirrored(match)
        sides = [
            Side(spaces + 1 - s.space, s.stance, s.wounds, s.aside, s.special, s.spent, s.secret)
            for s in reversed(match.state.sides)
        ]
        assert other.state == State(
            match.state.field, match.state.rounds, "over", match.state.round, (sides[0], sides[1])
        )


@pytest.mark.parametrize("setup", SETUPS, ids=NAMES)
def test_random_matches_keep_cards_and_samurai_together(setup: Setup) -> None:
    rounds = int(setup.options["rounds"])
    for seed in range(150):
        match = walk(setup, 200 + seed)
        assert match.number <= 4 * rounds + 5
        for before, after in pairwise(match.line()):
            _check(before.state, after.state)


def _check(before: State, after: State) -> None:
    red, blue = after.sides
    assert red.space <= blue.space
    assert red.special != blue.special or red.special == ""
    assert sum(s.wounds for s in after.sides) - sum(s.wounds for s in before.sides) in (0, 1)
    assert kiriai.unpack(kiriai.pack(after)) == after
    assert kiriai.parse(kiriai.text(after)) == after
    for old, new in zip(before.sides, after.sides, strict=True):
        assert new.spent >= old.spent
        assert old.special in ("", new.special)
        assert abs(new.space - old.space) <= 2 or before.phase in UNPLACED
        if before.phase == "second" and after.phase == "plan":
            second = old.secret.split(",")[1]
            assert new.aside == ("" if second in SPECIALS else CARD[second])
        elif before.phase not in UNPLACED and after.phase != "over":
            assert new.aside == old.aside


def test_equal_positions_reached_in_another_order_have_equal_bytes() -> None:
    one = play(dealt(), "0 high,low", "1 low,high").state
    other = play(dealt(), "1 low,high", "0 high,low").state
    assert encode(kiriai.pack(one)) == encode(kiriai.pack(other))
