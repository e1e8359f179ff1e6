"""How near a win is, on arrays: what worth.py and reach.py say, once more for a compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.fast import LARGE, REAL, TINY, fast, numbers, zeros
from kumite.core.bots.kumo import reach
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
from kumite.core.bots.kumo.worth import (
    ACTING,
    AHEAD,
    BOARD,
    ENTRIES,
    FAR,
    FEARS,
    LACKS,
    LANES,
    MOVES,
    OBSTACLES,
    PRISON,
    QUARTERS,
    SPACE,
    SPARE,
    WALKS,
)
from kumite.core.bots.search.turns import WIN
from kumite.core.bots.search.ways import OUT
from kumite.core.games.kumo.state import (
    ALL,
    CAMPS,
    GRAB,
    JUMP,
    KUMO,
    LINES,
    NOBODY,
    PIECES,
    RUN,
    SIZE,
    TEAM_PRISON,
    THROW,
    lone,
)

if TYPE_CHECKING:
    from kumite.core.bots.fast import Floats, Ints

_SEATS: Final = (2, 4)
SQUARES: Final = SIZE * SIZE
NOT: Final = 255  # of who is not of a side
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
IS_EDGE: Final[Ints] = numbers(LARGE, [not all(lines) for lines in LINES])
_STANCES: Final = (KUMO, JUMP, RUN, GRAB)  # THROW and BLOCK are as far as GRAB
_ROWS: Final = [
    row
    for throws in (False, True)
    for row in (
        *[
            reach.rows_of(0, lone(0, stance), square, throws)
            for stance in _STANCES
            for square in ALL
        ],
        *[reach.entry_of(camp, throws) for camp in range(4)],
    )
]
ENTRY: Final = SQUARES * len(_STANCES)  # the row of the first camp
THROWN: Final = ENTRY + 4  # by so many the rows are raised if somebody can be thrown
REACH: Final[Ints] = numbers(
    TINY, [far for row, beside in _ROWS for one in (row, *beside) for far in one]
)
"""Actions by stance and square, and by camp: to each goal, and beside it by direction.

First as they are if nobody stands ready to throw, then (THROWN rows on) if somebody does.
"""
_OWN: Final = [
    [[stance for owner, stance in pieces if owner == side] for pieces in PIECES] for side in (0, 1)
]
STANDS: Final[Ints] = numbers(  # by side and byte: the row of the first square in that stance
    LARGE,
    [
        SQUARES * _STANCES.index(own[0] if own[0] in _STANCES else GRAB) if own else 0
        for by_byte in _OWN
        for own in by_byte
    ],
)
MORE: Final[Ints] = numbers(  # by side and byte: actions beside those of REACH
    LARGE,
    [
        int(len(pieces) == 2 and pieces[0][0] == side) if own else NOT
        for side in (0, 1)
        for pieces, own in zip(PIECES, _OWN[side], strict=True)
    ],
)


LEAST: Final[Ints] = numbers(  # by seats, side and square: pushes and quarters at least from there
    LARGE,
    [
        min((pushes + quarters[way] for _, way, _, pushes in LANES[square]), default=reach.NONE)
        for seats in _SEATS
        for quarters in QUARTERS[seats]
        for square in ALL
    ],
)
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
# how many they are, and by direction how many stand there, seen from the stone; then who could be
# of a pair, as rows of REACH, and what it takes them besides.
LATE, SIZES, LANE, ROW, BESIDES = 2 * MANY, 4 * MANY, 4 * MANY + 2, 5 * MANY, 6 * MANY


def near_of() -> Ints:
    """Return room to count in."""
    room: Ints = zeros(LARGE, 7 * MANY)
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
    first = second = reach.NONE
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


# --- A win in the turn ------------------------------------------------------------------------


@fast
def hope(place: Ints, near: Ints) -> float:
    """Return how many actions the turn's side needs for a win in it, OUT: more than it has left."""
    side = seat_of(place) & 1
    left = most_of(place, 0) - count(place, NOW, USED) + captures(place, side)
    stone, tables = count(place, NOW, AT), SQUARES * by_side(place, side)
    lowest = LEAST[tables + stone]
    for index in range(4 * stone, 4 * stone + 4):
        if NEXT[index] >= 0:
            lowest = min(lowest, 1 + LEAST[tables + NEXT[index]])
    if lowest > left:
        return OUT
    rows = find_pairs(place, near)
    if rows < 2:
        return OUT
    least = straight(place, near, rows, stone, 0, left + 1)
    least = shifted(place, near, rows, least)
    return float(least) if least <= left else OUT


@fast
def find_pairs(place: Ints, near: Ints) -> int:
    """List the rows of those who could be of a pair; return how many there are."""
    seat = seat_of(place)
    side, rows = seat & 1, 0
    thrower, throws = 1 + 6 * side + THROW, 0
    for file in range(SIZE):
        left, square = place[file], SIZE * file
        while left:
            throws |= int(left & 31 == thrower)
            one = len(PIECES) * side + (left & 31)
            if MORE[one] != NOT:
                near[ROW + rows], near[BESIDES + rows] = square + STANDS[one], MORE[one]
                rows += 1
            left >>= BITS
            square += 1
    if count(place, HAS, BOARDS + seat) or count(place, HAS, PRISONS + 1 - side):
        for _ in range(2):
            near[ROW + rows] = ENTRY + HOMES[(count(place, TURN, SEATS) & 4) + seat]
            near[BESIDES + rows] = 0
            rows += 1
    for index in range(ROW, ROW + throws * rows):
        near[index] += THROWN
    return rows


@fast
def straight(place: Ints, near: Ints, rows: int, stone: int, moved: int, least: int) -> int:
    """Return the actions of a way that pushes the stone from here straight out, if it is less."""
    side = seat_of(place) & 1
    quarters = 4 * by_side(place, side)
    for way in range(4):
        behind = NEXT[4 * stone + 3 - way]
        need = PUSHES[4 * stone + way] + QUARTERS_TO[quarters + way]
        if behind < 0 or need >= least:
            continue
        own, square = 0, NEXT[4 * stone + way]
        while square >= 0:
            upper = UPPER[on(place, square)]
            need += int(upper == 1 - side)
            own += int(upper == side)
            square = NEXT[4 * square + way]
        need += max(0, own - 2)
        if moved == 0 and UPPER[on(place, behind)] == 1 - side:
            need += 1
        if need < least:
            least = min(least, need + max(0, pair(near, rows, behind, way) - moved))
    return least


@fast
def shifted(place: Ints, near: Ints, rows: int, least: int) -> int:
    """Return the actions of a way that moves the stone once otherwise before, if it is less."""
    side, stone = seat_of(place) & 1, count(place, NOW, AT)
    for way in range(4):
        behind, front = NEXT[4 * stone + 3 - way], NEXT[4 * stone + way]
        if behind < 0 or front < 0:
            continue
        beyond = LEAST[SQUARES * by_side(place, side) + front]
        if 1 + beyond >= least:
            continue
        then = 1 + min(pair(near, rows, behind, way), pair(near, rows, front, 3 - way))
        if then + beyond < least:
            then += straight(place, near, rows, front, reach.MOVED, least - then)
            least = min(least, then)
    return least


@fast
def pair(near: Ints, rows: int, leads: int, way: int) -> int:
    """Return the actions until a pair stands ready to move the stone from a space that way."""
    lead = lead_next = help_ = help_next = reach.NONE
    leader = helper = -1
    for index in range(rows):
        goal = 5 * SQUARES * near[ROW + index] + leads
        there = near[BESIDES + index] + REACH[goal]
        if there < lead:
            lead, lead_next, leader = there, lead, index
        else:
            lead_next = min(lead_next, there)
        beside = near[BESIDES + index] + REACH[goal + SQUARES * (1 + way)]
        if beside < help_:
            help_, help_next, helper = beside, help_, index
        else:
            help_next = min(help_next, beside)
    if leader != helper:
        return lead + help_
    return min(lead + help_next, lead_next + help_)


@fast
def captures(place: Ints, side: int) -> int:
    """Return how many foes could be taken prisoner at once: each brings its action back."""
    most = reach.PRISON if count(place, TURN, SEATS) == 2 else TEAM_PRISON
    room, ready = most - count(place, HAS, PRISONS + side), 0
    if room <= 0:
        return 0
    for file in range(SIZE):
        left, square = place[file], SIZE * file
        while left:
            stance = (left & 31) - 1 - 6 * side
            if stance in (GRAB, THROW):
                for index in range(4 * square, 4 * square + 4):
                    beside = NEXT[index]
                    if beside >= 0 and IS_EDGE[beside if stance == GRAB else square]:
                        ready += int(UPPER[on(place, beside)] == 1 - side)
            left >>= BITS
            square += 1
    return min(room, ready)
