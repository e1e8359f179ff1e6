"""A match as a recording (asciicast v2), painted from its log without a terminal.

It uses the app's painter, so a step takes as few bytes as over ssh.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Final

from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from kumite.core.text import escaped
from kumite.tui.export.sheet import SAID, Paper, sheet, title, told, widest, written
from kumite.tui.look.colors import Palette
from kumite.tui.look.glyphs import Look
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import Line
from kumite.tui.terminal.painter import Painter

LEAST: Final = (80, 24)  # columns and rows
CLEAR: Final = "\x1b[?25l\x1b[2J\x1b[H"  # no cursor, empty screen
LAST: Final = 3.0  # s for the last position


def recording(replay: Replay, paper: Paper, seconds: float = 1.0) -> Iterator[str]:
    """Yield the lines of a recording, with `seconds` per step and milestones as markers."""
    sheets = [sheet(replay, at, paper) for at in range(replay.last + 1)]
    columns = max(
        LEAST[0], widest([title(replay, replay.last)]) + 2, *(widest(lines) + 2 for lines in sheets)
    )
    rows = max(LEAST[1], *(len(lines) + SAID + 3 for lines in sheets))
    head = {"version": 2, "width": columns, "height": rows, "title": replay.title}
    yield _line(head)
    painter, console = Painter(), Console(color_system="truecolor", file=StringIO())
    for at, lines in enumerate(sheets):
        strips: list[Iterable[Strip]] = [
            [_strip(line, columns, paper.palette)]
            for line in _screen(replay, at, paper.look, lines, columns, rows)
        ]
        update = LayoutUpdate(strips, Region(0, 0, columns, rows))
        painted = painter.paint(update, console, columns, rows)
        time = round(at * seconds, 3)
        if event := replay.course.events[at]:
            yield _line([time, "m", f"{at}: {event}"])
        yield _line([time, "o", painted if at else CLEAR + painted])
    yield _line([round(replay.last * seconds + LAST, 3), "o", "\x1b[m\x1b[?25h"])


def _screen(
    replay: Replay, at: int, look: Look, table: tuple[Line, ...], columns: int, rows: int
) -> list[Line]:
    said = told(replay, at, replay.said_with_talk(at), columns - 2)
    middle = rows - SAID - 2
    course = replay.course.line(at, columns - 2, look, replay.remarks)
    lines = [title(replay, at), *table, *[()] * (middle - len(table)), course, *said]
    return [written(line, look) for line in lines]


def _strip(line: Line, columns: int, palette: Palette) -> Strip:
    segments = [Segment(" ", _style(palette, ""))]
    segments += [Segment(text, _style(palette, role)) for text, role in line if text]
    return Strip(segments).adjust_cell_length(columns, _style(palette, ""))


def _style(palette: Palette, role: str) -> Style:
    ink, paper, bold = palette.pen(role)
    return Style(color=ink, bgcolor=paper, bold=bold)


def _line(value: object) -> str:
    return escaped(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
