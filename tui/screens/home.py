"""Where one begins: a new match, a LAN table, an old match, the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding

from kumite.core.errors import KumiteError
from kumite.core.games import GAMES
from kumite.store import log_files
from kumite.store.library import Library
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.form import Form, Row
from kumite.tui.widgets.lines import Lines

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.screen import Screen

NEW_LOGS: Final = 50  # that are opened before the menu stands; `Saved matches` opens the others
_MENU: Final = (
    Row("new", "New match", "At this keyboard: two to six people, or bots."),
    Row("host", "Host a LAN table", "Open a table for one to five other terminals."),
    Row("join", "Join a LAN table", "The tables that are open on this LAN."),
    Row("saved", "Saved matches", "Replay any match; the unfinished ones can be gone on with."),
    Row("learn", "Learn", "A first lesson in each game, step by step."),
    Row("rules", "Rules", "Read how a game is played."),
    Row("settings", "Settings", "Colours, glyphs, your name."),
    Row("quit", "Quit", "Everything is saved."),
)


class HomeScreen(KumiteScreen):
    """The menu."""

    HELP = "Choose with the arrows and Enter. Everything in kumite works by keyboard alone."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "back", "quit", id="screen.back"),
    ]

    def compose(self) -> ComposeResult:
        """Lay out name, menu, hint and keys."""
        yield Lines(
            (("k u m i t e", "title"),),
            (("Japanese duels in your terminal", "quiet"),),
            id="head",
        )
        yield Form(*_MENU, id="form")
        yield Lines(id="hint")
        yield Lines(id="keys")

    def on_mount(self) -> None:
        """Offer to go on with what is unfinished."""
        self.query_one(Form).focus()
        self.say(self.query_one(Form).row.help, "quiet")
        self._offer_unfinished()

    def on_screen_resume(self) -> None:
        """Look again: a match may have been played meanwhile."""
        self._offer_unfinished()

    def _offer_unfinished(self) -> None:
        library = Library()
        library.read(NEW_LOGS)
        newest = next(filter(library.can_go_on, library.all()), None)
        rows = list(_MENU)
        if newest is not None:
            help_ = "The newest match that is not finished; `Saved matches` lists the others."
            line = () if newest.is_local else (("  over the LAN", "quiet"),)
            title = f"Go on: {newest.title}: {newest.players}"
            rows.insert(0, Row(f"resume {library.path(newest.name)}", title, help_, line=line))
        form = self.query_one(Form)
        form.show(rows)
        form.go(rows[0].key)

    @on(Form.Moved)
    def _moved(self, event: Form.Moved) -> None:
        self.say(event.row.help, "quiet")

    @on(Form.Chosen)
    def _chosen(self, event: Form.Chosen) -> None:
        key, _, path = event.key.partition(" ")
        if key == "quit":
            self.app.exit()
            return
        try:
            self.app.push_screen(_screen(key, path))
        except KumiteError as error:
            self.complain(error)

    def action_back(self) -> None:
        """Quit."""
        self.app.exit()


def _screen(key: str, path: str) -> Screen[None]:  # each imports only what it needs
    if key == "resume":
        from kumite.tui.screens.saved import going_on

        return going_on(log_files.load(Path(path)), Path(path))
    if key in ("new", "host"):
        from kumite.tui.screens import setup

        return {"new": setup.NewScreen, "host": setup.HostScreen}[key]()
    if key == "join":
        from kumite.tui.screens.joining import JoinScreen

        return JoinScreen()
    if key == "saved":
        from kumite.tui.screens.saved import SavedScreen

        return SavedScreen()
    if key == "learn":
        from kumite.tui.screens.lesson import LearnScreen

        return LearnScreen()
    if key == "settings":
        from kumite.tui.screens.settings import SettingsScreen

        return SettingsScreen()
    return RulesMenu()


class RulesMenu(KumiteScreen):
    """Which game's rules to read."""

    HELP = "Choose a game to read its rules."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", show=False, id="rules.back"),
    ]

    def compose(self) -> ComposeResult:
        """Lay out the games."""
        yield Lines((("Rules", "title"),), id="head")
        yield Form(*(Row(game.ID, game.TITLE) for game in GAMES.values()), id="form")
        yield Lines(id="hint")
        yield Lines(id="keys")

    @on(Form.Chosen)
    def _chosen(self, event: Form.Chosen) -> None:
        from kumite.tui.screens.reading import RulesScreen

        try:
            self.app.push_screen(RulesScreen(event.key, GAMES[event.key].TITLE))
        except KumiteError as error:
            self.complain(error)
