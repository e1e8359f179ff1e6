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
    FREE,
    KUMO,
    LINES,
    SIZE,
    State,
    is_over,
    lone,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from core.bots import Budget, Choice, Line, Position
    from core.game import Step

SIMULATIONS: Final = {"medium": 1000, "strong": 9000}
MIXES: Final = False
TEAMS: Final = True
PASSES: Final = 6

PRISONER: Final = 3.0
ABLE_ONE: Final = 0.5  # a Kumotori that can act
WAITING: Final = 0.2  # one on the board of its player
NEED: Final = 1.0  # an action that a win is nearer
FAR: Final = 20  # actions; no side counts as further from a win
OBSTACLE: Final = 1.0  # actions that it takes to move somebody out of the lane


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
        return worth(state, side) - worth(state, 1 - side)


def worth(state: State, side: int) -> float:
    """Return what a side has: Kumotori able to act, prisoners, and how near it is to a win."""
    return (
        ABLE_ONE * sum(state.arena.translate(ABLE[side]))
        + WAITING * sum(state.boards[side::2])
        + PRISONER * state.prisons[side]
        - NEED * need(state.arena, state.stone, side)
    )


def need(arena: bytes, stone: int, side: int) -> float:
    """Return how many actions about a side needs to push the stone out, turnings not counted.

    The edge does not matter, as the arena turns. A pair has to come behind the stone, as kumo.
    """
    able = ABLE[side]
    kumo_ = lone(side, KUMO)
    ready = [
        (square // SIZE, square % SIZE, arena[square] != kumo_)
        for square in compress(ALL, arena.translate(able))
    ]
    if len(ready) < 2:
        return FAR
    x, y = divmod(stone, SIZE)
    least = float(FAR)
    for line, (dx, dy) in zip(LINES[stone], WAYS, strict=True):
        a, b = x - dx, y - dy
        if not (0 <= a < SIZE and 0 <= b < SIZE):
            continue
        lane = len(line) + 1 + OBSTACLE * sum(arena[square] != FREE for square in line)
        first, second = sorted(abs(i - a) + abs(j - b) + change for i, j, change in ready)[:2]
        walk = first + max(0, second - 1)
        if lane + walk < least:
            least = lane + walk
    return least


WAYS: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))  # of LINES: west, south, north, east


def easy(position: Position, rng: Random) -> Choice:
    """Make the step that looks best at once."""
    return _turns.glance(Rules(), position, rng)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:  # noqa: ARG001
    """Compare whole turns."""
    return _turns.think(Rules(), position, budget, PASSES)
