"""A match as one self-contained web page that replays it.

The page contains every distinct line once, and for each position the numbers of its lines. Its
script inserts texts as text, never as markup.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from kumite.core.text import escaped, harmless
from kumite.tui.drawing.pixels import QUADRANTS
from kumite.tui.export.sheet import GAP, Paper, ending, parts
from kumite.tui.look.colors import Palette
from kumite.tui.play.replaying import Replay
from kumite.tui.scenes.lines import Line, capital, width

TEMPLATE: Final = Path(__file__).with_name("page.html")


def page(replay: Replay, paper: Paper) -> str:
    palette = paper.palette
    roles: dict[str, int] = {"": 0}
    lines: dict[Line, int] = {}
    frames = [
        [[lines.setdefault(line, len(lines)) for line in part] for part in parts(replay, at, paper)]
        for at in range(replay.last + 1)
    ]
    coded = [_coded(line, roles) for line in lines]
    course = replay.course.parts
    plain = palette.pen("")
    filled = {
        "title": escape(harmless(replay.title)),
        "scheme": "dark" if palette.is_dark else "light",
        "paper": plain.paper,
        "ink": plain.ink,
        "accent": palette.pen("title").ink,
        "key": palette.pen("key").ink,
        "quiet": palette.pen("quiet").ink,
        "panel": palette.app["panel"],
        "pens": "\n".join(_rule(number, role, palette) for role, number in roles.items() if role),
        "small": f"a {course[0]}",
        "large": f"a {course[1]}" if len(course) > 1 else "ten steps",
        "steps": "".join(
            f'<li value="{at}">{escape(harmless(told))}</li>'
            for at, told in enumerate(replay.told)
            if told
        ),
        "result": escape(harmless(capital(replay.result, replay.names))),
        "data": _json(_data(replay, frames, coded)),
    }
    return re.sub("@([a-z]+)@", lambda found: filled[found[1]], _template())


@cache
def _template() -> str:
    return TEMPLATE.read_text(encoding="utf-8")


def _data(
    replay: Replay, frames: list[list[list[int]]], lines: list[list[int | str]]
) -> dict[str, Any]:
    signs = {sign for line in lines for text in line[1::2] for sign in str(text)}
    of_line = [width("".join(map(str, line[1::2]))) for line in lines]
    widths = [[max((of_line[n] for n in part), default=0) for part in one] for one in frames]
    return {
        "lines": lines,
        "frames": frames,
        "gap": GAP,
        "rows": [max(map(len, part)) for part in zip(*frames, strict=True)],
        "columns": [*map(max, zip(*widths, strict=True))],
        "across": max(map(sum, widths)) + GAP,
        "said": [replay.said_with_talk(at) for at in range(len(frames))],
        "events": replay.course.events,
        "ends": replay.course.ends,
        "parts": len(replay.course.parts),
        "remarks": replay.remarks,
        "ending": ending(replay, replay.last),
        "blocks": QUADRANTS,
        "eyes": replay.eyes.said if replay.has_secrets else "",
        "wide": "".join(sorted(sign for sign in signs if width(sign) > 1)),
    }


def _coded(line: Line, roles: dict[str, int]) -> list[int | str]:
    """Return role number and text of each span, alternating."""
    coded: list[int | str] = []
    for text, role in line:
        coded += [roles.setdefault(role, len(roles)), text]
    return coded


def _rule(number: int, role: str, palette: Palette) -> str:
    ink, paper, is_bold = palette.pen(role)
    ground = f" background: {paper};" if paper != palette.pen("").paper else ""
    return f".p{number} {{ color: {ink};{ground}{' font-weight: bold;' * is_bold} }}"


def _json(value: object) -> str:
    """Return JSON that cannot end a script element, whatever the texts contain."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return escaped(text.replace("<", "\\u003c"))
