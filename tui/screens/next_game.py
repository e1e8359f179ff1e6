"""The vote on the game that a LAN table plays next."""

from __future__ import annotations

from typing import Final

from textual import on

from kumite.tui.drawing.home import GAME, Drawn, Home, voted
from kumite.tui.play.lan_table import LanTable
from kumite.tui.screens import dialog
from kumite.tui.widgets.menu import Menu

AROUND: Final = 4, 7  # columns and rows of the dialog that are not the games'


class Games(Menu):
    """The games as on the home screen, each with its votes."""

    DEFAULT_CSS = "Games { height: auto; }"

    def __init__(self, lan: LanTable) -> None:
        games, game = lan.next_games, lan.match.game.ID
        super().__init__(Home(games, game, f"{GAME}{game}", (), ()), id="form")
        self._lan = lan

    @property
    def drawn(self) -> Drawn:
        columns, rows = (all_ - less for all_, less in zip(self.app.size, AROUND, strict=True))
        return voted(self.home, self._lan.votes, self.shell.brush, self.look, columns, rows)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002
        return len(self.drawn.lines)


class NextGameScreen(dialog.Dialog):
    """Ask for a vote; the result is the id of a game."""

    MOVES = ("next",)  # tiles stand in a row, or in small windows below each other

    def __init__(self, lan: LanTable) -> None:
        can = (
            "Enter votes; most votes win, in a tie the earliest vote."
            if lan.mine
            else "The players vote."
        )
        super().__init__(tuple(dialog.lines(f"What next?{lan.cost_of_other}", (can, "quiet"))), ())
        self._lan = lan

    def choices(self) -> Games:
        return Games(self._lan)

    def show_votes(self) -> None:
        self.query_one(Games).refresh(layout=True)

    @on(Menu.Chosen)
    def _vote(self, event: Menu.Chosen) -> None:
        self.dismiss(event.key.removeprefix(GAME) if self._lan.mine else "")
