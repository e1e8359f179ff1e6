"""Kitsu! on arrays: the rules of the game once more for a compiler.

A position is an array of WORDS numbers. The first are sets of squares: the pieces of each clan, all
that show a Samurai, what the moving Fox has used. Then comes what each clan has beside the board,
how the turn stands, and the options, a byte for each number. Compiled, a set with h8 in it is
negative: `&`, `|`, `^` and `~` do not mind, nor does a shift whose result is masked.

A move is a number: what is done, a square, another. Moves are listed in the order of their texts,
as in games/kitsu/rules.py, which is the truth; tests hold this against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots.fast import SMALL, fast, numbers, sets
from kumite.core.game import Step
from kumite.core.games.kitsu import board
from kumite.core.games.kitsu.board import (
    ALL_SEASONS,
    NAMES,
    NOWHERE,
    OPEN,
    RAYS,
    REALM,
    TWINS,
    crossings,
    path_of,
)
from kumite.core.games.kitsu.position import FOX, KINDS, TO_WIN

if TYPE_CHECKING:
    from kumite.core.bots.fast import Ints
    from kumite.core.games.kitsu.position import State

SHOWN, USED, PURSE, NOW, RULES, WORDS = 2, 3, 4, 6, 7, 8  # words; first each clan's pieces
SPIRIT, HAND, TAKEN = 0, 2, 4  # bytes of a purse: of Samurai, then of Foxes
TURN, FIRST, LEFT, AT, OWED, OVER = range(6)  # bytes of NOW; LEFT seasons are open, from FIRST on
NEAR, LIMIT, OPENING = 0, 1, 2  # bytes of RULES: where BESIDE begins, 0 or 64, and two options
BETWEEN: Final = 64  # as the square AT: between moves
WON, DRAWN = 1, 2  # how it is OVER: won by who has the turn, or at the limit
QUIET, CAPTURE, POUNCE, HIT, SEND, TAKE, BECKON, STOP, END = range(9)  # what a move does
MARKS: Final = ("-", "x", ">", ">x", "~")
MOST: Final = 512  # moves that there can be; 20 pieces have 260, and 12 in the hand 128


# The board, by square: sets where nothing else is said.
_SQUARES: Final = range(64)
_FEW: Final = range(4)
_OPEN: Final = [[OPEN[tuple((n + i) % 4 for i in range(left))] for left in _FEW] for n in _FEW]
BESIDE: Final[Ints] = sets([*board.BESIDE[4], *board.BESIDE[8]])
LANDINGS: Final[Ints] = sets(board.LANDINGS)  # where leaps end
TRACKS: Final[Ints] = sets(board.TRACKS)  # all squares of all leaps
REALMS: Final[Ints] = numbers(SMALL, REALM)  # a season
SENT: Final[Ints] = numbers(SMALL, [twin for twins in TWINS for twin in twins])  # three squares
NEXT: Final[Ints] = numbers(  # the four squares over the corners, -1: none
    SMALL, [ray[0] if ray else -1 for rays in RAYS for ray in rays]
)
CROSSED: Final[Ints] = numbers(  # for each target how many borders are crossed clockwise
    SMALL, [crossings(a, path_of(a, b)) for a in _SQUARES for b in _SQUARES]
)
SEASONS: Final[Ints] = sets([one for by_left in _OPEN for one in (*by_left, OPEN[ALL_SEASONS])])
"""The squares that are open: five sets for each first season, by how many are open."""


def place_of(state: State) -> Ints:
    """Return a position of the rules."""
    over = 0 if not state.reason else WON if state.winners else DRAWN
    first = state.seasons[0] if state.seasons else 0
    at = BETWEEN if state.at == NOWHERE else state.at
    now = (state.turn, first, len(state.seasons), at, state.owed, over)
    purses = [(*clan.spirit, *clan.hand, *clan.taken) for clan in state.clans]
    boards = [clan.board for clan in state.clans]
    variant = state.variant
    rules = (0 if variant.adjacent == 4 else 64, variant.limit, variant.opening)
    words = [int.from_bytes(bytes(one), "little") for one in (*purses, now, rules)]
    place: Ints = sets([*boards, state.samurai, state.used, *words])
    return place


def step_of(move: int) -> Step:
    """Return the text of a move."""
    verb, origin, target = move >> 12, move >> 6 & 63, move & 63
    if verb < TAKE:
        return Step(f"{NAMES[origin]}{MARKS[verb]}{NAMES[target]}")
    if verb == TAKE:
        return Step(f"+{KINDS[origin]}")
    if verb == BECKON:
        return Step(f"{KINDS[origin]}@{NAMES[target]}")
    return Step("stop" if verb == STOP else "end")


# --- Numbers ----------------------------------------------------------------------------------


@fast
def bits(places: int) -> int:
    """Return how many squares are in a set: by pairs, fours, eights, and all eights at once."""
    places -= places >> 1 & 0x5555555555555555
    places = (places & 0x3333333333333333) + (places >> 2 & 0x3333333333333333)
    places = places + (places >> 4) & 0x0F0F0F0F0F0F0F0F
    return places * 0x0101010101010101 >> 56 & 0xFF


@fast
def first_of(places: int) -> int:
    """Return the first square of a set that is not empty."""
    return bits((places & -places) - 1)


@fast
def count(place: Ints, word: int, byte: int) -> int:
    """Return a byte."""
    return place[word] >> 8 * byte & 255


@fast
def put(place: Ints, byte: int, value: int) -> None:
    """Write a byte of NOW."""
    place[NOW] += value - (place[NOW] >> 8 * byte & 255) << 8 * byte


@fast
def seat_of(place: Ints) -> int:
    """Return who has the turn; when it is over, who had the last."""
    return place[NOW] + 1 & 1


@fast
def pair(place: Ints, word: int, byte: int) -> int:
    """Return how many of both kinds."""
    return count(place, word, byte) + count(place, word, byte + 1)


@fast
def beside(place: Ints, square: int) -> int:
    """Return the adjacent squares."""
    return BESIDE[count(place, RULES, NEAR) + square]


@fast
def open_of(place: Ints) -> int:
    """Return the squares of open seasons."""
    return SEASONS[5 * count(place, NOW, FIRST) + count(place, NOW, LEFT)]


# --- Legal moves ------------------------------------------------------------------------------


@fast
def options(place: Ints, moves: Ints) -> int:
    """List the moves; return how many there are."""
    at = count(place, NOW, AT)
    if count(place, NOW, OVER):
        return 0
    if count(place, NOW, OWED):
        return takings(place, moves)
    if at == BETWEEN:
        return starts(place, moves)
    pieces, size = place[0] | place[1], 0
    if place[SHOWN] >> at & 1:
        size = sendings(place, at, moves)
    else:
        size = listed(moves, 0, POUNCE << 12 | at << 6, LANDINGS[at] & ~pieces)
        size = listed(moves, size, HIT << 12 | at << 6, LANDINGS[at] & pieces)
    moves[size] = STOP << 12
    return size + 1


@fast
def listed(moves: Ints, size: int, move: int, targets: int) -> int:
    """List a move to each of these squares behind so many others; return how many there are."""
    while targets:
        moves[size] = move | first_of(targets)
        size += 1
        targets &= targets - 1
    return size


@fast
def takings(place: Ints, moves: Ints) -> int:
    """List which kinds can be taken from the Spirit Realm."""
    purse, size = PURSE + seat_of(place), 0
    for kind in range(1, -1, -1):
        if count(place, purse, SPIRIT + kind):
            moves[size] = TAKE << 12 | kind << 6
            size += 1
    return size


@fast
def sendings(place: Ints, at: int, moves: Ints) -> int:
    """List where the Samurai on `at` can send pieces."""
    pieces, size = place[0] | place[1], 0
    left = beside(place, at) & pieces
    while left:
        square = first_of(left)
        left &= left - 1
        for index in range(3 * square, 3 * square + 3):
            if not pieces >> SENT[index] & 1:
                moves[size] = SEND << 12 | square << 6 | SENT[index]
                size += 1
    return size


@fast
def starts(place: Ints, moves: Ints) -> int:
    """List the slides, leaps and beckonings, and the end of the turn."""
    seat, pieces, size = seat_of(place), place[0] | place[1], 0
    ready = place[seat] & open_of(place)
    is_placing = pair(place, PURSE + seat, HAND) > 0
    beckoned = paths(place) if is_placing else 0
    for file in range(8):
        left = ready & 255 << 8 * file
        while left:
            square = first_of(left)
            left &= left - 1
            if place[SHOWN] >> square & 1:
                quiet, hits = slides(square, pieces)
            else:
                quiet, hits = LANDINGS[square] & ~pieces, LANDINGS[square] & pieces
            size = listed(moves, size, QUIET << 12 | square << 6, quiet)
            size = listed(moves, size, CAPTURE << 12 | square << 6, hits)
        if file == 4 and count(place, NOW, LEFT) < 4:  # "end" stands behind "e8..."
            moves[size] = END << 12
            size += 1
        elif file == 5 and is_placing and count(place, PURSE + seat, HAND + FOX):
            size = listed(moves, size, BECKON << 12 | FOX << 6, beckoned)
    if is_placing and count(place, PURSE + seat, HAND):
        size = listed(moves, size, BECKON << 12, beckoned)
    return size


@fast
def slides(square: int, pieces: int) -> tuple[int, int]:
    """Return the empty squares, and those with a piece, to which a Samurai can slide."""
    quiet, hits = 0, 0
    for corner in range(4):
        to = NEXT[4 * square + corner]
        while to >= 0:
            if pieces >> to & 1:
                hits |= 1 << to
                break
            quiet |= 1 << to
            to = NEXT[4 * to + corner]
    return quiet, hits


@fast
def paths(place: Ints) -> int:
    """Return the empty squares of open seasons that lie on a path of any friend (A8)."""
    left, pieces, found = place[seat_of(place)], place[0] | place[1], 0
    while left:
        square = first_of(left)
        left &= left - 1
        if place[SHOWN] >> square & 1:
            quiet, _ = slides(square, pieces)
            found |= quiet
        else:
            found |= TRACKS[square]
    return found & ~pieces & open_of(place)


# --- What a move does -------------------------------------------------------------------------


@fast
def play(place: Ints, move: int) -> None:
    """Carry out a legal move, and all that follows by itself."""
    verb, origin, target = move >> 12, move >> 6 & 63, move & 63
    seat = seat_of(place)
    if verb <= HIT:
        travel(place, origin, target, verb >= POUNCE)
    elif verb == SEND:
        moved = 1 << origin | 1 << target
        if place[SHOWN] >> origin & 1:
            place[SHOWN] ^= moved
        place[0 if place[0] & moved else 1] ^= moved
        complete(place)
    elif verb == TAKE:
        place[PURSE + seat] += (1 << 8 * (HAND + origin)) - (1 << 8 * (SPIRIT + origin))
        put(place, OWED, count(place, NOW, OWED) - 1)
        landed(place)
    elif verb == BECKON:
        place[PURSE + seat] -= 1 << 8 * (HAND + origin)
        place[seat] |= 1 << target
        if origin != FOX:
            place[SHOWN] |= 1 << target
        if pair(place, PURSE + seat, HAND) + pair(place, PURSE + seat, SPIRIT):
            close(place, REALMS[target])
            complete(place)
        else:
            finish_match(place, WON)
    elif verb == END:
        end_turn(place)
    elif place[SHOWN] >> count(place, NOW, AT) & 1:
        complete(place)
    else:
        end_move(place)


@fast
def close(place: Ints, season: int) -> None:
    """Leave those seasons open that are when a move has started in this one."""
    first, left = count(place, NOW, FIRST), count(place, NOW, LEFT)
    if count(place, NOW, TURN) == 1 and count(place, RULES, OPENING) == 1:  # (A16)
        left = 0
    else:
        left = 3 if left == 4 else left - 1 - (season - first & 3)
    put(place, FIRST, season + 1 & 3 if left else 0)
    put(place, LEFT, left)


@fast
def travel(place: Ints, origin: int, target: int, is_pounce: bool) -> None:
    """Slide or leap: capture, win or cross seasons; then the piece has landed."""
    seat = seat_of(place)
    reached, both = 1 << target, 1 << target | 1 << origin
    is_samurai = place[SHOWN] >> origin & 1
    if is_pounce:  # first all adjacent friends are used up (A10)
        place[USED] |= beside(place, origin) & place[seat]
    else:
        close(place, REALMS[origin])
    is_won = False
    if place[1 - seat] & reached:  # a captured friend counts for nobody (A6)
        byte = TAKEN + 1 - (place[SHOWN] >> target & 1)
        place[1 - seat] ^= reached
        place[PURSE + seat] += 1 << 8 * byte
        is_won = count(place, PURSE + seat, byte) == TO_WIN or place[1 - seat] == 0
    place[seat] = place[seat] & ~both | reached
    place[SHOWN] = place[SHOWN] & ~both | (reached if is_samurai else 0)
    if is_won:
        finish_match(place, WON)
        return
    place[USED] &= ~reached
    put(place, AT, target)
    put(place, OWED, min(CROSSED[64 * origin + target], pair(place, PURSE + seat, SPIRIT)))
    landed(place)


@fast
def landed(place: Ints) -> None:
    """Let its clan take what it is owed, and a Fox pounce beside a friend; else the move ends."""
    at = count(place, NOW, AT)
    if count(place, NOW, OWED):
        return
    unused = beside(place, at) & place[seat_of(place)] & ~place[USED]
    if place[SHOWN] >> at & 1 or unused == 0:
        end_move(place)


@fast
def end_move(place: Ints) -> None:
    """Flip all pieces beside the mover (A11); then a Samurai may send one of them away (A12)."""
    at, pieces = count(place, NOW, AT), place[0] | place[1]
    left = beside(place, at) & pieces
    place[SHOWN] ^= left
    place[USED] = 0
    if place[SHOWN] >> at & 1:
        while left:
            square = first_of(left)
            left &= left - 1
            for index in range(3 * square, 3 * square + 3):
                if not pieces >> SENT[index] & 1:
                    return
    complete(place)


@fast
def complete(place: Ints) -> None:
    """Go on with the turn after a complete move; it ends if no move is left."""
    put(place, AT, BETWEEN)
    place[USED] = 0
    seat = seat_of(place)
    if place[seat] & open_of(place):
        return
    if pair(place, PURSE + seat, HAND) == 0 or paths(place) == 0:
        end_turn(place)


@fast
def end_turn(place: Ints) -> None:
    """Pass the turn to the other seat, unless it was the last one (A15)."""
    turn = count(place, NOW, TURN)
    if turn == count(place, RULES, LIMIT):
        finish_match(place, DRAWN)
    else:
        put(place, TURN, turn + 1)
        put(place, FIRST, 0)
        put(place, LEFT, 4)


@fast
def finish_match(place: Ints, over: int) -> None:
    """End the match."""
    put(place, FIRST, 0)
    put(place, LEFT, 0)
    put(place, AT, BETWEEN)
    place[USED] = 0
    put(place, OVER, over)
