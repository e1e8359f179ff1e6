"""Where one begins: a new match, a LAN table, an old match, the rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from kumite.core.games import GAMES
from kumite.store import log_files
from kumite.store.library import Library
from kumite.tui.screens.form_screen import FormScreen
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.binding import BindingType
    from textual.screen import Screen

    from kumite.tui.scenes.lines import Line

NEW_LOGS: Final = 50  # that are opened before the menu stands; `Saved matches` opens the others
_MENU: Final = (
    Row("new", "New match", "At this keyboard: two to six people, or bots."),
    Row("host", "Host a LAN table", "Open a table for one to five other terminals."),
    Row("join", "Join a LAN table", "The tables that are open on this LAN."),
    Row("saved", "Saved matches", "Replay any match, or go on with an unfinished one."),
    Row("learn", "Learn", "A first lesson in each game, step by step."),
    Row("rules", "Rules", "Read how a game is played."),
    Row("settings", "Settings", "Colours, glyphs, your name."),
    Row("quit", "Quit", "Everything is saved."),
)


class HomeScreen(FormScreen):
    """The menu."""

    HELP = "Choose with the arrows and Enter. Everything in kumite works by keyboard alone."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "back", "quit", id="screen.back"),
    ]

    def heading(self) -> Sequence[Line]:
        """Return the name of the program."""
        return (("k u m i t e", "title"),), (("Japanese duels in your terminal", "quiet"),)

    def rows(self) -> Sequence[Row]:
        """Return the menu."""
        return _MENU

    def on_screen_resume(self) -> None:
        """Offer to go on with what is unfinished: a match may have been played meanwhile."""
        library = Library()
        library.read(NEW_LOGS)
        newest = next(filter(library.can_go_on, library.all()), None)
        rows = list(_MENU)
        if newest is not None:
            help_ = "The newest match that is not finished; `Saved matches` lists the others."
            line = () if newest.is_local else (("  over the LAN", "quiet"),)
            title = f"Go on: {newest.title}: {newest.players}"
            rows.insert(0, Row(f"resume {library.path(newest.name)}", title, help_, line=line))
        self.form.show(rows)
        self.form.go(rows[0].key)

    def chosen(self, key: str) -> None:
        """Go where the menu leads."""
        what, _, path = key.partition(" ")
        if what == "quit":
            self.app.exit()
        else:
            self.app.push_screen(_screen(what, path))

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


class RulesMenu(FormScreen):
    """Which game's rules to read."""

    HEADING = "Rules"
    HELP = "Choose a game to read its rules."
    BINDINGS: ClassVar[list[BindingType]] = [escape("rules.back")]

    def rows(self) -> Sequence[Row]:
        """Return the games."""
        return [Row(game.ID, game.TITLE) for game in GAMES.values()]

    def chosen(self, key: str) -> None:
        """Open the rules of a game."""
        from kumite.tui.screens.reading import RulesScreen

        self.app.push_screen(RulesScreen(key, GAMES[key].TITLE))
