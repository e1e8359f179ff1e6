"""A turn's positions on arrays: what search/turns.py and search/hunt.py do, for a compiler to take.

The same positions are made in the same order, with the same draws. Both loops pause where the next
position is one too many, or has no room, and go on from there when they are called again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import LARGE, REAL, SMALL, fast, longer, zeros
from kumite.core.bots.kitsu.kernel import (
    MOST,
    NOW,
    OVER,
    TURN,
    WON,
    WORDS,
    count,
    options,
    play,
    seat_of,
)
from kumite.core.bots.kitsu.near import FACTOR, MASK, OUT, Chain, can_finish, chain_of, hope, value
from kumite.core.bots.search.stream import draw
from kumite.core.bots.search.tree import copy
from kumite.core.bots.search.turns import WIN

if TYPE_CHECKING:
    from kumite.core.bots.fast import Floats, Ints

NONE: Final = -1


class Ways(NamedTuple):
    """Positions by number, 0 the one at the beginning, and which of them to go on with."""

    places: Ints  # WORDS for each
    come: Ints  # by position: in a beam its turn's first move, in a hunt the position before it
    move: Ints  # the move that led here
    worth: Floats  # in a beam its value, in a hunt its hope
    slot: Ints  # where `slots` has it, NONE: it has not
    slots: Ints  # a hash table: the position's number and one more, 0 is free
    open: Ints  # in a beam those to go on with, the best first; in a hunt all, as a heap
    more: Ints  # in a beam those to go on with after them
    ended: Ints  # in a beam those of whole turns, the best first
    at: Ints  # the numbers below


# What `at` says: how many positions there are, have been made, and are in `open`; which of `open`,
# or in a hunt which position, is looked at, and which of its moves.
SIZE, MADE, OPEN, LOOKED, MOVE = range(5)
# Of a beam besides: how many are in `more` and `ended`, and may be; the first position of this
# level; the move that is looked at first.
MORE, ENDED, WIDTH, KEPT, LEVEL, FROM = range(5, 11)
# Of a hunt besides: the position that wins, NONE: none, by this move, NONE: as `can_finish` says.
END, LAST = 5, 6
NUMBERS: Final = 11


class Work(NamedTuple):
    """Room to work in."""

    before: Ints  # a position
    place: Ints  # one after it
    moves: Ints
    chain: Chain


def work_of() -> Work:
    """Return new room to work in."""
    return Work(zeros(LARGE, WORDS), zeros(LARGE, WORDS), zeros(SMALL, MOST), chain_of())


def ways_of(size: int, width: int = 0, kept: int = 0) -> Ways:
    """Return room for so many positions, a power of 2: of a hunt, or of a beam so wide."""
    return Ways(
        *(zeros(LARGE, WORDS * size), zeros(SMALL, size), zeros(SMALL, size), zeros(REAL, size)),
        *(zeros(SMALL, size), zeros(SMALL, 2 * size), zeros(SMALL, width or size)),
        *(zeros(SMALL, width), zeros(SMALL, kept), zeros(SMALL, NUMBERS)),
    )


def with_room(ways: Ways, *, is_beam: bool) -> Ways:
    """Return the same with place for twice as many, if there was none for another."""
    size = len(ways.come)
    if ways.at[SIZE] < size:
        return ways
    larger = ways._replace(
        places=longer(ways.places, 2 * WORDS * size),
        come=longer(ways.come, 2 * size),
        move=longer(ways.move, 2 * size),
        worth=longer(ways.worth, 2 * size),
        slot=longer(ways.slot, 2 * size),
        slots=zeros(SMALL, 4 * size),
        open=ways.open if is_beam else longer(ways.open, 2 * size),
    )
    refill(larger, zeros(LARGE, WORDS))
    return larger


# --- Positions --------------------------------------------------------------------------------


@fast
def key_of(place: Ints) -> int:
    """Return a number that other positions mostly do not have."""
    key = 0
    for word in range(WORDS):
        key = (key ^ place[word] ^ place[word] >> 32) * FACTOR & MASK
        key ^= key >> 29
    return key


@fast
def free_slot(ways: Ways, place: Ints, since: int) -> int:
    """Return where a position would be kept; NONE if it is, with that number or a later one."""
    last = len(ways.slots) - 1
    slot = key_of(place) & last
    while ways.slots[slot]:
        number = ways.slots[slot] - 1
        if number >= since and is_same(ways, number, place):
            return NONE
        slot = slot + 1 & last
    return slot


@fast
def is_same(ways: Ways, number: int, place: Ints) -> bool:
    """Return whether a position is the one of that number."""
    word = 0
    while word < WORDS and ways.places[WORDS * number + word] == place[word]:
        word += 1
    return word == WORDS


@fast
def write(ways: Ways, number: int, place: Ints) -> None:
    """Let a position be the one of that number."""
    for word in range(WORDS):
        ways.places[WORDS * number + word] = place[word]


@fast
def fetch(ways: Ways, number: int, place: Ints) -> None:
    """Copy a position."""
    for word in range(WORDS):
        place[word] = ways.places[WORDS * number + word]


@fast
def add(ways: Ways, place: Ints, slot: int, come: int, move: int) -> int:
    """Keep a position; return its number."""
    number = ways.at[SIZE]
    ways.at[SIZE] += 1
    write(ways, number, place)
    ways.come[number], ways.move[number] = come, move
    ways.slot[number], ways.slots[slot] = slot, number + 1
    return number


@fast
def refill(ways: Ways, place: Ints) -> None:
    """Put all positions into a table that is empty."""
    last = len(ways.slots) - 1
    for number in range(ways.at[SIZE]):
        if ways.slot[number] != NONE:
            fetch(ways, number, place)
            slot = key_of(place) & last
            while ways.slots[slot]:
                slot = slot + 1 & last
            ways.slot[number], ways.slots[slot] = slot, number + 1


@fast
def is_end(place: Ints, turn: int) -> bool:
    """Return whether a turn has ended with this position."""
    return count(place, NOW, OVER) > 0 or count(place, NOW, TURN) != turn


# --- A beam -----------------------------------------------------------------------------------


@fast
def begin(ways: Ways, root: Ints, width: int, kept: int) -> None:
    """Let a beam begin anew: so wide, with so many whole turns."""
    at = ways.at
    for number in range(1, at[SIZE]):
        ways.slots[ways.slot[number]] = 0
    for index in range(NUMBERS):
        at[index] = 0
    write(ways, 0, root)
    ways.open[0], ways.slot[0] = 0, NONE
    at[SIZE], at[OPEN], at[LEVEL], at[MOVE] = 1, 1, 1, NONE
    at[WIDTH], at[KEPT] = width, kept


@fast
def look(ways: Ways, stream: Ints, until: int, work: Work) -> bool:
    """Make positions until it is so many in all; return whether all turns have ended."""
    at = ways.at
    turn, side = count(ways.places, NOW, TURN), seat_of(ways.places)
    while at[LOOKED] < at[OPEN]:
        number = ways.open[at[LOOKED]]
        fetch(ways, number, work.before)
        size = options(work.before, work.moves)
        if at[MOVE] == NONE:
            at[MOVE], at[FROM] = 0, int(draw(stream) * size)
        while at[MOVE] < size:
            move = work.moves[(at[FROM] + at[MOVE]) % size]
            copy(work.before, work.place)
            play(work.place, move)
            has_ended = is_end(work.place, turn)
            slot = free_slot(ways, work.place, 0 if has_ended else at[LEVEL])
            if slot != NONE:
                if at[MADE] == until or at[SIZE] == len(ways.come):
                    return False
                at[MADE] += 1
                new = add(ways, work.place, slot, ways.come[number] if number else move, move)
                ways.worth[new] = value(work.place, side)
                if has_ended and ways.worth[new] >= WIN:
                    ways.ended[0], at[ENDED], at[OPEN] = new, 1, 0
                    return True
                sort_in(ways, new, has_ended)
            at[MOVE] += 1
        at[LOOKED] += 1
        at[MOVE] = NONE
        if at[LOOKED] == at[OPEN]:
            next_level(ways)
    return True


@fast
def sort_in(ways: Ways, number: int, has_ended: bool) -> None:
    """Put a position among the best ones, behind those of its value."""
    if has_ended:
        ways.at[ENDED] = kept(ways.ended, ways.at[ENDED], ways.at[KEPT], ways.worth, number)
    else:
        ways.at[MORE] = kept(ways.more, ways.at[MORE], ways.at[WIDTH], ways.worth, number)


@fast
def kept(best: Ints, size: int, most: int, worth: Floats, number: int) -> int:
    """Sort a number in, if it is among so many best ones; return how many there are."""
    hole = size
    if size == most:
        hole = size - 1
        if worth[best[hole]] >= worth[number]:
            return size
    while hole and worth[best[hole - 1]] < worth[number]:
        best[hole] = best[hole - 1]
        hole -= 1
    best[hole] = number
    return min(size + 1, most)


@fast
def next_level(ways: Ways) -> None:
    """Go on with the best positions that the last ones led to."""
    at = ways.at
    for index in range(at[MORE]):
        ways.open[index] = ways.more[index]
    at[OPEN], at[MORE], at[LOOKED], at[LEVEL] = at[MORE], 0, 0, at[SIZE]


# --- A hunt -----------------------------------------------------------------------------------


@fast
def set_out(ways: Ways, root: Ints, work: Work) -> None:
    """Let a hunt begin."""
    slot = key_of(root) & len(ways.slots) - 1
    ways.at[LOOKED], ways.at[END], ways.at[LAST] = NONE, NONE, NONE
    copy(root, work.place)
    push(ways, add(ways, root, slot, NONE, NONE), work)


@fast
def hunt(ways: Ways, most: int, until: int, work: Work) -> bool:
    """Make positions; return whether it is `most` in all or over, False where it only pauses."""
    at = ways.at
    turn = count(ways.places, NOW, TURN)
    while at[END] == NONE:
        if at[LOOKED] == NONE:
            if at[OPEN] == 0 or at[MADE] >= most:
                return True
            at[LOOKED], at[MOVE] = pop(ways), 0
        number = at[LOOKED]
        fetch(ways, number, work.before)
        size = options(work.before, work.moves)
        while at[MOVE] < size and at[END] == NONE:
            if at[MADE] == until or at[SIZE] == len(ways.come):
                return False
            move = work.moves[at[MOVE]]
            at[MADE] += 1
            at[MOVE] += 1
            copy(work.before, work.place)
            play(work.place, move)
            if is_end(work.place, turn):
                if count(work.place, NOW, OVER) == WON:
                    at[END], at[LAST] = number, move
                continue
            slot = free_slot(ways, work.place, 0)
            if slot != NONE:
                push(ways, add(ways, work.place, slot, number, move), work)
        at[LOOKED] = NONE
    return True


@fast
def push(ways: Ways, number: int, work: Work) -> None:
    """Open the position in `work`: a win, or where one may be within reach."""
    if can_finish(work.place, work.chain):
        ways.at[END] = number
        return
    ways.worth[number] = hope(work.place)
    if ways.worth[number] == OUT:
        return
    hole = ways.at[OPEN]
    ways.at[OPEN] += 1
    while hole and is_nearer(ways, number, ways.open[(hole - 1) // 2]):
        ways.open[hole] = ways.open[(hole - 1) // 2]
        hole = (hole - 1) // 2
    ways.open[hole] = number


@fast
def pop(ways: Ways) -> int:
    """Return the open position that is nearest to a win, and close it."""
    found, hole = ways.open[0], 0
    ways.at[OPEN] -= 1
    size = ways.at[OPEN]
    last = ways.open[size]
    while 2 * hole + 1 < size:
        child = 2 * hole + 1
        if child + 1 < size and is_nearer(ways, ways.open[child + 1], ways.open[child]):
            child += 1
        if not is_nearer(ways, ways.open[child], last):
            break
        ways.open[hole] = ways.open[child]
        hole = child
    ways.open[hole] = last
    return found


@fast
def is_nearer(ways: Ways, one: int, other: int) -> bool:
    """Return whether a position is to be looked at before another: of equal ones the first."""
    if ways.worth[one] == ways.worth[other]:
        return one < other
    return ways.worth[one] < ways.worth[other]
