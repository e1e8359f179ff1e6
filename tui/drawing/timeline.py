"""A whole match in one line, with one or more positions per column; pure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from kumite.tui.drawing.pixels import joined

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.tui.scenes.lines import Line, Span


def timeline(positions: int, columns: int, draw: Callable[[range], Span]) -> Line:
    """Return `draw` of the positions in each column, joining spans of the same role."""
    columns = min(columns, positions)
    firsts = [_first(column, columns, positions) for column in range(columns + 1)]
    return joined([draw(range(first, end)) for first, end in pairwise(firsts)])


def _first(column: int, columns: int, positions: int) -> int:
    return -(-column * positions // columns)
