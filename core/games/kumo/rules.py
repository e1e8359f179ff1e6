"""Kumo Hogosha: wrestlers push the Stone of Balance off a turning arena into the foe's camp.

Rules: docs/rules/kumo.md (decisions A1 to A22). Notation: `cw` turns the arena, `+e1=run` places,
`e4=kumo` changes stance, `e3-e4` walks, `run:e1-d2`, `jump:c3-c6`, `grab:d4:e4-f4`, `throw:b1:a1-x`
and `block:c4-c5` act, `push:e4+e3` moves the stone, `off:c5-c6` climbs down, `free` frees a
prisoner, `done` ends the turn. No chance, nothing hidden, one actor at a time.
"""

from __future__ import annotations

from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, Final, TypeVar

from kumite.core.errors import BadData, BadNotation, IllegalStep
from kumite.core.game import Actor, Option, Options, Outcome, Packed, Seat, Seats, Step, same_text
from kumite.core.games.kumo.state import (
    ABLE,
    ALL,
    BLOCKERS,
    CAMPS,
    FIRM,
    FREE,
    GRAB,
    IS_FREE,
    KUMO,
    KUMOTORI,
    LIFTED,
    LIMITS,
    LINES,
    NEAR,
    NOBODY,
    PIECES,
    PINNED,
    ROWS,
    SIZE,
    SQUARES,
    STANCES,
    STONE,
    THROW,
    UPPER,
    due,
    in_ring,
    is_over,
    lone,
    turn_ccw,
    turn_cw,
)
from kumite.core.games.kumo.state import State as State
from kumite.core.games.kumo.text import is_shaped, mistake, parse_lines, position_lines
from kumite.core.games.kumo.why import (
    HINT,
    PRISON,
    heading,
    parse_step,
    refusal,
    shirks,
    why_not_lane,
    why_not_prison,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from fractions import Fraction

T = TypeVar("T")

ID: Final = "kumo"
TITLE: Final = "Kumo Hogosha"
RULES: Final = 1
SEATS: Final = (2, 4)
TEAMS: Final = True  # every second seat is of one side
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
SECRETS: Final = None  # nothing is hidden, and chance has no part


def start(seats: int, options: Options) -> State:
    """Return the start: nothing on the arena but the stone, in the middle."""
    arena = bytearray(SIZE * SIZE)
    arena[SIZE * SIZE // 2] = STONE
    boards = (2 * KUMOTORI // seats,) * seats
    return State(
        options["block"] == "hold",
        int(options["limit"]),
        bytes(arena),
        boards,
        prisons=(0, 0),
        turn=1,
        used=0,
        turned=(False, False),
        spent=(0, 0),
        drawn=False,
    )


def setup_of(state: State) -> tuple[int, Options]:
    """Return the seats and options of this position."""
    block = "hold" if state.hold else "turn"
    return len(state.boards), {"block": block, "limit": state.limit}


# --- Turn and steps ---------------------------------------------------------------------------


def actors(state: State) -> tuple[Actor, ...]:
    """Name the one seat to act; nobody when the match is over."""
    return () if is_over(state) else (Seat(state.seat),)


def legal(state: State, actor: Actor) -> tuple[Step, ...]:
    """List the steps of the seat to move: blockers first climb down, before any action (A16)."""
    if actor != state.seat or is_over(state):
        return ()
    blockers = due(state)
    if blockers:
        return tuple(_climbs(state.arena, blockers))
    if state.must_turn and state.used + 1 >= state.most():
        return tuple(sorted(_last_steps(state)))
    steps = _other_steps(state)
    steps.sort()
    seat = state.seat
    if not state.boards[seat]:
        return tuple(steps)
    camp = CAMPS[len(state.boards)][seat]
    return (*_placings(camp, state.arena[ROWS[camp]].translate(IS_FREE)), *steps)


def _climbs(arena: bytes, blockers: Iterable[int]) -> list[Step]:
    """List how these blockers can climb down."""
    return [
        step for square in blockers for goal, step in _to_next("off:", square) if not arena[goal]
    ]


def _last_steps(state: State) -> list[Step]:
    """List what the last action can be while the arena has yet to be turned (A5)."""
    side = state.seat & 1
    steps = [*_TURNS]
    for square in compress(ALL, state.arena.translate(ABLE[side])):
        stance = PIECES[state.arena[square]][0][1]
        if stance in (GRAB, THROW, KUMO):
            steps += [
                step
                for step in _ACTIVE[stance](state, side, square)
                if not shirks(state, *parse_step(step))
            ]
    return steps


def _other_steps(state: State) -> list[Step]:
    """List every step but placing; all of them come after it, as `+` sorts before letters."""
    arena, side = state.arena, state.seat & 1
    steps = [*_TURNS]
    for square in compress(ALL, arena.translate(ABLE[side])):
        stance = PIECES[arena[square]][0][1]
        if stance not in FIRM:
            steps += [step for goal, step in _to_next("", square) if not arena[goal]]
        steps += _changes(square, stance)
        steps += _ACTIVE[stance](state, side, square)
    if state.hold:
        steps += _climbs(arena, compress(ALL, arena.translate(BLOCKERS[side])))
    if state.prisons[1 - side]:
        steps.append(_FREEING)
    if state.used >= state.least and not state.must_turn:
        steps.append(_DONE)
    return steps


_TURNS: Final = (Step("ccw"), Step("cw"))
_FREEING: Final = Step("free")
_DONE: Final = Step("done")


@cache  # 4 camps and 512 kinds of rows
def _placings(camp: int, is_free: bytes) -> tuple[Step, ...]:
    """List the places on this camp's closest row (A20), in any stance."""
    row = compress(ALL[ROWS[camp]], is_free)
    return tuple(Step(f"+{SQUARES[sq]}={stance}") for sq in row for stance in sorted(STANCES))


@cache
def _changes(square: int, stance: int) -> tuple[Step, ...]:
    """List the other stances that a Kumotori can take (A22)."""
    others = sorted(set(STANCES) - {STANCES[stance]})
    return tuple(Step(f"{SQUARES[square]}={other}") for other in others)


@cache
def _to_next(form: str, square: int) -> tuple[tuple[int, Step], ...]:
    """Return the adjacent squares, each with the text of a step there."""
    return tuple((goal, Step(f"{form}{SQUARES[square]}-{SQUARES[goal]}")) for goal in NEAR[square])


# --- Active movements: each lists the steps of the able Kumotori of `side` on `square` --------


def _run(state: State, side: int, square: int) -> list[Step]:
    """List the runs: two steps over free spaces, a corner may be turned (A10)."""
    arena = state.arena
    return [
        step
        for goal, way, other, step in _runs(square)
        if not arena[goal] and not (arena[way] and arena[other])
    ]


@cache
def _runs(square: int) -> tuple[tuple[int, int, int, Step], ...]:
    """Return the goals of runs, each with the spaces of its ways: the same twice if straight."""
    found = []
    for goal in sorted({goal for way in NEAR[square] for goal in NEAR[way]} - {square}):
        ways = [way for way in NEAR[square] if goal in NEAR[way]]
        found.append((goal, ways[0], ways[-1], Step(f"run:{SQUARES[square]}-{SQUARES[goal]}")))
    return tuple(found)


def _jump(state: State, side: int, square: int) -> list[Step]:
    """List the jumps: over an unbroken row of Kumotori, not over the stone (A11)."""
    steps = []
    for line in LINES[square]:
        if line and state.arena[line[0]]:
            goal = next((one for one in line if state.arena[one] in (FREE, STONE)), -1)
            if goal >= 0 and not state.arena[goal]:
                steps.append(Step(f"jump:{SQUARES[square]}-{SQUARES[goal]}"))
    return steps


def _grab(state: State, side: int, square: int) -> list[Step]:
    """List the grabs: the piece moves to a space adjacent to itself, or into prison (A12)."""
    return _grips("grab", state, side, square)


def _throw(state: State, side: int, square: int) -> list[Step]:
    """List the throws: the piece goes to a space adjacent to the thrower, or into prison (A12)."""
    return _grips("throw", state, side, square)


def _grips(kind: str, state: State, side: int, square: int) -> list[Step]:
    arena = state.arena
    steps = []
    for piece in NEAR[square]:
        upper = UPPER[arena[piece]]
        if upper != NOBODY:
            to_prison, goals = _goals(kind, square, piece)
            steps += [step for goal, step in goals if not arena[goal]]
            if upper != side and not why_not_prison(
                state, side, piece if kind == "grab" else square
            ):
                steps.append(to_prison)
    return steps


@cache
def _goals(kind: str, square: int, piece: int) -> tuple[Step, tuple[tuple[int, Step], ...]]:
    """Return the step into prison, and the goals on the arena, each with its step."""
    form = f"{kind}:{SQUARES[square]}:{SQUARES[piece]}-"
    around = NEAR[piece if kind == "grab" else square]
    return Step(f"{form}x"), tuple((goal, Step(form + SQUARES[goal])) for goal in around)


def _block(state: State, side: int, square: int) -> list[Step]:
    """List the foes to be pinned: alone, and outside the ring (A14)."""
    arena, stone = state.arena, state.stone
    return [
        step
        for goal, step in _to_next("block:", square)
        if ABLE[1 - side][arena[goal]] and not in_ring(goal, stone)
    ]


def _kumo(state: State, side: int, square: int) -> list[Step]:
    """List the pulls and pushes that this Kumotori leads (A17)."""
    arena, stone = state.arena, state.stone
    if stone not in NEAR[square]:
        return []
    return [
        Step(f"{kind}:{SQUARES[square]}+{SQUARES[partner]}")
        for partner in NEAR[square]
        if arena[partner] == arena[square]
        for kind in ("pull", "push")
        if not why_not_lane(state, side, kind, square, partner)
    ]


_ACTIVE: Final = (_run, _jump, _grab, _throw, _block, _kumo)  # by stance


# --- Applying a step --------------------------------------------------------------------------


def apply(state: State, actor: Actor, step: Step) -> State:
    """Return the position after `step`; it may end the turn, and the match."""
    kind, args = parse_step(step)
    reason = refusal(state, actor, kind, args)
    if reason:
        raise IllegalStep(f"{ID}: {reason}", hint=HINT)
    seat = state.seat
    side = seat & 1
    arena, boards, prisons, turned = state.arena, state.boards, state.prisons, state.turned
    if kind in _QUARTERS:
        arena, turned = _QUARTERS[kind](arena), _with(turned, side, value=True)
    elif kind == "free":
        receiver = _receiver(state)
        boards = _with(boards, receiver, boards[receiver] + 1)
        prisons = _with(prisons, 1 - side, prisons[1 - side] - 1)
    elif kind != "done":
        arena = _moved(state, side, kind, args)
        if kind == "place":
            boards = _with(boards, seat, boards[seat] - 1)
        elif PRISON in args:
            prisons = _with(prisons, side, prisons[side] + 1)
    is_action = kind != "done" and (kind != "off" or state.hold)
    used = state.used + is_action
    after = State(
        state.hold,
        state.limit,
        arena,
        boards,
        prisons,
        state.turn,
        used,
        turned,
        state.spent,
        False,
    )
    if not is_over(after) and (kind == "done" or (is_action and used == after.most())):
        return _turn_ended(after)
    return after


_QUARTERS: Final = {"cw": turn_cw, "ccw": turn_ccw}


def _with(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return `values` with one of them replaced."""
    return (*values[:index], value, *values[index + 1 :])


def _receiver(state: State) -> int:
    """Return the seat that gets the freed Kumotori: the mover unless the teammate has fewer."""
    seat, boards = state.seat, state.boards
    mate = (seat + 2) % len(boards)  # with 2 seats the mover again
    return mate if boards[mate] < boards[seat] else seat


def _moved(state: State, side: int, kind: str, args: tuple[int, ...]) -> bytes:
    """Return the arena after anything but turning it."""
    arena = bytearray(state.arena)
    match kind, args:
        case "place" | "change", (square, stance):
            arena[square] = lone(side, stance)
        case "walk" | "run" | "jump", (square, goal):
            arena[goal], arena[square] = arena[square], FREE
        case "block", (square, foe):
            arena[foe] += PINNED
            arena[square] = FREE
        case "off", (square, goal):
            _lift(arena, square, goal)
        case "grab" | "throw", (_, piece, goal):
            _lift(arena, piece, goal)
        case _, (leader, partner):
            stone, kumo = state.stone, arena[leader]
            direction = heading(kind, stone, leader)
            arena[stone] = arena[leader] = arena[partner] = FREE
            for mover, byte in ((stone, STONE), (leader, kumo), (partner, kumo)):
                for goal in LINES[mover][direction][:1]:  # the stone may have none
                    arena[goal] = byte
    return bytes(arena)


def _lift(arena: bytearray, square: int, goal: int) -> None:
    """Move the upper Kumotori of a square; a pinned one that it stood on is loose."""
    byte = arena[square]
    arena[square] = byte - PINNED if byte > PINNED else FREE
    if goal != PRISON:
        arena[goal] = LIFTED[byte]


def _turn_ended(state: State) -> State:
    """Return the position at the start of the next turn, or the end of a match at its limit."""
    seat, spent, turned, drawn = state.seat, state.spent, state.turned, state.turn == state.limit
    turn, used = state.turn, state.used
    if not drawn:
        if len(state.boards) == 4 and seat < 2:
            spent = _with(spent, seat & 1, used)
        else:
            spent, turned = _with(spent, seat & 1, 0), _with(turned, seat & 1, value=False)
        turn, used = turn + 1, 0
    return State(
        state.hold,
        state.limit,
        state.arena,
        state.boards,
        state.prisons,
        turn,
        used,
        turned,
        spent,
        drawn,
    )


def why(state: State, actor: Actor, step: Step) -> str:
    """Say why `step` is not legal, in words of the rules; empty if it is."""
    try:
        return refusal(state, actor, *parse_step(step))
    except BadNotation as error:
        return str(error).removeprefix(f"{ID}: ")


def odds(state: State) -> Mapping[Step, Fraction]:
    """Return {}: nothing is left to chance."""
    return {}


# --- End and outcome --------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    """Return the winners: the side that pushed the stone out (A18), or nobody (A21)."""
    if state.drawn:
        return Outcome((), "limit")
    if STONE in state.arena:
        return None
    seats = len(state.boards)
    return Outcome(tuple(map(Seat, range(state.seat & 1, seats, 2))), "stone")


# --- What each seat sees ----------------------------------------------------------------------


def view(state: State, by: Seats) -> State:
    """Return the position itself: nothing is hidden."""
    return state


def seen(state: State, actor: Actor, step: Step, by: Seats) -> Step:
    """Return the step itself: nothing is hidden."""
    return step


# --- Bytes and text ---------------------------------------------------------------------------


def pack(state: State) -> Packed:
    """Return (hold, limit, arena, boards, prisons, turn, used, turned, spent, drawn)."""
    return (
        int(state.hold),
        state.limit,
        state.arena,
        state.boards,
        state.prisons,
        state.turn,
        state.used,
        tuple(map(int, state.turned)),
        state.spent,
        int(state.drawn),
    )


def unpack(packed: Packed) -> State:
    """Return the position that `pack` packed."""
    match packed:
        case (
            int(hold),
            int(limit),
            bytes(arena),
            tuple(boards),
            tuple(prisons),
            int(turn),
            int(used),
            tuple(turned),
            tuple(spent),
            int(drawn),
        ):
            state = State(
                bool(hold),
                limit,
                arena,
                _unpack_ints(boards),
                _unpack_ints(prisons),
                turn,
                used,
                tuple(map(bool, turned)),
                _unpack_ints(spent),
                bool(drawn),
            )
            if is_shaped(state) and not mistake(state) and pack(state) == packed:
                return state
    raise BadData("no packed position of kumo")


def _unpack_ints(packed: tuple[Packed, ...]) -> tuple[int, ...]:
    return tuple(one if isinstance(one, int) else -1 for one in packed)


def text(state: State) -> str:
    """Return the position as in the worked examples: its numbers, then a line an occupied square.

    `d4 1run 0block` is a runner of side 1 on d4, with a blocker of side 0 on top.
    """
    lines = position_lines(state)
    if end := outcome(state):
        lines.append(f"over {end.reason} {','.join(map(str, end.winners)) or '-'}")
    return "\n".join(lines)


def parse(said: str) -> State:
    """Return the position whose text is `said`."""
    state = parse_lines([line.rstrip() for line in said.strip("\n").split("\n")])
    same_text(ID, said, text(state))
    return state
