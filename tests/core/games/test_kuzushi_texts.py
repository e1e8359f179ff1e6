"""Kuzushi: the facts of its rules, texts and bytes."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random

import pytest

from kumite.core.errors import BadNotation
from kumite.core.games.kuzushi import rules as kuzushi
from tests.support.kuzushi_positions import (
    E3,
    SEEDS,
    at,
    begin,
    drawn,
    every_setup,
    line,
    lines,
    played_in,
)
from tests.support.naive_kuzushi import Naive

# --- Facts ------------------------------------------------------------------------------------


def test_F1_flags_are_a_function_of_the_bases() -> None:
    for played in lines():
        for _, state in played:
            if kuzushi.outcome(state) is not None:
                continue
            fits = state.grid.window(state.cards)
            for square in kuzushi.squares_of(fits):
                bit = 1 << square
                if square == state.grid.city or any(bases & bit for bases in state.bases):
                    assert not any(flags & bit for flags in state.flags)
                    continue
                counts = [(state.grid.near[square] & bases).bit_count() for bases in state.bases]
                most = max(counts)
                held = [bool(most) and n == most and counts.count(most) == 1 for n in counts]
                assert [bool(flags & bit) for flags in state.flags] == held
            assert not state.cards & ~fits


def test_F2_a_step_adds_cards_of_its_actor_only() -> None:
    returned = 0
    for played in lines():
        for (_, before), (_, after) in pairwise(played):
            for seat in range(len(before.bases)):
                own = [state.bases[seat] | state.flags[seat] for state in (before, after)]
                if seat == before.turn:
                    assert own[0] & ~own[1] == 0
                    assert after.score(seat) >= before.score(seat)
                else:
                    assert own[1] & ~own[0] == 0
                    returned += (own[0] & ~own[1]).bit_count()
    assert returned


def test_F3_the_box_never_shrinks() -> None:
    for played in lines():
        for (_, before), (_, after) in pairwise(played):
            left, right, low, high = before.grid.box(before.cards)
            new_left, new_right, new_low, new_high = after.grid.box(after.cards)
            assert new_left <= left <= right <= new_right
            assert new_low <= low <= high <= new_high


@every_setup
def test_F4_the_order_matters_only_when_cards_are_short(seats: int, board: str) -> None:
    orders = list(permutations(((0, 1), (1, 0), (0, -1), (-1, 0))))
    for seed in SEEDS:
        for order in Random(f"{seats} {board} {seed}").sample(orders, 2):
            naive = Naive(seats, board, order)
            for step, state in line(seats, board, seed)[1:]:
                missing = naive.play(step)
                assert missing == 0 or naive.reason
                if not missing:
                    assert drawn(state)[:-1] == naive.drawn()


def test_F5_the_actor_always_has_a_legal_step() -> None:
    for played in lines():
        for _, state in played[:-1]:
            assert kuzushi.actors(state) == (state.turn,)
            assert state.hand(state.turn) > 0
            assert kuzushi.places(state)


def test_F6_every_step_adds_a_base_so_a_match_ends() -> None:
    for played in lines():
        for number, (_, state) in enumerate(played):
            assert sum(map(int.bit_count, state.bases)) == number
        assert len(played) - 1 <= played[0][1].limit ** 2 - 1


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
