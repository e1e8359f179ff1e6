"""The moves of a position of Kumo Hogosha on arrays, for a compiler.

They are listed in the order of their texts, and without stances in which there is nobody to grip,
to pin or to jump over: as `KumoGame.legal` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.fast import LARGE, TINY, fast, numbers, zeros
from kumite.core.bots.kumo import kernel
from kumite.core.bots.kumo.kernel import (
    AT,
    BITS,
    BOARDS,
    HAS,
    HOLD,
    NEXT,
    NOW,
    OUT,
    OVER,
    PRISONS,
    SEATS,
    TURN,
    USED,
    count,
    least_of,
    most_of,
    must_turn,
    seat_of,
    way_of,
)
from kumite.core.games.kumo.state import (
    ALL,
    BLOCK,
    CAMPS,
    FIRM,
    GRAB,
    JUMP,
    KUMO,
    LINES,
    NEAR,
    NOBODY,
    PIECES,
    ROWS,
    RUN,
    SIZE,
    STANCES,
    TEAM_PRISON,
    THROW,
    in_ring,
    own_edges,
)
from kumite.core.games.kumo.state import UPPER as UPPERS

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints

MOST: Final = 512  # moves that there can be; six Kumotori have 50 each at most
MANY: Final = 16  # more than the pieces of the arena

_BYTES: Final = range(len(PIECES))
_SEATS: Final = (2, 4)
UPPER: Final[Ints] = numbers(LARGE, UPPERS)  # by byte: the side of the upper one
ABLE: Final[Ints] = numbers(  # by byte: the stance of one who can act and 1, else 0
    LARGE, [1 + PIECES[byte][0][1] if len(PIECES[byte]) == 1 else 0 for byte in _BYTES]
)
STANDS: Final[Ints] = numbers(LARGE, [stance in FIRM for stance in range(len(STANCES))])
ORDER: Final[Ints] = numbers(LARGE, [STANCES.index(one) for one in sorted(STANCES)])
RING: Final[Ints] = numbers(TINY, [in_ring(a, b) for a in (*ALL, OUT) for b in (*ALL, OUT)])
CLOSEST: Final[Ints] = numbers(  # the nine squares of a camp's closest row, by seats and seat
    LARGE, [one for n in _SEATS for camp in CAMPS[n] for one in ALL[ROWS[camp]]]
)
EDGES: Final[Ints] = numbers(  # by seats, side and square: does it lie at an own edge?
    LARGE,
    [
        any(not LINES[square][edge] for edge in own_edges(seats, side))
        for seats in _SEATS
        for side in (0, 1)
        for square in ALL
    ],
)
GATES: Final[Ints] = numbers(  # by seats, side and direction: does a camp of the foe lie there?
    LARGE,
    [way in own_edges(n, 1 - side) for n in _SEATS for side in (0, 1) for way in range(4)],
)
RUNS: Final[Ints] = numbers(  # by square eight times a goal and the two ways there, -1: none
    LARGE,
    [
        part
        for square in ALL
        for found in [sorted({goal for way in NEAR[square] for goal in NEAR[way]} - {square})]
        for goal in (found + [-1] * 8)[:8]
        for ways in [[way for way in NEAR[square] if goal >= 0 and goal in NEAR[way]] or [-1]]
        for part in (goal, ways[0], ways[-1])
    ],
)


OWN: Final = SIZE * SIZE
"""Where the squares of those who can act begin in the room to list moves in.

Before them it has who stands on each square.
"""


def room_of() -> Ints:
    """Return room to list moves in."""
    room: Ints = zeros(LARGE, OWN + MANY)
    return room


@fast
def options(place: Ints, moves: Ints, room: Ints) -> int:
    """List the moves; return how many there are."""
    if count(place, NOW, OVER):
        return 0
    unpack(place, room)
    if count(place, NOW, USED) == 0 and count(place, TURN, HOLD) == 0:
        size = climbings(place, moves, 0, room)
        if size:  # blockers that are due go first
            return size
    number = find_own(room, seat_of(place) & 1)
    if must_turn(place) and count(place, NOW, USED) + 1 >= most_of(place, 0):
        return last_chances(place, moves, room, number)
    size = placings(place, moves, room)
    index = 0
    for file in range(SIZE):  # `block` and others stand behind the squares of their letter
        while index < number and room[OWN + index] < SIZE * (file + 1):
            size = steps(place, moves, size, room, room[OWN + index])
            index += 1
        if file == 1:
            size = blocks(place, moves, size, room, number)
        elif file == 2:
            size = turns(moves, size)
        elif file == 3:
            if count(place, NOW, USED) >= least_of(place) and not must_turn(place):
                size = listed(moves, size, kernel.DONE, 0, 0, 0)
        elif file == 5:
            if count(place, HAS, PRISONS + 1 - (seat_of(place) & 1)):
                size = listed(moves, size, kernel.FREED, 0, 0, 0)
        elif file == 6:
            size = grips(place, moves, size, room, number, GRAB, False)
    size = jumps(moves, size, room, number)
    if count(place, TURN, HOLD):
        size = climbings(place, moves, size, room)
    size = shifts(place, moves, size, room, number, kernel.PULL, False)
    size = shifts(place, moves, size, room, number, kernel.PUSH, False)
    size = runs(moves, size, room, number)
    return grips(place, moves, size, room, number, THROW, False)


@fast
def last_chances(place: Ints, moves: Ints, room: Ints, number: int) -> int:
    """List what can be done by who has to turn the arena in this action: that, to win, to catch."""
    size = turns(moves, 0)
    can_catch = count(place, NOW, USED) + 1 < most_of(place, 1)
    if can_catch:
        size = grips(place, moves, size, room, number, GRAB, True)
    size = shifts(place, moves, size, room, number, kernel.PUSH, True)
    if can_catch:
        size = grips(place, moves, size, room, number, THROW, True)
    return size


@fast
def unpack(place: Ints, room: Ints) -> None:
    """Write who stands on each square."""
    square = 0
    for file in range(SIZE):
        left = place[file]
        for _ in range(SIZE):
            room[square] = left & 31
            left >>= BITS
            square += 1


@fast
def find_own(room: Ints, side: int) -> int:
    """List the squares of a side's Kumotori that can act; return how many there are."""
    number = 0
    for square in range(SIZE * SIZE):
        byte = room[square]
        if byte and ABLE[byte] and UPPER[byte] == side:
            room[OWN + number] = square
            number += 1
    return number


@fast
def listed(moves: Ints, size: int, kind: int, one: int, two: int, three: int) -> int:
    """List a move behind so many others; return how many there are."""
    moves[size] = kind << 21 | one << 14 | two << 7 | three
    return size + 1


@fast
def turns(moves: Ints, size: int) -> int:
    """List the two ways to turn the arena."""
    return listed(moves, listed(moves, size, kernel.CCW, 0, 0, 0), kernel.CW, 0, 0, 0)


# --- By kind ----------------------------------------------------------------------------------


@fast
def placings(place: Ints, moves: Ints, room: Ints) -> int:
    """List the places for one who waits on the board."""
    seat, seats, size = seat_of(place), count(place, TURN, SEATS), 0
    if count(place, HAS, BOARDS + seat) == 0:
        return 0
    row = SIZE * ((seats & 4) // 2 + seat)
    for index in range(row, row + SIZE):
        if room[CLOSEST[index]] == 0:
            size = stances(moves, size, room, kernel.PLACE, CLOSEST[index], -1, seat & 1)
    return size


@fast
def stances(
    moves: Ints, size: int, room: Ints, kind: int, square: int, shown: int, side: int
) -> int:
    """List the stances that are of use on a square, but the one that is shown."""
    is_anybody = is_foe = False
    for index in range(4 * square, 4 * square + 4):
        if NEXT[index] >= 0:
            byte = room[NEXT[index]]
            is_anybody = is_anybody or byte > 0
            is_foe = is_foe or UPPER[byte] == 1 - side
    for index in range(6):
        stance = ORDER[index]
        is_useful = stance in (RUN, KUMO) or (is_anybody if stance == JUMP else is_foe)
        if is_useful and stance != shown:
            size = listed(moves, size, kind, square, stance, 0)
    return size


@fast
def steps(place: Ints, moves: Ints, size: int, room: Ints, square: int) -> int:
    """List the walks and changes of one."""
    shown = ABLE[room[square]] - 1
    if not STANDS[shown]:
        size = goals(moves, size, room, kernel.WALK, square)
    return stances(moves, size, room, kernel.CHANGE, square, shown, seat_of(place) & 1)


@fast
def goals(moves: Ints, size: int, room: Ints, kind: int, square: int) -> int:
    """List the moves to free squares beside one."""
    for index in range(4 * square, 4 * square + 4):
        goal = NEXT[index]
        if goal >= 0 and room[goal] == 0:
            size = listed(moves, size, kind, square, goal, 0)
    return size


@fast
def climbings(place: Ints, moves: Ints, size: int, room: Ints) -> int:
    """List the ways down of blockers."""
    side = seat_of(place) & 1
    for square in range(SIZE * SIZE):
        byte = room[square]
        if byte and ABLE[byte] == 0 and UPPER[byte] == side:
            size = goals(moves, size, room, kernel.OFF, square)
    return size


@fast
def blocks(place: Ints, moves: Ints, size: int, room: Ints, number: int) -> int:
    """List the foes that can be pinned: alone, and outside the ring round the stone."""
    side, stone = seat_of(place) & 1, count(place, NOW, AT)
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] == 1 + BLOCK:
            for index in range(4 * square, 4 * square + 4):
                foe = NEXT[index]
                if foe < 0 or RING[(OUT + 1) * foe + stone]:
                    continue
                if ABLE[room[foe]] and UPPER[room[foe]] == 1 - side:
                    size = listed(moves, size, kernel.BLOCK, square, foe, 0)
    return size


@fast
def grips(
    place: Ints, moves: Ints, size: int, room: Ints, number: int, stance: int, is_last: bool
) -> int:
    """List where grabs or throws bring a piece: a goal beside itself or the thrower, or prison."""
    side, seats = seat_of(place) & 1, count(place, TURN, SEATS)
    is_full = seats == 4 and count(place, HAS, PRISONS + side) >= TEAM_PRISON
    kind, edges = kernel.GRAB + stance - GRAB, SIZE * SIZE * (seats // 4 * 2 + side)
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] != 1 + stance:
            continue
        for index in range(4 * square, 4 * square + 4):
            piece = NEXT[index]
            if piece < 0 or UPPER[room[piece]] == NOBODY:
                continue
            centre = piece if stance == GRAB else square
            for other in range(4 * centre, 4 * centre + 4):
                goal = NEXT[other]
                if goal >= 0 and room[goal] == 0 and not is_last:
                    size = listed(moves, size, kind, square, piece, goal)
            if UPPER[room[piece]] == 1 - side and EDGES[edges + centre] and not is_full:
                size = listed(moves, size, kind, square, piece, OUT)
    return size


@fast
def jumps(moves: Ints, size: int, room: Ints, number: int) -> int:
    """List the jumps over rows of Kumotori."""
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] != 1 + JUMP:
            continue
        for way in range(4):
            goal = NEXT[4 * square + way]
            first = goal
            while goal >= 0 and UPPER[room[goal]] != NOBODY:
                goal = NEXT[4 * goal + way]
            if goal >= 0 and goal != first and room[goal] == 0:
                size = listed(moves, size, kernel.JUMP, square, goal, 0)
    return size


@fast
def runs(moves: Ints, size: int, room: Ints, number: int) -> int:
    """List the runs: two steps over free squares."""
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] != 1 + RUN:
            continue
        for index in range(24 * square, 24 * square + 24, 3):
            goal = RUNS[index]
            if goal < 0 or room[goal] or (room[RUNS[index + 1]] and room[RUNS[index + 2]]):
                continue
            size = listed(moves, size, kernel.RUN, square, goal, 0)
    return size


@fast
def shifts(
    place: Ints, moves: Ints, size: int, room: Ints, number: int, kind: int, is_last: bool
) -> int:
    """List the pushes or pulls; if it is the last chance, those that win."""
    side, stone = seat_of(place) & 1, count(place, NOW, AT)
    gates = 4 * (count(place, TURN, SEATS) // 4 * 2 + side)
    kumo = 1 + 6 * side + KUMO
    for own in range(number):
        leader = room[OWN + own]
        if room[leader] != kumo:
            continue
        for index in range(4 * leader, 4 * leader + 4):
            if NEXT[index] != stone:
                continue
            way = way_of(stone - leader if kind == kernel.PUSH else leader - stone)
            is_out = NEXT[4 * stone + way] < 0
            if is_last if not is_out else not GATES[gates + way]:
                continue
            for other in range(4 * leader, 4 * leader + 4):
                partner = NEXT[other]
                if partner < 0 or room[partner] != kumo:
                    continue
                if can_shift(room, stone, leader, partner, way):
                    size = listed(moves, size, kind, leader, partner, 0)
    return size


@fast
def can_shift(room: Ints, stone: int, leader: int, partner: int, way: int) -> bool:
    """Return whether there is a way for all three, as far as the arena goes."""
    for mover in (stone, leader, partner):
        goal = NEXT[4 * mover + way]
        if goal < 0:
            if mover != stone:
                return False
        elif room[goal] and goal not in (stone, leader, partner):
            return False
    return True
