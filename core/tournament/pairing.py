"""Pairings of the next round: Swiss system or round robin.

Swiss follows FIDE's Dutch system (Handbook C.04.3), simplified for small events. As long as some
round allows it, no two players meet twice, nobody gets a second bye, and nobody has one seat three
times more than the other. Within a score group the upper half meets the lower half, in order. Each
pairing is made only if the rest of the round can still be paired (the handbook's "completion").

Round robin uses the circle method in the order of Berger's tables (Handbook C.05, annex 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from hashlib import blake2b
from typing import Final, TypeAlias

from kumite.core.errors import BadSetup
from kumite.core.tournament.tournament import FEWEST, ROBIN, Pairing, Result, Round, Tournament

PRIME: Final = 2**61 - 1
MOST_ONE_SIDED: Final = 2  # largest difference between a player's first and second seats

Place: TypeAlias = "int | None"  # a player's number; None is the bye
May: TypeAlias = "Callable[[Place, Place], bool]"


class Strictness(IntEnum):
    """How strictly a round is paired; each level drops one requirement."""

    SEATS = 0  # nobody has one seat too often
    NEW = 1  # no repeated meeting and no second bye
    ANY = 2


def next_round(t: Tournament) -> Round:
    """Return the next round, or raise BadSetup if none can begin now."""
    if len(t.present) < FEWEST:
        raise BadSetup(f"a tournament takes {FEWEST} players", hint="wait until they are there")
    if t.is_running:
        raise BadSetup("this round is not over yet", hint="wait for its results, or decide them")
    if t.is_over:
        raise BadSetup("all rounds have been played", hint="begin another tournament")
    return _robin(t) if t.system == ROBIN else _swiss(t)


# --- Round robin ------------------------------------------------------------------------------


def _robin(t: Tournament) -> Round:
    """Return the next Berger round; a player who has left loses to one who is present."""
    count = len(t.players) + len(t.players) % 2
    last, begin = count - 1, len(t.rounds) * (count // 2) % (count - 1)
    pairs = [(begin, last) if len(t.rounds) % 2 == 0 else (last, begin)]
    pairs += [((begin + k) % last, (begin - k) % last) for k in range(1, count // 2)]
    return tuple(_meeting(t, *pair) for pair in pairs)


def _meeting(t: Tournament, first: int, second: int) -> Pairing:
    """Return the pairing of two players, decided at once for a bye or an absent player."""
    if len(t.players) in (first, second):
        return Pairing(min(first, second), None, Result.NEITHER)  # every player gets one
    here = t.players[first].is_in, t.players[second].is_in
    if all(here):
        return Pairing(first, second)
    result = {(True, False): Result.FIRST, (False, True): Result.SECOND}.get(here, Result.NEITHER)
    return Pairing(first, second, result, is_played=False)


# --- Swiss ------------------------------------------------------------------------------------


def _swiss(t: Tournament) -> Round:
    left = sorted(t.present, key=lambda one: (-t.points(one), one))
    odd: list[Place] = [None] * (len(left) % 2)
    may = next(
        may for strictness in Strictness if can_pair([*left, *odd], may := _rule(t, strictness))
    )
    byes = []
    if odd:  # the lowest-placed player who has had no bye
        lucky = next(
            one
            for one in sorted(left, key=lambda one: (t.has_met(one, None), -left.index(one)))
            if may(one, None) and can_pair([other for other in left if other != one], may)
        )
        left.remove(lucky)
        byes = [Pairing(lucky, None, Result.FIRST)]
    pairings: list[Pairing] = []
    while left:
        one, other = _first_pair(t, left, may)
        left = [player for player in left if player not in (one, other)]
        pairings.append(_seated(t, one, other, len(pairings)))
    return (*pairings, *byes)


def _rule(t: Tournament, strictness: Strictness) -> May:
    """Return a predicate that tells whether two players may meet at this strictness."""

    @cache  # `can_pair` asks for all pairs again and again
    def may(one: Place, other: Place) -> bool:
        if one is None:
            one, other = other, None
        if one is None:
            return False
        if strictness is not Strictness.ANY and t.has_met(one, other):
            return False
        if strictness is not Strictness.SEATS or other is None:
            return True
        leans = sum(t.seats(one)), sum(t.seats(other))
        return min(leans) < MOST_ONE_SIDED and max(leans) > -MOST_ONE_SIDED

    return may


def _first_pair(t: Tournament, left: Sequence[int], may: May) -> tuple[int, int]:
    one = left[0]
    middle = sum(t.points(other) == t.points(one) for other in left) // 2

    def wish(at: int) -> tuple[int, int, bool, int]:
        other = left[at]
        lean, its = _lean(t, one), _lean(t, other)
        behind = t.points(one) - t.points(other)
        return t.has_met(one, other), behind, lean[0] * its[0] > 0, abs(at - middle)

    for at in sorted(range(1, len(left)), key=wish):
        rest = [*left[1:at], *left[at + 1 :]]
        if may(one, left[at]) and can_pair(rest, may):
            return one, left[at]
    raise AssertionError("the round could be paired before")


def _lean(t: Tournament, player: int) -> tuple[int, int]:
    """Return a player's surplus of first seats, and the seat of their last match (1 or -1)."""
    seats = t.seats(player)
    return sum(seats), seats[-1] if seats else 0


def _seated(t: Tournament, one: int, other: int, number: int) -> Pairing:
    """Return the pairing; the first seat goes to the player who had it less often or not last."""
    lean, its = _lean(t, one), _lean(t, other)
    if lean == its:
        return Pairing(one, other) if number % 2 == 0 else Pairing(other, one)
    return Pairing(one, other) if lean < its else Pairing(other, one)


# --- Whether all can be paired ----------------------------------------------------------------


def can_pair(places: Sequence[Place], may: May) -> bool:
    """Return whether all can be paired with a permitted opponent.

    A perfect matching exists if and only if the determinant of the Tutte matrix is not the zero
    polynomial (Tutte 1947). It is evaluated at one point modulo a prime (Lovász 1979). A positive
    result is always right; for 32 players a false negative has a probability of 2^-55 and would
    only make the round less strict.
    """
    size = len(places)
    rows = [[0] * size for _ in places]
    for i in range(size):
        for j in range(i):
            if may(places[i], places[j]):
                rows[i][j] = _unlikely(i, j)
                rows[j][i] = PRIME - rows[i][j]
    while rows:
        at = next((at for at, row in enumerate(rows) if row[0]), None)
        if at is None:
            return False
        pivot = rows.pop(at)
        inverse = pow(pivot[0], -1, PRIME)
        rows = [_reduced(row, pivot, row[0] * inverse % PRIME) for row in rows]
    return size % 2 == 0


def _reduced(row: list[int], pivot: list[int], factor: int) -> list[int]:
    if not factor:
        return row[1:]
    return [(a - factor * b) % PRIME for a, b in zip(row[1:], pivot[1:], strict=True)]


@cache
def _unlikely(i: int, j: int) -> int:
    """Return a fixed pseudorandom value from 1 to PRIME - 1."""
    return 1 + int.from_bytes(blake2b(bytes((i, j)), digest_size=8).digest(), "big") % (PRIME - 1)
