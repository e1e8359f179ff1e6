"""Screens to read: help with the keys, and the rules of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding

from core.errors import BadSetup
from tui.screens.base import KumiteScreen
from tui.widgets.lines import Lines
from tui.widgets.pager import Pager, marked_down

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from tui.scenes.model import Line

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
    """Something to read."""

    HELP = "Space turns the page, the arrows move by a line."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back", show=False, id="reading.back"),
    ]

    def __init__(self, title: str, lines: tuple[Line, ...]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        """Lay out title, text and keys."""
        yield Lines(((self._title, "title"),), id="title")
        yield Pager(self._lines, id="page")
        yield Lines(id="keys")


class RulesScreen(ReadingScreen):
    """The rules of a game."""

    def __init__(self, game_id: str, title: str) -> None:
        super().__init__(f"{title}: rules", marked_down(rules_text(game_id)))


class HelpScreen(ReadingScreen):
    """What one does on the screen below, and its keys."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        super().__init__("Help", lines)

    def action_help(self) -> None:
        """Do nothing: this is it."""
