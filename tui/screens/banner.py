"""The landscape above a screen where one sets something up, where there is room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.landscape import banner_rows
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
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
