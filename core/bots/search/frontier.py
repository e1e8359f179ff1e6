"""Beam search and best-first search ("hunt") over the positions of one turn, on arrays.

Both expand positions and keep the new ones. They pause when the limit or the capacity is reached,
and resume at the same point when called again. Unpacking an array from a tuple updates reference
counts, which is slow in compiled code, so inner functions take the arrays themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from kumite.core.bots.fast import (
    LARGE,
    REAL,
    SMALL,
    Floats,
    Ints,
    copy,
    draw,
    fast,
    longer,
    unless,
    zeros,
)
from kumite.core.game import Step

NONE: Final = -1
OVER: Final = -1  # the side to move after the end of the match
WIN: Final = 1000.0  # greater than any evaluation
OUT: Final = -1.0  # hope value: a win is out of reach
SEEN: Final = -2.0  # hope value: the game sees a win by one move, or by completing one
NO_TURN: Final = -2 * WIN  # value of moves that are not a complete turn
FACTOR: Final = 0x9E3779B97F4A7C1
MASK: Final = (1 << 60) - 1


class Frontier(NamedTuple):
    """The numbered positions of a search, 0 being the root, and the open ones."""

    places: Ints  # the position arrays, concatenated
    come: Ints  # by position: its predecessor
    move: Ints  # by position: the move that led to it
    worth: Floats  # the value in a beam, the hope in a hunt
    slot: Ints  # index in `slots`, or NONE if it is not there
    slots: Ints  # a hash table of position numbers plus one; 0 is free
    open: Ints  # beam: positions to expand, best first; hunt: a heap of all open positions
    more: Ints  # beam: the positions of the next level
    ended: Ints  # beam: the ends of complete turns, best first
    at: Ints  # the counters listed below


# Indices into `at`: positions stored, positions made, size of `open`; the index in `open` (beam) or
# the position (hunt) being expanded, and its current move.
SIZE, MADE, OPEN, LOOKED, MOVE = range(5)
# Beams also have: sizes of `more` and `ended` and their limits; the first position of this level;
# the move that is tried first.
MORE, ENDED, WIDTH, KEPT, LEVEL, FROM = range(5, 11)
# Hunts also have: the winning position (NONE if none) and the last move to the win (NONE if the
# game sees it itself).
END, LAST = 5, 6
NUMBERS: Final = 11


def frontier_of(words: int, size: int, width: int = 0, kept: int = 0) -> Frontier:
    """Allocate room for `size` positions (a power of 2) of `words` each; a beam has a width."""
    return Frontier(
        *(zeros(LARGE, words * size), zeros(SMALL, size), zeros(SMALL, size), zeros(REAL, size)),
        *(zeros(SMALL, size), zeros(SMALL, 2 * size), zeros(SMALL, width or size)),
        *(zeros(SMALL, width), zeros(SMALL, kept), zeros(SMALL, NUMBERS)),
    )


def with_room(front: Frontier, *, is_beam: bool) -> Frontier:
    """Return the frontier with its capacity doubled if it is full."""
    size = len(front.come)
    if front.at[SIZE] < size:
        return front
    larger = front._replace(
        places=longer(front.places, 2 * len(front.places)),
        come=longer(front.come, 2 * size),
        move=longer(front.move, 2 * size),
        worth=longer(front.worth, 2 * size),
        slot=longer(front.slot, 2 * size),
        slots=zeros(SMALL, 4 * size),
        open=front.open if is_beam else longer(front.open, 2 * size),
    )
    refill(larger, zeros(LARGE, len(front.places) // size))
    return larger


# --- Positions --------------------------------------------------------------------------------


@fast
def mixed_with(key: int, word: int) -> int:
    """Return a hash that mixes both numbers into all bits."""
    key = (key ^ word ^ word >> 32) * FACTOR & MASK
    return key ^ key >> 29


def _key_of(place: Ints) -> int:
    return tuple(place).__hash__()  # hashing integers alone, so it is the same in each run


@unless(_key_of)
def key_of(place: Ints) -> int:
    key = 0
    for word in range(len(place)):
        key = mixed_with(key, place[word])
    return key


def _is_same(front: Frontier, number: int, place: Ints) -> bool:
    at = len(place) * number
    return front.places[at : at + len(place)] == place


@unless(_is_same)
def is_same(front: Frontier, number: int, place: Ints) -> bool:
    words, word = len(place), 0
    while word < words and front.places[words * number + word] == place[word]:
        word += 1
    return word == words


@fast
def free_slot(front: Frontier, place: Ints, since: int) -> int:
    """Return the free slot for a position; NONE if it is stored with a number from `since` on."""
    last = len(front.slots) - 1
    slot = key_of(place) & last
    while front.slots[slot]:
        number = front.slots[slot] - 1
        if number >= since and is_same(front, number, place):
            return NONE
        slot = slot + 1 & last
    return slot


@fast
def write(front: Frontier, number: int, place: Ints) -> None:
    at = len(place) * number
    front.places[at : at + len(place)] = place


@fast
def fetch(front: Frontier, number: int, place: Ints) -> None:
    at = len(place) * number
    place[:] = front.places[at : at + len(place)]


@fast
def add(front: Frontier, place: Ints, slot: int, come: int, move: int) -> int:
    """Store a new position; return its number."""
    number = front.at[SIZE]
    front.at[SIZE] += 1
    write(front, number, place)
    front.come[number], front.move[number] = come, move
    front.slot[number], front.slots[slot] = slot, number + 1
    return number


@fast
def refill(front: Frontier, place: Ints) -> None:
    """Rebuild the hash table, which must be empty."""
    last = len(front.slots) - 1
    for number in range(front.at[SIZE]):
        if front.slot[number] != NONE:
            fetch(front, number, place)
            slot = key_of(place) & last
            while front.slots[slot]:
                slot = slot + 1 & last
            front.slot[number], front.slots[slot] = slot, number + 1


# --- A beam -----------------------------------------------------------------------------------


@fast
def begin(front: Frontier, root: Ints, width: int, kept: int) -> None:
    """Start a new beam with this width that keeps `kept` complete turns."""
    at = front.at
    for number in range(1, at[SIZE]):
        front.slots[front.slot[number]] = 0
    for index in range(NUMBERS):
        at[index] = 0
    write(front, 0, root)
    front.open[0], front.slot[0] = 0, NONE
    at[SIZE], at[OPEN], at[LEVEL], at[MOVE] = 1, 1, 1, NONE
    at[WIDTH], at[KEPT] = width, kept


@fast
def is_full(at: Ints, until: int, room: int) -> bool:
    """Return whether to pause: `until` positions have been made, or no room is left."""
    return at[MADE] == until or at[SIZE] == room


@fast
def begin_anywhere(front: Frontier, stream: Ints, size: int) -> None:
    """Draw the index of the first move to try, unless that is already done."""
    if front.at[MOVE] == NONE:
        front.at[MOVE], front.at[FROM] = 0, int(draw(stream) * size)


@fast
def end_look(front: Frontier) -> None:
    """Advance to the next position after all moves of one have been made."""
    at = front.at
    at[LOOKED] += 1
    at[MOVE] = NONE
    if at[LOOKED] == at[OPEN]:
        next_level(front)


@fast
def sort_in(at: Ints, more: Ints, ended: Ints, worth: Floats, number: int, has_ended: bool) -> bool:
    """Insert a new position among the best; return whether it ends the turn with a win."""
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
    """Insert a number into the `most` best ones if it ranks among them; return their count."""
    if size == most:
        if worth[best[size - 1]] >= worth[number]:
            return size
        size -= 1  # drop the last one
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
def next_level(front: Frontier) -> None:
    """Advance to the best positions of the next level."""
    at = front.at
    for index in range(at[MORE]):
        front.open[index] = front.more[index]
    at[OPEN], at[MORE], at[LOOKED], at[LEVEL] = at[MORE], 0, 0, at[SIZE]


@fast
def is_among(moves: Ints, size: int, move: int) -> bool:
    index = 0
    while index < size and moves[index] != move:
        index += 1
    return index < size


# --- A hunt -----------------------------------------------------------------------------------


@fast
def open_root(front: Frontier, root: Ints) -> int:
    """Start a hunt; return the number of the root position."""
    front.at[LOOKED], front.at[END], front.at[LAST] = NONE, NONE, NONE
    return add(front, root, key_of(root) & len(front.slots) - 1, NONE, NONE)


@fast
def has_next(at: Ints, heap: Ints, hopes: Floats, most: int) -> bool:
    """Return whether a hunt has a position to expand, perhaps one resumed after a pause."""
    if at[LOOKED] == NONE:
        if at[OPEN] == 0 or at[MADE] >= most:
            return False
        at[LOOKED], at[MOVE] = pop(at, heap, hopes), 0
    return True


@fast
def push(at: Ints, heap: Ints, hopes: Floats, number: int, hope: float) -> None:
    """Add a position to the heap, unless a win is out of reach or already seen."""
    hopes[number] = hope
    if hope == SEEN:
        at[END] = number
    if hope in (OUT, SEEN):
        return
    hole = at[OPEN]
    at[OPEN] += 1
    while hole and is_nearer(hopes, number, heap[(hole - 1) // 2]):
        heap[hole] = heap[(hole - 1) // 2]
        hole = (hole - 1) // 2
    heap[hole] = number


@fast
def pop(at: Ints, heap: Ints, hopes: Floats) -> int:
    """Remove and return the open position nearest to a win."""
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
    """Return whether a position comes before another; ties go to the older one."""
    if hopes[one] == hopes[other]:
        return one < other
    return hopes[one] < hopes[other]


# --- The loops of a game ----------------------------------------------------------------------


class TurnRules(Protocol):
    """A game with long turns on arrays, implemented by a module in its folder `bot`."""

    WORDS: int  # length of a position array
    MOST: int  # upper bound for the number of moves

    def place_of(self, state: Any, /) -> Ints:
        """Return a state of the rules as a position array."""

    def step_of(self, move: int, /) -> Step:
        """Return the notation of a move."""

    def room_of(self) -> Ints:
        """Return an empty scratch array."""

    def options(self, place: Ints, moves: Ints, room: Ints, /) -> int:
        """List the moves without the useless ones; return their count."""

    def tries(self, place: Ints, moves: Ints, room: Ints, /) -> int:
        """List the moves with which a win within the turn can begin; return their count."""

    def play(self, place: Ints, move: int, /) -> None:
        """Apply a legal move in place."""

    def turn_of(self, place: Ints, /) -> int:
        """Return the turn number, from 1; 0 at the end of the match."""

    def side_of(self, place: Ints, /) -> int:
        """Return 0 or 1, the side to move; at the end, the side that moved last."""

    def is_moving(self, place: Ints, /) -> bool:
        """Return whether a move has begun and is not complete."""

    def value(self, place: Ints, side: int, room: Ints, /) -> float:
        """Return the evaluation of a position for a side: WIN if won, -WIN if lost."""

    def glance(self, place: Ints, side: int, room: Ints, /) -> float:
        """Return a fast evaluation for a side."""

    def hope(self, place: Ints, room: Ints, /) -> float:
        """Return the mover's estimated distance to a win this turn, or OUT, or SEEN."""


class Work(NamedTuple):
    """Scratch arrays for the loops."""

    before: Ints  # a position
    place: Ints  # the position after it
    moves: Ints
    room: Ints  # scratch array of the game


class Loops(NamedTuple):
    """The compiled loops for a game."""

    look: Callable[[Frontier, Any, int, Work], bool]
    """Make positions of a beam up to `until` in all; return whether all turns have ended."""
    follow: Callable[[Ints, Ints, Work], float]
    """Return the value of a turn, or NO_TURN if it is illegal; overwrites the position."""
    set_out: Callable[[Frontier, Ints, Work], None]
    """Start a hunt."""
    hunt: Callable[[Frontier, int, int, Work], bool]
    """Make positions of a hunt; pause at `until`. Return whether it is over.

    It is also over at `most` positions."""


def work_of(game: TurnRules) -> Work:
    words = game.WORDS
    return Work(zeros(LARGE, words), zeros(LARGE, words), zeros(SMALL, game.MOST), game.room_of())


def loops_of(game: TurnRules) -> Loops:
    """Build the loops for a game.

    They close over a module, because numba's disk cache does not find closures over functions
    again.
    """

    @fast
    def look(front: Frontier, stream: Ints, until: int, work: Work) -> bool:
        at, more, ended, worth = front.at, front.more, front.ended, front.worth
        before, place, moves, room = work
        turn, mover = game.turn_of(front.places), game.side_of(front.places)
        while at[LOOKED] < at[OPEN]:
            number = front.open[at[LOOKED]]
            fetch(front, number, before)
            size = game.options(before, moves, room)
            begin_anywhere(front, stream, size)
            while at[MOVE] < size:
                move = moves[(at[FROM] + at[MOVE]) % size]
                copy(before, place)
                game.play(place, move)
                has_ended = game.turn_of(place) != turn
                slot = free_slot(front, place, 0 if has_ended else at[LEVEL])
                if slot != NONE:
                    if is_full(at, until, len(worth)):
                        return False
                    new = add(front, place, slot, number, move)
                    worth[new] = game.value(place, mover, room)
                    if sort_in(at, more, ended, worth, new, has_ended):
                        return True
                at[MOVE] += 1
            end_look(front)
        return True

    @fast
    def follow(place: Ints, turn: Ints, work: Work) -> float:
        number, mover = game.turn_of(place), game.side_of(place)
        for index in range(len(turn)):
            if game.turn_of(place) != number:
                return NO_TURN
            size = game.options(place, work.moves, work.room)
            if not is_among(work.moves, size, turn[index]):
                return NO_TURN
            game.play(place, turn[index])
        if game.turn_of(place) != number:
            return game.value(place, mover, work.room)
        return WIN if game.hope(place, work.room) == SEEN else NO_TURN

    @fast
    def set_out(front: Frontier, root: Ints, work: Work) -> None:
        number = open_root(front, root)
        push(front.at, front.open, front.worth, number, game.hope(root, work.room))

    @fast
    def hunt(front: Frontier, most: int, until: int, work: Work) -> bool:
        at, heap, hopes = front.at, front.open, front.worth
        before, place, moves, room = work
        turn, mover = game.turn_of(front.places), game.side_of(front.places)
        while at[END] == NONE:
            if not has_next(at, heap, hopes, most):
                return True
            fetch(front, at[LOOKED], before)
            size = game.tries(before, moves, room)
            while at[MOVE] < size and at[END] == NONE:
                if is_full(at, until, len(hopes)):
                    return False
                move = moves[at[MOVE]]
                at[MADE] += 1
                at[MOVE] += 1
                copy(before, place)
                game.play(place, move)
                if game.turn_of(place) != turn:
                    if game.turn_of(place) == 0 and game.value(place, mover, room) >= WIN:
                        at[END], at[LAST] = at[LOOKED], move
                    continue
                slot = free_slot(front, place, 0)
                if slot != NONE:
                    new = add(front, place, slot, at[LOOKED], move)
                    push(at, heap, hopes, new, game.hope(place, room))
            at[LOOKED] = NONE
        return True

    return Loops(look, follow, set_out, hunt)
