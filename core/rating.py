"""Glicko-2 ratings: a player's strength and its uncertainty.

Source: Mark Glickman, "Example of the Glicko-2 system" (2022), steps 2 to 8; its worked example is
a test. Each match is a rating period; the deviation grows with days without a match.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

SCALE: Final = 173.7178  # points per unit of the internal scale
MIDDLE: Final = 1500.0
WIDEST: Final = 350.0  # the deviation of an unknown player
TAU: Final = 0.5  # how much the volatility may change; Glickman: 0.3 to 1.2
EXACT: Final = 1e-6  # convergence tolerance, in log volatility


@dataclass(frozen=True, slots=True)
class Rating:
    """Points, their standard deviation in points, and the volatility of the results."""

    points: float = MIDDLE
    deviation: float = WIDEST
    volatility: float = 0.06

    @property
    def is_settled(self) -> bool:
        """True if the rating is reliable; lichess calls one provisional above 110."""
        return self.deviation <= 110

    @property
    def range(self) -> tuple[int, int]:
        """The 95 % confidence interval, in points."""
        return round(self.points - 2 * self.deviation), round(self.points + 2 * self.deviation)


class Result(NamedTuple):
    """The score against one opponent: 1 won, 0 lost, between them shared or drawn."""

    opponent: Rating
    score: float


def rated(own: Rating, results: Sequence[Result]) -> Rating:
    """Return the rating after one rating period with these results."""
    if not results:
        return own
    mean, phi = (own.points - MIDDLE) / SCALE, own.deviation / SCALE
    information, surprise = 0.0, 0.0
    for opponent, score in results:
        weight, chance = _weight(opponent), _expected(own.points / SCALE, opponent)
        information += weight**2 * chance * (1 - chance)
        surprise += weight * (score - chance)
    variance = 1 / information
    volatility = _volatility(own.volatility, phi, variance, variance * surprise)
    widened = sqrt(phi**2 + volatility**2)
    after = 1 / sqrt(1 / widened**2 + information)
    points = MIDDLE + SCALE * (mean + after**2 * surprise)
    return Rating(points, min(SCALE * after, WIDEST), volatility)


def aged(own: Rating, periods: float) -> Rating:
    """Return the rating after this many rating periods without a match."""
    phi = sqrt((own.deviation / SCALE) ** 2 + max(periods, 0.0) * own.volatility**2)
    return Rating(own.points, min(SCALE * phi, WIDEST), own.volatility)


def _weight(opponent: Rating) -> float:
    """Return g of the source: how much a result counts, given the opponent's uncertainty."""
    phi = opponent.deviation / SCALE
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _expected(own: float, opponent: Rating) -> float:
    """Return E of the source; `own` on the internal scale, with the same zero as points."""
    return 1 / (1 + exp(-_weight(opponent) * (own - opponent.points / SCALE)))


def _volatility(before: float, phi: float, variance: float, change: float) -> float:
    """Return the new volatility: a root found by the Illinois method (step 5 of the source)."""
    start = log(before**2)

    def slope(x: float) -> float:
        e = exp(x)
        whole = phi**2 + variance + e
        return e * (change**2 - whole) / (2 * whole**2) - (x - start) / TAU**2

    one, other = start, _other_end(slope, start, change**2 - phi**2 - variance)
    at_one, at_other = slope(one), slope(other)
    while abs(other - one) > EXACT:
        middle = one + (one - other) * at_one / (at_other - at_one)
        at_middle = slope(middle)
        if at_middle * at_other <= 0:
            one, at_one = other, at_other
        else:
            at_one /= 2
        other, at_other = middle, at_middle
    return exp(one / 2)


def _other_end(slope: Callable[[float], float], start: float, surplus: float) -> float:
    """Return the other end of an interval that brackets the root."""
    if surplus > 0:
        return log(surplus)
    steps = 1
    while slope(start - steps * TAU) < 0:
        steps += 1
    return start - steps * TAU
