"""A match as an animated SVG that plays anywhere pictures are shown.

It has no scripts, links or fonts, so a README may embed it. The first position is drawn completely;
each step adds a layer with its changes, timed by CSS. Without animation (reduced motion, or a
simple viewer) all layers show: the last position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from kumite.tui.export.reel import Run, reel
from kumite.tui.export.sheet import Paper
from kumite.tui.export.svg import CELL, EDGE, Box, Drawn, opening
from kumite.tui.look.colors import Palette
from kumite.tui.play.replaying import Replay


def film(replay: Replay, paper: Paper, seconds: float = 1.0) -> str:
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
    """Join disjoint boxes that are adjacent horizontally, then vertically."""
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
    x, y, wide, high = box
    left, top = 2 * (x - EDGE) // CELL[0], 2 * (y - EDGE) // CELL[1]
    across, down = 2 * wide // CELL[0], 2 * high // CELL[1]
    return f"M{left} {top}h{across}v{down}h-{across}z"


def _style(moments: Sequence[tuple[int, float]], seconds: float) -> str:
    """Return CSS that hides each layer until its moment, repeating."""
    keys = "".join(
        f"@keyframes k{number}{{0%{{visibility:hidden}}{moment:.4g}%,to{{visibility:visible}}}}"
        for number, moment in moments
    )
    still = "@media(prefers-reduced-motion:reduce){svg>g{animation:none}}"
    every = f"path{{shape-rendering:crispEdges}}svg>g{{animation:{seconds:g}s step-end infinite}}"
    return f"{every}{keys}{still}"
