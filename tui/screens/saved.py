"""Saved matches: the newest first, to replay or to go on with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding

from core.errors import KumiteError
from net import store
from tui.screens.base import KumiteScreen
from tui.widgets.form import Form, Row
from tui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.screen import Screen

    from core.log import Log

SHOWN: Final = 200


def going_on(log: Log, path: Path) -> Screen[None]:
    """Return the screen on which one goes on with a match: its table, or the way back to it.

    Raises:
        KumiteError: it cannot be gone on with.
    """
    if log.header.by is not None:
        from tui.screens.lobby import LobbyScreen

        return LobbyScreen.resuming(path)
    from tui.screens.table import TableScreen
    from tui.table import LocalTable

    return TableScreen(LocalTable.resume(path))


def _state(saved: store.Saved) -> str:
    """Return what stands behind a match in the list."""
    return f"  {'' if saved.is_local else 'over the LAN, '}{saved.state}"


class SavedScreen(KumiteScreen):
    """The list."""

    HELP = """\
Enter replays a match. g goes on with one that is not finished; if it was played over
the LAN, the others come back to it in the same way."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "resume", "go on", id="saved.resume"),
        Binding("escape", "back", "back", show=False, id="saved.back"),
    ]

    def compose(self) -> ComposeResult:
        """Lay out title, list, hint and keys."""
        yield Lines((("Saved matches", "title"),), id="head")
        yield Form(id="form")
        yield Lines(id="hint")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """List them."""
        self._list()

    def on_screen_resume(self) -> None:
        """Look again."""
        self._list()

    def _list(self) -> None:
        rows = [
            Row(str(one.path), one.title, str(one.path), line=((_state(one), "quiet"),))
            for one in store.newest(SHOWN)
        ]
        form = self.query_one(Form)
        form.show(rows)
        form.focus()
        self.say(form.row.help if rows else "Nothing has been played yet.", "quiet")

    @on(Form.Moved)
    def _moved(self, event: Form.Moved) -> None:
        self.say(event.row.help, "quiet")

    @on(Form.Chosen)
    def _chosen(self, event: Form.Chosen) -> None:
        from tui.screens.replay import ReplayScreen

        try:
            self.app.push_screen(ReplayScreen(store.load(Path(event.key))))
        except KumiteError as error:
            self.complain(error)

    def action_resume(self) -> None:
        """Go on with the match that is meant."""
        form = self.query_one(Form)
        if form.is_empty:
            return
        try:
            path = Path(form.row.key)
            self.app.push_screen(going_on(store.load(path), path))
        except KumiteError as error:
            self.complain(error)
