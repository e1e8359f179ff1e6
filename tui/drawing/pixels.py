"""Pixels to cells: half blocks (two colours per cell) and quadrants (silhouettes); pure.

The results are spans of (text, ink), with inks like `seat-0/spring` (see look/colors.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from kumite.tui.look.colors import Palette
from kumite.tui.look.glyphs import Look
from kumite.tui.look.sprites import Picture, Skin, Sprite, in_one
from kumite.tui.scenes.lines import Line, Span, fit
from kumite.tui.scenes.lines import width as width_of

SKY: Final = tuple(f"stage-{n}" for n in range(1, 7))  # colours from the top
UNLIT: Final = frozenset(  # colours that are dark in light and dark
    {"ink", "hair", "nose", "shadow", "black", "stone", "roof"}
    | {f"{name}-dark" for name in ("stone", "steel", "leaf", "wood", "blue", "orange", "gold")}
)
QUADRANTS: Final = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by the bits: upper left 1, upper right 2, lower left 4
DARK: Final = "ink"  # the colour of eyes and doors


class Brush(NamedTuple):
    """The terminal's drawing abilities: sprites, and enough colours for pictures."""

    skin: Skin | None = None  # None: characters only
    has_pictures: bool = True
    signs: str = ""  # by seat: signs of ownership, where there are no colours
    has_edges: bool = False  # of cards, where they lie on a ground of their own colour
    woven: frozenset[str] = frozenset()  # second grounds that are dots on the first of their pair

    @property
    def has_pixels(self) -> bool:
        """True if sprites are drawn in their colours."""
        return self.skin is not None and self.has_pictures

    def picture(self, name: str, width: int, height: int) -> Picture | None:
        """Return the largest picture of a sprite within so many pixels; None without one."""
        sprite = self._sprite(name)
        return sprite.picture(width, height) if sprite else None

    def shape(self, name: str, width: int, height: int) -> Picture | None:
        """Return its largest silhouette within so many quarter cells; None without one."""
        sprite = self._sprite(name)
        return sprite.shape(width, height) if sprite else None

    def _sprite(self, name: str) -> Sprite | None:
        try:
            return self.skin.sprite(name) if self.skin and name else None
        except KeyError:
            return None

    @property
    def plain_ink(self) -> str:
        """The only colour of pictures in a monochrome terminal; else ""."""
        return "foreground" if self.signs else ""


def brush_for(skin: Skin, look: Look, palette: Palette, *, has_many: bool = True) -> Brush:
    """Return the brush for these glyphs and colours; `has_many`: 256 colours or more."""
    return Brush(
        skin if look.is_drawn else None,
        has_many and palette.has_pictures,
        look.solid if palette.has_signs else "",
        palette.color("paper") == palette.color("background"),
        frozenset(_loud(palette.numbers)) if has_many and palette.is_dark else frozenset(),
    )


FIRST, SECOND = "-a", "-b"  # ends of the names of two grounds that alternate
GREYS: Final = 232  # the first grey of 256 colours


def first_of(ground: str) -> str:
    return f"{ground.removesuffix(SECOND)}{FIRST}"


def _loud(numbers: Mapping[str, int]) -> Iterator[str]:
    """Yield second grounds that differ from their first by more than their grey."""
    for ground, number in numbers.items():
        if ground.endswith(SECOND) and number < GREYS and number != numbers[first_of(ground)]:
            yield ground


@lru_cache(maxsize=4096)
def half_blocks(picture: Picture, ground: str, width: int, height: int) -> tuple[Line, ...]:
    """Return `height` rows of cells with a picture in their middle, on a background.

    A picture higher than `2 * height` or wider than `width` is cut at the bottom and right.
    """
    return tuple(
        joined([_half(one or ground, two or ground) for one, two in zip(*rows, strict=True)])
        for rows in _pairs(_in_middle(picture, width, height))
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
    unlit = UNLIT.union(SKY, dark)

    def cell(upper: str, lower: str) -> Span:
        upper, lower = ("" if one in unlit else one for one in (upper, lower))
        bits = 3 * bool(upper) + 12 * bool(lower)
        return QUADRANTS[bits], f"{ink or upper or lower}/"

    return tuple(
        joined([cell(*pixels) for pixels in zip(*rows, strict=True)])
        for rows in _pairs(_in_middle(picture, width, height))
    )


def _in_middle(picture: Picture, width: int, height: int) -> Canvas:
    """Return `width` times `2 * height` pixels with a picture in their middle."""
    canvas = blank(width, 2 * height)
    top = max(0, (2 * height - picture.height + 1) // 2)
    lay(canvas, picture, max(0, (width - picture.width) // 2), top)
    return canvas


def _pairs(canvas: Canvas) -> Iterable[tuple[list[str], list[str]]]:
    return zip(canvas[::2], canvas[1::2], strict=True)


@lru_cache(maxsize=4096)
def quadrants(
    shape: Picture, ground: str, width: int, height: int, ink: str = ""
) -> tuple[Line, ...]:
    """Return `height` rows of cells with a silhouette in their middle, on a background.

    `ink` draws everything in one colour, and omits dark pixels: eyes and doors become holes.
    """
    first = ink or next((one for row in shape.rows for one in row if one), "")
    left = max(0, (2 * width - shape.width) // 4 * 2)  # whole cells, to keep its colours apart
    top = max(0, (2 * height - shape.height + 2) // 4 * 2)
    canvas = blank(2 * width, 2 * height)
    lay(canvas, in_one(shape, ink, frozenset({DARK})) if ink else shape, left, top)
    return tuple(
        joined(
            [
                _quarters([*upper[x : x + 2], *lower[x : x + 2]], first, ground)
                for x in range(0, 2 * width, 2)
            ]
        )
        for upper, lower in _pairs(canvas)
    )


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
        elif text:
            line.append((text, ink))
    return tuple(line)


def cells_of(line: Line) -> list[Span]:
    """Return a line as spans of one character each."""
    return [(one, ink) for text, ink in line for one in text]


@cache
def sky(width: int, height: int) -> Picture:
    bands = [SKY[min(len(SKY) - 1, y * len(SKY) // max(1, height))] for y in range(height)]
    return Picture(tuple((color,) * width for color in bands))


Canvas = list[list[str]]
"""Pixels to draw on, by row: names of colours, "" where there is none."""


def blank(width: int, height: int) -> Canvas:
    return [[""] * width for _ in range(height)]


def lay(canvas: Canvas, picture: Picture, left: int, top: int) -> None:
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
