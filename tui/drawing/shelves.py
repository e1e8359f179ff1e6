"""The panel of the players with their pieces off the board as silhouettes; pure."""

from __future__ import annotations

from typing import Final

from kumite.tui.drawing.pixels import Brush, quadrants
from kumite.tui.look.sprites import SEAT, owned, recolored
from kumite.tui.scenes.lines import Line, Span, fit, line_width
from kumite.tui.scenes.model import Bar, Scene, Shelf

SHAPE: Final = (3, 2)  # cells of a piece
INDENT: Final = 1  # columns
OFF_BOARD: Final = {"hair": SEAT}  # as the ground of a panel is dark
TALL: Final = 20  # minimum rows beside the board, in a panel that shows more than this


def seat_lines(scene: Scene, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    """Return the panel with pieces if they fit into half of `rows`, else with numbers.

    Nothing beside a stage, whose words say the same.
    """
    if brush.skin is not None and scene.stage is not None:
        return ()
    if rows < TALL or brush.skin is None:
        return scene.seats
    lines: list[Line] = []
    for one in scene.shelves:
        drawn = _shelf(one, brush, columns) if isinstance(one, Shelf) else [one]
        fits = bool(drawn) and max(map(line_width, drawn)) <= columns
        if isinstance(one, Shelf) and one.is_legend:
            lines += drawn if fits and 2 * (len(lines) + len(drawn)) <= rows else []
        elif not fits:
            return scene.seats
        else:
            lines += drawn
    return tuple(lines) if lines and 2 * len(lines) <= rows else scene.seats


def _shelf(shelf: Shelf, brush: Brush, columns: int) -> list[Line]:
    """Return the shelf's kinds side by side; [] if there is no room."""
    room, slots = columns - INDENT, sum(shelf.slots)
    widths = [room * some // slots for some in shelf.slots]
    least = [len(bar.what) + 1 if shelf.is_legend else SHAPE[0] for bar in shelf.bars]
    if room < SHAPE[0] * slots or any(a < b for a, b in zip(widths, least, strict=True)):
        return []
    parts = [
        [*[((bar.what, "quiet"),)] * shelf.has_names, *pieces(bar, brush, width, *SHAPE)]
        for bar, width in zip(shelf.bars, widths, strict=True)
    ]
    return [
        (
            (" " * INDENT, ""),
            *(
                span
                for line, width in zip(row, widths, strict=True)
                for span in (*line, (" " * (width - line_width(line)), ""))
            ),
        )
        for row in zip(*parts, strict=False)
    ]


def pieces(bar: Bar, brush: Brush, columns: int, wide: int, high: int) -> list[Line]:
    """Return each of a number of pieces, with a dot for each that is still missing.

    They stand closer, and at last become a number, where columns are few; [] without a sprite.
    """
    shape = brush.shape(bar.sprite, 2 * wide, 2 * high)
    if shape is None:
        return []
    drawn = quadrants(
        owned(recolored(shape, OFF_BOARD), bar.owner), "", wide, high, brush.plain_ink
    )
    count = min(bar.number, bar.most)
    slot = wide + (bar.most * (wide + 1) <= columns)
    lines: list[Line] = []
    for y, row in enumerate(drawn):
        is_last = y == high - 1
        if bar.most * slot > columns:
            said = fit(f" {count}" * is_last, columns - wide)
            lines.append((*row, (said, "")))
            continue
        taken: list[Span] = [*row, (" " * (slot - wide), "")] * count
        missing = fit(" " * (wide // 2) + "·" * is_last, slot)
        lines.append((*taken, (missing * (bar.most - count), "quiet")))
    return lines
