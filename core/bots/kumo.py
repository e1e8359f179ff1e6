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
    EAST,
    KUMO,
    NORTH,
    SIZE,
    SOUTH,
    WEST,
    State,
    is_over,
    lone,
    own_edges,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from core.bots import Budget, Choice, Line, Position
    from core.game import Step

SIMULATIONS: Final = {"medium": 1200, "strong": 9000}
PASSES: Final = 6

PRISONER: Final = 4.0
ABLE_ONE: Final = 1.0  # a Kumotori that can act
WAITING: Final = 0.3  # one on the board of its player
ENGINE: Final = 1.2  # a kumo, for each step that it is nearer to the stone than FAR
PAIR: Final = 3.0  # two kumo side by side, the stone beside one of them
ROAD: Final = 0.8  # a step that the stone is nearer to the foe's edge
FAR: Final = 4

_IS_KUMO: Final = tuple(bytes(b == lone(side, KUMO) for b in range(256)) for side in (0, 1))


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
    """Return what a side has: Kumotori able to act, prisoners, kumo near the stone, a road."""
    arena, stone = state.arena, state.stone
    x, y = divmod(stone, SIZE)
    kumos = list(compress(ALL, arena.translate(_IS_KUMO[side])))
    gaps = sorted(abs(k // SIZE - x) + abs(k % SIZE - y) for k in kumos)
    engine = sum(FAR - gap for gap in gaps[:2] if gap < FAR) * ENGINE
    if any(g == 1 for g in gaps[:1]) and _is_pair(kumos, x, y):
        engine += PAIR
    return (
        ABLE_ONE * sum(arena.translate(ABLE[side]))
        + WAITING * sum(state.boards[side::2])
        + PRISONER * state.prisons[side]
        + engine
        + ROAD * (SIZE // 2 - _road(state, side, x, y)) * (len(kumos) >= 2)
    )


def _is_pair(kumos: Sequence[int], x: int, y: int) -> bool:
    """Tell whether a kumo beside the stone has another one beside it."""
    for leader in kumos:
        a, b = divmod(leader, SIZE)
        if abs(a - x) + abs(b - y) == 1:
            for other in kumos:
                if abs(other // SIZE - a) + abs(other % SIZE - b) == 1:
                    return True
    return False


def _road(state: State, side: int, x: int, y: int) -> int:
    """Return how many spaces lie between the stone and the foe's nearest edge as things stand."""
    far = {WEST: x, SOUTH: y, NORTH: SIZE - 1 - y, EAST: SIZE - 1 - x}
    return min(far[edge] for edge in own_edges(len(state.boards), 1 - side))


def easy(position: Position, rng: Random) -> Choice:
    """Make the step that looks best at once."""
    return _turns.glance(Rules(), position, rng)


def think(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:  # noqa: ARG001
    """Compare whole turns."""
    return _turns.think(Rules(), position, budget, PASSES)
