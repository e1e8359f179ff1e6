"""Kumo Hogosha: what always holds, texts and bytes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from kumite.core.errors import BadNotation
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.state import SQUARES, turn_ccw, turn_cw
from tests.support.kumo_positions import crowded, every_setup, legal, lively, play

# --- Invariants -------------------------------------------------------------------------------


def check(state: kumo.State) -> None:
    pieces = [one for name in SQUARES for one in state.on(name)]
    for side in (0, 1):
        on_arena = sum(owner == side for owner, _ in pieces)
        assert on_arena + sum(state.boards[side::2]) + state.prisons[1 - side] == 6
    for name in SQUARES:
        match state.on(name):
            case (below, _), (above, stance):
                assert (below, stance) == (1 - above, "block")
            case standing:
                assert len(standing) < 2
    assert kumo.parse(kumo.text(state)) == state
    if kumo.outcome(state) is None:
        assert state.used < state.most()
        assert legal(state)
        assert state.stone >= 0


def check_change(before: kumo.State, step: str, after: kumo.State) -> None:
    """Check that only what the step names has changed, so far as the rules say so in general."""
    if after.turn != before.turn:
        assert (after.turn, after.used) == (before.turn + 1, 0)
        assert not before.must_turn or step in ("cw", "ccw")
        used = before.used + (step != "done")
        assert before.least <= used <= before.most(captured=step.endswith("-x"))
    else:
        free_of_charge = step == "done" or (step.startswith("off:") and not before.hold)
        assert after.used == before.used + (not free_of_charge)
    if step in ("cw", "ccw"):
        turns = [after]
        for _ in range(3):
            turns.append(_turned(turns[-1], step))
        assert turns[3].arena == before.arena
    elif not step.startswith("pu"):
        named = {step[n : n + 2] for n in range(len(step) - 1)} & set(SQUARES)
        changed = {n for n in SQUARES if before.on(n) != after.on(n)}
        assert changed <= named
        assert after.stone == before.stone


def _turned(state: kumo.State, step: str) -> kumo.State:
    """Return a position with that arena turned once more, whatever the duties."""
    arena = (turn_cw if step == "cw" else turn_ccw)(state.arena)
    return replace(state, arena=arena)


def walk_and_check(seats: int, block: str, count: int) -> set[str]:
    """Play that many lively random steps, checking all; return which kinds of step were made."""
    rng, state, kinds = Random(f"walk {seats} {block}"), crowded(seats, block), set()
    for _ in range(count):
        check(state)
        step = lively(state, rng)
        kinds.add(step.split(":")[0] if ":" in step else step if step.isalpha() else "other")
        after = play(state, step)
        check_change(state, step, after)
        if outcome := kumo.outcome(after):
            check(after)
            kinds.add(outcome.reason)
            after = crowded(seats, block)
        state = after
    return kinds


KINDS = {"cw", "ccw", "run", "jump", "grab", "throw", "block", "push", "pull", "off", "other"}


@every_setup
def test_invariants_hold_in_lively_matches(seats: int, block: str) -> None:
    assert walk_and_check(seats, block, 800) >= KINDS


@pytest.mark.long
@every_setup
def test_invariants_hold_for_20000_steps(seats: int, block: str) -> None:
    assert walk_and_check(seats, block, 20_000) == KINDS | {"free", "done", "stone", "limit"}


# --- Texts and bytes --------------------------------------------------------------------------

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
