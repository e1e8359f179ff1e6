"""What lies in the middle of a table without a board: a climb, a stage, cards. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.climb import climb_rows
from kumite.tui.drawing.spread import spread_rows
from kumite.tui.drawing.stage import stage_rows

if TYPE_CHECKING:
    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes.lines import Line
    from kumite.tui.scenes.model import Scene

TALL: Final = 22  # rows from which on a climb is drawn as pictures
SPREAD: Final = 8  # rows of the cards below a stage


def is_laid(scene: Scene, brush: Brush) -> bool:
    """Return whether a scene is shown as a tabletop, not as a board or in words."""
    return brush.skin is not None and (scene.stage is not None or scene.spread is not None)


def tabletop_rows(
    scene: Scene, brush: Brush, columns: int, rows: int, *, has_hand: bool
) -> tuple[Line, ...]:
    """Return what is on the table in so many cells; `has_hand`: a hand lies below it.

    Cards below a stage are left out where a hand needs their room.
    """
    lines: list[Line] = []
    if scene.climb is not None:
        high = len(scene.climb.lanes)
        high = 3 * high + 1 if rows >= TALL else high + (rows > 9 + high)
        lines += climb_rows(scene.climb, brush, columns, high)
    rest = rows - len(lines)
    if scene.stage is None:
        return (*lines, *(spread_rows(scene.spread, brush, columns, rest) if scene.spread else ()))
    cards = 0
    if scene.spread is not None and (not has_hand or rest >= TALL + SPREAD):
        cards = min(SPREAD + (rest >= 2 * TALL) * 3, rest // 2)
    lines += stage_rows(scene.stage, brush, columns, rest - cards)
    if cards and scene.spread is not None:
        lines += spread_rows(scene.spread, brush, columns, cards, "background")
    return tuple(lines)
