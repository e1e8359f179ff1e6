"""The middle of a table without a board: a climb, a stage, cards; pure."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.grid import RANKS, BoardMarks, board_rows, fitting
from kumite.tui.drawing.panel import filled
from kumite.tui.drawing.pixels import Brush, blank, half_blocks, joined, lay
from kumite.tui.drawing.spread import spread_rows
from kumite.tui.drawing.squares import SHAPE
from kumite.tui.drawing.stage import stage_rows
from kumite.tui.look.roles import role_of
from kumite.tui.look.sprites import Picture
from kumite.tui.scenes.lines import Line, Span, fit, line_width, squeezed, width
from kumite.tui.scenes.model import Board, Scene
from kumite.tui.scenes.pictures import Group, Spread

if TYPE_CHECKING:
    from kumite.tui.scenes.pictures import Climb, Lane

TALL: Final = 22  # minimum rows for a climb as pictures
PICTURED: Final = 3  # minimum rows of a lane for a picture of its climber
LABEL: Final = 7  # columns before a lane
MOST: Final = 8  # columns of a space
PADDING: Final = 3  # after the gate
SLIM: Final = 23  # columns of a miniature that holds the broadest board


def is_laid(scene: Scene, brush: Brush) -> bool:
    """Return True if a scene is shown as a tabletop, not as a board or text."""
    return brush.skin is not None and (scene.stage is not None or scene.spread is not None)


def tabletop_rows(scene: Scene, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    lines: list[Line] = []
    if scene.climb is not None:
        high, below = len(scene.climb.lanes), len(scene.climb.below)
        high = 3 * high + 1 if rows >= TALL else high + (rows > 9 + high + below)
        lines += climb_rows(scene.climb, brush, columns, high)
    if scene.stage is None:
        last = below_rows(scene.climb, columns) if scene.climb else ()
        rest = rows - len(lines) - len(last)
        lines += spread_rows(scene.spread, brush, columns, rest) if scene.spread else ()
        return (*lines, *last)
    rest = rows - len(lines)
    lines += stage_rows(scene.stage, brush, columns, rest, scene.spread)
    return tuple(lines)


def miniature(scene: Scene, brush: Brush, columns: int, rows: int) -> list[Line]:
    """Return the table as small as this place, in its middle, without choices.

    A climb, words and open hands are left out where they would be cut; players are signs then.
    """
    drawn: tuple[Line, ...] = scene.picture[:rows]
    if is_laid(scene, brush):
        drawn = tabletop_rows(scene, brush, columns, rows)
        if max(map(line_width, drawn), default=0) > columns:
            bare = scene.spread and Spread(tuple(map(_wordless, scene.spread.groups)))
            drawn = tabletop_rows(replace(scene, climb=None, spread=bare), brush, columns, rows)
    elif scene.board.rows:
        board = _shown(scene.board, brush, columns, rows)
        drawn = board_rows(board, BoardMarks(), brush, fitting(board, columns, rows))
    left = max(0, columns - max(map(line_width, drawn), default=0)) // 2
    above: list[Line] = [()] * ((rows - len(drawn)) // 2)
    return above + [filled(((" " * left, ""), *line), columns) for line in drawn]


def _wordless(group: Group) -> Group:
    cards = tuple(replace(card, title="", short="", note="") for card in group.cards)
    return Group(cards, tuple((text[:1], role) for text, role in group.labels[:1]))


def _shown(board: Board, brush: Brush, columns: int, rows: int) -> Board:
    """Return a board, or the part with most pieces if all of it would show them as letters."""
    across, down = len(board.columns), len(board.ranks)
    wide, high = min(across, (columns - RANKS) // SHAPE[0]), min(down, (rows - 1) // SHAPE[1])
    is_whole = (wide, high) == (across, down)
    if brush.skin is None or not board.is_drawn or is_whole or min(wide, high) < 1:
        return board

    def filled_by(at: tuple[int, int]) -> tuple[int, int]:
        x, y = at
        part = board.rows[y : y + high]
        pieces = sum(bool(cell.sprite) for row in part for cell in row[x : x + wide])
        return pieces, -abs(2 * x + wide - across) - abs(2 * y + high - down)

    places = product(range(across - wide + 1), range(down - high + 1))
    return board.part_at(*max(places, key=filled_by), wide, high)


# --- A climb ----------------------------------------------------------------------------------


def climb_rows(climb: Climb, brush: Brush, columns: int, rows: int) -> tuple[Line, ...]:
    """Return the lanes in `rows` rows, giving each as many as possible."""
    high = max(1, min(4, rows // max(1, len(climb.lanes))))
    note = max((line_width(lane.note) for lane in climb.lanes), default=0)
    space = max(1, min(MOST, (columns - LABEL - note - 4 - PADDING) // (climb.length + 1)))
    lines: list[Line] = []
    for lane in climb.lanes:
        if high >= PICTURED and brush.has_pixels:
            lines += _pictured(lane, climb, brush, space, high)
        else:
            lines.append(_written(lane, climb, space))
    blank: Line = ()
    return (*lines, *[blank] * (rows - len(lines)))[:rows]


def below_rows(climb: Climb, columns: int) -> tuple[Line, ...]:
    """Return the rows below the table, dropping spaces and then their headings if necessary."""
    squeezed_lines = (squeezed(line, columns) for line in climb.below)
    return tuple(line if line_width(line) <= columns else line[1:] for line in squeezed_lines)


def _head(lane: Lane) -> Span:
    return f" {fit(lane.label, LABEL - 1)}", f"{lane.role}"


def _written(lane: Lane, climb: Climb, space: int) -> Line:
    ink = role_of(lane.role).ink
    sign = (lane.sign, f"on-seat/{ink}!")
    done = "━" * (lane.at * space)
    left = (climb.length - lane.at) * space - width(lane.sign)
    way = ("╌" * max(0, left), "quiet/")
    gate = (climb.sign, "title/!") if lane.at < climb.length else ("", "")
    spans = [(done, f"{ink}/"), sign, way, gate, ("  ", ""), *lane.note]
    return (_head(lane), *(span for span in spans if span[0]))


def _pictured(lane: Lane, climb: Climb, brush: Brush, space: int, high: int) -> list[Line]:
    wide, tall = (climb.length + 1) * space + PADDING, 2 * high
    rows = blank(wide, tall)
    ink = role_of(lane.role).ink
    for x in range(wide):
        rows[-1][x] = ink if x < lane.at * space + space // 2 else "fits"
    for number in range(climb.length + 1):
        at = number * space + space // 2
        rows[-1][at] = rows[-2][at] = "title" if number == climb.length else rows[-1][at]
    for name, at in ((climb.gate, climb.length), (lane.sprite, lane.at)):
        picture = brush.picture(name, tall, tall - 1)
        if picture is not None:
            left = at * space + space // 2 - picture.width // 2
            lay(rows, picture, left, tall - 1 - picture.height)
    drawn = half_blocks(Picture.of(rows), "background", wide, high)
    made = [joined([(" " * LABEL, ""), *line]) for line in drawn]
    middle = high // 2
    made[middle] = joined([_head(lane), *drawn[middle], ("  ", ""), *lane.note])
    return made
