"""What a position of Kumo Hogosha is worth, on arrays: what worth.py says, for a compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.fast import LARGE, REAL, TINY, fast, numbers, zeros
from kumite.core.bots.kumo.kernel import (
    AT,
    BITS,
    BOARDS,
    HAS,
    NEXT,
    NOW,
    OVER,
    PRISONS,
    SEATS,
    TURN,
    USED,
    WON,
    count,
    most_of,
    on,
    seat_of,
)
from kumite.core.bots.kumo.listing import ABLE, MANY, UPPER
from kumite.core.bots.kumo.reach import NONE
from kumite.core.bots.kumo.worth import (
    ACTING,
    AHEAD,
    BOARD,
    ENTRIES,
    FAR,
    FEARS,
    LACKS,
    MOVES,
    OBSTACLES,
    PRISON,
    QUARTERS,
    SPACE,
    SPARE,
    WALKS,
)
from kumite.core.bots.search.turns import WIN
from kumite.core.games.kumo.state import (
    ALL,
    CAMPS,
    KUMO,
    LINES,
    NOBODY,
    SIZE,
)

if TYPE_CHECKING:
    from kumite.core.bots.fast import Floats, Ints

_SEATS: Final = (2, 4)
SQUARES: Final = SIZE * SIZE
LACKED: Final[Floats] = numbers(REAL, LACKS)
FEARED: Final[Floats] = numbers(REAL, FEARS)
AWAY: Final[Ints] = numbers(TINY, [far for row in (*WALKS, *ENTRIES) for far in row])
"""By square, then by camp, the spaces to each square; from a camp one more."""
HOMES: Final[Ints] = numbers(  # by seats and seat
    LARGE, [camp for seats in _SEATS for camp in (*CAMPS[seats], 0, 0)[:4]]
)
QUARTERS_TO: Final[Ints] = numbers(  # by seats, side and direction
    LARGE, [one for seats in _SEATS for quarters in QUARTERS[seats] for one in quarters]
)
PUSHES: Final[Ints] = numbers(LARGE, [1 + len(line) for lines in LINES for line in lines])
WAYS: Final[Ints] = numbers(  # by two squares: the direction from one to the other, 4: none
    TINY,
    [
        next((way for way, line in enumerate(LINES[one]) if other in line), 4)
        for one in ALL
        for other in ALL
    ],
)


# The room to count in is one array, as several would be slow to hand on: by side the squares of
# those who can act, MANY for each, and whether they have to change their stance to be kumo; by side
# how many they are, and by direction how many stand there, seen from the stone.
LATE, SIZES, LANE = 2 * MANY, 4 * MANY, 4 * MANY + 2


def near_of() -> Ints:
    """Return room to count in."""
    room: Ints = zeros(LARGE, 5 * MANY)
    return room


@fast
def by_side(place: Ints, side: int) -> int:
    """Return where tables by seats and side have a side."""
    return count(place, TURN, SEATS) // 4 * 2 + side


# --- Worth ------------------------------------------------------------------------------------


@fast
def value(place: Ints, side: int, near: Ints) -> float:
    """Return how good the position is for a side."""
    over, mover = count(place, NOW, OVER), seat_of(place) & 1
    if over:
        if over != WON:
            return 0.0
        return WIN if mover == side else -WIN
    find_all(place, near)
    worth = MOVES
    worth += worth_of(place, near, mover, mover)
    worth += worth_of(place, near, 1 - mover, mover)
    return worth if side == mover else -worth


@fast
def find_all(place: Ints, near: Ints) -> None:
    """List those who can act, and count who stands in the stone's lanes."""
    stone = SQUARES * count(place, NOW, AT)
    near[SIZES] = near[SIZES + 1] = 0
    for index in range(LANE, LANE + 10):
        near[index] = 0
    for file in range(SIZE):
        left, square = place[file], SIZE * file
        while left:
            byte = left & 31
            upper = UPPER[byte]
            if upper != NOBODY:
                near[LANE + 5 * upper + WAYS[stone + square]] += 1
                if ABLE[byte]:
                    index = MANY * upper + near[SIZES + upper]
                    near[SIZES + upper] += 1
                    near[index], near[LATE + index] = square, int(ABLE[byte] != 1 + KUMO)
            left >>= BITS
            square += 1


@fast
def worth_of(place: Ints, near: Ints, side: int, mover: int) -> float:
    """Return what a side adds to the worth for the mover."""
    able, spaces = near[SIZES + side], 0
    stone = SQUARES * count(place, NOW, AT)
    for index in range(MANY * side, MANY * side + able):
        spaces += AWAY[stone + near[index]]
    waiting = count(place, HAS, BOARDS + side) + count(place, HAS, BOARDS + side + 2)
    least = here = FAR
    if able + min(2, waiting) * (count(place, TURN, SEATS) // 2) >= 2:
        least, here = needs(place, near, side, mover)
    has = ACTING * able - SPACE * spaces
    has += BOARD * waiting + PRISON * count(place, HAS, PRISONS + side)
    if side != mover:
        return FEARED[least] - has
    left = most_of(place, 0) - count(place, NOW, USED)
    return has - LACKED[max(0, here - left)] - AHEAD * here + SPARE * max(0, left - here)


@fast
def needs(place: Ints, near: Ints, side: int, mover: int) -> tuple[int, int]:
    """Return how many actions about a side needs to push the stone out, without and with turns."""
    stone, quarters = count(place, NOW, AT), 4 * by_side(place, mover)
    waiting = count(place, HAS, BOARDS + side) + count(place, HAS, BOARDS + side + 2)
    least = here = FAR
    for way in range(4):
        behind = NEXT[4 * stone + 3 - way]
        if behind < 0:
            continue
        first, second = two_nearest(place, near, side, behind, min(2, waiting))
        actions = PUSHES[4 * stone + way] + first + max(0, second - 1)
        actions += OBSTACLES[0] * near[LANE + 5 * side + way]
        actions += OBSTACLES[1] * near[LANE + 5 * (1 - side) + way]
        if UPPER[on(place, behind)] == 1 - side:
            actions += OBSTACLES[1]
        least = min(least, actions)
        here = min(here, actions + QUARTERS_TO[quarters + way])
    return least, here


@fast
def two_nearest(place: Ints, near: Ints, side: int, goal: int, waiting: int) -> tuple[int, int]:
    """Return how many actions the two nearest of a side are away from a square, as kumo."""
    first = second = NONE
    for index in range(MANY * side, MANY * side + near[SIZES + side]):
        walk = AWAY[SQUARES * near[index] + goal] + near[LATE + index]
        second = min(second, max(first, walk))
        first = min(first, walk)
    seats = count(place, TURN, SEATS)
    for seat in range(side, seats if waiting else side, 2):
        walk = AWAY[SQUARES * (SQUARES + HOMES[(seats & 4) + seat]) + goal]
        second = min(second, walk if waiting == 2 else max(first, walk))
        second = min(second, max(first, walk))
        first = min(first, walk)
    return first, second
