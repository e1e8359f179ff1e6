"""Ratings of bots: Elo by maximum likelihood, and confidence intervals of scores.

In the model, each seat wins with a probability proportional to 10^(rating/400) of its bot. For two
seats (or two sides, which count as one seat each) this is the usual Elo model (Bradley-Terry). For
more, a result names the winners and leaves the others unordered: that is Luce's model, which agrees
with Elo's for each pair. Shared wins and draws count as fractions of a win. Error bars are 1.96
standard errors, from the observed information.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final, TypeAlias

SURE: Final = 1.96  # standard errors: 95 % confidence
SCALE: Final = 400 / log(10)  # Elo for a factor e of strength
ENOUGH: Final = 1e-9  # convergence threshold, in units of log strength
STEPS: Final = 200

Score: TypeAlias = tuple[tuple[int, ...], tuple[float, ...]]
"""The bot in each place (a bot may have several), and the share of the win of each place."""
Matrix: TypeAlias = list[list[float]]


def wilson(points: float, matches: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a score, 0 to 1; a draw is half a point."""
    n, z = max(1, matches), SURE
    p = points / n if matches else 0.5
    if not matches:
        return 0.0, 1.0
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(max(0.0, p * (1 - p)) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo ratings with error bars; their mean is 0."""

    elo: tuple[float, ...]
    error: tuple[float, ...]  # 1.96 standard errors
    is_finite: bool  # if not, some won or lost all, and one draw was added for each pair


def ratings(bots: int, scores: Iterable[Score]) -> Ratings:
    """Return the ratings of bots 0 to `bots` - 1; each must have played."""
    grouped = Counter(scores)
    is_finite = _is_connected(bots, grouped)
    if not is_finite:
        for first in range(bots):
            for second in range(first):
                grouped[(second, first), (0.5, 0.5)] += 1
    found = [0.0] * bots
    slope, curve = _derivatives(found, grouped)
    for _ in range(STEPS):
        step = _solve(curve, slope)
        size = max(map(abs, step))
        pace = 2 / max(2.0, size)  # damped steps while far from the maximum
        found = [value + change * pace for value, change in zip(found, step, strict=True)]
        slope, curve = _derivatives(found, grouped)
        if size < ENOUGH:
            break
    variances = []
    for who in range(bots):
        unit = [float(one == who) for one in range(bots)]
        variances.append(_solve(curve, unit)[who] - 1 / bots)
    return Ratings(
        tuple(SCALE * value for value in found),
        tuple(SCALE * SURE * sqrt(max(0.0, one)) for one in variances),
        is_finite,
    )


def _is_connected(bots: int, grouped: Counter[Score]) -> bool:
    """Return whether every bot has taken points from every other, directly or through others.

    The likelihood has a finite maximum only then (Ford 1957).
    """
    better: list[set[int]] = [{who} for who in range(bots)]  # by bot: whom it took points from
    for who, parts in grouped:
        for first, part in zip(who, parts, strict=True):
            if part > 0:
                better[first].update(who)
    for by in range(bots):
        for first in range(bots):
            if by in better[first]:
                better[first] |= better[by]
    return all(len(one) == bots for one in better)


def _derivatives(values: Sequence[float], grouped: Counter[Score]) -> tuple[list[float], Matrix]:
    """Return the gradient of the log likelihood, and its negated Hessian.

    The likelihood does not determine the mean; adding 1 / bots to each element fixes it.
    """
    size = len(values)
    slope, curve = [0.0] * size, [[1 / size] * size for _ in range(size)]
    for (who, parts), times in grouped.items():
        weights = [exp(values[bot]) for bot in who]
        whole = sum(weights)
        chances = [0.0] * size
        for bot, weight, part in zip(who, weights, parts, strict=True):
            chances[bot] += weight / whole
            slope[bot] += times * (part - weight / whole)
        for bot in set(who):
            curve[bot][bot] += times * chances[bot]
            for other in set(who):
                curve[bot][other] -= times * chances[bot] * chances[other]
    return slope, curve


def _solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Solve matrix x = right for a positive definite matrix."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            for column in range(at, size + 1):
                rows[below][column] -= factor * rows[at][column]
    found = [0.0] * size
    for at in reversed(range(size)):
        known = sum(rows[at][column] * found[column] for column in range(at + 1, size))
        found[at] = (rows[at][size] - known) / rows[at][at]
    return found
