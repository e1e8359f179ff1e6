"""The exact end of a match of two on arrays: what search/endgame.py does, for a compiler to take.

The same positions are looked at in the same order. A compiled search cannot be called back, so it
can pause instead: what is open is kept by depth, each depth a position after one of that above.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import LARGE, REAL, SMALL, fast, numbers, rows, zeros
from kumite.core.bots.kuzushi.kernel import CITY, MOST, lay, options, standing, winners
from kumite.core.bots.search.tree import copy

if TYPE_CHECKING:
    from collections.abc import MutableSequence

    from kumite.core.bots.fast import Floats, Ints
    from kumite.core.bots.kuzushi.kernel import Board, Work

DEEPEST: Final = 48  # each move lays a base, and there are two hands
KINDS: Final = 5  # of what lies on a square: for each seat a flag or a base, or nothing
PLACES: Final = 1 << 12  # of the table of what is known, at first
KEY_BITS: Final = 63  # that two of a million positions have the same is one chance in ten million


class Ending(NamedTuple):
    """An exact search: what is open, by depth, and what is known."""

    places: MutableSequence[Ints]
    moves: MutableSequence[Ints]
    listed: Ints  # how many moves
    next: Ints  # which of them to look at
    best: Floats  # worth to seat 0 of the moves looked at
    least: Floats  # bounds of what matters
    most: Floats
    low: Floats  # what was known of it before
    high: Floats
    key: Ints
    worths: Floats  # of the root's moves
    at: Ints  # the depth, the positions looked at, those that are known
    codes: Ints  # by square and kind, for keys
    keys: Ints  # a hash table of positions, 0 is free
    lows: Floats  # the least and the most that they can be worth
    highs: Floats


DEPTH, LOOKED, KNOWN = 0, 1, 2


def ending_of(board: Board, root: Ints, work: Work) -> Ending:
    """Return a search that is to begin."""
    kinds = [(SMALL, DEEPEST)] * 2 + [(REAL, DEEPEST)] * 5
    kinds += [(LARGE, DEEPEST), (REAL, MOST), (SMALL, 3)]
    codes = numbers(LARGE, _codes(board.ranks * KINDS + 1))
    table = [zeros(LARGE, PLACES), zeros(REAL, PLACES), zeros(REAL, PLACES)]
    by_depth = [rows(SMALL, DEEPEST, len(root)), rows(SMALL, DEEPEST, MOST)]
    end = Ending(*[*by_depth, *[zeros(kind, size) for kind, size in kinds], codes, *table])
    copy(root, end.places[0])
    begin(board, end, 0, 0.0, 1.0, work)
    return end


def _codes(count: int) -> list[int]:
    """Return numbers without a pattern, by splitmix64."""
    found = []
    for number in range(1, count + 1):
        mixed = number * 0x9E3779B97F4A7C15 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & (1 << 64) - 1
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & (1 << 64) - 1
        found.append((mixed ^ mixed >> 31) >> 64 - KEY_BITS)
    return found


@fast
def go_on(board: Board, end: Ending, until: int, work: Work) -> bool:
    """Look at positions until it is so many in all; return whether all is known."""
    while True:
        depth = end.at[DEPTH]
        if end.next[depth] == end.listed[depth] or (depth and end.least[depth] >= end.most[depth]):
            if depth == 0:
                return True
            learn(end, depth)
            end.at[DEPTH] = depth - 1
            take(board, end, depth - 1, end.best[depth])
        elif end.at[LOOKED] >= until or 2 * end.at[KNOWN] >= len(end.keys):
            return False
        else:
            end.at[LOOKED] += 1
            copy(end.places[depth], end.places[depth + 1])
            lay(board, end.places[depth + 1], end.moves[depth][end.next[depth]])
            end.next[depth] += 1
            enter(board, end, depth + 1, work)


@fast
def enter(board: Board, end: Ending, depth: int, work: Work) -> None:
    """Look at a position: take what it is worth if that is known, else open it."""
    place = end.places[depth]
    if place[board.over]:
        shared = winners(board, place, work)
        take(board, end, depth - 1, 1 / shared if work.gains[0] else 0.0)
        return
    least, most = bounds(end, depth)
    end.key[depth] = key_of(board, end, place)
    slot = slot_of(end, end.key[depth])
    low, high = 0.0, 1.0
    if end.keys[slot]:
        low, high = end.lows[slot], end.highs[slot]
    if low >= most or low == high:
        take(board, end, depth - 1, low)
    elif high <= least:
        take(board, end, depth - 1, high)
    else:
        end.low[depth], end.high[depth] = low, high
        begin(board, end, depth, max(least, low), min(most, high), work)


@fast
def bounds(end: Ending, depth: int) -> tuple[float, float]:
    """Return within what a position is to be known: each of the root's moves exactly."""
    if depth == 1:
        return 0.0, 1.0
    return end.least[depth - 1], end.most[depth - 1]


@fast
def begin(board: Board, end: Ending, depth: int, least: float, most: float, work: Work) -> None:
    """Open a position: list its moves, those first that gain most cards."""
    place, moves = end.places[depth], end.moves[depth]
    seat = place[board.turn]
    end.at[DEPTH], end.next[depth] = depth, 0
    end.best[depth] = 1.0 if seat else 0.0
    end.least[depth], end.most[depth] = least, most
    end.listed[depth] = options(board, place, moves)
    for index in range(end.listed[depth]):
        move = moves[index]
        copy(place, work.other)
        lay(board, work.other, move)
        lead, hole = standing(board, work.other, seat), index
        while hole and work.gains[hole - 1] <= lead:
            work.gains[hole], moves[hole] = work.gains[hole - 1], moves[hole - 1]
            hole -= 1
        work.gains[hole], moves[hole] = lead, move


@fast
def take(board: Board, end: Ending, depth: int, worth: float) -> None:
    """Take in what the move that was looked at last is worth."""
    if depth == 0:
        end.worths[end.next[0] - 1] = worth
    elif end.places[depth][board.turn]:
        end.best[depth] = min(end.best[depth], worth)
        end.most[depth] = min(end.most[depth], end.best[depth])
    else:
        end.best[depth] = max(end.best[depth], worth)
        end.least[depth] = max(end.least[depth], end.best[depth])


# --- What is known ----------------------------------------------------------------------------


@fast
def learn(end: Ending, depth: int) -> None:
    """Keep what is known of a position that has been looked through."""
    least, most = bounds(end, depth)
    best, low, high = end.best[depth], end.low[depth], end.high[depth]
    slot = slot_of(end, end.key[depth])
    end.at[KNOWN] += int(end.keys[slot] == 0)
    end.keys[slot] = end.key[depth]
    end.lows[slot] = low if best <= max(least, low) else best
    end.highs[slot] = high if best >= min(most, high) else best


@fast
def key_of(board: Board, end: Ending, place: Ints) -> int:
    """Return what stands for a position, never 0."""
    key = end.codes[len(end.codes) - 1] if place[board.turn] else 0
    for square in range(board.ranks):
        card = place[square]
        if card and card != CITY:
            key ^= end.codes[square * KINDS + card + 2]
    return key if key else 1


@fast
def slot_of(end: Ending, key: int) -> int:
    """Return where a position is in the table, or would be."""
    last = len(end.keys) - 1
    slot = key & last
    while end.keys[slot] and end.keys[slot] != key:
        slot = slot + 1 & last
    return slot


@fast
def refill(end: Ending, old: Ending) -> None:
    """Put all that is known into a table that is empty."""
    for index in range(len(old.keys)):
        if old.keys[index]:
            slot = slot_of(end, old.keys[index])
            end.keys[slot] = old.keys[index]
            end.lows[slot], end.highs[slot] = old.lows[index], old.highs[index]


def with_room(end: Ending) -> Ending:
    """Return the search with a table that is half empty, if it was not."""
    size = len(end.keys)
    if 2 * end.at[KNOWN] < size:
        return end
    larger = end._replace(
        keys=zeros(LARGE, 2 * size), lows=zeros(REAL, 2 * size), highs=zeros(REAL, 2 * size)
    )
    refill(larger, end)
    return larger
