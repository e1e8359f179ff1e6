"""Kumo Hogosha on arrays plays by the rules, but for stances that are of no use."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from kumite.core.bots.fast import SMALL, zeros
from kumite.core.bots.search.frontier import WIN
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.bot import kernel, value
from kumite.core.games.kumo.state import NEAR, SQUARES, UPPER, State, is_over
from tests.support.kumo_positions import crowded, every_setup, lively
from tests.support.random_matches import walk

KINDS = {"+", "-", "=", "block", "ccw", "cw", "done", "free", "grab", "jump"}
KINDS |= {"off", "pull", "push", "run", "throw", "x"}


def states(seats: int, block: str, seed: int) -> Iterator[State]:
    """Yield the positions of a random match, and of lively ones from a crowd to their ends."""
    setup = Setup.of(find("kumo"), seats, {"block": block, "limit": 40})
    for match in walk(setup, seed, longest=200).line()[::2]:
        yield match.state
    for number in range(8):
        state, rng = crowded(seats, block), Random(f"{seed} {number}")
        for _ in range(70):
            yield state
            if is_over(state):
                break
            state = kumo.apply(state, Seat(state.seat), Step(lively(state, rng)))


def kind_of(step: str) -> str:
    """Return what is done, by its text; `x` is a capture."""
    if step.endswith("-x"):
        return "x"
    verb = step.partition(":")[0]
    return verb if verb in KINDS else "+" if "+" in step else step[2]


@every_setup
def test_moves_on_arrays_are_those_of_the_rules_in_their_order(seats: int, block: str) -> None:
    moves, room, kinds = zeros(SMALL, kernel.MOST), kernel.room_of(), set()
    for state in states(seats, block, 5):
        place = kernel.place_of(state)
        count = kernel.options(place, moves, room)
        steps = [*map(kernel.step_of, moves[:count])]
        assert steps == [*useful(state)], kumo.text(state)
        for move, step in zip(moves, steps, strict=False):
            kind = kind_of(step)
            if kind not in kinds or move % 7 == state.used:
                kinds.add(kind)
                after = list(place)
                kernel.play(after, move)
                assert after == kernel.place_of(kumo.apply(state, Seat(state.seat), step)), step
    assert kinds == KINDS


def useful(state: State) -> Iterator[Step]:
    """Yield the legal steps, but stances with nobody to grip, to pin or to jump over."""
    if is_over(state):
        return
    for step in kumo.legal(state, Seat(state.seat)):
        square, _, stance = step.removeprefix("+").partition("=")
        if stance in ("jump", "grab", "throw", "block"):
            near = [state.arena[one] for one in NEAR[SQUARES.index(square)]]
            foe = 1 - (state.seat & 1)
            if not any(byte if stance == "jump" else UPPER[byte] == foe for byte in near):
                continue
        yield step


@every_setup
def test_values_are_the_same_for_both_sides_but_for_the_sign(seats: int, block: str) -> None:
    room, seen = kernel.room_of(), set()
    for state in states(seats, block, 4):
        place = kernel.place_of(state)
        one, other = (value.value(place, side, room) for side in (0, 1))
        assert one == -other, kumo.text(state)
        if is_over(state):
            assert abs(one) in (0.0, WIN)
        seen.add(one)
    assert len(seen) > 50
