"""The match that follows the lessons of a game: against a bot that lets one breathe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.players import BOT
from kumite.tui.play.local_table import LocalTable, seat_names
from kumite.tui.settings import own_name

if TYPE_CHECKING:
    from kumite.tui.shell import Shell

LEVEL: Final = "easy"


def table_after(game_id: str, shell: Shell) -> LocalTable:
    """Return a new table of a game against the bot that one plays after the lessons.

    Raises:
        KumiteError: its log cannot be written.
    """
    game = GAMES[game_id]
    seats = min(game.SEATS)
    names = [own_name(shell.settings), *[f"{BOT}{LEVEL}"] * (seats - 1)]
    return LocalTable.begin(Setup.of(game, seats), seat_names(",".join(names), seats))
