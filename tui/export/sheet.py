"""One position as a sheet of lines: the table at the left, players and facts at the right. Pure.

The table is drawn as the app draws it in a window that has room for `BOARD` or `TABLETOP`.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing.grid import BoardMarks, board_rows, fitting
from kumite.tui.drawing.pixels import joined
from kumite.tui.drawing.squares import Brush, brush_for
from kumite.tui.drawing.tabletop import is_laid, tabletop_rows
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes.lines import capital, narrowed, plain, width

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.tui.look.colors import Palette
    from kumite.tui.look.glyphs import Look
    from kumite.tui.play.replaying import Replay
    from kumite.tui.scenes.lines import Line
    from kumite.tui.scenes.model import Scene, Trace

GAP: Final = 3  # columns between table and panel
BOARD: Final = (80, 40)  # columns and rows at most: squares of 8x4 where eight are side by side
TABLETOP: Final = (100, 32)
PAGE: Final = 132  # columns in all; names beside the table give way


class Paper(NamedTuple):
    """What is drawn with and on."""

    look: Look
    palette: Palette
    brush: Brush

    @staticmethod
    def of(look: Look, palette: Palette, skin: Skin | None = None) -> Paper:
        """Return paper of these glyphs and colours, with our own pictures or a skin's."""
        return Paper(look, palette, brush_for(skin or Skin(), look, palette))


def sheet(replay: Replay, at: int, paper: Paper) -> tuple[Line, ...]:
    """Return the table after `at` steps."""
    scene = replay.scene(at, paper.look)
    left = _table(scene, replay.trace(at), paper.brush)
    columns = widest(left)
    right = narrowed((*scene.seats, (), *scene.facts), PAGE - columns - GAP, paper.look)
    lines = []
    for one, two in zip_longest(left, right, fillvalue=()):
        space = " " * (columns - width(plain(one)) + GAP)
        lines.append(written((*one, (space, ""), *two) if two else one, paper.look))
    return tuple(lines)


def _table(scene: Scene, trace: Trace, brush: Brush) -> tuple[Line, ...]:
    if not scene.board.is_drawn and is_laid(scene, brush):
        return tabletop_rows(scene, brush, *TABLETOP, has_hand=False)
    if not scene.board.rows:
        return scene.picture
    marks = BoardMarks(trace=trace)
    geometry = fitting(scene.board, *BOARD)
    drawn = board_rows(scene.board, marks, brush, geometry)
    return drawn if geometry.edges else (*drawn, *scene.picture)


def ending(replay: Replay, at: int) -> str:
    """Return who won and why, at the last position of a match that has ended; else nothing."""
    if at != replay.last or not replay.has_ended:
        return ""
    return capital(replay.result, replay.names)


def written(line: Line, look: Look) -> Line:
    """Return a line in the punctuation of these glyphs, neighbours of one role together."""
    spans = []
    for text, role in line:
        for sign, other in look.punctuation:
            text = text.replace(sign, other)
        if text:
            spans.append((text, role))
    return joined(spans)


def widest(lines: Iterable[Line]) -> int:
    """Return how many columns lines take."""
    return max((width(plain(line)) for line in lines), default=0)
