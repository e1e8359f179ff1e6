"""A whole match in one line, with one or more positions per column; pure."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, zip_longest

from kumite.tui.drawing.pixels import joined
from kumite.tui.scenes.lines import Line, Span


def timeline(
    positions: int, columns: int, draw: Callable[[range], Span], between: Span = ("", "")
) -> Line:
    """Return `draw` of the positions in each column, joining spans of the same role.

    Where columns are left, `between` fills them, so that the last position is in the last column.
    A terminal of two columns has none for it.
    """
    if columns < 1:
        return ()
    count = min(columns, positions)
    firsts = [-(-column * positions // count) for column in range(count + 1)]
    drawn = [draw(range(first, end)) for first, end in pairwise(firsts)]
    places = [number * (columns - 1) // max(1, count - 1) for number in range(count)]
    gaps = [(between[0] * (end - at - 1), between[1]) for at, end in pairwise(places)]
    parts = zip_longest(drawn, gaps, fillvalue=("", ""))
    return joined([part for pair in parts for part in pair if part[0]])
