"""A picture (SVG) of the current screen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.style import Style

from kumite.tui.export.svg import document
from kumite.tui.look.colors import Palette, Pen
from kumite.tui.scenes.lines import Line, line_width

if TYPE_CHECKING:
    from rich.segment import Segment


def screen_picture(rows: Iterable[Iterable[Segment]], palette: Palette, label: str) -> str:
    plain, styles = palette.pen(""), dict[str, Style]()
    lines: list[Line] = []
    for row in rows:
        line = []
        for text, style, _ in row:
            key = str(style or "")
            styles.setdefault(key, style or Style())
            line.append((text, key))
        lines.append(tuple(line))

    def pen(key: str) -> Pen:
        style = styles.get(key, Style())
        ink, paper = (
            color.get_truecolor().hex if color and not color.is_default else usual
            for color, usual in ((style.color, plain.ink), (style.bgcolor, plain.paper))
        )
        return Pen(*((paper, ink) if style.reverse else (ink, paper)), bool(style.bold))

    columns = max(map(line_width, lines), default=1)
    return document(lines, lambda key: pen(key) if key else plain, columns, label)
