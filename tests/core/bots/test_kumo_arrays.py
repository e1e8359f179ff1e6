"""Kumo Hogosha on arrays, for a compiler, run as the plain Python that it is: rules and values."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from kumite.core.bots.fast import SMALL, zeros
from kumite.core.bots.kumo import kernel, listing, near, wins
from kumite.core.bots.kumo.model import GAME
from kumite.core.bots.search.ways import OUT
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import find
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.state import is_over
from tests.support.kumo_positions import crowded, every_setup, lively
from tests.support.random_matches import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.games.kumo.state import State

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
    moves, room, kinds = zeros(SMALL, listing.MOST), listing.room_of(), set()
    for state in states(seats, block, 5):
        place = kernel.place_of(state)
        count = listing.options(place, moves, room)
        steps = [*map(kernel.step_of, moves[:count])]
        assert steps == ([] if is_over(state) else [*GAME.legal(state)]), kumo.text(state)
        for move, step in zip(moves, steps, strict=False):
            kind = kind_of(step)
            if kind not in kinds or move % 7 == state.used:
                kinds.add(kind)
                after = list(place)
                kernel.play(after, move)
                assert after == kernel.place_of(GAME.after(state, step)), step
    assert kinds == KINDS


@every_setup
def test_values_and_hopes_on_arrays_are_those_of_the_game(seats: int, block: str) -> None:
    room, pairs, known = near.near_of(), wins.pairs_of(), [0, 0]
    for state in states(seats, block, 4):
        place = kernel.place_of(state)
        for side in (0, 1):
            assert near.value(place, side, room) == GAME.value(state, side), kumo.text(state)
        if not is_over(state):
            hope = GAME.hope(state)
            assert wins.hope(place, pairs) == (OUT if hope is None else hope), kumo.text(state)
            known[hope is None] += 1
    assert min(known) > 10
