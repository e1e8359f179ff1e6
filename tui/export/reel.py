"""A match as frames: the picture and time of each step, and the changes between them; pure.

The SVG (film.py) and the GIF (gif.py) show the same frames. A long match skips some, never the last
one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from kumite.core.game import CHANCE
from kumite.tui.drawing.pixels import joined
from kumite.tui.export.sheet import Paper, ending, sheet, title, told, widest, written
from kumite.tui.look.colors import Palette, Pen
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import Line, width

MOST: Final = 200  # frames
NARROWEST: Final = 60  # columns
LAST: Final = 5.0  # s for the last position
DEALT: Final = 0.2  # of a step's time, for each of several chance steps in a row


class Cell(NamedTuple):
    """One column of a row: its sign ("" after a wide one) and its role."""

    sign: str
    role: str


class Run(NamedTuple):
    """Consecutive cells of a row, from a column on."""

    row: int
    column: int
    cells: tuple[Cell, ...]

    @property
    def line(self) -> Line:
        return joined(self.cells)


@dataclass(frozen=True, slots=True)
class Frame:
    """All rows, padded to equal width, shown from `begins` (s) for `seconds`."""

    begins: float
    seconds: float
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Reel:
    """The frames of a match, all of one size."""

    columns: int
    frames: tuple[Frame, ...]
    label: str  # alternative text

    @property
    def rows(self) -> int:
        return len(self.frames[0].rows)

    @property
    def seconds(self) -> float:
        return self.frames[-1].begins + self.frames[-1].seconds

    def changes(self, palette: Palette) -> Iterator[tuple[Frame, list[Run]]]:
        """Yield each frame with its changed runs; for the first one, everything."""
        before: tuple[tuple[Cell, ...], ...] = ()
        for frame in self.frames:
            runs: list[Run] = []
            for number, row in enumerate(frame.rows):
                old = before[number] if before else ()
                runs += _runs(number, row, old, palette)
            yield frame, runs
            before = frame.rows


def reel(replay: Replay, paper: Paper, seconds: float = 1.0) -> Reel:
    numbers = shown_steps(replay)
    sheets = [sheet(replay, at, paper) for at in numbers]
    columns = max(NARROWEST, *(widest(lines) for lines in sheets))
    high = max(map(len, sheets))
    times = [LAST if at == numbers[-1] else _time(replay, at) * seconds for at in numbers]
    begins = accumulate([0.0, *times[:-1]])
    rows = []
    for at, table in zip(numbers, sheets, strict=True):
        said = told(replay, at, replay.said(at), columns)
        page = [title(replay, at), (), *table, *[()] * (high - len(table)), (), *said]
        rows.append(tuple(_cells(written(line, paper.look), columns) for line in page))
    label = ". ".join(filter(None, (replay.title, ending(replay, replay.last))))
    frames = (Frame(*one) for one in zip(begins, times, rows, strict=True))
    return Reel(columns, tuple(frames), label)


def shown_steps(replay: Replay) -> list[int]:
    """Return the numbers of the shown positions: all, or every second, third …"""
    count = replay.last + 1
    every = -(-count // MOST)
    return sorted({*range(0, count, every), replay.last})


def _time(replay: Replay, at: int) -> float:
    """Return how long to show a position, in steps; short between dealt cards."""
    actors = [one.last.actor for one in replay.line[at : at + 2] if one.last is not None]
    return DEALT if actors == [CHANCE, CHANCE] and CHANCE in replay.line[at + 1].actors else 1.0


def _cells(line: Line, columns: int) -> tuple[Cell, ...]:
    """Return a row as cells, cropped or padded to `columns`."""
    cells: list[Cell] = []
    for text, role in line:
        for sign in text:
            wide = width(sign)
            if not wide and cells:  # a combining character
                cells[-1] = Cell(cells[-1].sign + sign, cells[-1].role)
            elif len(cells) + wide <= columns:
                cells += [Cell(sign, role), *[Cell("", role)] * (wide - 1)]
    return (*cells, *[Cell(" ", "")] * (columns - len(cells)))


def _runs(
    number: int, row: tuple[Cell, ...], old: tuple[Cell, ...], palette: Palette
) -> Iterator[Run]:
    """Yield the parts of a row that differ from the old one, with wide signs complete."""
    differs = [not old or _seen(cell, palette) != _seen(old[at], palette) for at, cell in
               enumerate(row)]  # fmt: skip
    for at, cell in enumerate(row):
        is_behind = not cell.sign or (old and not old[at].sign)
        if is_behind and (differs[at] or differs[at - 1]):
            differs[at - 1] = differs[at] = True
    at = 0
    while at < len(row):
        end = at
        while end < len(row) and differs[end]:
            end += 1
        if end > at:
            yield Run(number, at, row[at:end])
        at = end + 1


def _seen(cell: Cell, palette: Palette) -> tuple[str, Pen | str]:
    """Return the visible part of a cell: of an empty one, only its background."""
    pen = palette.pen(cell.role)
    return (cell.sign, pen.paper) if cell.sign == " " else (cell.sign, pen)
