"""What is said in a lobby, on the screen and in line mode alike. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core import codes
from kumite.core.game import Seat
from kumite.core.players import shown_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.net.session import events


def turned_away(event: events.TurnedAway, what: str = "join") -> tuple[str, str]:
    """Return who could not come in and why, and what to do about it, if anything.

    The host's people know their own code: a wrong one is for the other side to read again.
    """
    who = event.name or "somebody"
    if event.code == codes.WRONG_CODE:
        return f"{who} tried a wrong code", ""
    if event.code == codes.NO_WATCHERS:
        return f"{who} could not look on: you have allowed nobody to", ""
    return f"{who} could not {what}: {event.text}", event.hint


def bot_names(lobby: events.Lobby) -> Mapping[Seat, str]:
    """Return what the bots at a table are called, by the seat that is theirs already.

    Of several that are alike the seats tell who is who; their numbers are still open.
    """
    return {seat: shown_names((lobby.names[seat],))[0] for seat in sorted(lobby.bots)}


def title(lobby: events.Lobby) -> str:
    """Return at whose table one is."""
    host = lobby.guests[0].name or "the host"
    looks_on = not lobby.guests[lobby.me].seats
    table = f"{host}'s table of {lobby.setup.game.TITLE} for {lobby.setup.seats}"
    return f"Looking on at {table}" if looks_on else table


def why_not_seat(lobby: events.Lobby, seat: Seat) -> str:
    """Return why one cannot move to a seat; empty if one can."""
    seats, number = lobby.setup.seats, seat + 1
    if not 0 <= seat < seats:
        return f"There are only seats 1 to {seats}."
    owner = next((at for at, one in enumerate(lobby.guests) if seat in one.seats), None)
    if seat in lobby.bots:
        return f"A bot has seat {number}."
    if owner == lobby.me:
        return f"You have seat {number} already."
    if owner == 0:  # whoever is moved has to be ready anew, which a host never says
        host = lobby.guests[0].name or "the host"
        return f"Seat {number} is the host's: only {host} can exchange it."
    if owner is not None and lobby.guests[owner].is_ready:
        who = lobby.guests[owner].name or "Somebody"
        return f"{who} is ready and keeps seat {number}."
    return ""
