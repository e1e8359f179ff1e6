"""One position as a sheet of lines: the table at the left, players and facts at the right. Pure."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.board import board_lines
from kumite.tui.scenes.lines import plain, width

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.tui.look.glyphs import Look
    from kumite.tui.play.replaying import Replay
    from kumite.tui.scenes.lines import Line

GAP: Final = 3  # columns between table and panel
LARGE: Final = (4, 2)  # columns and rows of a square
SMALL: Final = (3, 1)
MOST_LARGE: Final = 14  # columns of squares that may be large


def sheet(replay: Replay, at: int, look: Look) -> tuple[Line, ...]:
    """Return the table after `at` steps."""
    scene = replay.scene(at, look)
    size = LARGE if len(scene.board.columns) <= MOST_LARGE else SMALL
    left = (*board_lines(scene.board, replay.marks(at), *size), *scene.picture)
    right = (*scene.seats, (), *scene.facts)
    columns = widest(left)
    lines = []
    for one, two in zip_longest(left, right, fillvalue=()):
        space = " " * (columns - width(plain(one)) + GAP)
        lines.append(written(_joined((*one, (space, ""), *two) if two else one), look))
    return tuple(lines)


def written(line: Line, look: Look) -> Line:
    """Return a line in the punctuation of these glyphs."""
    for sign, other in look.punctuation:
        line = tuple((text.replace(sign, other), role) for text, role in line)
    return line


def widest(lines: Iterable[Line]) -> int:
    """Return how many columns lines take."""
    return max((width(plain(line)) for line in lines), default=0)


def _joined(line: Line) -> Line:
    """Put neighbours of one role together."""
    spans: list[tuple[str, str]] = []
    for text, role in line:
        if spans and spans[-1][1] == role:
            spans[-1] = (spans[-1][0] + text, role)
        elif text:
            spans.append((text, role))
    return tuple(spans)
