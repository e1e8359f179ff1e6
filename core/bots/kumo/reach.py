"""How far a side of Kumo Hogosha is from pushing the stone out in its turn, and by what it may."""

from __future__ import annotations

from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.kumo.worth import ENTRIES, LANES, QUARTERS, WALKS
from kumite.core.games.kumo.notation import PRISON as PRISONER
from kumite.core.games.kumo.notation import parse_step
from kumite.core.games.kumo.state import (
    ABLE,
    ALL,
    CAMPS,
    FREE,
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

    from kumite.core.game import Step
    from kumite.core.games.kumo.state import State

NONE: Final = 99  # actions: out of reach
MOVED: Final = 2  # actions that a pair may be nearer after it has moved the stone
PRISON: Final = 3  # foes that bring an action
TAKEN: Final = 0.65  # what an action that has been taken counts of one that is to be


class Formation(NamedTuple):
    """From where a pair moves the stone one way."""

    leader: int  # his place
    clear: int  # no foe may be there: for a push the same, for a pull where he goes to
    partners: tuple[tuple[int, int, int], ...]  # a place, and two where no foe may be then


def hope(state: State) -> float | None:
    """Return how far the turn's side is from a win in it; None: it needs more actions than it has.

    Nobody comes further than two spaces in an action, but by a jump; one who is kumo walks one, if
    nobody throws him. Each foe in the way takes an action. Those that have been taken count in
    part, so that not all long ways are gone to their ends before a short one is looked at.
    """
    seat, arena, stone = state.seat, state.arena, state.stone
    side, left = seat & 1, state.most() - state.used
    has = HAS[side]
    throws = lone(side, THROW) in arena
    rows = [row_of(side, byte, square, throws) for square, byte in enumerate(arena) if has[byte]]
    if state.boards[seat] or state.prisons[1 - side]:
        rows += [entry_of(CAMPS[len(state.boards)][seat], throws)] * 2
    if len(rows) < 2:
        return None
    left += _captures(state, side)
    seats = len(state.boards)
    least = _straight(arena, stone, rows, side, QUARTERS[seats][side], 0, left + 1)
    least = _shifted(arena, stone, rows, side, seats, least)
    return least + TAKEN * state.used if least <= left else None


def _straight(
    arena: bytes,
    stone: int,
    rows: Sequence[bytes],
    side: int,
    quarters: Sequence[int],
    moved: int,
    least: int,
) -> int:
    """Return the actions of a way that pushes the stone from here straight out, if it is less."""
    foes = FOES[side]
    for _, way, lane, pushes in LANES[stone]:
        need = pushes + quarters[way]
        if need >= least:
            continue
        in_lane = arena[lane]
        own = sum(in_lane.translate(OWN[side]))
        need += sum(in_lane.translate(foes)) + max(0, own - 2)
        if need < least:
            # Who is in the way of a pair that has moved the stone before may be so no more.
            away = _formed(arena, rows, PUSHED[stone][way], NOBODY if moved else foes)
            least = min(least, need + max(0, away - moved))
    return least


def _shifted(
    arena: bytes, stone: int, rows: Sequence[bytes], side: int, seats: int, least: int
) -> int:
    """Return the actions of a way that moves the stone once otherwise before, if it is less."""
    foes, quarters = FOES[side], QUARTERS[seats][side]
    for way, line in enumerate(LINES[stone]):
        if not line:
            continue
        front = line[0]
        moves = 1 + foes[arena[front]]
        if moves + LEAST[seats][side][front] >= least:
            continue
        moves += min(
            _formed(arena, rows, PUSHED[stone][way], foes),
            _formed(arena, rows, PULLED[stone][way], foes),
        )
        if moves + LEAST[seats][side][front] < least:
            then = _straight(arena, front, rows, side, quarters, MOVED, least - moves)
            least = min(least, moves + then)
    return least


def _formed(arena: bytes, rows: Sequence[bytes], formation: Formation, foes: bytes) -> int:
    """Return the actions until a pair stands in a formation, with no foe in its way."""
    leader, clear, partners = formation
    if not partners:
        return NONE
    leaders = [row[leader] for row in rows]
    return foes[arena[clear]] + min(
        [
            foes[arena[one]] + foes[arena[other]] + _two_of(leaders, [row[partner] for row in rows])
            for partner, one, other in partners
        ]
    )


def _two_of(leaders: list[int], partners: list[int]) -> int:
    """Return the least that one as the leader and another as the partner take."""
    leader, partner = min(leaders), min(partners)
    one, other = leaders.index(leader), partners.index(partner)
    if one != other:
        return leader + partner
    return min(
        leader + min(partners[:other] + partners[other + 1 :]),
        partner + min(leaders[:one] + leaders[one + 1 :]),
    )


def tries(state: State, steps: Sequence[Step]) -> Sequence[Step]:
    """Return those of the steps that a win in the turn can begin with, as far as its end tells.

    The last action pushes the stone out, or takes a prisoner, who brings another. The one before
    it touches a place from which the stone is pushed out, moves or turns what is there, or grips,
    or makes ready for that.
    """
    left = state.most() - state.used
    if left > 2:
        return steps
    gate = GATES[state.stone]
    return [
        step
        for step in steps
        if _ends(step) or (left == 2 and (_grips(step) or not gate.isdisjoint(_touched(step))))
    ]


@cache  # of few texts, like those below
def _ends(step: Step) -> bool:
    """Return whether a step can be the last one of a turn that wins, or brings another action."""
    kind, args = parse_step(step)
    return kind == "push" or args[-1:] == (PRISONER,)


@cache
def _grips(step: Step) -> bool:
    """Return whether a step makes such a one possible, wherever it is made."""
    kind, args = parse_step(step)
    if kind in ("place", "change"):
        return args[1] in (GRAB, THROW)
    return kind in ("cw", "ccw", "pull", "grab", "throw")


@cache
def _touched(step: Step) -> frozenset[int]:
    """Return the squares of a step."""
    kind, args = parse_step(step)
    return frozenset(args[:1] if kind in ("place", "change") else args)


def _captures(state: State, side: int) -> int:
    """Return how many foes can be taken for nothing, since each prisoner brings his action back.

    That is each who can be taken at once, and of those round a place all that are more than the
    actions that make somebody ready there: of the place with the most of them.
    """
    room = (PRISON if len(state.boards) == 2 else TEAM_PRISON) - state.prisons[side]
    if room <= 0:
        return 0
    arena = state.arena
    ready = grippers = 0
    for stance in (GRAB, THROW):
        square = -1
        while (square := arena.find(lone(side, stance), square + 1)) >= 0:
            grippers += 1
            for near in NEAR[square]:
                at = near if stance == GRAB else square
                ready += UPPER[arena[near]] == 1 - side and len(NEAR[at]) < 4
    if ready >= room:
        return room
    foes = compress(ALL, arena.translate(OWN[1 - side]))
    places = [place for foe in foes for place in TAKEN_FROM[foe]]
    crowds = [(place, number) for place in {*places} if (number := places.count(place)) > 1]
    may_come = state.boards[state.seat] > 0 or state.prisons[1 - side] > 0
    more = 0
    for place, number in crowds:
        if ABLE[side][arena[place]]:
            more = max(more, number - 1)
        elif arena[place] == FREE:
            is_near = grippers > 1 or (may_come and len(NEAR[place]) < 4)
            more = max(more, number - (1 if is_near else 2))
    return min(room, ready + more)


HAS: Final = tuple(
    bytes(byte < len(PIECES) and any(owner == side for owner, _ in PIECES[byte]) for byte in ALL)
    for side in (0, 1)
)


NOBODY: Final = bytes(256)  # for where it is not known who is in the way
FOES: Final = tuple(
    bytes(
        byte < len(UPPER) and UPPER[byte] == 1 - side and not HAS[side][byte] for byte in range(256)
    )
    for side in (0, 1)
)
"""By side and byte: a foe, but for one who pins one of the side: that his row counts already."""


@cache
def row_of(side: int, byte: int, square: int, throws: bool) -> bytes:
    """Return how many actions a Kumotori is away from each square, as kumo.

    `throws`: whether somebody of that side stands ready to throw; else it takes an action.
    """
    below = PIECES[byte]
    stance = next(stance for owner, stance in below if owner == side)
    line = {one for way in LINES[square] for one in way}
    # One pinned has to be freed; a blocker has to climb down, for nothing.
    extra = int(len(below) == 2 and below[0][0] == side) + (stance != KUMO)
    return bytes(
        extra + _comes(stance, spaces, is_in_line=goal in line, throws=throws)
        for goal, spaces in enumerate(WALKS[square])
    )


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
def entry_of(camp: int, throws: bool) -> bytes:
    """Return the same for one that waits on the board of that camp; `ENTRIES` has an action."""
    return bytes(
        1 + _comes(KUMO, max(0, spaces - 1), is_in_line=False, throws=throws)
        for spaces in ENTRIES[camp]
    )


def _formation(stone: int, way: int, *, pulls: bool) -> Formation:
    """Return from where a pair pushes or pulls the stone that way; if it cannot, with no partner.

    Leader and partner go the same way as the stone, each to a place that another of the three
    leaves, or where no foe may be.
    """
    behind, ahead = LINES[stone][3 - way][:1], LINES[stone][way]
    if not (ahead[1:] if pulls else behind):
        return Formation(0, 0, ())
    leader = ahead[0] if pulls else behind[0]
    partners = []
    for partner in NEAR[leader]:
        goal = LINES[partner][way][:1]
        if partner == stone or not goal:
            continue
        # The stone's place stands for one where no foe is; a pull's partner ahead is in `clear`.
        is_ahead = pulls and partner == ahead[1]
        partners.append(
            (partner, stone if is_ahead else partner, stone if goal[0] == leader else goal[0])
        )
    return Formation(leader, ahead[1] if pulls else leader, tuple(partners))


PUSHED: Final = tuple(
    tuple(_formation(stone, way, pulls=False) for way in range(4)) for stone in ALL
)
PULLED: Final = tuple(
    tuple(_formation(stone, way, pulls=True) for way in range(4)) for stone in ALL
)
"""By square of the stone and direction."""
LEAST: Final = {
    seats: tuple(
        tuple(
            min((pushes + quarters[way] for _, way, _, pushes in LANES[stone]), default=NONE)
            for stone in ALL
        )
        for quarters in by_side
    )
    for seats, by_side in QUARTERS.items()
}
"""By seats, side and square of the stone: the pushes and quarters that it takes at least."""
GATES: Final = tuple(
    frozenset(
        place
        for way in range(4)
        if not LINES[stone][way]
        for found in [PUSHED[stone][way]]
        for place in (found.leader, *(one for partner in found.partners for one in partner))
    )
    - {stone}
    for stone in ALL
)
"""By square of the stone: where somebody stands, or nobody may, when it is pushed out."""
TAKEN_FROM: Final = tuple(
    tuple(near for near in NEAR[foe] if len(NEAR[foe]) < 4 or len(NEAR[near]) < 4) for foe in ALL
)
"""By square of a foe: from where a grab or a throw can take him prisoner, however things turn."""
