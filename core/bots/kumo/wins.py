"""Whether a turn of Kumo Hogosha can be won, on arrays: what reach.py says, for a compiler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.fast import LARGE, TINY, fast, numbers, zeros
from kumite.core.bots.kumo import kernel, reach
from kumite.core.bots.kumo.kernel import (
    AT,
    BITS,
    BOARDS,
    HAS,
    NEXT,
    NOW,
    PRISONS,
    SEATS,
    TURN,
    USED,
    count,
    most_of,
    on,
    seat_of,
)
from kumite.core.bots.kumo.listing import ABLE, MANY, UPPER
from kumite.core.bots.kumo.near import HOMES, PUSHES, QUARTERS_TO, SQUARES, by_side
from kumite.core.bots.search.ways import OUT
from kumite.core.games.kumo.state import (
    ALL,
    FREE,
    GRAB,
    JUMP,
    KUMO,
    LINES,
    PIECES,
    RUN,
    SIZE,
    TEAM_PRISON,
    THROW,
    lone,
)

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints

_SEATS: Final = (2, 4)
NOT: Final = 255  # of who is not of a side
IS_EDGE: Final[Ints] = numbers(LARGE, [not all(lines) for lines in LINES])
_STANCES: Final = (KUMO, JUMP, RUN, GRAB)  # THROW and BLOCK are as far as GRAB
_ROWS: Final = [
    row
    for throws in (False, True)
    for row in (
        *[
            reach.row_of(0, lone(0, stance), square, throws)
            for stance in _STANCES
            for square in ALL
        ],
        *[reach.entry_of(camp, throws) for camp in range(4)],
    )
]
ENTRY: Final = SQUARES * len(_STANCES)  # the row of the first camp
THROWN: Final = ENTRY + 4  # by so many the rows are raised if somebody can be thrown
REACH: Final[Ints] = numbers(TINY, [far for row in _ROWS for far in row])
"""Actions by stance and square, and by camp, to each square.

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
FOES: Final[Ints] = numbers(  # by side and byte: `reach.FOES`
    LARGE, [foes[byte] for foes in reach.FOES for byte in range(len(PIECES))]
)
LEAST: Final[Ints] = numbers(  # by seats, side and square: `reach.LEAST`
    LARGE, [least for seats in _SEATS for row in reach.LEAST[seats] for least in row]
)
NOT_ONE: Final = -1  # a place of no formation
PARTNER, PLACES, PARTNERS = 2, 3, 3  # of a formation: the first partner, numbers of each, how many
FORMATION: Final = PARTNER + PLACES * PARTNERS  # numbers of one
FORMATIONS: Final[Ints] = numbers(  # by square of the stone and direction
    LARGE,
    [
        one
        for stone in ALL
        for way in range(4)
        for found in (reach.PUSHED[stone][way], reach.PULLED[stone][way])
        for partners in [[one for partner in found.partners for one in partner]]
        for one in (
            *(found.leader, found.clear),
            *(*partners, *[NOT_ONE] * (PLACES * PARTNERS))[: PLACES * PARTNERS],
        )
    ],
)
"""Pushed, then pulled: the places of `reach.Formation`, NOT_ONE behind the last of them."""
GATES: Final[Ints] = numbers(  # by squares of the stone and of another, or OUT: `reach.GATES`
    TINY, [one in gate for gate in reach.GATES for one in (*ALL, kernel.OUT)]
)


# The room to count in: who could be of a pair, as rows of REACH, and what it takes them besides;
# then by square how many foes could be taken from there.
CROWDS: Final = 2 * MANY


def pairs_of() -> Ints:
    """Return room to list those who could be of a pair, and to count foes."""
    room: Ints = zeros(LARGE, CROWDS + SQUARES)
    return room


@fast
def hope(place: Ints, pairs: Ints) -> float:
    """Return how far the turn's side is from a win in it, OUT: it has too few actions."""
    side = seat_of(place) & 1
    left = most_of(place, 0) - count(place, NOW, USED) + captures(place, side, pairs)
    stone, tables = count(place, NOW, AT), SQUARES * by_side(place, side)
    lowest = LEAST[tables + stone]
    for index in range(4 * stone, 4 * stone + 4):
        if NEXT[index] >= 0:
            lowest = min(lowest, 1 + LEAST[tables + NEXT[index]])
    if lowest > left:
        return OUT
    rows = find_pairs(place, pairs)
    if rows < 2:
        return OUT
    least = straight(place, pairs, rows, stone, 0, left + 1)
    least = shifted(place, pairs, rows, least)
    return least + reach.TAKEN * count(place, NOW, USED) if least <= left else OUT


@fast
def find_pairs(place: Ints, pairs: Ints) -> int:
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
                pairs[rows], pairs[MANY + rows] = square + STANDS[one], MORE[one]
                rows += 1
            left >>= BITS
            square += 1
    if count(place, HAS, BOARDS + seat) or count(place, HAS, PRISONS + 1 - side):
        for _ in range(2):
            pairs[rows] = ENTRY + HOMES[(count(place, TURN, SEATS) & 4) + seat]
            pairs[MANY + rows] = 0
            rows += 1
    for index in range(throws * rows):
        pairs[index] += THROWN
    return rows


@fast
def straight(place: Ints, pairs: Ints, rows: int, stone: int, moved: int, least: int) -> int:
    """Return the actions of a way that pushes the stone from here straight out, if it is less."""
    side = seat_of(place) & 1
    quarters, foes = 4 * by_side(place, side), len(PIECES) * side
    for way in range(4):
        need = PUSHES[4 * stone + way] + QUARTERS_TO[quarters + way]
        if NEXT[4 * stone + 3 - way] < 0 or need >= least:
            continue
        own, square = 0, NEXT[4 * stone + way]
        while square >= 0:
            byte = on(place, square)
            need += FOES[foes + byte]
            own += int(UPPER[byte] == side)
            square = NEXT[4 * square + way]
        need += max(0, own - 2)
        if need < least:
            away = formed(place, pairs, rows, 2 * (4 * stone + way), moved == 0)
            least = min(least, need + max(0, away - moved))
    return least


@fast
def shifted(place: Ints, pairs: Ints, rows: int, least: int) -> int:
    """Return the actions of a way that moves the stone once otherwise before, if it is less."""
    side, stone = seat_of(place) & 1, count(place, NOW, AT)
    for way in range(4):
        front = NEXT[4 * stone + way]
        if front < 0:
            continue
        moves = 1 + FOES[len(PIECES) * side + on(place, front)]
        beyond = LEAST[SQUARES * by_side(place, side) + front]
        if moves + beyond >= least:
            continue
        pushed = formed(place, pairs, rows, 2 * (4 * stone + way), True)
        moves += min(pushed, formed(place, pairs, rows, 2 * (4 * stone + way) + 1, True))
        if moves + beyond < least:
            moves += straight(place, pairs, rows, front, reach.MOVED, least - moves)
            least = min(least, moves)
    return least


@fast
def formed(place: Ints, pairs: Ints, rows: int, number: int, has_foes: bool) -> int:
    """Return the actions until a pair stands in that formation, with no foe in its way."""
    first = FORMATION * number + PARTNER
    if FORMATIONS[first] == NOT_ONE:
        return reach.NONE
    foes = len(PIECES) * (seat_of(place) & 1)
    leader, lead, lead_next = nearest(pairs, rows, FORMATIONS[first - 2])
    least = reach.NONE
    for index in range(first, first + PLACES * PARTNERS, PLACES):
        if FORMATIONS[index] == NOT_ONE:
            break
        partner, help_, help_next = nearest(pairs, rows, FORMATIONS[index])
        if leader != partner:
            need = lead + help_
        else:
            need = min(lead + help_next, lead_next + help_)
        if has_foes:
            need += FOES[foes + on(place, FORMATIONS[index + 1])]
            need += FOES[foes + on(place, FORMATIONS[index + 2])]
        least = min(least, need)
    return least + (FOES[foes + on(place, FORMATIONS[first - 1])] if has_foes else 0)


@fast
def nearest(pairs: Ints, rows: int, goal: int) -> tuple[int, int, int]:
    """Return who of a pair is nearest to a square, his actions, and those of the next."""
    first = second = reach.NONE
    who = NOT_ONE
    for index in range(rows):
        away = pairs[MANY + index] + REACH[SQUARES * pairs[index] + goal]
        if away < first:
            first, second, who = away, first, index
        else:
            second = min(second, away)
    return who, first, second


@fast
def captures(place: Ints, side: int, pairs: Ints) -> int:
    """Return how many foes can be taken for nothing, since each prisoner brings his action back."""
    most = reach.PRISON if count(place, TURN, SEATS) == 2 else TEAM_PRISON
    room = most - count(place, HAS, PRISONS + side)
    if room <= 0:
        return 0
    for index in range(CROWDS, CROWDS + SQUARES):
        pairs[index] = 0
    ready = grippers = 0
    for file in range(SIZE):
        left, square = place[file], SIZE * file
        while left:
            stance = (left & 31) - 1 - 6 * side
            grips = stance in (GRAB, THROW)
            grippers += int(grips)
            is_foe = UPPER[left & 31] == 1 - side
            if grips or is_foe:
                for index in range(4 * square, 4 * square + 4):
                    beside = NEXT[index]
                    if beside < 0:
                        continue
                    if is_foe:
                        pairs[CROWDS + beside] += int(IS_EDGE[square] or IS_EDGE[beside])
                    elif IS_EDGE[beside if stance == GRAB else square]:
                        ready += int(UPPER[on(place, beside)] == 1 - side)
            left >>= BITS
            square += 1
    if ready >= room:
        return room
    return min(room, ready + of_a_crowd(place, side, pairs, grippers))


@fast
def of_a_crowd(place: Ints, side: int, pairs: Ints, grippers: int) -> int:
    """Return how many more foes are round a place than it takes actions to be ready there."""
    waiting = count(place, HAS, BOARDS + seat_of(place)) + count(place, HAS, PRISONS + 1 - side)
    more = 0
    for square in range(SQUARES):
        number = pairs[CROWDS + square]
        if number > 1:
            byte = on(place, square)
            if byte and ABLE[byte] and UPPER[byte] == side:
                more = max(more, number - 1)
            elif byte == FREE:
                is_near = grippers > 1 or (waiting > 0 and IS_EDGE[square] > 0)
                more = max(more, number - (1 if is_near else 2))
    return more


# --- Moves ------------------------------------------------------------------------------------


@fast
def tries(place: Ints, moves: Ints, size: int) -> int:
    """Keep those moves that a win in the turn can begin with; return how many there are."""
    left, stone = most_of(place, 0) - count(place, NOW, USED), count(place, NOW, AT)
    if left > 2:
        return size
    kept = 0
    for index in range(size):
        if ends(moves[index]) or (left == 2 and prepares(moves[index], stone)):
            moves[kept] = moves[index]
            kept += 1
    return kept


@fast
def ends(move: int) -> bool:
    """Return whether it can be the last one of the turn: a push, or it takes a prisoner."""
    kind = move >> 21
    return kind == kernel.PUSH or (kernel.GRAB <= kind <= kernel.THROW and move & 127 == kernel.OUT)


@fast
def prepares(move: int, stone: int) -> bool:
    """Return whether such a move can become possible by it."""
    kind, one, two = move >> 21, move >> 14 & 127, move >> 7 & 127
    if kind in (kernel.CW, kernel.CCW, kernel.PULL, kernel.GRAB, kernel.THROW):
        return True
    if kind in (kernel.FREED, kernel.DONE):
        return False
    gate = (kernel.OUT + 1) * stone
    if kind in (kernel.PLACE, kernel.CHANGE):
        return two in (GRAB, THROW) or GATES[gate + one] > 0
    return GATES[gate + one] > 0 or GATES[gate + two] > 0
