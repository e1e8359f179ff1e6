"""A player's progress with puzzles: due repetitions and streaks, in a small file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from kumite.store import whole_files
from kumite.store.log_files import folder

FILE: Final = "puzzles.json"
FORMAT: Final = 1
PASSED: Final = 3  # the lowest passing grade of 0 to 5
EASIEST, HARDEST = 2.5, 1.3  # the initial and the smallest growth factor of intervals
FIRST, SECOND = 1, 6  # days


@dataclass(frozen=True, slots=True)
class Memory:
    """SM-2 state of a puzzle: how well it is known, and when to repeat it.

    A failed puzzle starts over; a known one returns at growing intervals. Source: P. A. Woźniak,
    "Application of a computer to improve the results obtained in working with the SuperMemo method"
    (1990), https://super-memory.com/english/ol/sm2.htm.
    """

    times: int = 0  # passed in a row
    ease: float = EASIEST  # growth factor of the interval
    days: int = 0  # the interval

    def after(self, grade: int) -> Memory:
        """Return the memory after an answer: 5 immediate, 3 with trouble, below 3 failed."""
        if grade < PASSED:
            return Memory(0, self.ease, FIRST)
        miss = 5 - grade
        ease = max(HARDEST, self.ease + 0.1 - miss * (0.08 + miss * 0.02))
        if self.times < 2:
            return Memory(self.times + 1, ease, (FIRST, SECOND)[self.times])
        return Memory(self.times + 1, ease, round(self.days * ease))


@dataclass(frozen=True, slots=True)
class Known:
    """The state of a puzzle."""

    memory: Memory
    due: date  # of the next repetition

    @property
    def is_missed(self) -> bool:
        """Return True if the last answer failed."""
        return not self.memory.times


@dataclass(frozen=True, slots=True)
class Practice:
    """The state of all puzzles."""

    known: Mapping[str, Known] = field(default_factory=dict)  # by the id of a puzzle
    row: int = 0  # puzzles in a row solved at the first try
    longest: int = 0  # the longest such row
    days: int = 0  # consecutive days with a solved puzzle
    last: date | None = None  # the last of these days

    def answered(self, puzzle: str, grade: int, today: date) -> Practice:
        """Return the state after an answer: 5 at the first try, below 3 failed."""
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
        """Return the number of consecutive days with a solved puzzle, up to `day`."""
        is_near = self.last is not None and self.last >= day
        return self.days if is_near else 0

    def due(self, puzzles: Iterable[str], today: date) -> list[str]:
        late = [one for one in puzzles if one in self.known and self.known[one].due <= today]
        return sorted(late, key=lambda one: self.known[one].due)

    def following(self, puzzles: Iterable[str], today: date) -> str | None:
        every = list(puzzles)
        new = (one for one in every if one not in self.known)
        return next(iter(self.due(every, today)), None) or next(new, None)


def load() -> Practice:
    """Return the saved state; an empty one, with a warning, if it cannot be read."""
    return whole_files.load(_path(), _parsed, Practice())


def _parsed(text: str) -> Practice:
    said = json.loads(text)
    if said["format"] != FORMAT:
        raise ValueError(said["format"])
    last = said["last"]
    return Practice(
        {str(name): _known(row) for name, row in said["known"].items()},
        int(said["row"]),
        int(said["longest"]),
        int(said["days"]),
        None if last is None else date.fromisoformat(last),
    )


def _known(row: Any) -> Known:
    times, ease, days, due = row
    return Known(Memory(int(times), float(ease), int(days)), date.fromisoformat(due))


def save(practice: Practice) -> None:
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
    whole_files.save(_path(), _parsed, json.dumps(said))


def _path() -> Path:
    return folder() / FILE
