"""A stage: figures before a sky, on a bridge of numbered planks; pure."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.panel import centred
from kumite.tui.drawing.pixels import SKY, Brush, cells_of, half_blocks, joined, lay, sky
from kumite.tui.drawing.spread import upright_rows, upright_size
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import MAX_SIDE, SEAT, Picture, in_one, mirrored, owned
from kumite.tui.scenes.lines import (
    Line,
    Span,
    abbreviated,
    cut,
    fold,
    line_width,
    narrowed,
    trimmed,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.tui.scenes.pictures import Figure, Spread, Stage

BODY: Final = {40: 16, 28: 11, 16: 6}  # pixels to the middle of the body, by a figure's height
APART: Final = {40: 31, 28: 21, 16: 12}  # columns between two bodies on one plank, by height
FEET: Final = {40: 22, 28: 16, 16: 9}  # columns from foot to foot, by height
PLANK: Final = 2  # minimum columns of a plank
BLADE: Final = frozenset({"steel", "steel-dark", "white"})
FIGURES: Final = tuple(BODY)  # the largest first
TOLD: Final = 18  # minimum rows for the last step in words below
TEXT: Final = ((80, 2, 2), (60, 3, 3), (0, 3, 4))  # (columns, rows of words, of the last step)
MOON: Final = "moon"
BARE: Final = "background"
STRUCK: Final = "cursor"  # seen on the sky of every theme
AIR: Final = 1  # columns of sky between a figure and the edge
GAP: Final = (" ", "")  # on both sides of a card
AROUND: Final = 3  # columns: before, between and after words
DARK: Final = frozenset({"hair", "ink", "nose", "shadow", "black", "skin-dark"})

Shown = list[tuple["Figure", Picture]]


def stage_rows(
    stage: Stage, brush: Brush, columns: int, rows: int, spread: Spread | None = None
) -> tuple[Line, ...]:
    """Return the bridge, between the cards of both sides if there is room, with words below.

    Rows are kept for the usual text, so that the bridge stays in its place when that comes or goes.
    """
    most = max(1, rows - 1 - FIGURES[-1] // 2)
    has_room = most > len(stage.words)
    words = [part for row in stage.words for part in _parted(row, columns, has_room)][:most]
    told, kept = list[Line](), 0
    if spread is not None:
        kept, more = next(kept for least, *kept in TEXT if columns >= least)
        if rows >= TOLD and not spread.is_told:
            told = [part for line in spread.words for part in fold(line, columns)]
            told, kept = [()] * len(told) if spread.is_silent else told, kept + more
    rows -= len(words) + len(told)
    below = max(1, min(2, rows - FIGURES[-1] // 2))  # no hat is cut off
    blank = max(0, min(kept - len(words) - len(told), rows - below - FIGURES[-1] // 2))
    high = max(1, rows - below - blank)
    size = upright_size(spread, columns, high + below)
    drawn = _bridge(stage, brush, columns - 2 * (size[0] + 2) if size else columns, high, below)
    if spread is not None and size is not None:
        left, right = (upright_rows(group, brush, size, high + below) for group in spread.groups)
        drawn = tuple(
            joined([GAP, *a, GAP, *b, GAP, *c, GAP])
            for a, b, c in zip(left, drawn, right, strict=True)
        )
    return (
        *drawn,
        *(_said(row, columns) for row in words),
        *(centred(one, columns) for one in [*told, *[()] * blank]),
    )


def _bridge(
    stage: Stage, brush: Brush, columns: int, sky_rows: int, below: int
) -> tuple[Line, ...]:
    ground = SKY[-1] if brush.has_pictures else BARE
    canvas = [list(row) for row in sky(columns, 2 * sky_rows).rows]
    if not brush.has_pictures:
        canvas = [[BARE] * columns for _ in canvas]
    high = _figure_height(2 * sky_rows, columns // len(stage.planks))
    shown = _dressed(stage.figures, brush, high)
    moments = [*(_dressed(one, brush, high) for one in stage.moments), shown]
    ends = _ends(moments, len(stage.planks), high, columns - 2 * AIR)
    moon = brush.picture(MOON, columns // 4, 2 * len(canvas) // 3)
    if brush.has_pictures and moon is not None:
        lay(canvas, moon, _moonrise(moments, ends, high, moon.width), max(1, len(canvas) // 16))
    for (_, picture), left in zip(shown, _lefts(shown, ends, high), strict=True):
        lay(canvas, picture, AIR + left, len(canvas) - picture.height)
    ends = [0, *(at + AIR for at in ends[1:-1]), columns]
    drawn = half_blocks(Picture.of(canvas), ground, columns, sky_rows)
    return (*drawn, *_planks(stage, ends, below))


def _moonrise(moments: Sequence[Shown], ends: list[int], high: int, wide: int) -> int:
    """Return the moon's left column: in the middle or near an edge, where it is covered least."""
    stood = [
        (left, left + picture.width)
        for shown in moments
        for (_, picture), left in zip(shown, _lefts(shown, ends, high), strict=True)
    ]

    def covered(at: int) -> int:
        return sum(max(0, min(end, at + wide) - max(left, at)) for left, end in stood)

    free = ends[-1] - wide
    return min((free // 2, free // 16, free - free // 16), key=covered)


def _parted(
    row: tuple[Line, Line, Line], columns: int, has_room: bool
) -> list[tuple[Line, Line, Line]]:
    """Return a row, or one for each side if the short names of cards do not fit into it."""
    left, middle, right = row
    short = abbreviated(left), abbreviated(right)
    if middle or line_width((*short[0], *short[1])) <= columns - AROUND:
        return [row]
    return [(left, (), ()), ((), (), right)] if has_room else [(short[0], (), short[1])]


def _said(row: tuple[Line, Line, Line], columns: int) -> Line:
    """Return a row with text at its left, middle and right.

    If there is no room, first cards get short names, then other names are shortened, then the last
    parts of each side are dropped.
    """
    left, middle, right = row
    room = columns - line_width(middle) - AROUND
    if line_width(left) + line_width(right) > room:
        left, right = abbreviated(left), abbreviated(right)
    half = max(room // 2, room - line_width(right))
    left = trimmed(narrowed((left,), half, LETTERS)[0], half)
    rest = room - line_width(left)
    right = trimmed(narrowed((right,), rest, LETTERS)[0], rest)
    centre = (columns - line_width(middle)) // 2
    free = room - line_width(left) - line_width(right)  # so the middle cannot push out the right
    before = max(1, min(centre - 1 - line_width(left), free)) if middle else 0
    used = 1 + line_width(left) + before + line_width(middle)
    after = max(1, columns - 1 - used - line_width(right))
    return cut(
        (*((" ", ""), *left), (" " * before, ""), *middle, (" " * after, ""), *right), 0, columns
    )


def _figure_height(rows: int, plank: int) -> int:
    """Return the height of figures in a sky of `rows` pixels, on planks of this width.

    Figures that are two planks apart do not touch; nearer ones step back.
    """
    fits = (high for high in FIGURES if high <= rows and APART[high] <= 2 * plank)
    return next(fits, FIGURES[-1])


def _dressed(figures: Sequence[Figure], brush: Brush, high: int) -> Shown:
    """Return figures with their pictures, as far as the skin has them."""
    shown: Shown = []
    for figure in figures:
        picture = brush.picture(figure.sprite, MAX_SIDE, high)
        if picture is None:
            continue
        own = f"{SEAT}-{figure.seat}"
        if figure.is_struck:
            picture = _cut_through(picture, STRUCK if brush.has_pictures else own)
        elif brush.has_pictures:
            picture = owned(picture, figure.seat)
        else:  # in one colour, without its dark parts
            picture = in_one(picture, own, DARK)
        shown.append((figure, mirrored(picture) if figure.is_turned else picture))
    return shown


def _cut_through(picture: Picture, ink: str) -> Picture:
    """Return a picture in one colour, cut through its middle from the upper right."""
    middle, half = (picture.width + picture.height) // 2, picture.height // 12
    return Picture.of(
        (ink * (bool(one) and abs(x + y - middle) > half) for x, one in enumerate(row))
        for y, row in enumerate(picture.rows)
    )


def _ends(moments: Sequence[Shown], count: int, high: int, columns: int) -> list[int]:
    """Return where planks begin, and the end: those with figures are wide enough for them.

    They hold the feet, or all of both figures when these are near each other. That counts in the
    first of some moments; planks of the others share the rest, so all keep their widths meanwhile.
    """
    shown, *others = moments
    stood = {figure.place for figure, _ in shown}
    walked = {figure.place for other in others for figure, _ in other} - stood
    need, near, rest = FEET[high], _near(shown), count - len(stood)
    if near is not None:
        need = max(need, _gap(shown, near, high) + (len(stood) == 1) * 2 * (BODY[high] + 1))
    if need * count <= columns or columns < PLANK * count or not (stood and rest):
        return [at * columns // count for at in range(count + 1)]
    ends = 0, count - 1  # the air is theirs
    least = [(at not in stood) * (PLANK - AIR * (at in ends)) for at in range(count)]
    parts = [(at not in stood) * (FEET[high] if at in walked else 1) for at in range(count)]
    wide = min(need, (columns - sum(least)) // len(stood))
    free = columns - wide * len(stood) - sum(least)
    return [
        wide * sum(one < at for one in stood)
        + sum(least[:at])
        + sum(parts[:at]) * free // sum(parts)
        for at in range(count + 1)
    ]


def _near(shown: Shown) -> tuple[int, int] | None:
    """Return which figure faces right and which left, if they are at most one plank apart."""
    facing = sorted(range(len(shown)), key=lambda at: shown[at][0].is_turned)
    if [shown[at][0].is_turned for at in facing] != [False, True]:
        return None
    first, second = facing
    is_near = shown[second][0].place - shown[first][0].place in (0, 1)
    return (first, second) if is_near else None


def _lefts(shown: Shown, ends: list[int], high: int) -> list[int]:
    """Return the columns at the left of figures: each body over the middle of its plank.

    Two that are near step back, until only their blades cross; a lunge stays on its plank, and none
    is cut at the edge.
    """
    bodies = [_body(picture, figure.is_turned, high) for figure, picture in shown]
    lefts = [
        _middle(ends, figure.place) - body for (figure, _), body in zip(shown, bodies, strict=True)
    ]
    if (near := _near(shown)) is not None:
        one, other = near
        between = lefts[other] + bodies[other] - lefts[one] - bodies[one]
        more = max(0, _gap(shown, near, high) - between)
        lefts[one] -= more // 2
        lefts[other] += more - more // 2
        (left, back), (right, front) = shown[one], shown[other]
        start, end = ends[left.place], ends[right.place + 1]
        over = lefts[other] + max(_feet(front)) + 1 - end
        inside = max(0, start - lefts[one] - min(_feet(back))) - max(0, over)
        lefts = [at + inside for at in lefts]
    return [
        max(0, min(left, ends[-1] - picture.width))
        for left, (_, picture) in zip(lefts, shown, strict=True)
    ]


def _middle(ends: list[int], place: int) -> int:
    return (ends[place] + ends[place + 1]) // 2


def _gap(shown: Shown, near: tuple[int, int], high: int) -> int:
    """Return the columns between two bodies that are near each other."""
    one, other = (shown[at][1] for at in near)
    return max(APART[high], _clear(one, other, high))


def _body(picture: Picture, is_turned: bool, high: int) -> int:
    return picture.width - 1 - BODY[high] if is_turned else BODY[high]


def _feet(picture: Picture) -> list[int]:
    return [column for column, color in enumerate(picture.rows[-1]) if color]


@cache
def _clear(one: Picture, other: Picture, high: int) -> int:
    """Return the columns between two bodies of which only the blades touch."""
    body, turned = _body(one, False, high), _body(other, True, high)
    near = 0
    for row, row_of_other in zip(one.rows, other.rows, strict=True):
        for x, color in enumerate(row):
            for x_of_other, other_color in enumerate(row_of_other):
                if color and other_color and not {color, other_color} <= BLADE:
                    near = max(near, x - body - (x_of_other - turned) + 2)
    return near


def _planks(stage: Stage, ends: list[int], rows: int) -> tuple[Line, ...]:
    upper: list[Span] = []
    lower: list[Span] = []
    for place, text in enumerate(stage.planks):
        wide = ends[place + 1] - ends[place]
        color = "target-mark" if place in stage.marked else "paper"
        upper.append((text.center(wide), f"{color}/bridge!"))
        lower.append(("▏" + " " * (wide - 1), "bridge/bridge-dark"))
    planks = [_with_signs(joined(upper), stage, ends), joined(lower)][:rows]
    for figure in stage.figures:
        planks[-1] = _with_path(planks[-1], figure, ends)
    return tuple(planks)


def _with_signs(row: Line, stage: Stage, ends: list[int]) -> Line:
    """Return the numbers of the planks with each figure's sign beside its own.

    A figure without one is not on the bridge yet.
    """
    cells = cells_of(row)
    numbers = [column for column, (text, _) in enumerate(cells) if text.isdecimal()]
    signed = [figure for figure in stage.figures if figure.sign]
    for figure in signed:
        for at in _stood_on(stage, figure, ends):
            text, ink = cells[at]
            if text == " " or not ink.startswith("target-mark"):
                cells[at] = text, f"on-seat/seat-{figure.seat}!"
    for figure in signed:
        beside = numbers[figure.place] + (1 if figure.is_turned else -1)
        if 0 <= beside < len(cells):  # a window can be tiny for a moment
            cells[beside] = (figure.sign, f"on-seat/seat-{figure.seat}!")
    return joined(cells)


def _stood_on(stage: Stage, figure: Figure, ends: list[int]) -> range:
    """Return the columns of a figure's plank, or its half of a plank on which both stand."""
    place = figure.place
    start, end = ends[place], ends[place + 1]
    if all(one.place == place for one in stage.figures) and len(stage.figures) > 1:
        middle = (start + end) // 2
        return range(middle, end) if figure.is_turned else range(start, middle)
    return range(start, end)


def _with_path(row: Line, figure: Figure, ends: list[int]) -> Line:
    """Return a row of planks with dots from where a figure came; every seat has its own columns."""
    cells = cells_of(row)
    if figure.came_from in (None, figure.place):
        return row
    places = figure.came_from, figure.place
    way = 1 if places[1] > places[0] else -1
    halves = ((ends[place + 1] - ends[place] - 1) // 2 for place in places)
    aside = [way * min(2, half) for half in halves]  # beside the numbers, but on the planks
    first, last = _middle(ends, places[0]) + aside[0], _middle(ends, places[1]) - aside[1]
    for x in range(min(first, last), max(first, last) + 1):
        if x % 2 == figure.seat and cells[x][0] in " ▏":
            ground = cells[x][1].rpartition("/")[2].removesuffix("!")
            ink = "on-seat" if ground.startswith(SEAT) else "paper"
            cells[x] = ("•", f"{ink}/{ground}!")
    cells[first] = (LETTERS.hollow[figure.seat], f"on-seat/seat-{figure.seat}!")
    cells[last] = ("◀▶"[way > 0], f"on-seat/seat-{figure.seat}!")
    return joined(cells)
