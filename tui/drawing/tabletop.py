"""The middle of a table without a board: a climb, a stage, cards; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kumite.tui.drawing.climb import below_rows, climb_rows
from kumite.tui.drawing.grid import BoardMarks, board_rows, fitting
from kumite.tui.drawing.panel import filled
from kumite.tui.drawing.spread import spread_rows
from kumite.tui.drawing.squares import Brush
from kumite.tui.drawing.stage import stage_rows
from kumite.tui.scenes.lines import Line, line_width
from kumite.tui.scenes.model import Scene

TALL: Final = 22  # minimum rows for a climb as pictures
SPREAD: Final = 8  # rows of the cards below a stage


def is_laid(scene: Scene, brush: Brush) -> bool:
    """Return True if a scene is shown as a tabletop, not as a board or text."""
    return brush.skin is not None and (scene.stage is not None or scene.spread is not None)


def tabletop_rows(
    scene: Scene, brush: Brush, columns: int, rows: int, *, has_hand: bool
) -> tuple[Line, ...]:
    """Return the tabletop; `has_hand`: a hand below needs room, so cards may be omitted."""
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
    cards = 0
    if scene.spread is not None and (not has_hand or rest >= TALL + SPREAD):
        cards = min(SPREAD + (rest >= 2 * TALL) * 3, rest // 2)
    words = scene.stage.words
    stage = replace(scene.stage, words=(*words[:1], *words[2:])) if cards else scene.stage
    lines += stage_rows(stage, brush, columns, rest - cards)
    if cards and scene.spread is not None:
        lines += spread_rows(scene.spread, brush, columns, cards, "background")
    return tuple(lines)


def miniature(scene: Scene, brush: Brush, columns: int, rows: int) -> list[Line]:
    """Return the table as small as this place, in its middle, without choices."""
    drawn: tuple[Line, ...] = scene.picture[:rows]
    if is_laid(scene, brush):
        drawn = tabletop_rows(scene, brush, columns, rows, has_hand=False)
    elif scene.board.rows:
        geometry = fitting(scene.board, columns, rows)
        drawn = board_rows(scene.board, BoardMarks(), brush, geometry)
    left = max(0, columns - max(map(line_width, drawn), default=0)) // 2
    above: list[Line] = [()] * ((rows - len(drawn)) // 2)
    return above + [filled(((" " * left, ""), *line), columns) for line in drawn]
