"""Scores over the steps of a match: two lines, or a bar for each of more sides; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kumite.tui.drawing.pixels import half_blocks, joined, written
from kumite.tui.look.glyphs import Look
from kumite.tui.look.sprites import SEAT, Picture
from kumite.tui.scenes.lines import Line

FEWEST: Final = 16  # steps for which there is room from the start; then twice as many, and so on
LEAST: Final = 8  # of a score at the upper edge; then twice as much, and so on
SCALE: Final = 4  # columns of the scale at the left
ENDS: Final = 10  # and of the scores at the end of the lines
SMALLEST: Final = 2  # rows; only a chart of more names the step below itself


def chart(
    scores: Sequence[tuple[int, Sequence[int]]],
    columns: int,
    rows: int,
    look: Look,
    signs: str = "",
    whole: int = 0,
    limit: int = 0,
) -> list[Line]:
    """Return a chart of each side's scores at a scale that rarely changes; -1: none yet.

    At the end of a line, in the colour of its seat, stand its sign and the score now. Without
    colours, for which seats have `signs`, or for more than two lines, which would hide each other,
    there is a bar for each side.
    `whole` is what a won round counts: it is a level of the chart, and a dot in a score. No score
    can be higher than `limit`; 0: there is none.
    """
    count, most = FEWEST, limit or whole or LEAST
    steps = max(len(values) for _, values in scores)
    while count < steps:
        count *= 2
    while most < max(max(values) for _, values in scores):
        most += whole or most
    high, rows = rows, rows - (rows > SMALLEST)
    room = columns - SCALE - ENDS
    if len(scores) > 2 or signs or not look.is_drawn:
        said = f"{' ' * SCALE}step {steps - 1}; lower: behind"
        return [*_bars(scores, room, rows, count, look, whole), ((said, "quiet"),)][:high]
    plot = list(
        half_blocks(_lines(scores, room, 2 * rows, count, most, whole), "background", room, rows)
    )
    end = room * steps // count
    blank: Line = ((" " * ENDS, "/background"),)
    plot = [joined([*row, *blank]) for row in plot]
    ends = sorted({values[-1] for _, values in scores} - {-1}, reverse=True)[:rows]
    at = -1
    for number, score in enumerate(ends):  # each in a row of its own, the highest first
        at = max(at + 1, rows - 1 - score * (rows - 1) // most)
        at = min(at, rows - len(ends) + number)
        column = end + 1
        for seat, values in scores:
            if values[-1] == score:
                plot[at] = written(plot[at], look.solid[seat], f"seat-{seat}/background!", column)
                column += 1
        plot[at] = written(
            plot[at], f" {_told(score, whole, look)}", "foreground/background!", column
        )
    levels = range(0, most + 1, whole or most)
    scale = {(most - level) * (rows - 1) // most: _told(level, whole, look) for level in levels}
    lines: list[Line] = [
        ((f"{scale.get(y, ''):>{SCALE - 1}} ", "quiet"), *row) for y, row in enumerate(plot)
    ]
    said = f"step {steps - 1}"
    return [*lines, ((f"{said:>{SCALE + max(end, len(said))}}", "quiet"),)][:high]


def _told(score: int, whole: int, look: Look) -> str:
    """Return a score with a dot for each round, without a 0 behind dots."""
    rounds, rest = divmod(score, whole) if whole and look.is_drawn else (0, score)
    return look.solid[0] * rounds + f"{rest}" * (rest > 0 or not rounds)


def _bars(
    scores: Sequence[tuple[int, Sequence[int]]],
    columns: int,
    rows: int,
    count: int,
    look: Look,
    whole: int,
) -> list[Line]:
    """Return a bar for each side, the best first: at each step as low as it was behind."""
    best = [max(values) for values in zip(*(values for _, values in scores), strict=True)]
    lacks = {seat: [a - b for a, b in zip(best, values, strict=True)] for seat, values in scores}
    most, each = max(1, *map(max, lacks.values())), rows // len(scores)
    signs, levels = f" {look.heights}", len(look.heights)
    full = each * levels - 1  # so that bars do not touch
    lines: list[Line] = []
    for seat, values in sorted(scores, key=lambda one: -one[1][-1]):
        behind = (lacks[seat][x * count // columns] for x in range(columns * len(values) // count))
        highs = [max(1, full - -(-lack * full // most)) for lack in behind]
        for low in range((each - 1) * levels, -1, -levels):
            bar = "".join(signs[max(0, min(levels, high - low))] for high in highs)
            lines.append(((" " * SCALE, ""), (bar, f"seat-{seat}/background")))
        sign = (f" {look.solid[seat]}", f"seat-{seat}/background!")
        lines[-1] = (
            *lines[-1],
            sign,
            (f" {_told(max(0, values[-1]), whole, look)}", "foreground/background!"),
        )
    return lines


def _lines(
    scores: Sequence[tuple[int, Sequence[int]]],
    columns: int,
    high: int,
    count: int,
    most: int,
    whole: int,
) -> Picture:
    low = high - 1
    levels = {low - level * low // most for level in range(0, most, whole or most)}
    drawn = [["fits" if y in levels else ""] * columns for y in range(high)]
    for seat, values in scores:
        first = -(-columns * list(values).count(-1) // count)
        before = None
        for x in range(first, columns * len(values) // count):
            y = low - values[x * count // columns] * low // most
            before = y if before is None else before
            for one in range(min(y, before + (before < y)), max(y, before - (before > y)) + 1):
                if x % 2 or not drawn[one][x].startswith(SEAT):  # where lines meet, both show
                    drawn[one][x] = f"{SEAT}-{seat}"
            before = y
    return Picture.of(drawn)
