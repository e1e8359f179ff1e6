"""What is said of a tournament, on the screen and in line mode alike. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.text import listed
from kumite.core.tournament.event import Result
from kumite.core.tournament.standing import standing

if TYPE_CHECKING:
    from collections.abc import Sequence

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


def away_from(board: Board, but: str = "") -> tuple[int, ...]:
    """Return who takes part in the next round and is not here, the bot called `but` apart."""
    players = board.tournament.players
    present = board.tournament.present
    return tuple(one for one in present if one not in board.here and players[one].name != but)


def are_away(board: Board, players: Sequence[int]) -> str:
    """Return that these are away: `Bea and Cid are away`."""
    names = [board.tournament.players[one].name for one in players]
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} away"


def missing_text(board: Board) -> str:
    """Return that the other one of our match is away and what helps; empty if they are here."""
    t, place = board.tournament, board.my_place
    other = None if place is None else t.rounds[-1][place].other(board.me or 0)
    if other is None or other in board.here:
        return ""
    return f"{are_away(board, (other,))}; your table waits. The organiser can decide the match."


def more_rounds(before: Board | None, now: Board) -> str:
    """Return why there are more rounds, or fewer, than there were; empty if there are not."""
    if before is None or not now.tournament.rounds:
        return ""
    old, new = before.tournament, now.tournament
    if old.planned == new.planned:
        return ""
    came = [one.name for one in new.players[len(old.players) :]]
    why = f"{listed(came)} came in, and " if came else ""
    return f"{why}{len(new.players)} players take {new.planned} rounds instead of {old.planned}"


def winner_text(board: Board) -> str:
    """Return who has won."""
    first = [row.player for row in standing(board.tournament) if row.place == 1]
    names = listed([board.tournament.players[player].name for player in first])
    return f"{names} {'has' if len(first) == 1 else 'have'} won"
