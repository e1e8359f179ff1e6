"""A whole match in one line: which positions stand in each column, and how that is drawn. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.tui.scenes.lines import Line, Span


def timeline(positions: int, columns: int, draw: Callable[[range], Span]) -> Line:
    """Return what `draw` says of the positions in each column, the same role in one span.

    A column stands for several positions where there are more of them than columns.
    """
    columns = min(columns, positions)
    spans: list[Span] = []
    for column in range(columns):
        glyph, role = draw(
            range(_first(column, columns, positions), _first(column + 1, columns, positions))
        )
        if spans and spans[-1][1] == role:
            spans[-1] = (spans[-1][0] + glyph, role)
        else:
            spans.append((glyph, role))
    return tuple(spans)


def _first(column: int, columns: int, positions: int) -> int:
    """Return the first position that a column stands for."""
    return -(-column * positions // columns)
