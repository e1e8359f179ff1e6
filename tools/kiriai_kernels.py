"""The inner loops of the Kiri-ai solver, compiled by numba; only the solver imports this module.

A position is an index into a slot (`base` of table.py). A *holding* is what is known about the
special cards: mine, and one or two that the opponent may hold. Specials are numbered 0 to 2, and 3
is none. Plans are listed by card aside and special, those without a special first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

import numba
import numpy as np

F = TypeVar("F", bound="Callable[..., Any]")
Array = Any  # a numpy array
LOST: Final = -1
WON: Final = -2


class Rules(NamedTuple):
    """The rules on one field, as arrays."""

    next: Array  # ground after two faces, by ground, my face, the opponent's face
    hit: Array  # who is wounded: 0 me, 1 the opponent, -1 nobody
    aside: Array  # the card aside after this second face
    shows: Array  # whether this face is a special
    plans: Array  # two faces, by card aside, special and plan
    count: Array  # number of plans, by card aside and special


class Holdings(NamedTuple):
    """Several holdings, one per row."""

    mine: Array
    types: Array  # how many specials the opponent may hold
    theirs: Array  # which specials these are
    slots: Array  # next slot, by type and who has shown (0 nobody, 1 me, 2 the opponent, 3 both)
    mine_bare: Array  # which sides can have nothing aside: 0 no, 1 yes, 2 both sides or none
    theirs_bare: Array


def fast(function: F) -> F:
    return numba.njit(fastmath=True, error_model="numpy")(function)  # type: ignore[no-any-return]


@fast
def outcome(rules: Rules, position: int, one: Array, two: Array) -> Any:
    """Return the position after two plans, or `WON` or `LOST`."""
    ground, kind = position // 144, position // 36 % 4
    mine, theirs = kind // 2, kind % 2
    for action in range(2):
        hit = rules.hit[ground, one[action], two[action]]
        if hit == 0:
            mine += 1
            if mine == 2:
                return -1
        elif hit == 1:
            theirs += 1
            if theirs == 2:
                return -2
        ground = rules.next[ground, one[action], two[action]]
    kind = 2 * mine + theirs
    return ((ground * 4 + kind) * 6 + rules.aside[one[1]]) * 6 + rules.aside[two[1]]


@fast
def score(rules: Rules, position: int, one: Array, two: Array, slots: Array, values: Array) -> Any:
    """Return my score after two plans; `values` is by slot and position."""
    after = outcome(rules, position, one, two)
    if after == -1:
        return np.float32(-1)
    if after == -2:
        return np.float32(1)
    shown = rules.shows[one[0]] | rules.shows[one[1]]
    shown += 2 * (rules.shows[two[0]] | rules.shows[two[1]])
    return values[slots[shown], after]


@fast
def matched(regrets: Array, gains: Array, play: Array, begin: int, end: int) -> None:
    """Add the regrets of one iteration, and write the next mixed strategy into `play`."""
    mean = np.float32(0)
    for n in range(begin, end):
        mean += gains[n] * play[n]
    whole = np.float32(0)
    for n in range(begin, end):
        regret = max(np.float32(0), regrets[n] + gains[n] - mean)
        regrets[n] = regret
        hoped = max(np.float32(0), regret + gains[n] - mean)
        play[n] = hoped
        whole += hoped
    for n in range(begin, end):
        play[n] = play[n] / whole if whole > 0 else np.float32(1) / np.float32(end - begin)


@fast
def rows_by(matrix: Array, weights: Array, found: Array, rows: int, columns: int) -> None:
    for i in range(rows):
        total = np.float32(0)
        for j in range(columns):
            total += matrix[i, j] * weights[j]
        found[i] = total


@fast
def columns_by(matrix: Array, weights: Array, found: Array, rows: int, columns: int) -> None:
    for j in range(columns):
        found[j] = 0
    for i in range(rows):
        for j in range(columns):
            found[j] += matrix[i, j] * weights[i]


@fast
def mixture(
    matrix: Array, rows: int, middle: int, columns: int, iterations: int, tolerance: float, x: Array
) -> tuple[float, float]:
    """Compiled core.games.kiriai.bot.table.mixture; columns from `middle` on are a second type.

    Writes the mixed strategy, before small shares are dropped, and returns bounds of its value.
    """
    share = np.float32(1 if middle == columns else 0.5)
    y, told = np.empty(columns, np.float32), np.zeros(columns, np.float32)
    play, total = np.empty(rows, np.float32), np.zeros(rows, np.float32)
    mine, theirs = np.zeros(rows, np.float32), np.zeros(columns, np.float32)
    gains, costs = np.zeros(rows, np.float32), np.zeros(columns, np.float32)
    play[:] = np.float32(1) / np.float32(rows)
    y[:middle] = np.float32(1) / np.float32(middle)
    y[middle:] = np.float32(1) / np.float32(max(1, columns - middle))
    whole, low, high = np.float32(0), np.float32(0), np.float32(0)
    for number in range(1, iterations + 1):
        rows_by(matrix, y, gains, rows, columns)
        for i in range(rows):
            gains[i] *= share
        matched(mine, gains, play, 0, rows)
        columns_by(matrix, play, costs, rows, columns)
        for j in range(columns):
            costs[j] = -costs[j]
        matched(theirs, costs, y, 0, middle)
        if middle < columns:
            matched(theirs, costs, y, middle, columns)
        weight = np.float32(number) * np.float32(number)
        whole += weight
        for i in range(rows):
            total[i] += weight * play[i]
        for j in range(columns):
            told[j] += weight * y[j]
        if number == iterations or (tolerance > 0 and number % 50 == 0):
            rows_by(matrix, told, gains, rows, columns)
            columns_by(matrix, total, costs, rows, columns)
            high = share * gains.max() / whole
            low = share * costs[:middle].min() / whole
            if middle < columns:
                low += share * costs[middle:].min() / whole
            if high - low < tolerance:
                break
    for i in range(rows):
        x[i] = total[i] / whole
    return low, high


@fast
def kept(x: Array, rows: int, least: float) -> None:
    """Drop shares below `least` and normalize the rest."""
    whole = np.float32(0)
    for i in range(rows):
        if x[i] < least:
            x[i] = 0
        whole += x[i]
    for i in range(rows):
        x[i] /= whole


@fast
def can_be(mine_bare: int, theirs_bare: int, mine: int, theirs: int) -> bool:
    """Return whether these cards (5: none) can lie aside."""
    if mine_bare == 2:
        return (mine == 5) == (theirs == 5)
    return (mine_bare == 1 or mine != 5) and (theirs_bare == 1 or theirs != 5)


@fast
def solve(
    rules: Rules,
    holdings: Holdings,
    values: Array,
    iterations: int,
    tolerance: float,
    least: float,
    found: Array,
    bounds: Array,
) -> None:
    """Solve the mixed strategies of all positions; `found` is by holding, position and plan.

    `bounds` is by holding, position, and low or high.
    """
    matrix = np.zeros((52, 104), np.float32)
    for position in range(values.shape[1]):
        mine, theirs = position // 6 % 6, position % 6
        for h in range(len(holdings.mine)):
            if not can_be(holdings.mine_bare[h], holdings.theirs_bare[h], mine, theirs):
                continue
            own = holdings.mine[h]
            rows, columns, middle = rules.count[mine, own], 0, 0
            for n in range(holdings.types[h]):
                other = holdings.theirs[h, n]
                for j in range(rules.count[theirs, other]):
                    for i in range(rows):
                        matrix[i, columns] = score(
                            rules,
                            position,
                            rules.plans[mine, own, i],
                            rules.plans[theirs, other, j],
                            holdings.slots[h, n],
                            values,
                        )
                    columns += 1
                if n == 0:
                    middle = columns
            x = found[h, position]
            low, high = mixture(matrix, rows, middle, columns, iterations, tolerance, x)
            kept(x, rows, least)
            bounds[h, position, 0] = low
            bounds[h, position, 1] = high


@fast
def answered(rules: Rules, holdings: Holdings, values: Array, found: Array, after: Array) -> None:
    """Write the values of the mixed strategies against best responses, with one more round left."""
    for position in range(values.shape[1]):
        mine, theirs = position // 6 % 6, position % 6
        for h in range(len(holdings.mine)):
            if not can_be(holdings.mine_bare[h], holdings.theirs_bare[h], mine, theirs):
                continue
            own = holdings.mine[h]
            for n in range(holdings.types[h]):
                other, worst = holdings.theirs[h, n], np.float32(2)
                for j in range(rules.count[theirs, other]):
                    total = np.float32(0)
                    for i in range(rules.count[mine, own]):
                        x = found[h, position, i]
                        if x > 0:
                            total += x * score(
                                rules,
                                position,
                                rules.plans[mine, own, i],
                                rules.plans[theirs, other, j],
                                holdings.slots[h, n],
                                values,
                            )
                    worst = min(worst, total)
                after[holdings.slots[h, n, 0], position] = worst
