"""Kumo Hogosha: wrestlers push the Stone of Balance off a turning arena into the foe's camp.

Rules: docs/rules/kumo.md (decisions A1 to A22). Notation: `cw` turns the arena, `+e1=run` places,
`e4=kumo` changes stance, `e3-e4` walks, `run:e1-d2`, `jump:c3-c6`, `grab:d4:e4-f4`, `throw:b1:a1-x`
and `block:c4-c5` act, `push:e4+e3` moves the stone, `off:c5-c6` climbs down, `free` frees a
prisoner, `done` ends the turn. No chance, nothing hidden, one actor at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from kumite.core.copying import put, replace
from kumite.core.errors import BadNotation, IllegalStep
from kumite.core.game import Actor, Option, Options, Seat, Step
from kumite.core.games.kumo.legality import heading, legal_steps, refusal
from kumite.core.games.kumo.state import (
    FREE,
    KUMOTORI,
    LIFTED,
    LIMITS,
    LINES,
    PATTERNS,
    PINNED,
    PRISON,
    SIZE,
    STONE,
    is_over,
    lone,
    parse_step,
    turn_ccw,
    turn_cw,
)
from kumite.core.games.kumo.state import State as State
from kumite.core.games.kumo.state import outcome as outcome
from kumite.core.games.kumo.state import pack as pack
from kumite.core.games.kumo.state import parse as parse
from kumite.core.games.kumo.state import text as text
from kumite.core.games.kumo.state import unpack as unpack
from kumite.core.games.open import examples
from kumite.core.games.open import odds as odds
from kumite.core.games.open import seen as seen
from kumite.core.games.open import view as view

ID: Final = "kumo"
TITLE: Final = "Kumo Hogosha"
RULES: Final = 1
SEATS: Final = (2, 4)
TEAMS: Final = True  # alternate seats are on the same side
OPTIONS: Final = (
    Option(
        "block",
        "turn",
        ("turn", "hold"),
        "a blocker climbs down at its side's next turn, or stays as long as its side likes",
        "A blocker",
        ("stays for a turn", "stays while you like"),
    ),
    Option(
        "limit",
        200,
        LIMITS,
        "turns after which the match is drawn",
        "Draw after",
        tuple(f"{limit} turns" for limit in LIMITS),
    ),
)
SECRETS: Final = None  # no hidden information and no chance


def start(seats: int, options: Options) -> State:
    """Return the start: an arena with only the stone, in the middle."""
    arena = bytearray(SIZE * SIZE)
    arena[SIZE * SIZE // 2] = STONE
    boards = (2 * KUMOTORI // seats,) * seats
    return State(
        hold=options["block"] == "hold",
        limit=int(options["limit"]),
        arena=bytes(arena),
        boards=boards,
        prisons=(0, 0),
        turn=1,
        used=0,
        turned=(False, False),
        spent=(0, 0),
        drawn=False,
    )


def setup_of(state: State) -> tuple[int, Options]:
    block = "hold" if state.hold else "turn"
    return len(state.boards), {"block": block, "limit": state.limit}


# --- Turn and steps ---------------------------------------------------------------------------


def actors(state: State) -> tuple[Actor, ...]:
    """Return the seat to act, or () when the match is over."""
    return () if is_over(state) else (Seat(state.seat),)


def legal(state: State, actor: Actor) -> tuple[Step, ...]:
    """Return the legal steps; blockers must climb down first, before any action (A16)."""
    return legal_steps(state) if actor in actors(state) else ()


_FORMS: Final = {kind: f"^{pattern}$" for kind, pattern in PATTERNS.items()}


# --- Applying a step --------------------------------------------------------------------------


def apply(state: State, actor: Actor, step: Step) -> State:
    """Return the position after `step`, which may end the turn and the match."""
    try:
        kind, args = parse_step(step)
    except BadNotation as error:
        raise BadNotation(str(error), hint=examples(legal(state, actor), _FORMS)) from None
    if refused := _refusal(state, actor, kind, args):
        raise IllegalStep(f"{ID}: {refused}", hint=examples(legal(state, actor), _FORMS))
    seat = state.seat
    side = seat & 1
    boards, prisons, turned = state.boards, state.prisons, state.turned
    effect = _EFFECTS.get(kind)
    if effect:
        moved = bytearray(state.arena)
        effect(moved, side, *args)
        arena = bytes(moved)
        if kind == "place":
            boards = put(boards, seat, boards[seat] - 1)
        elif PRISON in args:
            prisons = put(prisons, side, prisons[side] + 1)
    else:
        arena = state.arena
        if kind in _QUARTERS:
            arena, turned = _QUARTERS[kind](arena), put(turned, side, True)
        elif kind == "free":
            receiver = _receiver(state)
            boards = put(boards, receiver, boards[receiver] + 1)
            prisons = put(prisons, 1 - side, prisons[1 - side] - 1)
    is_action = kind != "done" and (kind != "off" or state.hold)
    after = replace(
        state,
        arena=arena,
        boards=boards,
        prisons=prisons,
        used=state.used + is_action,
        turned=turned,
    )
    if (kind == "done" or (is_action and after.used == after.most())) and not is_over(after):
        return _turn_ended(after)
    return after


_QUARTERS: Final = {"cw": turn_cw, "ccw": turn_ccw}


def _receiver(state: State) -> int:
    """Return the seat that gets the freed Kumotori: the mover unless the teammate has fewer."""
    seat, boards = state.seat, state.boards
    mate = (seat + 2) % len(boards)  # with 2 seats, the mover again
    return mate if boards[mate] < boards[seat] else seat


# Effects of steps on the arena, given the side and the arguments from `parse_step`.


def _show(arena: bytearray, side: int, square: int, stance: int) -> None:
    arena[square] = lone(side, stance)


def _go(arena: bytearray, side: int, square: int, goal: int) -> None:
    arena[goal], arena[square] = arena[square], FREE


def _lift(arena: bytearray, side: int, *squares: int) -> None:
    """Move the upper Kumotori of a square, perhaps gripped from another one, to the last square.

    A Kumotori pinned below it is freed.
    """
    *_, square, goal = squares
    byte = arena[square]
    arena[square] = byte - PINNED if byte > PINNED else FREE
    if goal != PRISON:
        arena[goal] = LIFTED[byte]


def _pin(arena: bytearray, side: int, square: int, foe: int) -> None:
    arena[foe] += PINNED
    arena[square] = FREE


def _shift(kind: str, arena: bytearray, side: int, leader: int, partner: int) -> None:
    stone, byte = arena.index(STONE), arena[leader]
    direction = heading(kind, stone, leader)
    arena[stone] = arena[leader] = arena[partner] = FREE
    for mover, one in ((stone, STONE), (leader, byte), (partner, byte)):
        for goal in LINES[mover][direction][:1]:  # the stone may leave the arena
            arena[goal] = one


_EFFECTS: Final[Mapping[str, Callable[..., None]]] = {
    "place": _show,
    "change": _show,
    "walk": _go,
    "run": _go,
    "jump": _go,
    "grab": _lift,
    "throw": _lift,
    "block": _pin,
    "push": partial(_shift, "push"),
    "pull": partial(_shift, "pull"),
    "off": _lift,
}


def _turn_ended(state: State) -> State:
    """Return the position at the start of the next turn, or the end of a match at its limit."""
    if state.turn == state.limit:
        return replace(state, drawn=True)
    side, turn, spent, turned = state.seat & 1, state.turn + 1, state.spent, state.turned
    if len(state.boards) == 4 and state.seat < 2:
        return replace(state, turn=turn, used=0, spent=put(spent, side, state.used))
    spent, turned = put(spent, side, 0), put(turned, side, False)
    return replace(state, turn=turn, used=0, turned=turned, spent=spent)


def why(state: State, actor: Actor, step: Step) -> str:
    """Return why `step` is illegal, in terms of the rules; empty if it is legal."""
    try:
        return _refusal(state, actor, *parse_step(step))
    except BadNotation as error:
        return str(error).removeprefix(f"{ID}: ")


def _refusal(state: State, actor: Actor, kind: str, args: tuple[int, ...]) -> str:
    if actor not in actors(state):
        return "the match is over" if is_over(state) else f"it is the turn of seat {state.seat}"
    return refusal(state, kind, args)
