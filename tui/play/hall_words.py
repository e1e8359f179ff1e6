"""What is said of a tournament, on the screen and in line mode alike. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.tournament.event import Result
from kumite.core.tournament.standing import standing

if TYPE_CHECKING:
    from kumite.core.tournament.event import Pairing
    from kumite.net.hall.board import Board

RESULTS: Final = {
    Result.OPEN: "",
    Result.FIRST: "1 : 0",
    Result.SECOND: "0 : 1",
    Result.DRAW: "½ : ½",
    Result.NEITHER: "0 : 0",
}


def names_of(board: Board, pairing: Pairing) -> tuple[str, str]:
    """Return the names of two who meet; the second is empty of a bye."""
    players = board.tournament.players
    second = "" if pairing.second is None else players[pairing.second].name
    return players[pairing.first].name, second


def pairing_text(board: Board, pairing: Pairing) -> str:
    """Return who meets whom, in words."""
    first, second = names_of(board, pairing)
    return f"{first} against {second}" if second else f"{first} has a bye"


def winner_text(board: Board) -> str:
    """Return who has won."""
    first = [row.player for row in standing(board.tournament) if row.place == 1]
    names = " and ".join(board.tournament.players[player].name for player in first)
    return f"{names} {'has' if len(first) == 1 else 'have'} won"
