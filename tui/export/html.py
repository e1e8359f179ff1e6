"""A match as one page that replays it in a browser: nothing beside it, nothing from a network.

The page holds every line that is ever shown once, and for each position the numbers of its lines.
Texts are put into the page as text by its script, never as markup.
"""

from __future__ import annotations

import json
import re
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kumite.tui.drawing.pixels import QUADRANTS
from kumite.tui.export.sheet import ending, sheet
from kumite.tui.scenes.lines import capital, width

if TYPE_CHECKING:
    from kumite.tui.export.sheet import Paper
    from kumite.tui.look.colors import Palette
    from kumite.tui.play.replaying import Replay
    from kumite.tui.scenes.lines import Line

TEMPLATE: Final = Path(__file__).with_name("page.html")


def page(replay: Replay, paper: Paper) -> str:
    """Return the page of a match."""
    palette = paper.palette
    roles: dict[str, int] = {"": 0}
    lines: dict[Line, int] = {}
    frames = [
        [lines.setdefault(line, len(lines)) for line in sheet(replay, at, paper)]
        for at in range(replay.last + 1)
    ]
    coded = [_coded(line, roles) for line in lines]
    parts = replay.course.parts
    plain = palette.pen("")
    filled = {
        "title": escape(replay.title),
        "scheme": "dark" if palette.is_dark else "light",
        "paper": plain.paper,
        "ink": plain.ink,
        "accent": palette.pen("title").ink,
        "key": palette.pen("key").ink,
        "quiet": palette.pen("quiet").ink,
        "panel": palette.app["panel"],
        "pens": "\n".join(_rule(number, role, palette) for role, number in roles.items() if role),
        "small": f"a {parts[0]}",
        "large": f"a {parts[1]}" if len(parts) > 1 else "ten steps",
        "steps": "".join(
            f'<li value="{at}">{escape(told)}</li>' for at, told in enumerate(replay.told) if told
        ),
        "result": escape(capital(replay.result, replay.names)),
        "data": _json(_data(replay, frames, coded)),
    }
    return re.sub("@([a-z]+)@", lambda found: filled[found[1]], _template())


@cache
def _template() -> str:
    return TEMPLATE.read_text(encoding="utf-8")


def _data(replay: Replay, frames: list[list[int]], lines: list[list[int | str]]) -> dict[str, Any]:
    signs = {sign for line in lines for text in line[1::2] for sign in str(text)}
    return {
        "lines": lines,
        "frames": frames,
        "said": [
            "  > ".join((replay.said(at), *replay.talk.get(at, ()))) for at in range(len(frames))
        ],
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
    """Return number of the role and text of each span, one after the other."""
    coded: list[int | str] = []
    for text, role in line:
        coded += [roles.setdefault(role, len(roles)), text]
    return coded


def _rule(number: int, role: str, palette: Palette) -> str:
    ink, paper, is_bold = palette.pen(role)
    ground = f" background: {paper};" if paper != palette.pen("").paper else ""
    return f".p{number} {{ color: {ink};{ground}{' font-weight: bold;' * is_bold} }}"


def _json(value: object) -> str:
    """Return JSON that ends no script element, whatever a name or a remark holds."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
