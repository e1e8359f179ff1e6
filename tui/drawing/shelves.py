"""The panel of the players with their pieces off the board as silhouettes; pure."""

from __future__ import annotations

from itertools import chain, zip_longest
from typing import Final

from kumite.tui.drawing.pixels import Brush, half_blocks, quadrants
from kumite.tui.look.sprites import SEAT, owned, recolored
from kumite.tui.scenes.lines import Elastic, Line, Span, fit, line_width, width
from kumite.tui.scenes.model import Bar, Portrait, Scene, Shelf

SHAPE: Final = (3, 2)  # cells of a piece
INDENT: Final = 1  # columns
OFF_BOARD: Final = {"hair": SEAT}  # as the ground of a panel is dark
PORTRAIT: Final = 3  # minimum rows of a portrait
PORTRAITS: Final = 4  # one of so many rows beside the board may be for portraits
PIECES: Final = 3  # and one of so many for players with names of pieces
NAMED: Final = 4  # parts of a player's line up to the name
BEFORE: Final = 5  # columns before the name
TALL: Final = 20  # minimum rows beside the board, in a panel that shows more than this


def seat_lines(
    scene: Scene, brush: Brush, columns: int, rows: int, *, has_portraits: bool = False
) -> tuple[Line, ...]:
    """Return the panel with pieces if they fit into half of `rows`, else with numbers.

    Portraits are as high as what stands beside them, in high windows higher and apart, or else as
    low as they can be, so that there is a column between pieces. Nothing beside a stage, whose
    words say the same.
    """
    if brush.skin is not None and scene.stage is not None:
        return ()
    if rows < TALL or brush.skin is None:
        return _with_bars(scene, brush, columns, rows)
    is_low = has_portraits and PIECES * sum(map(_rows, scene.shelves)) > rows
    blocks = _blocks(scene, is_low=is_low)
    high = max(PORTRAIT, min(sum(map(_rows, block)) for block in blocks[1:] or blocks))
    large = max(high, (rows // PORTRAITS + 1) // len(blocks[1:] or blocks) - 1)
    highs = (large, high, PORTRAIT) if has_portraits and len(blocks) > 1 else ()
    ways = [(high, gap) for gap in (1, 0) for high in highs]
    drawn = (_panel(blocks, brush, columns, rows, *way) for way in (*ways, (0, 0)))
    return next(filter(None, drawn), None) or _with_bars(scene, brush, columns, rows)


def _with_bars(scene: Scene, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    """Return the players' names with bars beside or below them, else with numbers."""
    if not scene.bars or brush.skin is None:
        return scene.seats
    names = (scene.seats[0][0], (" " * BEFORE, "")), *(line[:NAMED] for line in scene.seats[1:])
    beside = tuple((*name, *bars) for name, bars in zip(names, scene.bars, strict=True))
    if max(map(_least, beside)) <= columns:
        return beside
    below = tuple(chain(*zip(names, scene.bars, strict=True)))[1:]
    has_room = 3 * len(below) <= rows and max(map(line_width, scene.bars)) <= columns
    return below if has_room else scene.seats


def _blocks(scene: Scene, *, is_low: bool) -> list[list[Line | Shelf | Portrait]]:
    """Return what is above the first portrait, and each portrait with what is beside it.

    Without names of pieces where rows are few.
    """
    blocks: list[list[Line | Shelf | Portrait]] = [[]]
    for one in scene.shelves:
        blocks += [[]] * isinstance(one, Portrait)
        if is_low and isinstance(one, Shelf):
            blocks[-1] = [*blocks[-1], *[one._replace(has_names=False)] * (not one.is_legend)]
        else:
            blocks[-1] = [*blocks[-1], one]
    return blocks


def _rows(one: Line | Shelf | Portrait) -> int:
    if isinstance(one, Shelf):
        return (SHAPE[1] + one.has_names) * (not one.is_legend)
    return int(not isinstance(one, Portrait))


def _least(line: Line) -> int:
    """Return the columns of a line without the spaces behind a name."""
    return sum(width(one.rstrip() if isinstance(one, Elastic) else one) for one, _ in line)


def _panel(
    blocks: list[list[Line | Shelf | Portrait]],
    brush: Brush,
    columns: int,
    rows: int,
    high: int,
    gap: int,
) -> tuple[Line, ...]:
    """Return the panel with portraits of `high` rows and `gap` columns between pieces.

    () if something has no room.
    """
    left = 2 * high + bool(high)
    space: Line = ((" " * left, ""),) * bool(high)
    lines: list[Line] = []
    legend: list[Line] = []
    for block in blocks:
        beside: list[Line] = []
        figure: list[Line] = []
        for one in block:
            if isinstance(one, Portrait):
                figure = portrait(one, brush, high) if high else []
            elif isinstance(one, Shelf) and one.is_legend:
                legend = _shelf(one, brush, columns)
            else:
                room = columns - left
                drawn = _shelf(one, brush, room, gap) if isinstance(one, Shelf) else [one]
                if not drawn or max(map(_least, drawn)) > columns - left:
                    return ()
                beside += drawn
        lines += [()] * (bool(lines) and high > PORTRAIT)  # large ones would seem to touch
        above = max(0, len(figure) - len(beside)) // 2
        both = zip_longest(figure, [()] * above + beside, fillvalue=())
        lines += [((*(ahead or space), *((" ", ""),) * bool(ahead), *line)) for ahead, line in both]
    lines += legend if 2 * (len(lines) + len(legend)) <= rows else []
    return tuple(lines) if 2 * len(lines) <= rows else ()


def portrait(one: Portrait, brush: Brush, high: int) -> list[Line]:
    """Return a figure in `high` rows and twice as many columns, in its owner's colour."""
    wide = 2 * high
    if brush.has_pixels and (picture := brush.picture(one.sprite, wide, wide)):
        whole = owned(picture, one.owner)
        return list(half_blocks(whole, f"{SEAT}-{one.owner}-dim", wide, high))
    return pieces(Bar("", 1, 1, one.sprite, one.owner), brush, wide, wide, high)


def _shelf(shelf: Shelf, brush: Brush, columns: int, gap: int = 0) -> list[Line]:
    """Return the shelf's kinds side by side; [] if there is no room."""
    taken = [bar.most * (SHAPE[0] + 1) for bar in shelf.bars]
    is_alone = len(taken) == 1 and not shelf.has_names and taken[0] <= columns - BEFORE
    indent = BEFORE if is_alone else INDENT  # not below the player's sign, as a part of it
    room, slots = columns - indent, sum(shelf.slots)
    widths = [room * some // slots for some in shelf.slots]
    least = [len(bar.what) + 1 if shelf.is_legend else SHAPE[0] for bar in shelf.bars]
    if room < (SHAPE[0] + gap) * slots or any(a < b for a, b in zip(widths, least, strict=True)):
        return []
    parts = [
        [*[((bar.what, "quiet"),)] * shelf.has_names, *pieces(bar, brush, wide, *SHAPE)]
        for bar, wide in zip(shelf.bars, widths, strict=True)
    ]
    return [
        (
            (" " * indent, ""),
            *(
                span
                for line, wide in zip(row, widths, strict=True)
                for span in (*line, (" " * (wide - line_width(line)), ""))
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
