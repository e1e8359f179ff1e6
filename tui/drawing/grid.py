"""A board as rows of (text, ink), in the largest squares that fit; pure.

A scene provides the contents, squares.py draws single squares; this module joins them with labels,
and finds the square under the mouse.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from kumite.tui.drawing.pixels import Brush, cells_of, first_of, joined
from kumite.tui.drawing.squares import (
    BARS,
    CHOSEN,
    DOT,
    GHOST,
    PICTURE,
    SHAPE,
    TARGET,
    UNMARKED,
    Marks,
    ground_of,
    plate,
    square,
)
from kumite.tui.look.colors import BOLD, OVER
from kumite.tui.look.roles import ROLES, role_of
from kumite.tui.look.sprites import SEAT
from kumite.tui.scenes.lines import Line, Named, Span, fit
from kumite.tui.scenes.lines import width as width_of
from kumite.tui.scenes.model import NO_TRACE, NO_VERDICT, PUT, STRUCK, Board, Cell, Trace, Verdict

SIZES: Final = (  # of a square in cells: twice as wide as high looks square
    *((20, 10), (18, 9), (16, 8), (14, 7), (12, 6), (10, 5), (8, 4)),
    *((7, 3), (6, 3), (5, 2), (4, 2), (4, 1), (3, 1), (2, 1)),
)
RANKS: Final = 3  # columns for the labels of ranks, at the left
LEFT, RIGHT = 2, 3  # edges, after the upper and the lower one
EDGE: Final = 2  # maximum rows of text at each edge of a board


@dataclass(frozen=True, slots=True)
class BoardMarks:
    """The marks on a board: names of squares."""

    cursor: str = ""
    chosen: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()
    captures: frozenset[str] = frozenset()  # the targets that are captures
    trace: Trace = NO_TRACE  # of the last steps
    verdict: Verdict = NO_VERDICT  # of two compared steps

    def of(self, name: str, way: str = "") -> Marks:
        if not name:
            return UNMARKED
        return Marks(
            name == self.cursor,
            name in self.chosen,
            name in self.targets,
            name in self.captures,
            name in self.trace.left,
            name in self.trace.reached,
            self.verdict.of_name(name),
            way
            or self.trace.changed.get(name)
            or PUT * (name in self.trace.reached and not self.trace.left),
            self.trace.taken.get(name),
        )

    def ways(self, board: Board) -> dict[str, str]:
        """Return the signs of the paths of the last steps: dots, an arrow at the goal, numbers."""
        turn = f"{(len(self.trace.paths) + 1) % 10}" * bool(self.trace.paths)
        arrows = {
            name: _arrow(board.place(name), board.place(sign))
            for name, sign in self.trace.signs.items()
        }
        found = {name: arrows[name] or turn + sign for name, sign in self.trace.signs.items()}
        for number, (start, end) in enumerate(self.trace.paths, 1):
            places = board.place(start), board.place(end)
            if places[0] is None or places[1] is None:
                continue
            (x, y), (x_end, y_end) = places[0], places[1]
            across, down, steps = _straight(x_end - x, y_end - y)
            dots = DOT + _arrow((0, 0), (across, down))
            has_sign = arrows.get(end) or end in self.trace.changed
            is_alone = has_sign or end in self.trace.taken  # the arrow is before a captor
            for at in range(steps):
                here = x + across * at, y + down * at
                cell = board.rows[here[1]][here[0]]
                head = DOT * 2 + _arrow(here, places[1])
                way = head if at == steps - 1 and is_alone else dots
                if not at:
                    is_only = len(self.trace.paths) == 1 and start in self.trace.left
                    found[start] = f"{number % 10}" * (not is_only) + way
                elif not cell.sprite or cell.name in self.trace.changed:
                    found.setdefault(cell.name, way)
            if not has_sign:
                found[end] = _arrow(*places)
        if (gone := board.outside) is not None:
            found[gone.square(board).name] = "↑↓←→"[gone.edge]
        return found


REACHED: Final = ("{", "}")  # around a piece in one row that has come here, in ASCII
CAN: Final = "▎"  # on the tile of one that can be chosen
ARROWS: Final = ("◤↑◥", "← →", "◣↓◢")  # by the way down and across


def _arrow(start: tuple[int, int] | None, end: tuple[int, int] | None) -> str:
    """Return the arrow from one place to another; "" if one is missing."""
    if start is None or end is None:
        return ""
    across, down = (b - a for a, b in zip(start, end, strict=True))
    return ARROWS[(down > 0) - (down < 0) + 1][(across > 0) - (across < 0) + 1]


def _straight(across: int, down: int) -> tuple[int, int, int]:
    """Return one square across and down on a path, and how many; of a leap till it goes aside."""
    far = max(abs(across), abs(down))
    if across and down and abs(across) != abs(down):
        across, down = (across, 0) if abs(across) == far else (0, down)
        return across // far, down // far, far + 1
    return across // max(1, far), down // max(1, far), far


def margin(board: Board) -> int:
    """Return the columns at the right of the squares, for a piece that went over that edge."""
    return RANKS if board.outside is not None and board.outside.edge == RIGHT else 0


class Geometry(NamedTuple):
    """The size of squares in cells, and the room for labels."""

    width: int
    height: int
    labels: int  # rows of them: 1 below the board, 2 above and below
    edges: int = 0  # rows of text both above and below the board
    is_above: bool = False  # where the only row of labels is

    def columns(self, board: Board) -> int:
        return RANKS + self.width * len(board.columns) + margin(board)

    def rows(self, board: Board) -> int:
        return self.height * len(board.rows) + self.labels + 2 * self.edges

    @property
    def top(self) -> int:
        return self.labels - (not self.is_above) + self.edges

    def place(self, x: int, y: int) -> tuple[int, int]:
        """Return (column, row) of the square at a cell, even outside the board."""
        return (x - RANKS) // self.width, (y - self.top) // self.height


def fitting(board: Board, columns: int, rows: int) -> Geometry:
    """Return the largest squares with which a board fits; the smallest if none does."""
    for width, height in SIZES:
        made = Geometry(width, height, 1)
        if made.columns(board) <= columns and made.rows(board) <= rows:
            if board.edges:
                spare = rows - made.rows(board)
                made = made._replace(edges=min(EDGE, spare // 2))
            if made.rows(board) < rows:
                return made._replace(labels=2)
            return made._replace(is_above=board.outside is not None and board.outside.edge == 0)
    return Geometry(*SIZES[-1], 1)


def board_rows(
    board: Board, marks: BoardMarks, brush: Brush, geometry: Geometry
) -> tuple[Line, ...]:
    lines = above(board, brush, geometry)
    for rank in range(len(board.rows)):
        lines += rank_rows(board, rank, marks, brush, geometry)
    return (*lines, *below(board, brush, geometry))


def above(board: Board, brush: Brush, geometry: Geometry) -> list[Line]:
    labels = [files(board, 0, brush, geometry)] * (geometry.labels - (not geometry.is_above))
    return [*labels, *_edge(board, 0, brush, geometry)[::-1]]


def below(board: Board, brush: Brush, geometry: Geometry) -> list[Line]:
    labels = [] if geometry.is_above else [files(board, 1, brush, geometry)]
    return [*_edge(board, 1, brush, geometry), *labels]


def _edge(board: Board, which: int, brush: Brush, geometry: Geometry) -> list[Line]:
    """Return the rows of an edge text, from the board outwards, its parts side by side.

    Beside a piece that went over this edge, on the side with more room.
    """
    said = board.edges[which] if board.edges else ()
    columns = geometry.width * len(board.columns) // max(1, len(said))
    gone = _gone_at(board, which, geometry)
    before, behind = (gone.start - 1, columns - gone.stop - 1) if gone else (columns, 0)
    room = max(before, behind)
    words: list[Span] = [(" " * RANKS, "")]
    for text, ink in said:
        if isinstance(text, Named) and width_of(text) > room:
            text = text.short
        text = " ".join(text.split())
        while " " in text and width_of(text) > room:
            text = text.partition(" ")[2] if gone else text.rpartition(" ")[0]
        left = max(0, columns - width_of(text)) // 2
        if gone:
            left = columns - behind if behind == room else before - width_of(text)
        words.append((fit(" " * left + text, columns), ink))
    words.append((" " * margin(board), ""))
    blank = joined([(" " * width_of(text), ink) for text, ink in words])
    rows: list[Line] = [joined(words), blank][: geometry.edges]
    return _with_gone(rows, board, which, brush, geometry)


def _gone_at(board: Board, which: int, geometry: Geometry) -> range:
    """Return the columns, from the squares' left, of a piece that went over this edge, if any."""
    if board.outside is None or board.outside.edge != which:
        return range(0)
    middle = geometry.width * board.outside.line + (geometry.width - 1) // 2
    half = 2 if geometry.width >= PICTURE[0] else 1
    return range(middle - half, middle + half + 1)


def _with_gone(
    rows: list[Line], board: Board, which: int, brush: Brush, geometry: Geometry
) -> list[Line]:
    """Return the rows beyond an edge, outwards, with the piece that went over it, if one did."""
    gone = _gone_at(board, which, geometry)
    if board.outside is None or not gone or not rows:
        return rows
    ground = rows[0][1][1].partition(OVER)[2].removesuffix(BOLD)
    drawn = off_board(board.outside.cell, brush, geometry, len(gone), len(rows), ground)
    for n, one in enumerate(drawn if which else drawn[::-1]):
        cells = cells_of(rows[n])
        cells[RANKS + gone.start : RANKS + gone.stop] = one
        rows[n] = joined(cells)
    return rows


def off_board(
    cell: Cell, brush: Brush, geometry: Geometry, wide: int, high: int, ground: str
) -> list[Line]:
    """Return the rows of a piece off the board: round, or as a sign where squares are tiny.

    It is whole in one row, too. As in its picture, light falls on it from the upper left.
    """
    paper = role_of(cell.role).paper
    if brush.skin is None or not paper or geometry.width < SHAPE[0] or wide < 2:
        return [((cell.glyph.center(wide + 1 - width_of(cell.glyph)), cell.role),)]
    side = PICTURE[0]  # pixels
    picture = brush.picture(cell.sprite, side, side) if brush.has_pictures else None
    light = middle = dark = paper
    if picture is not None:
        centre = picture.width // 2
        (light, middle), dark = picture.rows[0][centre - 1 : centre + 1], picture.rows[-1][centre]
    if high == 1:
        ends = ("▐", f"{light}/{ground}"), ("▌", f"{middle}/{ground}")
        return [(ends[0], ("▀" * (wide - 2), f"{light}/{middle}"), ends[1])]
    upper, lower = f"▟{'█' * (wide - 2)}▙", f"▜{'█' * (wide - 2)}▛"
    return [
        ((upper[: wide // 2], f"{light}/{ground}"), (upper[wide // 2 :], f"{middle}/{ground}")),
        ((lower[:-1], f"{middle}/{ground}"), (lower[-1:], f"{dark}/{ground}")),
    ]


def rank_rows(
    board: Board, rank: int, marks: BoardMarks, brush: Brush, geometry: Geometry
) -> list[Line]:
    width, height = geometry.width, geometry.height
    cells = board.rows[rank]
    if geometry.edges and not board.has_own_notes:  # they say the same in full
        cells = tuple(replace(cell, notes=()) if cell.notes else cell for cell in cells)
    is_drawn = brush.skin is not None and (marks.trace.paths or marks.trace.signs)
    ways = marks.ways(board) if is_drawn else {}
    has_frontiers = brush.has_pixels and not brush.signs and width > SHAPE[0]
    squares = []
    for x, cell in enumerate(cells):
        way = ways.get(cell.name, "")
        sides = _frontiers(board, x, rank, marks.trace.squares) if has_frontiers else ""
        marked = marks.of(cell.name, way)._replace(sides=sides)
        ground, is_woven = cell.ground, cell.ground in brush.woven
        cell = replace(cell, ground=first_of(ground)) if is_woven else cell
        drawn = square(cell, marked, brush, width, height)
        drawn = drawn or glyphs(cell, marks, width, height, way, brush)
        squares.append(_woven(drawn, ground) if is_woven else drawn)
    if not brush.has_pixels:  # no backgrounds separate parts of the board
        squares = _bordered(squares, board, rank)
    label, role = board.ranks[rank]
    rows = []
    for at in range(height):
        text = fit(label if at == (height - 1) // 2 else "", RANKS - 1, right=True)
        spans: list[Span] = [(f"{text} ", role)]
        for drawn in squares:
            spans += drawn[at]
        rows.append([*spans, (" " * margin(board), role)])
    gone = board.outside
    if gone is not None and gone.edge in (LEFT, RIGHT) and gone.line == rank:
        is_left = gone.edge == LEFT  # where the label is: in one row before the piece
        first, wide = (height - 1) // 2 + (is_left and height > 1), RANKS
        if is_left and height == 1:
            rows[0].insert(1, ("", ""))
            rows[0][0], wide = (rows[0][0][0][:-1], role), 1
        shown = off_board(gone.cell, brush, geometry, wide, min(2, height - first), "")
        for at, line in enumerate(shown, first):
            place = height == 1 if is_left else len(rows[at]) - 1
            rows[at][place : place + 1] = line
    lines = [joined(spans) for spans in rows]
    under = [at for at, cell in enumerate(cells) if cell.sprite and cell.name == marks.cursor]
    is_shaped = brush.skin is not None and width == SHAPE[0] and height >= SHAPE[1]
    if under and is_shaped and cells[under[0]].ground:
        free = f"{EMPTY}{board.borders.upright}{board.borders.level}"
        return _with_left_corners(lines, RANKS + under[0] * width - 1, free)
    return lines


def _woven(rows: tuple[Line, ...], ground: str) -> tuple[Line, ...]:
    """Return a square with dots in the colour of the second ground on its first ground.

    Of 256 colours the dark ones are grey or loud: two of them side by side, as they are used in
    full colour, would be louder than the pieces.
    """
    first = first_of(ground)
    dots = GHOST, f"{ground}/{first}"

    def weave(cell: Span) -> Span:
        return dots if cell[0] == " " and cell[1].endswith(f"/{first}") else cell

    return tuple(joined([weave(cell) for cell in cells_of(row)]) for row in rows)


def _frontiers(board: Board, x: int, y: int, traced: frozenset[str]) -> str:
    """Return the left and upper sides at which cards of two owners meet, untouched by a step."""
    here, sides = board.rows[y][x], ""
    for side, x_next, y_next in (("l", x - 1, y), ("u", x, y - 1)):
        if x_next < 0 or y_next < 0 or not here.ground.startswith(SEAT):
            continue
        other = board.rows[y_next][x_next]
        is_border = other.ground.startswith(SEAT) and other.owner != here.owner
        if is_border and traced.isdisjoint((here.name, other.name)):
            sides += side
    return sides


EMPTY: Final = " ▌┃◂╱"  # no signs: what the margin of the narrowest squares may show besides


def _with_left_corners(rows: list[Line], at: int, free: str) -> list[Line]:
    """Close the cursor's frame in the margin of the square before: its own has no room for it."""
    made = [cells_of(row) for row in rows]
    for cells, sign in zip((made[0], made[-1]), "┏┗", strict=True):
        if cells[at][0] not in free:
            continue
        _, over, ground = cells[at][1].removesuffix(BOLD).rpartition(OVER)
        cells[at] = sign, f"cursor/{ground if over else role_of(ground).paper or 'background'}"
    return [joined(cells) for cells in made]


def _bordered(squares: list[tuple[Line, ...]], board: Board, rank: int) -> list[tuple[Line, ...]]:
    """Return a row of squares with the board's borders in free cells only."""
    borders, last = board.borders, len(squares[0]) - 1
    rows = [[cells_of(line) for line in drawn] for drawn in squares]
    for drawn in rows if rank in borders.rows else ():
        for cells in drawn[last:]:
            _draw(cells, range(len(cells)), borders.level)
    for column in borders.columns:
        for cells in rows[column]:
            _draw(cells, [len(cells) - 1], borders.upright)
    return [tuple(joined(cells) for cells in drawn) for drawn in rows]


def _draw(cells: list[Span], places: Iterable[int], sign: str) -> None:
    """Draw a border into the free ones of some cells."""
    for at in (at for at in places if cells[at][0] == " "):
        ink, over, ground = cells[at][1].removesuffix(BOLD).rpartition(OVER)
        cells[at] = (sign, f"{ROLES['border'].ink}{over}{ground}" if over else ink or ground)


def files(board: Board, which: int, brush: Brush, geometry: Geometry) -> Line:
    """Return the labels of files; without edges, beside its own a piece that went over this one.

    Without edges, a camp's name covers the half away from the piece, which the other row shows.
    """
    middle = (geometry.width + 1) // 2
    spans = [(label.rjust(middle).ljust(geometry.width), role) for label, role in board.columns]
    half, paper, gone = len(spans) // 2, "background", board.outside
    said = board.edges[which] if board.edges and not geometry.edges and geometry.labels > 1 else ()
    if len(said) == 1 and said[0][0]:
        part = replace(board, columns=board.columns[:half], outside=None)
        ((_, words),) = _edge(part, which, brush, geometry._replace(edges=1))
        paper = words[1].partition(OVER)[2].removesuffix(BOLD)
        spans = [(text, f"{role_of(role).ink}/{paper}") for text, role in spans]
        edge, line = gone[:2] if gone and gone.edge < 2 else (0, half)
        first = 0 if (which == edge) == (line >= half) else len(spans) - half
        spans[first : first + half] = [words]
    cells = cells_of(joined([(" " * RANKS, ""), *spans, (" " * margin(board), "")]))
    if gone is not None and gone.edge == which and not geometry.edges:
        start = RANKS + geometry.width * gone.line + middle
        wide = min(3, geometry.width // 2)
        (beside,) = off_board(gone.cell, brush, geometry, wide, 1, paper)
        cells[start : start + wide] = beside
    return joined(cells)


# --- Characters -------------------------------------------------------------------------------


NO_SPRITES: Final = Brush()


def glyphs(
    cell: Cell, marks: BoardMarks, width: int, height: int, way: str = "", brush: Brush = NO_SPRITES
) -> tuple[Line, ...]:
    """Return a square drawn by characters: a sign in its middle row, marks at its ends.

    With pictures its ground is shown, and no sign on an empty one.
    """
    said, is_drawn = marks.of(cell.name, way), brush.skin is not None
    way = way.replace(DOT * 2, "")
    way = way[: way.find(DOT)] or DOT if DOT in way else way  # in one row without a direction
    ground = ground_of(cell, said) if brush.has_pixels and cell.ground else ""
    if ground and not cell.aim and cell.glyph in cell.notes:  # its ink says if it is a target
        cell = replace(cell, aim=cell.glyph)
    sign = cell.aim if cell.aim and said.is_target else cell.glyph
    if ground and not cell.sprite and cell.aim != cell.glyph:
        sign = TARGET if said.is_target else " "
    is_start = any(cell.name == start for start, _ in marks.trace.paths)
    if is_start and not way and not cell.sprite:  # of a path whose arrows ASCII lacks
        said = said._replace(was_left=True)
    first, last = _ends(cell, said, is_drawn=is_drawn)
    first = CAN if ground and first == ">" else first
    if way and not cell.sprite and (said.is_under_cursor or not said.is_target):
        sign, last = way, last if said.is_under_cursor or not said.was_left else ""
    elif way and not cell.sprite:
        last = way[-1]
    struck = STRUCK if is_drawn else "x"
    is_struck = said.fallen is not None and not (cell.sprite or said.is_target)
    if is_struck:
        sign, last = struck, ""
    elif said.fallen and not cell.sprite:
        sign, last = TARGET if ground else cell.aim or "+", struck
    on_mat = cell.mat if ground and cell.sprite and said.is_under_cursor else ""
    mark = "" if is_drawn and said.is_under_cursor and width < 4 else cell.mark  # room for brackets
    left, body, right = centred(sign, mark, width, has_end=bool(last), has_start=bool(first))
    if left:
        left = (first or left[:1]) + left[1:]
    if right:
        right = right[:-1] + (last or right[-1:])
    ink = plate(said) if is_struck else _inked(cell, said, ground)
    ink = "cursor" if said.is_under_cursor and not on_mat else ink
    rows: list[Line] = [((" " * width, ink),)] * height
    is_lit = said.was_reached and not said.is_under_cursor
    at_left = said.sign[1] or (f"last/{ground}{BOLD}" if is_lit else ink)
    at_left = f"cursor/{on_mat}{BOLD}" if on_mat else at_left
    at_right = plate(said) if said.fallen and last == struck else at_left
    if first == CAN and ground:
        at_left = f"target-mark/{cell.mat or role_of(cell.role).paper or ground}"
    whole = (left[:1], at_left), (f"{left[1:]}{body}{right[:-1]}", ink), (right[-1:], at_right)
    rows[(height - 1) // 2] = joined([span for span in whole if span[0]])
    return tuple(rows)


def _inked(cell: Cell, said: Marks, ground: str) -> str:
    """Return the ink of a square on its ground; a piece has a tile in its owner's colour."""
    if not ground:
        return f"last/{BOLD}" if said.was_left and said.way and not cell.sprite else cell.role
    if said.is_chosen:
        return f"{CHOSEN}/{ground}{BOLD}"
    if said.is_capture:
        return f"capture-edge/{ground}{BOLD}"
    if not cell.sprite:
        return f"target-mark/{ground}{BOLD}" if said.is_target or said.way else f"quiet/{ground}"
    if cell.mat:
        return f"paper/{cell.mat}{BOLD}"
    ink, paper, _ = role_of(cell.role)
    return cell.role if paper else f"{ink}/{ground}{BOLD}"


def _ends(cell: Cell, said: Marks, *, is_drawn: bool) -> tuple[str, str]:
    """Return the marks at the left and right of a square; available actions first."""
    bars = BARS if is_drawn else REACHED
    if said.is_under_cursor:
        return "[", "]"
    if said.is_chosen:
        return "(", ")"
    if said.is_capture:
        return "x", "x"
    what = STRUCK if said.fallen else said.way * (bool(cell.sprite) and len(said.way) == 1)
    if not (is_drawn or what.isascii()):
        what = "x" if said.fallen else "~"
    if said.is_target and not cell.aim:
        return ">", bars[1] if said.was_reached else what or "<" * (not is_drawn)
    if said.sign[0]:
        return said.sign[0], said.sign[0]
    if said.was_reached:
        return bars[0], bars[1] if what in ("", PUT) else what
    return "", "," if said.was_left else what


def centred(
    sign: str, mark: str, width: int, *, has_end: bool = False, has_start: bool = False
) -> tuple[str, str, str]:
    """Return the text left of a square's sign, the sign with its mark, and the text right of it.

    With `has_end` there is at least one column at the right, unless the sign needs all; else with
    `has_start` at the left.
    """
    room = width - has_end
    body = sign + mark
    if width_of(body) > room:
        body = sign
    while width_of(body) > room and len(body) > 1:  # the kind of a piece matters more than its seat
        body = body[1:]
    free = width - width_of(body)
    left = free // 2 or min(free, int(has_start and not has_end))  # a sign with room stays there
    return " " * left, body, " " * (free - left)
