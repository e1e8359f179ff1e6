"""Kumo Hogosha: lists and `why` go by the same needs, whatever step is tried; and texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from kumite.core.errors import BadNotation
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


def check_listed(state: kumo.State) -> None:
    """Check that of all steps those are legal against which nothing speaks."""
    seat = Seat(state.seat)
    found = sorted(step for step in steps_of(state) if not kumo.why(state, seat, step))
    assert found == list(kumo.legal(state, seat))


@every_setup
def test_of_all_steps_those_are_legal_against_which_nothing_speaks(seats: int, block: str) -> None:
    rng, state, kinds = Random(f"all {seats} {block}"), crowded(seats, block), set()
    for number in range(90):
        kinds |= {parse_step(step)[0] for step in kumo.legal(state, Seat(state.seat))}
        if number % 15 == 0:
            check_listed(state)
        state = play(state, lively(state, rng))
        if kumo.outcome(state):
            state = crowded(seats, block)
    assert kinds >= {"cw", "place", "change", *TO_ANY, "grab", "throw"}


HARDLY_REACHED = {
    "full prison": at("d1 0grab; e1 1run; b1 0throw", seats=4, prisons="2 0"),
    "last action": at("d1 0grab; e1 1run", used=4, turned="no no"),
    "last of all": at("d1 0grab; e1 1run", used=7, turned="no no", prisons="3 0"),
    "longest jump": at("a1 0jump; b1 0run; c1 0run; d1 0run; e1 1run; f1 1run; g1 1run; h1 1run"),
}


@pytest.mark.parametrize("state", HARDLY_REACHED.values(), ids=HARDLY_REACHED)
def test_what_random_steps_hardly_reach_is_listed_so_too(state: kumo.State) -> None:
    check_listed(state)


def test_step_texts_round_trip() -> None:
    for state in (crowded(2, "turn"), crowded(4, "hold")):
        for step in steps_of(state):
            assert step_text(*parse_step(step)) == step


# --- Texts of positions -----------------------------------------------------------------------

GOOD = """kumo seats=4 block=turn limit=200
turn 7 seat 2 used 2
spent 5 3
turned no yes
boards 3 1 0 2
prisons 1 2
stone e5
a2 1kumo
a3 1kumo
e7 0jump"""


def test_the_good_text_is_good() -> None:
    assert kumo.text(kumo.parse(GOOD)) == GOOD
    assert kumo.parse(f"\n{GOOD} \n\n") == kumo.parse(GOOD)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("seats=4", "seats=3", 1),
        ("seats=4", "seats=2", 1),
        ("limit=200", "limit=201", 1),
        ("turn 7", "turn 0", 2),
        ("turn 7", "turn 201", 2),
        ("seat 2", "seat 3", 2),
        ("used 2", "used 4", 2),
        ("spent 5 3", "spent 2 3", 3),
        ("spent 5 3", "spent 0 3", 3),
        ("spent 5 3", "spent 5 6", 3),
        ("turned no yes", "turned no maybe", 4),
        ("boards 3 1 0 2", "boards 3 1 1 2", 5),
        ("boards 3 1 0 2", "boards 4 1 0 2", 5),
        ("boards 3 1 0 2", "boards 3 1 0", 5),
        ("boards 3 1 0 2\nprisons 1 2", "boards 4 1 0 2\nprisons 1 1", 5),
        ("boards 3 1 0 2\nprisons 1 2", "boards 2 1 0 2\nprisons 1 3", 6),
        ("prisons 1 2", "prisons 1 7", 5),
        ("prisons 1 2", "prisons two 2", 6),
        ("stone e5", "stone e10", 7),
        ("stone e5", "stone a2", 8),
        ("a2 1kumo", "a2 1kumo 1kumo", 8),
        ("a2 1kumo", "a2 1kumo 0grab", 8),
        ("a2 1kumo", "a2 2kumo", 8),
        ("a2 1kumo", "z2 1kumo", 8),
        ("a2 1kumo\na3 1kumo", "a3 1kumo\na2 1kumo", 8),
        ("a3 1kumo", "a2 1kumo", 9),
        ("e7 0jump", "e7 0jump\nover limit -", 2),
        ("e7 0jump", "e7 0jump\nover stone 0,2", 11),
        ("e7 0jump", "e7 0jump\nhello", 11),
    ],
)
def test_a_wrong_text_is_refused_naming_the_line(old: str, new: str, line: int) -> None:
    assert old in GOOD
    with pytest.raises(BadNotation, match=f"line {line} "):
        kumo.parse(GOOD.replace(old, new))
