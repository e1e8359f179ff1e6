"""Pixels to cells: half blocks (two colours a cell) and quadrants (one silhouette). Pure.

What is made are spans of (text, ink): `seat-0/spring` is a colour on a colour, see look/colors.py.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kumite.tui.look.sprites import Picture
    from kumite.tui.scenes.lines import Line, Span

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
