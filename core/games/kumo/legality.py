"""The legality of steps in Kumo Hogosha, defined here and nowhere else.

Each kind of step has a function that yields its needs, in the order in which they are reported.
`refusal` checks them in turn and returns the message of the first that is not met. `legal_steps`
checks the same needs, which are kept by square. A function may therefore depend only on the squares
of a step and its seat; the arena and the bars are checked through the needs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import compress
from typing import Final, NamedTuple

from kumite.core.game import Step
from kumite.core.games.kumo.state import (
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
    PINNED,
    PRISON,
    ROWS,
    RUN,
    SQUARES,
    STANCES,
    STONE,
    TEAM_PRISON,
    THROW,
    UPPER,
    WHO,
    State,
    in_ring,
    lone,
    own_edges,
    step_text,
)

# --- Needs ------------------------------------------------------------------------------------

# Bars are flags for conditions that forbid certain kinds of steps anywhere on the arena.
NOBODY_WAITS: Final = 1  # on the seat's board
NOBODY_CAUGHT: Final = 2  # in the other side's prison
FULL: Final = 4  # the side's prison is full (A20)
DUE: Final = 8  # a blocker must climb down first (A16)
LATE: Final = 16  # too late in the turn for blockers to climb down (A16)
TOO_FEW: Final = 32  # too few actions taken to end the turn (A4)
UNTURNED: Final = 64  # the arena must still be turned this turn (A5)
LAST: Final = 128  # the next action is the last chance to turn it
LAST_OF_ALL: Final = 256  # the same even if it takes a prisoner, which gives another action (A6)
NEVER: Final = 512  # always set: for steps that are impossible because of their squares alone


class Need(NamedTuple):
    """A condition: a square holds an allowed byte; or, without squares, none of its bars is set."""

    words: str | Callable[[State], str]  # the message if it is not met
    squares: tuple[int, ...] = ()
    allowed: bytes = b""  # a table by byte of the arena
    bars: int = 0

    def is_met(self, arena: bytes, bars: int) -> bool:
        if self.squares:
            return any(self.allowed[arena[square]] for square in self.squares)
        return not self.bars & (bars | NEVER)

    def told(self, state: State) -> str:
        return self.words if isinstance(self.words, str) else self.words(state)


class Case(NamedTuple):
    """The seat that makes a step, and the stone's square, which pushes and pulls do not name."""

    seats: int
    seat: int
    stone: int = -1

    @property
    def side(self) -> int:
        return self.seat & 1


def needs(case: Case, kind: str, args: tuple[int, ...]) -> Iterator[Need]:
    """Yield all needs of a step, in the order in which they are reported; see `parse_step`.

    Stop at a need that can never be met: the following ones may be meaningless or raise.
    """
    if kind != "off":
        yield _NONE_DUE
    yield from _NEEDS[kind](case, *args)
    if not _turns_or_wins(case, kind, args):
        yield _NOT_LAST_OF_ALL if PRISON in args else _NOT_LAST


def _climbs_first(state: State) -> str:
    square = next(one for one in ALL if can_climb(state.arena, state.seat & 1, one))
    return f"the blocker on {SQUARES[square]} must climb down first"


_TOO_LATE: Final = "the arena must be turned in this turn, and this would be its last action"
_NONE_DUE: Final = Need(_climbs_first, bars=DUE)
_NOT_LAST: Final = Need(_TOO_LATE, bars=LAST)
_NOT_LAST_OF_ALL: Final = Need(_TOO_LATE, bars=LAST_OF_ALL)


def can_climb(arena: bytes, side: int, square: int) -> bool:
    """Return whether a blocker of `side` is on the square and can climb down, bars aside (A16)."""
    any_seats = 2  # the number of seats is irrelevant here
    return any(allows(arena, Case(any_seats, side), "off", (square, goal)) for goal in NEAR[square])


def allows(arena: bytes, case: Case, kind: str, args: tuple[int, ...]) -> bool:
    """Return whether a step is possible on this arena, bars aside."""
    return all(need.is_met(arena, 0) for need in _NEEDS[kind](case, *args))


def _turns_or_wins(case: Case, kind: str, args: tuple[int, ...]) -> bool:
    if kind == "push":
        return not LINES[case.stone][heading(kind, case.stone, args[0])]
    return kind in ("cw", "ccw")


# --- Needs of several kinds of steps ----------------------------------------------------------


def _fact(is_so: bool, words: str) -> Need:
    """Return a need that is always met, or never."""
    return Need(words, bars=0 if is_so else NEVER)


@cache
def _adjacent(square: int, other: int) -> Need:
    return _fact(other in NEAR[square], f"{SQUARES[other]} is not adjacent to {SQUARES[square]}")


@cache
def _free(square: int, before: str = "") -> Need:
    return Need(lambda state: before + _taken(state, square), (square,), _FREE)


def _taken(state: State, square: int) -> str:
    """Return a message about what stands on an occupied square."""
    byte = state.arena[square]
    if byte == STONE:
        return f"the stone lies on {SQUARES[square]}"
    side, stance = PIECES[byte][-1]
    return f"a {WHO[stance]} of side {side} stands on {SQUARES[square]}"


@cache
def _able(side: int, square: int, stance: int | None = None) -> Need:
    """Return the need of an able Kumotori of `side` (A15), in this stance or in any."""
    allowed = _ABLE[side] if stance is None else _SHOWS[side][stance]
    return Need(lambda state: _unable(state, side, square, stance), (square,), allowed)


def _unable(state: State, side: int, square: int, stance: int | None) -> str:
    """Return a message about what is on a square instead of an able Kumotori of `side`."""
    name = SQUARES[square]
    match PIECES[state.arena[square]]:
        case (_, (upper, _)):
            if upper == side:
                return f"the blocker on {name} can do nothing but climb down"
            return f"the Kumotori on {name} is pinned by a blocker"
        case ((owner, shown),):
            if owner == side and stance is not None:
                return f"the Kumotori on {name} shows {STANCES[shown]}, not {STANCES[stance]}"
            return f"the Kumotori on {name} is of side {owner}"
    return f"no Kumotori stands on {name}"


def _any_of(standing: Iterable[int]) -> bytes:
    """Return a table by byte of the arena: whether it is one of `standing`."""
    table = bytearray(256)
    for byte in standing:
        table[byte] = 1
    return bytes(table)


def _none_of(standing: Iterable[int]) -> bytes:
    return _any_of(set(range(256)) - set(standing))


_BYTES: Final = range(len(PIECES))
# Tables by byte of the arena; some also by side, or by side and stance.
_OWN: Final = [_any_of(byte for byte in _BYTES if UPPER[byte] == side) for side in (0, 1)]
_ABLE: Final = [_any_of(lone(side, one) for one in range(6)) for side in (0, 1)]  # A15
_BLOCKERS: Final = [_any_of(PINNED + lone(1 - side, one) for one in range(6)) for side in (0, 1)]
_SHOWS: Final = [[_any_of({lone(side, one)}) for one in range(6)] for side in (0, 1)]
_SHOWS_NOT: Final = [[_none_of({lone(side, one)}) for one in range(6)] for side in (0, 1)]
_NOT_FIRM: Final = [_none_of(lone(side, one) for one in FIRM) for side in (0, 1)]
_SOMEBODY: Final = _any_of(byte for byte in _BYTES if UPPER[byte] != NOBODY)
_FREE: Final = _any_of({FREE})
_TAKEN: Final = _none_of({FREE})
_STONE: Final = _any_of({STONE})
_NO_STONE: Final = _none_of({STONE})

# --- Needs by kind of step, in the order of the rules -----------------------------------------


def _turn(case: Case) -> Iterator[Need]:
    yield from ()


def _place(case: Case, square: int, stance: int) -> Iterator[Need]:
    """Require a free space on the camp's closest row (A20)."""
    seats, seat, _ = case
    yield Need(f"no Kumotori waits on the board of seat {seat}", bars=NOBODY_WAITS)
    row = ALL[ROWS[CAMPS[seats][seat]]]
    where = f"its closest row, {SQUARES[row[0]]} to {SQUARES[row[-1]]}"
    yield _fact(square in row, f"seat {seat} places on {where}, not on {SQUARES[square]}")
    yield _free(square)


def _free_one(case: Case) -> Iterator[Need]:
    yield Need(f"the prison of side {1 - case.side} is empty", bars=NOBODY_CAUGHT)


def _change(case: Case, square: int, stance: int) -> Iterator[Need]:
    """Require a Kumotori that shows another stance (A22)."""
    already = f"the Kumotori on {SQUARES[square]} shows {STANCES[stance]} already"
    yield Need(already, (square,), _SHOWS_NOT[case.side][stance])
    yield _able(case.side, square)


def _walk(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Require a Kumotori that does not stand firm (A9), and a free adjacent space."""
    yield Need(lambda state: _firm(state, square), (square,), _NOT_FIRM[case.side])
    yield _able(case.side, square)
    yield _adjacent(square, goal)
    yield _free(goal)


def _firm(state: State, square: int) -> str:
    who = WHO[PIECES[state.arena[square]][0][1]]
    return f"the {who} on {SQUARES[square]} stands firm and cannot walk"


def _run(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Require two steps over free spaces; turning a corner is allowed (A10)."""
    yield _able(case.side, square, RUN)
    ways = tuple([way for way in NEAR[square] if goal in NEAR[way]])
    far = f"{SQUARES[goal]} is not two steps away from {SQUARES[square]}"
    yield _fact(goal != square and bool(ways), far)
    yield _free(goal)
    yield Need(lambda state: min(_taken(state, way) for way in ways), ways, _FREE)


def _jump(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Require an unbroken row of Kumotori to jump over, without the stone (A11)."""
    yield _able(case.side, square, JUMP)
    line = next((line for line in LINES[square] if goal in line[1:]), ())
    behind = "does not lie straight behind a row that begins next to the jumper"
    yield _fact(bool(line), f"{SQUARES[goal]} {behind}")
    for one in line[: line.index(goal)]:
        name = SQUARES[one]
        gap = f"{name} is empty, and a jump goes over an unbroken row of Kumotori"
        yield Need(gap, (one,), _TAKEN)
        yield Need(f"the stone on {name} cannot be jumped", (one,), _SOMEBODY)
    yield _free(goal)


def _grip(stance: int, case: Case, square: int, piece: int, goal: int) -> Iterator[Need]:
    """Require an adjacent piece, and a goal beside the piece or the thrower, or prison (A12)."""
    centre = piece if stance == GRAB else square
    yield _able(case.side, square, stance)
    yield _adjacent(square, piece)
    yield Need(f"no Kumotori stands on {SQUARES[piece]}", (piece,), _SOMEBODY)
    if goal == PRISON:
        yield from _imprison(case, piece, centre)
    else:
        yield _adjacent(centre, goal)
        yield _free(goal)


def _imprison(case: Case, piece: int, centre: int) -> Iterator[Need]:
    """Require a foe, room in the prison (A20), and an own edge to take it over (A13)."""
    side, edges = case.side, own_edges(case.seats, case.side)
    friend = f"the piece on {SQUARES[piece]} is no foe; only foes go to prison"
    yield Need(friend, (piece,), _OWN[1 - side])
    yield Need(f"the prison of side {side} holds {TEAM_PRISON} already", bars=FULL)
    names = " or ".join([DIRECTIONS[edge] for edge in edges])
    inside = f"{SQUARES[centre]} does not lie at the {names} edge, which leads to the prison"
    yield _fact(any(not LINES[centre][edge] for edge in edges), inside)


def _block(case: Case, square: int, foe: int) -> Iterator[Need]:
    """Require a foe to pin: alone, and outside the ring (A14)."""
    name = SQUARES[foe]
    yield _able(case.side, square, BLOCK)
    yield _adjacent(square, foe)
    yield Need(f"no foe stands alone on {name}", (foe,), _ABLE[1 - case.side])
    ring = f"{name} lies in the ring round the stone, where nobody can be pinned"
    for stone in _ring(foe):
        yield Need(ring, (stone,), _NO_STONE)


@cache
def _ring(square: int) -> tuple[int, ...]:
    """Return the squares of the stone whose ring contains this square."""
    return tuple(stone for stone in ALL if in_ring(square, stone))


def _shift(kind: str, case: Case, leader: int, partner: int) -> Iterator[Need]:
    """Require a leader beside the stone, a partner beside the leader, and free ways (A17)."""
    stone, side = case.stone, case.side
    far = f"the leader on {SQUARES[leader]} is not adjacent to the stone"
    yield _fact(stone in NEAR[leader], far)
    yield Need(far, (stone,), _STONE)
    yield _able(side, leader, KUMO)
    yield _able(side, partner, KUMO)
    yield _adjacent(leader, partner)
    direction, movers = heading(kind, stone, leader), (stone, leader, partner)
    for name, mover in zip(("stone", "leader", "partner"), movers, strict=True):
        line = LINES[mover][direction]
        if line and line[0] not in movers:
            yield _free(line[0], f"the {name} cannot move {DIRECTIONS[direction]}: ")
        elif not line and mover != stone:
            yield _fact(False, f"the {name} on {SQUARES[mover]} would leave the arena")
    if not LINES[stone][direction]:  # it may leave the arena, but only into a camp of the foe (A18)
        beyond = f"no camp of the foe lies beyond the {DIRECTIONS[direction]} edge"
        yield _fact(direction in own_edges(case.seats, 1 - side), beyond)


def heading(kind: str, stone: int, leader: int) -> int:
    """Return the direction in which stone, leader and partner move."""
    return HEADING[stone - leader if kind == "push" else leader - stone]


def _off(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Require a blocker, the start of the turn (A16), and a free adjacent space."""
    nobody = f"no blocker of side {case.side} stands on {SQUARES[square]}"
    yield Need(nobody, (square,), _BLOCKERS[case.side])
    yield Need("blockers climb down at the start of a turn, before any action", bars=LATE)
    yield _adjacent(square, goal)
    yield _free(goal)


def _done(case: Case) -> Iterator[Need]:
    yield Need(_too_few, bars=TOO_FEW)
    yield Need("the arena must be turned in this turn", bars=UNTURNED)


def _too_few(state: State) -> str:
    return f"the turn takes at least {state.least} actions, so far {state.used}"


_NEEDS: Final[Mapping[str, Callable[..., Iterator[Need]]]] = {
    "cw": _turn,
    "ccw": _turn,
    "place": _place,
    "free": _free_one,
    "change": _change,
    "walk": _walk,
    "run": _run,
    "jump": _jump,
    "grab": partial(_grip, GRAB),
    "throw": partial(_grip, THROW),
    "block": _block,
    "push": partial(_shift, "push"),
    "pull": partial(_shift, "pull"),
    "off": _off,
    "done": _done,
}
"""By kind of step, a function from its case and squares to its needs."""


# --- The steps of a position ------------------------------------------------------------------


class Candidate(NamedTuple):
    """A step, and those of its needs that its first square and what stands there do not decide."""

    step: Step
    bars: int
    asked: tuple[tuple[int, int, bytes], ...]  # two squares, or one twice; bytes allowed on either

    def is_legal(self, arena: bytes, bars: int) -> bool:
        """Return whether the step is legal on this arena, under these bars."""
        if self.bars & bars:
            return False
        for one, other, allowed in self.asked:
            if not allowed[arena[one]] and not allowed[arena[other]]:
                return False
        return True


def legal_steps(state: State) -> tuple[Step, ...]:
    """Return the steps of the seat to move, sorted; the match must not be over."""
    seats, seat, arena, bars = len(state.boards), state.seat, state.arena, bars_of(state)
    steps = [one.step for one in _elsewhere(seats, seat) if one.is_legal(arena, bars)]
    for square in compress(ALL, arena.translate(_OWN[seat & 1])):
        candidates = _from_square(seats, seat & 1, square, arena[square])
        steps += [one.step for one in candidates if one.is_legal(arena, bars)]
    return tuple(sorted(steps))


@cache
def _from_square(seats: int, side: int, square: int, byte: int) -> tuple[Candidate, ...]:
    """Return the candidates for what stands on a square."""
    return tuple(_candidates(_tried(Case(seats, side), square, byte), square, byte))


@cache
def _elsewhere(seats: int, seat: int) -> tuple[Candidate, ...]:
    """Return the candidates that begin on no square of an own Kumotori."""
    case, row = Case(seats, seat), ALL[ROWS[CAMPS[seats][seat]]]
    placings = [(case, "place", (one, stance)) for one in row for stance in range(len(STANCES))]
    others = [(case, kind, ()) for kind in ("cw", "ccw", "free", "done")]
    return tuple(_candidates([*placings, *others]))


def _candidates(
    tried: Iterable[tuple[Case, str, tuple[int, ...]]], square: int = -1, byte: int = FREE
) -> Iterator[Candidate]:
    """Yield those steps that can be legal while `byte` is on `square`."""
    for case, kind, args in tried:
        barring = 0
        asked = []
        for _, squares, allowed, bars in needs(case, kind, args):
            if not squares:
                barring |= bars
            elif squares == (square,):
                barring |= 0 if allowed[byte] else NEVER
            else:
                asked.append((squares[0], squares[-1], allowed))
            if barring & NEVER:
                break
        else:
            yield Candidate(step_text(kind, args), barring, tuple(asked))


def _tried(case: Case, square: int, byte: int) -> Iterator[tuple[Case, str, tuple[int, ...]]]:
    """Yield the steps to try for what stands on a square; some are never legal."""
    near, pieces = NEAR[square], PIECES[byte]
    if len(pieces) != 1:
        for goal in near:
            yield case, "off", (square, goal)
        return
    for stance in range(len(STANCES)):
        yield case, "change", (square, stance)
    for goal in near:
        yield case, "walk", (square, goal)
    match STANCES[pieces[0][1]]:
        case "run":
            for goal in sorted({goal for way in near for goal in NEAR[way]}):
                yield case, "run", (square, goal)
        case "jump":
            for line in LINES[square]:
                for goal in line:
                    yield case, "jump", (square, goal)
        case "block":
            for goal in near:
                yield case, "block", (square, goal)
        case "kumo":
            for stone in near:
                for piece in near:
                    yield case._replace(stone=stone), "pull", (square, piece)
                    yield case._replace(stone=stone), "push", (square, piece)
        case kind:
            for piece in near:
                for goal in (*(NEAR[piece] if kind == "grab" else near), PRISON):
                    yield case, kind, (square, piece, goal)


def refusal(state: State, kind: str, args: tuple[int, ...]) -> str:
    """Return the first reason why a step is illegal; empty if it is legal."""
    case, bars = Case(len(state.boards), state.seat, state.stone), bars_of(state)
    for need in needs(case, kind, args):
        if not need.is_met(state.arena, bars):
            return need.told(state)
    return ""


def bars_of(state: State) -> int:
    """Return the bars for the seat to move."""
    seat, used = state.seat, state.used
    side = seat & 1
    bars = 0 if state.boards[seat] else NOBODY_WAITS
    if not state.prisons[1 - side]:
        bars |= NOBODY_CAUGHT
    if state.prisons[side] >= TEAM_PRISON and len(state.boards) == 4:
        bars |= FULL
    if used and not state.hold:
        bars |= LATE
    elif not used and due(state):
        bars |= DUE
    if used < state.least:
        bars |= TOO_FEW
    if state.must_turn:
        bars |= UNTURNED
        if used + 1 >= state.most():
            bars |= LAST
            if used + 1 >= state.most(captured=1):
                bars |= LAST_OF_ALL
    return bars


def due(state: State) -> list[int]:
    """Return the blockers that must climb down now, before any action (A16)."""
    if state.used or state.hold:
        return []
    arena, side = state.arena, state.seat & 1
    blockers = compress(ALL, arena.translate(_BLOCKERS[side]))
    return [one for one in blockers if can_climb(arena, side, one)]
