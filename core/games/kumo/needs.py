"""What each step of Kumo Hogosha needs: here alone is written what is legal.

Each kind of step has a function that yields its needs, in the order in which they are told. `why`
asks one after the other and says the words of the first that is not met; listing.py makes tables
of the same needs, which `legal` and `apply` walk. So needs depend on the squares of a step and on
whose it is, and ask for the rest: what stands where, and which bars there are.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.games.kumo.notation import PRISON
from kumite.core.games.kumo.state import (
    ABLE,
    ALL,
    BLOCK,
    BLOCKERS,
    CAMPS,
    DIRECTIONS,
    FIRM,
    FREE,
    GRAB,
    HEADING,
    IS_FREE,
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
    in_ring,
    lone,
    own_edges,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

# --- Needs ------------------------------------------------------------------------------------

# Bars, as flags: what a position forbids to some kinds of steps, wherever everybody stands.
NOBODY_WAITS: Final = 1  # on the board of the seat
NOBODY_CAUGHT: Final = 2  # in the prison of the other side
FULL: Final = 4  # is the prison of the side (A20)
DUE: Final = 8  # is a blocker, and must climb down first (A16)
LATE: Final = 16  # in the turn: blockers do not climb down any more (A16)
TOO_FEW: Final = 32  # actions to end the turn (A4)
UNTURNED: Final = 64  # is the arena, and must be turned in this turn (A5)
LAST: Final = 128  # chance of turning it is the next action
LAST_OF_ALL: Final = 256  # the same even if it takes a prisoner, who brings another action (A6)
NEVER: Final = 512  # bars everything: for what the squares of a step decide by themselves


class Need(NamedTuple):
    """A condition: on one of the squares stands what is allowed; without squares, no such bar."""

    words: str | Callable[[State], str]  # what is said if it is not met
    squares: tuple[int, ...] = ()
    allowed: bytes = b""  # a table by byte of the arena
    bars: int = 0

    def is_met(self, arena: bytes, bars: int) -> bool:
        """Tell whether it is met on this arena, under these bars."""
        if self.squares:
            return any(self.allowed[arena[square]] for square in self.squares)
        return not self.bars & (bars | NEVER)

    def told(self, state: State) -> str:
        """Say why it is not met in this position."""
        return self.words if isinstance(self.words, str) else self.words(state)


class Case(NamedTuple):
    """Whose step it is; and where the stone is, which the text of a push or pull leaves out."""

    seats: int
    seat: int
    stone: int = -1

    @property
    def side(self) -> int:
        """Return the side of the seat."""
        return self.seat & 1


def needs(case: Case, kind: str, args: tuple[int, ...]) -> Iterator[Need]:
    """Yield all that a step needs, in the order in which it is told; see `parse_step`.

    What comes after a need that can never be met may make no sense, or fail: stop there.
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
    """Tell whether a blocker of `side` stands there and can climb down, if it is time (A16)."""
    any_seats = 2  # it makes no difference
    return any(allows(arena, Case(any_seats, side), "off", (square, goal)) for goal in NEAR[square])


def allows(arena: bytes, case: Case, kind: str, args: tuple[int, ...]) -> bool:
    """Tell whether a step could be made on this arena if nothing barred it."""
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
    return Need(lambda state: before + _taken(state, square), (square,), IS_FREE)


def _taken(state: State, square: int) -> str:
    """Say what stands on a square that is not free."""
    byte = state.arena[square]
    if byte == STONE:
        return f"the stone lies on {SQUARES[square]}"
    side, stance = PIECES[byte][-1]
    return f"a {STANCES[stance]} of side {side} stands on {SQUARES[square]}"


@cache
def _able(side: int, square: int, stance: int | None = None) -> Need:
    """Return the need of an able Kumotori of `side` (A15), in this stance or in any."""
    allowed = ABLE[side] if stance is None else _SHOWS[side][stance]
    return Need(lambda state: _unable(state, side, square, stance), (square,), allowed)


def _unable(state: State, side: int, square: int, stance: int | None) -> str:
    """Say who stands on a square instead of an able Kumotori of `side` in this stance."""
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
    """Return a table by byte of the arena: is it one of these?"""
    table = bytearray(256)
    for byte in standing:
        table[byte] = 1
    return bytes(table)


def _none_of(standing: Iterable[int]) -> bytes:
    return _any_of(set(range(256)) - set(standing))


_BYTES: Final = range(len(PIECES))
# Tables by byte of the arena; some of them by side, or by side and stance.
_SHOWS: Final = [[_any_of({lone(side, one)}) for one in range(6)] for side in (0, 1)]
_SHOWS_NOT: Final = [[_none_of({lone(side, one)}) for one in range(6)] for side in (0, 1)]
_NOT_FIRM: Final = [_none_of(lone(side, one) for one in FIRM) for side in (0, 1)]
_UPPER: Final = [_any_of(byte for byte in _BYTES if UPPER[byte] == side) for side in (0, 1)]
_SOMEBODY: Final = _any_of(byte for byte in _BYTES if UPPER[byte] != NOBODY)
_TAKEN: Final = _none_of({FREE})
_STONE: Final = _any_of({STONE})
_NO_STONE: Final = _none_of({STONE})

# --- Needs by kind of step, in the order of the rules -----------------------------------------


def _turn(case: Case) -> Iterator[Need]:
    yield from ()


def _place(case: Case, square: int, stance: int) -> Iterator[Need]:
    """Need a free space on the camp's closest row (A20)."""
    seats, seat, _ = case
    yield Need(f"no Kumotori waits on the board of seat {seat}", bars=NOBODY_WAITS)
    row = ALL[ROWS[CAMPS[seats][seat]]]
    where = f"its closest row, {SQUARES[row[0]]} to {SQUARES[row[-1]]}"
    yield _fact(square in row, f"seat {seat} places on {where}, not on {SQUARES[square]}")
    yield _free(square)


def _free_one(case: Case) -> Iterator[Need]:
    yield Need(f"the prison of side {1 - case.side} is empty", bars=NOBODY_CAUGHT)


def _change(case: Case, square: int, stance: int) -> Iterator[Need]:
    """Need one who shows another stance (A22)."""
    already = f"the Kumotori on {SQUARES[square]} shows {STANCES[stance]} already"
    yield Need(already, (square,), _SHOWS_NOT[case.side][stance])
    yield _able(case.side, square)


def _walk(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Need one who does not stand firm (A9), and a free space beside."""
    yield Need(lambda state: _firm(state, square), (square,), _NOT_FIRM[case.side])
    yield _able(case.side, square)
    yield _adjacent(square, goal)
    yield _free(goal)


def _firm(state: State, square: int) -> str:
    stance = STANCES[PIECES[state.arena[square]][0][1]]
    return f"a {stance} as on {SQUARES[square]} stands firm and cannot walk"


def _run(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Need two steps over free spaces; a corner may be turned (A10)."""
    yield _able(case.side, square, RUN)
    ways = tuple([way for way in NEAR[square] if goal in NEAR[way]])
    far = f"{SQUARES[goal]} is not two steps away from {SQUARES[square]}"
    yield _fact(goal != square and bool(ways), far)
    yield _free(goal)
    yield Need(lambda state: min(_taken(state, way) for way in ways), ways, IS_FREE)


def _jump(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Need an unbroken row of Kumotori to jump over, not over the stone (A11)."""
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


def _grab(case: Case, square: int, piece: int, goal: int) -> Iterator[Need]:
    """Need a piece to move to a space adjacent to itself, or into prison (A12)."""
    yield _able(case.side, square, GRAB)
    yield from _grip(case, square, piece, goal, piece)


def _throw(case: Case, square: int, piece: int, goal: int) -> Iterator[Need]:
    """Need a piece to throw to a space adjacent to the thrower, or into prison (A12)."""
    yield _able(case.side, square, THROW)
    yield from _grip(case, square, piece, goal, square)


def _grip(case: Case, square: int, piece: int, goal: int, centre: int) -> Iterator[Need]:
    """Need a piece beside, and a goal beside the centre: the piece itself, or the thrower."""
    yield _adjacent(square, piece)
    yield Need(f"no Kumotori stands on {SQUARES[piece]}", (piece,), _SOMEBODY)
    if goal == PRISON:
        yield from _imprison(case, piece, centre)
    else:
        yield _adjacent(centre, goal)
        yield _free(goal)


def _imprison(case: Case, piece: int, centre: int) -> Iterator[Need]:
    """Need a foe, room for it (A20), and an own edge to take it over (A13)."""
    side, edges = case.side, own_edges(case.seats, case.side)
    friend = f"the piece on {SQUARES[piece]} is no foe; only foes go to prison"
    yield Need(friend, (piece,), _UPPER[1 - side])
    yield Need(f"the prison of side {side} holds {TEAM_PRISON} already", bars=FULL)
    names = " or ".join([DIRECTIONS[edge] for edge in edges])
    inside = f"{SQUARES[centre]} does not lie at the {names} edge, which leads to the prison"
    yield _fact(any(not LINES[centre][edge] for edge in edges), inside)


def _block(case: Case, square: int, foe: int) -> Iterator[Need]:
    """Need a foe to pin: alone, and outside the ring (A14)."""
    name = SQUARES[foe]
    yield _able(case.side, square, BLOCK)
    yield _adjacent(square, foe)
    yield Need(f"no foe stands alone on {name}", (foe,), ABLE[1 - case.side])
    ring = f"{name} lies in the ring round the stone, where nobody can be pinned"
    for stone in _ring(foe):
        yield Need(ring, (stone,), _NO_STONE)


@cache
def _ring(square: int) -> tuple[int, ...]:
    """Return where the stone is if the square lies in its ring."""
    return tuple(stone for stone in ALL if in_ring(square, stone))


def _push(case: Case, leader: int, partner: int) -> Iterator[Need]:
    return _shift("push", case, leader, partner)


def _pull(case: Case, leader: int, partner: int) -> Iterator[Need]:
    return _shift("pull", case, leader, partner)


def _shift(kind: str, case: Case, leader: int, partner: int) -> Iterator[Need]:
    """Need a leader beside the stone, a partner beside the leader, and a way for all (A17)."""
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
    if not LINES[stone][direction]:  # it may leave, but into a camp of the foe (A18)
        beyond = f"no camp of the foe lies beyond the {DIRECTIONS[direction]} edge"
        yield _fact(direction in own_edges(case.seats, 1 - side), beyond)


def heading(kind: str, stone: int, leader: int) -> int:
    """Return the direction in which stone, leader and partner move."""
    return HEADING[stone - leader if kind == "push" else leader - stone]


def _off(case: Case, square: int, goal: int) -> Iterator[Need]:
    """Need a blocker, the right time (A16), and a free space beside."""
    nobody = f"no blocker of side {case.side} stands on {SQUARES[square]}"
    yield Need(nobody, (square,), BLOCKERS[case.side])
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
    "grab": _grab,
    "throw": _throw,
    "block": _block,
    "push": _push,
    "pull": _pull,
    "off": _off,
    "done": _done,
}
"""By kind of step: whose it is and its squares, to what it needs."""
