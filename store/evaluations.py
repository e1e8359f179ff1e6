"""What bots have said of the positions of saved matches, kept beside the logs.

`values/MATCH.json` holds it by the name of each position; it may be deleted at any time, and is
made anew when it is asked for again. Nothing of it is in a log.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, Final

from kumite.core.game import Step
from kumite.store.log_files import folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FORMAT: Final = 7  # raised when a row changes, or bots value positions in another way
FOLDER: Final = "values"


@dataclass(frozen=True, slots=True)
class Judged:
    """What a bot said of a position, asked as a seat to act."""

    seat: int
    value: float | None  # the chance of this seat to win, 1 and 0 if certain; None: no opinion
    step: Step  # the best
    compared: tuple[tuple[Step, float], ...] = ()  # steps and their values, the best first
    plan: tuple[Step, ...] = ()  # the rest of the turn, the best step first, if it wins in it

    def worth(self, step: Step) -> float | None:
        """Return what a step was worth among those compared, None if it was not."""
        return next((value for one, value in self.compared if one == step), None)


def _path(match_id: str, into: Path | None) -> Path:
    return (folder() if into is None else into) / FOLDER / f"{match_id}.json"


def is_kept(match_id: str, into: Path | None = None) -> bool:
    """Return whether anything was kept of a match."""
    return _path(match_id, into).is_file()


def load(match_id: str, simulations: int, into: Path | None = None) -> dict[str, Judged]:
    """Return what was kept of a match judged with so many simulations; {} if there is nothing."""
    rows = _kept(_path(match_id, into)).get(str(simulations), {})
    try:
        return {str(key): _row(row) for key, row in rows.items()}
    except (ValueError, TypeError, AttributeError):
        return {}


def _kept(path: Path) -> dict[str, Any]:
    """Return the rows of a file by the number of simulations; {} if it is none of ours."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT or type(data["values"]) is not dict:
            return {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    found: dict[str, Any] = data["values"]
    return found


def _row(row: Any) -> Judged:
    """Return one row.

    Raises:
        TypeError, ValueError: it is none.
    """
    seat, value, step, compared, plan = row
    if type(seat) is not int or not isinstance(step, str):
        raise TypeError(row)
    if not all(isinstance(one, str) for one in (*plan, *(other for other, _ in compared))):
        raise TypeError(row)
    values = [other for _, other in compared] + [value] * (value is not None)
    if not all(0 <= one <= 1 for one in values):
        raise ValueError(row)
    others = tuple((Step(other), float(worth)) for other, worth in compared)
    return Judged(seat, value, Step(step), others, tuple(map(Step, plan)))


def save(
    match_id: str, simulations: int, values: Mapping[str, Judged], into: Path | None = None
) -> None:
    """Keep what was said, beside what was kept before; where that cannot be, it is thought anew."""
    path = _path(match_id, into)
    rows = {**load(match_id, simulations, into), **values}
    kept = {**_kept(path), str(simulations): {key: astuple(one) for key, one in rows.items()}}
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps({"format": FORMAT, "values": kept}), encoding="utf-8")
        part.replace(path)
