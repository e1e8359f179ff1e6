"""How one has fared with puzzles: what is due again, and how many were solved in a row.

A small file beside the saved matches; what is broken in it is as if it had never been asked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.core.repetition import PASSED, Memory
from kumite.store import whole_files
from kumite.store.log_files import folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

FILE: Final = "puzzles.json"
FORMAT: Final = 1
MOST: Final = 1 << 22  # bytes


@dataclass(frozen=True, slots=True)
class Known:
    """What is remembered of a puzzle."""

    memory: Memory
    due: date  # when it is to be asked again


@dataclass(frozen=True, slots=True)
class Practice:
    """All that is remembered."""

    known: Mapping[str, Known] = field(default_factory=dict)  # by the id of a puzzle
    row: int = 0  # solved at the first try, one after the other
    longest: int = 0  # such row
    days: int = 0  # one after the other on which something was solved
    last: date | None = None  # of these days

    def answered(self, puzzle: str, grade: int, today: date) -> Practice:
        """Return what is remembered after an answer: 5 at the first try, less than 3 not."""
        before = self.known.get(puzzle)
        memory = (before.memory if before else Memory()).after(grade)
        known = {**self.known, puzzle: Known(memory, today + timedelta(days=memory.days))}
        if grade < PASSED:
            return replace(self, known=known, row=0)
        days, row = self.days_at(today - timedelta(days=1)), self.row + 1
        is_new = self.last != today
        days = days + 1 if is_new else self.days
        return Practice(known, row, max(row, self.longest), days, today)

    def days_at(self, day: date) -> int:
        """Return on how many days one after the other something was solved, up to this one."""
        is_near = self.last is not None and self.last >= day
        return self.days if is_near else 0

    def due(self, puzzles: Iterable[str], today: date) -> list[str]:
        """Return which are to be asked again, those first that have waited longest."""
        late = [one for one in puzzles if one in self.known and self.known[one].due <= today]
        return sorted(late, key=lambda one: self.known[one].due)

    def following(self, puzzles: Iterable[str], today: date) -> str | None:
        """Return what is to be asked next: what is due, then what is new, in the given order."""
        every = list(puzzles)
        new = (one for one in every if one not in self.known)
        return next(iter(self.due(every, today)), None) or next(new, None)


def load(into: Path | None = None) -> Practice:
    """Return what is remembered; nothing where that cannot be read."""
    try:
        said = json.loads(whole_files.read_bytes(_path(into), MOST))
        if said["format"] != FORMAT:
            return Practice()
        last = said["last"]
        return Practice(
            {str(name): _known(row) for name, row in said["known"].items()},
            int(said["row"]),
            int(said["longest"]),
            int(said["days"]),
            None if last is None else date.fromisoformat(last),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Practice()


def _known(row: Any) -> Known:
    times, ease, days, due = row
    return Known(Memory(int(times), float(ease), int(days)), date.fromisoformat(due))


def save(practice: Practice, into: Path | None = None) -> None:
    """Keep what is remembered.

    Raises:
        KumiteError: the file cannot be written.
    """
    said = {
        "format": FORMAT,
        "row": practice.row,
        "longest": practice.longest,
        "days": practice.days,
        "last": practice.last.isoformat() if practice.last else None,
        "known": {
            name: [one.memory.times, one.memory.ease, one.memory.days, one.due.isoformat()]
            for name, one in practice.known.items()
        },
    }
    try:
        _path(into).parent.mkdir(parents=True, exist_ok=True)
        whole_files.write_whole(_path(into), json.dumps(said).encode())
    except OSError as error:
        raise KumiteError(f"cannot keep what was solved: {error.strerror}") from error


def _path(into: Path | None) -> Path:
    return (folder() if into is None else into) / FILE
