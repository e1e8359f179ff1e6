"""A board in lines, as the board widget draws it, for paper that is no screen. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.grid import centred
from kumite.tui.look.colors import ON
from kumite.tui.scenes.lines import fit

if TYPE_CHECKING:
    from collections.abc import Container

    from kumite.tui.scenes.lines import Line, Span
    from kumite.tui.scenes.model import Board, Cell

LABELS: Final = 3  # columns for the ranks, at the left


def board_lines(
    board: Board, marked: Container[str], width: int = 4, height: int = 2
) -> tuple[Line, ...]:
    """Return the lines of a board with squares of that size; `marked` were chosen by a step."""
    if not board.rows:
        return ()
    lines: list[Line] = []
    for row, (label, role) in enumerate(board.ranks):
        for inner in range(height):
            middle = inner == (height - 1) // 2
            is_level = row in board.borders.rows and 0 < inner == height - 1
            text = fit(label if middle else "", LABELS - 1, right=True)
            spans: list[Span] = [(f"{text} ", role)]
            for x, cell in enumerate(board.rows[row]):
                if middle:
                    spans.append(_square(cell, cell.name in marked, width))
                elif is_level:
                    spans.append((board.borders.level * width, f"{cell.role}{ON}border"))
                else:
                    spans.append((" " * width, cell.role))
                if x in board.borders.columns:
                    spans.append((board.borders.upright, "border"))
            lines.append(tuple(spans))
    return (*lines, _column_labels(board, width))


def _square(cell: Cell, is_marked: bool, width: int) -> Span:
    left, body, right = centred(cell.glyph, cell.mark, width)
    if is_marked and right and width > 2:
        right = f"{right[:-1]}'"
    return left + body + right, cell.role


def _column_labels(board: Board, width: int) -> Line:
    spans: list[Span] = [(" " * LABELS, "")]
    for column, (label, role) in enumerate(board.columns):
        text = label.rjust((width - 1) // 2 + 1).ljust(width)
        spans.append((text + " " * (column in board.borders.columns), role))
    return tuple(spans)
