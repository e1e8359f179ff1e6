"""Who stands where: points, then what the points are worth.

Ties are broken as FIDE's Handbook C.07 says: Swiss by Buchholz (the points of all whom somebody has
met), then by Sonneborn-Berger (the points of those they have beaten, and half of those they have
drawn with); round robin the other way round, then by wins. A round that somebody did not play but
has the point for counts as if against somebody with as many points as they have (article 16.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kumite.core.tournament.event import ROBIN, WIN, Result

if TYPE_CHECKING:
    from kumite.core.tournament.event import Tournament


@dataclass(frozen=True, slots=True)
class Row:
    """How a player stands."""

    place: int  # from 1; equal for those whom nothing tells apart
    player: int
    points: int  # half points
    buchholz: int  # half points
    sonneborn: int  # quarter points
    wins: int
    played: int  # matches


def standing(t: Tournament) -> tuple[Row, ...]:
    """Return how all stand, the best first."""
    points = [t.points(player) for player in range(len(t.players))]
    rows = [_row(t, player, points) for player in range(len(t.players))]
    rows.sort(key=lambda row: (*_worth(t, row), row.player))
    ranked: list[Row] = []
    for at, row in enumerate(rows):
        is_tied = bool(ranked) and _worth(t, ranked[-1]) == _worth(t, row)
        place = ranked[-1].place if is_tied else at + 1
        ranked.append(
            Row(place, row.player, row.points, row.buchholz, row.sonneborn, row.wins, row.played)
        )
    return tuple(ranked)


def _worth(t: Tournament, row: Row) -> tuple[int, ...]:
    """Return what decides the order, smaller first."""
    ties = (row.sonneborn, row.wins) if t.system == ROBIN else (row.buchholz, row.sonneborn)
    return tuple(-one for one in (row.points, *ties))


def _row(t: Tournament, player: int, points: list[int]) -> Row:
    buchholz = sonneborn = wins = played = 0
    for pairings in t.rounds:
        for one in pairings:
            if not one.has(player) or one.result is Result.OPEN:
                continue
            mine, other = one.points(player), one.other(player)
            is_match = one.is_match and other is not None
            theirs = points[other] if is_match and other is not None else points[player]
            buchholz += theirs
            sonneborn += theirs * mine
            wins += mine == WIN and is_match
            played += is_match
    return Row(0, player, points[player], buchholz, sonneborn, wins, played)


def half(points: int) -> str:
    """Return half points as people write them: `2½`."""
    return f"{points // 2 or '' if points % 2 else points // 2}{'½' * (points % 2)}"


def quarter(points: int) -> str:
    """Return quarter points as people write them: `4.25`."""
    return f"{points / 4:g}"
