"""Scores over the steps of a match, a line for each side; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kumite.tui.drawing.pixels import half_blocks
from kumite.tui.look.sprites import Picture
from kumite.tui.scenes.lines import Line

FEWEST: Final = 16  # steps for which there is room from the start; then twice as many, and so on
LEAST: Final = 8  # of a score at the upper edge; then twice as much, and so on


def chart(scores: Sequence[tuple[str, Sequence[int]]], columns: int, rows: int) -> list[Line]:
    """Return a chart of each side's scores in its colour, at a scale that rarely changes."""
    count, most = FEWEST, LEAST
    while count < max(len(values) for _, values in scores):
        count *= 2
    while most < max(max(values) for _, values in scores):
        most *= 2
    low = 2 * rows - 1
    drawn = [["fits" if y == low else ""] * columns for y in range(2 * rows)]
    for color, values in scores:
        before = low
        for x in range(columns * len(values) // count):
            y = low - values[x * count // columns] * low // most
            for one in range(min(y, before + (before < y)), max(y, before - (before > y)) + 1):
                drawn[one][x] = color
            before = y
    picture = Picture(columns, 2 * rows, tuple(map(tuple, drawn)))
    return list(half_blocks(picture, "background", columns, rows))
