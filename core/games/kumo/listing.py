"""The steps of a Kumo Hogosha position: list the legal ones, check one, explain a refusal.

All three follow legality.py; the first two use tables that are compiled from its needs. A listing
is for one square and what stands there. Needs about that square, or about squares alone, are
resolved when the listing is made. What remains is mostly a check for free spaces.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from kumite.core.game import Step
from kumite.core.games.kumo.legality import (
    DUE,
    FULL,
    LAST,
    LAST_OF_ALL,
    LATE,
    NEVER,
    NOBODY_CAUGHT,
    NOBODY_WAITS,
    TOO_FEW,
    UNTURNED,
    Case,
    Need,
    can_climb,
    needs,
)
from kumite.core.games.kumo.state import (
    ALL,
    BLOCKERS,
    CAMPS,
    FREE,
    IS_FREE,
    LINES,
    NEAR,
    OWN,
    PIECES,
    PRISON,
    ROWS,
    SIZE,
    STANCES,
    TEAM_PRISON,
    State,
    step_text,
)

if TYPE_CHECKING:
    _Asked = tuple[int, int, bytes]  # two squares, or one twice; bytes allowed on either
    _Left = tuple[tuple[_Asked, ...], Step]

T = TypeVar("T")

# --- Tables -----------------------------------------------------------------------------------


class Table(NamedTuple):
    """Steps grouped by their remaining needs."""

    legal: tuple[Step, ...]  # none
    goals: tuple[tuple[int, Step], ...]  # a free goal
    runs: tuple[tuple[int, int, int, Step], ...]  # a free goal, and one free way of two
    gates: tuple[tuple[int, bytes, tuple[Table]], ...]  # square, allowed bytes, nested table


def walk(tables: Iterable[Table], arena: bytes, steps: list[Step]) -> None:
    """Append the legal steps in these tables to `steps`; free spaces are 0 in the arena."""
    for legal, goals, runs, gates in tables:
        if goals:
            steps += [step for goal, step in goals if not arena[goal]]
        steps += legal
        if runs:
            steps += [
                step
                for goal, way, other, step in runs
                if not arena[goal] and not (arena[way] and arena[other])
            ]
        for square, allowed, then in gates:
            if allowed[arena[square]]:
                walk(then, arena, steps)


class Path(NamedTuple):
    """The remaining needs of a step."""

    bars: int
    asked: tuple[_Asked, ...]

    def is_clear(self, arena: bytes) -> bool:
        """Return whether all squares hold allowed bytes."""
        for one, other, allowed in self.asked:
            if not allowed[arena[one]] and not allowed[arena[other]]:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Listing:
    """Steps with their paths; any one suffices, and only steps that move the stone have several."""

    paths: dict[Step, tuple[Path, ...]]
    bars: int  # all bars that any path checks
    tables: dict[int, Table] = field(default_factory=dict)

    @staticmethod
    def of(
        tried: Iterable[tuple[Case, str, tuple[int, ...]]], square: int = -1, byte: int = FREE
    ) -> Listing:
        """Return the listing of those steps that can be legal while `byte` is on `square`."""
        paths: dict[Step, tuple[Path, ...]] = {}
        bars = 0
        for case, kind, args in tried:
            if path := _path(needs(case, kind, args), square, byte):
                step = step_text(kind, args)
                paths[step] = _shared((*paths.get(step, ()), path))
                bars |= path.bars
        return Listing(paths, bars)

    def table(self, bars: int) -> Table:
        """Return the table of the steps that are legal under these bars."""
        bars &= self.bars
        if bars not in self.tables:
            paths = [(path, step) for step, some in self.paths.items() for path in some]
            left = [(path.asked, step) for path, step in paths if not path.bars & bars]
            self.tables[bars] = _table(left)
        return self.tables[bars]


def _path(needed: Iterable[Need], here: int, byte: int) -> Path | None:
    """Return the needs that remain while `byte` is on `here`; None if they can never be met."""
    barring = 0
    asked: dict[tuple[int, int], bytes] = {}
    for _, squares, allowed, bars in needed:
        if not squares:
            barring |= bars
        elif squares == (here,):
            barring |= 0 if allowed[byte] else NEVER
        else:
            pair = squares[0], squares[-1]
            asked[pair] = _both(asked[pair], allowed) if pair in asked else allowed
            barring |= 0 if any(asked[pair]) else NEVER
        if barring & NEVER:
            return None
    return _shared(
        Path(barring, tuple([_shared((*pair, allowed)) for pair, allowed in asked.items()]))
    )


@cache
def _both(allowed: bytes, also: bytes) -> bytes:
    return bytes(one and two for one, two in zip(allowed, also, strict=True))


def _table(paths: Iterable[_Left]) -> Table:
    """Build a table in which a check common to several steps is made only once."""
    legal, goals, runs = [], [], []
    gates: dict[tuple[int, bytes], list[_Left]] = {}
    for asked, step in paths:
        match asked:
            case ():
                legal.append(step)
            case ((goal, _, allowed),) if allowed is IS_FREE:
                goals.append(_shared((goal, step)))
            case ((goal, _, allowed), (way, other, also)) if allowed is also is IS_FREE:
                runs.append(_shared((goal, way, other, step)))
            case ((square, other, allowed), *rest):
                assert square == other, f"{step}: no gate asks one of two squares"
                gates.setdefault((square, allowed), []).append((tuple(rest), step))
    then = [_shared((*gate, (_table(left),))) for gate, left in gates.items()]
    parts = _shared(tuple(legal)), _shared(tuple(goals)), _shared(tuple(runs)), _shared(tuple(then))
    return _shared(Table(*parts))


_SHARED: Final[dict[object, object]] = {}


def _shared(value: T) -> T:
    """Return one shared object for equal values, which improves cache locality in `walk`."""
    return _SHARED.setdefault(value, value)  # type: ignore[return-value]


# --- Listings ---------------------------------------------------------------------------------

_ASKED: Final = DUE | LATE | FULL | LAST | LAST_OF_ALL  # bars for those on the arena


class _Listings(list["list[Listing | None]"]):
    """The steps of what stands on each square, computed on demand, by square and byte."""

    def __init__(self, seats: int, side: int) -> None:
        super().__init__([None] * len(PIECES) for _ in ALL)
        self.case = Case(seats, side)

    def make(self, square: int, byte: int) -> Listing:
        """Compute the missing steps of a square."""
        found = Listing.of(_tried(self.case, square, byte), square, byte)
        self[square][byte] = found
        return found


class _Tables(list["list[Table | None]"]):
    """The same under certain bars, as tables."""

    def __init__(self, seats: int, side: int, bars: int) -> None:
        super().__init__([None] * len(PIECES) for _ in ALL)
        self.listings, self.bars = _listings(seats, side), bars

    def make(self, square: int, byte: int) -> Table:
        """Compute the missing table of a square."""
        listing = self.listings[square][byte] or self.listings.make(square, byte)
        found = self[square][byte] = listing.table(self.bars)
        return found


_listings = cache(_Listings)
_tables = cache(_Tables)


def _tried(case: Case, square: int, byte: int) -> Iterator[tuple[Case, str, tuple[int, ...]]]:
    """Yield candidate steps for what stands on a square; some are never legal."""
    near, pieces = NEAR[square], PIECES[byte]
    if len(pieces) != 1:
        for goal in near:
            yield case, "off", (square, goal)
        return
    for stance in _SORTED:
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


_SORTED: Final = sorted(range(len(STANCES)), key=STANCES.__getitem__)


@cache
def _placing(seats: int, seat: int) -> Listing:
    """Return the placing steps of a seat, in order."""
    case, row = Case(seats, seat), ALL[ROWS[CAMPS[seats][seat]]]
    return Listing.of((case, "place", (one, stance)) for one in row for stance in _SORTED)


@cache  # 4 camps and 512 kinds of rows
def _placings(seats: int, seat: int, bars: int, is_free: bytes) -> tuple[Step, ...]:
    """Return the placing steps if exactly these squares of the camp's row are free."""
    arena = bytearray(b"\1" * SIZE * SIZE)
    arena[ROWS[CAMPS[seats][seat]]] = is_free.translate(IS_FREE)
    steps: list[Step] = []
    walk((_placing(seats, seat).table(bars),), bytes(arena), steps)
    return tuple(steps)


@cache
def _turning(seats: int, seat: int) -> Listing:
    """Return the steps that name no square: turns, freeing a prisoner, and ending the turn."""
    return Listing.of((Case(seats, seat), kind, ()) for kind in ("cw", "ccw", "free", "done"))


@cache
def _turns(seats: int, seat: int, bars: int) -> tuple[Step, ...]:
    """Return those steps that are legal under some bars."""
    return _turning(seats, seat).table(bars).legal


# --- The steps of a position ------------------------------------------------------------------


def legal_steps(state: State) -> tuple[Step, ...]:
    """Return the steps of the seat to move, sorted; the match must not be over."""
    seats, seat, arena, bars = len(state.boards), state.seat, state.arena, bars_of(state)
    side = seat & 1
    tables = _tables(seats, side, bars & _ASKED)
    squares = compress(ALL, arena.translate(OWN[side]))
    own = [tables[one][arena[one]] or tables.make(one, arena[one]) for one in squares]
    steps: list[Step] = []
    walk(own, arena, steps)
    steps += _turns(seats, seat, bars)
    steps.sort()
    placings: tuple[Step, ...] = ()
    if not bars & NOBODY_WAITS:
        is_free = arena[ROWS[CAMPS[seats][seat]]].translate(IS_FREE)
        placings = _placings(seats, seat, bars & _ASKED, is_free)
    found = (*placings, *steps)  # `+` sorts before letters
    _LATEST[0] = state, found
    return found


# A cache of the latest position and its steps, because a step is usually listed before it is made.
# It is replaced as a whole, since several threads may use it.
_LATEST: Final[list[tuple[State | None, tuple[Step, ...]]]] = [(None, ())]


def is_legal(state: State, kind: str, args: tuple[int, ...], step: Step) -> bool:
    """Return whether a step of the seat to move is legal; the match must not be over."""
    latest, steps = _LATEST[0]
    if state is latest:  # the identical object cannot have changed
        return step in steps
    seats, seat, arena = len(state.boards), state.seat, state.arena
    if kind == "place":
        listing = _placing(seats, seat)
    elif args:
        square = args[0]
        listings, byte = _listings(seats, seat & 1), arena[square]
        listing = listings[square][byte] or listings.make(square, byte)
    else:
        listing = _turning(seats, seat)
    for path in listing.paths.get(step, ()):
        if path.is_clear(arena):
            return not path.bars & bars_of(state)
    return False


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
    blockers = compress(ALL, arena.translate(BLOCKERS[side]))
    return [one for one in blockers if can_climb(arena, side, one)]
