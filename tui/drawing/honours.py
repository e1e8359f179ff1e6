"""Medals, the curve of a rating, a player's results beside it, and a podium; pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from kumite.tui.drawing.panel import filled
from kumite.tui.drawing.pixels import Brush, blank, half_blocks, joined, written
from kumite.tui.drawing.tiles import crest_rows
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Picture
from kumite.tui.scenes.lines import Line, fit, fold, shortened, width

CREST: Final = (14, 6)  # cells
WORDS: Final = 42  # columns of the words beside a crest
NUMBER: Final = 6  # columns of the numbers beside a curve
CURVE: Final = (48, 3)  # most columns of a curve below the words, and its rows
LEAST: Final = 20  # columns of a curve beside them
MEDAL: Final = (12, 4)  # cells, with what is around it
METALS: Final = {  # by place: its colours for `o` and `d` below
    1: ("gold", "gold-dark"),
    2: ("steel", "steel-dark"),
    3: ("orange", "orange-dark"),
}
_MEDAL: Final = (
    "rr....bb",
    ".rr..bb.",
    "..rrbb..",
    "..dddd..",
    ".dowood.",
    ".dooood.",
    ".dooood.",
    "..dddd..",
)
STEP: Final = 13  # columns of a podium's step
STEPS: Final = (1, 0, 2)  # who stands on the steps from left to right, as listed


def _medal(place: int) -> Picture:
    light, dark = METALS[place]
    inks = {"r": "red", "b": "blue", "o": light, "d": dark, "w": "white", ".": ""}
    return Picture.of((inks[one] for one in row) for row in _MEDAL)


def with_medals(
    lines: Sequence[Line], medals: Sequence[tuple[str, int]], taken: int, columns: int
) -> list[Line]:
    """Return medals, each (its reason, its metal as a place from 1), above lines, or beside them.

    The lines have at most `taken` columns.
    """
    room = columns - taken
    if room < 2 * MEDAL[0] or not medals:
        return [*_medal_rows(medals, columns), *lines]
    parts = zip_longest(lines, _medal_rows(medals, room))
    return [(*filled(one or (), taken), *(two or ())) for one, two in parts]


def _medal_rows(medals: Sequence[tuple[str, int]], columns: int) -> list[Line]:
    if not medals:
        return []
    wide, high = MEDAL
    some, rest = medals[: columns // wide], medals[columns // wide :]
    drawn = [half_blocks(_medal(place), "background", wide, high) for _, place in some]
    rows = [joined([span for one in drawn for span in one[y]]) for y in range(high)]
    said = "".join(fit(reason.center(wide), wide) for reason, _ in some)
    return [*rows, ((said, "quiet"),), *_medal_rows(rest, columns)]


def rated(
    words: Sequence[Line], points: Sequence[float], crest: str, brush: Brush, columns: int
) -> list[Line]:
    """Return words about results with the curve of the rating: beside them, or below."""
    room = columns - CREST[0] - WORDS - NUMBER - 3
    if room < LEAST:
        return [*words, *_curve(points, min(CURVE[0], columns - NUMBER), CURVE[1])]
    wide, high = CREST
    said = [part for line in words for part in fold(line, WORDS - 1, 0)]
    parts = zip_longest(
        crest_rows(crest, "surface", brush, wide, high), said, _curve(points, room, high)
    )
    blank: Line = ((" " * wide, ""),)
    return [
        (*(one or blank), ("  ", ""), *filled(two or (), WORDS), *(three or ()))
        for one, two, three in parts
    ]


def _curve(points: Sequence[float], columns: int, rows: int) -> list[Line]:
    """Return a curve over its area, with its highest and its lowest value; [] for one point."""
    if len(points) < 2:
        return []
    low, high, bottom = min(points), max(points), 2 * rows - 1
    pixels = blank(columns, 2 * rows)
    for x in range(columns):
        at, part = divmod(x * (len(points) - 1) / (columns - 1), 1)
        before, after = points[int(at)], points[min(int(at) + 1, len(points) - 1)]
        value = before + (after - before) * part
        top = round((high - value) / max(1.0, high - low) * (bottom - 1))
        for y in range(top, 2 * rows):
            pixels[y][x] = "key" if y == top else "panel"
    numbers = [f" {high:.0f}", *[""] * (rows - 2), f" {low:.0f}"]
    drawn = half_blocks(Picture.of(pixels), "background", columns, rows)
    return [(*row, (said, "quiet")) for row, said in zip(drawn, numbers, strict=True)]


def podium(players: Sequence[tuple[int, str]]) -> list[Line]:
    """Return the first three, each (place, name), on their steps under their medals."""
    stands = [_stand(*players[at]) if at < len(players) else [] for at in STEPS]
    tall = max(map(len, stands))
    blank: Line = ((" " * STEP, ""),)
    full = [[blank] * (tall - len(stand)) + stand for stand in stands]
    return [joined([span for stand in full for span in stand[y]]) for y in range(tall)]


def _stand(place: int, name: str) -> list[Line]:
    step: Line = ((" " * STEP, "/wood"),)
    numbered = written(step, f"{place}", "window/wood!", STEP // 2)
    medal = half_blocks(_medal(place), "background", STEP, MEDAL[1])
    said = shortened(name, min(width(name), STEP - 1), LETTERS)
    label = written(((" " * STEP, ""),), said, "title", (STEP - width(said)) // 2)
    return [*medal, label, step, numbered, *[step] * (4 - place)]
