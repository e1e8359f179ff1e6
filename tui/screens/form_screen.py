"""Screens that are a heading and a form: menus, lists, what is settled before a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on

from kumite.core.errors import KumiteError
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult

    from kumite.tui.scenes.lines import Line


class FormScreen(KumiteScreen):
    """A form below a heading; the help of the selected row stands above the keys."""

    HEADING: ClassVar[str] = ""

    def compose(self) -> ComposeResult:
        """Lay out heading, form, hint and keys."""
        yield Lines(*self.heading(), id="head")
        yield Form(*self.rows(), id="form")
        yield Lines(id="hint")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Begin with the first row."""
        self.begin()

    @property
    def form(self) -> Form:
        """Return the form."""
        return self.query_one(Form)

    def heading(self) -> Sequence[Line]:
        """Return the lines above the form."""
        return (((self.HEADING, "title"),),)

    def rows(self) -> Sequence[Row]:
        """Return the rows to begin with."""
        raise NotImplementedError

    def begin(self) -> None:
        """Let the keys go to the form, and say what its first row does."""
        self.form.focus()
        self.selected(self.form.row)

    def selected(self, row: Row) -> None:
        """Say what the selected row does."""
        self.say(row.help, "quiet")

    def chosen(self, key: str) -> None:
        """Do what a row is for.

        Raises:
            KumiteError: it cannot be done; the screen says why.
        """
        raise NotImplementedError

    @on(Form.Moved)
    def _moved(self, event: Form.Moved) -> None:
        self.selected(event.row)

    @on(Form.Chosen)
    def _chosen(self, event: Form.Chosen) -> None:
        try:
            self.chosen(event.key)
        except KumiteError as error:
            self.complain(error)
