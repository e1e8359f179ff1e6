"""Kuzushi on arrays: what game.py plays on sets of squares, once more for a compiler.

A position is an array. By square stands what lies there: 0 nothing, n a base of seat n - 1, -n its
flag, CITY the city. Behind the squares follow how many cards lie on each rank and each file, how
many each seat has laid, whose turn it is, and whether the match is over.

Moves are listed and tried, and numbers drawn and added up, in the order of game.py, which is the
truth: from the same seed both choose the same; tests hold them against each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.fast import REAL, SMALL, fast, numbers, zeros
from kumite.core.bots.kuzushi.game import MARGIN, WIDEN
from kumite.core.bots.search.stream import draw
from kumite.core.bots.search.tree import add, back_up, copy, pick, wants_more
from kumite.core.bots.search.uct import OVER
from kumite.core.games.kuzushi.rules import CARDS, squares_of

if TYPE_CHECKING:
    from kumite.core.bots.fast import Floats, Ints
    from kumite.core.bots.kuzushi.game import Place
    from kumite.core.bots.search.tree import Tree
    from kumite.core.games.kuzushi.rules import Grid

CITY: Final = 100
MOST: Final = 160  # moves that there can be


class Board(NamedTuple):
    """A board of one size for so many seats, and where in a position something stands."""

    limit: int  # squares that it is wide and high at most
    seats: int
    stride: int  # squares of a rank, the spare one included
    ranks: int  # where the counts of ranks begin
    files: int
    laid: int  # and of cards by seat
    turn: int
    over: int
    around: Ints  # four by square: up, right, down, left; off the grid a spare square
    rank: Ints  # by square: where its rank is counted
    file: Ints


class Work(NamedTuple):
    """Room to work in."""

    place: Ints
    other: Ints
    moves: Ints
    gains: Ints
    scores: Floats


def board_of(grid: Grid, seats: int) -> Board:
    """Return the board."""
    squares, stride = len(grid.names), 2 * grid.limit
    ranks = squares
    files = ranks + stride - 1
    laid = files + stride
    turn = laid + seats
    spare = [stride - 1] * 4  # nothing ever lies there
    return Board(
        *(grid.limit, seats, stride, ranks, files, laid, turn, turn + 1),
        numbers(SMALL, [near for beside in grid.around for near in [*beside, *spare][:4]]),
        numbers(SMALL, [ranks + square // stride for square in range(squares)]),
        numbers(SMALL, [files + square % stride for square in range(squares)]),
    )


def place_of(board: Board, city: int, given: Place) -> Ints:
    """Return a position of game.py; the city lies on the square `city`."""
    turn, bases, flags, is_over = given
    place: Ints = zeros(SMALL, board.over + 1)
    put(board, place, city, CITY)
    for seat in range(board.seats):
        for square in squares_of(bases[seat]):
            put(board, place, square, seat + 1)
        for square in squares_of(flags[seat]):
            put(board, place, square, -seat - 1)
    place[board.turn], place[board.over] = turn, int(is_over)
    return place


def work_of(board: Board) -> Work:
    """Return new room to work in."""
    place, other = zeros(SMALL, board.over + 1), zeros(SMALL, board.over + 1)
    return Work(place, other, zeros(SMALL, MOST), zeros(SMALL, MOST), zeros(REAL, board.seats))


# --- The rules --------------------------------------------------------------------------------


@fast
def put(board: Board, place: Ints, square: int, card: int) -> None:
    """Let `card` be what lies on a square."""
    before = place[square]
    change = int(card != 0) - int(before != 0)
    place[board.rank[square]] += change
    place[board.file[square]] += change
    if before and before != CITY:
        place[board.laid + abs(before) - 1] -= 1
    if card and card != CITY:
        place[board.laid + abs(card) - 1] += 1
    place[square] = card


@fast
def span(place: Ints, begin: int, limit: int) -> tuple[int, int]:
    """Return the first and last rank that fits, or file, from the counts that begin there."""
    low, high = 0, 2 * limit - 2
    while not place[begin + low]:
        low += 1
    while not place[begin + high]:
        high -= 1
    return max(0, high - limit + 1), min(2 * limit - 2, low + limit - 1)


@fast
def options(board: Board, place: Ints, moves: Ints) -> int:
    """List the squares for a new base, then, as `~square`, the flags to turn; return how many."""
    bottom, top = span(place, board.ranks, board.limit)
    first, last = span(place, board.files, board.limit)
    count = 0
    for rank in range(bottom, top + 1):
        for square in range(rank * board.stride + first, rank * board.stride + last + 1):
            if place[square] == 0:
                for index in range(4 * square, 4 * square + 4):
                    if place[board.around[index]]:
                        moves[count] = square
                        count += 1
                        break
    flag = -place[board.turn] - 1
    for rank in range(bottom, top + 1):
        for square in range(rank * board.stride + first, rank * board.stride + last + 1):
            if place[square] == flag:
                moves[count] = ~square
                count += 1
    return count


@fast
def lay(board: Board, place: Ints, move: int) -> None:
    """Carry a move out."""
    square = ~move if move < 0 else move
    turn = place[board.turn]
    put(board, place, square, turn + 1)
    bottom, top = span(place, board.ranks, board.limit)
    first, last = span(place, board.files, board.limit)
    for index in range(4 * square, 4 * square + 4):
        near = board.around[index]
        rank, file = board.rank[near] - board.ranks, board.file[near] - board.files
        fits = bottom <= rank <= top and first <= file <= last
        if place[near] < 0 or (place[near] == 0 and fits):
            mark(board, place, near)
    full = 1
    for seat in range(board.seats):
        full += place[board.laid + seat]
    if place[board.laid + turn] >= CARDS or full == board.limit * board.limit:
        place[board.over] = 1
    else:
        place[board.turn] = turn + 1 if turn + 1 < board.seats else 0


@fast
def mark(board: Board, place: Ints, square: int) -> None:
    """Re-evaluate a neighbour; only the mover has more bases than before."""
    turn = place[board.turn]
    mine = near_bases(board, place, square, turn)
    most = 0
    for seat in range(board.seats):
        if seat != turn:
            most = max(most, near_bases(board, place, square, seat))
    flag = -turn - 1
    if mine < most or (mine > most and place[square] == flag):
        return
    if place[square]:
        put(board, place, square, 0)
    if mine > most and place[board.laid + turn] < CARDS:
        put(board, place, square, flag)


@fast
def near_bases(board: Board, place: Ints, square: int, seat: int) -> int:
    """Return how many bases of a seat lie beside a square."""
    count = 0
    for index in range(4 * square, 4 * square + 4):
        if place[board.around[index]] == seat + 1:
            count += 1
    return count


@fast
def standing(board: Board, place: Ints, seat: int) -> int:
    """Return how well a seat stands: its own cards count twice, the strongest other's once."""
    most = 0
    for other in range(board.seats):
        if other != seat:
            most = max(most, place[board.laid + other])
    return 2 * place[board.laid + seat] - most


# --- The end ----------------------------------------------------------------------------------


@fast
def points_of(board: Board, place: Ints, seat: int) -> int:
    """Return the cards of a seat, the city among them."""
    return place[board.laid + seat] + int(seat == 0)


@fast
def island(board: Board, place: Ints, seat: int, work: Work) -> int:
    """Return the size of a seat's largest island; the cards of the seat are taken off the table."""
    largest = 0
    for begin in range(board.ranks):
        count, size = 0, 0
        if owner(place, begin) == seat:
            work.moves[0], count = begin, 1
            place[begin] = 0
        while size < count:
            square = work.moves[size]
            size += 1
            for index in range(4 * square, 4 * square + 4):
                near = board.around[index]
                if owner(place, near) == seat:
                    work.moves[count] = near
                    count += 1
                    place[near] = 0
        largest = max(largest, size)
    return largest


@fast
def owner(place: Ints, square: int) -> int:
    """Return whose card lies on a square, -1 if none does; the city is the first seat's."""
    card = place[square]
    return 0 if card == CITY else abs(card) - 1


@fast
def winners(board: Board, place: Ints, work: Work) -> int:
    """Return how many share the win; `work.gains` says by seat whether it does."""
    most, count = 0, 0
    for seat in range(board.seats):
        most = max(most, points_of(board, place, seat))
    for seat in range(board.seats):
        work.gains[seat] = int(points_of(board, place, seat) == most)
        count += work.gains[seat]
    if count == 1:
        return 1
    copy(place, work.other)
    most = 0
    for seat in range(board.seats):
        if work.gains[seat]:
            work.gains[seat] = island(board, work.other, seat, work)
            most = max(most, work.gains[seat])
    count = 0
    for seat in range(board.seats):
        work.gains[seat] = int(work.gains[seat] == most)
        count += work.gains[seat]
    return count


@fast
def score(board: Board, place: Ints, work: Work) -> None:
    """Write the score of each seat at the end: the win, and a little for the lead."""
    best, second = -1, -1
    for seat in range(board.seats):
        points = points_of(board, place, seat)
        best, second = max(best, points), max(second, min(best, points))
    shared = winners(board, place, work)
    lead = MARGIN / (board.limit * board.limit)
    mean = 1 / board.seats
    for seat in range(board.seats):
        points = points_of(board, place, seat)
        work.scores[seat] = (
            (1 - MARGIN) * (1 / shared if work.gains[seat] else 0.0)
            + MARGIN * mean
            + lead * (points - (second if points == best else best))
        )


# --- The search -------------------------------------------------------------------------------


@fast
def grow(tree: Tree, stream: Ints, times: int, board: Board, root: Ints, work: Work) -> None:
    """Make so many simulations."""
    place = work.place
    for _ in range(times):
        copy(root, place)
        node, depth = 0, 0
        while tree.mover[node] != OVER and (node == 0 or tree.visits[node]):
            if not tree.moves[node]:
                tree.moves[node] = options(board, place, work.moves)
            if wants_more(tree, node, WIDEN):
                order(board, place, work)
                move = work.moves[tree.tried[node]]
                lay(board, place, move)
                mover = OVER if place[board.over] else place[board.turn]
                node = add(tree, node, move, mover)
            else:
                node = pick(tree, node)
                lay(board, place, tree.move[node])
            depth += 1
            tree.path[depth] = node
        playout(board, place, stream, work)
        back_up(tree, depth, work.scores)


@fast
def order(board: Board, place: Ints, work: Work) -> int:
    """List the moves, those first that gain most cards at once; return how many."""
    count = options(board, place, work.moves)
    seat = place[board.turn]
    for index in range(count):
        move = work.moves[index]
        copy(place, work.other)
        lay(board, work.other, move)
        mine, rest, most = work.other[board.laid + seat], 0, 0
        for other in range(board.seats):
            if other != seat:
                rest += work.other[board.laid + other]
                most = max(most, work.other[board.laid + other])
        gain, hole = 2 * mine - rest - most, index
        while hole and work.gains[hole - 1] < gain:
            work.gains[hole], work.moves[hole] = work.gains[hole - 1], work.moves[hole - 1]
            hole -= 1
        work.gains[hole], work.moves[hole] = gain, move
    return count


@fast
def playout(board: Board, place: Ints, stream: Ints, work: Work) -> None:
    """Play to the end and score it; each move is the better one of two at random."""
    while not place[board.over]:
        turn = place[board.turn]
        count = options(board, place, work.moves)
        index, also = int(draw(stream) * count), int(draw(stream) * count)
        if also == index:
            lay(board, place, work.moves[index])
            continue
        copy(place, work.other)
        lay(board, place, work.moves[index])
        lay(board, work.other, work.moves[also])
        if standing(board, work.other, turn) > standing(board, place, turn):
            copy(work.other, place)
    score(board, place, work)
