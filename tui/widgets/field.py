"""Board, picture and tray: where a table is drawn, and where one chooses with one cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from kumite.tui.drawing.grid import BoardMarks
from kumite.tui.scenes.model import Chip
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt
from kumite.tui.widgets.tray import TrayWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.widget import Widget

    from kumite.tui.scenes.model import Scene
    from kumite.tui.widgets.chooser import Chooser

SIDE: Final = 30  # columns kept for players and log, beside the field
SIDE_TEXT: Final = SIDE - 2  # columns of text in them
ABOVE_AND_BELOW: Final = 3  # rows: title, hint, keys
NOTHING: Final[frozenset[str]] = frozenset()


def around(field: Field, side: Sequence[Widget], *below: Widget) -> ComposeResult:
    """Lay out a screen: title, field and what stands beside it, what stands below it, keys.

    What belongs to a board stands at the side, before the last of what is there: so the board has
    all rows.
    """
    beside = (*side[:-1], *field.more, side[-1]) if field.is_board else side
    yield Lines(id="title")
    yield Horizontal(field, Vertical(*beside, id="side"), id="middle")
    yield from below
    yield Lines(id="keys")


class Field(Vertical):
    """Board and picture of a position that is only looked at."""

    def __init__(self, scene: Scene, *more: Widget) -> None:
        """Make room for a scene, and for those that follow it: all of one game."""
        self.is_board = scene.board.is_drawn
        self.more = (Lines(id="picture"), *more)
        super().__init__(BoardWidget(id="board"), *(() if self.is_board else self.more), id="field")

    @property
    def board(self) -> BoardWidget:
        """Return the board."""
        return self.query_one(BoardWidget)

    @property
    def picture(self) -> Lines:
        """Return what is drawn instead of a board, or below it."""
        return self.screen.query_one("#picture", Lines)

    def draw(
        self,
        scene: Scene,
        targets: frozenset[str] = NOTHING,
        chosen: frozenset[str] = NOTHING,
        reached: frozenset[str] = NOTHING,
    ) -> None:
        """Draw a scene; `targets` can be chosen, `reached` was by the last turn."""
        board = self.board
        board.display = bool(scene.board.rows)
        marks = BoardMarks("", chosen, targets, scene.captures(targets), NOTHING, reached)
        board.show(scene.board, marks)
        self.picture.show(scene.picture)

    def fit_window(self, window: Size, more_rows: int = 0) -> None:
        """Draw the board as large as a window has room for, with so many more rows below it."""
        rows = ABOVE_AND_BELOW + more_rows
        self.board.fit(Size(window.width - SIDE, window.height - rows))

    @property
    def rows_needed(self) -> int:
        """Return how many rows board and picture take."""
        size, board = self.app.size, self.board
        rows = board.get_content_height(size, size, 0) if board.display else 0
        return rows + self.picture.get_content_height(None, None, 0)


class ChoosingField(Field):
    """A field to choose in: on the board or in the tray, wherever the cursor is."""

    def __init__(self, scene: Scene) -> None:
        """Make room for a scene, and for what lies beside its board."""
        super().__init__(scene, TrayWidget(id="tray"))

    @property
    def tray(self) -> TrayWidget:
        """Return what lies beside the board."""
        return self.screen.query_one(TrayWidget)

    @property
    def is_at_tray(self) -> bool:
        """Return whether the cursor is beside the board."""
        return self.screen.focused is self.tray  # a widget's own has_focus comes later

    @property
    def has_more_below(self) -> bool:
        """Return whether something can be chosen in the tray while the cursor is on the board."""
        return not self.is_at_tray and self.tray.has_choice

    @property
    def pointed(self) -> str:
        """Return the name of what the cursor is on."""
        return (self.tray if self.is_at_tray else self.board).cursor_name

    def lay(self, scene: Scene, targets: frozenset[str], label: Callable[[str], str]) -> bool:
        """Lay the tray out; choices that have no place in the scene become chips with a label.

        Return whether anything can be chosen on the board.
        """
        cells = {cell.name for row in scene.board.rows for cell in row}
        lying = {chip.name for chip in scene.tray}
        loose = sorted(targets - cells - lying)
        more = tuple(Chip(name, label(name), "key") for name in loose)
        self.tray.show(scene.tray + more, targets)
        self.tray.display = bool(scene.tray or more)
        return bool(targets & cells)

    # --- the cursor ---------------------------------------------------------------------------
    # Moved by the screen's `set_focus`, not by the widgets' own `focus`: that comes later, and
    # would undo what has come meanwhile.

    @property
    def is_away(self) -> bool:
        """Return whether somebody is writing: then the cursor stays where it is."""
        return isinstance(self.screen.focused, Prompt)

    def take_cursor(self, *, can_board: bool) -> None:
        """Put the cursor where something can be chosen, or at least where it can stand."""
        board, tray = self.board, self.tray
        if can_board and not (self.is_at_tray and tray.has_choice):
            self.screen.set_focus(board)
        elif tray.display and (tray.has_choice or not board.has_squares):
            self.screen.set_focus(tray)
        elif board.has_squares:
            self.screen.set_focus(board)
        else:
            self.screen.set_focus(None)

    def return_cursor(self) -> None:
        """Take the cursor back from where somebody has written."""
        self.screen.set_focus(self.board if self.board.display else self.tray)

    def point(self, name: str) -> None:
        """Put the cursor on a choice."""
        where: Chooser = self.board if self.board.place(name) else self.tray
        self.screen.set_focus(where)
        where.point(name)

    def switch(self) -> None:
        """Go from the board to what lies beside it, and back."""
        if self.is_at_tray and self.board.has_squares:
            self.screen.set_focus(self.board)
        elif self.tray.display:
            self.screen.set_focus(self.tray)
        else:
            self.board.action_jump(1)

    def switch_to_choice(self) -> bool:
        """Go to what can be chosen where the cursor is not; return whether there is anything."""
        other: Chooser = self.board if self.is_at_tray else self.tray
        if not (other.display and other.has_choice):
            return False
        self.switch()
        if other.cursor_name not in other.targets:
            other.action_jump(1)
        return True
