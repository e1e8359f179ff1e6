"""Screens with a heading and a form: menus, lists and match options."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual import on

from kumite.tui.drawing.landscape import banner_rows
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from kumite.tui.scenes.lines import Line


SPACIOUS: Final = (100, 32)  # smallest columns and rows for a banner
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
    """A form below a banner, or below a plain title if there is no room; the title may change."""

    @property
    def banner_title(self) -> str:
        return self.HEADING

    def compose(self) -> ComposeResult:
        yield Lines(*banner(self, self.banner_title), id="banner")
        yield from super().compose()

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        show_banner(self, self.banner_title)

    def heading(self) -> Sequence[Line]:
        """Return the title; the stylesheet hides it below a banner."""
        return (((self.banner_title, "title"),),)

    def show_again(self) -> None:
        self.form.show(self.rows())
        self.query_one("#head", Lines).show(self.heading())
        show_banner(self, self.banner_title)
