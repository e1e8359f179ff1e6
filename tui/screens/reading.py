"""Screens for reading: help and the rules of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding

from kumite.tui.export.rules_page import rules_lines
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.pager import Pager
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from kumite.core.game import Setup
    from kumite.tui.scenes.lines import Line


class ReadingScreen(KumiteScreen):
    """A page of text with search."""

    HELP = "Space turns the page, the arrows move by a line. / searches, n finds the next place."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask", "search", id="reading.search"),
        Binding("n", "find(1)", "next place", show=False, id="reading.next"),
        Binding("N", "find(-1)", "place before", show=False, id="reading.previous"),
        Binding("escape", "back", "back", show=False, id="reading.back"),
    ]

    def __init__(self, title: str, lines: tuple[Line, ...], chapter: str = "") -> None:
        """Show `lines`, starting at the heading `chapter` if it exists."""
        super().__init__()
        self.lines = lines
        self._title, self._chapter = title, chapter

    def compose(self) -> ComposeResult:
        self._pager = Pager(self.lines, self._chapter, id="page")
        yield Lines(((self._title, "title"),), id="title")
        yield self._pager
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def action_ask(self) -> None:
        self.query_one(Prompt).ask("Search:")

    @on(Prompt.Submitted)
    def _asked(self, event: Prompt.Submitted) -> None:
        self._pager.focus()
        if event.text:
            self._pager.search(event.text)
            self._tell(self._pager.find(0))

    def action_find(self, by: int) -> None:
        if self._pager.sought:
            self._tell(self._pager.find(by))
        else:
            self.action_ask()

    def _tell(self, place: tuple[int, int]) -> None:
        sought, (number, count) = self._pager.sought, place
        if count:
            self.say(f"{sought!r}: line {number} of {count} that have it; n goes on", "quiet")
        else:
            self.say(f"{sought!r} is not on this page", "loss")


class RulesScreen(ReadingScreen):
    """The rules of a game; its help shows the keys of the screen below."""

    def __init__(
        self,
        game_id: str,
        title: str,
        chapter: str = "",
        keys: tuple[Line, ...] = (),
        setup: Setup | None = None,
        names: Sequence[str] = (),
    ) -> None:
        """Show the page, adapted to a match with this `setup` and these `names`."""
        super().__init__(f"{title}: rules", (), chapter)
        self._game, self._keys, self._setup, self._names = game_id, keys, setup, names

    def compose(self) -> ComposeResult:
        """Draw the page for this terminal."""
        shell = self.shell
        self.lines = rules_lines(self._game, shell.brush, shell.look, self._setup, self._names)
        yield from super().compose()

    def on_mount(self) -> None:
        if self._keys:
            self.say("?: the keys of the table, and what each sign on it means", "quiet")

    def help_lines(self) -> tuple[Line, ...]:
        return self._keys or super().help_lines()


class HelpScreen(ReadingScreen):
    """The help and keys of the screen below."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        super().__init__("Help", lines)

    def action_help(self) -> None:
        """Do nothing: help is already open."""
