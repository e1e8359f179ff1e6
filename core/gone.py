"""What becomes of a seat whose player is gone for good; chosen when a table on the LAN is made."""

from __future__ import annotations

from typing import Final

WAIT: Final = "wait"  # the match is adjourned, until they come back
BOT: Final = "bot"  # a bot plays on from their cards, when all others say that they are gone
FORFEIT: Final = "forfeit"  # they lose, when all others say that they are gone
RULES: Final = (WAIT, BOT, FORFEIT)

FEWEST: Final = 3  # terminals; of two, neither can say that the other is gone
