"""Who meets whom next: a Swiss system, or everybody everybody.

Swiss: as FIDE's Dutch system (Handbook C.04.3) in what a LAN party can feel: nobody meets anybody
twice, nobody has a second bye, and nobody sits in the same seat three times more than in the other,
as long as there is a round without that; then the upper half of those with as many points meets the
lower half, in order. Each pairing is made only if the rest of the round can still be paired, which
is what that handbook calls completion.

Round robin: the circle method in the order of Berger's tables (Handbook C.05, annex 1).
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.errors import BadSetup
from kumite.core.tournament.event import FEWEST, ROBIN, Pairing, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kumite.core.tournament.event import Round, Tournament

PRIME: Final = 2**61 - 1
MOST_ONE_SIDED: Final = 2  # times that a seat is had more often than the other

Place: TypeAlias = "int | None"  # a player, or who has nobody: None
May: TypeAlias = "Callable[[Place, Place], bool]"


class Strictness(IntEnum):
    """What a round keeps to: with each one less, but all that the next has."""

    SEATS = 0  # nobody sits too one-sidedly
    NEW = 1  # nobody meets anybody again, or has another bye
    ANY = 2


def next_round(t: Tournament) -> Round:
    """Return the next round.

    Raises:
        BadSetup: there is none: too few players, or a round goes on, or all have been played.
    """
    if len(t.present) < FEWEST:
        raise BadSetup(f"a tournament takes {FEWEST} players", hint="wait until they are there")
    if t.is_running:
        raise BadSetup("this round is not over yet", hint="wait for its results, or decide them")
    if t.is_over:
        raise BadSetup("all rounds have been played", hint="begin another tournament")
    return _robin(t) if t.system == ROBIN else _swiss(t)


# --- Round robin ------------------------------------------------------------------------------


def _robin(t: Tournament) -> Round:
    """Return Berger's round of that number; who has left loses to who has not."""
    count = len(t.players) + len(t.players) % 2
    last, begin = count - 1, len(t.rounds) * (count // 2) % (count - 1)
    pairs = [(begin, last) if len(t.rounds) % 2 == 0 else (last, begin)]
    pairs += [((begin + k) % last, (begin - k) % last) for k in range(1, count // 2)]
    return tuple(_meeting(t, *pair) for pair in pairs)


def _meeting(t: Tournament, first: int, second: int) -> Pairing:
    """Return the pairing of these two, of whom one may be nobody, or not here any longer."""
    if len(t.players) in (first, second):
        return Pairing(min(first, second), None, Result.NEITHER)  # everybody has one
    here = t.players[first].is_in, t.players[second].is_in
    if all(here):
        return Pairing(first, second)
    result = {(True, False): Result.FIRST, (False, True): Result.SECOND}.get(here, Result.NEITHER)
    return Pairing(first, second, result, is_played=False)


def _bye(player: int) -> Pairing:
    return Pairing(player, None, Result.FIRST)


# --- Swiss ------------------------------------------------------------------------------------


def _swiss(t: Tournament) -> Round:
    left = sorted(t.present, key=lambda one: (-t.points(one), one))
    odd: list[Place] = [None] * (len(left) % 2)
    may = next(
        may for strictness in Strictness if can_pair([*left, *odd], may := _rule(t, strictness))
    )
    byes = []
    if odd:  # who is last and has had none
        lucky = next(
            one
            for one in sorted(left, key=lambda one: (t.has_met(one, None), -left.index(one)))
            if may(one, None) and can_pair([other for other in left if other != one], may)
        )
        left.remove(lucky)
        byes = [_bye(lucky)]
    pairings: list[Pairing] = []
    while left:
        one, other = _first_pair(t, left, may)
        left = [player for player in left if player not in (one, other)]
        pairings.append(_seated(t, one, other, len(pairings)))
    return (*pairings, *byes)


def _rule(t: Tournament, strictness: Strictness) -> May:
    """Return which two may meet in a round that is so strict."""

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
    """Return the first of those who are left, and whom they meet."""
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
    """Return how much more often a player had the first seat, and which seat they had last."""
    seats = t.seats(player)
    return sum(seats), seats[-1] if seats else 0


def _seated(t: Tournament, one: int, other: int, number: int) -> Pairing:
    """Return the pairing: who had the first seat less often, or not the last time, has it."""
    lean, its = _lean(t, one), _lean(t, other)
    if lean == its:
        return Pairing(one, other) if number % 2 == 0 else Pairing(other, one)
    return Pairing(one, other) if lean < its else Pairing(other, one)


# --- Whether all can be paired ----------------------------------------------------------------


def can_pair(places: Sequence[Place], may: May) -> bool:
    """Return whether all can be paired with somebody they may meet.

    They can if the determinant of Tutte's matrix is not zero everywhere (Tutte 1947); it is looked
    at in one place, modulo a prime (Lovász 1979). A "yes" is always right; a wrong "no" for 32
    players has odds of 1 in 2^55, and would cost no more than a less strict round.
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
    """Return a number that has nothing to do with any other one."""
    return 1 + int.from_bytes(blake2b(bytes((i, j)), digest_size=8).digest(), "big") % (PRIME - 1)
