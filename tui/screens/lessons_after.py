"""The match that follows the lessons of a game: against the weakest bot not beaten yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.bots import LISTED
from kumite.core.bots.anchors import ANCHORS
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.players import BOT
from kumite.store.library import Library
from kumite.store.record import record
from kumite.tui.play.local_table import LocalTable, seat_names
from kumite.tui.play.offering import weakest_unbeaten
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import own_name, own_names

if TYPE_CHECKING:
    from kumite.tui.shell import Shell

TUTORED: Final = LISTED[:2]  # bots against which newcomers have a tutor
CHECKING: Final = 0.2  # s that logs may be opened before the level stands


def level_after(game_id: str, shell: Shell) -> str:
    """Return the weakest level that one has still to beat in a game; at last the strongest."""
    library = Library()
    library.read(seconds=CHECKING)
    course = record(library.all(), own_names(shell.settings), ANCHORS).get(game_id)
    return weakest_unbeaten(course, LISTED) or LISTED[-1]


def screen_against(game_id: str, level: str, shell: Shell) -> TableScreen:
    """Return the screen of a new table against bots of a level; a tutor sits by at the first two.

    Raises:
        KumiteError: its log cannot be written.
    """
    table = table_against(game_id, level, shell)
    return TableScreen(table, wants_tutor=level in TUTORED or None)


def table_against(game_id: str, level: str, shell: Shell) -> LocalTable:
    """Return a new table of a game against bots of a level.

    Raises:
        KumiteError: its log cannot be written.
    """
    game = GAMES[game_id]
    seats = min(game.SEATS)
    names = [own_name(shell.settings), *[f"{BOT}{level}"] * (seats - 1)]
    return LocalTable.begin(Setup.of(game, seats), seat_names(",".join(names), seats))
