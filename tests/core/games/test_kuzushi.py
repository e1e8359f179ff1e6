"""Kuzushi: the examples and numbers of its rules, its decisions, facts, refusals and texts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kumite.core.errors import BadNotation, BadSetup, IllegalStep
from kumite.core.game import Outcome, Seat, Setup, Step
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import perft
from tests.support.kuzushi_positions import (
    E3,
    at,
    begin,
    drawn,
    every_setup,
    examples,
    legal,
    lines,
    play,
    played_in,
)

LIMITS = {  # N, of the rules' table: by seats and board
    "normal": {2: 6, 3: 7, 4: 8, 5: 9, 6: 10},
    "small": {2: 5, 3: 6, 4: 7, 5: 8, 6: 9},
}


def hands(state: kuzushi.State) -> list[int]:
    return [state.hand(seat) for seat in range(len(state.bases))]


def scores(state: kuzushi.State) -> list[int]:
    return [state.score(seat) for seat in range(len(state.bases))]


def why(state: kuzushi.State, step: str) -> str:
    """Return why a step is refused, having checked that it is, and in these words."""
    reason = kuzushi.why(state, state.turn, Step(step))
    assert step not in legal(state)
    with pytest.raises((IllegalStep, BadNotation)) as caught:
        kuzushi.apply(state, state.turn, Step(step))
    assert str(caught.value) == f"kuzushi: {reason}"
    return reason


def square_of(state: kuzushi.State, name: str) -> int:
    return state.grid.names.index(name)


# --- The worked examples of the rules ---------------------------------------------------------


@pytest.mark.parametrize("name", examples())
def test_worked_examples_of_the_rules(name: str) -> None:
    state = played_in(name)
    about = [one for one in examples()[name][1:] if one[0] not in " 0123456789"]
    diagram = examples()[name][1 : -len(about)]
    assert drawn(state) == diagram
    assert kuzushi.parse(kuzushi.text(state)) == state
    facts = dict(one.split(" ", 1) for one in "; ".join(about).replace(":", "").split("; "))
    illegal = facts.pop("illegal", "").split()
    numbers = {key: [int(part) for part in facts.pop(key).split()] for key in ("hands", "scores")}
    assert numbers == {"hands": hands(state), "scores": scores(state)}
    if "islands" in facts:
        islands = [kuzushi.island(state, seat) for seat in range(len(state.bases))]
        assert [int(part) for part in facts.pop("islands").split()] == islands
    if "legal" in facts:
        assert kuzushi.actors(state) == (int(facts.pop("turn")),)
        assert legal(state) == facts.pop("legal").split()
        assert kuzushi.outcome(state) is None
    else:
        winners = tuple(Seat(int(part)) for part in facts.pop("winners").split())
        assert kuzushi.outcome(state) == Outcome(winners, facts.pop("reason"))
        assert kuzushi.actors(state) == ()
        assert legal(state) == []
    assert not facts
    for step in illegal:
        assert why(state, step)


def test_there_are_all_the_examples() -> None:
    assert list(examples()) == [f"E{number}" for number in range(1, 18)]
    assert len(examples()["E3"][-1].split()) == 1 + 9  # `illegal:` and the nine steps


PERFT = """
2 normal 4 32 448 7064 127984
2 small  4 32 416 5432 73624
3 normal 4 32 388 6472 120932
3 small  4 32 388 6152 102436
4 normal 4 32 388 5988 116528
4 small  4 32 388 5924 110984
5 normal 4 32 388 5988 110544
5 small  4 32 388 5988 109648
6 normal 4 32 388 5988 110672
6 small  4 32 388 5988 110544
"""


@every_setup
def test_step_sequences_up_to_length_5_are_those_of_the_rules(seats: int, board: str) -> None:
    table = {tuple(row.split()[:2]): row.split()[2:] for row in PERFT.strip().split("\n")}
    counts = perft(kuzushi, begin(seats, board), 5)
    assert [str(count) for count in counts] == table[str(seats), board]


# --- Decisions --------------------------------------------------------------------------------


def test_A2_the_city_is_a_card_of_seat_0_but_no_base() -> None:
    state = begin()
    assert scores(state) == [1, 0]
    assert legal(state) == ["e6", "f5", "f7", "g6"]  # no flags lie there
    flagged = played_in("E4")
    assert flagged.flags[1] >> square_of(flagged, "g6") & 1  # beside the city and one base
    assert why(flagged, "f6") == why(flagged, "f6+") == "the city lies on f6 for good"
    assert why(play(state, "f7"), "f6+") == "the city lies on f6 for good"
    assert kuzushi.island(at("0B 0C", corner="e6"), 0) == 2
    assert kuzushi.island(at("0B .", ".  0C", corner="e6"), 0) == 1


def test_A6_any_card_of_any_kind_and_colour_makes_a_square_reachable() -> None:
    state = played_in("E2")
    assert {"d7", "f9", "h7"} <= set(legal(state))  # beside flags of the other seat
    assert {"e6", "g6", "f5"} <= set(legal(state))  # beside the city
    assert why(state, "d6") == "no card lies next to d6"
    assert why(state, "h8") == "no card lies next to h8"  # g7 is only cornerwise


def test_A7_boards_above_the_normal_size_are_not_offered() -> None:
    (option,) = kuzushi.OPTIONS
    assert (option.name, option.default, option.allowed) == ("board", "normal", ("normal", "small"))
    for value in ("large", "7", 6, "", "Normal"):
        with pytest.raises(BadSetup):
            Setup.of(kuzushi, 2, {"board": value})


def test_A8_flags_count_for_the_limit_and_are_not_laid_beyond_it() -> None:
    by_base, by_flag = played_in("E8"), played_in("E9")
    for state, beyond in ((by_base, "j6"), (by_flag, "j7")):
        left, right, _, _ = state.grid.box(state.cards)
        assert right - left + 1 == state.limit
        assert not state.cards >> square_of(state, beyond) & 1
        assert why(state, beyond) == (
            f"with {beyond} the board would be more than 6 squares wide or high"
        )
    assert by_flag.flags[1] >> square_of(by_flag, "i7") & 1  # a flag is the sixth file
    assert why(by_flag, "c6") == "with c6 the board would be more than 6 squares wide or high"


@pytest.mark.parametrize(
    ("in_hand", "laid"),
    [(1, {"d6"}), (2, {"d6", "e5"}), (3, {"d6", "e5", "d4"}), (4, {"d6", "e5", "d4", "c5"})],
)
def test_A9_too_few_cards_are_laid_up_right_down_left(in_hand: int, laid: set[str]) -> None:
    far = [f"{file}{rank}" for rank in (9, 8) for file in "chdefg"]
    far += ["h7", "g7", "f7", "h6", "g6"]
    own = far[: 18 - in_hand]
    start = begin()
    bases = sum(1 << square_of(start, name) for name in own)
    before = kuzushi.State(6, Seat(0), (bases, 0), (1 << square_of(start, "d5"), 0))
    assert before.hand(0) == in_hand
    after = play(before, "d5+")
    new = kuzushi.squares_of(after.flags[0])
    assert {after.grid.names[square] for square in new} == laid
    assert kuzushi.outcome(after) == Outcome((Seat(0),), "cards")


def test_A11_full_goes_before_cards() -> None:
    rows = ("0B 0B 0B 0B 0C", "1B 1B 0B .  0B", "1B 1B 1B 0B 0B")
    state = at(*["0B 0B 0B 0B 0B"] * 2, *rows, board="small", corner="a3")
    assert hands(state) == [1, 14]
    after = play(state, "d4")
    assert hands(after)[0] == 0
    assert kuzushi.outcome(after) == Outcome((Seat(0),), "full")


TIED = (  # a full board: 13 cards each of seats 0 and 1, 10 of seat 2, in one piece
    "1f 1f 0f 2f 2f 2f",
    "1f 0f 1f 2f 2f 2f",
    "0f 1f 0f 0C 2f 2f",
    "1f 0f 1f 0f 2f 2f",
    "0f 1f 0f 1f 0f 1f",
    "1f 0f 1f 0f 0f 1f",
)


def test_A12_ties_go_by_the_island_among_the_tied_seats_only() -> None:
    rows = ("1f 1f 1f 2f 2f 2f", *TIED[1:4], "0f 1f 0f 1f 1f 1f", TIED[5])
    state = at(*rows, seats=3, board="small", corner="c3")
    assert scores(state) == [11, 15, 10]
    assert kuzushi.outcome(state) == Outcome((Seat(1),), "full")
    rows = ("1f 1f 1f 2f 2f 2f", *TIED[1:4], "0f 1f 0f 1f 0f 1f", "0f 0f 1f 0f 0f 1f")
    state = at(*rows, seats=3, board="small", corner="c3")
    assert scores(state) == [13, 13, 10]
    assert [kuzushi.island(state, seat) for seat in range(3)] == [3, 5, 10]
    assert kuzushi.outcome(state) == Outcome((Seat(1),), "full-island")
    state = at(*TIED, seats=3, board="small", corner="c3")
    assert scores(state) == [13, 13, 10]
    assert [kuzushi.island(state, seat) for seat in range(3)] == [3, 3, 10]
    assert kuzushi.outcome(state) == Outcome((Seat(0), Seat(1)), "full-shared")


def test_A13_there_are_no_teams() -> None:
    assert kuzushi.SEATS == (2, 3, 4, 5, 6)
    assert [option.name for option in kuzushi.OPTIONS] == ["board"]
    with pytest.raises(BadSetup, match="no option 'teams'"):
        Setup.of(kuzushi, 4, {"teams": "2"})


def test_A14_the_plus_is_redundant_and_needed() -> None:
    for played in lines():
        for _, state in played:
            squares = [step.rstrip("+") for step in legal(state)]
            assert len(squares) == len(set(squares))
    state = played_in("E3")
    assert "g7+" in legal(state)
    assert "g7" not in legal(state)
    assert "e7" in legal(state)
    assert why(state, "e7+") == "no flag lies on e7"


# --- Refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        ("f7+", "a base of seat 1 lies on f7; bases stay for good"),
        ("e6", "a base of seat 0 lies on e6; bases stay for good"),
        ("f6+", "the city lies on f6 for good"),
        ("d6", "the flag on d6 is seat 0's; only one's own may be turned over"),
        ("d6+", "the flag on d6 is seat 0's; only one's own may be turned over"),
        ("g7", "your own flag lies on g7: turn it over with g7+"),
        ("h8", "no card lies next to h8"),
        ("e7+", "no flag lies on e7"),
        ("j7", "with j7 the board would be more than 6 squares wide or high"),
        ("e3", "no card lies next to e3"),
        ("f07", "f07 is no square from a1 to k11, with + to turn a flag over"),
        ("l6", "l6 is no square from a1 to k11, with + to turn a flag over"),
        ("f12", "f12 is no square from a1 to k11, with + to turn a flag over"),
        ("F8", "F8 is no square from a1 to k11, with + to turn a flag over"),
        ("f8++", "f8++ is no square from a1 to k11, with + to turn a flag over"),
        ("", " is no square from a1 to k11, with + to turn a flag over"),
    ],
)
def test_a_refusal_says_what_the_rules_forbid(step: str, reason: str) -> None:
    state = played_in("E3")
    assert why(state, step) == reason
    is_square = " is no square" not in reason
    with pytest.raises(IllegalStep if is_square else BadNotation):
        kuzushi.apply(state, Seat(1), Step(step))


def test_a_seat_that_is_not_to_act_is_told_whose_turn_it_is() -> None:
    state = played_in("E3")
    for seat in (0, 2, -1, 99):
        assert kuzushi.why(state, Seat(seat), Step("d7")) == "it is the turn of seat 1"
        with pytest.raises(IllegalStep, match="turn of seat 1"):
            kuzushi.apply(state, Seat(seat), Step("d7"))
    with pytest.raises(IllegalStep, match="turn of seat 1"):
        kuzushi.apply(state, "*", Step("d7"))


# --- Facts ------------------------------------------------------------------------------------


def test_F1_flags_are_a_function_of_the_bases() -> None:
    for played in lines():
        for _, state in played:
            if kuzushi.outcome(state) is not None:
                continue
            for square in kuzushi.squares_of(state.grid.window(state.cards)):
                counts = [(state.grid.near[square] & bases).bit_count() for bases in state.bases]
                is_base = square == state.grid.city or any(b >> square & 1 for b in state.bases)
                most = max(counts) if counts.count(max(counts)) == 1 and not is_base else -1
                held = [n == most > 0 for n in counts]
                assert [bool(flags >> square & 1) for flags in state.flags] == held


def test_F2_F3_F5_F6_what_each_step_of_a_match_leaves_as_it_is() -> None:
    """Others' cards only go, the box only grows, a base is added, and there is a step to make."""
    returned = 0
    for played in lines():
        for (_, before), (_, after) in pairwise(played):
            for seat in range(len(before.bases)):
                own = [state.bases[seat] | state.flags[seat] for state in (before, after)]
                new, gone = own[1] & ~own[0], own[0] & ~own[1]
                assert not (gone if seat == before.turn else new)
                returned += gone.bit_count()
            assert after.grid.box(before.cards | after.cards) == after.grid.box(after.cards)
            assert sum(map(int.bit_count, after.bases)) == sum(map(int.bit_count, before.bases)) + 1
            assert kuzushi.places(before)
    assert returned


# --- Text and bytes ---------------------------------------------------------------------------


def test_the_text_of_a_position_is_that_of_the_rules_with_two_lines_above() -> None:
    assert kuzushi.text(played_in("E3")) == E3
    assert kuzushi.text(begin(6, "small")) == "kuzushi seats=6 board=small\nseat 1\n 9 0C\n    i"
    assert kuzushi.text(played_in("E15")).split("\n")[-1] == "over full-shared 0,1"


def test_spaces_at_line_ends_and_empty_lines_around_do_not_count() -> None:
    state = played_in("E3")
    assert kuzushi.parse("\n" + E3.replace("\n", "  \r\n") + "\n\n") == state


@pytest.mark.parametrize(
    ("line", "old", "new"),
    [
        (1, "kuzushi", "kitsu"),
        (1, "kuzushi seats=2 board=normal", ""),
        (1, "seats=2", "seats=7"),
        (1, "board=normal", "board=large"),
        (2, "seat 1", "seat 2"),
        (2, "seat 1", "turn 1"),
        (4, " 8 ", " 9 "),
        (3, "1f", "2f"),
        (4, "1B", "1b"),
        (4, "1B", "11B"),
        (5, "0C", "0B"),
        (5, "0C", " ."),
        (6, " 5 ", " 5"),
        (6, "0f  .  .", "0f  .  . ."),
        (6, "5  .", "5 0C"),
        (7, "    d", "   d"),
        (8, "g", "g\nover full 0"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_its_line(line: int, old: str, new: str) -> None:
    first, rest = E3[: E3.index(old)], E3[E3.index(old) + len(old) :]
    with pytest.raises(BadNotation, match=rf"^kuzushi: line {line} of the position"):
        kuzushi.parse(first + new + rest)


@pytest.mark.parametrize("text", ["", "\n", "kuzushi", "nonsense", "\ud800", E3[:28], E3[:35]])
def test_what_is_cut_short_is_no_position(text: str) -> None:
    with pytest.raises(BadNotation, match=r"^kuzushi: line [123] of the position"):
        kuzushi.parse(text)


@pytest.mark.parametrize(
    "state",
    [
        at("0B 0B 0B 0C 0B 0B 0B", corner="c6"),  # seven wide
        at(*["0B"] * 3, "0C", *["0B"] * 3, corner="f3"),  # seven high
        at(*["0B 0B 0B 0B 0B"] * 4, "0C . . . ."),  # twenty cards
    ],
    ids=["wide", "high", "many"],
)
def test_cards_that_cannot_lie_so_are_refused(state: kuzushi.State) -> None:
    with pytest.raises(BadNotation, match="these cards cannot lie so"):
        kuzushi.parse(kuzushi.text(state))
