"""Kumo Hogosha on arrays: the rules as used by the search.

A position is an array of WORDS numbers. The first nine are the files of the arena, west to east,
with five bits for each square from the south up, encoded as in games/kumo/state.py. Then follow the
boards and prisons, the state of the turn, and the setup. A move is a number: its kind and up to
three squares, or a stance. Moves are listed in the order of their notation, without stances that
have nobody to grip, pin or jump over.

games/kumo/rules.py is authoritative; tests compare this module to it.
"""

from __future__ import annotations

from typing import Final

from kumite.core.bots.fast import LARGE, TINY, Ints, count, fast, numbers, zeros
from kumite.core.game import Step
from kumite.core.games.kumo import state as kumo
from kumite.core.games.kumo.state import (
    ALL,
    BASIC,
    CAMPS,
    FIRM,
    KUMO,
    LIFTED,
    LINES,
    NEAR,
    NOBODY,
    PIECES,
    PINNED,
    PRISON,
    ROWS,
    SHARE,
    SHARED,
    SIZE,
    STANCES,
    STONE,
    TEAM_PRISON,
    State,
    in_ring,
    is_over,
    own_edges,
    step_text,
)

HAS, NOW, TURN, WORDS = 9, 10, 11, 12  # words, after the files
BOARDS, PRISONS = 0, 4  # bytes of HAS: by seat, by side
# Bytes of NOW: TURNED and SPENT are by side; AT is the stone's square.
USED, TURNED, SPENT, AT, OVER = 0, 1, 3, 5, 6
LIMIT, HOLD, SEATS = 2, 4, 5  # bytes of TURN; the first two are the number of the turn
BITS: Final = 5  # per square
OUT: Final = SIZE * SIZE  # AT when the stone has left, and the goal that means prison
WON, DRAWN = 1, 2  # values of OVER: won by the side to move, or drawn at the limit
KINDS: Final = (
    *("cw", "ccw", "free", "done", "place", "change", "walk", "run", "jump"),
    *("grab", "throw", "block", "push", "pull", "off"),
)
CW, CCW, FREED, DONE, PLACE, CHANGE, WALK, RUN = range(8)
JUMP, GRAB, THROW, BLOCK, PUSH, PULL, OFF = range(8, 15)
SQUARES_OF: Final = (*(0, 0, 0, 0, 2, 2, 2, 2, 2), *(3, 3, 2, 2, 2, 2))  # arguments, by kind
NEXT: Final[Ints] = numbers(  # by square, the adjacent ones west, south, north, east; -1 if none
    LARGE, [line[0] if line else -1 for lines in LINES for line in lines]
)
ALONE: Final[Ints] = numbers(LARGE, LIFTED)  # by byte: the upper Kumotori's, standing alone
MOST: Final = 512  # upper bound of legal moves; six Kumotori have at most 50 each
MANY: Final = 16  # more than the pieces on the arena

_BYTES: Final = range(len(PIECES))
_SEATS: Final = (2, 4)
ALWAYS: Final = (kumo.RUN, KUMO)  # stances that are useful anywhere
UPPER: Final[Ints] = numbers(LARGE, kumo.UPPER)  # by byte: the side of the upper Kumotori
ABLE: Final[Ints] = numbers(  # by byte: one plus the stance if it can act, else 0
    LARGE, [1 + PIECES[byte][0][1] if len(PIECES[byte]) == 1 else 0 for byte in _BYTES]
)
STANDS: Final[Ints] = numbers(LARGE, [stance in FIRM for stance in range(len(STANCES))])
ORDER: Final[Ints] = numbers(LARGE, [STANCES.index(one) for one in sorted(STANCES)])
RING: Final[Ints] = numbers(TINY, [in_ring(a, b) for a in (*ALL, OUT) for b in (*ALL, OUT)])
CLOSEST: Final[Ints] = numbers(  # the nine squares of a camp's closest row, by seats and seat
    LARGE, [one for n in _SEATS for camp in CAMPS[n] for one in ALL[ROWS[camp]]]
)
EDGES: Final[Ints] = numbers(  # by seats, side and square: whether it lies at an own edge
    LARGE,
    [
        any(not LINES[square][edge] for edge in own_edges(seats, side))
        for seats in _SEATS
        for side in (0, 1)
        for square in ALL
    ],
)
GATES: Final[Ints] = numbers(  # by seats, side and direction: whether a camp of the foe lies there
    LARGE, [way in own_edges(n, 1 - side) for n in _SEATS for side in (0, 1) for way in range(4)]
)
RUNS: Final[Ints] = numbers(  # by square, eight times a goal and the two ways there; -1 if none
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
ROOM: Final = 256  # scratch numbers
OWN: Final = SIZE * SIZE
"""Offset in the scratch array of the squares that can act, after the byte of each square."""


def place_of(state: State) -> Ints:
    arena, over = state.arena, 0 if not is_over(state) else DRAWN if state.drawn else WON
    files = [arena[SIZE * file : SIZE * file + SIZE] for file in range(SIZE)]
    boards = (*state.boards, 0, 0)[:4]
    at = state.stone if over != WON else OUT
    now = (state.used, *map(int, state.turned), *state.spent, at, over)
    rules = (int(state.hold), len(state.boards))
    words = [
        *[sum(byte << BITS * rank for rank, byte in enumerate(file)) for file in files],
        *[int.from_bytes(bytes(one), "little") for one in ((*boards, *state.prisons), now)],
        state.turn | state.limit << 16 | rules[0] << 32 | rules[1] << 40,
    ]
    place: Ints = numbers(LARGE, words)
    return place


def step_of(move: int) -> Step:
    kind = move >> 21
    args = [move >> 14 & 127, move >> 7 & 127, move & 127][: SQUARES_OF[kind]]
    return step_text(KINDS[kind], tuple(PRISON if one == OUT else one for one in args))


# --- Numbers ----------------------------------------------------------------------------------


@fast
def put(place: Ints, byte: int, value: int) -> None:
    """Write a byte of NOW."""
    place[NOW] += value - (place[NOW] >> 8 * byte & 255) << 8 * byte


@fast
def on(place: Ints, square: int) -> int:
    return place[square // SIZE] >> BITS * (square % SIZE) & 31


@fast
def stand(place: Ints, square: int, byte: int) -> None:
    shift = BITS * (square % SIZE)
    place[square // SIZE] += byte - (place[square // SIZE] >> shift & 31) << shift


@fast
def turn_of(place: Ints) -> int:
    """Return the turn number, or 0 at the end."""
    return 0 if count(place, NOW, OVER) else place[TURN] & 0xFFFF


@fast
def seat_of(place: Ints) -> int:
    """Return the seat to move; at the end, the seat that moved last."""
    return (place[TURN] & 0xFFFF) - 1 & count(place, TURN, SEATS) - 1


@fast
def least_of(place: Ints) -> int:
    seat = seat_of(place)
    if count(place, TURN, SEATS) == 2:
        return BASIC
    return SHARE[0] if seat < 2 else SHARED - count(place, NOW, SPENT + (seat & 1))


@fast
def most_of(place: Ints, captured: int) -> int:
    """Return the maximum number of actions in this turn, with `captured` more prisoners."""
    seat = seat_of(place)
    prisoners = count(place, HAS, PRISONS + (seat & 1)) + captured
    if count(place, TURN, SEATS) == 2:
        return min(BASIC + prisoners, kumo.MOST)
    if seat < 2:
        return SHARE[1]
    return min(SHARED + prisoners - count(place, NOW, SPENT + (seat & 1)), SHARE[1])


@fast
def must_turn(place: Ints) -> bool:
    seat = seat_of(place)
    if count(place, NOW, TURNED + (seat & 1)):
        return False
    return count(place, TURN, SEATS) == 2 or seat >= 2


@fast
def side_of(place: Ints) -> int:
    """Return the side to move; at the end, the side that moved last."""
    return seat_of(place) & 1


# --- What a move does -------------------------------------------------------------------------


@fast
def play(place: Ints, move: int) -> None:
    """Apply a legal move; it may end the turn or the match."""
    kind, seat = move >> 21, seat_of(place)
    if kind >= PLACE:
        act(place, kind, seat, move)
    elif kind <= CCW:
        turn_arena(place, kind == CW)
        put(place, TURNED + (seat & 1), 1)
    elif kind == FREED:
        seats = count(place, TURN, SEATS)
        mate = seat + 2 & seats - 1  # with 2 seats, the mover again
        has_fewer = count(place, HAS, BOARDS + mate) < count(place, HAS, BOARDS + seat)
        place[HAS] += 1 << 8 * (BOARDS + (mate if has_fewer else seat))
        place[HAS] -= 1 << 8 * (PRISONS + 1 - (seat & 1))
    is_action = kind != DONE and (kind != OFF or count(place, TURN, HOLD) > 0)
    if is_action:
        place[NOW] += 1
    if count(place, NOW, AT) == OUT:
        put(place, OVER, WON)
    elif kind == DONE or (is_action and count(place, NOW, USED) == most_of(place, 0)):
        end_turn(place)


@fast
def act(place: Ints, kind: int, seat: int, move: int) -> None:
    one, two, three = move >> 14 & 127, move >> 7 & 127, move & 127
    if kind <= CHANGE:
        stand(place, one, 1 + 6 * (seat & 1) + two)
        if kind == PLACE:
            place[HAS] -= 1 << 8 * (BOARDS + seat)
    elif kind <= JUMP:
        stand(place, two, on(place, one))
        stand(place, one, 0)
    elif kind <= THROW:
        lift(place, two, three)
        if three == OUT:
            place[HAS] += 1 << 8 * (PRISONS + (seat & 1))
    elif kind == BLOCK:
        stand(place, two, on(place, two) + PINNED)
        stand(place, one, 0)
    elif kind == OFF:
        lift(place, one, two)
    else:
        shift(place, kind == PUSH, one, two)


@fast
def lift(place: Ints, square: int, goal: int) -> None:
    """Move the upper Kumotori of a square; a Kumotori pinned below it is freed."""
    byte = on(place, square)
    stand(place, square, byte - PINNED if byte > PINNED else 0)
    if goal != OUT:
        stand(place, goal, ALONE[byte])


@fast
def shift(place: Ints, is_push: bool, leader: int, partner: int) -> None:
    stone, byte = count(place, NOW, AT), on(place, leader)
    way = way_of(stone - leader if is_push else leader - stone)
    stand(place, stone, 0)
    stand(place, leader, 0)
    stand(place, partner, 0)
    goal = NEXT[4 * stone + way]
    put(place, AT, goal if goal >= 0 else OUT)
    if goal >= 0:
        stand(place, goal, STONE)
    stand(place, NEXT[4 * leader + way], byte)
    stand(place, NEXT[4 * partner + way], byte)


@fast
def way_of(difference: int) -> int:
    """Return the direction to the adjacent square with this difference of numbers."""
    if difference == 1:
        return 2
    if difference == -1:
        return 1
    return 3 if difference > 0 else 0


@fast
def turn_arena(place: Ints, is_cw: bool) -> None:
    """Turn the arena by a quarter: clockwise from (x, y) to (y, 10 - x), else to (10 - y, x)."""
    files = place[0], place[1], place[2], place[3], place[4], place[5], place[6], place[7], place[8]
    for file in range(SIZE):
        place[file] = 0
    for file in range(SIZE):
        left, rank = files[file], 0
        while left:
            to, height = (rank, SIZE - 1 - file) if is_cw else (SIZE - 1 - rank, file)
            place[to] |= (left & 31) << BITS * height
            if left & 31 == STONE:
                put(place, AT, SIZE * to + height)
            left >>= BITS
            rank += 1


@fast
def end_turn(place: Ints) -> None:
    """Pass the turn to the next seat, or end the match after the last turn."""
    turn, seat, seats = place[TURN] & 0xFFFF, seat_of(place), count(place, TURN, SEATS)
    if turn == place[TURN] >> 16 & 0xFFFF:
        put(place, OVER, DRAWN)
        return
    side = seat & 1
    if seats == 4 and seat < 2:
        put(place, SPENT + side, count(place, NOW, USED))
    else:
        put(place, SPENT + side, 0)
        put(place, TURNED + side, 0)
    place[TURN] += 1
    put(place, USED, 0)


# --- Legal moves ------------------------------------------------------------------------------


def room_of() -> Ints:
    room: Ints = zeros(LARGE, ROOM)
    return room


@fast
def options(place: Ints, moves: Ints, room: Ints) -> int:
    if count(place, NOW, OVER):
        return 0
    unpack(place, room)
    if count(place, NOW, USED) == 0 and count(place, TURN, HOLD) == 0:
        size = climbings(place, moves, 0, room)
        if size:  # blockers that must climb down go first
            return size
    number = find_own(room, seat_of(place) & 1)
    if must_turn(place) and count(place, NOW, USED) + 1 >= most_of(place, 0):
        return last_chances(place, moves, room, number)
    size = placings(place, moves, room)
    index = 0
    for file in range(SIZE):  # `block` and the like sort after the squares of their letter
        while index < number and room[OWN + index] < SIZE * (file + 1):
            size = steps(place, moves, size, room, room[OWN + index])
            index += 1
        if file == 1:
            size = blocks(place, moves, size, room, number)
        elif file == 2:
            size = turns(moves, size)
        elif file == 3:
            if count(place, NOW, USED) >= least_of(place) and not must_turn(place):
                size = listed(moves, size, DONE, 0, 0, 0)
        elif file == 5:
            if count(place, HAS, PRISONS + 1 - (seat_of(place) & 1)):
                size = listed(moves, size, FREED, 0, 0, 0)
        elif file == 6:
            size = grips(place, moves, size, room, number, kumo.GRAB, False)
    size = jumps(moves, size, room, number)
    if count(place, TURN, HOLD):
        size = climbings(place, moves, size, room)
    size = shifts(place, moves, size, room, number, PULL, False)
    size = shifts(place, moves, size, room, number, PUSH, False)
    size = runs(moves, size, room, number)
    return grips(place, moves, size, room, number, kumo.THROW, False)


@fast
def last_chances(place: Ints, moves: Ints, room: Ints, number: int) -> int:
    """List what is legal in the last action for turning: a turn, a win, or a capture."""
    size = turns(moves, 0)
    can_catch = count(place, NOW, USED) + 1 < most_of(place, 1)
    if can_catch:
        size = grips(place, moves, size, room, number, kumo.GRAB, True)
    size = shifts(place, moves, size, room, number, PUSH, True)
    if can_catch:
        size = grips(place, moves, size, room, number, kumo.THROW, True)
    return size


@fast
def unpack(place: Ints, room: Ints) -> None:
    """Write the byte of each square into `room`."""
    square = 0
    for file in range(SIZE):
        left = place[file]
        for _ in range(SIZE):
            room[square] = left & 31
            left >>= BITS
            square += 1


@fast
def find_own(room: Ints, side: int) -> int:
    """List the squares of a side's Kumotori that can act; return their number."""
    number = 0
    for square in range(SIZE * SIZE):
        byte = room[square]
        if byte and ABLE[byte] and UPPER[byte] == side:
            room[OWN + number] = square
            number += 1
    return number


@fast
def listed(moves: Ints, size: int, kind: int, one: int, two: int, three: int) -> int:
    """Append a move; return the new number of moves."""
    moves[size] = kind << 21 | one << 14 | two << 7 | three
    return size + 1


@fast
def turns(moves: Ints, size: int) -> int:
    return listed(moves, listed(moves, size, CCW, 0, 0, 0), CW, 0, 0, 0)


# --- By kind ----------------------------------------------------------------------------------


@fast
def placings(place: Ints, moves: Ints, room: Ints) -> int:
    seat, seats, size = seat_of(place), count(place, TURN, SEATS), 0
    if count(place, HAS, BOARDS + seat) == 0:
        return 0
    row = SIZE * ((seats & 4) // 2 + seat)
    for index in range(row, row + SIZE):
        if room[CLOSEST[index]] == 0:
            size = stances(moves, size, room, PLACE, CLOSEST[index], -1, seat & 1)
    return size


@fast
def stances(
    moves: Ints, size: int, room: Ints, kind: int, square: int, shown: int, side: int
) -> int:
    """List the useful stances on a square, except the one shown."""
    is_anybody = is_foe = False
    for index in range(4 * square, 4 * square + 4):
        if NEXT[index] >= 0:
            byte = room[NEXT[index]]
            is_anybody = is_anybody or byte > 0
            is_foe = is_foe or UPPER[byte] == 1 - side
    for index in range(6):
        stance = ORDER[index]
        is_useful = stance in ALWAYS or (is_anybody if stance == kumo.JUMP else is_foe)
        if is_useful and stance != shown:
            size = listed(moves, size, kind, square, stance, 0)
    return size


@fast
def steps(place: Ints, moves: Ints, size: int, room: Ints, square: int) -> int:
    shown = ABLE[room[square]] - 1
    if not STANDS[shown]:
        size = goals(moves, size, room, WALK, square)
    return stances(moves, size, room, CHANGE, square, shown, seat_of(place) & 1)


@fast
def goals(moves: Ints, size: int, room: Ints, kind: int, square: int) -> int:
    """List the moves to free adjacent squares."""
    for index in range(4 * square, 4 * square + 4):
        goal = NEXT[index]
        if goal >= 0 and room[goal] == 0:
            size = listed(moves, size, kind, square, goal, 0)
    return size


@fast
def climbings(place: Ints, moves: Ints, size: int, room: Ints) -> int:
    side = seat_of(place) & 1
    for square in range(SIZE * SIZE):
        byte = room[square]
        if byte and ABLE[byte] == 0 and UPPER[byte] == side:
            size = goals(moves, size, room, OFF, square)
    return size


@fast
def blocks(place: Ints, moves: Ints, size: int, room: Ints, number: int) -> int:
    """List the blocks: of foes that stand alone and outside the ring around the stone."""
    side, stone = seat_of(place) & 1, count(place, NOW, AT)
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] == 1 + kumo.BLOCK:
            for index in range(4 * square, 4 * square + 4):
                foe = NEXT[index]
                if foe < 0 or RING[(OUT + 1) * foe + stone]:
                    continue
                if ABLE[room[foe]] and UPPER[room[foe]] == 1 - side:
                    size = listed(moves, size, BLOCK, square, foe, 0)
    return size


@fast
def grips(
    place: Ints, moves: Ints, size: int, room: Ints, number: int, stance: int, is_last: bool
) -> int:
    """List grabs or throws: to a square beside the piece or the thrower, or into prison."""
    side, seats = seat_of(place) & 1, count(place, TURN, SEATS)
    is_full = seats == 4 and count(place, HAS, PRISONS + side) >= TEAM_PRISON
    kind, edges = GRAB + stance - kumo.GRAB, SIZE * SIZE * (seats // 4 * 2 + side)
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] != 1 + stance:
            continue
        for index in range(4 * square, 4 * square + 4):
            piece = NEXT[index]
            if piece < 0 or UPPER[room[piece]] == NOBODY:
                continue
            centre = piece if stance == kumo.GRAB else square
            for other in range(4 * centre, 4 * centre + 4):
                goal = NEXT[other]
                if goal >= 0 and room[goal] == 0 and not is_last:
                    size = listed(moves, size, kind, square, piece, goal)
            if UPPER[room[piece]] == 1 - side and EDGES[edges + centre] and not is_full:
                size = listed(moves, size, kind, square, piece, OUT)
    return size


@fast
def jumps(moves: Ints, size: int, room: Ints, number: int) -> int:
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] != 1 + kumo.JUMP:
            continue
        for way in range(4):
            goal = NEXT[4 * square + way]
            first = goal
            while goal >= 0 and UPPER[room[goal]] != NOBODY:
                goal = NEXT[4 * goal + way]
            if goal >= 0 and goal != first and room[goal] == 0:
                size = listed(moves, size, JUMP, square, goal, 0)
    return size


@fast
def runs(moves: Ints, size: int, room: Ints, number: int) -> int:
    """List the runs: two steps over free squares."""
    for own in range(number):
        square = room[OWN + own]
        if ABLE[room[square]] != 1 + kumo.RUN:
            continue
        for index in range(24 * square, 24 * square + 24, 3):
            goal = RUNS[index]
            if goal < 0 or room[goal] or (room[RUNS[index + 1]] and room[RUNS[index + 2]]):
                continue
            size = listed(moves, size, RUN, square, goal, 0)
    return size


@fast
def shifts(
    place: Ints, moves: Ints, size: int, room: Ints, number: int, kind: int, is_last: bool
) -> int:
    """List the pushes or pulls; with `is_last`, only those that win."""
    side, stone = seat_of(place) & 1, count(place, NOW, AT)
    gates = 4 * (count(place, TURN, SEATS) // 4 * 2 + side)
    who = 1 + 6 * side + KUMO
    for own in range(number):
        leader = room[OWN + own]
        if room[leader] != who:
            continue
        for index in range(4 * leader, 4 * leader + 4):
            if NEXT[index] != stone:
                continue
            way = way_of(stone - leader if kind == PUSH else leader - stone)
            is_out = NEXT[4 * stone + way] < 0
            if is_last if not is_out else not GATES[gates + way]:
                continue
            for other in range(4 * leader, 4 * leader + 4):
                partner = NEXT[other]
                if partner < 0 or room[partner] != who:
                    continue
                if can_shift(room, stone, leader, partner, way):
                    size = listed(moves, size, kind, leader, partner, 0)
    return size


@fast
def can_shift(room: Ints, stone: int, leader: int, partner: int, way: int) -> bool:
    for mover in (stone, leader, partner):
        goal = NEXT[4 * mover + way]
        if goal < 0:
            if mover != stone:
                return False
        elif room[goal] and goal not in (stone, leader, partner):
            return False
    return True
