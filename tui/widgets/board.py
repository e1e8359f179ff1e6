"""One widget a board: draws a scene's board, has the cursor, reports what was chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip

from kumite.tui.drawing.board import LABELS, centred
from kumite.tui.scenes.model import NO_BOARD, fit
from kumite.tui.widgets.bindings import choosing
from kumite.tui.widgets.chooser import Chooser

if TYPE_CHECKING:
    from textual import events
    from textual.binding import BindingType

    from kumite.tui.scenes.model import Board, Cell

CELLS: Final = ((6, 3), (4, 2), (4, 1), (3, 1), (2, 1))  # sizes of a square, the best first


class BoardWidget(Chooser):
    """Draw a board; report the square under the cursor and the chosen one. Knows no rules."""

    BINDINGS: ClassVar[list[BindingType]] = choosing("board")
    DEFAULT_CSS = """
    BoardWidget { width: auto; height: auto; background: $ground; padding: 0 1; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._board = NO_BOARD
        self._marked: frozenset[str] = frozenset()
        self._cursor = (0, 0)
        self._cell = CELLS[-1]

    # --- what is shown ------------------------------------------------------------------------

    def show(
        self, board: Board, targets: frozenset[str], marked: frozenset[str] = frozenset()
    ) -> None:
        """Show a board; `targets` can be chosen, `marked` was chosen by the last step."""
        first = not self._board.rows
        resized = [len(row) for row in board.rows] != [len(row) for row in self._board.rows]
        self._board, self._targets, self._marked = board, targets, marked
        if first or resized:
            self._cursor = board.place(board.home) or (0, 0)
            self.refresh(layout=True)
        else:
            self._keep_cursor_on_board()
            self.refresh()

    @property
    def cursor_name(self) -> str:
        """Return the square under the cursor."""
        x, y = self._cursor
        return self._board.rows[y][x].name if y < len(self._board.rows) else ""

    @property
    def has_choice(self) -> bool:
        """Return whether any square can be chosen."""
        return any(cell.name in self._targets for row in self._board.rows for cell in row)

    @property
    def has_squares(self) -> bool:
        """Return whether the cursor can stand anywhere on this board."""
        return any(cell.name for row in self._board.rows for cell in row)

    def _keep_cursor_on_board(self) -> None:
        """Bring the cursor to the nearest square, if the board has become smaller under it."""
        if self.cursor_name:
            return
        x0, y0 = self._cursor
        places = [
            (abs(x - x0) + abs(y - y0), x, y)
            for y, row in enumerate(self._board.rows)
            for x, cell in enumerate(row)
            if cell.name
        ]
        if places:
            _, *place = min(places)
            self._cursor = (place[0], place[1])

    def place(self, name: str) -> tuple[int, int] | None:
        """Return (column, row) of the square of that name."""
        return self._board.place(name)

    # --- size and drawing ---------------------------------------------------------------------

    def fit(self, space: Size) -> None:
        """Choose the largest squares with which the board fits into `space`."""
        columns, rows = len(self._board.columns), len(self._board.rows)
        taken = LABELS + len(self._board.borders.columns) + 2
        best = CELLS[-1]
        for width, height in CELLS:
            if columns * width + taken <= space.width and rows * height < space.height:
                best = (width, height)
                break
        if best != self._cell:
            self._cell = best
            self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        """Return the width of labels, squares and the borders between them."""
        return self._left(len(self._board.columns))

    def _left(self, column: int) -> int:
        """Return where a column of squares begins."""
        before = sum(border < column for border in self._board.borders.columns)
        return LABELS + column * self._cell[0] + before

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return the height of squares and labels."""
        return len(self._board.rows) * self._cell[1] + 1

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        width, height = self._cell
        row, inner = divmod(y, height)
        if row >= len(self._board.rows):
            return self._column_labels(width) if inner == 0 else Strip.blank(self.size.width)
        middle = inner == (height - 1) // 2
        label, role = self._board.ranks[row]
        text = fit(label if middle else "", LABELS - 1, right=True)
        segments = [Segment(f"{text} ", self.role_style(role))]
        borders = self._board.borders
        # Under a row a border lies in its last line; where that has the glyphs, there is no room.
        level = borders.level if row in borders.rows and 0 < inner == height - 1 else " "
        for x in range(len(self._board.columns)):
            segments.append(
                self._square(x, row, width) if middle else self._ground(x, row, width, level)
            )
            if x in borders.columns:
                segments.append(Segment(borders.upright, self.role_style("border")))
        return Strip(segments).simplify()

    def _is_under_cursor(self, x: int, row: int) -> bool:
        return (x, row) == self._cursor and self.has_focus and bool(self._board.rows[row][x].name)

    def _ground(self, x: int, row: int, width: int, level: str) -> Segment:
        """Draw a line of a square without its glyph."""
        is_here = self._is_under_cursor(x, row)
        style = self.role_style("cursor" if is_here else self._board.rows[row][x].role)
        if level != " ":
            style += Style(color=self.role_style("border").color, bold=False)
        return Segment(level * width, style)

    def _square(self, x: int, row: int, width: int) -> Segment:
        """Draw the line of a square that has its glyph."""
        cell = self._board.rows[row][x]
        if self._is_under_cursor(x, row):
            return Segment(
                _bracketed(*centred(cell, self._shown(cell), width)), self.role_style("cursor")
            )
        style = self.role_style(cell.role)
        if cell.aim and cell.name in self._targets:  # on the ground that it lies on
            style += Style(color=self.role_style("target").color)
        left, body, right = centred(cell, self._shown(cell), width)
        if cell.name in self._marked and right and width > 2:
            right = f"{right[:-1]}'"
        return Segment(left + body + right, style)

    def _shown(self, cell: Cell) -> str:
        """Return the glyph, or what is shown instead while the square can be chosen."""
        return cell.aim if cell.aim and cell.name in self._targets else cell.glyph

    def _column_labels(self, width: int) -> Strip:
        segments = [Segment(" " * LABELS, self.role_style(""))]
        for column, (label, role) in enumerate(self._board.columns):
            left = (width - 1) // 2
            text = label.rjust(left + 1).ljust(width)
            gap = " " * (column in self._board.borders.columns)
            segments.append(Segment(text + gap, self.role_style(role)))
        return Strip(segments).simplify()

    # --- the cursor ---------------------------------------------------------------------------

    def _go(self, x: int, y: int) -> None:
        if (x, y) == self._cursor:
            return
        old, self._cursor = self._cursor, (x, y)
        width, height = self._cell
        self.refresh(
            *(Region(self._left(cx), cy * height, width, height) for cx, cy in (old, self._cursor))
        )
        self.post_message(self.Hovered(self.cursor_name))

    def point(self, name: str) -> None:
        """Put the cursor on the square of that name."""
        place = self._board.place(name)
        if place is not None:
            self._go(*place)

    def action_move(self, dx: int, dy: int) -> None:
        """Move by one square; the cursor stays on the board."""
        x, y = self._cursor[0] + dx, self._cursor[1] + dy
        rows = self._board.rows
        if 0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x].name:
            self._go(x, y)

    def action_jump(self, by: int) -> None:
        """Move to the next square that can be chosen, in reading order."""
        places = [
            (y, x)
            for y, row in enumerate(self._board.rows)
            for x, cell in enumerate(row)
            if cell.name in self._targets
        ]
        if not places:
            self.post_message(self.NoneHere())
            return
        here = (self._cursor[1], self._cursor[0])
        ahead = [place for place in places if (place > here if by > 0 else place < here)]
        y, x = (ahead or places)[0 if by > 0 else -1]
        self._go(x, y)

    def on_click(self, event: events.Click) -> None:
        """Go to a clicked square; a click on the square under the cursor chooses it."""
        width, height = self._cell
        at = event.x - self.styles.padding.left
        columns = range(len(self._board.columns))
        x = next((x for x in columns if 0 <= at - self._left(x) < width), -1)
        y, rows = event.y // height, self._board.rows
        if 0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x].name:
            if (x, y) == self._cursor:
                self.action_choose()
            self._go(x, y)


def _bracketed(left: str, body: str, right: str) -> str:
    """Return a square's text with the cursor's brackets: colour alone would not do.

    Where there is no room for two, one that points; it may hide a mark or a second letter, never
    a seat.
    """
    if left and right:
        return f"[{left[1:]}{body}{right[:-1]}]"
    if right:
        return f"{body}{right[:-1]}<"
    if len(body) > 1 and cell_len(body[-1]) == 1:
        return f"{body[:-1]}<"
    return body
