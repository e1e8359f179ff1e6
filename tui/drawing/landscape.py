"""The landscape of the home screen: evening sky, mountain, hills, gate and title; pure.

It has layouts for three heights and any width: objects keep their relative position, on the ground.
Without colours for pictures it is drawn in light and dark.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from kumite.tui.drawing.pixels import Brush, half_blocks, lay, lit_blocks, sky, written
from kumite.tui.look.sprites import MAX_SIDE, Picture
from kumite.tui.scenes.lines import Line
from kumite.tui.scenes.lines import width as width_of

SMALLEST: Final = 7  # minimum rows
NARROW: Final = 72  # columns below which objects stay below the line under the title
LARGEST: Final = 24
GROUND: Final = "stage-6"
HILLS: Final = "home-hills"
WORDMARK: Final = "wordmark"
SNOW: Final = frozenset(
    {"white", "stone-light"}
)  # dark in light and dark, to contrast with the sun


class Thing(NamedTuple):
    """An object in the landscape: its largest picture and its position."""

    sprite: str
    width: int  # pixels, of the largest picture to use
    height: int
    left: int  # pixels, in a landscape of the view's width
    rise: int  # pixels from its lower edge to the landscape's


class View(NamedTuple):
    """A layout for some height: its objects, the farthest first."""

    height: int  # pixels
    width: int  # its native width; a wider landscape is spread out
    hills: int  # height, pixels
    top: int  # of the title, pixels
    behind: tuple[Thing, ...]  # the hills
    before: tuple[Thing, ...]


VIEWS: Final = (  # the largest first
    View(
        36,
        160,
        8,
        5,
        (Thing("home-sun", 22, 20, 118, 7), Thing("home-mountain", 60, 16, 70, 2)),
        (Thing("home-pine", 18, 18, 138, 0), Thing("home-torii", 32, 28, 8, 0)),
    ),
    View(
        24,
        120,
        8,
        2,
        (Thing("home-sun", 22, 20, 95, 3), Thing("home-mountain", 60, 16, 70, 0)),
        (Thing("home-pine", 18, 18, -6, 0), Thing("home-torii", 22, 20, 7, 0)),
    ),
    View(
        14,
        80,
        6,
        1,
        (Thing("home-sun", 14, 12, 65, 1), Thing("home-mountain", 36, 10, 48, 0)),
        (Thing("home-torii", 13, 12, 3, 0),),
    ),
    View(
        8,
        80,
        4,
        0,
        (Thing("home-sun", 10, 7, 66, 0), Thing("home-mountain", 20, 6, 54, 0)),
        (Thing("home-torii", 9, 8, 4, 0),),
    ),
)


def landscape_rows(brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    """Return a landscape in this size; nothing without sprites or room."""
    if brush.skin is None or rows < SMALLEST:
        return ()
    return _rows(landscape(brush, columns, rows), brush, columns, rows)


def _rows(picture: Picture, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    if brush.has_pictures:
        return half_blocks(picture, GROUND, columns, rows)
    return lit_blocks(picture, columns, rows, brush.plain_ink, SNOW)


def below_name(rows: int) -> int:
    """Return the row below the title, from 0, in a landscape of `rows` rows."""
    view = _view(rows)
    high = 7 if view.width == 80 else 11
    return (_top(view, rows) + high + 1) // 2


def banner_rows(brush: Brush, title: str, columns: int, rows: int) -> tuple[Line, ...]:
    """Return a landscape with a title, before clear sky; nothing without sprites or room."""
    if brush.skin is None or not rows:
        return ()
    picture = landscape(brush, columns, rows, has_name=False)
    lines = list(_rows(picture, brush, columns, rows))
    middle = rows // 2 - 1
    ground = sky(1, 2 * rows).rows[2 * middle][0] if brush.has_pictures else ""
    at = (columns - width_of(title)) // 2 - 1
    lines[middle] = written(lines[middle], f" {title} ", f"title/{ground}!", at)
    return tuple(lines)


@lru_cache(maxsize=8)
def landscape(brush: Brush, columns: int, rows: int, *, has_name: bool = True) -> Picture:
    height, view = 2 * rows, _view(rows)
    canvas = [list(row) for row in sky(columns, height).rows]
    clear = height - 2 * (below_name(rows) + 1 if has_name else rows // 2)

    def put(thing: Thing) -> None:
        room = clear if columns < NARROW else height
        picture = brush.picture(thing.sprite, thing.width, min(thing.height, room - thing.rise))
        if picture is not None:
            middle = thing.left + thing.width / 2
            left = round(middle * columns / view.width - picture.width / 2)
            lay(canvas, picture, left, height - thing.rise - picture.height)

    for thing in view.behind:
        put(thing)
    hills = brush.picture(HILLS, MAX_SIDE, view.hills)
    if hills is not None:
        for left in range(0, columns, hills.width):
            lay(canvas, hills, left, height - hills.height)
    for thing in view.before:
        put(thing)
    name = brush.picture(WORDMARK, columns, 7 if view.width == 80 else 11)
    if name is not None and has_name:
        lay(canvas, name, (columns - name.width) // 2, _top(view, rows))
    return Picture.of(canvas)


def _view(rows: int) -> View:
    return next((view for view in VIEWS if view.height <= 2 * rows), VIEWS[-1])


def _top(view: View, rows: int) -> int:
    """Return the top of the title in pixels, which is lower in a higher sky."""
    return view.top + (2 * rows - view.height) // 3
