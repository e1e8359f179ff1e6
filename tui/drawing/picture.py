"""Pictures of the screen, as SVG that rich has written."""

from __future__ import annotations

import re
from html import escape, unescape
from itertools import groupby
from typing import Final

from kumite.tui.scenes.lines import width

_TEXT: Final = re.compile(
    r'(?P<start><text [^>]*\bx=")(?P<x>[\d.]+)(?P<middle>"[^>]*\btextLength=")(?P<length>[\d.]+)'
    r'(?P<end>"[^>]*>)(?P<text>[^<]*)</text>'
)


def unsqueezed(svg: str) -> str:
    """Return the picture with each wide character where its cell is.

    Rich 15 counts them as one column when it says how long a text is, and so squeezes it.
    """
    return _TEXT.sub(_each_in_place, svg)


def _each_in_place(match: re.Match[str]) -> str:
    """Split one text: wide characters stand alone."""
    text = unescape(match["text"])
    if width(text) == len(text):
        return match[0]
    x, cell = float(match["x"]), float(match["length"]) / len(text)
    pieces = []
    for is_wide, run in groupby(text, lambda one: width(one) > 1):
        for piece in run if is_wide else ("".join(run),):
            columns = width(piece)
            shown = escape(piece).replace("\xa0", "&#160;")
            start = f"{match['start']}{x:g}{match['middle']}{columns * cell:g}{match['end']}"
            pieces.append(f"{start}{shown}</text>")
            x += columns * cell
    return "".join(pieces)
