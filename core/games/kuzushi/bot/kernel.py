"""Kuzushi for the searches: the rules on an array, playouts, tree search and exact endings.

The rules are those of core.games.kuzushi; a test compares them. A move is a square, `rank * STRIDE
+ file`, with a1 on rank 1 and file 0. On an own flag it turns the flag over.

The value of a square is n for a base of seat n - 1, -n for its flag, or one of the constants below.
Squares that can no longer be built on are OUT, so the limits of the board need no checks. The
bounding box never shrinks, since a flag appears only beside a base.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from functools import cache
from hashlib import blake2b
from typing import Final, NamedTuple

from kumite.core.bots.fast import (
    LARGE,
    REAL,
    SMALL,
    Draws,
    Floats,
    Ints,
    copy,
    draw,
    fast,
    numbers,
    rows,
    sort,
    zeros,
)
from kumite.core.bots.search.tree import OVER, Tree, TreeSearch, add, back_up, pick, wants_more
from kumite.core.games.kuzushi.rules import CARDS, State, actors, places, squares_of

WIDEN: Final = 0.5  # with few simulations, only the greediest moves are tried, each often enough
MARGIN: Final = 0.25  # weight of the lead in a score; the rest is the win

STRIDE: Final = 20  # squares per rank on the largest grid, including a spare one
SIZE: Final = STRIDE * 21  # squares of the grid, including a spare rank on both sides
UNSEEN: Final = 0  # empty, never adjacent to a card
FREE: Final = -7  # empty, adjacent to a card
LEFT_ALONE: Final = -8  # empty, no longer adjacent to a card
OUT: Final = 7
CITY: Final = 8

# Layout of a position: first the squares, then
MOST: Final = SIZE  # by square: the most adjacent bases of any one seat
OPEN: Final = 2 * SIZE  # a list of the squares that are FREE or hold a flag, and others
LISTED: Final = 3 * SIZE  # length of OPEN
TURN: Final = LISTED + 1  # the seat to act
ENDED: Final = LISTED + 2  # whether the match is over
TABLE: Final = LISTED + 3  # number of cards on the table
LIMIT: Final = LISTED + 4  # maximum width and height of the board
LOW, HIGH, LEFT, RIGHT = LISTED + 5, LISTED + 6, LISTED + 7, LISTED + 8  # the bounding box
SEATS: Final = LISTED + 9
LAID: Final = LISTED + 10  # by seat: its cards on the table
BESIDE: Final = LAID + 6  # by seat and square: adjacent bases of that seat


def place_of(state: State) -> Ints:
    place: Ints = zeros(SMALL, BESIDE + len(state.bases) * SIZE)
    grid, limit, cards = state.grid, state.limit, state.cards
    fits = grid.window(cards)
    for square in range(SIZE):
        place[square] = OUT
    for square in squares_of(fits & grid.board):
        place[at(limit, square)] = UNSEEN
    place[at(limit, grid.city)] = CITY
    for seat, (bases, flags) in enumerate(zip(state.bases, state.flags, strict=True)):
        for square in squares_of(bases):
            place[at(limit, square)] = seat + 1
            for near in grid.around[square]:
                beside = at(limit, near)
                place[BESIDE + seat * SIZE + beside] += 1
                most = place[BESIDE + seat * SIZE + beside]
                place[MOST + beside] = max(place[MOST + beside], most)
        for square in squares_of(flags):
            place[at(limit, square)] = -seat - 1
        place[LAID + seat] = (bases | flags).bit_count()
    count = 0
    for square in squares_of(places(state) | cards):
        one = at(limit, square)
        place[one] = FREE if place[one] == UNSEEN else place[one]
        if place[one] < 0:
            place[OPEN + count] = one
            count += 1
    left, right, low, high = grid.box(cards)
    place[LEFT], place[RIGHT], place[LOW], place[HIGH] = left, right, low + 1, high + 1
    place[LISTED], place[TURN], place[TABLE] = count, state.turn, cards.bit_count()
    place[LIMIT], place[SEATS], place[ENDED] = limit, len(state.bases), int(not actors(state))
    return place


def at(limit: int, square: int) -> int:
    """Convert a square of the rules' grid to a square here."""
    rank, file = divmod(square, 2 * limit)
    return (rank + 1) * STRIDE + file


# --- The rules --------------------------------------------------------------------------------


@fast
def lay(place: Ints, square: int) -> None:
    """Lay a base of the seat to act on a square, or turn over its flag there."""
    seat = place[TURN]
    flag, mines, hand = -seat - 1, BESIDE + seat * SIZE, LAID + seat
    cards = place[TABLE]
    if place[square] == FREE:
        place[hand] += 1
        cards += 1
    place[square] = seat + 1
    reach(place, square)
    for near in (square + STRIDE, square + 1, square - STRIDE, square - 1):
        card = place[near]
        if card > 0:
            continue
        mine, most = place[mines + near], place[MOST + near]
        place[mines + near] = mine + 1
        if mine == most:  # now it has more adjacent bases than any other
            place[MOST + near] = mine + 1
            if card == flag:
                continue
            if card != FREE:
                place[LAID - 1 - card] -= 1
                cards -= 1
            if place[hand] < CARDS:
                place[near] = flag
                place[hand] += 1
                cards += 1
                if card == FREE:
                    reach(place, near)
            elif card != FREE:
                clear(place, near)
        elif mine + 1 == most and card != FREE:
            place[LAID - 1 - card] -= 1
            cards -= 1
            clear(place, near)
    place[TABLE] = cards
    if place[hand] >= CARDS or cards == place[LIMIT] * place[LIMIT]:
        place[ENDED] = 1
    else:
        place[TURN] = seat + 1 if seat + 1 < place[SEATS] else 0


@fast
def reach(place: Ints, square: int) -> None:
    """List the squares beside a new card, and extend the bounding box."""
    is_rim = False
    for near in (square + STRIDE, square + 1, square - STRIDE, square - 1):
        card = place[near]
        if card == UNSEEN:
            place[near] = FREE
            place[OPEN + place[LISTED]] = near
            place[LISTED] += 1
            is_rim = True
        elif card == OUT:
            is_rim = True
        elif card == LEFT_ALONE:
            place[near] = FREE
    if not is_rim:
        return  # the box does not grow
    rank, file, limit = square // STRIDE, square % STRIDE, place[LIMIT]
    if rank > place[HIGH]:
        place[HIGH] = rank
        shut(place, (rank - limit) * STRIDE, (rank - limit + 1) * STRIDE, 1)
    elif rank < place[LOW]:
        place[LOW] = rank
        shut(place, (rank + limit) * STRIDE, (rank + limit + 1) * STRIDE, 1)
    elif file > place[RIGHT]:
        place[RIGHT] = file
        shut(place, file - limit, SIZE, STRIDE)
    elif file < place[LEFT]:
        place[LEFT] = file
        shut(place, file + limit, SIZE, STRIDE)


@fast
def clear(place: Ints, square: int) -> None:
    place[square] = FREE
    for near in (square + STRIDE, square + 1, square - STRIDE, square - 1):
        if place[near] == FREE:
            place[near] = LEFT_ALONE
            for other in (near + STRIDE, near + 1, near - STRIDE, near - 1):
                if place[other] > FREE and place[other] != UNSEEN and place[other] != OUT:
                    place[near] = FREE


@fast
def shut(place: Ints, begin: int, end: int, step: int) -> None:
    for square in range(begin, end, step):
        place[square] = OUT


@fast
def gain(place: Ints, square: int, weight: int) -> int:
    """Return the immediate gain of a move: own cards times `weight`, plus the others' losses."""
    seat = place[TURN]
    flag, mines = -seat - 1, BESIDE + seat * SIZE
    own, lost = int(place[square] == FREE), 0
    for near in (square + STRIDE, square + 1, square - STRIDE, square - 1):
        card = place[near]
        if card > 0 or card == flag:
            continue
        mine, most = place[mines + near], place[MOST + near]
        if mine == most:
            own += 1
            if FREE < card < 0:
                lost += 1
        elif card > FREE and mine + 1 == most and card < 0:
            lost += 1
    left = CARDS - place[LAID + seat]
    return weight * (own if own < left else left) + lost


@fast
def order(place: Ints, moves: Ints) -> int:
    """List the moves, highest gain first (square = move % SIZE); return their number."""
    flag, count = -place[TURN] - 1, 0
    for index in range(OPEN, OPEN + place[LISTED]):
        square = place[index]
        card = place[square]
        if card == FREE or card == flag:  # noqa: SIM109  # a tuple takes longer
            moves[count] = square - gain(place, square, 1) * SIZE
            count += 1
    sort(moves, count)
    return count


# --- The end ----------------------------------------------------------------------------------


class Work(NamedTuple):
    """Scratch arrays."""

    place: Ints
    moves: Ints
    own: Ints  # by square, zeros between calls
    wins: Ints
    scores: Floats


def work_of(place: Ints) -> Work:
    kinds = [(SMALL, len(place)), (SMALL, SIZE), (SMALL, SIZE), (SMALL, 6), (REAL, 6)]
    return Work(*[zeros(kind, size) for kind, size in kinds])


@fast
def winners(place: Ints, work: Work) -> int:
    """Write for each seat whether it wins or shares the win; return the number of winners."""
    wins, most, count = work.wins, 0, 0
    for seat in range(place[SEATS]):
        wins[seat] = place[LAID + seat] + int(seat == 0)  # the city
        most = max(most, wins[seat])
    for seat in range(place[SEATS]):
        wins[seat] = int(wins[seat] == most)
        count += wins[seat]
    if count == 1:
        return 1
    most, count = 0, 0
    for seat in range(place[SEATS]):
        if wins[seat]:
            wins[seat] = island(place, seat, work)
            most = max(most, wins[seat])
    for seat in range(place[SEATS]):
        wins[seat] = int(wins[seat] == most)
        count += wins[seat]
    return count


@fast
def island(place: Ints, seat: int, work: Work) -> int:
    """Return the size of a seat's largest island."""
    own, found, largest = work.own, work.moves, 0
    for rank in range(place[LOW], place[HIGH] + 1):
        for square in range(rank * STRIDE + place[LEFT], rank * STRIDE + place[RIGHT] + 1):
            card = place[square]
            own[square] = int(abs(card) == seat + 1 or (card == CITY and seat == 0))
    for rank in range(place[LOW], place[HIGH] + 1):
        for begin in range(rank * STRIDE + place[LEFT], rank * STRIDE + place[RIGHT] + 1):
            count, size = own[begin], 0
            own[begin], found[0] = 0, begin
            while size < count:
                square = found[size]
                size += 1
                for near in (square + STRIDE, square + 1, square - STRIDE, square - 1):
                    if own[near]:
                        own[near], found[count] = 0, near
                        count += 1
            largest = max(largest, size)
    return largest


@fast
def score(place: Ints, work: Work) -> None:
    """Write the final score of each seat: its share of the win, and a small part for the lead."""
    best, second, seats = -1, -1, place[SEATS]
    for seat in range(seats):
        points = place[LAID + seat] + int(seat == 0)
        if points > best:
            best, second = points, best
        elif points > second:
            second = points
    share = 1 / winners(place, work)
    lead = MARGIN / (place[LIMIT] * place[LIMIT])
    for seat in range(seats):
        points = place[LAID + seat] + int(seat == 0)
        work.scores[seat] = (
            (1 - MARGIN) * share * work.wins[seat]
            + MARGIN / seats
            + lead * (points - (second if points == best else best))
        )


# --- The search -------------------------------------------------------------------------------


def search_from(state: State) -> TreeSearch:
    root = place_of(state)
    work = work_of(root)
    return TreeSearch(
        OVER if root[ENDED] else int(root[TURN]),
        lambda tree, draws, times: grow(tree, draws, times, root, work),
    )


@fast
def grow(tree: Tree, draws: Draws, times: int, root: Ints, work: Work) -> None:
    place = work.place
    for _ in range(times):
        copy(root, place)
        node, depth = 0, 0
        while tree.mover[node] != OVER and (node == 0 or tree.visits[node]):
            if tree.moves[node] == 0 or wants_more(tree, node, WIDEN):
                tree.moves[node] = order(place, work.moves)
                move = work.moves[tree.tried[node]] % SIZE
                lay(place, move)
                node = add(tree, node, move, OVER if place[ENDED] else place[TURN])
            else:
                node = pick(tree, node)
                lay(place, tree.move[node])
            depth += 1
            tree.path[depth] = node
        play_out(place, draws)
        score(place, work)
        back_up(tree, depth, work.scores)


@fast
def play_out(place: Ints, draws: Draws) -> None:
    """Play to the end; each move is the better of two random ones."""
    while not place[ENDED]:
        move, other = drawn(place, draws), drawn(place, draws)
        if move != other and gain(place, other, 2) > gain(place, move, 2):
            move = other
        lay(place, move)


@fast
def drawn(place: Ints, draws: Draws) -> int:
    flag = -place[TURN] - 1
    while True:
        index = OPEN + int(draw(draws) * place[LISTED])
        square = place[index]
        card = place[square]
        if card == FREE or card == flag:  # noqa: SIM109  # a tuple takes longer
            return square
        if card > 0:  # a base, or OUT: it does not change
            place[LISTED] -= 1
            place[index] = place[OPEN + place[LISTED]]


# --- Exact endings of matches for two -----------------------------------------------------------

# The result is exact: the winner under best play by both. The cost grows by a large factor with
# each remaining move, so a search tries it near the end. It is not recursive, because numba cannot
# cache recursive functions on disk, and it can pause (`go_on`).
DEEPEST: Final = 48  # each move lays a base, and there are two hands
WON: Final = 2  # value of a win of seat 0; a shared win is worth 1
UNKNOWN: Final = -1
KINDS: Final = CITY - LEFT_ALONE + 1  # number of possible values of a square


class Ending(NamedTuple):
    """An exact search: its stack, by depth, and a transposition table."""

    places: MutableSequence[Ints]  # by depth: the position
    moves: MutableSequence[Ints]
    frames: MutableSequence[Ints]  # by depth: the state of the search
    keys: Ints  # the hash table's keys, 0 if free,
    bounds: Ints  # and bounds of the value, as lower * 4 + upper
    codes: Ints  # hash codes by kind of card and square
    worths: Ints  # by index of the root's moves
    at: Ints  # depth and number of positions searched


DEPTH, LOOKED = 0, 1
KEY, SLOT, COUNT, NEXT, BEST, LEAST, UPTO, BEGUN, ENDS = range(9)
"""Indices in a frame: its key and slot in the table, the number of moves and of those searched, the
best value, the current bounds (least, most), and the bounds at its start."""


def ending_of(state: State, most: int) -> Ending:
    """Return a new search with room for `most` positions."""
    root, size = place_of(state), 2 << most.bit_length()
    ending = Ending(
        rows(SMALL, DEEPEST, len(root)),
        rows(SMALL, DEEPEST, SIZE),
        rows(LARGE, DEEPEST, 9),
        zeros(LARGE, size),
        zeros(SMALL, size),
        codes(),
        zeros(SMALL, SIZE),
        zeros(SMALL, 2),
    )
    copy(root, ending.places[0])
    ending.frames[0][KEY] = 1
    ending.frames[0][COUNT] = order(root, ending.moves[0])
    return ending


@cache
def codes() -> Ints:
    """Return hash codes for bases and flags of two seats, and 0 for everything else."""
    kinds = range(LEFT_ALONE, CITY + 1)
    drawn = [
        _code(kind, square) if abs(kind) in (1, 2) else 0
        for kind in kinds
        for square in range(SIZE)
    ]
    found: Ints = numbers(LARGE, drawn)
    return found


def _code(kind: int, square: int) -> int:
    digest = blake2b(f"{kind} {square}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 2


def worths(ending: Ending, most: int) -> dict[int, float]:
    """Continue up to `most` positions in all; return the value of each move for the mover.

    Return {} if more positions are needed.
    """
    root = ending.places[0]
    if not go_on(ending, most, work_of(root)):
        return {}
    count = ending.frames[0][COUNT]
    found = zip(ending.moves[0][:count], ending.worths[:count], strict=True)
    return {
        int(move) % SIZE: float(WON - worth if root[TURN] else worth) / WON for move, worth in found
    }


@fast
def go_on(ending: Ending, until: int, work: Work) -> bool:
    """Continue up to `until` positions in all; return whether the root's moves are solved."""
    depth = ending.at[DEPTH]
    while True:
        frame = ending.frames[depth]
        if frame[NEXT] == frame[COUNT] or (depth and frame[LEAST] >= frame[UPTO]):
            if depth == 0:
                ending.at[DEPTH] = 0
                return True
            worth = learned(ending, frame)
            depth -= 1
        elif ending.at[LOOKED] >= until:
            ending.at[DEPTH] = depth
            return False
        else:
            make(ending, depth, ending.moves[depth][frame[NEXT]] % SIZE)
            frame[NEXT] += 1
            least, most = (frame[LEAST], frame[UPTO]) if depth else (0, WON)
            depth += 1
            worth = entered(ending, depth, least, most, work)
            if worth == UNKNOWN:
                continue
            depth -= 1
        take(ending, depth, worth)


@fast
def make(ending: Ending, depth: int, square: int) -> None:
    """Make the position after a move, with an incremental hash key."""
    before, after, codes = ending.places[depth], ending.places[depth + 1], ending.codes
    key = ending.frames[depth][KEY]
    copy(before, after)
    lay(after, square)
    for near in (square, square + STRIDE, square + 1, square - STRIDE, square - 1):
        if before[near] != after[near]:
            key ^= codes[(before[near] - LEFT_ALONE) * SIZE + near]
            key ^= codes[(after[near] - LEFT_ALONE) * SIZE + near]
    ending.frames[depth + 1][KEY] = key


@fast
def entered(ending: Ending, depth: int, least: int, most: int, work: Work) -> int:
    """Return the value of a position if known within the bounds, or UNKNOWN to search it."""
    place, frame, keys = ending.places[depth], ending.frames[depth], ending.keys
    if place[ENDED]:
        shared = winners(place, work)
        return WON // shared * work.wins[0]
    key, last = frame[KEY], len(keys) - 1
    slot = key & last
    while keys[slot] and keys[slot] != key:
        slot = slot + 1 & last
    if not keys[slot]:
        ending.at[LOOKED] += 1
        keys[slot], ending.bounds[slot] = key, WON
    low, high = ending.bounds[slot] >> 2, ending.bounds[slot] & 3
    if low >= most or low == high:
        return low
    if high <= least:
        return high
    frame[SLOT], frame[COUNT], frame[NEXT] = slot, order(place, ending.moves[depth]), 0
    frame[BEST] = WON if place[TURN] else 0
    frame[LEAST] = frame[BEGUN] = max(least, low)
    frame[UPTO] = frame[ENDS] = min(most, high)
    return UNKNOWN


@fast
def take(ending: Ending, depth: int, worth: int) -> None:
    """Update the bounds with the value of the last move searched."""
    frame = ending.frames[depth]
    if depth == 0:
        ending.worths[frame[NEXT] - 1] = worth
    elif ending.places[depth][TURN]:
        frame[BEST] = min(frame[BEST], worth)
        frame[UPTO] = min(frame[UPTO], worth)
    else:
        frame[BEST] = max(frame[BEST], worth)
        frame[LEAST] = max(frame[LEAST], worth)


@fast
def learned(ending: Ending, frame: Ints) -> int:
    """Store the bounds of a searched position; return its value."""
    best, bounds, slot = frame[BEST], ending.bounds, frame[SLOT]
    low = bounds[slot] >> 2 if best <= frame[BEGUN] else best
    high = bounds[slot] & 3 if best >= frame[ENDS] else best
    bounds[slot] = low << 2 | high
    return best
