"""A position as an SVG picture: text on coloured backgrounds, without links.

Backgrounds and blocks are shapes, one path per colour. Each run of text has an explicit length, and
each wide or unusual character is placed separately, so columns align in any font.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.text import harmless
from kumite.tui.drawing.pixels import QUADRANTS
from kumite.tui.export.sheet import Paper, ending, sheet, title, widest, written
from kumite.tui.look.colors import Pen
from kumite.tui.scenes.lines import Line, width, wrap

if TYPE_CHECKING:
    from kumite.tui.play.replaying import Replay

CELL: Final = (10, 20)  # width and height of a cell, in units
EDGE: Final = 18  # margin, in units
BASE: Final = 15  # from the top of a row to the baseline
SIZE: Final = 15  # of letters
FONTS: Final = "ui-monospace, 'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', Menlo, monospace"


BLOCKS: Final = frozenset(QUADRANTS) - {" "}
_RUNS: Final = re.compile(rf"[!-~]+(?: [!-~]+)*|([{''.join(sorted(BLOCKS))}])\1*|[^ -~]| +")


def picture(replay: Replay, at: int, paper: Paper) -> str:
    """Return the table after `at` steps, with a title above, a sentence and the result below."""
    look, palette = paper.look, paper.palette
    table = sheet(replay, at, paper)
    columns = max(widest(table), 60)
    said = [((line, ""),) for line in wrap(replay.said(at), columns)]
    if won := ending(replay, at):
        said += [((line, "title"),) for line in wrap(won, columns)]
    lines: list[Line] = [title(replay, at), (), *table, (), *said]
    label = f"{replay.title}, step {at}: {replay.said(at)}" + f". {won}" * bool(won)
    return document([written(line, look) for line in lines], palette.pen, columns, label)


def document(lines: Sequence[Line], pen: Callable[[str], Pen], columns: int, label: str) -> str:
    """Return lines as a picture; `pen` maps roles to colours, "" to the background."""
    drawn = Drawn(pen)
    for row, line in enumerate(lines):
        drawn.add(line, row)
    head = opening(columns, len(lines), pen("").paper, label)
    return "\n".join([*head, *drawn.parts(), "</svg>", ""])


def opening(columns: int, rows: int, ground: str, label: str) -> tuple[str, ...]:
    wide, high = (columns * CELL[0] + 2 * EDGE, rows * CELL[1] + 2 * EDGE)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" role="img" aria-label="{escape(harmless(label), quote=True)}" '
        f'font-family="{FONTS}" font-size="{SIZE}">',
        f'<rect width="{wide}" height="{high}" rx="8" fill="{ground}"/>',
    )


Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height, in units."""


class Drawn:
    """Shapes drawn so far: backgrounds and blocks by colour, and texts over them."""

    def __init__(self, pen: Callable[[str], Pen], *, covers: bool = False) -> None:
        """Draw with these pens; `covers`: over other layers, so also the default background."""
        self._pen, self._ground = pen, "" if covers else pen("").paper
        self.grounds: dict[str, list[Box]] = {}
        self.blocks: dict[str, list[Box]] = {}
        self.texts: list[str] = []

    def parts(self) -> Iterator[str]:
        """Yield the elements, the lowest first."""
        for layer in (self.grounds, self.blocks):
            for color, boxes in layer.items():
                drawn = "".join(f"M{x} {y}h{wide}v{high}h-{wide}z" for x, y, wide, high in boxes)
                yield f'<path fill="{color}" shape-rendering="crispEdges" d="{drawn}"/>'
        yield from self.texts

    def add(self, line: Line, row: int, column: int = 0) -> None:
        x, y = EDGE + column * CELL[0], EDGE + row * CELL[1]
        for text, role in line:
            pen, columns = self._pen(role), width(text)
            if pen.paper != self._ground:
                box = (x, y, columns * CELL[0], CELL[1])
                self.grounds.setdefault(pen.paper, []).append(box)
            weight = ' font-weight="bold"' if pen.is_bold else ""
            for run in (found[0] for found in _RUNS.finditer(text)):
                length = width(run) * CELL[0]
                if run[0] in BLOCKS:
                    self.blocks.setdefault(pen.ink, []).extend(_quarters(run, x, y))
                elif run.strip():
                    where = f'x="{x}" y="{y + BASE}" textLength="{length}"'
                    said = escape(harmless(run))
                    self.texts.append(f'<text {where} fill="{pen.ink}"{weight}>{said}</text>')
                x += length


def _quarters(run: str, x: int, y: int) -> Iterator[Box]:
    """Yield the boxes of a run of one block character, joined horizontally if possible."""
    bits, half = QUADRANTS.index(run[0]), CELL[1] // 2
    if bits == 15:
        yield x, y, len(run) * CELL[0], CELL[1]
        return
    for row in (0, 1):
        sides = bits >> 2 * row & 3
        if sides == 3:
            yield x, y + row * half, len(run) * CELL[0], half
        elif sides:
            for at in range(len(run)):
                left = x + at * CELL[0] + (sides == 2) * CELL[0] // 2
                yield left, y + row * half, CELL[0] // 2, half
