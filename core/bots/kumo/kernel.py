"""Kumo Hogosha on arrays: the rules of the game once more for a compiler.

A position is an array of WORDS numbers. The first nine are the files of the arena, west to east:
five bits for each square from the south up, who stands there as in games/kumo/state.py. Then comes
what each seat and side has beside it, how the turn stands, and the set-up. listing.py lists the
moves; a move is a number: what is done, and three squares, or a stance.

games/kumo/rules.py is the truth; tests hold this against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.fast import LARGE, fast, numbers
from kumite.core.games.kumo.notation import PRISON, step_text
from kumite.core.games.kumo.state import (
    BASIC,
    LIFTED,
    LINES,
    PINNED,
    SHARE,
    SHARED,
    SIZE,
    STONE,
    State,
    is_over,
)
from kumite.core.games.kumo.state import MOST as MOST_ACTIONS

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints
    from kumite.core.game import Step

HAS, NOW, TURN, WORDS = 9, 10, 11, 12  # words; first the files
BOARDS, PRISONS = 0, 4  # bytes of HAS: by seat, by side
USED, TURNED, SPENT, AT, OVER = (
    0,
    1,
    3,
    5,
    6,
)  # bytes of NOW: by side TURNED, SPENT; the stone is AT
LIMIT, HOLD, SEATS = 2, 4, 5  # bytes of TURN, which begins with two for the number of the turn
BITS: Final = 5  # of a square
OUT: Final = SIZE * SIZE  # where the stone is AT when it has left, and the prison as a goal
WON, DRAWN = 1, 2  # how it is OVER: won by who has the turn, or at the limit
KINDS: Final = (
    *("cw", "ccw", "free", "done", "place", "change", "walk", "run", "jump"),
    *("grab", "throw", "block", "push", "pull", "off"),
)
CW, CCW, FREED, DONE, PLACE, CHANGE, WALK, RUN = range(8)
JUMP, GRAB, THROW, BLOCK, PUSH, PULL, OFF = range(8, 15)
SQUARES_OF: Final = (*(0, 0, 0, 0, 2, 2, 2, 2, 2), *(3, 3, 2, 2, 2, 2))  # or stances, by kind
NEXT: Final[Ints] = numbers(  # by square the adjacent ones, west, south, north, east, -1: none
    LARGE, [line[0] if line else -1 for lines in LINES for line in lines]
)
ALONE: Final[Ints] = numbers(LARGE, LIFTED)  # by byte: the upper Kumotori's once it stands alone


def place_of(state: State) -> Ints:
    """Return a position of the rules."""
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
    """Return the text of a move."""
    kind = move >> 21
    args = [move >> 14 & 127, move >> 7 & 127, move & 127][: SQUARES_OF[kind]]
    return step_text(KINDS[kind], tuple(PRISON if one == OUT else one for one in args))


# --- Numbers ----------------------------------------------------------------------------------


@fast
def count(place: Ints, word: int, byte: int) -> int:
    """Return a byte."""
    return place[word] >> 8 * byte & 255


@fast
def put(place: Ints, byte: int, value: int) -> None:
    """Write a byte of NOW."""
    place[NOW] += value - (place[NOW] >> 8 * byte & 255) << 8 * byte


@fast
def on(place: Ints, square: int) -> int:
    """Return who stands on a square."""
    return place[square // SIZE] >> BITS * (square % SIZE) & 31


@fast
def stand(place: Ints, square: int, byte: int) -> None:
    """Let these stand on a square."""
    shift = BITS * (square % SIZE)
    place[square // SIZE] += byte - (place[square // SIZE] >> shift & 31) << shift


@fast
def turn_of(place: Ints) -> int:
    """Return the number of the turn."""
    return place[TURN] & 0xFFFF


@fast
def seat_of(place: Ints) -> int:
    """Return who has the turn; when it is over, who had the last."""
    return (place[TURN] & 0xFFFF) - 1 & count(place, TURN, SEATS) - 1


@fast
def least_of(place: Ints) -> int:
    """Return how many actions the turn takes at least."""
    seat = seat_of(place)
    if count(place, TURN, SEATS) == 2:
        return BASIC
    return SHARE[0] if seat < 2 else SHARED - count(place, NOW, SPENT + (seat & 1))


@fast
def most_of(place: Ints, captured: int) -> int:
    """Return how many it takes at most, with so many more prisoners."""
    seat = seat_of(place)
    prisoners = count(place, HAS, PRISONS + (seat & 1)) + captured
    if count(place, TURN, SEATS) == 2:
        return min(BASIC + prisoners, MOST_ACTIONS)
    if seat < 2:
        return SHARE[1]
    return min(SHARED + prisoners - count(place, NOW, SPENT + (seat & 1)), SHARE[1])


@fast
def must_turn(place: Ints) -> bool:
    """Return whether the arena has yet to be turned in this turn."""
    seat = seat_of(place)
    if count(place, NOW, TURNED + (seat & 1)):
        return False
    return count(place, TURN, SEATS) == 2 or seat >= 2


# --- What a move does -------------------------------------------------------------------------


@fast
def play(place: Ints, move: int) -> None:
    """Carry out a legal move; it may end the turn, and the match."""
    kind, seat = move >> 21, seat_of(place)
    if kind >= PLACE:
        act(place, kind, seat, move)
    elif kind <= CCW:
        turn_arena(place, kind == CW)
        put(place, TURNED + (seat & 1), 1)
    elif kind == FREED:
        seats = count(place, TURN, SEATS)
        mate = seat + 2 & seats - 1  # with 2 seats the mover again
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
    """Carry out what is done on the arena."""
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
    """Move the upper Kumotori of a square; a pinned one that it stood on is loose."""
    byte = on(place, square)
    stand(place, square, byte - PINNED if byte > PINNED else 0)
    if goal != OUT:
        stand(place, goal, ALONE[byte])


@fast
def shift(place: Ints, is_push: bool, leader: int, partner: int) -> None:
    """Move the stone and the two who move it."""
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
    """Return the direction to the adjacent square that is so far behind in number."""
    if difference == 1:
        return 2
    if difference == -1:
        return 1
    return 3 if difference > 0 else 0


@fast
def turn_arena(place: Ints, is_cw: bool) -> None:
    """Turn the arena by a quarter: from (x, y) clockwise to (y, 10 - x), else to (10 - y, x)."""
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
    """Pass the turn to the next seat, unless it was the last one."""
    turn, seat, seats = turn_of(place), seat_of(place), count(place, TURN, SEATS)
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
