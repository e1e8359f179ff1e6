"""Standings: points and tie-breaks.

Ties are broken as in FIDE's Handbook C.07. Swiss: by Buchholz (the sum of the opponents' points),
then by Sonneborn-Berger (the points of beaten opponents plus half those of drawn ones). Round
robin: by Sonneborn-Berger, then by wins. An unplayed round that scored a point counts as played
against an opponent with the player's own points (article 16.4).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kumite.core.tournament.tournament import ROBIN, WIN, Tournament


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the standings."""

    place: int  # from 1; players who remain tied share a place
    player: int
    points: int  # half points
    buchholz: int  # half points
    sonneborn: int  # quarter points
    wins: int


def standings(t: Tournament) -> tuple[Row, ...]:
    """Return the standings, best player first."""
    points = [t.points(player) for player in range(len(t.players))]
    worth = _worth(t)
    rows = sorted((_row(t, player, points) for player in range(len(t.players))), key=worth)
    worths = [worth(row) for row in rows]
    pairs = zip(rows, worths, strict=True)
    return tuple(replace(row, place=worths.index(one) + 1) for row, one in pairs)


def _worth(t: Tournament) -> Callable[[Row], tuple[int, ...]]:
    """Return the sort key of rows, better rows being smaller."""
    if t.system == ROBIN:
        return lambda row: (-row.points, -row.sonneborn, -row.wins)
    return lambda row: (-row.points, -row.buchholz, -row.sonneborn)


def _row(t: Tournament, player: int, points: list[int]) -> Row:
    buchholz = sonneborn = wins = 0
    for one in t.pairings_of(player):
        if one.is_open:
            continue
        mine, other = one.points(player), one.other(player)
        theirs = points[other if one.is_match and other is not None else player]
        buchholz += theirs
        sonneborn += theirs * mine
        wins += mine == WIN and one.is_match
    return Row(0, player, points[player], buchholz, sonneborn, wins)


def half(points: int) -> str:
    """Format half points: `2½`."""
    return f"{points // 2 or '' if points % 2 else points // 2}{'½' * (points % 2)}"


def quarter(points: int) -> str:
    """Format quarter points: `4.25`."""
    return f"{points / 4:g}"
