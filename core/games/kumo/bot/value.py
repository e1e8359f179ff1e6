"""Evaluation of Kumo Hogosha positions, and lower bounds on the actions needed to win a turn."""

from __future__ import annotations

from typing import Final

from kumite.core.bots.fast import LARGE, REAL, TINY, Floats, Ints, count, fast, first_of, numbers
from kumite.core.bots.search.frontier import OUT, WIN
from kumite.core.games.kumo.bot import kernel
from kumite.core.games.kumo.bot.kernel import (
    ABLE,
    AT,
    BITS,
    BOARDS,
    HAS,
    MANY,
    NEXT,
    NOW,
    OVER,
    PRISONS,
    SEATS,
    TURN,
    UPPER,
    USED,
    WON,
    most_of,
    on,
    seat_of,
)
from kumite.core.games.kumo.bot.kernel import MOST as MOST
from kumite.core.games.kumo.bot.kernel import WORDS as WORDS
from kumite.core.games.kumo.bot.kernel import options as options
from kumite.core.games.kumo.bot.kernel import place_of as place_of
from kumite.core.games.kumo.bot.kernel import play as play
from kumite.core.games.kumo.bot.kernel import room_of as room_of
from kumite.core.games.kumo.bot.kernel import side_of as side_of
from kumite.core.games.kumo.bot.kernel import step_of as step_of
from kumite.core.games.kumo.bot.kernel import turn_of as turn_of
from kumite.core.games.kumo.state import (
    ALL,
    CAMPS,
    FREE,
    GRAB,
    JUMP,
    KUMO,
    LINES,
    NEAR,
    NOBODY,
    PIECES,
    ROWS,
    RUN,
    SIZE,
    TEAM_PRISON,
    THROW,
)

FAR: Final = 20  # actions; the upper bound of a distance to a win
OBSTACLES: Final = (1, 4)  # actions needed to clear an own piece or a foe out of the lane

# Weights of the evaluation used in searches. A value is about six times the log odds of winning, as
# in core/bots/search/turns.py. All but AHEAD and SPARE are fitted to results of matches between
# bots.
ACTING: Final = 1.9  # a Kumotori that can act
SPACE: Final = 0.4  # penalty for each space between it and the stone
BOARD: Final = 0.25  # a Kumotori on its player's board
PRISONERS: Final = 2.1
AHEAD: Final = 0.5  # for each action by which the mover is nearer to a win
SPARE: Final = 3.0  # for each spare action of the mover on the way to a win
MOVES: Final = 8.0  # compensates the advantage of moving first, so that equal positions are even
LACKS: Final = (0, 6, 10.5, 12.5, 13.8, 15, 16, 16.8, 17.4, *(18 + 0.4 * n for n in range(12)))
"""Penalty of the mover, by the number of actions missing to win in this turn."""
FEARS: Final = (
    *(0, 0, 0.9, 2.2, 5.5, 10.2, 12.4, 13.7, 14.6, 15.4, 16.1, 16.7, 17.2),
    *(17.6 + 0.4 * n for n in range(8)),
)
"""Bonus of the mover, by the actions the opponent needs to win (about five per turn)."""

# Weights of `glance`.
ABLE_ONE: Final = 0.5  # a Kumotori that can act
CLOSE: Final = 0.05  # penalty for each space between it and the stone
WAITING: Final = 0.2  # a Kumotori on its player's board
PRISONER: Final = 3.0
PRESS: Final = 0.25  # a Kumotori that can grip an adjacent foe, which soon leaves the lane
READY: Final = 12.0  # a possible win this turn, less the actions it takes


NONE: Final = 99  # actions: out of reach

WALKS: Final = tuple(
    bytes(abs(one // SIZE - two // SIZE) + abs(one % SIZE - two % SIZE) for two in ALL)
    for one in ALL
)
"""Walking distance, by two squares."""
ENTRIES: Final = tuple(
    bytes(1 + min(WALKS[one][two] for one in ALL[ROWS[camp]]) for two in ALL) for camp in range(4)
)
"""The same for a Kumotori waiting on the board, by camp and square."""
QUARTERS: Final = {2: ((1, 2, 0, 1), (1, 0, 2, 1)), 4: ((0, 1, 1, 0), (1, 0, 0, 1))}
"""By seats and side: quarter turns from the edge in each direction to an edge of the foe."""
_SEATS: Final = (2, 4)
SQUARES: Final = SIZE * SIZE
LACKED: Final[Floats] = numbers(REAL, LACKS)
FEARED: Final[Floats] = numbers(REAL, FEARS)
AWAY: Final[Ints] = numbers(TINY, [far for row in (*WALKS, *ENTRIES) for far in row])
"""Distances to each square, from each square and then from each camp (plus one)."""
HOMES: Final[Ints] = numbers(  # by seats and seat
    LARGE, [camp for seats in _SEATS for camp in (*CAMPS[seats], 0, 0)[:4]]
)
QUARTERS_TO: Final[Ints] = numbers(  # by seats, side and direction
    LARGE, [one for seats in _SEATS for quarters in QUARTERS[seats] for one in quarters]
)
PUSHES: Final[Ints] = numbers(LARGE, [1 + len(line) for lines in LINES for line in lines])
WAYS: Final[Ints] = numbers(  # by two squares: the direction from one to the other, 4 if none
    TINY,
    [
        next((way for way, line in enumerate(LINES[one]) if other in line), 4)
        for one in ALL
        for other in ALL
    ],
)

# Layout of the scratch array during an evaluation: by side, the squares of Kumotori that can act,
# MANY for each, and whether they must change their stance to kumo; by side, their number; and by
# direction, the pieces in the lane as seen from the stone.
LATE, SIZES, SPACES, LANE = 2 * MANY, 4 * MANY, 4 * MANY + 2, 4 * MANY + 4


@fast
def by_side(place: Ints, side: int) -> int:
    """Return the row of a side in tables by seats and side."""
    return count(place, TURN, SEATS) // 4 * 2 + side


def is_moving(place: Ints) -> bool:
    """Return False: every step is a complete move."""
    return False


# --- Worth ------------------------------------------------------------------------------------


@fast
def value(place: Ints, side: int, near: Ints) -> float:
    over, mover = count(place, NOW, OVER), seat_of(place) & 1
    if over:
        if over != WON:
            return 0.0
        return WIN if mover == side else -WIN
    find_all(place, near)
    worth = MOVES
    worth += worth_of(place, near, mover, mover)
    worth += worth_of(place, near, 1 - mover, mover)
    return worth if side == mover else -worth


@fast
def find_all(place: Ints, near: Ints) -> None:
    """List the Kumotori that can act, and count the pieces in the stone's lanes."""
    stone = SQUARES * count(place, NOW, AT)
    for index in range(SIZES, LANE + 10):
        near[index] = 0
    for file in range(SIZE):
        left = place[file]
        while left:
            rank = first_of(left) // BITS
            byte = left >> BITS * rank & 31
            left ^= byte << BITS * rank
            upper = UPPER[byte]
            if upper != NOBODY:
                square = SIZE * file + rank
                near[LANE + 5 * upper + WAYS[stone + square]] += 1
                able = ABLE[byte]
                if able:
                    index = MANY * upper + near[SIZES + upper]
                    near[SIZES + upper] += 1
                    near[SPACES + upper] += AWAY[stone + square]
                    near[index] = square
                    near[LATE + index] = 0 if able == 1 + KUMO else 1


@fast
def worth_of(place: Ints, near: Ints, side: int, mover: int) -> float:
    """Return a side's contribution to the mover's evaluation."""
    able, has = near[SIZES + side], place[HAS]
    waiting = (has >> 8 * (BOARDS + side) & 255) + (has >> 8 * (BOARDS + side + 2) & 255)
    least = here = FAR
    if able >= 2 or able + min(2, waiting) * (count(place, TURN, SEATS) // 2) >= 2:
        least, here = needs(place, near, side, mover, waiting)
    worth = ACTING * able - SPACE * near[SPACES + side]
    worth += BOARD * waiting + PRISONERS * (has >> 8 * (PRISONS + side) & 255)
    if side != mover:
        return FEARED[least] - worth
    spare = most_of(place, 0) - count(place, NOW, USED) - here
    if spare < 0:
        return worth - LACKED[-spare] - AHEAD * here
    return worth - LACKED[0] - AHEAD * here + SPARE * spare


@fast
def needs(place: Ints, near: Ints, side: int, mover: int, waiting: int) -> tuple[int, int]:
    """Estimate the actions to push the stone out, without and with turns of the arena."""
    stone, seats = place[NOW] >> 8 * AT & 255, count(place, TURN, SEATS)
    quarters, begin = 4 * (seats // 4 * 2 + mover), MANY * side
    end = begin + near[SIZES + side]
    own, foe = LANE + 5 * side, LANE + 5 * (1 - side)
    least = here = FAR
    for way in range(4):
        behind = NEXT[4 * stone + 3 - way]
        if behind < 0:
            continue
        actions = PUSHES[4 * stone + way]
        actions += OBSTACLES[0] * near[own + way] + OBSTACLES[1] * near[foe + way]
        if UPPER[on(place, behind)] == 1 - side:
            actions += OBSTACLES[1]
        if actions >= least and actions + QUARTERS_TO[quarters + way] >= here:
            continue
        first = second = NONE  # distances of the two nearest
        for index in range(begin, end):
            walk = AWAY[SQUARES * near[index] + behind] + near[LATE + index]
            if walk < first:
                first, second = walk, first
            elif walk < second:
                second = walk
        if waiting:
            for seat in range(side, seats, 2):
                walk = AWAY[SQUARES * (SQUARES + HOMES[(seats & 4) + seat]) + behind]
                for _ in range(min(2, waiting)):
                    if walk < first:
                        first, second = walk, first
                    elif walk < second:
                        second = walk
        actions += first + second - (1 if second else 0)
        if actions < least:
            least = actions
        if actions + QUARTERS_TO[quarters + way] < here:
            here = actions + QUARTERS_TO[quarters + way]
    return least, here


# --- At a glance ------------------------------------------------------------------------------


def glance(place: Ints, side: int, near: Ints) -> float:
    """Return the fast evaluation of a position for a side."""
    mover = seat_of(place) & 1
    if count(place, NOW, OVER):
        return value(place, side, near)
    find_all(place, near)
    worth, here = 0.0, FAR
    for one in (1 - mover, mover):
        least = here = FAR
        if near[SIZES + one] >= 2:
            least, here = needs(place, near, one, mover, 0)
        worth = seen_of(place, one, near) - least - worth
    left = most_of(place, 0) - count(place, NOW, USED)
    if here <= left:
        worth += READY - here
    return worth if side == mover else -worth


def seen_of(place: Ints, side: int, near: Ints) -> float:
    waiting = count(place, HAS, BOARDS + side) + count(place, HAS, BOARDS + side + 2)
    found = ABLE_ONE * near[SIZES + side] - CLOSE * near[SPACES + side] + WAITING * waiting
    for index in range(MANY * side, MANY * side + near[SIZES + side]):
        square = near[index]
        if ABLE[on(place, square)] in (1 + GRAB, 1 + THROW):
            for goal in NEXT[4 * square : 4 * square + 4]:
                if goal >= 0 and UPPER[on(place, goal)] == 1 - side:
                    found += PRESS
                    break
    return found + PRISONER * count(place, HAS, PRISONS + side)


def actions_to_push_out(place: Ints, side: int) -> int:
    """Estimate the actions a side needs to push the stone out, turns of the arena included."""
    near = room_of()
    find_all(place, near)
    waiting = count(place, HAS, BOARDS + side) + count(place, HAS, BOARDS + side + 2)
    if near[SIZES + side] + min(2, waiting) * (count(place, TURN, SEATS) // 2) < 2:
        return FAR
    return needs(place, near, side, side, waiting)[1]


# --- A win in the turn ------------------------------------------------------------------------

MOVED: Final = 2  # actions by which a pair may be nearer after moving the stone
PRISON: Final = 3  # foes captured for an extra action
TAKEN: Final = 0.65  # weight of an action already taken, relative to one still needed


def _row_of(stance: int, square: int, throws: bool) -> list[int]:
    """Return the actions of a Kumotori to each square, ending in the kumo stance.

    `throws` is whether a thrower of its side is ready; otherwise that takes an action.
    """
    line = {one for way in LINES[square] for one in way}
    return [
        (stance != KUMO) + _comes(stance, spaces, is_in_line=goal in line, throws=throws)
        for goal, spaces in enumerate(WALKS[square])
    ]


def _comes(stance: int, spaces: int, *, is_in_line: bool, throws: bool) -> int:
    """Return the actions to get this far and show kumo, not counting one change to kumo."""
    by_twos = (spaces + 1) // 2
    if stance == JUMP:
        return 1 if is_in_line else by_twos
    if stance == RUN or throws:
        return by_twos
    jumps = 2 if stance == KUMO else 1  # actions to change to jump, and back to kumo
    return min(spaces, 1 + by_twos, *((1 + jumps,) if is_in_line else ()))


def _entry_of(camp: int, throws: bool) -> list[int]:
    """Return the same for a Kumotori on the camp's board; `ENTRIES` includes an action."""
    return [
        1 + _comes(KUMO, max(0, spaces - 1), is_in_line=False, throws=throws)
        for spaces in ENTRIES[camp]
    ]


NOT_ONE: Final = -1  # a square of no formation
PARTNER, PLACES, PARTNERS = 2, 3, 3  # in a formation: first partner, size and number
FORMATION: Final = PARTNER + PLACES * PARTNERS  # length of a formation


def _formation(stone: int, way: int, *, pulls: bool) -> list[int]:
    """Return the squares from which a pair pushes or pulls the stone this way.

    First the leader's and one that must be free of foes: the same, or where it goes if it pulls.
    Then for each partner its square, and two that must then be free of foes. NOT_ONE follows the
    last. Leader and partner move in the same direction as the stone, each to a square that another
    of the three leaves, or that must be free of foes.
    """
    behind, ahead = LINES[stone][3 - way][:1], LINES[stone][way]
    found = list(ahead[:2] if pulls else behind * 2)
    if len(found) < PARTNER:
        return [NOT_ONE] * FORMATION
    for partner in NEAR[found[0]]:
        goal = LINES[partner][way][:1]
        if partner == stone or not goal:
            continue
        # The stone's own square never has a foe; a pull's partner ahead is covered by the second.
        is_ahead = pulls and partner == ahead[1]
        found += [
            *(partner, stone if is_ahead else partner),
            stone if goal[0] == found[0] else goal[0],
        ]
    return found + [NOT_ONE] * (FORMATION - len(found))


NOT: Final = 255  # not a piece of this side
IS_EDGE: Final[Ints] = numbers(LARGE, [not all(lines) for lines in LINES])
_STANCES: Final = (KUMO, JUMP, RUN, GRAB)  # THROW and BLOCK have the same distances as GRAB
_ROWS: Final = [
    row
    for throws in (False, True)
    for row in (
        *[_row_of(stance, square, throws) for stance in _STANCES for square in ALL],
        *[_entry_of(camp, throws) for camp in range(4)],
    )
]
ENTRY: Final = SQUARES * len(_STANCES)  # the row of the first camp
THROWN: Final = ENTRY + 4  # offset of the rows if a thrower is ready
REACH: Final[Ints] = numbers(TINY, [far for row in _ROWS for far in row])
"""Actions to each square, by stance and square, and by camp.

The first rows are for no thrower ready, those THROWN rows later for one ready.
"""
_OWN: Final = [
    [[stance for owner, stance in pieces if owner == side] for pieces in PIECES] for side in (0, 1)
]
STANDS: Final[Ints] = numbers(  # by side and byte: the row of the first square in that stance
    LARGE,
    [
        SQUARES * _STANCES.index(own[0] if own[0] in _STANCES else GRAB) if own else 0
        for by_byte in _OWN
        for own in by_byte
    ],
)
MORE: Final[Ints] = numbers(  # by side and byte: actions in addition to REACH
    LARGE,
    [
        int(len(pieces) == 2 and pieces[0][0] == side) if own else NOT
        for side in (0, 1)
        for pieces, own in zip(PIECES, _OWN[side], strict=True)
    ],
)
FOES: Final[Ints] = numbers(  # by side and byte: a foe, except one that pins a piece of the side
    LARGE,
    [
        UPPER[byte] == 1 - side and not _OWN[side][byte]  # its row accounts for it already
        for side in (0, 1)
        for byte in range(len(PIECES))
    ],
)
LEAST: Final[Ints] = numbers(  # by seats, side and stone's square: minimum of pushes and turns
    LARGE,
    [
        min(
            (
                1 + len(LINES[stone][way]) + quarters[way]
                for way in range(4)
                if LINES[stone][3 - way]  # otherwise no pusher can stand behind it
            ),
            default=NONE,
        )
        for seats in _SEATS
        for quarters in QUARTERS[seats]
        for stone in ALL
    ],
)
FORMATIONS: Final[Ints] = numbers(  # by square of the stone and direction, for pushes and pulls
    LARGE,
    [
        one
        for stone in ALL
        for way in range(4)
        for pulls in (False, True)
        for one in _formation(stone, way, pulls=pulls)
    ],
)
_GATES: Final = [
    {
        one
        for way in range(4)
        if not LINES[stone][way]
        for one in _formation(stone, way, pulls=False)
    }
    - {stone}
    for stone in ALL
]
GATES: Final[Ints] = numbers(  # by squares of the stone and of another, or OUT
    TINY, [one in gate for gate in _GATES for one in (*ALL, kernel.OUT)]
)
"""Whether the square must be occupied, or free of foes, for pushing the stone out."""

# Layout of the scratch array in the search for a win: the candidates for a pair as rows of REACH,
# with their additional actions; then, by square, the number of foes that can be captured from it.
CROWDS: Final = 2 * MANY


@fast
def hope(place: Ints, pairs: Ints) -> float:
    """Return the estimated distance to a win this turn; OUT if there are too few actions.

    Without a jump, nobody moves more than two spaces per action; a Kumotori showing kumo walks one
    unless thrown. Each foe in the way takes an action. Actions already taken count in part, so that
    the search does not exhaust long ways before it tries short ones.
    """
    side = seat_of(place) & 1
    left = most_of(place, 0) - count(place, NOW, USED) + captures(place, side, pairs)
    stone, tables = count(place, NOW, AT), SQUARES * by_side(place, side)
    lowest = LEAST[tables + stone]
    for index in range(4 * stone, 4 * stone + 4):
        if NEXT[index] >= 0:
            lowest = min(lowest, 1 + LEAST[tables + NEXT[index]])
    if lowest > left:
        return OUT
    rows = find_pairs(place, pairs)
    if rows < 2:
        return OUT
    least = straight(place, pairs, rows, stone, 0, left + 1)
    least = shifted(place, pairs, rows, least)
    return least + TAKEN * count(place, NOW, USED) if least <= left else OUT


@fast
def find_pairs(place: Ints, pairs: Ints) -> int:
    """List the rows of candidates for a pair; return their number."""
    seat = seat_of(place)
    side, rows = seat & 1, 0
    thrower, throws = 1 + 6 * side + THROW, 0
    for file in range(SIZE):
        left, square = place[file], SIZE * file
        while left:
            throws |= int(left & 31 == thrower)
            one = len(PIECES) * side + (left & 31)
            if MORE[one] != NOT:
                pairs[rows], pairs[MANY + rows] = square + STANDS[one], MORE[one]
                rows += 1
            left >>= BITS
            square += 1
    if count(place, HAS, BOARDS + seat) or count(place, HAS, PRISONS + 1 - side):
        for _ in range(2):
            pairs[rows] = ENTRY + HOMES[(count(place, TURN, SEATS) & 4) + seat]
            pairs[MANY + rows] = 0
            rows += 1
    for index in range(throws * rows):
        pairs[index] += THROWN
    return rows


@fast
def straight(place: Ints, pairs: Ints, rows: int, stone: int, moved: int, least: int) -> int:
    """Return the actions to push the stone straight out from here, if fewer than `least`."""
    side = seat_of(place) & 1
    quarters, foes = 4 * by_side(place, side), len(PIECES) * side
    for way in range(4):
        need = PUSHES[4 * stone + way] + QUARTERS_TO[quarters + way]
        if NEXT[4 * stone + 3 - way] < 0 or need >= least:
            continue
        own, square = 0, NEXT[4 * stone + way]
        while square >= 0:
            byte = on(place, square)
            need += FOES[foes + byte]
            own += int(UPPER[byte] == side)
            square = NEXT[4 * square + way]
        need += max(0, own - 2)
        if need < least:
            away = formed(place, pairs, rows, 2 * (4 * stone + way), moved == 0)
            least = min(least, need + max(0, away - moved))
    return least


@fast
def shifted(place: Ints, pairs: Ints, rows: int, least: int) -> int:
    """Return the actions to win after moving the stone once another way, if fewer than `least`."""
    side, stone = seat_of(place) & 1, count(place, NOW, AT)
    for way in range(4):
        front = NEXT[4 * stone + way]
        if front < 0:
            continue
        moves = 1 + FOES[len(PIECES) * side + on(place, front)]
        beyond = LEAST[SQUARES * by_side(place, side) + front]
        if moves + beyond >= least:
            continue
        pushed = formed(place, pairs, rows, 2 * (4 * stone + way), True)
        moves += min(pushed, formed(place, pairs, rows, 2 * (4 * stone + way) + 1, True))
        if moves + beyond < least:
            moves += straight(place, pairs, rows, front, MOVED, least - moves)
            least = min(least, moves)
    return least


@fast
def formed(place: Ints, pairs: Ints, rows: int, number: int, has_foes: bool) -> int:
    """Return the actions until a pair stands in this formation, with no foe in its way."""
    first = FORMATION * number + PARTNER
    if FORMATIONS[first] == NOT_ONE:
        return NONE
    foes = len(PIECES) * (seat_of(place) & 1)
    leader, lead, lead_next = nearest(pairs, rows, FORMATIONS[first - 2])
    least = NONE
    for index in range(first, first + PLACES * PARTNERS, PLACES):
        if FORMATIONS[index] == NOT_ONE:
            break
        partner, help_, help_next = nearest(pairs, rows, FORMATIONS[index])
        if leader != partner:
            need = lead + help_
        else:
            need = min(lead + help_next, lead_next + help_)
        if has_foes:
            need += FOES[foes + on(place, FORMATIONS[index + 1])]
            need += FOES[foes + on(place, FORMATIONS[index + 2])]
        least = min(least, need)
    return least + (FOES[foes + on(place, FORMATIONS[first - 1])] if has_foes else 0)


@fast
def nearest(pairs: Ints, rows: int, goal: int) -> tuple[int, int, int]:
    """Return the candidate nearest to a square, its actions, and those of the second nearest."""
    first = second = NONE
    who = NOT_ONE
    for index in range(rows):
        away = pairs[MANY + index] + REACH[SQUARES * pairs[index] + goal]
        if away < first:
            first, second, who = away, first, index
        else:
            second = min(second, away)
    return who, first, second


@fast
def captures(place: Ints, side: int, pairs: Ints) -> int:
    """Return how many foes can be captured for free, since each prisoner gives an action back.

    These are the foes that can be captured at once, plus, for the square with the most foes around
    it, those in excess of the actions needed to get a gripper ready there.
    """
    most = PRISON if count(place, TURN, SEATS) == 2 else TEAM_PRISON
    room = most - count(place, HAS, PRISONS + side)
    if room <= 0:
        return 0
    for index in range(CROWDS, CROWDS + SQUARES):
        pairs[index] = 0
    ready = grippers = 0
    for file in range(SIZE):
        left, square = place[file], SIZE * file
        while left:
            stance = (left & 31) - 1 - 6 * side
            grips = stance in (GRAB, THROW)
            grippers += int(grips)
            is_foe = UPPER[left & 31] == 1 - side
            if grips or is_foe:
                for index in range(4 * square, 4 * square + 4):
                    beside = NEXT[index]
                    if beside < 0:
                        continue
                    if is_foe:
                        pairs[CROWDS + beside] += int(IS_EDGE[square] or IS_EDGE[beside])
                    elif IS_EDGE[beside if stance == GRAB else square]:
                        ready += int(UPPER[on(place, beside)] == 1 - side)
            left >>= BITS
            square += 1
    if ready >= room:
        return room
    return min(room, ready + of_a_crowd(place, side, pairs, grippers))


@fast
def of_a_crowd(place: Ints, side: int, pairs: Ints, grippers: int) -> int:
    """Return by how much the foes around a square exceed the actions to be ready there."""
    waiting = count(place, HAS, BOARDS + seat_of(place)) + count(place, HAS, PRISONS + 1 - side)
    more = 0
    for square in range(SQUARES):
        number = pairs[CROWDS + square]
        if number > 1:
            byte = on(place, square)
            if byte and ABLE[byte] and UPPER[byte] == side:
                more = max(more, number - 1)
            elif byte == FREE:
                is_near = grippers > 1 or (waiting > 0 and IS_EDGE[square] > 0)
                more = max(more, number - (1 if is_near else 2))
    return more


# --- Moves ------------------------------------------------------------------------------------


@fast
def tries(place: Ints, moves: Ints, room: Ints) -> int:
    """List the moves with which a win within the turn can begin; return their number.

    The last action pushes the stone out, or takes a prisoner and thereby gains another action. The
    action before it must affect a square from which the stone is pushed out, turn or move the
    stone, capture, or prepare a capture.
    """
    left, stone = most_of(place, 0) - count(place, NOW, USED), count(place, NOW, AT)
    size = options(place, moves, room)
    if left > 2:
        return size
    kept = 0
    for index in range(size):
        if ends(moves[index]) or (left == 2 and prepares(moves[index], stone)):
            moves[kept] = moves[index]
            kept += 1
    return kept


@fast
def ends(move: int) -> bool:
    """Return whether a move can be the last of the turn: a push, or a capture."""
    kind = move >> 21
    return kind == kernel.PUSH or (kernel.GRAB <= kind <= kernel.THROW and move & 127 == kernel.OUT)


@fast
def prepares(move: int, stone: int) -> bool:
    """Return whether a move can prepare the last move of the turn (see `ends`)."""
    kind, one, two = move >> 21, move >> 14 & 127, move >> 7 & 127
    if kind in (kernel.CW, kernel.CCW, kernel.PULL, kernel.GRAB, kernel.THROW):
        return True
    if kind in (kernel.FREED, kernel.DONE):
        return False
    gate = (kernel.OUT + 1) * stone
    if kind in (kernel.PLACE, kernel.CHANGE):
        return two in (GRAB, THROW) or GATES[gate + one] > 0
    return GATES[gate + one] > 0 or GATES[gate + two] > 0
