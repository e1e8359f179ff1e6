"""Kitsu!'s turn search on arrays, for a compiler: the `Loops` of core/bots/search/compiled.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kumite.core.bots.fast import LARGE, SMALL, fast, zeros
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
from kumite.core.bots.kitsu.kernel import place_of as place_of
from kumite.core.bots.kitsu.kernel import step_of as step_of
from kumite.core.bots.kitsu.near import Chain, can_finish, chain_of, hope, value
from kumite.core.bots.search import hunt as hunting
from kumite.core.bots.search.tree import copy
from kumite.core.bots.search.turns import WIN
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
    chain: Chain


def work_of() -> Work:
    """Return new room to work in."""
    return Work(zeros(LARGE, WORDS), zeros(LARGE, WORDS), zeros(SMALL, MOST), chain_of())


def side(place: Ints) -> int:
    """Return whose turn it is."""
    return hunting.OVER if count(place, NOW, OVER) else seat_of(place)


@fast
def is_end(place: Ints, turn: int) -> bool:
    """Return whether a turn has ended with this position."""
    return count(place, NOW, OVER) > 0 or count(place, NOW, TURN) != turn


@fast
def look(ways: Ways, stream: Ints, until: int, work: Work) -> bool:
    """Make positions until it is so many in all; return whether all turns have ended."""
    at, more, ended, worth = ways.at, ways.more, ways.ended, ways.worth
    before, place, moves = work.before, work.place, work.moves
    turn, mover = count(ways.places, NOW, TURN), seat_of(ways.places)
    while at[LOOKED] < at[OPEN]:
        number = ways.open[at[LOOKED]]
        fetch(ways, number, before)
        size = options(before, moves)
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
                worth[new] = value(place, mover)
                if sort_in(at, more, ended, worth, new, has_ended):
                    return True
            at[MOVE] += 1
        end_look(ways)
    return True


@fast
def follow(place: Ints, moves: Ints, work: Work) -> float:
    """Return the value of the turn of these moves for who makes it, NO_TURN if they are none."""
    legal, turn, mover = work.moves, count(place, NOW, TURN), seat_of(place)
    for index in range(len(moves)):
        if is_end(place, turn):
            return NO_TURN
        size = options(place, legal)
        if not is_among(legal, size, moves[index]):
            return NO_TURN
        play(place, moves[index])
    if not is_end(place, turn):
        return WIN if can_finish(place, work.chain) else NO_TURN
    return value(place, mover)


@fast
def set_out(ways: Ways, root: Ints, work: Work) -> None:
    """Let a hunt begin."""
    weigh(ways.at, ways.open, ways.worth, open_root(ways, root), root, work.chain)


@fast
def hunt(ways: Ways, most: int, until: int, work: Work) -> bool:
    """Make positions; return whether it is `most` in all or over, False where it only pauses."""
    at, heap, hopes = ways.at, ways.open, ways.worth
    before, place, moves, chain = work.before, work.place, work.moves, work.chain
    turn = count(ways.places, NOW, TURN)
    while at[END] == NONE:
        if not has_next(at, heap, hopes, most):
            return True
        fetch(ways, at[LOOKED], before)
        size = options(before, moves)
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
                weigh(at, heap, hopes, new, place, chain)
        at[LOOKED] = NONE
    return True


@fast
def weigh(at: Ints, heap: Ints, hopes: Floats, number: int, place: Ints, chain: Chain) -> None:
    """Open a position: a win, or where one may be within reach."""
    if can_finish(place, chain):
        at[END] = number
    else:
        push(at, heap, hopes, number, hope(place))
