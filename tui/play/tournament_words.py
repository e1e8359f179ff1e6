"""Text about tournaments, shared by the screens and line mode. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kumite.core.text import listed
from kumite.core.tournament.tournament import MOST, ROBIN, Pairing, Result, Tournament, standings
from kumite.net.wire import tournament as wire
from kumite.net.wire.tournament import View

RESULTS: Final = {
    Result.OPEN: "",
    Result.FIRST: "1 : 0",
    Result.SECOND: "0 : 1",
    Result.DRAW: "½ : ½",
    Result.NEITHER: "0 : 0",
}
PODIUM: Final = "First", "Second", "Third"
STATES: Final = {  # in the list of pairings, with its role, and in full
    wire.WAITS: ("opens", "quiet", "its table opens"),
    wire.STANDS: ("plays", "key", "being played"),
    wire.TOLD: ("1 report", "key", "only one of the two has reported a result"),
    wire.DISPUTED: ("disputed", "loss", "the two terminals tell different results"),
}


def names_of(t: Tournament, pairing: Pairing) -> tuple[str, str]:
    """Return the names of a pair; the second is "" for a bye."""
    second = "" if pairing.second is None else t.players[pairing.second].shown
    return t.players[pairing.first].shown, second


def pairing_text(t: Tournament, pairing: Pairing) -> str:
    first, second = names_of(t, pairing)
    return f"{first} against {second}" if second else f"{first} has a bye"


def decisions(t: Tournament, pairing: Pairing) -> dict[Result, str]:
    """Return what the organiser can decide about a match."""
    first, second = names_of(t, pairing)
    return {
        Result.FIRST: f"{first} has won",
        Result.SECOND: f"{second} has won",
        Result.DRAW: "a draw: half a point each",
        Result.NEITHER: "not played: no point for either",
        Result.OPEN: "",
    }


def are_away(view: View, players: Sequence[int]) -> str:
    """Return that these players are away: `Bea and Cid are away`."""
    names = [view.tournament.players[one].shown for one in players]
    return f"{listed(names)} {'is' if len(names) == 1 else 'are'} away"


def missing_text(view: View) -> str:
    """Return that the opponent is away, and what helps; "" if they are here."""
    other = None if view.my_place is None else view.pairings[view.my_place].other(view.me or 0)
    if other is None or other in view.here:
        return ""
    return f"{are_away(view, (other,))}; your table waits. The organiser can decide the match."


def more_rounds(before: View | None, now: View) -> str:
    """Return why the number of rounds has changed; "" if it has not."""
    if before is None or before.tournament.planned == now.tournament.planned or now.round < 0:
        return ""
    old, new = before.tournament, now.tournament
    came = [one.shown for one in new.players[len(old.players) :]]
    why = f"{listed(came)} came in, and " if came else ""
    return f"{why}{len(new.players)} players take {new.planned} rounds instead of {old.planned}"


def too_late(t: Tournament) -> str:
    """Return why a spectator does not play."""
    if t.is_over:
        return "You came too late to play."
    if t.system == ROBIN and t.rounds:
        return "It has begun, and a round robin takes nobody later. You look on."
    full = f"All {MOST} places are taken. " * (len(t.players) >= MOST)
    return f"{full}You look on."


def from_round(t: Tournament, player: int) -> str:
    """Return when somebody plays who came during a round; "" if they play in this one."""
    is_late = t.is_running and t.pairing_of(player) is None and t.players[player].is_in
    has_more = len(t.rounds) < t.planned
    return f"You play from round {len(t.rounds) + 1} on." if is_late and has_more else ""


def over_text(t: Tournament) -> str:
    """Return the podium: `This tournament is over. First: ada and bob. Third: cid.`"""
    said = ["This tournament is over."]
    for place, called in enumerate(PODIUM, 1):
        names = [t.players[row.player].shown for row in standings(t) if row.place == place]
        said += [f"{called}: {listed(names)}."] * bool(names)
    return " ".join(said)
