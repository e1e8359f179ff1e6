"""Screens with a heading and a form: menus, lists and match options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.timer import Timer

from kumite.tui.drawing.landscape import banner_rows
from kumite.tui.drawing.tabletop import miniature
from kumite.tui.play.table_model import TableModel
from kumite.tui.scenes.lines import Line
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from kumite.tui.play.local_table import LocalTable


SPACIOUS: Final = (100, 32)  # smallest columns and rows for a banner
PICTURED: Final = 120  # minimum columns for a picture beside the form
PREVIEWS: Final = 62, 102  # columns of it; the stylesheet leaves them free
BROAD: Final = 200  # minimum columns for the larger one
AROUND: Final = 4  # rows above and below it
REST: Final = 0.15  # s until it is drawn, so that no key waits for it
HIGH: Final = ((44, 12), (SPACIOUS[1], 7))  # (screen rows, banner rows) pairs, highest first


def banner(screen: KumiteScreen, title: str) -> tuple[Line, ...]:
    """Return the banner's rows and set the layout class; () if the screen is too small for it."""
    columns, rows = screen.app.size
    high = next((high for least, high in HIGH if rows >= least), 0)
    has_room = columns >= SPACIOUS[0] and high > 0
    lines = banner_rows(screen.shell.brush, title, columns, high) if has_room else ()
    screen.set_class(bool(lines), "-spacious")
    return lines


def show_banner(screen: KumiteScreen, title: str) -> None:
    """Show the banner for the current screen size."""
    screen.query_one("#banner", Lines).show(banner(screen, title))


class FormScreen(KumiteScreen):
    """A form below a heading; the selected row's help is shown above the keys."""

    HEADING: ClassVar[str] = ""

    def compose(self) -> ComposeResult:
        yield Lines(*self.heading(), id="head")
        yield Form(*self.rows(), id="form")
        yield Lines(id="hint")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        self.begin()

    @property
    def form(self) -> Form:
        return self.query_one(Form)

    def heading(self) -> Sequence[Line]:
        return (((self.HEADING, "title"),),)

    def rows(self) -> Sequence[Row]:
        raise NotImplementedError

    def begin(self) -> None:
        self.form.focus()
        self.selected(self.form.row)

    def selected(self, row: Row) -> None:
        self.say(row.help, "quiet")

    def chosen(self, key: str) -> None:
        """Handle the chosen row.

        Raises:
            KumiteError: the action failed; the screen shows why.
        """
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

    _rest: Timer | None = None  # until the selected row is pictured

    def pictured(self, row: Row) -> LocalTable | None:  # noqa: ARG002
        """Return the table that a row is about; None: what is pictured stays."""
        return None

    def selected(self, row: Row) -> None:
        super().selected(row)
        if self._rest is not None:
            self._rest.stop()
        self._rest = self.set_timer(REST, self._draw_picture)

    def _draw_picture(self) -> None:
        columns, rows = self.app.size
        table = self.pictured(self.form.row)
        has_room = self.has_class("-spacious") and columns >= PICTURED
        self.set_class(has_room and (table is not None or self.has_class("-pictured")), "-pictured")
        if has_room and table is not None:
            scene = TableModel.open(table, self.shell.look).scene
            preview, banner = self.query_one("#preview", Lines), self.query_one("#banner")
            high = rows - banner.size.height - AROUND
            wide = PREVIEWS[columns >= BROAD]
            self.set_class(columns >= BROAD, "-broad")
            preview.styles.offset = columns - wide - 4, banner.size.height + 1
            preview.show(miniature(scene, self.shell.brush, wide, high))

    @property
    def banner_title(self) -> str:
        return self.HEADING

    def compose(self) -> ComposeResult:
        yield Lines(*banner(self, self.banner_title), id="banner")
        yield from super().compose()
        yield Lines(id="preview")

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        show_banner(self, self.banner_title)
        if self.query("#preview"):
            self.call_after_refresh(self._draw_picture)

    def heading(self) -> Sequence[Line]:
        """Return the title; the stylesheet hides it below a banner."""
        return (((self.banner_title, "title"),),)

    def show_again(self) -> None:
        self.form.show(self.rows())
        self.query_one("#head", Lines).show(self.heading())
        show_banner(self, self.banner_title)
