"""What counts as the result of a match: what both players' terminals say, and say alike; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kumite.core.tournament.event import Result
from kumite.net.wire import hall

if TYPE_CHECKING:
    from kumite.core.tournament.event import Pairing, Tournament
    from kumite.net.wire.hall import HallTable, Reported


@dataclass(frozen=True, slots=True)
class Match:
    """What the organiser knows of a match of this round, until it is decided."""

    table: HallTable | None = None
    first: Reported | None = None  # what the terminal of the first player says
    second: Reported | None = None

    @property
    def is_agreed(self) -> bool:
        """Whether both terminals have told the same match, with the same end."""
        return self.first is not None and self.first == self.second

    def state(self, pairing: Pairing) -> int:
        """Return how it stands, see net/wire/hall.py."""
        if not pairing.is_open:
            return hall.DECIDED
        if self.first is not None and self.second is not None:
            return hall.DISPUTED
        if self.first is not None or self.second is not None:
            return hall.TOLD
        return hall.WAITS if self.table is None else hall.STANDS


def reported(
    t: Tournament, matches: tuple[Match, ...], player: int, report: Reported
) -> tuple[Tournament, tuple[Match, ...]]:
    """Return the tournament and its matches after what a player's terminal has reported.

    Nothing comes of it unless it is about their own match of this round, and that is open still;
    a result counts once both have told it, down to the digest of the last position.
    """
    place = t.pairing_of(player)
    if place is None or (report.round, report.place) != (len(t.rounds) - 1, place):
        return t, matches
    pairing = t.rounds[-1][place]
    if not pairing.is_open:
        return t, matches
    match = matches[place]
    if pairing.first == player:
        match = replace(match, first=report)
    else:
        match = replace(match, second=report)
    if match.is_agreed:
        t = t.with_result(place, Result(report.result))
    return t, (*matches[:place], match, *matches[place + 1 :])
