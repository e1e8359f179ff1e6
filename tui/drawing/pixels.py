"""Pixels to cells: half blocks (two colours a cell) and quadrants (one silhouette). Pure.

What is made are spans of (text, ink): `seat-0/spring` is a colour on a colour, see look/colors.py.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from kumite.tui.look.sprites import Picture
from kumite.tui.scenes.lines import fit
from kumite.tui.scenes.lines import width as width_of

if TYPE_CHECKING:
    from kumite.tui.scenes.lines import Line, Span

SKY: Final = tuple(f"stage-{n}" for n in range(1, 7))  # colours from above
UNLIT: Final = frozenset(  # colours that are left out where there is but light and dark
    {"ink", "hair", "nose", "shadow", "black", "stone", "roof"}
    | {f"{name}-dark" for name in ("stone", "steel", "leaf", "wood", "blue", "orange", "gold")}
)
QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by the bits: upper left 1, upper right 2, lower left 4


@lru_cache(maxsize=4096)
def half_blocks(picture: Picture, ground: str, width: int, height: int) -> tuple[Line, ...]:
    """Return so many rows of cells with a picture in their middle, on a ground.

    A picture that is higher than `2 * height` or wider than `width` is cut at the bottom and right.
    """
    left = max(0, (width - picture.width) // 2)
    top = max(0, (2 * height - picture.height + 1) // 2)

    def at(x: int, y: int) -> str:
        x, y = x - left, y - top
        inside = 0 <= y < picture.height and 0 <= x < picture.width
        return (picture.rows[y][x] if inside else "") or ground

    return tuple(
        joined([_half(at(x, 2 * y), at(x, 2 * y + 1)) for x in range(width)]) for y in range(height)
    )


def _half(upper: str, lower: str) -> Span:
    if upper == lower:
        return " ", f"/{upper}"
    return "▀", f"{upper}/{lower}"


@lru_cache(maxsize=64)
def lit_blocks(
    picture: Picture, width: int, height: int, ink: str = "", dark: frozenset[str] = frozenset()
) -> tuple[Line, ...]:
    """Return a picture in the middle of so many cells, in light and dark; `dark` is left out, too.

    It is told by shapes: no cell has two colours. With an `ink` all of it has that one.
    """
    left = max(0, (width - picture.width) // 2)
    top = max(0, (2 * height - picture.height + 1) // 2)

    def at(x: int, y: int) -> str:
        x, y = x - left, y - top
        inside = 0 <= y < picture.height and 0 <= x < picture.width
        color = picture.rows[y][x] if inside else ""
        return "" if color in UNLIT or color in SKY or color in dark else color

    def cell(x: int, y: int) -> Span:
        upper, lower = at(x, 2 * y), at(x, 2 * y + 1)
        bits = 3 * bool(upper) + 12 * bool(lower)
        return QUADRANTS[bits], f"{ink or upper or lower}/"

    return tuple(joined([cell(x, y) for x in range(width)]) for y in range(height))


@lru_cache(maxsize=4096)
def quadrants(shape: Picture, ink: str, ground: str, width: int, height: int) -> tuple[Line, ...]:
    """Return so many rows of cells with a silhouette in their middle, on a ground."""
    left = max(0, (2 * width - shape.width) // 2)
    top = max(0, (2 * height - shape.height + 1) // 2)

    def is_set(x: int, y: int) -> bool:
        x, y = x - left, y - top
        return 0 <= y < shape.height and 0 <= x < shape.width and bool(shape.rows[y][x])

    def cell(x: int, y: int) -> Span:
        corners = ((0, 0), (1, 0), (0, 1), (1, 1))
        bits = sum(is_set(2 * x + dx, 2 * y + dy) << n for n, (dx, dy) in enumerate(corners))
        return QUADRANTS[bits], f"{ink}/{ground}"

    return tuple(joined([cell(x, y) for x in range(width)]) for y in range(height))


def joined(spans: list[Span]) -> Line:
    """Return spans with neighbours of one ink put together."""
    line: list[Span] = []
    for text, ink in spans:
        if line and line[-1][1] == ink:
            line[-1] = (line[-1][0] + text, ink)
        else:
            line.append((text, ink))
    return tuple(line)


@cache
def sky(width: int, height: int) -> Picture:
    """Return an evening sky in bands of colours."""
    bands = [SKY[min(len(SKY) - 1, y * len(SKY) // max(1, height))] for y in range(height)]
    return Picture(width, height, tuple((color,) * width for color in bands))


def lay(canvas: list[list[str]], picture: Picture, left: int, top: int) -> None:
    """Lay a picture on a canvas of pixels; what lies outside is cut off."""
    for y, row in enumerate(picture.rows, top):
        for x, color in enumerate(row, left):
            if color and 0 <= y < len(canvas) and 0 <= x < len(canvas[y]):
                canvas[y][x] = color


def written(row: Line, text: str, ink: str, at: int) -> Line:
    """Return a row with a text in an ink written over it from a column on."""
    cells: list[Span] = [(one, role) for said, role in row for one in said]
    text = fit(text, max(0, len(cells) - at)).rstrip()
    cells[at : at + width_of(text)] = [(text, ink)]
    return joined(cells)


def written_over(row: Line, text: str, color: str, at: int) -> Line:
    """Return a row with a text in a colour over it; each letter stands on what is below it."""
    cells: list[Span] = [(one, role) for said, role in row for one in said]
    for column, letter in enumerate(text, at):
        if letter != " " and 0 <= column < len(cells):
            ground = cells[column][1].removesuffix("!").rpartition("/")[2]
            cells[column] = (letter, f"{color}/{ground}!")
    return joined(cells)
