"""A turn's positions on arrays: what a beam of turns.py and a hunt of hunt.py keep, for a compiler.

A game's own module has the two loops (kitsu/ways.py, kumo/ways.py): they make a position's moves
and ask here what is new, what comes next, and when to pause. They pause where the next position is
one too many, or has no room, and go on from there when they are called again. The same positions
are made in the same order as in plain Python, with the same draws.

Each game has the loops for itself because what numba keeps on disk is never found again if it was
given functions. To take an array out of a tuple counts references, which is slow when compiled:
what is called for each position is given the arrays that it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import LARGE, REAL, SMALL, fast, longer, zeros
from kumite.core.bots.search.stream import draw
from kumite.core.bots.search.turns import WIN

if TYPE_CHECKING:
    from kumite.core.bots.fast import Floats, Ints

NONE: Final = -1
OUT: Final = -1.0  # as a hope: out of reach
NO_TURN: Final = -2 * WIN  # as the value of moves: they are no whole turn
FACTOR: Final = 0x9E3779B97F4A7C1
MASK: Final = (1 << 60) - 1


class Ways(NamedTuple):
    """Positions by number, 0 the one at the beginning, and which of them to go on with."""

    places: Ints  # an array for each, one behind the other
    come: Ints  # by position: the one before it
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
# Of a hunt besides: the position that wins, NONE: none, by this move, NONE: the game sees how.
END, LAST = 5, 6
NUMBERS: Final = 11


def ways_of(words: int, size: int, width: int = 0, kept: int = 0) -> Ways:
    """Return room for so many positions, a power of 2, of so many words: of a hunt, or a beam."""
    return Ways(
        *(zeros(LARGE, words * size), zeros(SMALL, size), zeros(SMALL, size), zeros(REAL, size)),
        *(zeros(SMALL, size), zeros(SMALL, 2 * size), zeros(SMALL, width or size)),
        *(zeros(SMALL, width), zeros(SMALL, kept), zeros(SMALL, NUMBERS)),
    )


def with_room(ways: Ways, *, is_beam: bool) -> Ways:
    """Return the same with place for twice as many, if there was none for another."""
    size = len(ways.come)
    if ways.at[SIZE] < size:
        return ways
    larger = ways._replace(
        places=longer(ways.places, 2 * len(ways.places)),
        come=longer(ways.come, 2 * size),
        move=longer(ways.move, 2 * size),
        worth=longer(ways.worth, 2 * size),
        slot=longer(ways.slot, 2 * size),
        slots=zeros(SMALL, 4 * size),
        open=ways.open if is_beam else longer(ways.open, 2 * size),
    )
    refill(larger, zeros(LARGE, len(ways.places) // size))
    return larger


# --- Positions --------------------------------------------------------------------------------


@fast
def mixed_with(key: int, word: int) -> int:
    """Return a number that depends on both in all its bits."""
    key = (key ^ word ^ word >> 32) * FACTOR & MASK
    return key ^ key >> 29


@fast
def key_of(place: Ints) -> int:
    """Return a number that other positions mostly do not have."""
    key = 0
    for word in range(len(place)):
        key = mixed_with(key, place[word])
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
    words, word = len(place), 0
    while word < words and ways.places[words * number + word] == place[word]:
        word += 1
    return word == words


@fast
def write(ways: Ways, number: int, place: Ints) -> None:
    """Let a position be the one of that number."""
    words = len(place)
    for word in range(words):
        ways.places[words * number + word] = place[word]


@fast
def fetch(ways: Ways, number: int, place: Ints) -> None:
    """Copy a position."""
    words = len(place)
    for word in range(words):
        place[word] = ways.places[words * number + word]


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
def is_full(at: Ints, until: int, room: int) -> bool:
    """Return whether to pause: so many positions have been made, or there is no room for more."""
    return at[MADE] == until or at[SIZE] == room


@fast
def begin_anywhere(ways: Ways, stream: Ints, size: int) -> None:
    """Draw which of so many moves is looked at first, unless it has been."""
    if ways.at[MOVE] == NONE:
        ways.at[MOVE], ways.at[FROM] = 0, int(draw(stream) * size)


@fast
def end_look(ways: Ways) -> None:
    """Go on with the next position when all moves of one have been made."""
    at = ways.at
    at[LOOKED] += 1
    at[MOVE] = NONE
    if at[LOOKED] == at[OPEN]:
        next_level(ways)


@fast
def sort_in(at: Ints, more: Ints, ended: Ints, worth: Floats, number: int, has_ended: bool) -> bool:
    """Put a new position among the best ones; return whether it is a turn that wins."""
    at[MADE] += 1
    if not has_ended:
        at[MORE] = kept(more, at[MORE], at[WIDTH], worth, number)
    elif worth[number] < WIN:
        at[ENDED] = kept(ended, at[ENDED], at[KEPT], worth, number)
    else:
        ended[0], at[ENDED], at[OPEN] = number, 1, 0
        return True
    return False


@fast
def kept(best: Ints, size: int, most: int, worth: Floats, number: int) -> int:
    """Sort a number in, if it is among so many best ones; return how many there are."""
    if size == most:
        if worth[best[size - 1]] >= worth[number]:
            return size
        size -= 1  # the last one goes
    low, high = 0, size
    while low < high:
        middle = (low + high) // 2
        if worth[best[middle]] >= worth[number]:
            low = middle + 1
        else:
            high = middle
    for hole in range(size, low, -1):
        best[hole] = best[hole - 1]
    best[low] = number
    return size + 1


@fast
def next_level(ways: Ways) -> None:
    """Go on with the best positions that the last ones led to."""
    at = ways.at
    for index in range(at[MORE]):
        ways.open[index] = ways.more[index]
    at[OPEN], at[MORE], at[LOOKED], at[LEVEL] = at[MORE], 0, 0, at[SIZE]


@fast
def is_among(moves: Ints, size: int, move: int) -> bool:
    """Return whether a move is one of the first so many."""
    index = 0
    while index < size and moves[index] != move:
        index += 1
    return index < size


# --- A hunt -----------------------------------------------------------------------------------


@fast
def open_root(ways: Ways, root: Ints) -> int:
    """Let a hunt begin; return the number of its first position."""
    ways.at[LOOKED], ways.at[END], ways.at[LAST] = NONE, NONE, NONE
    return add(ways, root, key_of(root) & len(ways.slots) - 1, NONE, NONE)


@fast
def has_next(at: Ints, heap: Ints, hopes: Floats, most: int) -> bool:
    """Return whether a hunt has a position to look at, now or again after a pause."""
    if at[LOOKED] == NONE:
        if at[OPEN] == 0 or at[MADE] >= most:
            return False
        at[LOOKED], at[MOVE] = pop(at, heap, hopes), 0
    return True


@fast
def push(at: Ints, heap: Ints, hopes: Floats, number: int, hope: float) -> None:
    """Open a position, unless a win is out of its reach."""
    hopes[number] = hope
    if hope == OUT:
        return
    hole = at[OPEN]
    at[OPEN] += 1
    while hole and is_nearer(hopes, number, heap[(hole - 1) // 2]):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = number


@fast
def pop(at: Ints, heap: Ints, hopes: Floats) -> int:
    """Return the open position that is nearest to a win, and close it."""
    found, hole = heap[0], 0
    at[OPEN] -= 1
    size = at[OPEN]
    last = heap[size]
    while 2 * hole + 1 < size:
        child = 2 * hole + 1
        if child + 1 < size and is_nearer(hopes, heap[child + 1], heap[child]):
            child += 1
        if not is_nearer(hopes, heap[child], last):
            break
        heap[hole] = heap[child]
        hole = child
    heap[hole] = last
    return found


@fast
def is_nearer(hopes: Floats, one: int, other: int) -> bool:
    """Return whether a position is to be looked at before another: of equal ones the first."""
    if hopes[one] == hopes[other]:
        return one < other
    return hopes[one] < hopes[other]
