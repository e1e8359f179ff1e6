"""Kuzushi: the facts of its rules, texts and bytes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from kumite.core.errors import BadNotation
from kumite.core.games.kuzushi import rules as kuzushi
from tests.support.kuzushi_positions import (
    E3,
    at,
    begin,
    lines,
    played_in,
)

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
