"""The board widget: draws a scene's board, has a cursor, reports chosen squares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.strip import Strip

from kumite.tui.drawing import grid
from kumite.tui.drawing.grid import BoardMarks
from kumite.tui.scenes.lines import Line
from kumite.tui.scenes.model import NO_BOARD, Board, Cell, Trace
from kumite.tui.widgets.bindings import choosing
from kumite.tui.widgets.painted import Chooser

NO_MARKS = BoardMarks()


class BoardWidget(Chooser[tuple[int, int]]):
    """Draws a board; reports the square under the cursor and the chosen one."""

    BINDINGS: ClassVar[list[BindingType]] = choosing("board")
    DEFAULT_CSS = """
    BoardWidget { width: auto; height: auto; background: $ground; padding: 0 1; }
    """

    def __init__(self, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._board = NO_BOARD
        self._marks = NO_MARKS
        self._at = 0, 0  # row and column
        self._geometry = grid.fitting(NO_BOARD, 0, 0)
        self.ghosts: Mapping[str, Cell] = {}  # squares as a step under the cursor changes them
        self._rows: dict[int, list[Line]] = {}  # cached rows of cells, by row of squares

    # --- contents -----------------------------------------------------------------------------

    def show(self, board: Board, marks: BoardMarks = NO_MARKS) -> None:
        """Show a board and its marks; the widget has its own cursor."""
        here = self.cursor_name
        resized = [len(row) for row in board.rows] != [len(row) for row in self._board.rows]
        resized |= board.outside != self._board.outside
        self._board, self._marks, self.targets = board, marks, marks.targets
        self.ghosts = {}
        self._rows.clear()
        if not here:
            self._at = self.place(board.home) or (0, 0)
        elif here != self.cursor_name:  # another part of a larger board
            self._at = self.place(here) or self._at
            if not self.cursor_name:
                self._at = self._nearest(self._named()) or self._at
        self.refresh(layout=resized)

    @property
    def trace(self) -> Trace:
        return self._marks.trace

    @property
    def cursor_name(self) -> str:
        return self._name_at(*self._at)

    def _name_at(self, y: int, x: int) -> str:
        """Return the name of the square there, "" if there is none."""
        rows = self._board.rows
        return rows[y][x].name if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else ""

    @property
    def has_squares(self) -> bool:
        return bool(self._named())

    def place(self, name: str) -> tuple[int, int] | None:
        place = self._board.place(name)
        return place and (place[1], place[0])

    def _named(self) -> list[tuple[int, int]]:
        """Return the row and column of each square, in reading order."""
        return [
            (y, x)
            for y, row in enumerate(self._board.rows)
            for x, cell in enumerate(row)
            if cell.name
        ]

    @property
    def _choices(self) -> list[tuple[int, int]]:
        return [place for place in self._named() if self._name_at(*place) in self.targets]

    def _nearest(self, places: list[tuple[int, int]]) -> tuple[int, int] | None:
        y0, x0 = self._at
        return min(places, key=lambda at: abs(at[1] - x0) + abs(at[0] - y0), default=None)

    # --- size and drawing ---------------------------------------------------------------------

    def fit(self, space: Size) -> None:
        """Choose the largest squares with which the board fits into `space`."""
        best = grid.fitting(self._board, space.width - 2, space.height)
        if best != self._geometry:
            self._geometry = best
            self._rows.clear()
            self.refresh(layout=True)

    @property
    def square_size(self) -> tuple[int, int]:
        return self._geometry.width, self._geometry.height

    @property
    def has_edges(self) -> bool:
        return bool(self._board.edges) and self._geometry.edges > 0

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return self._geometry.columns(self._board)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self._geometry.rows(self._board)

    def render_line(self, y: int) -> Strip:
        rank, inner = divmod(y - self._geometry.top, self._geometry.height)
        if 0 <= rank < len(self._board.rows):
            line = self._rank(rank)[inner]
        elif rank < 0:
            line = grid.above(self._board, self.shell.brush, self._geometry)[y]
        else:
            lower = grid.below(self._board, self.shell.brush, self._geometry)
            at = y - self._geometry.rows(self._board) + len(lower)
            line = lower[at] if at < len(lower) else ()
        return Strip([Segment(text, self.role_style(ink)) for text, ink in line]).simplify()

    def _rank(self, rank: int) -> list[Line]:
        if rank not in self._rows:
            cursor = self.cursor_name if self.has_focus else ""
            marks = replace(self._marks, cursor=cursor) if rank == self._at[0] else self._marks
            brush, geometry = self.shell.brush, self._geometry
            new = {cell.name for cell in self._board.rows[rank] if not cell.sprite}
            marks = replace(marks, targets=marks.targets - (new & self.ghosts.keys()))
            self._rows[rank] = grid.rank_rows(self._with_ghosts(rank), rank, marks, brush, geometry)
        return self._rows[rank]

    def _with_ghosts(self, rank: int) -> Board:
        rows, ghosts = self._board.rows, self.ghosts
        if not ghosts:
            return self._board
        row = tuple(ghosts.get(cell.name, cell) for cell in rows[rank])
        return replace(self._board, rows=(*rows[:rank], row, *rows[rank + 1 :]))

    def show_ghosts(self, ghosts: Mapping[str, Cell]) -> None:
        """Show some squares as a step would leave them, until the next call."""
        changed = {*ghosts, *self.ghosts} if ghosts != self.ghosts else ()
        self.ghosts = ghosts
        for place in filter(None, map(self.place, changed)):
            self._redraw_square(*place)

    def _redraw_square(self, y: int, x: int) -> None:
        self._rows.pop(y, None)
        width, height, top = self._geometry.width, self._geometry.height, self._geometry.top
        left = grid.RANKS + x * width - 1  # the cursor's frame may begin before its square
        self.refresh(Region(left, top + y * height, width + 1, height))

    def notify_style_update(self) -> None:
        self._rows.clear()
        super().notify_style_update()

    # --- the cursor ---------------------------------------------------------------------------

    def _go(self, place: tuple[int, int], *, is_told: bool = True) -> None:
        if place == self._at:
            return
        for one in (self._at, place):
            self._redraw_square(*one)
        self._at = place
        if is_told:
            self.post_message(self.Hovered(self.cursor_name))

    def point(self, name: str) -> None:
        if (place := self.place(name)) is not None:
            self._go(place)

    def follow(self, step: Trace, first: str) -> None:
        """Go with the piece that leads those moved, else with the one under the cursor.

        If neither has moved, go to the only piece that the step moved. `first`: the step's first
        part.
        """
        here, reached = self.cursor_name, (*step.reached,)
        to = (
            step.signs.get(first)
            or step.moves.get(here)
            or step.signs.get(here)
            or (reached[0] if len(reached) == 1 else "")
        )
        if (place := self.place(to)) is not None:
            self._go(place, is_told=False)

    def action_move(self, dx: int, dy: int) -> None:
        place = self._at[0] + dy, self._at[1] + dx
        if self._name_at(*place):
            self._go(place)

    def go_near(self, is_turned: bool) -> None:
        """Move to the nearest choice, after a turn of the board a piece, without a Hovered."""
        pieces = [(y, x) for y, x in self._choices if self._board.rows[y][x].sprite]
        places = pieces if is_turned and pieces else self._choices
        if (place := self._nearest(places)) is not None:
            self._go(place, is_told=False)

    def on_click(self, event: events.Click) -> None:
        """Move to a clicked square; a click on the square under the cursor chooses it."""
        x, y = self._geometry.place(event.x - self.styles.padding.left, event.y)
        if self._name_at(y, x):
            if (y, x) == self._at:
                self.action_choose()
            self._go((y, x))

    def on_focus(self) -> None:
        self._forget_cursor()

    def on_blur(self) -> None:
        self._forget_cursor()

    def _forget_cursor(self) -> None:
        self._rows.pop(self._at[0], None)
        self.refresh()
