"""Tables of steps of Kumo Hogosha, made of their needs: what is left to ask, as fast as may be.

A listing is for one square and who stands there. What a step needs of that square is settled when
the listing is made, like all that squares alone decide; what is left is mostly a free space.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from kumite.core.games.kumo.needs import NEVER, Case, needs
from kumite.core.games.kumo.notation import step_text
from kumite.core.games.kumo.state import FREE, IS_FREE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.core.game import Step
    from kumite.core.games.kumo.needs import Need

    _Asked = tuple[int, int, bytes]  # two squares, or one twice: what may stand on one of them
    _Left = tuple[tuple[_Asked, ...], Step]

T = TypeVar("T")


class Table(NamedTuple):
    """Steps by what they still need."""

    legal: tuple[Step, ...]  # nothing
    goals: tuple[tuple[int, Step], ...]  # a free goal
    runs: tuple[tuple[int, int, int, Step], ...]  # a free goal, and one of two ways there free
    gates: tuple[tuple[int, bytes, tuple[Table]], ...]  # one square, and then what a table says


def walk(tables: Iterable[Table], arena: bytes, steps: list[Step]) -> None:
    """Add the legal steps of these tables to `steps`; a byte of a free space is 0."""
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
    """What is left of all that a step needs."""

    bars: int
    asked: tuple[_Asked, ...]

    def is_clear(self, arena: bytes) -> bool:
        """Tell whether the arena is as it should be."""
        for one, other, allowed in self.asked:
            if not allowed[arena[one]] and not allowed[arena[other]]:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Listing:
    """Steps, each with its paths; one is enough, but those that move the stone have several."""

    paths: dict[Step, tuple[Path, ...]]
    bars: int  # that any of them asks for
    tables: dict[int, Table] = field(default_factory=dict)

    @staticmethod
    def of(
        tried: Iterable[tuple[Case, str, tuple[int, ...]]], square: int = -1, byte: int = FREE
    ) -> Listing:
        """Return which of these steps can be legal while `byte` of the arena is on `square`."""
        paths: dict[Step, tuple[Path, ...]] = {}
        bars = 0
        for case, kind, args in tried:
            if path := _path(needs(case, kind, args), square, byte):
                step = step_text(kind, args)
                paths[step] = _shared((*paths.get(step, ()), path))
                bars |= path.bars
        return Listing(paths, bars)

    def table(self, bars: int) -> Table:
        """Return the table of those steps that these bars leave."""
        bars &= self.bars
        if bars not in self.tables:
            paths = [(path, step) for step, some in self.paths.items() for path in some]
            left = [(path.asked, step) for path, step in paths if not path.bars & bars]
            self.tables[bars] = _table(left)
        return self.tables[bars]


def _path(needed: Iterable[Need], here: int, byte: int) -> Path | None:
    """Return what is left of needs while `byte` is `here`; None if they are never met."""
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
    """Return a table; what several steps ask first, it asks once for all of them."""
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
    """Return the one object that is equal: what fits in the processor's cache is walked faster."""
    return _SHARED.setdefault(value, value)  # type: ignore[return-value]
