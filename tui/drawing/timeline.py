"""A whole match in one line, with one or more positions per column; pure."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from kumite.tui.drawing.pixels import joined
from kumite.tui.scenes.lines import Line, Span


def timeline(
    positions: int, columns: int, draw: Callable[[range], Span], between: Span = ("", "")
) -> Line:
    """Return `draw` of the positions in each column, joining spans of the same role.

    Where columns are left, all of them have as many of `between` after them as fit. A terminal of
    two columns has none for it.
    """
    if columns < 1:
        return ()
    gap = between[0] * (columns // positions - 1 if positions > 1 else 0), between[1]
    columns = min(columns, positions)
    firsts = [-(-column * positions // columns) for column in range(columns + 1)]
    drawn = [draw(range(first, end)) for first, end in pairwise(firsts)]
    return joined([part for one in drawn for part in (one, gap) if part[0]])
