"""The middle of a table without a board: a climb, a stage, cards; pure."""

from __future__ import annotations

from typing import Final

from kumite.tui.drawing.climb import below_rows, climb_rows
from kumite.tui.drawing.grid import BoardMarks, board_rows, fitting
from kumite.tui.drawing.panel import filled
from kumite.tui.drawing.pixels import Brush
from kumite.tui.drawing.spread import spread_rows
from kumite.tui.drawing.stage import stage_rows
from kumite.tui.scenes.lines import Line, line_width
from kumite.tui.scenes.model import Scene

TALL: Final = 22  # minimum rows for a climb as pictures


def is_laid(scene: Scene, brush: Brush) -> bool:
    """Return True if a scene is shown as a tabletop, not as a board or text."""
    return brush.skin is not None and (scene.stage is not None or scene.spread is not None)


def tabletop_rows(scene: Scene, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    lines: list[Line] = []
    if scene.climb is not None:
        high, below = len(scene.climb.lanes), len(scene.climb.below)
        high = 3 * high + 1 if rows >= TALL else high + (rows > 9 + high + below)
        lines += climb_rows(scene.climb, brush, columns, high)
    if scene.stage is None:
        last = below_rows(scene.climb, columns) if scene.climb else ()
        rest = rows - len(lines) - len(last)
        lines += spread_rows(scene.spread, brush, columns, rest) if scene.spread else ()
        return (*lines, *last)
    rest = rows - len(lines)
    lines += stage_rows(scene.stage, brush, columns, rest, scene.spread)
    return tuple(lines)


def miniature(scene: Scene, brush: Brush, columns: int, rows: int) -> list[Line]:
    """Return the table as small as this place, in its middle, without choices."""
    drawn: tuple[Line, ...] = scene.picture[:rows]
    if is_laid(scene, brush):
        drawn = tabletop_rows(scene, brush, columns, rows)
    elif scene.board.rows:
        geometry = fitting(scene.board, columns, rows)
        drawn = board_rows(scene.board, BoardMarks(), brush, geometry)
    left = max(0, columns - max(map(line_width, drawn), default=0)) // 2
    above: list[Line] = [()] * ((rows - len(drawn)) // 2)
    return above + [filled(((" " * left, ""), *line), columns) for line in drawn]
