"""The steps of Kumo Hogosha as texts, and why one is refused; kumo.py would be too long."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from kumite.core.errors import BadNotation
from kumite.core.game import Actor
from kumite.core.games.kumo.state import (
    ABLE,
    ALL,
    BLOCK,
    CAMPS,
    DIRECTIONS,
    FIRM,
    FREE,
    GRAB,
    HEADING,
    JUMP,
    KUMO,
    LINES,
    NEAR,
    NOBODY,
    PIECES,
    ROWS,
    RUN,
    SQUARES,
    STANCES,
    STONE,
    TEAM_PRISON,
    THROW,
    UPPER,
    State,
    due,
    in_ring,
    is_over,
    lone,
    own_edges,
)

# --- Step notation ----------------------------------------------------------------------------

PRISON: Final = -1  # the goal `x`
_SQ: Final = "([a-i][1-9])"
_STANCE: Final = f"({'|'.join(STANCES)})"
_FORMS: Final = {
    "cw": "cw",
    "ccw": "ccw",
    "place": rf"\+{_SQ}={_STANCE}",
    "change": f"{_SQ}={_STANCE}",
    "walk": f"{_SQ}-{_SQ}",
    "run": f"run:{_SQ}-{_SQ}",
    "jump": f"jump:{_SQ}-{_SQ}",
    "grab": f"grab:{_SQ}:{_SQ}-(?:{_SQ}|(x))",
    "throw": f"throw:{_SQ}:{_SQ}-(?:{_SQ}|(x))",
    "block": f"block:{_SQ}-{_SQ}",
    "push": rf"push:{_SQ}\+{_SQ}",
    "pull": rf"pull:{_SQ}\+{_SQ}",
    "off": f"off:{_SQ}-{_SQ}",
    "free": "free",
    "done": "done",
}
_ARGS: Final = {name: square for square, name in enumerate(SQUARES)}
_ARGS.update({name: stance for stance, name in enumerate(STANCES)}, x=PRISON)
HINT: Final = (
    "cw, +e1=run, e4=kumo, e3-e4, run:e1-d2, jump:c3-c6, grab:d4:e4-f4, throw:b1:a1-x, "
    "block:c4-c5, push:e4+e3, pull:e4+e3, off:c5-c6, free, done"
)


@lru_cache(maxsize=8192)  # about as many steps as there are
def parse_step(step: str) -> tuple[str, tuple[int, ...]]:
    """Return the kind of a step, a key of `_FORMS`, and its squares, stance or goal, in order.

    Raises:
        BadNotation: it has none of the forms.
    """
    for kind, form in _FORMS.items():
        if found := re.fullmatch(form, step):
            return kind, tuple(_ARGS[group] for group in found.groups() if group)
    raise BadNotation(f"kumo: {step[:40]!r} is no step", hint=HINT)


# --- What kumo.py also asks for its lists -----------------------------------------------------


def heading(kind: str, stone: int, leader: int) -> int:
    """Return the direction in which stone, leader and partner move."""
    return HEADING[stone - leader if kind == "push" else leader - stone]


def why_not_lane(state: State, side: int, kind: str, leader: int, partner: int) -> str:
    """Say which of the three cannot move (A17, A18); the pieces themselves have been checked."""
    stone = state.stone
    movers = {"stone": stone, "leader": leader, "partner": partner}
    direction = heading(kind, stone, leader)
    for name, mover in movers.items():
        line = LINES[mover][direction]
        if not line and mover != stone:
            return f"the {name} on {SQUARES[mover]} would leave the arena"
        if line and line[0] not in movers.values() and state.arena[line[0]]:
            return f"the {name} cannot move {DIRECTIONS[direction]}: {_taken(state, line[0])}"
    if not LINES[stone][direction] and direction not in own_edges(len(state.boards), 1 - side):
        return f"no camp of the foe lies beyond the {DIRECTIONS[direction]} edge"
    return ""


def why_not_prison(state: State, side: int, square: int) -> str:
    """Say why no foe can go into prison from `square` (A13, A20)."""
    seats = len(state.boards)
    if seats == 4 and state.prisons[side] >= TEAM_PRISON:
        return f"the prison of side {side} holds {TEAM_PRISON} already"
    edges = own_edges(seats, side)
    for edge in edges:
        if not LINES[square][edge]:
            return ""
    names = " or ".join(DIRECTIONS[edge] for edge in edges)
    return f"{SQUARES[square]} does not lie at the {names} edge, which leads to the prison"


def shirks(state: State, kind: str, args: tuple[int, ...]) -> bool:
    """Tell whether this legal movement would be the last action, the arena still unturned (A5)."""
    if not state.must_turn or kind in ("cw", "ccw"):
        return False
    if kind == "push" and not LINES[state.stone][heading(kind, state.stone, args[0])]:
        return False  # the match is over then
    return state.used + 1 >= state.most(captured=PRISON in args)


# --- Why not ----------------------------------------------------------------------------------


def refusal(state: State, actor: Actor, kind: str, args: tuple[int, ...]) -> str:
    """Say why a step is not legal, in words of the rules; empty if it is."""
    seat = state.seat
    if is_over(state):
        return "the match is over"
    if actor != seat:
        return f"it is the turn of seat {seat}"
    if kind != "off" and not state.used:
        for square in due(state)[:1]:
            return f"the blocker on {SQUARES[square]} must climb down first"
    reason = _WHY[kind](state, seat & 1, *args)
    if not reason and shirks(state, kind, args):
        return "the arena must be turned in this turn, and this would be its last action"
    return reason


def _taken(state: State, square: int) -> str:
    """Say why `square` is not free; empty if it is."""
    byte = state.arena[square]
    if byte == FREE:
        return ""
    if byte == STONE:
        return f"the stone lies on {SQUARES[square]}"
    side, stance = PIECES[byte][-1]
    return f"a {STANCES[stance]} of side {side} stands on {SQUARES[square]}"


def _unable(state: State, side: int, square: int, *stances: int) -> str:
    """Say why no able Kumotori of `side` in one of the stances stands on `square`."""
    pieces, name = PIECES[state.arena[square]], SQUARES[square]
    if not pieces:
        return f"no Kumotori stands on {name}"
    if len(pieces) == 2:
        if pieces[1][0] == side:
            return f"the blocker on {name} can do nothing but climb down"
        return f"the Kumotori on {name} is pinned by a blocker"
    if pieces[0][0] != side:
        return f"the Kumotori on {name} is of side {pieces[0][0]}"
    stance = pieces[0][1]
    if stances and stance not in stances:
        wanted = " or ".join(STANCES[one] for one in stances)
        return f"the Kumotori on {name} shows {STANCES[stance]}, not {wanted}"
    return ""


def _apart(square: int, other: int) -> str:
    """Say why two squares are not adjacent; empty if they are."""
    if other in NEAR[square]:
        return ""
    return f"{SQUARES[other]} is not adjacent to {SQUARES[square]}"


def _why_turn(state: State, side: int) -> str:
    return ""


def _why_place(state: State, side: int, square: int, stance: int) -> str:
    seat = state.seat
    if not state.boards[seat]:
        return f"no Kumotori waits on the board of seat {seat}"
    row = ALL[ROWS[CAMPS[len(state.boards)][seat]]]
    if square not in row:
        ends = f"{SQUARES[row[0]]} to {SQUARES[row[-1]]}"
        return f"seat {seat} places on its closest row, {ends}, not on {SQUARES[square]}"
    return _taken(state, square)


def _why_change(state: State, side: int, square: int, stance: int) -> str:
    if state.arena[square] == lone(side, stance):
        return f"the Kumotori on {SQUARES[square]} shows {STANCES[stance]} already"
    return _unable(state, side, square)


def _why_walk(state: State, side: int, square: int, goal: int) -> str:
    for stance in FIRM:
        if state.arena[square] == lone(side, stance):
            return f"a {STANCES[stance]} as on {SQUARES[square]} stands firm and cannot walk"
    return _unable(state, side, square) or _apart(square, goal) or _taken(state, goal)


def _why_run(state: State, side: int, square: int, goal: int) -> str:
    if reason := _unable(state, side, square, RUN):
        return reason
    ways = [way for way in NEAR[square] if goal in NEAR[way]]
    if goal == square or not ways:
        return f"{SQUARES[goal]} is not two steps away from {SQUARES[square]}"
    return _taken(state, goal) or min(_taken(state, way) for way in ways)


def _why_jump(state: State, side: int, square: int, goal: int) -> str:
    if reason := _unable(state, side, square, JUMP):
        return reason
    line = next((line for line in LINES[square] if goal in line), ())
    row = line[: line.index(goal)] if line else ()
    if not row:
        return f"{SQUARES[goal]} does not lie straight behind a row that begins next to the jumper"
    for one in row:
        if state.arena[one] == FREE:
            return f"{SQUARES[one]} is empty, and a jump goes over an unbroken row of Kumotori"
        if state.arena[one] == STONE:
            return f"the stone on {SQUARES[one]} cannot be jumped"
    return _taken(state, goal)


def _why_grab(state: State, side: int, square: int, piece: int, goal: int) -> str:
    return _unable(state, side, square, GRAB) or _why_grip(state, side, square, piece, goal, piece)


def _why_throw(state: State, side: int, square: int, piece: int, goal: int) -> str:
    return _unable(state, side, square, THROW) or _why_grip(
        state, side, square, piece, goal, square
    )


def _why_grip(state: State, side: int, square: int, piece: int, goal: int, centre: int) -> str:
    """Say why the piece cannot be moved round the centre: itself, or the thrower (A12)."""
    if reason := _apart(square, piece):
        return reason
    upper = UPPER[state.arena[piece]]
    if upper == NOBODY:
        return f"no Kumotori stands on {SQUARES[piece]}"
    if goal != PRISON:
        return _apart(centre, goal) or _taken(state, goal)
    if upper == side:
        return f"the piece on {SQUARES[piece]} is no foe; only foes go to prison"
    return why_not_prison(state, side, centre)


def _why_block(state: State, side: int, square: int, foe: int) -> str:
    if reason := _unable(state, side, square, BLOCK) or _apart(square, foe):
        return reason
    if not ABLE[1 - side][state.arena[foe]]:
        return f"no foe stands alone on {SQUARES[foe]}"
    if in_ring(foe, state.stone):
        return f"{SQUARES[foe]} lies in the ring round the stone, where nobody can be pinned"
    return ""


def _why_push(state: State, side: int, leader: int, partner: int) -> str:
    return _why_stone("push", state, side, leader, partner)


def _why_pull(state: State, side: int, leader: int, partner: int) -> str:
    return _why_stone("pull", state, side, leader, partner)


def _why_stone(kind: str, state: State, side: int, leader: int, partner: int) -> str:
    if state.stone not in NEAR[leader]:
        return f"the leader on {SQUARES[leader]} is not adjacent to the stone"
    return (
        _unable(state, side, leader, KUMO)
        or _unable(state, side, partner, KUMO)
        or _apart(leader, partner)
        or why_not_lane(state, side, kind, leader, partner)
    )


def _why_off(state: State, side: int, square: int, goal: int) -> str:
    pieces = PIECES[state.arena[square]]
    if len(pieces) < 2 or pieces[1][0] != side:
        return f"no blocker of side {side} stands on {SQUARES[square]}"
    if state.used and not state.hold:
        return "blockers climb down at the start of a turn, before any action"
    return _apart(square, goal) or _taken(state, goal)


def _why_free(state: State, side: int) -> str:
    return "" if state.prisons[1 - side] else f"the prison of side {1 - side} is empty"


def _why_done(state: State, side: int) -> str:
    if state.used < state.least:
        return f"the turn takes at least {state.least} actions, so far {state.used}"
    return "the arena must be turned in this turn" if state.must_turn else ""


# By kind of step: the state, the side to move and what parse_step returns, to a reason or nothing.
_WHY: Final[Mapping[str, Callable[..., str]]] = {
    "cw": _why_turn,
    "ccw": _why_turn,
    "place": _why_place,
    "change": _why_change,
    "walk": _why_walk,
    "run": _why_run,
    "jump": _why_jump,
    "grab": _why_grab,
    "throw": _why_throw,
    "block": _why_block,
    "push": _why_push,
    "pull": _why_pull,
    "off": _why_off,
    "free": _why_free,
    "done": _why_done,
}
