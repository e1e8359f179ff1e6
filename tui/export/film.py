"""A match as an animated picture: one SVG that plays by itself wherever pictures are shown.

No script, no link, no font of its own: a README may hold it. The first position is drawn whole, and
over it, step by step, what has changed; styles say when each of these layers is seen. Where nothing
moves (a setting of who looks, or a plain viewer), all layers are seen: the last position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.tui.export.reel import reel
from kumite.tui.export.svg import CELL, EDGE, Drawn, opening

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.tui.export.reel import Run
    from kumite.tui.export.sheet import Paper
    from kumite.tui.export.svg import Box
    from kumite.tui.look.colors import Palette
    from kumite.tui.play.replaying import Replay


def film(replay: Replay, paper: Paper, seconds: float = 1.0) -> str:
    """Return a match as an animated picture in which each step takes so many seconds."""
    shown, palette = reel(replay, paper, seconds), paper.palette
    moments: list[tuple[int, float]] = []
    layers: list[str] = []
    for number, (frame, runs) in enumerate(shown.changes(palette)):
        if not number:
            layers += _drawn(runs, palette, covers=False)
        elif runs:
            moments.append((number, 100 * frame.begins / shown.seconds))
            layers += [f'<g style="animation-name:k{number}">']
            layers += [*_drawn(runs, palette, covers=True), "</g>"]
    head = opening(shown.columns, shown.rows, palette.pen("").paper, shown.label)
    style = f"<style>{_style(moments, shown.seconds)}</style>"
    return "\n".join([*head, style, *layers, "</svg>", ""])


def _drawn(runs: Sequence[Run], palette: Palette, *, covers: bool) -> Iterator[str]:
    """Yield what is drawn for some runs, as short as it can be said."""
    drawn = Drawn(palette.pen, covers=covers)
    for run in runs:
        drawn.add(run.line, run.row, run.column)
    half, quarter = CELL[0] // 2, CELL[1] // 2
    yield f'<g transform="translate({EDGE} {EDGE})scale({half} {quarter})">'
    for layer in (drawn.grounds, drawn.blocks):
        for color, boxes in layer.items():
            yield f'<path fill="{color}" d="{"".join(map(_box, _joined(boxes)))}"/>'
    yield "</g>"
    yield from drawn.texts


def _joined(boxes: Sequence[Box]) -> Iterator[Box]:
    """Yield boxes that do not overlap with those joined that lie side by side, then above."""
    beside: list[Box] = []
    for x, y, wide, high in sorted(boxes, key=lambda box: (box[1], box[3], box[0])):
        if beside and beside[-1][1:] == (y, beside[-1][2], high) and sum(beside[-1][::2]) == x:
            beside[-1] = (beside[-1][0], y, beside[-1][2] + wide, high)
        else:
            beside.append((x, y, wide, high))
    last: Box | None = None
    for x, y, wide, high in sorted(beside, key=lambda box: (box[0], box[2], box[1])):
        if last is not None and (last[0], last[2], last[1] + last[3]) == (x, wide, y):
            last = (x, last[1], wide, last[3] + high)
            continue
        if last is not None:
            yield last
        last = (x, y, wide, high)
    if last is not None:
        yield last


def _box(box: Box) -> str:
    """Return a box in halves of a cell."""
    x, y, wide, high = box
    left, top = 2 * (x - EDGE) // CELL[0], 2 * (y - EDGE) // CELL[1]
    across, down = 2 * wide // CELL[0], 2 * high // CELL[1]
    return f"M{left} {top}h{across}v{down}h-{across}z"


def _style(moments: Sequence[tuple[int, float]], seconds: float) -> str:
    """Return styles by which each layer is hidden until its moment, again and again."""
    keys = "".join(
        f"@keyframes k{number}{{0%{{visibility:hidden}}{moment:.4g}%,to{{visibility:visible}}}}"
        for number, moment in moments
    )
    still = "@media(prefers-reduced-motion:reduce){svg>g{animation:none}}"
    every = f"path{{shape-rendering:crispEdges}}svg>g{{animation:{seconds:g}s step-end infinite}}"
    return f"{every}{keys}{still}"
