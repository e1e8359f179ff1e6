"""One square of a board in any size: its background, its piece, and its marks; pure.

Marks differ by shape, so they are distinct without colours: a frame of corners (the cursor), a
whole frame (chosen), a dot or ticks (available), another background and crosses (capture), an arrow
(the last step: from), full corners or bars (to), a sign on a plate (what else it did to a piece), a
pale piece (captured here; its outline behind another one), a cross or a tick on a plate (the worse
and better of two compared steps). During a choice, only available empty squares have a mark in
their middle, so that no other looks available. Marks of a piece are in the margin that its sprite
leaves free: a pixel around a picture, a column at both ends of a silhouette.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from kumite.tui.drawing.pixels import (
    Brush,
    blank,
    cells_of,
    half_blocks,
    joined,
    lay,
    quadrants,
    written,
)
from kumite.tui.drawing.plates import plate_ink, with_plate
from kumite.tui.look.colors import BOLD, OVER
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.roles import role_of
from kumite.tui.look.sprites import SEAT, Picture, enlarged, in_one, on_mat, outline, owned, pale
from kumite.tui.scenes.lines import Line, Span
from kumite.tui.scenes.lines import width as width_of
from kumite.tui.scenes.model import STRUCK, Cell, Fallen

PICTURE: Final = (8, 4)  # minimum cells for a picture
SHAPE: Final = (4, 2)  # and for a silhouette
ROOMY: Final = 10  # minimum columns for a mat with a margin of the ground around it


class Marks(NamedTuple):
    """The marks of one square."""

    is_under_cursor: bool = False
    is_chosen: bool = False
    is_target: bool = False
    is_capture: bool = False
    was_left: bool = False  # by the last step
    was_reached: bool = False
    sign: Span = ("", "")  # of a compared step, and its role
    way: str = ""  # of the last steps: where a piece went from here, or what happened to it
    fallen: Fallen | None = None  # the piece that was captured here
    sides: str = ""  # of `lu`: left and upper, where cards of two owners meet


UNMARKED: Final = Marks()
CHOSEN: Final = "chosen-edge"  # the ink on the background of a chosen square
TARGET: Final = "•"  # on an available empty square; no player has this sign
NEAR: Final = {"▐": "▌", "▜": "▌", "▟": "▌", "◀": "◂"}  # where a neighbour's piece follows at once
BARS: Final = ("▌", "▐")  # at both sides of a piece that the last step has brought
HATCH: Final = "╱"  # the ground of the last step, without colours
FAINT: Final = re.compile(r"\S")  # a captured piece, which only its kind's letter names
GHOST: Final = "░"
NO_QUARTERS: Final = str.maketrans("▘▝", "  ")  # of a figure, whose cells have its mat and ground
HALF: Final = "▒"  # the body of pieces of every second seat, without colours


def square(
    cell: Cell, marks: Marks, brush: Brush, width: int, height: int
) -> tuple[Line, ...] | None:
    """Return the rows of a square, or None if it is drawn by characters (`grid.glyphs`)."""
    if brush.skin is None or not cell.ground or width < SHAPE[0] or height < SHAPE[1]:
        return None
    if cell.over is not None:
        above = square(cell.over, marks, brush, width, height) or ()
        below = square(replace(cell, over=None), marks, brush, width, height) or ()
        half = height // 2  # of the one in the air its face
        return (*above[height // 4 : height // 4 + half], *below[half:])
    if brush.has_pictures and width >= PICTURE[0] and height >= PICTURE[1]:
        return _noted(_pictured(cell, marks, brush, width, height), cell, marks, width)
    rows = _noted(_shaped(cell, marks, brush, width, height), cell, marks, width)
    rows = _owned(rows, cell, marks, brush, width, height)
    return rows if width > SHAPE[0] else tuple(_without_plate(row, cell.ground) for row in rows)


def _owned(
    rows: tuple[Line, ...], cell: Cell, marks: Marks, brush: Brush, width: int, height: int
) -> tuple[Line, ...]:
    """Return a silhouette with its badge and its owner's sign."""
    is_narrow = width == SHAPE[0]
    what = _what_happened(marks, bool(cell.sprite))
    is_crowded = height == SHAPE[1] and marks.is_target and bool(what)
    is_full = is_narrow and is_crowded and not marks.is_under_cursor
    if cell.badge and not (marks.is_under_cursor or marks.is_chosen or marks.is_capture or is_full):
        ends = ("", cell.badge) if is_narrow else (cell.badge, "")
        at = 0 if (is_narrow or is_crowded) and (brush.signs or cell.sign) else height - 1
        if at or not marks.fallen:  # what was captured is news
            rows = (*rows[:at], _ended(rows[at], *ends, cell.badge_role), *rows[at + 1 :])
    own = "" if cell.owner is None else brush.signs[cell.owner : cell.owner + 1]
    own = cell.glyph if own and cell.glyph in LETTERS.hollow else own  # a weak piece
    if cell.owner is not None and (sign := cell.sign or own):
        ink = CHOSEN if marks.is_chosen else _own_ink(cell)
        if cell.sign and (place := _emblem_place(rows, cell.owner)):
            y, x, inks = place
            emblem = written(rows[y], sign, f"{OVER.join(inks[::-1])}{BOLD}", x)
            return (*rows[:y], emblem, *rows[y + 1 :])
        ground = rows[-1][-1][1].rpartition(OVER)[2]
        rows = (*rows[:-1], _ended(rows[-1], "", sign, f"{ink}/{ground}"))
    return rows


def _own_ink(cell: Cell) -> str:
    """Return the ink of the owner's sign: beside a mat, it says enough by its shape."""
    return "foreground" if cell.mat else f"{SEAT}-{cell.owner}"


def _without_plate(row: Line, ground: str) -> Line:
    """Return a row of the narrowest square with a sign in the only column between two pieces.

    A plate would look like a part of both. Only a player's colour says more than the sign.
    """
    *cells, (sign, ink) = cells_of(row)
    front, over, under = ink.removesuffix(BOLD).partition(OVER)
    if over and front != "background":
        return row
    under = under if over else role_of(ink).paper
    color = under if under.startswith(SEAT) else "changed"
    return joined([*cells, (sign, f"{color}/{ground}{BOLD}")])


def _emblem_place(rows: tuple[Line, ...], owner: int) -> tuple[int, int, list[str]] | None:
    """Return row, column, ink and ground of the full cell nearest to a silhouette's middle.

    None if that is a roof, with a wall below it: the sign would divide it.
    """
    low, far = len(rows) // 2 - 1, sum(width_of(text) for text, _ in rows[0]) // 2
    full = [
        (abs(y - low) + abs(x - far), y, x, one.split(OVER))
        for y, row in enumerate(rows)
        for x, (text, one) in enumerate(cells_of(row))
        if text in ("█", HALF) and one.split(OVER)[0] in (f"{SEAT}-{owner}", CHOSEN)
    ]
    if not full:
        return None
    _, y, x, inks = min(full)
    sign, ink = cells_of(rows[y + 1])[x] if y + 1 < len(rows) else (" ", "")
    return (y, x, inks) if sign == " " or ink.startswith((SEAT, CHOSEN)) else None


def _noted(rows: tuple[Line, ...], cell: Cell, marks: Marks, width: int) -> tuple[Line, ...]:
    """Write the way of a piece, or the longest note that fits, on an empty square.

    Below the middle, where it leaves room for other marks; on the ground that nothing lights.
    """
    room = width - 2 * CORNERS * marks.is_under_cursor
    note = marks.way or next((one for one in cell.notes if width_of(one) <= room), "")
    if not note or cell.sprite or marks.fallen:  # the fallen piece and its cross say enough
        return rows
    is_free = bool(marks.way) and not (marks.is_target or marks.sign[0])
    if is_free and DOT in note:
        return _with_dots(rows, note, ground_of(cell, marks), width)
    note = note[: note.find(DOT) + 1] or note
    low = len(rows) // 2 if is_free else len(rows) - 1
    ink = f"last/{ground_of(cell, marks)}{BOLD}" if marks.way else f"foreground/{cell.ground}"
    noted = written(rows[low], note, ink, (width - width_of(note)) // 2)
    return (*rows[:low], noted, *rows[low + 1 :])


CORNERS: Final = 3  # most columns of the cursor at each side
DOT: Final = "·"  # of a path, before the arrow of its direction
FAMILY: Final = dict(zip("←↑◣◤◥", "→↓◢◢◢", strict=True))  # whose dots are turned for a direction
DOTS: Final = {  # 5 by 5 pixels, and 3 by 2 letters; `>`: the head of an arrow, `*`: its tip
    "→": ("..... ...>. #.#.# ...>. .....", "... #.*"),
    "↓": ("..#.. ..... ..#.. .>.>. ..#..", ".#. .*."),
    "◢": ("#.... ..... ..#.. ....> ...>#", "#.. ..*"),
}


def _towards(sign: str, rows: list[str]) -> list[str]:
    rows = [row[::-1] for row in rows] if sign in "←◣◤" else rows
    return rows[::-1] if sign in "↑◥◤" else rows


def _with_dots(rows: tuple[Line, ...], way: str, ground: str, width: int) -> tuple[Line, ...]:
    """Return the rows of an empty square with a part of a path in its middle, and its number.

    Its last one has a second dot in its name, and the head of an arrow.
    """
    number, _, sign = way.partition(DOT)
    head, sign, ink = sign[:-1], sign[-1], f"last/{ground}{BOLD}"
    high, low = (_towards(sign, one.split()) for one in DOTS[FAMILY.get(sign, sign)])
    seen = "#>" if head else "#"
    pixels = Picture.of(("last" * (one in seen) for one in row) for row in high)
    times = max(1, min(width - 2, 2 * len(rows) - 2) // pixels.width)
    wide = times * pixels.width
    drawn = half_blocks(enlarged(pixels, times), ground, wide, (wide + 1) // 2)
    if len(drawn) > len(rows):
        signs = str.maketrans(".#*", f" {DOT}{sign if head else DOT}")
        drawn, wide = tuple(((row.translate(signs), ink),) for row in low), len(low[0])
    left, top = (width - wide + 1) // 2, (len(rows) - len(drawn)) // 2
    made = [cells_of(row) for row in rows]
    for row, line in zip(made[top:], drawn, strict=False):
        row[left : left + wide] = cells_of(line)
    if number:
        made[len(rows) // 2][left - 1] = number, ink
    return tuple(map(joined, made))


def floor_of(cell: Cell, marks: Marks, brush: Brush) -> str:
    """Return the colour below a piece: its mat, or the ground that the last turn does not change.

    That turn changes the margin only, so that pieces stand out from what they stand on.
    """
    if cell.mat and not brush.signs:
        return cell.mat
    return ground_of(cell, marks) if marks.is_capture or marks.is_chosen else cell.ground


def ground_of(cell: Cell, marks: Marks) -> str:
    if marks.is_capture:
        return "capture"
    if marks.is_chosen:
        return "chosen"
    if marks.was_left or marks.was_reached or marks.sign[0]:
        family = cell.ground.removesuffix("-a").removesuffix("-b")
        if family.endswith("-shut"):
            return "shut-last"
        return "field-last" if family.startswith(SEAT) else f"{family}-last"
    return cell.ground


# --- Pictures ---------------------------------------------------------------------------------


def _pictured(cell: Cell, marks: Marks, brush: Brush, width: int, height: int) -> tuple[Line, ...]:
    room = width - 2, 2 * height - 2
    drawn = brush.picture(cell.sprite, *room)
    floor, ground = floor_of(cell, marks, brush), ground_of(cell, marks)
    picture = drawn and (on_mat(drawn) if floor == cell.mat else owned(drawn, cell.owner))
    # Where something can be chosen, it would look like a piece.
    if marks.fallen and not (cell.sprite or marks.is_target):
        lost = brush.picture(marks.fallen.sprite, *room)
        picture = lost and owned(pale(lost), marks.fallen.owner)
    over = _over(marks, bool(cell.sprite), width, 2 * height)
    behind = None
    if cell.sprite and marks.fallen and not (marks.is_chosen or marks.is_capture):
        lost = brush.picture(marks.fallen.sprite, width, 2 * height)
        behind = lost and owned(outline(lost, min(width, 2 * height)), marks.fallen.owner)
    # Small mats have no margin, and still show more than the figure.
    margin = int(width >= ROOMY or ground != cell.ground)
    is_framed = picture is not None or (marks.was_left and marks.is_target)
    whole = _laid((behind, picture), over, floor, margin) if is_framed else over
    if marks.sign[0] and picture is None:
        whole = with_plate(whole, marks.sign[1])
    rows = tuple(_inset(row, ground) for row in half_blocks(whole, ground, width, height))
    if marks.sign[0] and picture is not None:
        rows = (written(rows[0], marks.sign[0], plate_ink(marks.sign[1]), 0), *rows[1:])
    if cell.sign:
        ink = CHOSEN if marks.is_chosen else _own_ink(cell)
        under = ground if cell.mat else floor
        sign = written(rows[-2], cell.sign, f"{ink}/{under}", width - 1)
        rows = (*rows[:-2], sign, rows[-1])
    if cell.badge:
        rows = (*rows[:-2], written(rows[-2], cell.badge, cell.badge_role, 0), rows[-1])
    if (what := _what_happened(marks, bool(cell.sprite))) and not marks.is_capture:
        rows = (written(rows[0], what, plate(marks), width - 1), *rows[1:])
        rows = _with_kind(rows, marks) if cell.sprite else rows
    return rows


def _with_kind(rows: tuple[Line, ...], marks: Marks) -> tuple[Line, ...]:
    """Write the kind of a captured piece below its cross."""
    letter = marks.fallen.letter if marks.fallen and not marks.is_chosen else ""
    return (rows[0], _ended(rows[1], "", letter, plate(marks)), *rows[2:])


def _what_happened(marks: Marks, is_taken: bool) -> str:
    """Return the sign of what the last step did to the piece on a square, or once there."""
    if marks.is_chosen:
        return ""
    return STRUCK if marks.fallen else marks.way if is_taken and len(marks.way) == 1 else ""


def plate(marks: Marks) -> str:
    """Return the ink of that sign: on the colour of the captured piece's owner, if there is one."""
    return f"background/{f'{SEAT}-{marks.fallen.owner}' if marks.fallen else 'changed'}{BOLD}"


INSET: Final = frozenset({"target-mark", "last", CHOSEN})  # marks that do not touch a neighbour's
HALVES: Final = (" ▝▗▐", " ▘▖▌")  # at the left and right, by the bits: upper 1, lower 2


def _inset(row: Line, ground: str) -> Line:
    """Move the marks at both ends of a row half a column away from the squares beside it."""
    cells = cells_of(row)
    for at, halves in zip((0, -1), HALVES, strict=True):
        text, ink = cells[at]
        upper, _, lower = ink.partition(OVER)
        both = (upper if text == "▀" else lower, lower)
        bits = sum((one in INSET) << n for n, one in enumerate(both))
        if bits:
            ink = next(one for one in both if one in INSET)
            cells[at] = halves[bits], f"{ink}/{ground}"
    return joined(cells)


@lru_cache(maxsize=1024)
def _laid(pictures: tuple[Picture | None, ...], over: Picture, floor: str, margin: int) -> Picture:
    width, height = over.width, over.height
    rows = blank(width, height)
    for row in rows[margin : height - 1]:  # a pixel of ground between two mats
        row[margin : width - 1] = [floor] * (width - 1 - margin)
    for picture in filter(None, pictures):
        lay(rows, picture, (width - picture.width) // 2, (height - picture.height + 1) // 2)
    lay(rows, over, 0, 0)
    return Picture.of(rows)


@lru_cache(maxsize=256)
def _over(marks: Marks, is_taken: bool, width: int, height: int) -> Picture:
    rows = blank(width, height)
    right, low = width - 1, height - 1
    if marks == Marks(is_target=marks.is_target, sides=marks.sides):
        rows[0] = ["frontier" if "u" in marks.sides else ""] * width
        for row in rows if "l" in marks.sides else ():
            row[0] = "frontier"
    corners = ((0, 0), (right, 0), (0, low), (right, low))  # all: a single pixel looks like dirt
    for x, y in corners if marks.was_reached and not (is_taken and marks.fallen) else ():
        for inner in (1, 2):  # two pixels, which leave the piece visible
            rows[y + inner if y == 0 else y - inner][x] = "last"
    if marks.sign[0] and is_taken and not marks.is_under_cursor:
        rows[0][:] = [marks.sign[1]] * width
    if marks.was_left and not (is_taken or marks.way or marks.fallen):
        for x, y in corners:
            rows[y + 1 if y == 0 else y - 1][x + 1 if x == 0 else x - 1] = "last"
    if marks.is_target and not is_taken:
        middle_x, middle_y = width // 2, height // 2
        half = max(1, height // 10)
        for x, y in product(range(-half, half), repeat=2):
            rows[middle_y + y][middle_x + x] = "target-mark"
    if marks.is_target and is_taken and not marks.is_capture:
        half = height // 5 + 1
        for row in rows[height // 2 - half : height // 2 + half]:
            row[0] = row[right] = "target-mark"
    if marks.is_capture:
        _teeth(rows, "capture-edge")
    if marks.is_chosen:
        _frame(rows, CHOSEN)
    if marks.is_under_cursor:
        size = 2 if width < 12 else 3
        for at in range(size):
            for x, y in ((at, 0), (right - at, 0), (at, low), (right - at, low)):
                rows[y][x] = "cursor"
            for x, y in ((0, at), (right, at), (0, low - at), (right, low - at)):
                rows[y][x] = "cursor"
    return Picture.of(rows)


def _frame(rows: list[list[str]], color: str) -> None:
    for row in rows:
        row[0] = row[-1] = color
    rows[0][:] = rows[-1][:] = [color] * len(rows[0])


def _teeth(rows: list[list[str]], color: str) -> None:
    for y, row in enumerate(rows):
        for x in range(len(row)):
            if (y in (0, len(rows) - 1) or x in (0, len(row) - 1)) and (x + y) % 2 == 0:
                row[x] = color


# --- Silhouettes ------------------------------------------------------------------------------


def _shaped(cell: Cell, marks: Marks, brush: Brush, width: int, height: int) -> tuple[Line, ...]:
    ground, floor = ground_of(cell, marks), floor_of(cell, marks, brush)
    name, owner = cell.sprite, cell.owner
    is_ghost = bool(marks.fallen and not (name or marks.is_target))
    if marks.fallen and is_ghost:
        name, owner = marks.fallen[:2]
    is_narrow = width == SHAPE[0]  # then the only margin is at the right
    room = width - 1 if is_narrow else width - 2
    shape = brush.shape(name, 2 * room, 2 * height)
    is_hatched = bool(brush.signs) and marks.was_left
    if shape is None:
        floor = cell.ground if marks.was_left and marks.is_target else ground
        rows: list[Line] = [((" " * width, f"/{floor}"),)] * height
        rows[(height - 1) // 2] = _signed(cell, marks, brush, width, floor)
    else:
        is_half = bool(brush.signs and (owner or 0) % 2)
        if shape.height == 2 * height and height > SHAPE[1] and not is_half:
            shape = Picture.of(shape.rows[:-1])  # air above the square below
        one = "" if not brush.signs else SEAT if owner is None else f"{SEAT}-{owner}"
        if one and marks.is_chosen:  # its background is as light as pieces
            one = CHOSEN
        shape = in_one(shape, SEAT) if is_ghost else shape
        drawn = on_mat(shape) if floor == cell.mat else owned(shape, owner)
        rows = list(quadrants(drawn, floor, width, height, one))
        if is_ghost:
            rows = [tuple((FAINT.sub(GHOST, text), ink) for text, ink in row) for row in rows]
        elif is_half:
            rows = [tuple((text.replace("█", HALF), ink) for text, ink in row) for row in rows]
    is_kept = is_narrow and shape is not None
    if shape and floor == cell.mat:  # half a column of ground at each side, or one at the right
        low = tuple((text.translate(NO_QUARTERS), ink) for text, ink in rows[-1])
        rows[-1] = _underlined(low, CHOSEN if marks.is_chosen else cell.ground)
        for at, row in enumerate(rows):
            ends = ("", " ") if is_narrow else ("▝", "▘") if at == height - 1 else ("▐", "▌")
            rows[at] = _ended(row, *ends, f"{floor * (not is_narrow)}/{cell.ground}")
    for at, row in enumerate(rows):
        left, right, ink = _margins(marks, at, height, shape is not None)
        if (ground != cell.ground or is_hatched) and not is_ghost:
            end, under = (HATCH, "last") if is_hatched else (" ", "")
            row = _ended(row, "" if is_kept else end, end, f"{under}/{ground}")
        if marks.was_reached and not (left or is_kept):
            row = _ended(row, BARS[0], "", f"last/{ground}")
        if left or right:
            left, right = ("", NEAR.get(right, right or left)) if is_kept else (left, right)
            is_dark = ground == cell.ground or ink == "target-mark"  # it is unseen on light ones
            under = cell.ground if shape and is_dark else ground
            row = _ended(row, left, right, ink if OVER in ink else f"{ink}/{under}")
        rows[at] = row
    if marks.sides and marks == Marks(is_target=marks.is_target, sides=marks.sides):
        rows = [_bounded(row, marks.sides, y) for y, row in enumerate(rows)]
    what = _what_happened(marks, shape is not None)
    if marks.is_capture or marks.is_under_cursor:  # they take the margin, except a corner
        corner = what if marks.is_under_cursor and not marks.is_capture else ""
        return (_ended(rows[0], "", corner, plate(marks)), *rows[1:])
    return _with_kind(tuple(rows), marks) if cell.sprite or is_ghost else tuple(rows)


def _bounded(row: Line, sides: str, y: int) -> Line:
    """Draw the frontier at the left and above, in cells that the piece leaves free."""
    made = cells_of(row)
    for x, (sign, ink) in enumerate(made):
        line = "▏" if "l" in sides and x == 0 else "▔" if "u" in sides and y == 0 else ""
        if sign == " " and line:
            made[x] = line, f"frontier/{ink.partition(OVER)[2]}"
    return joined(made)


def _signed(cell: Cell, marks: Marks, brush: Brush, width: int, ground: str) -> Line:
    """Return the middle row of an empty square; with few colours, its sign."""
    sign, color = " ", ""
    if marks.sign[0]:
        return _in_middle(f" {marks.sign[0]} ", plate_ink(marks.sign[1]), ground, width)
    if marks.is_target or marks.is_capture:
        sign, color = TARGET, "target-mark"
    elif brush.signs or not brush.has_pictures:
        sign, color = cell.glyph, role_of(cell.role).ink
    return _in_middle(sign, f"{color}/{ground}", ground, width)


def _in_middle(sign: str, ink: str, ground: str, width: int) -> Line:
    taken = width_of(sign)
    left = (width - taken) // 2
    right = width - left - taken
    return joined([(" " * left, f"/{ground}"), (sign, ink), (" " * right, f"/{ground}")])


def _margins(marks: Marks, at: int, height: int, is_taken: bool) -> tuple[str, str, str]:
    first, last = at == 0, at == height - 1
    if marks.sign[0] and first and is_taken:
        return "", marks.sign[0], plate_ink(marks.sign[1])
    if marks.is_under_cursor and (first or last):
        return *("┏┓" if first else "┗┛"), CHOSEN if marks.is_chosen else "cursor"
    if marks.is_chosen:
        return *("▛▜" if first else "▙▟" if last else "▌▐"), CHOSEN
    if marks.is_capture:
        return "×", "×", "capture-edge"
    what = _what_happened(marks, is_taken)
    is_low = height == SHAPE[1] and bool(what) and not (marks.fallen and marks.was_reached)
    if marks.is_target and is_taken and abs(at - (height - 1) // 2 - is_low) <= height // 5:
        return "▶", "◀", "target-mark"
    if marks.is_under_cursor:
        return "┃", "┃", "cursor"
    if first and what:
        return "", what, plate(marks)
    if marks.was_reached:
        return *BARS, "last"
    if marks.was_left and first and not is_taken and not marks.way:
        return "", "◦", "last"
    return "", "", ""


def _underlined(row: Line, color: str) -> Line:
    """Draw a line below a silhouette, where its shape leaves half a cell free."""
    made: list[Span] = []
    for sign, ink in cells_of(row):
        front, _, ground = ink.partition(OVER)
        drawn = ("▄", f"{color}/{ground}") if sign == " " else (sign, ink)
        made.append((sign, f"{front}/{color}") if sign == "▀" else drawn)
    return joined(made)


def _ended(row: Line, left: str, right: str, ink: str) -> Line:
    cells = cells_of(row)
    if left:
        cells[0] = (left, ink)
    if right:
        cells[-1] = (right, ink)
    return joined(cells)
