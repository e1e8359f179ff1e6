"""Scores over the steps of a match, a line for each side; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kumite.tui.drawing.pixels import half_blocks, joined, written
from kumite.tui.look.glyphs import Look
from kumite.tui.look.sprites import Picture
from kumite.tui.scenes.lines import Line

FEWEST: Final = 16  # steps for which there is room from the start; then twice as many, and so on
LEAST: Final = 8  # of a score at the upper edge; then twice as much, and so on
SCALE: Final = 4  # columns of the scale at the left
ENDS: Final = 10  # and of the scores at the end of the lines


def chart(
    scores: Sequence[tuple[int, Sequence[int]]],
    columns: int,
    rows: int,
    look: Look,
    *,
    has_lines: bool = True,
) -> list[Line]:
    """Return a chart of each side's scores at a scale that rarely changes.

    At the end of a line, in the colour of its seat, stand its sign and the score now. Without
    lines, the signs are the chart.
    """
    count, most = FEWEST, LEAST
    steps = max(len(values) for _, values in scores)
    while count < steps:
        count *= 2
    while most < max(max(values) for _, values in scores):
        most *= 2
    rows -= 1
    room = columns - SCALE - ENDS
    if has_lines:
        plot = list(
            half_blocks(_lines(scores, room, 2 * rows, count, most), "background", room, rows)
        )
    else:
        plot = _signs(scores, room, rows, count, most, look)
    end = room * steps // count
    blank: Line = ((" " * ENDS, "/background"),)
    plot = [joined([*row, *blank]) for row in plot]
    ends = sorted({values[-1] for _, values in scores}, reverse=True)[:rows]
    at = -1
    for number, score in enumerate(ends):  # each in a row of its own, the highest first
        at = max(at + 1, rows - 1 - score * (rows - 1) // most)
        at = min(at, rows - len(ends) + number)
        column = end + 1
        for seat, values in scores:
            if values[-1] == score:
                plot[at] = written(plot[at], look.solid[seat], f"seat-{seat}/background!", column)
                column += 1
        plot[at] = written(plot[at], f" {score}", "foreground/background!", column)
    scale = {0: most, rows - 1: 0}
    lines: list[Line] = [
        ((f"{scale.get(y, ''):>{SCALE - 1}} ", "quiet"), *row) for y, row in enumerate(plot)
    ]
    said = f"step {steps - 1}"
    return [*lines, ((f"{said:>{SCALE + max(end, len(said))}}", "quiet"),)]


def _lines(
    scores: Sequence[tuple[int, Sequence[int]]], columns: int, high: int, count: int, most: int
) -> Picture:
    low = high - 1
    drawn = [["fits" if y == low else ""] * columns for y in range(high)]
    for seat, values in scores:
        before = low
        for x in range(columns * len(values) // count):
            y = low - values[x * count // columns] * low // most
            for one in range(min(y, before + (before < y)), max(y, before - (before > y)) + 1):
                drawn[one][x] = f"seat-{seat}"
            before = y
    return Picture.of(drawn)


def _signs(
    scores: Sequence[tuple[int, Sequence[int]]],
    columns: int,
    rows: int,
    count: int,
    most: int,
    look: Look,
) -> list[Line]:
    drawn = [[" "] * columns for _ in range(rows)]
    for seat, values in scores:
        for x in range(columns * len(values) // count):
            y = rows - 1 - values[x * count // columns] * (rows - 1) // most
            drawn[y][x] = look.solid[seat]
    return [(("".join(row), "/background"),) for row in drawn]
