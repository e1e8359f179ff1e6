"""Whatever is updated in windows of whatever size: the terminal shows what the frame says."""

from __future__ import annotations

from itertools import product
from random import Random

import pyte
import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from kumite.tui.terminal.painter import Painter
from tests.tui.terminal.test_painter import PIECES, STYLES, look_of

Cell = tuple[str, Style]  # a character (empty: the right half), and how it is drawn
Frame = list[list[Cell | None]]  # None: nothing has been drawn there since the window changed


def pieces(rng: Random, width: int) -> list[Segment]:
    """Return segments that are as wide as that together."""
    row: list[Segment] = []
    while (left := width - sum(one.cell_length for one in row)) > 0:
        text = rng.choice([one for one in PIECES if cell_len(one) <= left])
        row.append(Segment(text, rng.choice(STYLES)))
    return row


def cells_of(row: list[Segment]) -> list[Cell]:
    cells: list[Cell] = []
    for text, style, _ in row:
        for character in text:
            cells += [(character, style or Style()), ("", style or Style())][: cell_len(character)]
    return cells


def put(frame: Frame, y: int, x: int, cells: list[Cell]) -> None:
    """Draw cells into a frame: of a wide character that is cut through a blank is left."""
    if not 0 <= y < len(frame):
        return
    row = frame[y]
    for at, cell in enumerate(cells, x):
        if 0 <= at < len(row):
            row[at] = cell
    for at, cell in enumerate(row):
        if cell is None:
            continue
        after = row[at + 1] if at + 1 < len(row) else None
        before = row[at - 1] if at else None
        is_wide = cell_len(cell[0]) == 2
        is_cut = (is_wide and (after is None or after[0])) or (
            not cell[0] and (before is None or cell_len(before[0]) != 2)
        )
        if is_cut:
            row[at] = (" ", cell[1])


def spread(rng: Random, region: Region, rows: list[list[Segment]]) -> CompositorUpdate:
    """Return an update that draws the rows into a region, whole or in chops."""
    if rng.random() < 0.5 or region.x < 0 or region.y < 0:
        return LayoutUpdate([[Strip(row)] for row in rows], region)
    chops = [{} for _ in range(region.y)] + [{region.x: Strip(row)} for row in rows]
    spans = [(y, region.x, region.right) for y in range(region.y, region.bottom)]
    return ChopsUpdate(chops, spans, [[region.right]] * region.bottom)


def wanted(frame: Frame, console: Console) -> pyte.Screen:
    """Return a terminal on which the whole frame is drawn, cell by cell."""
    screen = pyte.Screen(len(frame[0]), len(frame))
    stream = pyte.Stream(screen)
    for y, row in enumerate(frame, 1):
        for x, cell in enumerate(row, 1):
            if cell is not None and cell[0]:
                stream.feed(f"\x1b[{y};{x}H{Strip([Segment(*cell)]).render(console)}")
    return screen


@pytest.mark.parametrize("seed", range(20))
def test_random_updates_on_random_sizes_show_what_the_frame_says(seed: int) -> None:
    rng = Random(seed)
    painter, console = Painter(), Console(color_system="256", force_terminal=True)
    width, height = rng.randint(1, 40), rng.randint(1, 12)
    screen = pyte.Screen(width, height)
    stream = pyte.Stream(screen)
    frame: Frame = [[None] * width for _ in range(height)]
    for _ in range(60):
        if rng.random() < 0.15:
            width, height = rng.randint(1, 40), rng.randint(1, 12)
            screen.resize(height, width)
            frame = [[None] * width for _ in range(height)]
        region = Region(
            *(rng.randint(-5, 45), rng.randint(-3, 14)), *(rng.randint(1, 45), rng.randint(1, 6))
        )
        rows = [pieces(rng, region.width) for _ in range(region.height)]
        update = spread(rng, region, rows)
        stream.feed(painter.paint(update, console, width, height))
        for y, row in enumerate(rows, region.y):
            put(frame, y, region.x, cells_of(row))
        right = wanted(frame, console)
        for y, x in product(range(height), range(width)):
            if frame[y][x] is not None:
                assert look_of(screen.buffer[y][x]) == look_of(right.buffer[y][x]), (y, x)


def test_a_dirty_span_that_cuts_a_kanji_draws_it_whole() -> None:
    painter, console = Painter(), Console(color_system="256", force_terminal=True)
    screen = pyte.Screen(12, 1)
    stream = pyte.Stream(screen)
    chops = [{0: Strip([Segment("a侍b侍c", STYLES[0])])}]
    stream.feed(painter.paint(ChopsUpdate(chops, [(0, 0, 7)], [[7]]), console, 12, 1))
    chops = [{0: Strip([Segment("a狐b狐d", STYLES[0])])}]
    stream.feed(painter.paint(ChopsUpdate(chops, [(0, 2, 5)], [[7]]), console, 12, 1))
    assert screen.display[0].rstrip() == "a狐b狐c"


def test_control_characters_are_never_written() -> None:
    painter, console = Painter(), Console(color_system="256", force_terminal=True)
    strip = Strip([Segment("a\x1b[31m\x07\x9b\x7fb", STYLES[0])])
    written = painter.paint(LayoutUpdate([[strip]], Region(0, 0, 8, 1)), console, 8, 1)
    assert written.endswith("a[31mb\x1b[m")
