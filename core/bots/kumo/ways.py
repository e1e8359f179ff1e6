"""Kumo's turn search on arrays, for a compiler: the `Loops` of core/bots/search/compiled.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kumite.core.bots.fast import LARGE, SMALL, fast, zeros
from kumite.core.bots.kumo.kernel import NOW, OVER, WON, WORDS, count, play, seat_of, turn_of
from kumite.core.bots.kumo.kernel import place_of as place_of
from kumite.core.bots.kumo.kernel import step_of as step_of
from kumite.core.bots.kumo.listing import MOST, options, room_of
from kumite.core.bots.kumo.near import near_of, value
from kumite.core.bots.kumo.wins import hope, pairs_of, tries
from kumite.core.bots.search import hunt as hunting
from kumite.core.bots.search.tree import copy
from kumite.core.bots.search.ways import (
    END,
    FROM,
    LAST,
    LEVEL,
    LOOKED,
    MADE,
    MOVE,
    NO_TURN,
    NONE,
    OPEN,
    Ways,
    add,
    begin_anywhere,
    end_look,
    fetch,
    free_slot,
    has_next,
    is_among,
    is_full,
    open_root,
    push,
    sort_in,
)

if TYPE_CHECKING:
    from kumite.core.bots.fast import Floats, Ints


class Work(NamedTuple):
    """Room to work in."""

    before: Ints  # a position
    place: Ints  # one after it
    moves: Ints
    room: Ints
    near: Ints
    pairs: Ints


def work_of() -> Work:
    """Return new room to work in."""
    moves = zeros(SMALL, MOST)
    return Work(zeros(LARGE, WORDS), zeros(LARGE, WORDS), moves, room_of(), near_of(), pairs_of())


def side(place: Ints) -> int:
    """Return whose side has the turn."""
    return hunting.OVER if count(place, NOW, OVER) else seat_of(place) & 1


@fast
def is_end(place: Ints, turn: int) -> bool:
    """Return whether a turn has ended with this position."""
    return count(place, NOW, OVER) > 0 or turn_of(place) != turn


@fast
def look(ways: Ways, stream: Ints, until: int, work: Work) -> bool:
    """Make positions until it is so many in all; return whether all turns have ended."""
    at, more, ended, worth = ways.at, ways.more, ways.ended, ways.worth
    before, place, moves, room, near = work.before, work.place, work.moves, work.room, work.near
    turn, mover = turn_of(ways.places), seat_of(ways.places) & 1
    while at[LOOKED] < at[OPEN]:
        number = ways.open[at[LOOKED]]
        fetch(ways, number, before)
        size = options(before, moves, room)
        begin_anywhere(ways, stream, size)
        while at[MOVE] < size:
            move = moves[(at[FROM] + at[MOVE]) % size]
            copy(before, place)
            play(place, move)
            has_ended = is_end(place, turn)
            slot = free_slot(ways, place, 0 if has_ended else at[LEVEL])
            if slot != NONE:
                if is_full(at, until, len(worth)):
                    return False
                new = add(ways, place, slot, number, move)
                worth[new] = value(place, mover, near)
                if sort_in(at, more, ended, worth, new, has_ended):
                    return True
            at[MOVE] += 1
        end_look(ways)
    return True


@fast
def follow(place: Ints, moves: Ints, work: Work) -> float:
    """Return the value of the turn of these moves for who makes it, NO_TURN if they are none."""
    legal, turn, mover = work.moves, turn_of(place), seat_of(place) & 1
    for index in range(len(moves)):
        if is_end(place, turn):
            return NO_TURN
        size = options(place, legal, work.room)
        if not is_among(legal, size, moves[index]):
            return NO_TURN
        play(place, moves[index])
    return value(place, mover, work.near) if is_end(place, turn) else NO_TURN


@fast
def set_out(ways: Ways, root: Ints, work: Work) -> None:
    """Let a hunt begin."""
    weigh(ways.at, ways.open, ways.worth, open_root(ways, root), root, work.pairs)


@fast
def hunt(ways: Ways, most: int, until: int, work: Work) -> bool:
    """Make positions; return whether it is `most` in all or over, False where it only pauses."""
    at, heap, hopes = ways.at, ways.open, ways.worth
    before, place, moves, room = work.before, work.place, work.moves, work.room
    turn = turn_of(ways.places)
    while at[END] == NONE:
        if not has_next(at, heap, hopes, most):
            return True
        fetch(ways, at[LOOKED], before)
        size = tries(before, moves, options(before, moves, room))
        while at[MOVE] < size and at[END] == NONE:
            if is_full(at, until, len(hopes)):
                return False
            move = moves[at[MOVE]]
            at[MADE] += 1
            at[MOVE] += 1
            copy(before, place)
            play(place, move)
            if is_end(place, turn):
                if count(place, NOW, OVER) == WON:
                    at[END], at[LAST] = at[LOOKED], move
                continue
            slot = free_slot(ways, place, 0)
            if slot != NONE:
                new = add(ways, place, slot, at[LOOKED], move)
                weigh(at, heap, hopes, new, place, work.pairs)
        at[LOOKED] = NONE
    return True


@fast
def weigh(at: Ints, heap: Ints, hopes: Floats, number: int, place: Ints, pairs: Ints) -> None:
    """Open a position if a win may be within reach."""
    push(at, heap, hopes, number, hope(place, pairs))
