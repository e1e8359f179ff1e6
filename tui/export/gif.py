"""A match as a GIF, for places without animated SVG: the frames of reel.py as pixels.

Pillow draws (the extra `gif`). The 256 colours of a GIF are all drawn colours, then as many blends
of inks and their backgrounds as fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from kumite.tui.drawing.pixels import QUADRANTS
from kumite.tui.export.reel import Cell, Frame, Reel, Run, reel
from kumite.tui.export.sheet import Paper
from kumite.tui.look.colors import Palette, Pen
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import width

CELL: Final = (8, 16)  # pixels of a column and a row
EDGE: Final = 12  # margin, in pixels
SIZE: Final = 13  # of letters
COLORS: Final = 256
LEAST: Final = 0.02  # s; most viewers slow down shorter frames
FONTS: Final = (  # the first available one; file names that systems resolve
    "DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "NotoSansMono-Regular.ttf", "Menlo.ttc",
    "consola.ttf", "CascadiaMono.ttf",
)  # fmt: skip
WIDE_FONTS: Final = (
    "NotoSansCJK-Regular.ttc", "NotoSerifCJK-Bold.ttc", "VL-Gothic-Regular.ttf",
    "Hiragino Sans GB.ttc", "msgothic.ttc", "YuGothM.ttc",
)  # fmt: skip


def gif(replay: Replay, paper: Paper, seconds: float = 1.0) -> bytes:
    shown = reel(replay, paper, seconds)
    images, times = [], []
    for image, frame in _Easel(shown, paper.palette).images():
        images.append(image)
        times.append(round(1000 * max(LEAST, frame.seconds)))
    out = BytesIO()
    first, *rest = images
    first.save(out, "GIF", save_all=True, append_images=rest, duration=times, loop=0)
    return out.getvalue()


class _Easel:
    """A picture with the colours of a reel, redrawn from frame to frame."""

    def __init__(self, shown: Reel, palette: Palette) -> None:
        self._reel, self._palette = shown, palette
        size = shown.columns * CELL[0] + 2 * EDGE, shown.rows * CELL[1] + 2 * EDGE
        self._image = Image.new("P", size, self._number(palette.pen("").paper))
        self._image.putpalette([part for color in self._colors for part in _rgb(color)])
        self._brush = ImageDraw.Draw(self._image)

    def images(self) -> Iterator[tuple[Image.Image, Frame]]:
        for frame, runs in self._reel.changes(self._palette):
            for run in runs:
                self._draw(run)
            yield self._image.copy(), frame

    @cached_property
    def _pens(self) -> list[Pen]:
        """Return all pens, the most used for text first."""
        counted: dict[Pen, int] = {}
        for _, runs in self._reel.changes(self._palette):
            for cell in (cell for run in runs for cell in run.cells):
                pen = self._palette.pen(cell.role)._replace(is_bold=False)
                is_text = cell.sign not in QUADRANTS
                counted[pen] = counted.get(pen, 0) + is_text
        return sorted(counted, key=lambda pen: -counted[pen])

    @cached_property
    def _colors(self) -> dict[str, int]:
        """Return the number of each colour: drawn ones, then blends."""
        plain = self._palette.pen("").paper
        found = dict.fromkeys([plain, *(color for pen in self._pens for color in pen[:2])])
        for pen in self._pens:
            found |= dict.fromkeys(_between(pen))
        return {color: number for number, color in enumerate([*found][:COLORS])}

    def _number(self, color: str) -> int:
        return self._colors.get(color, 0)

    def _draw(self, run: Run) -> None:
        x, y = EDGE + run.column * CELL[0], EDGE + run.row * CELL[1]
        for cell in run.cells:
            if cell.sign:
                self._draw_cell(cell, x, y, max(1, width(cell.sign)))
            x += CELL[0]

    def _draw_cell(self, cell: Cell, x: int, y: int, columns: int) -> None:
        pen = self._palette.pen(cell.role)
        wide, high = columns * CELL[0], CELL[1]
        self._brush.rectangle((x, y, x + wide - 1, y + high - 1), self._number(pen.paper))
        if cell.sign in QUADRANTS:
            bits = QUADRANTS.index(cell.sign)
            for corner in (corner for corner in range(4) if bits >> corner & 1):
                left, top = x + corner % 2 * wide // 2, y + corner // 2 * high // 2
                box = (left, top, left + wide // 2 - 1, top + high // 2 - 1)
                self._brush.rectangle(box, self._number(pen.ink))
            return
        steps = (*_between(pen), pen.ink)
        for color, mask in zip(steps, _masks(cell.sign, columns, pen.is_bold), strict=True):
            if color in self._colors:
                self._image.paste(self._colors[color], (x, y), mask)


def _between(pen: Pen) -> tuple[str, str]:
    """Return two blends of background and ink, for smooth letters."""
    ink, paper = _rgb(pen.ink), _rgb(pen.paper)

    def blend(part: int) -> str:
        both = zip(ink, paper, strict=True)
        return "#" + bytes((a * part + b * (3 - part)) // 3 for a, b in both).hex()

    return blend(1), blend(2)


def _rgb(color: str) -> Sequence[int]:
    return bytes.fromhex(color.removeprefix("#"))


@cache
def _masks(sign: str, columns: int, is_bold: bool) -> tuple[Image.Image, ...]:
    """Return where a sign is drawn at one third, two thirds and full intensity."""
    size = (columns * CELL[0], CELL[1])
    drawn = Image.new("L", size)
    font = _font(columns > 1)
    across = font.getlength(sign)
    where = ((size[0] - across) / 2, CELL[1] - 4)
    brush = ImageDraw.Draw(drawn)
    brush.text(where, sign, 255, font, "ls", stroke_width=0.3 if is_bold else 0)
    bounds = ((48, 128), (128, 208), (208, 256))
    return tuple(
        drawn.point([255 * (low <= value < high) for value in range(256)], "1")
        for low, high in bounds
    )


@cache
def _font(is_wide: bool) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    for name in (*(WIDE_FONTS if is_wide else ()), *FONTS):
        try:
            return ImageFont.truetype(name, SIZE)
        except OSError:
            continue
    return ImageFont.load_default(SIZE)
