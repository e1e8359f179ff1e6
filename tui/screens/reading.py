"""Screens to read: help with the keys, and the rules of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.binding import Binding

from kumite.core.errors import BadSetup
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.markdown import marked_down
from kumite.tui.widgets.pager import Pager
from kumite.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from kumite.tui.scenes.lines import Line

_FOLDERS: Final = (  # in a wheel the pages lie beside the screens, in a checkout in docs
    Path(__file__).resolve().parent.parent / "rules",
    Path(__file__).resolve().parent.parent.parent / "docs" / "rules",
)


def rules_text(game_id: str) -> str:
    """Return the rules page of a game, as Markdown.

    Raises:
        BadSetup: there is none.
    """
    for folder in _FOLDERS:
        path = folder / f"{game_id}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise BadSetup(f"there is no rules page for {game_id}")


class ReadingScreen(KumiteScreen):
    """Something to read, and to search in."""

    HELP = "Space turns the page, the arrows move by a line. / searches, n finds the next place."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "ask", "search", id="reading.search"),
        Binding("n", "find(1)", "next place", show=False, id="reading.next"),
        Binding("N", "find(-1)", "place before", show=False, id="reading.previous"),
        Binding("escape", "back", "back", show=False, id="reading.back"),
    ]

    def __init__(self, title: str, lines: tuple[Line, ...], chapter: str = "") -> None:
        """Show `lines`, from the heading `chapter` on if there is one."""
        super().__init__()
        self.lines = lines
        self._title = title
        self._pager = Pager(lines, chapter, id="page")

    def compose(self) -> ComposeResult:
        """Lay out title, text and keys."""
        yield Lines(((self._title, "title"),), id="title")
        yield self._pager
        yield Lines(id="hint")
        yield Prompt(id="prompt")
        yield Lines(id="keys")

    def action_ask(self) -> None:
        """Ask what to search for."""
        self.query_one(Prompt).ask("Search:")

    @on(Prompt.Submitted)
    def _asked(self, event: Prompt.Submitted) -> None:
        self._pager.focus()
        if event.text:
            self._pager.search(event.text)
            self._tell(self._pager.find(0))

    def action_find(self, by: int) -> None:
        """Go to the next place of what was searched for."""
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
    """The rules of a game, and from there the keys of the screen below."""

    def __init__(
        self, game_id: str, title: str, chapter: str = "", keys: tuple[Line, ...] = ()
    ) -> None:
        super().__init__(f"{title}: rules", marked_down(rules_text(game_id)), chapter)
        self._keys = keys

    def on_mount(self) -> None:
        """Say where the keys are."""
        if self._keys:
            self.say("?: the keys of the table, and what each sign on it means", "quiet")

    def help_lines(self) -> tuple[Line, ...]:
        """Explain the screen from which the rules were opened: that is what people look for."""
        return self._keys or super().help_lines()


class HelpScreen(ReadingScreen):
    """What one does on the screen below, and its keys."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        super().__init__("Help", lines)

    def action_help(self) -> None:
        """Do nothing: this is it."""
