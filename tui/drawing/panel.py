"""Frames: panels with a title, and cursor frames; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kumite.tui.drawing.pixels import cells_of, joined
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, cut, fit, line_width, plain, width

CORNER: Final = 3  # columns


def panel(title: str, lines: Sequence[Line], columns: int, rows: int, look: Look) -> list[Line]:
    upper_left, level, upper_right, upright, lower_left, lower_right = tuple(look.frame)
    inner = columns - 4
    said = fit(title, min(width(title), inner - 2))
    edge = level * (columns - width(said) - 5)
    upper: Line = (
        (f"{upper_left}{level} ", "quiet"),
        (said, "title"),
        (f" {edge}{upper_right}", "quiet"),
    )
    middle = [
        ((f"{upright} ", "quiet"), *filled(line, inner), (f" {upright}", "quiet"))
        for line in [*lines, *[()] * rows][: rows - 2]
    ]
    return [upper, *middle, ((f"{lower_left}{level * (columns - 2)}{lower_right}", "quiet"),)]


def filled(line: Line, columns: int) -> Line:
    text = plain(line)
    if (taken := width(text)) <= columns:
        return (*line, (" " * (columns - taken), ""))
    shown = fit(text, columns)
    kept = len(shown.rstrip()) if width(shown) < width(text) else len(shown)
    line = cut(line, 0, kept)
    return (*line, (" " * (columns - width(plain(line))), ""))


def centred(line: Line, columns: int) -> Line:
    space = max(0, columns - line_width(line)) // 2
    return filled(((" " * space, ""), *line), columns)


def framed(rows: Sequence[Line], corners: str, ink: str) -> list[Line]:
    upper_left, level, upper_right, upright, lower_left, lower_right = tuple(corners)
    inner = sum(width(text) for text, _ in rows[0]) - 2
    framed_rows: list[Line] = [((f"{upper_left}{level * inner}{upper_right}", ink),)]
    for row in rows[1:-1]:
        cells = cells_of(row)
        framed_rows.append(joined([(upright, ink), *cells[1:-1], (upright, ink)]))
    return [*framed_rows, ((f"{lower_left}{level * inner}{lower_right}", ink),)]


def cornered(rows: Sequence[Line], corners: str, ink: str) -> list[Line]:
    """Return rows with the four corners of a frame over them, which changes far fewer cells."""
    upper_left, level, upper_right, upright, lower_left, lower_right = tuple(corners)
    cells = [cells_of(row) for row in rows]
    for row, left, right in ((0, upper_left, upper_right), (-1, lower_left, lower_right)):
        for at, sign in enumerate((left, *[level] * (CORNER - 1))):
            cells[row][at] = sign, ink
        for at, sign in enumerate((right, *[level] * (CORNER - 1)), 1):
            cells[row][-at] = sign, ink
    for row in (1, -2):
        cells[row][0] = cells[row][-1] = upright, ink
    return [joined(row) for row in cells]
