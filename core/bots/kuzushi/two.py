"""Kuzushi for two on a handful of integers: what a plain search does most, without lists.

It plays, draws and prefers what game.py does for any number of seats, only sooner; a test holds
them against each other. Sets of squares are integers as in the rules, and a square is the set of
it alone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kumite.core.games.kuzushi.rules import CARDS, grid, squares_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Side: TypeAlias = tuple[int, int]  # its bases, its flags
Laid: TypeAlias = tuple[int, int, int, int]
"""After a step: bases and flags of whoever made it, flags of the other, and what fits now."""


class Square(NamedTuple):
    """What a step asks of a square."""

    reach: int  # squares that fit on a board with this one; those of a board fit with all its cards
    beside: tuple[tuple[int, int, int], ...]
    """Up, right, down, left: the neighbour, the neighbours of that, and its reach."""


class Board(NamedTuple):
    """A board of one size."""

    city: int
    stride: int  # squares of a rank, the spare one included
    full: int  # squares of a full board
    squares: Mapping[int, Square]


@cache
def board_on(limit: int) -> Board:
    """Return the board of that size."""
    found = grid(limit)
    reach = {square: found.window(1 << square) for square in squares_of(found.board)}
    squares = {
        1 << square: Square(
            reach[square],
            tuple((1 << near, found.near[near], reach[near]) for near in found.around[square]),
        )
        for square in reach
    }
    return Board(1 << found.city, 2 * limit, limit * limit, squares)


def options(board: Board, mine: Side, theirs: Side, window: int) -> int:
    """Return the squares for a new base."""
    cards = board.city | mine[0] | mine[1] | theirs[0] | theirs[1]
    stride = board.stride
    return (cards << stride | cards >> stride | cards << 1 | cards >> 1) & ~cards & window


def lay(board: Board, square: int, mine: Side, theirs: Side, window: int) -> Laid:
    """Lay a base on a square, or turn over the flag there; `window` is what fits before it."""
    (bases, flags), (their_bases, their_flags) = mine, theirs
    reach, beside = board.squares[square]
    bases |= square
    flags &= ~square
    window &= reach
    solid = board.city | bases | their_bases
    open_to = (flags | their_flags | window) & ~solid
    for near, around, reach in beside:
        if not near & open_to:
            continue
        if against := around & their_bases:
            more = (around & bases).bit_count() - against.bit_count()
            if more < 0:
                continue  # who held the square still does, or nobody does
            if not more:
                flags &= ~near
                their_flags &= ~near
                continue
        their_flags &= ~near
        if not flags & near and (bases | flags).bit_count() < CARDS:
            flags |= near
            window &= reach
    return bases, flags, their_flags, window


def is_over(board: Board, laid: Laid, their_bases: int) -> bool:
    """Return whether the match is over after a step."""
    own = (laid[0] | laid[1]).bit_count()
    return own >= CARDS or 1 + own + (their_bases | laid[2]).bit_count() == board.full


def in_order(limit: int, mine: Side, theirs: Side) -> list[int]:
    """List the moves of a search, as `game.KuzushiGame.moves` does."""
    board = board_on(limit)
    window = grid(limit).window(board.city | mine[0] | mine[1] | theirs[0] | theirs[1])
    found, leads = [], []
    for of, sign in ((options(board, mine, theirs, window), 0), (mine[1], -1)):
        for number in squares_of(of):
            bases, flags, their_flags, _ = lay(board, 1 << number, mine, theirs, window)
            leads.append((bases | flags).bit_count() - (theirs[0] | their_flags).bit_count())
            found.append(number ^ sign)
    order = sorted(range(len(found)), key=leads.__getitem__, reverse=True)
    return [found[index] for index in order]


def play_out(
    limit: int, mine: Side, theirs: Side, random: Callable[[], float]
) -> tuple[Side, Side]:
    """Play to the end, each move the better one of two at random; return both sides then."""
    board = board_on(limit)
    window = grid(limit).window(board.city | mine[0] | mine[1] | theirs[0] | theirs[1])
    has_begun = True  # whose turn it is
    while True:
        new = options(board, mine, theirs, window)
        fresh, own = new.bit_count(), mine[1]
        whole = fresh + own.bit_count()
        index, other = int(random() * whole), int(random() * whole)
        laid = lay(board, _at(index, fresh, new, own), mine, theirs, window)
        if other != index:
            also = lay(board, _at(other, fresh, new, own), mine, theirs, window)
            if _standing(also, theirs[0]) > _standing(laid, theirs[0]):
                laid = also
        bases, flags, their_flags, window = laid
        mine, theirs = (theirs[0], their_flags), (bases, flags)
        has_begun = not has_begun
        if is_over(board, laid, mine[0]):
            return (mine, theirs) if has_begun else (theirs, mine)


def _at(index: int, fresh: int, new: int, own: int) -> int:
    """Return the square of that number among those for a new base, then among own flags."""
    left = new
    if index >= fresh:
        left, index = own, index - fresh
    for _ in range(index):
        left &= left - 1
    return left & -left


def _standing(laid: Laid, their_bases: int) -> int:
    """Return how well whoever made a step stands, as `game.standing` does."""
    return 2 * (laid[0] | laid[1]).bit_count() - (their_bases | laid[2]).bit_count()
