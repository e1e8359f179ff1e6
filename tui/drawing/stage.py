"""A stage: figures before a sky, on a bridge of numbered planks; pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.pixels import SKY, half_blocks, joined, lay, sky
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import MAX_SIDE, SEAT, Picture
from kumite.tui.scenes.lines import abbreviated, cut, line_width, narrowed, trimmed

if TYPE_CHECKING:
    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes.lines import Line, Span
    from kumite.tui.scenes.pictures import Figure, Stage

BODY: Final = {40: 16, 28: 11, 16: 6}  # pixels to the middle of the body, by a figure's height
ASIDE: Final = {40: 10, 28: 7, 16: 4}  # columns by height, so that two faces are visible
OVER: Final = 8  # columns by which a figure may be wider than its plank
FIGURES: Final = tuple(BODY)  # the largest first
MOON: Final = "moon"
BARE: Final = "background"
DARK: Final = frozenset({"hair", "ink", "nose", "shadow", "black", "skin-dark", "seat-dark"})


def stage_rows(stage: Stage, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    words = stage.words[: max(1, rows - 2 - FIGURES[-1] // 2)]
    sky_rows = max(1, rows - 2 - len(words))
    ground = SKY[-1] if brush.has_pictures else BARE
    above = sky(columns, 2 * sky_rows) if brush.has_pictures else _plain(columns, 2 * sky_rows)
    canvas = [list(row) for row in above.rows]
    high = _figure_height(2 * sky_rows, columns // len(stage.planks))
    if brush.skin is not None:
        if brush.has_pictures:
            _moon(canvas, brush, columns)
        for figure in stage.figures:
            middle = _middle(figure.place, len(stage.planks), columns)
            _put(canvas, figure, brush, high, middle + _aside(figure, stage, high))
    picture = Picture(columns, 2 * sky_rows, tuple(map(tuple, canvas)))
    drawn = half_blocks(picture, ground, columns, sky_rows)
    return (*drawn, *_planks(stage, columns), *(_said(row, columns) for row in words))


def _said(row: tuple[Line, Line, Line], columns: int) -> Line:
    """Return a row with text at its left, middle and right.

    If there is no room, first cards get short names, then other names are shortened, then the last
    parts of each side are dropped.
    """
    left, middle, right = row
    room = columns - line_width(middle) - 3
    if line_width(left) + line_width(right) > room:
        left, right = abbreviated(left), abbreviated(right)
    half = max(room // 2, room - line_width(right))
    left = trimmed(narrowed((left,), half, LETTERS)[0], half)
    rest = room - line_width(left)
    right = trimmed(narrowed((right,), rest, LETTERS)[0], rest)
    centre = (columns - line_width(middle)) // 2
    free = room - line_width(left) - line_width(right)  # so the middle cannot push out the right
    before = max(1, min(centre - 1 - line_width(left), free)) if middle else 0
    used = 1 + line_width(left) + before + line_width(middle)
    after = max(1, columns - 1 - used - line_width(right))
    return cut(
        (*((" ", ""), *left), (" " * before, ""), *middle, (" " * after, ""), *right), 0, columns
    )


def _figure_height(rows: int, plank: int) -> int:
    """Return the height of figures in a sky of `rows` pixels, on planks of this width.

    At most half a body may extend beyond its plank, so that neighbours stay distinguishable.
    """
    fits = (high for high, body in BODY.items() if high <= rows and 2 * body <= plank + OVER)
    return next(fits, FIGURES[-1])


def _middle(place: int, planks: int, columns: int) -> int:
    return (2 * place + 1) * columns // (2 * planks)


def _aside(figure: Figure, stage: Stage, high: int) -> int:
    """Return the columns by which a figure makes room for another one on its plank."""
    if not any(one.place == figure.place and one.seat != figure.seat for one in stage.figures):
        return 0
    return ASIDE[high] if figure.is_turned else -ASIDE[high]


@cache
def _plain(width: int, height: int) -> Picture:
    return Picture(width, height, ((BARE,) * width,) * height)


def _moon(canvas: list[list[str]], brush: Brush, columns: int) -> None:
    assert brush.skin is not None
    try:
        moon = brush.skin.sprite(MOON).picture(columns // 4, 2 * len(canvas) // 3)
    except KeyError:
        return
    if moon is not None:
        lay(canvas, moon, columns // 2 - moon.width // 2, max(1, len(canvas) // 16))


def _put(canvas: list[list[str]], figure: Figure, brush: Brush, high: int, middle: int) -> None:
    """Draw a figure: its feet on the planks, its body over the middle of one."""
    assert brush.skin is not None
    picture = brush.skin.sprite(figure.sprite).picture(MAX_SIDE, high)
    if picture is None:
        return
    body = BODY[high]
    picture = picture.owned(figure.seat) if brush.has_pictures else _outline(picture, figure.seat)
    left = middle - body
    if figure.is_turned:
        picture, left = _turned(picture), middle - (picture.width - 1 - body)
    left = max(0, min(left, len(canvas[0]) - picture.width))  # do not cut it at the edge
    lay(canvas, picture, left, len(canvas) - picture.height)


@cache
def _outline(picture: Picture, seat: int) -> Picture:
    """Return a picture in one colour, without its dark parts, for terminals with few colours."""
    rows = tuple(
        tuple(f"{SEAT}-{seat}" if one and one not in DARK else "" for one in row)
        for row in picture.rows
    )
    return Picture(picture.width, picture.height, rows)


@cache
def _turned(picture: Picture) -> Picture:
    return Picture(picture.width, picture.height, tuple(row[::-1] for row in picture.rows))


def _planks(stage: Stage, columns: int) -> tuple[Line, Line]:
    count = len(stage.planks)
    upper: list[Span] = []
    lower: list[Span] = []
    at = 0
    for place, text in enumerate(stage.planks):
        end = (place + 1) * columns // count
        wide = end - at
        color = "target-mark" if place in stage.marked else "paper"
        upper.append((text.center(wide), f"{color}/bridge!"))
        lower.append(("▏" + " " * (wide - 1), "bridge/bridge-dark"))
        at = end
    return joined(upper), joined(lower)
