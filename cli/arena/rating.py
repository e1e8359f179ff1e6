"""How good bots are, from their results: intervals of a score, and Elo.

Elo is the maximum likelihood of a model in which each seat wins with a chance in proportion to
10^(rating/400) of its bot. With two seats (or two sides, which count as one seat each) that is the
usual Elo model (Bradley and Terry's); with more, where a result names the winners and leaves the
others unordered, it is Luce's, and says of each pair what the usual model says. Shared wins and
draws are parts of a win. Error bars are 1.96 standard errors, from the observed information.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SURE: Final = 1.96  # standard errors: 95 % confidence
SCALE: Final = 400 / log(10)  # Elo for a factor e of strength
ENOUGH: Final = 1e-9  # of a rating in factors of e: the search has arrived
STEPS: Final = 200

Score: TypeAlias = tuple[tuple[int, ...], tuple[float, ...]]
"""Who played, by place (a bot may have several), and the part of the win of each place."""
Matrix: TypeAlias = list[list[float]]


def wilson(points: float, matches: int) -> tuple[float, float]:
    """Return the 95 % interval of a score, 0 to 1; a draw is half a point."""
    n, z = max(1, matches), SURE
    p = points / n if matches else 0.5
    if not matches:
        return 0.0, 1.0
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(max(0.0, p * (1 - p)) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of each bot, their mean being 0, with error bars."""

    elo: tuple[float, ...]
    error: tuple[float, ...]  # 1.96 standard errors
    is_finite: bool  # else some won or lost all: a drawn match more between each two was counted


def ratings(bots: int, scores: Iterable[Score]) -> Ratings:
    """Return the ratings of bots 0 to `bots` - 1; all must have played."""
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
        pace = 2 / max(2.0, size)  # in small steps where the curve is not what it is at the top
        found = [value + change * pace for value, change in zip(found, step, strict=True)]
        slope, curve = _derivatives(found, grouped)
        if size < ENOUGH:
            break
    variances = [_solve(curve, _unit(bots, who))[who] - 1 / bots for who in range(bots)]
    return Ratings(
        tuple(SCALE * value for value in found),
        tuple(SCALE * SURE * sqrt(max(0.0, one)) for one in variances),
        is_finite,
    )


def _unit(size: int, at: int) -> list[float]:
    return [float(index == at) for index in range(size)]


def _is_connected(bots: int, grouped: Counter[Score]) -> bool:
    """Return whether each bot has taken points from each other, if by way of others.

    Only then is the likelihood greatest at finite ratings (Ford 1957).
    """
    better: list[set[int]] = [{who} for who in range(bots)]  # who has taken a point from whom
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
    """Return the slope of the log likelihood, and its curvature's negative.

    The likelihood says nothing about the mean; 1 / bots in each element holds it where it is.
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
    """Return x with matrix x = right, for a positive definite matrix."""
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
