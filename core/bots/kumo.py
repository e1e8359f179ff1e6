"""How Kumo Hogosha is thought about: whole turns by a beam, compared by the foe's best answers."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Final

from core.bots import _turns
from core.bots._turns import WIN
from core.games import kumo
from core.games._kumo_state import (
    ABLE,
    ALL,
    GRAB,
    KUMO,
    LINES,
    NEAR,
    NOBODY,
    SIZE,
    THROW,
    UPPER,
    State,
    is_over,
    lone,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from core.bots import Budget, Choice, Line, Position
    from core.game import Step

SIMULATIONS: Final = {"medium": 4000, "strong": 20000}
MIXES: Final = False
PASSES: Final = 6

PRISONER: Final = 3.0
ABLE_ONE: Final = 0.5  # a Kumotori that can act
WAITING: Final = 0.2  # one on the board of its player
NEED: Final = 1.0  # an action that a win is nearer
FAR: Final = 20  # actions; no side counts as further from a win
CLOSE: Final = 0.05  # a Kumotori that can act, for each space that it is away from the stone
PRESS: Final = 0.25  # one that could grip a foe beside it: he is soon out of the lane
READY: Final = 12.0  # a win in this turn, if nothing prevents it, less the actions it takes
OBSTACLES: Final = (1.0, 4.0)  # actions that it takes until one's own, a foe is out of the lane


class Rules:
    """The rules as a turn search asks for them."""

    def side(self, state: State) -> int:
        """Return whose side has the turn."""
        return -1 if is_over(state) else state.seat & 1

    def turn(self, state: State) -> object:
        """Return the number of the turn."""
        return state.turn

    def legal(self, state: State) -> Sequence[Step]:
        """List the steps."""
        return kumo.legal(state, kumo.actors(state)[0])

    def after(self, state: State, step: Step) -> State:
        """Return the position after a step."""
        return kumo.apply(state, kumo.actors(state)[0], step)

    def key(self, state: State) -> object:
        """Return the position but for its options."""
        return state.arena, state.boards, state.prisons, state.turn, state.used, state.turned

    def value(self, state: State, side: int) -> float:
        """Return what a side has, against what the other has."""
        outcome = kumo.outcome(state)
        if outcome:
            if not outcome.winners:
                return 0.0
            return WIN if outcome.winners[0] % 2 == side else -WIN
        mover = state.seat & 1
        arena, stone = state.arena, state.stone
        able = [list(compress(ALL, arena.translate(table))) for table in ABLE]
        value = worth(state, mover, able[mover]) - worth(state, 1 - mover, able[1 - mover])
        quarters = QUARTERS[len(state.boards)][mover]
        actions = need(arena, stone, able[mover], mover, quarters)
        if actions <= state.most() - state.used:
            value += READY - actions
        return value if side == mover else -value


def worth(state: State, side: int, able: Sequence[int]) -> float:
    """Return what a side has: Kumotori able to act and where, prisoners, how near a win is."""
    arena, stone = state.arena, state.stone
    x, y = divmod(stone, SIZE)
    foes, grips = UPPER_OF[1 - side], GRIPS[side]
    place = 0.0
    for square in able:
        place -= CLOSE * (abs(square // SIZE - x) + abs(square % SIZE - y))
        if arena[square] in grips and any(arena[near] in foes for near in NEAR[square]):
            place += PRESS
    return (
        ABLE_ONE * len(able)
        + WAITING * sum(state.boards[side::2])
        + PRISONER * state.prisons[side]
        - NEED * need(arena, stone, able, side, ANYWHERE)
        + place
    )


def need(
    arena: bytes, stone: int, able: Sequence[int], side: int, quarters: Sequence[int]
) -> float:
    """Return how many actions about the side of `able` needs to push the stone out.

    A pair has to come behind the stone, as kumo. `quarters` says how often the arena has to be
    turned until the edge in each direction is one of the foe's.
    """
    if len(able) < 2:
        return FAR
    foes = UPPER_OF[1 - side]
    kumo_, costs = lone(side, KUMO), COSTS[side]
    ready = [(square // SIZE, square % SIZE, arena[square] != kumo_) for square in able]
    x, y = divmod(stone, SIZE)
    least = float(FAR)
    for line, (dx, dy), turns in zip(LINES[stone], WAYS, quarters, strict=True):
        a, b = x - dx, y - dy
        if not (0 <= a < SIZE and 0 <= b < SIZE):
            continue
        lane = turns + len(line) + 1.0
        for square in line:
            lane += costs[arena[square]]
        if arena[a * SIZE + b] in foes:
            lane += OBSTACLES[1]
        first, second = sorted(abs(i - a) + abs(j - b) + change for i, j, change in ready)[:2]
        walk = first + max(0, second - 1)
        if lane + walk < least:
            least = lane + walk
    return least


WAYS: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))  # of LINES: west, south, north, east
QUARTERS: Final = {2: ((1, 2, 0, 1), (1, 0, 2, 1)), 4: ((0, 1, 1, 0), (1, 0, 0, 1))}
"""By seats and side: quarters by which the edge in each of WAYS is away from one of the foe's."""
GRIPS: Final = tuple({lone(side, GRAB), lone(side, THROW)} for side in (0, 1))
UPPER_OF: Final = tuple({byte for byte, one in enumerate(UPPER) if one == side} for side in (0, 1))
COSTS: Final = tuple(
    tuple(OBSTACLES[one != side] if one < NOBODY else 0.0 for one in UPPER) for side in (0, 1)
)
ANYWHERE: Final = (0, 0, 0, 0)  # before many turns all edges are alike


def easy(position: Position, rng: Random) -> Choice:
    """Make the step that looks best at once."""
    return _turns.glance(Rules(), position, rng)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Compare whole turns."""
    return _turns.think(Rules(), position, rng, budget, PASSES)
