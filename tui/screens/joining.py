"""The tables that are open on the LAN, kept up to date, and a way to any other table."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding

from kumite.tui.screens.open_list import OpenScreen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType

    from kumite.net.transport.discovery import News
    from kumite.tui.widgets.form import Row


class JoinScreen(OpenScreen):
    """The list."""

    HEADING = "Tables on the LAN"
    HELP = """\
Tables open on this LAN are listed as they come and go. Enter joins one: its host
tells you the code. w looks on without playing.{{ A table that is not listed (some
networks do not pass such news on) is joined by the address its host shows.|}}"""
    BINDINGS: ClassVar[list[BindingType]] = [Binding("w", "watch", "look on", id="join.watch")]

    def begin(self) -> None:
        """Say that tables are looked for."""
        super().begin()
        self.say("Looking for tables ...", "quiet")

    def rows(self) -> Sequence[Row]:
        """Return the tables that have been found, and a way to any other."""
        return self.open_rows("table", self.found.values())

    def noted(self, news: News) -> None:
        """Go to the first table that is found."""
        super().noted(news)
        if len(self.found) == 1 and (key := next(iter(self.found))) == news.key:
            self.form.go(key)

    def chosen(self, key: str) -> None:
        """Join a table."""
        self.choose(key)

    def action_watch(self) -> None:
        """Look on at the selected table."""
        self.choose(self.form.row.key, is_watching=True)
