"""A position as a picture that scales: SVG of text on coloured ground, without any link.

Each run of text says how long it is, and each wide or unusual character stands alone in its cell:
so the columns meet whatever font there is.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from kumite.tui.export.sheet import sheet, widest, written
from kumite.tui.scenes.lines import width, wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.tui.look.colors import Palette
    from kumite.tui.look.glyphs import Look
    from kumite.tui.play.replaying import Replay
    from kumite.tui.scenes.lines import Line

CELL: Final = (9, 20)  # units a column and a row take
EDGE: Final = 18  # units around it all
BASE: Final = 15  # from the top of a row to where letters stand
SIZE: Final = 15  # of letters
FONTS: Final = "ui-monospace, 'DejaVu Sans Mono', 'Noto Sans Mono CJK JP', Menlo, monospace"


def picture(replay: Replay, at: int, look: Look, palette: Palette) -> str:
    """Return the table after `at` steps, with a title above and a sentence below it."""
    table = sheet(replay, at, look)
    columns = max(widest(table), 60)
    title: Line = ((replay.title, "title"), (f"  step {at} of {replay.last}", "quiet"))
    said = [((line, ""),) for line in wrap(replay.said(at), columns)]
    lines: list[Line] = [title, (), *table, (), *said]
    wide, high = (columns * CELL[0] + 2 * EDGE, len(lines) * CELL[1] + 2 * EDGE)
    ground = palette.pen("").paper
    label = escape(f"{replay.title}, step {at}: {replay.said(at)}", quote=True)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" role="img" aria-label="{label}" font-family="{FONTS}" '
        f'font-size="{SIZE}">',
        f'<rect width="{wide}" height="{high}" rx="8" fill="{ground}"/>',
    ]
    for row, line in enumerate(lines):
        parts += _row(written(line, look), EDGE + row * CELL[1], palette)
    return "\n".join([*parts, "</svg>", ""])


def _row(line: Line, y: int, palette: Palette) -> Iterator[str]:
    """Yield the grounds of a line, then its texts."""
    x, texts = EDGE, []
    for text, role in line:
        pen, columns = palette.pen(role), width(text)
        if pen.paper != palette.pen("").paper:
            box = f'x="{x}" y="{y}" width="{columns * CELL[0]}" height="{CELL[1]}"'
            yield f'<rect {box} fill="{pen.paper}"/>'
        weight = ' font-weight="bold"' if pen.is_bold else ""
        at = x
        for run in re.findall(r"[!-~]+(?: [!-~]+)*|[^ -~]| +", text):
            length = width(run) * CELL[0]
            if run.strip():
                where = f'x="{at}" y="{y + BASE}" textLength="{length}"'
                texts.append(f'<text {where} fill="{pen.ink}"{weight}>{escape(run)}</text>')
            at += length
        x += columns * CELL[0]
    yield from texts
