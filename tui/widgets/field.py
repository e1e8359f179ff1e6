"""Board, picture and tray: where a table is drawn, and where one chooses with one cursor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, cast

from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from kumite.tui.drawing.grid import BoardMarks
from kumite.tui.drawing.places import (
    PLAIN,
    SIDE,
    around_tabletop,
    beside_board,
    beside_words,
    frame_columns,
)
from kumite.tui.drawing.tabletop import is_laid
from kumite.tui.scenes.model import NO_TRACE, NO_VERDICT, Chip
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt
from kumite.tui.widgets.tabletop import Tabletop
from kumite.tui.widgets.tray import TrayWidget

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.widget import Widget

    from kumite.tui.drawing.places import Places
    from kumite.tui.scenes.model import Scene, Trace, Verdict
    from kumite.tui.shell import Shell
    from kumite.tui.widgets.chooser import Chooser

ABOVE_AND_BELOW: Final = 3  # rows: title, hint, keys
SIDE_TEXT: Final = SIDE - 2  # columns of text in the side panel, at least where it is not narrow
HAND: Final = 2  # rows of a hand in words
NOTHING: Final[frozenset[str]] = frozenset()
TITLES: Final = {  # of the panels at the side, where there is room for frames
    "seats": "players",
    "facts": "now",
    "tray": "choices",
    "picture": "on the board",
    "advice": "hint",
    "log": "log",
    "form": "steps",
}


def around(field: Field, side: Sequence[Widget], *below: Widget) -> ComposeResult:
    """Lay out a screen: title, field and what stands beside it, what stands below it, keys.

    What belongs to a board stands at the side, before the last of what is there: so the board has
    all rows.
    """
    beside = (*side[:-1], *field.more, side[-1]) if field.is_board else side
    for panel in beside:
        panel.border_title = TITLES.get(panel.id or "", "")
    yield Lines(id="title")
    yield Horizontal(field, Vertical(*beside, id="side"), id="middle")
    yield from below
    yield Lines(id="keys")


class Field(Vertical):
    """Board, tabletop and words of a position that is only looked at."""

    def __init__(self, scene: Scene, *more: Widget) -> None:
        """Make room for a scene, and for those that follow it: all of one game."""
        self.is_board = scene.board.is_drawn
        self.is_turned = False  # whether the board is seen from its other side
        self.more = (Lines(id="picture", folds=self.is_board), *more)
        self._scene = scene
        self._has_news = False
        self._room: tuple[Size, int] | None = None  # the window, and the rows taken below
        self._frame = 0  # columns that frames take at the side
        self.side_columns = 0  # of text at the side; 0: it is not shown, or not yet
        own = () if self.is_board else (Tabletop(id="tabletop"), *self.more)
        super().__init__(BoardWidget(id="board"), *own, id="field")

    @property
    def board(self) -> BoardWidget:
        """Return the board."""
        return self.query_one(BoardWidget)

    @property
    def picture(self) -> Lines:
        """Return what is said instead of a board, or below it."""
        return self.screen.query_one("#picture", Lines)

    @property
    def can_choose(self) -> bool:
        """Return whether there is a tray, for a hand below the table."""
        return False

    @property
    def has_hand(self) -> bool:
        """Return whether anything is in the tray now."""
        return False

    @property
    def text_columns(self) -> int:
        """Return how broad texts are at the side: as broad as it is, once it is shown."""
        return self.side_columns or SIDE_TEXT

    @property
    def is_framed(self) -> bool:
        """Return whether what stands at the side is in frames."""
        return bool(self._frame and self.side_columns)

    @property
    def is_over_stage(self) -> bool:
        """Return whether what else stands at the side covers a part of a stage."""
        return self.screen.query_one("#side").has_class("-over")

    @property
    def is_laid(self) -> bool:
        """Return whether a tabletop is shown, not a board or words."""
        return not self.is_board and is_laid(self._scene, cast("Shell", self.app).brush)

    def draw(
        self,
        scene: Scene,
        targets: frozenset[str] = NOTHING,
        chosen: frozenset[str] = NOTHING,
        trace: Trace = NO_TRACE,
        verdict: Verdict = NO_VERDICT,
    ) -> None:
        """Draw a scene; `targets` can be chosen, the last steps have left a `trace`.

        The squares of two steps that are compared have the signs of a `verdict`.
        """
        if self.is_turned:
            scene = replace(scene, board=scene.board.turned())
        shape = self._shape
        self._scene = scene
        board = self.board
        board.display = bool(scene.board.rows) and not self.is_laid
        marks = BoardMarks("", chosen, targets, scene.captures(targets), trace, verdict)
        board.show(scene.board, marks)
        if self._room is not None and self._shape != shape:
            self.fit_window(*self._room)
        if self.is_laid:
            self.query_one(Tabletop).show(scene, has_hand=self.has_hand)
        self.picture.show(scene.picture)
        self._show_picture()

    @property
    def _shape(self) -> tuple[int, int]:
        """Return how many files and ranks the board has."""
        return len(self._scene.board.columns), len(self._scene.board.ranks)

    def fit_window(self, window: Size, more_rows: int = 0) -> None:
        """Draw the table as large as a window has room for, with so many more rows below it."""
        self._room = window, more_rows
        scene, columns = self._scene, window.width
        rows = max(1, window.height - ABOVE_AND_BELOW - more_rows)
        self._frame = frame = frame_columns(columns, window.height)
        below = 0  # rows of what is written there
        if self.is_board:
            places = beside_board(scene.board, columns, rows, frame)
        elif self.is_laid:
            places = around_tabletop(scene, columns, rows, can_choose=self.can_choose, frame=frame)
        else:
            places, below = beside_words(columns, rows), len(scene.picture) + HAND
        self._put(places)
        self.board.fit(Size(places.field.width, max(1, rows - below)))
        self._show_picture()
        if not self.is_board:
            self._show_tabletop(places)

    def _show_picture(self) -> None:
        """Show what is said below a board, unless its edges say it, or all is drawn."""
        is_said = self.is_laid or self.board.has_edges
        self.picture.display = bool(self._scene.picture) and not is_said

    def tell_beside(self, has_news: bool) -> None:
        """Show the side even where it covers a part of the field, while there are news."""
        self._has_news = has_news
        side = self.screen.query_one("#side")
        if side.has_class("-over"):
            side.display = has_news
            advice = self.screen.query("#advice").results(Lines)
            # What is the case is said by the stage; a hint needs the room.
            side.set_class(any(not one.has_class("-empty") for one in advice), "-advised")

    def _put(self, places: Places) -> None:
        """Put field and side where they belong."""
        self.styles.width, self.styles.height = places.field.width, places.field.height
        side, at = self.screen.query_one("#side"), places.side
        self.side_columns = at.width - 2 - self._frame if at is not None else 0
        side.set_class(bool(self._frame), "-framed")
        side.set_class(not cast("Shell", self.app).look.is_drawn, "-ascii")
        side.set_class(at is not None and at.y > 0, "-low")
        side.set_class(places.is_over, "-over")
        side.display = at is not None and (not places.is_over or self._has_news)
        if at is not None:
            side.styles.position = "absolute"
            side.styles.offset = (at.x, at.y)
            side.styles.width = at.width
            side.styles.height = "auto" if places.is_over else at.height
            side.styles.max_height = at.height

    def _show_tabletop(self, places: Places) -> None:
        """Show what lies on the table, above the hand."""
        top = self.query_one(Tabletop)
        top.display = self.is_laid
        if self.is_laid:
            rows = places.field.height
            if places.tray is not None and (self.has_hand or self._scene.stage is None):
                rows = places.tray.y
            top.styles.height = rows
            top.show(self._scene, has_hand=self.has_hand)

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
    def can_choose(self) -> bool:
        """Return whether there is a tray, for a hand below the table."""
        return True

    @property
    def has_hand(self) -> bool:
        """Return whether a hand is to be seen: below a stage, only while one chooses from it."""
        is_resting = self._scene.stage is not None and self._scene.spread is not None
        return self.tray.display and (self.tray.has_choice or not is_resting)

    def _put(self, places: Places) -> None:
        """Put the tray where it belongs, too: below a tabletop, else where it stands anyway."""
        super()._put(places)
        self.tray.keeps = self.is_board and self.is_framed
        if self.tray.is_empty and not self.tray.keeps:
            self.tray.display = False
        if not self.is_board:
            at = places.tray
            self.tray.styles.width = PLAIN - 2 if at is None else at.width
            self.tray.styles.height = "auto" if at is None else at.height

    @property
    def is_at_tray(self) -> bool:
        """Return whether the cursor is beside the board."""
        return self.screen.focused is self.tray  # a widget's own has_focus comes later

    @property
    def pointed(self) -> str:
        """Return the name of what the cursor is on."""
        return (self.tray if self.is_at_tray else self.board).cursor_name

    def lay(
        self,
        scene: Scene,
        targets: frozenset[str],
        chosen: frozenset[str],
        label: Callable[[str], str],
    ) -> bool:
        """Lay the tray out; choices that have no place in the scene become chips with a label.

        Return whether anything can be chosen on the board.
        """
        rows = () if self.is_laid else scene.board.rows
        cells = {cell.name for row in rows for cell in row}
        lying = {chip.name for chip in scene.tray}
        loose = sorted(targets - cells - lying)
        more = tuple(Chip(name, label(name), "key") for name in loose)
        self.tray.show(scene.tray + more, targets, chosen)
        self.tray.display = bool(scene.tray or more) or (self.tray.keeps and self.tray.display)
        self.tray.display = self.has_hand if self.is_laid else self.tray.display
        return bool(targets & cells)

    # --- the cursor ---------------------------------------------------------------------------
    # Moved by the screen's `set_focus`, not by the widgets' own `focus`: that comes later, and
    # would undo what has come meanwhile.

    @property
    def is_away(self) -> bool:
        """Return whether somebody is writing: then the cursor stays where it is."""
        return any(prompt.is_open for prompt in self.screen.query(Prompt))

    def take_cursor(self, *, can_board: bool, is_new: bool) -> None:
        """Put the cursor where something can be chosen, or at least where it can stand.

        When something new is to be chosen, on the board if that is possible there; else it stays.
        """
        board, tray = self.board, self.tray
        if can_board and not (self.is_at_tray and tray.has_choice and not is_new):
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
        elif self.tray.display and not self.tray.is_empty:
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
