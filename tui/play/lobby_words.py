"""Text of a lobby, shared by the screen and line mode. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from kumite.core.bots import LISTED
from kumite.core.game import Seat
from kumite.core.players import BOT, shown_names
from kumite.core.text import listed
from kumite.net.session import events
from kumite.tui.play.terms import if_gone, terms

LOTS: Final = "A lot gives all seats when the match begins: nobody can choose it"


def terms_of(lobby: events.Lobby) -> list[str]:
    """Return what is played, whether seats are drawn, and what happens if a player is gone."""
    said = (terms(lobby.setup, lobby.clock, lobby.best_of), LOTS * lobby.has_lots)
    return [one for one in (*said, if_gone(lobby.setup, lobby.gone)) if one]


class SeatRow(NamedTuple):
    """One seat of a table before its match."""

    seat: Seat
    name: str  # who plays it, or FREE
    is_you: bool
    partners: str  # `with bea`; "" if the seat plays alone
    state: str  # READY, UNREADY, or who plays a free seat in the end
    ping: str = ""  # `12 ms`, if it is known


FREE, READY, UNREADY = "free", "ready", "not ready yet"


def seat_rows(lobby: events.Lobby, pings: Mapping[str, int]) -> list[SeatRow]:
    names, rows = shown_names(lobby.names), []
    shown = [FREE if seat in lobby.free else name for seat, name in enumerate(names)]
    seats = range(lobby.setup.seats)
    for seat in map(Seat, seats):
        guest = next((one for one in lobby.guests if seat in one.seats), None)
        is_bot = seat in lobby.bots
        if guest is None:
            state = f"or {shown_names(lobby.names[seat : seat + 1])[0]}"
        else:
            state = READY if is_bot or guest.is_ready else UNREADY
        side = {one for one in seats if lobby.setup.side_of(one) == lobby.setup.side_of(seat)}
        others = [shown[one] for one in sorted(side - {seat} - lobby.free)]
        has_partners = others and guest is not None and not lobby.has_lots
        partners = f"with {' and '.join(others)}" if has_partners else ""
        is_you = seat in lobby.guests[lobby.me].seats and not is_bot
        ping = "" if guest is None or is_bot else _ping(guest.name, pings)
        rows.append(SeatRow(seat, shown[seat], is_you, partners, state, ping))
    return rows


def _ping(name: str, pings: Mapping[str, int]) -> str:
    return f"{pings[name]} ms" if name in pings else ""


def next_bot(name: str) -> str:
    """Return the next stronger bot after `bot:easy`; the weakest after the strongest."""
    levels = [f"{BOT}{level}" for level in LISTED]
    return levels[(levels.index(name) + 1) % len(levels)] if name in levels else levels[0]


def spectators(lobby: events.Lobby, pings: Mapping[str, int]) -> list[str]:
    found = []
    for number, one in enumerate(lobby.guests):
        said = f"{one.name}{' (you)' * (number == lobby.me)} looks on"
        found += [", ".join(filter(None, (said, _ping(one.name, pings))))] * (not one.seats)
    return found


def looking_on(watchers: Sequence[str], willing: int = 0) -> str:
    """Return the names of spectators: `looks on: cid`; "" if there are none.

    The first `willing` would like to play in the next match.
    """
    names = [name or "somebody" for name in watchers]
    names[:willing] = [f"{name} (asks to play)" for name in names[:willing]]
    many = f"{len(names)} look on: " if len(names) > 1 else "looks on: "
    return f"{many}{', '.join(names)}" if names else ""


def watched(was: events.Watching, now: events.Watching) -> tuple[str, list[str]]:
    """Return who has just asked to play in the next match, and who has come or left."""
    before, after = Counter(was.names), Counter(now.names)
    new = Counter(now.names[: now.willing]) - Counter(was.names[: was.willing])
    who = listed([name or "Somebody" for name in new.elements()])
    come = [f"{name or 'Somebody'} looks on" for name in (after - before).elements()]
    left = [f"{name or 'Somebody'} looks on no longer" for name in (before - after).elements()]
    return f"{who} would like to play in the next match" * bool(who), come + left


def title(lobby: events.Lobby) -> str:
    host = lobby.guests[0].name or "the host"
    looks_on = not lobby.guests[lobby.me].seats
    table = f"{host}'s table of {lobby.setup.game.TITLE} for {lobby.setup.seats}"
    return f"Looking on at {table}" if looks_on else table


def why_not_seat(lobby: events.Lobby, seat: Seat) -> str:
    """Return why the player cannot move to a seat, or ""."""
    seats, number = lobby.setup.seats, seat + 1
    if not 0 <= seat < seats:
        return f"There are only seats 1 to {seats}."
    owner = next((at for at, one in enumerate(lobby.guests) if seat in one.seats), None)
    if seat in lobby.bots:
        return f"A bot has seat {number}."
    if owner == lobby.me:
        return f"You have seat {number} already."
    if owner == 0:  # a moved player must confirm again, which a host never does
        host = lobby.guests[0].name or "the host"
        return f"Seat {number} is the host's: only {host} can exchange it."
    if owner is not None and lobby.guests[owner].is_ready:
        who = lobby.guests[owner].name or "Somebody"
        return f"{who} is ready and keeps seat {number}."
    return ""


def waits_for(lobby: events.Lobby) -> str:
    """Return what the match waits for, or "" if it is this player's turn to start or be ready."""
    me = lobby.guests[lobby.me]
    if lobby.me == 0:
        if not any(guest.seats for guest in lobby.guests[1:]):
            return "The match can begin once someone has joined."
        return "" if lobby.can_start else "Not all are ready yet."
    if not me.seats:
        return "You look on; the host begins the match."
    return "You are ready; the host begins the match." if me.is_ready else ""


def is_connected(places: Sequence[tuple[str, str]]) -> bool:
    """True if one of these places (transport/addresses.py) is not of this computer alone."""
    return not all(place.startswith("127.") for place, _ in places)
