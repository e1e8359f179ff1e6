"""Board, picture and tray: the main area of a table, with one cursor; the card of its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from kumite.tui.drawing.end_card import CARD, Ending, card_lines
from kumite.tui.drawing.grid import BoardMarks
from kumite.tui.drawing.places import (
    FRAME,
    PLAIN,
    SIDE,
    Place,
    Places,
    above_panels,
    around_tabletop,
    before_panels,
    beside_board,
    beside_words,
    frame_columns,
    is_small,
    with_card,
)
from kumite.tui.drawing.shelves import seat_lines
from kumite.tui.drawing.squares import SHAPE
from kumite.tui.drawing.stage import TOLD
from kumite.tui.drawing.tabletop import is_laid, tabletop_rows
from kumite.tui.scenes.lines import Line
from kumite.tui.scenes.model import NO_TRACE, NO_VERDICT, Chip, Scene, Trace, Verdict
from kumite.tui.shell import Shell
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.painted import Painted
from kumite.tui.widgets.prompt import Prompt
from kumite.tui.widgets.tray import TrayWidget

ABOVE_AND_BELOW: Final = 3  # rows: title, hint, keys
SIDE_TEXT: Final = SIDE - 2  # columns of text in a side panel of normal width
HAND: Final = 2  # rows of a hand as text
TALL: Final = 30  # rows of screen needed for a long log
SHORT_LOG: Final = 9  # rows of the log otherwise
LOG_ROWS: Final = 8 + FRAME  # and in a frame
NOTHING: Final[frozenset[str]] = frozenset()
TITLES: Final = {  # of the side panels, where they have frames
    "seats": "players",
    "facts": "now",
    "tray": "choices",
    "picture": "on the board",
    "advice": "hint",
    "log": "log",
    "form": "steps",
}


class Tabletop(Painted):
    """Draws a climb, a stage or cards, as large as the widget."""

    _scene: Scene | None = None
    _rows: tuple[Line, ...] = ()
    _drawn: object = None  # the inputs of `_rows`

    def show(self, scene: Scene) -> None:
        if scene != self._scene:
            self._scene = scene
            self.refresh()

    def rows(self) -> tuple[Line, ...]:
        if self._scene is None:
            return ()
        brush, size = self.shell.brush, self.size
        wanted = (self._scene, brush, size)
        if wanted != self._drawn:
            self._rows = tabletop_rows(self._scene, brush, size.width, size.height)
            self._drawn = wanted
        return self._rows


def around(field: Field, side: Sequence[Widget], *below: Widget) -> ComposeResult:
    """Lay out a screen: title, field with the side panels, widgets below, keys.

    The board's own panels go into the side, before the last one, so the board gets all rows.
    """
    beside = (*side[:-1], *field.more, side[-1]) if field.is_board else side
    for panel in beside:
        panel.border_title = TITLES.get(panel.id or "", "")
    yield Lines(id="title")
    yield Horizontal(field, Vertical(*beside, id="side"), id="middle")
    yield from below
    yield Lines(id="keys")


class Field(Vertical):
    """Board, tabletop and text of a position, to look at or, with a tray, to choose from.

    Both share one cursor. Use the screen's `set_focus`: the widgets' own `focus` is deferred, and
    would override later changes.
    """

    class Relaid(Message):
        """The window has become small or large: the scene must be rebuilt."""

    def __init__(self, scene: Scene, *, can_choose: bool = False, is_turned: bool = False) -> None:
        """Make room for a scene and its successors, all of one game."""
        self.is_board = scene.board.is_drawn
        self.is_turned = is_turned  # rotated by 180 degrees
        self._can_choose = can_choose
        tray = [TrayWidget(id="tray")] * can_choose
        self.more: tuple[Widget, ...] = (Lines(id="picture", folds=self.is_board), *tray)
        self._scene = scene
        self._has_news = False
        self._has_panels = False  # on request, where squares are to be large
        self._below = 0  # rows of the tray when the window was laid out
        self._more_rows: int | None = None  # below the table; None: not laid out yet
        self._frame = 0  # columns that frames take at the side
        self._is_small = False  # large print, by words and signs
        self._is_tray_away = False
        self._is_ended = False  # the card of the end stands beside the board
        self._card = Place(0, 0, 0, 0)  # where the card of the end stands
        self.side_columns = 0  # of text at the side; 0: it is not shown, or not yet
        self.side_rows = 0  # of the panels there, with their frames
        own = () if self.is_board else (Tabletop(id="tabletop"), *self.more)
        super().__init__(BoardWidget(id="board"), *own, id="field")

    @property
    def board(self) -> BoardWidget:
        return self.query_one(BoardWidget)

    @property
    def picture(self) -> Lines:
        """The text instead of a board, or below it."""
        return self.screen.query_one("#picture", Lines)

    @property
    def tray(self) -> TrayWidget:
        return self.screen.query_one(TrayWidget)

    @property
    def has_hand(self) -> bool:
        """True if a hand is visible: below a stage, only while choosing from it."""
        is_resting = self._scene.stage is not None and self._scene.spread is not None
        tray = self.tray if self._can_choose else None
        return tray is not None and tray.display and (tray.has_choice or not is_resting)

    @property
    def is_large(self) -> bool:
        """True if panels give way to larger squares and cards."""
        is_wanted = self._can_choose and cast("Shell", self.app).settings.size == "large"
        return is_wanted and not self._has_panels and not self._has_news

    def toggle_panels(self) -> None:
        """Show the panels beside smaller squares, or larger squares again."""
        self._has_panels = not self._has_panels
        self._refit()

    def _tray_rows(self, columns: int) -> int:
        size, tray = self.app.size, self.tray
        self._below = 0 if tray.is_empty else tray.get_content_height(size, size, columns - 2)
        return self._below

    @property
    def text_columns(self) -> int:
        return self.side_columns or SIDE_TEXT

    def seat_lines(self, scene: Scene) -> tuple[Line, ...]:
        """Return the panel of the players, with their pieces where there is room."""
        brush, rows = cast("Shell", self.app).brush, self.app.size.height - ABOVE_AND_BELOW
        rows, has_room = rows - self._frame, self.is_framed
        return seat_lines(scene, brush, self.side_columns, rows, has_portraits=has_room)

    def facts(self, scene: Scene) -> tuple[Line, ...]:
        """Return the facts that the table itself does not show."""
        if scene.stage is not None and self.is_laid:
            return scene.stage.facts
        has_letters = bool(scene.board.rows) and self.board.square_size[0] < SHAPE[0]
        return scene.facts + scene.marks + scene.letters * has_letters

    @property
    def is_framed(self) -> bool:
        return bool(self._frame and self.side_columns)

    @property
    def is_over_stage(self) -> bool:
        """True if the side panels cover part of a stage."""
        return self.screen.query_one("#side").has_class("-over")

    @property
    def is_laid(self) -> bool:
        """True if a tabletop is shown instead of a board or text."""
        if self.is_board or self._is_small:
            return False
        return is_laid(self._scene, cast("Shell", self.app).brush)

    @property
    def tells_last(self) -> bool:
        """True if a stage has room for the last step in words, as soon as no hand lies below it."""
        return self.is_laid and self.size.height >= TOLD

    def draw(
        self,
        scene: Scene,
        targets: frozenset[str] = NOTHING,
        chosen: frozenset[str] = NOTHING,
        trace: Trace = NO_TRACE,
        verdict: Verdict = NO_VERDICT,
    ) -> None:
        """Draw a scene with available `targets`, the last steps' `trace`, and compared steps."""
        if self.is_turned:
            scene = replace(scene, board=scene.board.turned())
        shape = self._shape
        self._scene = scene
        board = self.board
        board.display = bool(scene.board.rows) and not self.is_laid
        marks = BoardMarks("", chosen, targets, scene.captures(targets), trace, verdict)
        board.show(scene.board, marks)
        if self._shape != shape:
            self._refit()
        if self.is_laid:
            self.query_one(Tabletop).show(scene)
        self.picture.show(scene.picture)
        self._show_picture()

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self._scene.board.columns), len(self._scene.board.ranks)

    def make_room(self, *, is_ended: bool) -> Place | None:
        """Return the place of the end card in cells of the window; None: it has no window."""
        if self._more_rows is None:
            return None
        if is_ended != self._is_ended:
            self._is_ended = is_ended
            self._refit()
        return self._card._replace(y=self._card.y + 1)

    def _refit(self) -> None:
        if self._more_rows is not None:
            self.fit_window(self._more_rows)

    def fit_window(self, more_rows: int = 0) -> None:
        """Draw the table as large as fits into the window with `more_rows` below it."""
        self._more_rows, window = more_rows, self.app.size
        before, self._is_small = self._is_small, is_small(*window)
        if before != self._is_small:  # cards become words, or words cards
            self.board.display = bool(self._scene.board.rows) and not self.is_laid
            self.post_message(self.Relaid())
        rows = max(1, window.height - ABOVE_AND_BELOW - more_rows)
        self._frame = frame_columns(*window)
        places, below = self._places(window.width, rows)
        board = self._scene.board if self.is_board else None
        if self._is_ended:
            places, self._card = with_card(board, window.width, rows, places, CARD)
        if places.is_bare:
            self._frame = 0
        self._put(places)
        self.board.fit(Size(places.field.width, max(1, places.field.height - below)))
        self._show_picture()
        if not self.is_board:
            self._show_tabletop(places)

    def _places(self, columns: int, rows: int) -> tuple[Places, int]:
        """Return where things stand, and the rows of what is written below the board."""
        scene, frame = self._scene, self._frame
        if self.is_board:
            usual = beside_board(scene.board, columns, rows, frame)
            usual = above_panels(scene.board, columns, rows, usual)
            if not self.is_large:
                return usual, 0
            return before_panels(scene.board, columns, rows, self._tray_rows(columns), usual), 0
        if self.is_laid:
            can = {"can_choose": self._can_choose, "has_side": not self.is_large}
            return around_tabletop(scene, columns, rows, frame=frame, **can), 0
        return beside_words(columns, rows), len(scene.picture) + HAND

    def _show_picture(self) -> None:
        """Show the text below a board, unless its edges or the tabletop replace it."""
        is_said = self.is_laid or self.board.has_edges or self.screen.query("#side.-tray")
        self.picture.display = bool(self._scene.picture) and not is_said

    def show_side(self, has_news: bool) -> None:
        """Show the side panels over the field while there are news."""
        was_large, self._has_news = self.is_large, has_news
        if was_large != self.is_large:
            self._refit()
        side = self.screen.query_one("#side")
        if side.has_class("-over"):
            side.display = has_news and not self._is_ended
        self.make_way()

    def make_way(self) -> None:
        """Hide the facts, and then the players, while a hint has no room beside them."""
        size, side = self.app.size, self.screen.query_one("#side")
        gap = FRAME if self.is_framed else 1
        needed = {
            panel.id: panel.get_content_height(size, size, self.text_columns) + gap
            for panel in side.query("#seats, #facts, #advice, #tray")
            if panel.id != "seats" or not side.has_class("-low")
        }
        has_advice, over = needed["advice"] > gap, sum(needed.values()) - 2 - side.size.height
        side.set_class(has_advice and (over > 0 or side.has_class("-over")), "-advised")
        side.set_class(has_advice and over > needed["facts"], "-crowded")

    def _put(self, places: Places) -> None:
        self.styles.width, self.styles.height = places.field.width, places.field.height
        side, at = self.screen.query_one("#side"), places.side
        side.set_class(self._is_small, "-small")
        padding = 0 if self._is_small else 2
        self.side_columns = at.width - padding - self._frame if at is not None else 0
        self.side_rows = at.height if at is not None else 0
        # A full page of the log is redrawn in one go, so small screens get small pages.
        most = LOG_ROWS if self.is_framed else None
        for log in side.query("#log"):
            log.styles.max_height = SHORT_LOG if self.app.size.height < TALL else most
        side.set_class(bool(self._frame), "-framed")
        side.set_class(not cast("Shell", self.app).look.is_drawn, "-ascii")
        side.set_class(at is not None and at.y > 0 and not self.is_board, "-low")
        side.set_class(places.is_bare, "-tray")
        side.set_class(places.is_over, "-over")
        side.display = at is not None and not self._is_ended
        side.display &= not places.is_over or self._has_news
        if at is not None:
            side.styles.position = "absolute"
            side.styles.offset = (at.x, at.y)
            side.styles.width = at.width
            side.styles.height = "auto" if places.is_over else at.height
            side.styles.max_height = at.height
        if self._can_choose:
            self._put_tray(places)

    def _put_tray(self, places: Places) -> None:
        """Place the tray: below a tabletop, else at the side."""
        tray, at = self.tray, places.tray
        tray.keeps = self.is_board and self.is_framed
        self._is_tray_away = self._is_ended and at is None  # the card has taken its room
        if self.is_laid:
            tray.display = not tray.is_empty  # which `has_hand` asks
            tray.display = self.has_hand and not self._is_tray_away
        if tray.is_empty and not tray.keeps:
            tray.display = False
        if not self.is_board:
            words = min(PLAIN, places.field.width) - 2
            tray.styles.width = words if at is None else at.width
            tray.styles.height = "auto" if at is None else at.height

    def _show_tabletop(self, places: Places) -> None:
        top = self.query_one(Tabletop)
        top.display = self.is_laid
        if self.is_laid:
            rows = places.field.height
            if places.tray is not None and (self.has_hand or self._scene.stage is None):
                rows = places.tray.y
            top.styles.height = rows
            top.show(self._scene)

    @property
    def rows_needed(self) -> int:
        size, board = self.app.size, self.board
        rows = board.get_content_height(size, size, 0) if board.display else 0
        return rows + self.picture.get_content_height(None, None, 0)

    # --- choosing -----------------------------------------------------------------------------

    @property
    def is_at_tray(self) -> bool:
        return self.screen.focused is self.tray  # a widget's own has_focus comes later

    @property
    def pointed(self) -> str:
        return (self.tray if self.is_at_tray else self.board).cursor_name

    def lay(
        self,
        scene: Scene,
        targets: frozenset[str],
        chosen: frozenset[str],
        chips: Callable[[frozenset[str]], tuple[Chip, ...]],
    ) -> bool:
        """Fill the tray, adding chips for loose choices; return True if the board has choices."""
        rows = () if self.is_laid else scene.board.rows
        cells = {cell.name for row in rows for cell in row}
        lying = {chip.name for chip in scene.tray}
        more = chips(targets - cells - lying)
        self.tray.is_beside = bool(cells)
        self.tray.show(scene.tray + more, targets, chosen)
        self.tray.display = bool(scene.tray or more) or (self.tray.keeps and self.tray.display)
        if self.is_laid:
            self.tray.display = self.has_hand and not self._is_tray_away
        if self.is_board and self.is_large:
            below = self._below
            if below != self._tray_rows(self.app.size.width):
                self._refit()
        return bool(targets & cells)

    @property
    def is_away(self) -> bool:
        """True if a prompt is open, so that the cursor must not move."""
        return any(prompt.is_open for prompt in self.screen.query(Prompt))

    def take_cursor(self, *, can_board: bool, is_new: bool) -> None:
        """Move the cursor to a choice, on the board for a new one, or to any square."""
        board, tray = self.board, self.tray
        if can_board and not (self.is_at_tray and tray.has_choice and not is_new):
            self.screen.set_focus(board)
        elif tray.display and (tray.has_choice or not board.has_squares):
            self.screen.set_focus(tray)
        elif board.has_squares:
            self.screen.set_focus(board)
        else:
            self.screen.set_focus(None)

    def point(self, name: str) -> None:
        where = self.board if self.board.place(name) else self.tray
        self.screen.set_focus(where)
        where.point(name)

    @property
    def across(self) -> BoardWidget | TrayWidget | None:
        """Return what Tab leads to: the board, or the tray if it has something to choose."""
        board, tray = self.board, self.tray
        if not (board.display and board.has_squares):
            return None
        if self.is_at_tray:
            return board
        return tray if tray.display and tray.has_choice else None

    def switch(self) -> None:
        if self.is_at_tray and self.board.has_squares:
            self.screen.set_focus(self.board)
        elif self.tray.display and not self.tray.is_empty:
            self.screen.set_focus(self.tray)
        else:
            self.board.action_jump(1)

    def jump(self) -> None:
        """Move the cursor to the next choice."""
        (self.tray if self.is_at_tray else self.board).action_jump(1)

    def jump_on(self, by: int) -> None:
        """Move the cursor to the choices of the other widget, or round to those of this one."""
        here, other = (self.tray, self.board) if self.is_at_tray else (self.board, self.tray)
        if other.display and other.has_choice:
            self.switch()
            other.enter(by)
        else:
            here.enter(by)


class EndCard(Painted):
    """The result of a match, in place of the side panels; closing it shows players and log."""

    DEFAULT_CSS = "EndCard { layer: card; display: none; background: $background; }"

    _lines: Sequence[Line] = ()

    def show(self, ending: Ending | None) -> None:
        field = self.screen.query_one(Field)
        place = field.make_room(is_ended=ending is not None)
        self._lines = ()
        if ending is not None and place is not None:
            brush, look = self.shell.brush, self.look
            self._lines = card_lines(ending, brush, look, place.width, place.height)
            if not self._lines:  # it does not fit
                field.make_room(is_ended=False)
        self.display = bool(self._lines)
        if self._lines and place is not None:
            self.styles.width, self.styles.height = place.width, place.height
            self.styles.offset = (place.x, place.y)
            self.refresh(layout=True)

    def rows(self) -> Sequence[Line]:
        return self._lines
