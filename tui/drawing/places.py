"""The layout of a table in a window, by its size; pure."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.tui.drawing import grid
from kumite.tui.drawing.cards import PICTURED, SIZES
from kumite.tui.drawing.spread import upright_size
from kumite.tui.scenes.model import Board, Scene

if TYPE_CHECKING:
    from kumite.tui.scenes.pictures import Stage

SIDE: Final = 30  # columns of the side panels, where there is room
NARROWEST: Final = 20  # columns of the side in the smallest windows
BROADEST: Final = 46  # beside a board a quarter of the window
ROOMY: Final = (100, 24)  # minimum columns and rows for side panels beside a hand
PADDING: Final = 2  # columns at both sides of a board
UPRIGHT: Final = 1.25  # height of a window by its width, with rows as high as two columns
LEAST_BELOW: Final = 16  # rows of panels below a board
SMALLEST: Final = (40, 15)  # columns and rows that every screen needs
STANDARD: Final = (60, 20)  # and those that replays and analyses need
SMALL: Final = (56, 18)  # below these columns and rows: large print, by words and signs
FRAMED: Final = (120, 36)  # minimum columns and rows for frames around side panels
FRAME: Final = 2  # columns of a frame
PLAIN: Final = 51  # columns of a table as text
WORDS: Final = 2  # rows of text below a stage
LOWEST: Final = 8  # rows of a narrow text over a stage
PLAIN_CARD: Final = (9, 4)  # columns below which a card has no picture, and its rows then
DUEL: Final = (8, 5)  # cards of a hand below a stage, and gaps between them
HAND: Final = (6, 10)  # cards of another hand, and columns for gaps and piles


class Place(NamedTuple):
    """A part of a screen, mostly of the window between title and hint, in cells."""

    x: int
    y: int
    width: int
    height: int


class Places(NamedTuple):
    """The layout; `side` None: there is no room for it."""

    field: Place  # board or tabletop, and the tray below it
    tray: Place | None  # within the field, at its bottom; None: of automatic height
    side: Place | None
    is_over: bool = False  # the side covers part of the field, and is shown only when needed
    is_bare: bool = False  # the side holds the tray alone


def is_small(columns: int, rows: int) -> bool:
    return columns < SMALL[0] or rows < SMALL[1]


def frame_columns(columns: int, rows: int) -> int:
    return FRAME if columns >= FRAMED[0] and rows >= FRAMED[1] else 0


def beside_board(board: Board, columns: int, rows: int, frame: int = 0) -> Places:
    """Return the layout of a board with the largest squares and the remaining side panels."""
    broad = SIDE + frame
    least = broad if columns >= 2 * SIDE + PLAIN // 3 else min(NARROWEST, columns - 24)
    ways = range(least, broad + 1)
    side = max(ways, key=lambda one: (_area(board, columns - one, rows), one))
    taken = grid.fitting(board, columns - side - PADDING, rows).columns(board) + PADDING
    side = max(side, min(max(BROADEST, columns // 4), columns - taken))
    return Places(Place(0, 0, columns - side, rows), None, Place(columns - side, 0, side, rows))


def before_panels(board: Board, columns: int, rows: int, below: int, usual: Places) -> Places:
    """Return a layout with larger squares and only the tray, of `below` rows; `usual` if none."""
    high = rows - below
    if _area(board, columns, high) <= _area(board, usual.field.width, rows):
        return usual
    tray = Place(0, high, columns, below) if below else None
    return Places(Place(0, 0, columns, high), None, tray, is_bare=True)


def above_panels(board: Board, columns: int, rows: int, usual: Places) -> Places:
    """Return a layout with the panels below, if an upright window then has larger squares."""
    high = rows - LEAST_BELOW
    if not _is_upright(columns, rows) or _area(board, columns, high) <= _area(
        board, usual.field.width, rows
    ):
        return usual
    taken = grid.fitting(board, columns - PADDING, high).rows(board)
    return Places(Place(0, 0, columns, taken), None, Place(0, taken, columns, rows - taken))


def with_card(
    board: Board | None, columns: int, rows: int, usual: Places, card: int
) -> tuple[Places, Place]:
    """Return the layout at the end of a match, and the place of its card, of `card` columns.

    In the place of the side, or where that is narrow beside a smaller table, in an upright window
    below it. A board keeps the size of its squares if a narrow card has room at its side.
    """
    if board is None and rows >= 2 * LEAST_BELOW and _is_upright(columns, rows):
        high = rows // 2
        field, below = Place(0, 0, columns, rows - high), Place(0, rows - high, columns, high)
        return Places(field, None, None), below
    side = None if usual.is_over or usual.is_bare else usual.side
    if side is not None and (side.width >= card if not side.y else board is not None):
        return usual, side
    free = max(columns - card, columns // 2)
    if (
        board is not None
        and side is not None
        and side.width >= NARROWEST
        and _area(board, free, rows) < _area(board, usual.field.width, rows)
    ):
        return usual, side
    field = Place(0, 0, free, rows)
    return Places(field, None, None), Place(free, 0, columns - free, rows)


def _is_upright(columns: int, rows: int) -> bool:
    return 2 * rows > UPRIGHT * columns


def _area(board: Board, columns: int, rows: int) -> int:
    made = grid.fitting(board, columns - PADDING, rows)
    fits = made.columns(board) <= columns - PADDING and made.rows(board) <= rows
    return made.width * made.height * fits


def beside_words(columns: int, rows: int) -> Places:
    side = columns - PLAIN
    beside = Place(PLAIN, 0, side, rows) if side >= NARROWEST else None
    return Places(Place(0, 0, PLAIN if beside else columns, rows), None, beside)


def around_tabletop(
    scene: Scene,
    columns: int,
    rows: int,
    *,
    can_choose: bool,
    frame: int = 0,
    has_side: bool = True,
) -> Places:
    """Return the layout of a tabletop, the hand below it, and the side panels.

    In a small window, the side is at the right of the hand; or, with a stage, whose hand is wide,
    over its sky while there are news.
    """
    is_roomy = has_side and columns >= ROOMY[0] and rows >= ROOMY[1]
    if is_roomy or not can_choose:
        side = min(BROADEST, max(NARROWEST if columns < 72 else SIDE + frame, columns // 4))
        field = Place(0, 0, columns - side, rows)
        beside: Place | None = Place(columns - side, 0, side, rows)
    else:
        field, beside = Place(0, 0, columns, rows), None
    if not can_choose:
        return Places(field, None, beside)
    high = _tray_rows(scene, field.width, rows)
    tray = Place(0, rows - high, field.width, high)
    if beside is None and scene.stage is None and has_side:
        side = SIDE if columns >= 72 else NARROWEST + 2
        tray = tray._replace(width=columns - side)
        beside = Place(columns - side, rows - high, side, high)
    if beside is None and scene.stage is not None:
        sky_rows = rows - high - WORDS
        size = upright_size(scene.spread, columns, sky_rows)
        over = _over_sky(scene.stage, columns, sky_rows, size[0] + 1 if size else 0)
        return Places(field, tray, over, is_over=True)
    return Places(field, tray, beside)


def _over_sky(stage: Stage, columns: int, rows: int, edge: int) -> Place:
    """Return the place of a text over a stage: in the widest gap between figures, if it fits.

    `edge` are the columns of cards at each side of the stage.
    Otherwise it is at the top in fewer rows, covering heads rather than a whole figure.
    """
    count = len(stage.planks)
    taken = sorted({-1, count, *(figure.place for figure in stage.figures)})
    left, right = max(pairwise(taken), key=lambda gap: gap[1] - gap[0])
    inner = columns - 2 * edge
    start, free = edge + (left + 1) * inner // count, (right - left - 1) * inner // count
    if free < SIDE or rows < LOWEST:
        return Place(0, 0, columns, rows)
    return Place(start + (free - SIDE) // 2, 0, SIDE, rows)


def _tray_rows(scene: Scene, columns: int, rows: int) -> int:
    """Return the rows of a hand: the largest cards that fit, and one row for text.

    It is the same for all hands, so nothing moves when cards are played.
    """
    count, gaps = HAND if scene.stage is None else DUEL
    for wide, high in SIZES:
        if high >= PICTURED and count * wide + gaps <= columns and 3 * (high + 1) <= rows:
            return high + 2
    if scene.stage is not None and count * PLAIN_CARD[0] + gaps > columns:
        return PLAIN_CARD[1] + 2  # the rows that these leave are for the words of the stage
    if rows >= 3 * PICTURED:
        return PICTURED + 2
    return PICTURED + 1 if rows + 1 >= 3 * PICTURED else 6
