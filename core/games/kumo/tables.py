"""Fast tables of Kumo Hogosha steps, compiled from their needs.

A listing is for one square and what stands there. Needs about that square, or about squares alone,
are resolved when the listing is made. What remains is mostly a check for free spaces.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from kumite.core.games.kumo.legality import NEVER, Case, needs
from kumite.core.games.kumo.notation import step_text
from kumite.core.games.kumo.state import FREE, IS_FREE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.core.game import Step
    from kumite.core.games.kumo.legality import Need

    _Asked = tuple[int, int, bytes]  # two squares, or one twice; bytes allowed on either
    _Left = tuple[tuple[_Asked, ...], Step]

T = TypeVar("T")


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
