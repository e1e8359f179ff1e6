"""One position as lines: the table at the left, players and facts at the right; pure.

The table is drawn as in an app window with room for `BOARD` or `TABLETOP`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing.grid import BoardMarks, board_rows, fitting
from kumite.tui.drawing.pixels import Brush, brush_for, joined
from kumite.tui.drawing.tabletop import is_laid, tabletop_rows
from kumite.tui.look.colors import Palette
from kumite.tui.look.glyphs import Look
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes.lines import Line, capital, narrowed, plain, width, wrap
from kumite.tui.scenes.model import Scene, Trace

if TYPE_CHECKING:
    from kumite.tui.play.replaying import Replay

GAP: Final = 3  # columns between table and panel
BOARD: Final = (80, 40)  # columns and rows at most: squares of 8x4 on a board of 8 files
TABLETOP: Final = (100, 32)
SAID: Final = 3  # rows for a sentence and the result
PAGE: Final = 132  # total columns; names beside the table are shortened


class Paper(NamedTuple):
    """The glyphs, colours and pictures to draw with."""

    look: Look
    palette: Palette
    brush: Brush

    @staticmethod
    def of(look: Look, palette: Palette, skin: Skin | None = None) -> Paper:
        return Paper(look, palette, brush_for(skin or Skin(), look, palette))


def sheet(replay: Replay, at: int, paper: Paper) -> tuple[Line, ...]:
    left, right = parts(replay, at, paper)
    columns = widest(left) + GAP
    lines = []
    for one, two in zip_longest(left, right, fillvalue=()):
        space = " " * (columns - width(plain(one)))
        lines.append(joined((*one, (space, ""), *two)) if two else one)
    return tuple(lines)


def parts(replay: Replay, at: int, paper: Paper) -> tuple[tuple[Line, ...], tuple[Line, ...]]:
    """Return the table, and the text beside it."""
    scene = replay.scene(at, paper.look)
    left = table(scene, replay.trace(at), paper.brush)
    room = PAGE - widest(left) - GAP
    right = narrowed((*scene.seats, (), *scene.facts), room, paper.look)
    one, two = (tuple(written(line, paper.look) for line in part) for part in (left, right))
    return one, two


def table(
    scene: Scene,
    trace: Trace,
    brush: Brush,
    board: tuple[int, int] = BOARD,
    tabletop: tuple[int, int] = TABLETOP,
) -> tuple[Line, ...]:
    if not scene.board.is_drawn and is_laid(scene, brush):
        return tabletop_rows(scene, brush, *tabletop)
    if not scene.board.rows:
        return scene.picture
    marks = BoardMarks(trace=trace)
    geometry = fitting(scene.board, *board)
    drawn = board_rows(scene.board, marks, brush, geometry)
    return drawn if geometry.edges else (*drawn, *scene.picture)


def title(replay: Replay, at: int) -> Line:
    return (replay.title, "title"), (f"  step {at} of {replay.last}", "quiet")


def told(replay: Replay, at: int, words: str, columns: int) -> list[Line]:
    """Return words about a position in `SAID` rows, with the result at its end."""
    said: list[Line] = [((text, ""),) for text in wrap(words, columns)[: SAID - 1]]
    if won := ending(replay, at):
        said.append(((won, "title"),))
    return said + [()] * (SAID - len(said))


def ending(replay: Replay, at: int) -> str:
    """Return the result, at the last position of a finished match only."""
    if at != replay.last or not replay.has_ended:
        return ""
    return capital(replay.result, replay.names)


def written(line: Line, look: Look) -> Line:
    """Return a line with this look's punctuation, adjacent spans of a role joined."""
    spans = []
    for text, role in line:
        for sign, other in look.punctuation:
            text = text.replace(sign, other)
        if text:
            spans.append((text, role))
    return joined(spans)


def widest(lines: Iterable[Line]) -> int:
    return max((width(plain(line)) for line in lines), default=0)
