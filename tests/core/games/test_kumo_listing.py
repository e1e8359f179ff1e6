"""Kumo Hogosha: lists, `apply` and `why` go by the same needs, whatever step is tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from kumite.core.errors import IllegalStep
from kumite.core.game import Seat, Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.state import ALL, NEAR, PIECES, PRISON, parse_step, step_text
from tests.support.kumo_positions import at, crowded, every_setup, lively, play

STANCES = range(6)
PLAIN = ("cw", "ccw", "free", "done")
TO_ANY = ("walk", "run", "jump", "block", "push", "pull", "off")


def steps_of(state: kumo.State) -> Iterator[Step]:
    """Yield every text that could be legal, and thousands that are not.

    All squares are tried as goals, from squares without a piece those beside them; a grip's
    piece and goal are within a space too far.
    """
    for kind in PLAIN:
        yield step_text(kind, ())
    for square, stance in product(ALL, STANCES):
        yield step_text("place", (square, stance))
    for square in ALL:
        if not PIECES[state.arena[square]]:
            for kind, goal in product(TO_ANY, NEAR[square]):
                yield step_text(kind, (square, goal))
            continue
        for stance in STANCES:
            yield step_text("change", (square, stance))
        for kind, goal in product(TO_ANY, ALL):
            yield step_text(kind, (square, goal))
        near = {goal for way in NEAR[square] for goal in NEAR[way]} | set(NEAR[square])
        for kind, piece in product(("grab", "throw"), sorted(near)):
            for goal in sorted({PRISON, square, *near, *NEAR[piece]}):
                yield step_text(kind, (square, piece, goal))


def can_apply(state: kumo.State, step: Step) -> bool:
    with suppress(IllegalStep):
        kumo.apply(state, Seat(state.seat), step)
        return True
    return False


@every_setup
def test_of_all_steps_those_are_legal_against_which_nothing_speaks(seats: int, block: str) -> None:
    rng, state, kinds = Random(f"all {seats} {block}"), crowded(seats, block), set()
    for number in range(90):
        seat, legal = Seat(state.seat), kumo.legal(state, Seat(state.seat))
        kinds |= {parse_step(step)[0] for step in legal}
        if number % 15 == 0:
            found = sorted(step for step in steps_of(state) if not kumo.why(state, seat, step))
            assert found == list(legal)
        state = play(state, lively(state, rng))
        if kumo.outcome(state):
            state = crowded(seats, block)
    assert kinds >= {"cw", "place", "change", *TO_ANY, "grab", "throw"}


@every_setup
def test_apply_takes_the_same_steps_whether_they_were_listed_before_or_not(
    seats: int, block: str
) -> None:
    rng, state = Random(f"apply {seats} {block}"), crowded(seats, block)
    for number in range(60):
        if number % 20 == 0:
            tried = rng.sample(list(steps_of(state)), 400)
            unlisted = replace(state)  # equal, but nobody listed the steps of this one
            expected = [not kumo.why(state, Seat(state.seat), step) for step in tried]
            assert [can_apply(unlisted, step) for step in tried] == expected
            legal = kumo.legal(state, Seat(state.seat))
            assert [can_apply(state, step) for step in tried] == expected
            for step in legal:
                assert play(unlisted, step) == play(state, step)
        state = play(state, lively(state, rng))
        if kumo.outcome(state):
            state = crowded(seats, block)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(at("d1 0grab; e1 1run; b1 0throw", seats=4, prisons="2 0"), id="full prison"),
        pytest.param(at("d1 0grab; e1 1run", used=4, turned="no no"), id="last action"),
        pytest.param(
            at("d1 0grab; e1 1run", used=7, turned="no no", prisons="3 0"), id="last of all"
        ),
        pytest.param(
            at("a1 0jump; b1 0run; c1 0run; d1 0run; e1 1run; f1 1run; g1 1run; h1 1run"),
            id="longest jump",
        ),
    ],
)
def test_what_random_steps_hardly_reach_is_the_same_to_all_three(state: kumo.State) -> None:
    legal = kumo.legal(state, Seat(state.seat))
    tried = list(steps_of(state))
    assert [step for step in sorted(tried) if not kumo.why(state, Seat(state.seat), step)] == [
        *legal
    ]
    assert {step for step in tried if can_apply(replace(state), step)} == {*legal}


def test_step_texts_round_trip() -> None:
    for state in (crowded(2, "turn"), crowded(4, "hold")):
        for step in steps_of(state):
            assert step_text(*parse_step(step)) == step
