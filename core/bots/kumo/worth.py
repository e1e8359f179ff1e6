"""What a position of Kumo Hogosha is worth: how near each side is to pushing the stone out."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.games.kumo.state import (
    ABLE,
    ALL,
    CAMPS,
    FREE,
    GRAB,
    KUMO,
    LINES,
    NEAR,
    NOBODY,
    ROWS,
    SIZE,
    STONE,
    THROW,
    UPPER,
    State,
    lone,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

Lanes: TypeAlias = tuple[tuple[int, int, slice, int], ...]
"""By lane: the space behind the stone, the direction, the lane, actions if nobody is in the way."""

FAR: Final = 20  # actions; no side counts as further from a win
OBSTACLES: Final = (1, 4)  # actions that it takes until one's own, a foe is out of the lane

# What a thought counts with. A value is about six times the logarithm of the odds of winning, as
# `_turns.score` takes it; but for AHEAD and SPARE, fitted to how matches between bots ended.
ACTING: Final = 1.9  # a Kumotori that can act
SPACE: Final = 0.4  # less for each space that it is away from the stone
BOARD: Final = 0.25  # one on the board of its player
PRISON: Final = 2.1
AHEAD: Final = 0.5  # an action that the mover is nearer to a win
SPARE: Final = 3.0  # one that he has left for a win: nothing else is to tempt him on the way
MOVES: Final = 8.0  # the mover has: else equals would not stand even, whoever moves
LACKS: Final = (0, 6, 10.5, 12.5, 13.8, 15, 16, 16.8, 17.4, *(18 + 0.4 * n for n in range(12)))
"""By actions that the mover lacks to win in this turn: what that costs him."""
FEARS: Final = (
    *(0, 0, 0.9, 2.2, 5.5, 10.2, 12.4, 13.7, 14.6, 15.4, 16.1, 16.7, 17.2),
    *(17.6 + 0.4 * n for n in range(8)),
)
"""By actions that the other needs to win, with some five in his turn: what the mover gains."""

# What a glance counts with.
ABLE_ONE: Final = 0.5  # a Kumotori that can act
CLOSE: Final = 0.05  # less for each space that it is away from the stone
WAITING: Final = 0.2  # one on the board of its player
PRISONER: Final = 3.0
PRESS: Final = 0.25  # one that could grip a foe beside it: he is soon out of the lane
READY: Final = 12.0  # a win in this turn, if nothing prevents it, less the actions it takes


def judge(state: State, side: int) -> float:
    """Return what a position that is not over is worth for a side, as a thought counts.

    It depends most of all on whether the mover can push the stone out in what is left of his turn,
    and on how near the other is to it.
    """
    mover, boards, arena = state.seat & 1, state.boards, state.arena
    seats, left = len(boards), state.most() - state.used
    quarters = QUARTERS[seats][mover]
    value = MOVES
    for one in (mover, 1 - mover):
        waiting = sum(boards[one::2])
        has, lanes = means(arena.translate(OWN_ABLE[one]), one, seats, waiting)
        least, here = needs(arena, lanes, one, quarters)
        has += BOARD * waiting + PRISON * state.prisons[one]
        if one == mover:
            value += has - LACKS[max(0, here - left)] - AHEAD * here + SPARE * max(0, left - here)
        else:
            value += FEARS[least] - has
    return value if side == mover else -value


def glance(state: State, side: int) -> float:
    """Return what a position that is not over is worth for a side, as far as one sees at once."""
    mover, arena = state.seat & 1, state.arena
    quarters = QUARTERS[len(state.boards)][mover]
    value, here = 0.0, FAR
    for one in (1 - mover, mover):
        own = arena.translate(OWN_ABLE[one])
        _, lanes = means(own, one, len(state.boards), 0)
        least, here = needs(arena, lanes, one, quarters)
        value = worth(state, one, able_of(own, one)) - least - value
    if here <= state.most() - state.used:
        value += READY - here
    return value if side == mover else -value


def worth(state: State, side: int, able: Sequence[int]) -> float:
    """Return what a side has: Kumotori able to act and where, prisoners."""
    arena = state.arena
    foes, grips = UPPER_OF[1 - side], GRIPS[side]
    away = WALKS[state.stone]
    place = 0.0
    for square in able:
        place -= CLOSE * away[square]
        if arena[square] in grips and any(arena[near] in foes for near in NEAR[square]):
            place += PRESS
    return (
        ABLE_ONE * len(able)
        + WAITING * sum(state.boards[side::2])
        + PRISONER * state.prisons[side]
        + place
    )


@lru_cache(maxsize=1 << 14)
def means(own: bytes, side: int, seats: int, waiting: int) -> tuple[float, Lanes]:
    """Return what a side's Kumotori that can act are worth, and what they need for each lane.

    `own` has nothing but them and the stone, so that most positions of a search find what others
    have found: a step moves one of them, or none. A pair has to come behind the stone, as kumo.
    """
    stone, able = own.find(STONE), able_of(own, side)
    away = WALKS[stone]
    has = ACTING * len(able) - SPACE * sum([away[square] for square in able])
    ways = walks(own, side, able)
    if waiting:
        ways += [ENTRIES[camp] for camp in CAMPS[seats][side::2]] * min(2, waiting)
    if len(ways) < 2:
        return has, ()
    lanes = []
    for behind, way, lane, pushes in LANES[stone]:
        first, second = sorted([walk[behind] for walk in ways])[:2]
        lanes.append((behind, way, lane, pushes + first + max(0, second - 1)))
    return has, tuple(lanes)


def needs(arena: bytes, lanes: Lanes, side: int, quarters: Sequence[int]) -> tuple[int, int]:
    """Return how many actions about a side needs to push the stone out.

    `quarters` says how often the arena has to be turned until the edge in each direction is one of
    the foe's; the second number includes that.
    """
    costs = arena.translate(COSTS[side])
    least = here = FAR
    for behind, way, lane, ready in lanes:
        actions = ready + sum(costs[lane])
        if costs[behind] == OBSTACLES[1]:
            actions += OBSTACLES[1]
        if actions < least:
            least = actions
        if actions + quarters[way] < here:
            here = actions + quarters[way]
    return least, here


def walks(arena: bytes, side: int, able: Sequence[int]) -> list[bytes]:
    """Return how far those who can act are from each square, in actions, as kumo."""
    kumo_ = lone(side, KUMO)
    return [WALKS[square] if arena[square] == kumo_ else CHANGES[square] for square in able]


def able_of(arena: bytes, side: int) -> list[int]:
    """Return where a side's Kumotori stand that can act."""
    return list(compress(ALL, arena.translate(ABLE[side])))


def _lanes(stone: int) -> tuple[tuple[int, int, slice, int], ...]:
    """Return the ways of pushing: the space behind the stone, direction, the lane, the pushes."""
    found = []
    for way, line in enumerate(LINES[stone]):
        back = LINES[stone][3 - way]  # opposite directions add up to 3
        if back:
            step = -(back[0] - stone)
            end = stone + step * (len(line) + 1)
            lane = slice(stone + step, end if end >= 0 else None, step) if line else slice(0, 0)
            found.append((back[0], way, lane, len(line) + 1))
    return tuple(found)


LANES: Final = tuple(map(_lanes, ALL))
WALKS: Final = tuple(
    bytes(abs(one // SIZE - two // SIZE) + abs(one % SIZE - two % SIZE) for two in ALL)
    for one in ALL
)
"""By two squares: the spaces between them, as a Kumotori walks."""
CHANGES: Final = tuple(bytes(spaces + 1 for spaces in row) for row in WALKS)
"""The same and one: for a Kumotori that has to change its stance too."""
ENTRIES: Final = tuple(
    bytes(1 + min(WALKS[one][two] for one in ALL[ROWS[camp]]) for two in ALL) for camp in range(4)
)
"""By camp and square: the same for one that waits on the board."""
QUARTERS: Final = {2: ((1, 2, 0, 1), (1, 0, 2, 1)), 4: ((0, 1, 1, 0), (1, 0, 0, 1))}
"""By seats and side: quarters by which the edge in each direction is away from one of the foe's."""
GRIPS: Final = tuple({lone(side, GRAB), lone(side, THROW)} for side in (0, 1))
UPPER_OF: Final = tuple({byte for byte, one in enumerate(UPPER) if one == side} for side in (0, 1))
OWN_ABLE: Final = tuple(
    bytes(byte if ABLE[side][byte] or byte == STONE else FREE for byte in range(256))
    for side in (0, 1)
)
"""By side, for bytes.translate: nobody but its Kumotori that can act, and the stone."""
COSTS: Final = tuple(
    bytes(
        OBSTACLES[UPPER[byte] != side] if byte < len(UPPER) and UPPER[byte] < NOBODY else 0
        for byte in range(256)
    )
    for side in (0, 1)
)
