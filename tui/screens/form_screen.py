"""Screens with a heading and a form: menus, lists and match options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from kumite.core.game import SPECTATOR, Setup
from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.store import guest_mode
from kumite.tui.drawing.landscape import banner_rows
from kumite.tui.drawing.places import is_small
from kumite.tui.drawing.tabletop import miniature
from kumite.tui.look.glyphs import Look
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.play.table_model import TableModel
from kumite.tui.scenes import Scene, maker
from kumite.tui.scenes.lines import Line, plain
from kumite.tui.screens.base import KumiteScreen, fits
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.prompt import Prompt

SPACIOUS: Final = (100, 32)  # smallest columns and rows for margins
SLIM: Final = (72, 30)  # the smallest window with a picture beside a form, and its columns
PREVIEWS: Final = ((200, 102), (120, 62), SLIM)  # (screen columns, columns of the picture) pairs
BESIDE_LISTS: Final = ((200, 102), (160, 62), (120, 44))  # beside rows of many words
EDGES: Final = 4  # columns of a frame and the space in it
EDGE: Final = 4  # columns at the edges of a spacious screen
COLUMN: Final = 104  # most columns of a text, with its frame
REST: Final = 0.15  # s until it is drawn, so that no key waits for it
REST_FAR: Final = 0.6  # the same over ssh, where it costs more bytes than many keys
HIGH: Final = ((44, 12), (SPACIOUS[1], 7), (22, 4), (0, 3))  # (screen rows, banner rows) pairs


def banner(screen: KumiteScreen, title: str) -> tuple[Line, ...]:
    """Return the banner's rows and set the layout classes; () in large print, or as text."""
    columns, rows = screen.app.size
    high = next(high for least, high in HIGH if rows >= least) * (not is_small(columns, rows))
    lines = banner_rows(screen.shell.brush, title, columns, high)
    screen.set_class(bool(lines), "-framed")
    screen.set_class(bool(lines) and fits(SPACIOUS, screen.app.size), "-spacious")
    return lines


def show_banner(screen: KumiteScreen, title: str) -> None:
    screen.query_one("#banner", Lines).show(banner(screen, title))


def show_column(screen: KumiteScreen, title: str, column: Widget, columns: int = COLUMN) -> None:
    """Show the banner, and below it a column of text in the middle, at most so broad."""
    show_banner(screen, title)
    if screen.has_class("-spacious"):
        column.styles.margin = 1, max(EDGE, (screen.app.size.width - columns) // 2)
    else:
        column.styles.clear_rule("margin")


def start_scene(setup: Setup, look: Look, names: Sequence[str] = ()) -> Scene:
    """Return a match at its start, as spectators see it."""
    match = Match.begin(setup).seen_by(SPECTATOR)
    return maker(match).scene(match.state, names or default_names(setup.seats), look, None)


class Preview(Lines):
    """The picture beside a form; also a hint of more rows, or of fewer, gives it a new size."""

    class Resized(Message):
        """It has got a new size."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


class FormScreen(KumiteScreen):
    """A form below a heading; the selected row's help is shown above the keys."""

    HEADING: ClassVar[str] = ""
    HAS_PROMPT: ClassVar[bool] = False

    def compose(self) -> ComposeResult:
        yield Lines(self.heading(), id="head")
        yield Horizontal(Form(*self.rows(), id="form"), Preview(id="preview"), id="middle")
        yield Lines(id="hint")
        if self.HAS_PROMPT:
            yield Prompt(id="prompt")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        self.begin()

    @property
    def form(self) -> Form:
        return self.query_one(Form)

    @property
    def form_columns(self) -> int:
        """Return the columns of rows, or those of a whole screen before the first layout."""
        form = next(iter(self.query(Form)), None)
        return (form.size.width if form is not None else 0) or self.app.size.width - EDGES

    def heading(self) -> Line:
        """Return the title; the stylesheet hides it below a banner."""
        return ((guest_mode.suited(self.HEADING), "title"),)

    def rows(self) -> Sequence[Row]:
        raise NotImplementedError

    def begin(self) -> None:
        self.form.focus()
        self.selected(self.form.row)

    def key_said(self, binding: Binding) -> str:
        if binding.id != "form.choose" or not self.query(Form) or self.form.is_empty:
            return super().key_said(binding)
        row, arrows = self.form.row, self.shell.look.arrows
        if row.choices:
            return f"next   {arrows[0]} {arrows[1]} change"
        return "next" if row.is_text else super().key_said(binding)

    def selected(self, row: Row) -> None:
        unseen = self.form.unseen(row)
        self.hint((((f"{unseen}.  " if unseen else ""), ""), (row.help, "quiet")))

    def chosen(self, key: str) -> None:
        """Do what a row says; an error that this raises is shown."""
        raise NotImplementedError

    @on(Form.Moved)
    def _moved(self, event: Form.Moved) -> None:
        self.selected(event.row)

    @on(Form.Chosen)
    def _chosen(self, event: Form.Chosen) -> None:
        with self.complaining():
            self.chosen(event.key)


class BannerFormScreen(FormScreen):
    """A form below a banner, or below a plain title if there is no room; the title may change.

    Where there is room, the table that the selected row is about is beside the form.
    """

    PREVIEWS: ClassVar[tuple[tuple[int, int], ...]] = PREVIEWS
    _rest: Timer | None = None  # until the selected row is pictured
    _wide = 0  # columns of the picture; 0: there is no room

    def pictured(self, row: Row) -> Scene | None:  # noqa: ARG002
        """Return the table that a row is about; None: what is pictured stays."""
        return None

    def start_of(self, game_id: str) -> Scene:
        """Return the start of a game, of the first one if there is none of this name."""
        game = GAMES.get(game_id, next(iter(GAMES.values())))
        return start_scene(Setup.of(game), self.shell.look)

    def scene_of(self, table: LocalTable) -> Scene:
        return TableModel.open(table, self.shell.look).scene

    def selected(self, row: Row) -> None:
        super().selected(row)
        if self._rest is not None:
            self._rest.stop()
        rest = REST_FAR if guest_mode.is_far() else REST
        self._rest = self.set_timer(rest, self._draw_picture)

    @on(Preview.Resized)
    def _draw_picture(self) -> None:
        if not (self._wide and self.is_whole):
            return
        if (scene := self.pictured(self.form.row)) is not None:
            preview = self.query_one(Preview)
            preview.show(miniature(scene, self.shell.brush, *preview.size))

    def columns_beside(self) -> int:
        """Return the columns that there are for a picture beside the form."""
        return next((wide for least, wide in self.PREVIEWS if self.app.size.width >= least), 0)

    def _place(self) -> None:
        """Give the picture beside the form its columns."""
        self._wide = self.columns_beside() if self.has_class("-framed") else 0
        self.set_class(self._wide > 0, "-pictured")
        self.query_one(Preview).styles.width = self._wide

    def compose(self) -> ComposeResult:
        yield Lines(*banner(self, plain(self.heading())), id="banner")
        yield from super().compose()

    def on_resize(self) -> None:
        show_banner(self, plain(self.heading()))
        if self.query(Preview):
            self._place()

    def show_again(self) -> None:
        self.form.show(self.rows())
        self.show_heading()

    def show_heading(self) -> None:
        self.query_one("#head", Lines).show([self.heading()])
        show_banner(self, plain(self.heading()))
