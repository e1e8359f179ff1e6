"""Bot evaluations of saved matches, cached beside the logs.

`values/MATCH.json` maps positions to evaluations; it may be deleted at any time, and is recomputed
on demand. Logs do not contain evaluations.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from kumite.core.game import Step
from kumite.store import whole_files
from kumite.store.log_files import folder

FORMAT: Final = 9  # raised when a row changes, or bots evaluate positions differently
FOLDER: Final = "values"
MOST: Final = 1 << 26  # bytes

Origins: TypeAlias = tuple[tuple[str, Step], ...]  # earlier positions, and the step made in each


@dataclass(frozen=True, slots=True)
class Judged:
    """A bot's evaluation of a position, for a seat to act."""

    seat: int
    value: float | None  # this seat's winning chance, 1 and 0 if certain; None: unknown
    step: Step  # the best
    compared: tuple[tuple[Step, float], ...] = ()  # steps and their values, the best first
    plan: tuple[Step, ...] = ()  # the rest of the turn, the best step first, if it wins
    looked: int = 0  # simulations behind it
    advised: Step | None = None  # a hint that was given here; following it is no error
    shares: tuple[float, ...] = ()  # of the search, by compared step
    origins: Origins = ()  # where this seat, or its only opponent, chose to come here

    def worth(self, step: Step) -> float | None:
        return next((value for one, value in self.compared if one == step), None)

    def after(self, step: Step, later: Judged) -> Judged:
        """Return the evaluation, raised if `step` led to more: a search there sees further."""
        if self.value is None or later.value is None:
            return self
        worth = later.value if later.seat == self.seat else 1 - later.value
        if worth <= self.value:
            return self
        shares = dict(zip((one for one, _ in self.compared), self.shares, strict=False))
        compared = {step: worth} | {one: value for one, value in self.compared if one != step}
        return replace(
            self,
            value=worth,
            step=step,
            compared=tuple(compared.items()),
            plan=self.plan if self.step == step else (),
            shares=tuple(shares.get(one, 0.0) for one in compared) if shares else (),
        )


def _path(match_id: str) -> Path:
    return folder() / FOLDER / f"{match_id}.json"


def changed(match_id: str) -> int:
    """Return when the evaluations of a match were last saved, in ns; 0 if there are none."""
    with suppress(OSError):
        return os.stat(_path(match_id)).st_mtime_ns
    return 0


def load(match_id: str) -> dict[str, Judged]:
    """Return the cached evaluations of a match by position."""
    nothing: dict[str, Any] = {}
    rows = whole_files.load(_path(match_id), _parsed, nothing, MOST)
    try:
        return {str(key): _row(str(key), row) for key, row in rows.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _parsed(text: str) -> dict[str, Any]:
    data = json.loads(text)
    return dict(data["values"]) if data["format"] == FORMAT else {}


def _row(key: str, row: Any) -> Judged:
    """Parse the row of a position; raise TypeError or ValueError if malformed."""
    seat, value, step, compared, plan, looked, advised, shares, origins = row
    if type(seat) is not int or type(looked) is not int or not isinstance(step, str):
        raise TypeError(row)
    if not all(
        isinstance(one, str) for one in (advised or "", *plan, *(one for one, _ in compared))
    ):
        raise TypeError(row)
    values = [other for _, other in compared] + [value] * (value is not None) + shares
    if not all(0 <= one <= 1 for one in values) or len(shares) not in (0, len(compared)):
        raise ValueError(row)
    if any(_number(before) >= _number(key) for before, _ in origins):  # they would go in circles
        raise ValueError(row)
    others = tuple((Step(other), float(worth)) for other, worth in compared)
    given = Step(advised) if advised is not None else None
    rest = tuple(map(Step, plan)), looked, given, tuple(map(float, shares))
    return Judged(seat, value, Step(step), others, *rest, tuple((str(a), b) for a, b in origins))


def _number(key: str) -> int:
    return int(key.partition("-")[0])


def longer(one: Judged, other: Judged | None) -> Judged:
    """Return the judgement with more simulations, `one` if equal; a hint and origins are kept."""
    if other is None:
        return one
    best = one if one.looked >= other.looked else other
    kept = one.advised or other.advised, one.origins or other.origins
    return replace(best, advised=kept[0], origins=kept[1])


def save(match_id: str, values: Mapping[str, Judged]) -> None:
    """Cache evaluations; longer ones replace shorter ones. If that fails, they are recomputed."""
    path, kept = _path(match_id), load(match_id)
    rows = {**kept, **{key: longer(one, kept.get(key)) for key, one in values.items()}}
    if rows == kept:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    whole = {key: astuple(one) for key, one in rows.items()}
    whole_files.write_cache(path, json.dumps({"format": FORMAT, "values": whole}))
