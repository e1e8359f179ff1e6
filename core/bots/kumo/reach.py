"""How far a side of Kumo Hogosha is from pushing the stone out in its turn, in actions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.bots.kumo.worth import ENTRIES, LANES, QUARTERS, WALKS
from kumite.core.games.kumo.state import (
    ALL,
    CAMPS,
    GRAB,
    JUMP,
    KUMO,
    LINES,
    NEAR,
    OWN,
    PIECES,
    RUN,
    TEAM_PRISON,
    THROW,
    UPPER,
    lone,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.core.games.kumo.state import State

Rows: TypeAlias = tuple[bytes, tuple[bytes, ...]]
"""By goal: actions to come there as kumo; and by direction, to come beside it, not that way."""

NONE: Final = 99  # actions: out of reach
MOVED: Final = 2  # actions that a pair may be nearer after it has moved the stone
PRISON: Final = 3  # foes that bring an action


def hope(state: State) -> float | None:
    """Return how many actions the turn's side needs for a win in it; None: more than it has left.

    Nobody comes further than two spaces in an action, but by a jump; one who is kumo walks one, if
    nobody throws him. Each foe in the way takes an action.
    """
    seat, arena, stone = state.seat, state.arena, state.stone
    side, left = seat & 1, state.most() - state.used
    has = HAS[side]
    throws = lone(side, THROW) in arena
    rows = [rows_of(side, byte, square, throws) for square, byte in enumerate(arena) if has[byte]]
    if state.boards[seat] or state.prisons[1 - side]:
        rows += [entry_of(CAMPS[len(state.boards)][seat], throws)] * 2
    if len(rows) < 2:
        return None
    left += _captures(state, side)
    quarters = QUARTERS[len(state.boards)][side]
    least = min(
        _straight(arena, stone, rows, side, quarters, 0),
        _shifted(arena, stone, rows, side, quarters, left),
    )
    return least if least <= left else None


def _straight(
    arena: bytes,
    stone: int,
    rows: Sequence[Rows],
    side: int,
    quarters: Sequence[int],
    moved: int,
) -> int:
    """Return the actions of a way that pushes the stone straight out."""
    least = NONE
    for behind, way, lane, pushes in LANES[stone]:
        need = pushes + quarters[way]
        if need >= least:
            continue
        in_lane = arena[lane]
        own = sum(in_lane.translate(OWN[side]))
        need += sum(in_lane.translate(OWN[1 - side])) + max(0, own - 2)
        need += max(0, _pair(rows, behind, way) - moved)
        if need < least:
            least = need + (0 if moved else OWN[1 - side][arena[behind]])
    return least


def _shifted(
    arena: bytes, stone: int, rows: Sequence[Rows], side: int, quarters: Sequence[int], left: int
) -> int:
    """Return the least actions of a way that moves the stone once otherwise before."""
    least = NONE
    for behind, way, lane, _ in LANES[stone]:
        front = LINES[stone][way][:1]
        if not lane or not front:
            continue
        away = min(_pair(rows, behind, way), NONE)
        then = 1 + min(away, _pair(rows, front[0], 3 - way))
        if then < min(left, least):
            then += _straight(arena, front[0], rows, side, quarters, MOVED)
            least = min(least, then)
    return least


def _pair(rows: Sequence[Rows], leads: int, way: int) -> int:
    """Return the actions until a pair stands ready to move the stone from a space that way."""
    leaders = [row[leads] for row, _ in rows]
    partners = [sides[way][leads] for _, sides in rows]
    leader, partner = min(leaders), min(partners)
    one, other = leaders.index(leader), partners.index(partner)
    if one != other:
        return leader + partner
    del leaders[one], partners[one]
    return min(leader + min(partners), min(leaders) + partner)


def _captures(state: State, side: int) -> int:
    """Return how many foes could be taken prisoner at once: each brings its action back."""
    room = (PRISON if len(state.boards) == 2 else TEAM_PRISON) - state.prisons[side]
    if room <= 0:
        return 0
    arena = state.arena
    ready = 0
    for stance in (GRAB, THROW):
        square = -1
        while (square := arena.find(lone(side, stance), square + 1)) >= 0:
            for near in NEAR[square]:
                at = near if stance == GRAB else square
                ready += UPPER[arena[near]] == 1 - side and len(NEAR[at]) < 4
    return min(room, ready)


HAS: Final = tuple(
    bytes(byte < len(PIECES) and any(owner == side for owner, _ in PIECES[byte]) for byte in ALL)
    for side in (0, 1)
)


@cache
def rows_of(side: int, byte: int, square: int, throws: bool) -> Rows:
    """Return how far a Kumotori is from leading and from helping, by the place of the leader.

    `throws`: whether somebody of that side stands ready to throw; else it takes an action.
    """
    below = PIECES[byte]
    stance = next(stance for owner, stance in below if owner == side)
    line = {one for way in LINES[square] for one in way}
    # One pinned has to be freed; a blocker has to climb down, for nothing.
    extra = int(len(below) == 2 and below[0][0] == side) + (stance != KUMO)
    row = bytes(
        extra + _comes(stance, spaces, is_in_line=goal in line, throws=throws)
        for goal, spaces in enumerate(WALKS[square])
    )
    return row, _beside(row)


def _comes(stance: int, spaces: int, *, is_in_line: bool, throws: bool) -> int:
    """Return the actions until somebody has come so far and is kumo, but one to become that."""
    by_twos = (spaces + 1) // 2
    if stance == JUMP:
        return 1 if is_in_line else by_twos
    if stance == RUN or throws:
        return by_twos
    jumps = 2 if stance == KUMO else 1  # actions to stand as one who jumps, and again as kumo
    return min(spaces, 1 + by_twos, *((1 + jumps,) if is_in_line else ()))


@cache
def entry_of(camp: int, throws: bool) -> Rows:
    """Return the same for one that waits on the board of that camp; `ENTRIES` has an action."""
    row = bytes(
        1 + _comes(KUMO, max(0, spaces - 1), is_in_line=False, throws=throws)
        for spaces in ENTRIES[camp]
    )
    return row, _beside(row)


def _beside(row: bytes) -> tuple[bytes, ...]:
    """Return the least of the spaces beside each, but for the one in each direction."""
    return tuple(
        bytes(
            min(row[near] for near in NEAR[goal] if near not in LINES[goal][way][:1])
            for goal in ALL
        )
        for way in range(4)
    )
