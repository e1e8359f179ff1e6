"""Pixels to cells: half blocks (two colours per cell) and quadrants (silhouettes); pure.

The results are spans of (text, ink), with inks like `seat-0/spring` (see look/colors.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from kumite.tui.look.sprites import Picture
from kumite.tui.scenes.lines import Line, Span, fit
from kumite.tui.scenes.lines import width as width_of

SKY: Final = tuple(f"stage-{n}" for n in range(1, 7))  # colours from the top
UNLIT: Final = frozenset(  # colours that are dark in light and dark
    {"ink", "hair", "nose", "shadow", "black", "stone", "roof"}
    | {f"{name}-dark" for name in ("stone", "steel", "leaf", "wood", "blue", "orange", "gold")}
)
QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by the bits: upper left 1, upper right 2, lower left 4
DARK: Final = "ink"  # the colour of eyes and doors


@lru_cache(maxsize=4096)
def half_blocks(picture: Picture, ground: str, width: int, height: int) -> tuple[Line, ...]:
    """Return `height` rows of cells with a picture in their middle, on a background.

    A picture higher than `2 * height` or wider than `width` is cut at the bottom and right.
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
    """Return a picture in the middle of these cells, in light and dark; `dark` adds dark colours.

    No cell has two colours, so shapes matter. With an `ink` everything has that colour.
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
def quadrants(
    shape: Picture, ground: str, width: int, height: int, ink: str = ""
) -> tuple[Line, ...]:
    """Return `height` rows of cells with a silhouette in their middle, on a background.

    `ink` draws everything in one colour, and omits dark pixels: eyes and doors become holes.
    """
    left = max(0, (2 * width - shape.width) // 4 * 2)  # whole cells, to keep its colours apart
    top = max(0, (2 * height - shape.height + 2) // 4 * 2)
    first = ink or next((one for row in shape.rows for one in row if one), "")

    def at(x: int, y: int) -> str:
        x, y = x - left, y - top
        inside = 0 <= y < shape.height and 0 <= x < shape.width
        color = shape.rows[y][x] if inside else ""
        return color if not ink else "" if color == DARK else color and ink

    def cell(x: int, y: int) -> Span:
        corners = [at(2 * x + dx, 2 * y + dy) for dy in (0, 1) for dx in (0, 1)]
        return _quarters(corners, first, ground)

    return tuple(joined([cell(x, y) for x in range(width)]) for y in range(height))


def _quarters(corners: list[str], usual: str, ground: str) -> Span:
    """Return a cell of four pixels, "" being transparent; a third colour is dropped."""
    colors = sorted(dict.fromkeys(filter(None, corners)), key=corners.count, reverse=True)
    ink = colors[0] if colors else usual
    paper = colors[1] if len(colors) > 1 and "" not in corners else ""
    bits = sum((one not in ("", paper)) << n for n, one in enumerate(corners))
    return QUADRANTS[bits], f"{ink}/{paper or ground}"


def joined(spans: Sequence[Span]) -> Line:
    line: list[Span] = []
    for text, ink in spans:
        if line and line[-1][1] == ink:
            line[-1] = (line[-1][0] + text, ink)
        else:
            line.append((text, ink))
    return tuple(line)


def cells_of(line: Line) -> list[Span]:
    """Return a line as spans of one character each."""
    return [(one, ink) for text, ink in line for one in text]


@cache
def sky(width: int, height: int) -> Picture:
    bands = [SKY[min(len(SKY) - 1, y * len(SKY) // max(1, height))] for y in range(height)]
    return Picture(width, height, tuple((color,) * width for color in bands))


def lay(canvas: list[list[str]], picture: Picture, left: int, top: int) -> None:
    for y, row in enumerate(picture.rows, top):
        for x, color in enumerate(row, left):
            if color and 0 <= y < len(canvas) and 0 <= x < len(canvas[y]):
                canvas[y][x] = color


def written(row: Line, text: str, ink: str, at: int) -> Line:
    cells = cells_of(row)
    text = fit(text, max(0, len(cells) - at)).rstrip()
    cells[at : at + width_of(text)] = [(text, ink)]
    return joined(cells)


def written_over(row: Line, text: str, color: str, at: int) -> Line:
    """Return a row with a coloured text over it, keeping the backgrounds."""
    cells = cells_of(row)
    for column, letter in enumerate(text, at):
        if letter != " " and 0 <= column < len(cells):
            ground = cells[column][1].removesuffix("!").rpartition("/")[2]
            cells[column] = (letter, f"{color}/{ground}!")
    return joined(cells)
