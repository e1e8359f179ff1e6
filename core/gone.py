"""Rules for a permanently absent player at a LAN table, chosen when the table is created."""

from __future__ import annotations

from typing import Final

WAIT: Final = "wait"  # adjourn the match until the player returns
BOT: Final = "bot"  # a bot plays their cards once all others agree that they are gone
FORFEIT: Final = "forfeit"  # they lose once all others agree that they are gone
RULES: Final = (WAIT, BOT, FORFEIT)

FEWEST: Final = 3  # terminals; with two, nobody could confirm that the other is gone
