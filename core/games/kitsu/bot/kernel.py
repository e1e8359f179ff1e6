"""Kitsu! on arrays: the rules as used by the search, and the evaluation of positions.

A position is an array of WORDS numbers. The first are sets of squares: the pieces of each clan, all
that show a Samurai, and the friends used by the moving Fox. Then follow each clan's pieces off the
board, the state of the turn, and the options, one byte per number. In compiled code a set with h8
is negative; `&`, `|`, `^`, `~` and masked shifts work regardless.

A move is a number: its verb and two squares. Moves are listed in the order of their notation, as in
games/kitsu/rules.py, which is authoritative; tests compare the two.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from kumite.core.bots.fast import (
    LARGE,
    REAL,
    SMALL,
    Floats,
    Ints,
    bits,
    count,
    fast,
    first_of,
    numbers,
    sets,
    zeros,
)
from kumite.core.bots.search.frontier import OUT, SEEN, WIN, mixed_with
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
from kumite.core.games.kitsu.position import FOX, KINDS, SPIRITS, TO_WIN, State

SHOWN, USED, PURSE, NOW, RULES, WORDS = 2, 3, 4, 6, 7, 8  # words, after each clan's pieces
SPIRIT, HAND, TAKEN = 0, 2, 4  # bytes of a purse: of Samurai, then of Foxes
TURN, FIRST, LEFT, AT, OWED, OVER = range(6)  # bytes of NOW; LEFT seasons are open, from FIRST on
NEAR, LIMIT, OPENING = 0, 1, 2  # bytes of RULES: the offset in BESIDE (0 or 64), and two options
BETWEEN: Final = 64  # the square AT between moves
WON, DRAWN = 1, 2  # values of OVER: won by the side to move, or drawn at the limit
QUIET, CAPTURE, POUNCE, HIT, SEND, TAKE, BECKON, STOP, END = range(9)  # verbs of moves
MARKS: Final = ("-", "x", ">", ">x", "~")
MOST: Final = 512  # upper bound of legal moves; 20 pieces have 260, and 12 in the hand 128


# Tables by square, holding sets of squares unless noted.
_SQUARES: Final = range(64)
_FEW: Final = range(4)
_OPEN: Final = [[OPEN[tuple((n + i) % 4 for i in range(left))] for left in _FEW] for n in _FEW]
BESIDE: Final[Ints] = sets([*board.BESIDE[4], *board.BESIDE[8]])
LANDINGS: Final[Ints] = sets(board.LANDINGS)  # where leaps end
TRACKS: Final[Ints] = sets(board.TRACKS)  # all squares of all leaps
REALMS: Final[Ints] = numbers(SMALL, REALM)  # a season
SENT: Final[Ints] = numbers(SMALL, [twin for twins in TWINS for twin in twins])  # three squares
NEXT: Final[Ints] = numbers(  # the four diagonally adjacent squares; -1 if none
    SMALL, [ray[0] if ray else -1 for rays in RAYS for ray in rays]
)
CROSSED: Final[Ints] = numbers(  # for each target, the borders crossed clockwise
    SMALL, [crossings(a, path_of(a, b)) for a in _SQUARES for b in _SQUARES]
)
SEASONS: Final[Ints] = sets([one for by_left in _OPEN for one in (*by_left, OPEN[ALL_SEASONS])])
"""The squares of open seasons: five sets for each first season, by the number of open ones."""

# Weights of the evaluation.
CAUGHT: Final[Floats] = numbers(REAL, (0.0, 2.0, 5.0, 10.0, 0.0))
"""The value of captured pieces of one kind, by their number."""
PLACED: Final = 0.25  # a placed piece, squared: the last ones count most
HELD: Final = 0.8  # a piece in the hand
BOARD: Final = 0.4
# The estimated distance to a win, in moves:
MISSING: Final = 1.0  # a capture still missing
BEYOND: Final = 0.7  # a missing capture that no piece can make in its next move
MADE: Final = 0.25  # a move already made, so that short ways are searched first

Aims: TypeAlias = tuple[int, int, int, int, int, int]
"""For each way to win, the number of captures missing, and the set of squares with the targets."""
DEEPEST: Final = 64  # longest chain of landings; each but the last uses up a friend
SLOTS: Final = 1 << 12  # hash table size in the search of one Fox's chains

# Layout of the scratch array. First the stack of a leap and its pounces: by depth, four numbers
# (friends, captured and used pieces, landings to try). Then the number of the search and its count
# of positions. Then the hash table: by slot the search that wrote it, a square, and the first three
# numbers.
SEARCH: Final = 4 * DEEPEST
SLOT: Final = SEARCH + 2


def place_of(state: State) -> Ints:
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
def put(place: Ints, byte: int, value: int) -> None:
    place[NOW] += value - (place[NOW] >> 8 * byte & 255) << 8 * byte


@fast
def seat_of(place: Ints) -> int:
    """Return the seat to move; at the end, the seat that moved last."""
    return place[NOW] + 1 & 1


@fast
def turn_of(place: Ints) -> int:
    """Return the turn number, or 0 at the end."""
    return 0 if count(place, NOW, OVER) else count(place, NOW, TURN)


@fast
def is_moving(place: Ints) -> bool:
    return count(place, NOW, AT) != BETWEEN


@fast
def pair(place: Ints, word: int, byte: int) -> int:
    """Return the total of both kinds."""
    return count(place, word, byte) + count(place, word, byte + 1)


@fast
def beside(place: Ints, square: int) -> int:
    return BESIDE[count(place, RULES, NEAR) + square]


@fast
def open_of(place: Ints) -> int:
    return SEASONS[5 * count(place, NOW, FIRST) + count(place, NOW, LEFT)]


# --- Legal moves ------------------------------------------------------------------------------


@fast
def options(place: Ints, moves: Ints, room: Ints) -> int:
    """List the legal moves; return their number."""
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
    """Append a move to each of these squares; return the new number of moves."""
    while targets:
        moves[size] = move | first_of(targets)
        size += 1
        targets &= targets - 1
    return size


@fast
def takings(place: Ints, moves: Ints) -> int:
    purse, size = PURSE + seat_of(place), 0
    for kind in range(1, -1, -1):
        if count(place, purse, SPIRIT + kind):
            moves[size] = TAKE << 12 | kind << 6
            size += 1
    return size


@fast
def sendings(place: Ints, at: int, moves: Ints) -> int:
    """List the dispatches by the Samurai on `at`."""
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
        if file == 4 and count(place, NOW, LEFT) < 4:  # "end" sorts after "e8..."
            moves[size] = END << 12
            size += 1
        elif file == 5 and is_placing and count(place, PURSE + seat, HAND + FOX):
            size = listed(moves, size, BECKON << 12 | FOX << 6, beckoned)
    if is_placing and count(place, PURSE + seat, HAND):
        size = listed(moves, size, BECKON << 12, beckoned)
    return size


@fast
def slides(square: int, pieces: int) -> tuple[int, int]:
    """Return the empty squares and the occupied ones that a Samurai can slide to."""
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
    """Apply a legal move, with everything that follows automatically."""
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
    """Update the open seasons after a move that starts in this one."""
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
    if is_pounce:  # all adjacent friends are used up first (A10)
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
    """End the move, unless pieces are owed or a Fox can pounce from beside a friend."""
    at = count(place, NOW, AT)
    if count(place, NOW, OWED):
        return
    unused = beside(place, at) & place[seat_of(place)] & ~place[USED]
    if place[SHOWN] >> at & 1 or unused == 0:
        end_move(place)


@fast
def end_move(place: Ints) -> None:
    """Flip all pieces beside the mover (A11); then a Samurai may dispatch one of them (A12)."""
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
    """Continue the turn after a complete move; end it if no move is left."""
    put(place, AT, BETWEEN)
    place[USED] = 0
    seat = seat_of(place)
    if place[seat] & open_of(place):
        return
    if pair(place, PURSE + seat, HAND) == 0 or paths(place) == 0:
        end_turn(place)


@fast
def end_turn(place: Ints) -> None:
    turn = count(place, NOW, TURN)
    if turn == count(place, RULES, LIMIT):
        finish_match(place, DRAWN)
    else:
        put(place, TURN, turn + 1)
        put(place, FIRST, 0)
        put(place, LEFT, 4)


@fast
def finish_match(place: Ints, over: int) -> None:
    put(place, FIRST, 0)
    put(place, LEFT, 0)
    put(place, AT, BETWEEN)
    place[USED] = 0
    put(place, OVER, over)


# --- Worth ------------------------------------------------------------------------------------


def room_of() -> Ints:
    room: Ints = zeros(LARGE, SLOT + 5 * SLOTS)
    return room


@fast
def value(place: Ints, side: int, room: Ints) -> float:
    """Return the evaluation of a position for a side."""
    over = count(place, NOW, OVER)
    if over == 0:
        return worth(place, side) - worth(place, 1 - side)
    if over != WON:
        return 0.0
    return WIN if seat_of(place) == side else -WIN


@fast
def worth(place: Ints, seat: int) -> float:
    held = pair(place, PURSE + seat, HAND)
    placed = 2 * SPIRITS - pair(place, PURSE + seat, SPIRIT) - held
    return (
        CAUGHT[count(place, PURSE + seat, TAKEN)]
        + CAUGHT[count(place, PURSE + seat, TAKEN + FOX)]
        + PLACED * placed * placed / 2
        + HELD * held
        + BOARD * bits(place[seat])
    )


# --- A win by captures ------------------------------------------------------------------------


@fast
def aims_of(place: Ints) -> Aims:
    """Return the ways to win by captures: four Samurai, four Foxes, or all pieces."""
    seat = seat_of(place)
    purse, foe = PURSE + seat, place[1 - seat]
    samurai = foe & place[SHOWN]
    foxes = foe ^ samurai
    lack = TO_WIN - count(place, purse, TAKEN)
    lack_foxes = TO_WIN - count(place, purse, TAKEN + FOX)
    return lack, samurai, lack_foxes, foxes, bits(foe), foe


@fast
def is_enough(reached: int, aims: Aims) -> bool:
    """Return whether capturing on these squares would win."""
    return (
        bits(reached & aims[1]) >= aims[0]
        or bits(reached & aims[3]) >= aims[2]
        or bits(reached & aims[5]) >= aims[4]
    )


@fast
def hope(place: Ints, room: Ints) -> float:
    """Return the estimated distance to a win this turn; SEEN or OUT if it is certain.

    In the last season a win is out of reach unless all waiting pieces can be placed, since
    `can_finish` covers everything that a single move can capture.
    """
    if can_finish(place, room):
        return SEEN
    purse = PURSE + seat_of(place)
    left, has_begun = count(place, NOW, LEFT), is_moving(place)
    waiting = pair(place, purse, HAND) + pair(place, purse, SPIRIT)
    if left < 2 - int(has_begun) and waiting > left:
        return OUT
    aims = aims_of(place)
    reached = 0 if has_begun else reached_in(place)
    beyond, lacks = 100, 100
    for way in range(0, 6, 2):
        beyond = min(beyond, aims[way] - bits(reached & aims[way + 1]))
        lacks = min(lacks, aims[way])
    return MADE * (4 - left) + MISSING * lacks + BEYOND * max(0, beyond)


@fast
def reached_in(place: Ints) -> int:
    """Return the squares reached by slides with a capture, and by leaps with all pounces."""
    friends, pieces, reached = place[seat_of(place)], place[0] | place[1], 0
    ready = friends & open_of(place)
    left = ready & place[SHOWN]
    while left:
        _, hits = slides(first_of(left), pieces)
        reached |= hits
        left &= left - 1
    foxes = ready & ~place[SHOWN]
    if foxes:
        reached |= leaped(count(place, RULES, NEAR), friends & ~place[USED], foxes)
    return reached


@fast
def leaped(near: int, unused: int, foxes: int) -> int:
    """Return the squares that Foxes can reach in one move with as many pounces as possible."""
    stations, reached, done, new = 0, 0, foxes, foxes
    while unused:
        stations |= BESIDE[near + first_of(unused)]
        unused &= unused - 1
    while new:
        while new:
            reached |= LANDINGS[first_of(new)]
            new &= new - 1
        new = reached & stations & ~done
        done |= new
    return reached


@fast
def can_finish(place: Ints, room: Ints) -> bool:
    """Return whether one move, or the rest of one, wins by its captures.

    No piece is flipped before such a move ends, so only the squares matter.
    """
    aims, at = aims_of(place), count(place, NOW, AT)
    friends, pieces = place[seat_of(place)], place[0] | place[1]
    unused = friends & ~place[USED]
    if at != BETWEEN:
        if place[SHOWN] >> at & 1 or (beside(place, at) & unused) == 0:
            return False
        return is_chained(place, aims, at, room)
    ready = friends & open_of(place)
    wanted = 0
    for way in range(0, 6, 2):
        wanted |= aims[way + 1] if aims[way] == 1 else 0
    left = ready & place[SHOWN] if wanted else 0
    while left:
        _, hits = slides(first_of(left), pieces)
        if hits & wanted:
            return True
        left &= left - 1
    foxes = ready & ~place[SHOWN]
    if foxes == 0 or not is_enough(leaped(count(place, RULES, NEAR), unused, foxes), aims):
        return False
    while foxes:
        if is_chained(place, aims, first_of(foxes), room):
            return True
        foxes &= foxes - 1
    return False


# --- One Fox ----------------------------------------------------------------------------------


@fast
def is_chained(place: Ints, aims: Aims, fox: int, room: Ints) -> bool:
    """Return whether this Fox can win in its move, by any chain of pounces."""
    near, bit, used = count(place, RULES, NEAR), 1 << fox, place[USED]
    friends = place[seat_of(place)] & ~bit
    if is_moving(place):
        used |= BESIDE[near + fox] & friends
    if not is_enough(leaped(near, friends & ~used, bit), aims):
        return False
    room[SEARCH] += 1
    room[SEARCH + 1] = 0
    come(room, 0, (fox, friends, 0, used))
    depth, foes = 0, aims[5]
    while depth >= 0:
        friends, taken, used = room[depth], room[depth + 1], room[depth + 2]
        targets = room[depth + 3]
        if targets == 0:
            depth -= 4
            continue
        hits = targets & foes & ~taken  # first, as captures win sooner
        first = hits if hits else targets
        bit = first & -first
        room[depth + 3] = targets ^ bit
        reached = taken | bit & foes
        if hits and is_enough(reached, aims):
            return True
        friends &= ~bit
        station = BESIDE[near + first_of(bit)] & friends
        if station & ~used == 0:
            continue
        used = used & friends | station
        if is_enough(reached | leaped(near, friends & ~used, bit), aims):
            way = (first_of(bit), friends, reached, used)
            if is_new(room, way):
                depth += 4
                come(room, depth, way)
    return False


@fast
def come(room: Ints, at: int, way: tuple[int, int, int, int]) -> None:
    """Push a landing of the Fox on the stack: its square, friends, captured and used pieces."""
    for part in range(1, 4):
        room[at + part - 1] = way[part]
    room[at + 3] = LANDINGS[way[0]]


@fast
def is_new(room: Ints, way: tuple[int, int, int, int]) -> bool:
    """Store a state and return whether it is new; if the table is full, it may repeat."""
    mixed = way[0]
    for part in range(1, 4):
        mixed = mixed_with(mixed, way[part])
    slot = mixed & SLOTS - 1
    while room[SLOT + 5 * slot] == room[SEARCH]:
        same = 0
        for part in range(4):
            same += int(room[SLOT + 5 * slot + 1 + part] == way[part])
        if same == 4:
            return False
        slot = slot + 1 & SLOTS - 1
    if 2 * room[SEARCH + 1] < SLOTS:
        room[SEARCH + 1] += 1
        room[SLOT + 5 * slot] = room[SEARCH]
        for part in range(4):
            room[SLOT + 5 * slot + 1 + part] = way[part]
    return True


glance = value
tries = options
side_of = seat_of
