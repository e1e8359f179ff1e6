"""The landscape above a screen where one sets something up, where there is room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.landscape import banner_rows
from kumite.tui.screens.form_screen import FormScreen
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual import events
    from textual.app import ComposeResult

    from kumite.tui.scenes.lines import Line
    from kumite.tui.screens.base import KumiteScreen

SPACIOUS: Final = (100, 32)  # columns and rows from which on there is a banner
HIGH: Final = ((44, 12), (SPACIOUS[1], 7))  # from so many rows on, it has so many


def banner(screen: KumiteScreen, title: str) -> tuple[Line, ...]:
    """Return a landscape with a title, and lay the screen out for it; () without room for one."""
    columns, rows = screen.app.size
    high = next((high for least, high in HIGH if rows >= least), 0)
    has_room = columns >= SPACIOUS[0] and high > 0
    lines = banner_rows(screen.shell.brush, title, columns, high) if has_room else ()
    screen.set_class(bool(lines), "-spacious")
    return lines


def show_banner(screen: KumiteScreen, title: str) -> None:
    """Show it in the lines `banner`, in the present size."""
    screen.query_one("#banner", Lines).show(banner(screen, title))


class BannerFormScreen(FormScreen):
    """A form below a landscape with a title, or below the title alone; the title may change."""

    @property
    def banner_title(self) -> str:
        """Return the title as it is now."""
        return self.HEADING

    def compose(self) -> ComposeResult:
        """Lay out the landscape, where there is room for one, and the form below it."""
        yield Lines(*banner(self, self.banner_title), id="banner")
        yield from super().compose()

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """Fit the landscape into the window."""
        show_banner(self, self.banner_title)

    def heading(self) -> Sequence[Line]:
        """Return the title, where it stands in no landscape."""
        return (((self.banner_title, "title"),),)

    def show_again(self) -> None:
        """Show title and rows as they are now."""
        self.form.show(self.rows())
        self.query_one("#head", Lines).show(self.heading())
        show_banner(self, self.banner_title)
