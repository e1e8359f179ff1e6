"""A stage: figures before a sky, on a bridge of numbered planks. Pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.pixels import SKY, half_blocks, joined, lay, sky
from kumite.tui.look.sprites import MAX_SIDE, Picture

if TYPE_CHECKING:
    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes.model import Line, Span
    from kumite.tui.scenes.pictures import Figure, Stage

BODY: Final = {40: 16, 28: 11, 16: 6}  # pixels to the middle of the body, by a figure's height
FIGURES: Final = tuple(BODY)  # the largest first
MOON: Final = "moon"


def stage_rows(stage: Stage, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    """Return a stage of so many cells: the sky, the figures, two rows of planks."""
    sky_rows = rows - 2
    canvas = [list(row) for row in sky(columns, 2 * sky_rows).rows]
    high = next((size for size in FIGURES if size <= 2 * sky_rows), FIGURES[-1])
    if brush.skin is not None and brush.has_pictures:
        _moon(canvas, brush, columns)
        for figure in stage.figures:
            _put(canvas, figure, brush, high, _middle(figure.place, len(stage.planks), columns))
    picture = Picture(columns, 2 * sky_rows, tuple(map(tuple, canvas)))
    return (*half_blocks(picture, SKY[-1], columns, sky_rows), *_planks(stage, columns))


def _middle(place: int, planks: int, columns: int) -> int:
    """Return the column of the middle of a plank."""
    return (2 * place + 1) * columns // (2 * planks)


def _moon(canvas: list[list[str]], brush: Brush, columns: int) -> None:
    assert brush.skin is not None
    try:
        moon = brush.skin.sprite(MOON).picture(columns // 4, 2 * len(canvas) // 3)
    except KeyError:
        return
    if moon is not None:
        lay(canvas, moon, columns // 2 - moon.width // 2, max(1, len(canvas) // 16))


def _put(canvas: list[list[str]], figure: Figure, brush: Brush, high: int, middle: int) -> None:
    """Lay a figure on the stage: its feet on the planks, its body over the middle of one."""
    assert brush.skin is not None
    picture = brush.skin.sprite(figure.sprite).picture(MAX_SIDE, high)
    if picture is None:
        return
    picture, body = picture.owned(figure.seat), BODY[high]
    left = middle - body
    if figure.is_turned:
        picture, left = _turned(picture), middle - (picture.width - 1 - body)
    lay(canvas, picture, left, len(canvas) - picture.height)


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
