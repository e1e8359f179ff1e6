"""Kiri-ai solved: the table of values, and the mixed strategies derived from it.

A position is seen by one side, "me", who comes from the left; the opponent sees its mirror image.
The table holds my guaranteed score (1 wins, -1 loses) with some rounds left. A round is a matrix
game: each pair of plans leads to a position of the table. `mixture` solves it by deterministic
regret matching, so that tools/solve_kiriai.py, which makes the table, can compute the exact
exploitability of these strategies.

The special cards in hand define four classes with 16 slots:

    A   me s, the opponent t     s and t are two of the three cards: 6 slots
    B   me s, the opponent none  3 slots
    C   me none (u is played), the opponent t   6 slots
    D   both none                1 slot

I do not know t. My strategy in A and C maximizes the average over the two possible t, against an
opponent who knows what I hold. In D nothing is hidden, and the table holds the value of the zero-
sum game.
"""

from __future__ import annotations

import lzma
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from operator import mul
from pkgutil import get_data
from typing import Final, NamedTuple, Protocol, TypeAlias

from kumite.core.errors import LocalError
from kumite.core.games.kiriai.action import BASIC, CARD, EARTH, HEAVEN, SPECIALS, action
from kumite.core.games.kiriai.state import plans as steps

STANCES: Final = (HEAVEN, EARTH)
NO_CARD: Final = len(BASIC)  # nothing lies aside
ASIDES: Final = NO_CARD + 1
WOUNDS: Final = ((0, 0), (0, 1), (1, 0), (1, 1))
PAIRS: Final = tuple((one, two) for one in range(3) for two in range(3) if one != two)
SLOT: Final[dict[tuple[str, int, int], int]] = {
    key: slot
    for slot, key in enumerate(
        [("A", s, t) for s, t in PAIRS]
        + [("B", s, 0) for s in range(3)]
        + [("C", u, t) for u, t in PAIRS]
        + [("D", 0, 0)]
    )
}
SLOTS: Final = len(SLOT)
COARSE: Final = SLOT["D", 0, 0]  # slots before D, which has a finer table
BUCKETS: Final = (1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 44)
"""The smallest number of rounds left for each table, which has the values after that round."""
FINE_BUCKETS: Final = (*range(1, 25), 26, 28, 30, 32, 35, 38, 41, 44, 48, 52, 56, 60, 65, 70, 75)
"""The same for class D; a superset of `BUCKETS`."""
STEPS: Final = 127  # per unit in the table: a byte holds -1 to 1
FINE_STEPS: Final = 4095  # in two bytes, since small errors would add up over many rounds
ITERATIONS: Final = 150
FINE_ITERATIONS: Final = 1000  # of class D, whose matrices are small; most need far fewer
FINE_TOLERANCE: Final = 0.0005  # of class D: the remaining exploitability, of values -1 to 1
LEAST: Final = 0.0003  # smaller shares of a strategy are dropped
FILE: Final = "kiriai.table"

Plan: TypeAlias = tuple[str, str]
Matrix: TypeAlias = "list[list[float]]"
Values: TypeAlias = "Mapping[int, ByPosition]"
"""My guaranteed score, by slot and position."""


class ByPosition(Protocol):
    """The score of each position in a slot."""

    def __getitem__(self, position: int, /) -> float:
        """Return the value of a position."""


class Duel(NamedTuple):
    """A position before a plan, seen by me: mine first in each pair."""

    spaces: tuple[int, int]
    stances: tuple[str, str]
    wounds: tuple[int, int]
    asides: tuple[str, str]
    mine: str  # my special in hand, or empty
    theirs: str  # the opponent's special in hand, or empty
    played: str  # the special that I have played, or empty; the opponent cannot hold it


@cache
def places(last: int) -> dict[tuple[int, int], int]:
    pairs = [(a, b) for a in range(1, last + 1) for b in range(a, last + 1)]
    return {pair: number for number, pair in enumerate(pairs)}


def size(last: int) -> int:
    return len(places(last)) * 4 * len(WOUNDS) * ASIDES * ASIDES


def geometry(last: int, spaces: tuple[int, int], stances: tuple[str, str]) -> int:
    """Return the number of a combination of spaces and stances."""
    mine, theirs = stances
    return places(last)[spaces] * 4 + 2 * (mine == EARTH) + (theirs == EARTH)


def base(ground: int, wounds: tuple[int, int], asides: tuple[int, int]) -> int:
    kind = 2 * wounds[0] + wounds[1]
    return ((ground * 4 + kind) * ASIDES + asides[0]) * ASIDES + asides[1]


def aside_number(card: str) -> int:
    """Return the number of the card aside, which is never a special."""
    return BASIC.index(card) if card in BASIC else NO_CARD


def plans(aside: str, special: str) -> list[Plan]:
    """Return the plans of a hand, in the order of the step texts."""
    return [(one, two) for one, _, two in (step.partition(",") for step in steps(aside, special))]


def slot_of(mine: str, theirs: str, played: str) -> int:
    m, t = (SPECIALS.index(card) if card else -1 for card in (mine, theirs))
    if m >= 0:
        return SLOT["A", m, t] if t >= 0 else SLOT["B", m, 0]
    return SLOT["C", SPECIALS.index(played), t] if t >= 0 else SLOT["D", 0, 0]


# --- One round as a matrix --------------------------------------------------------------------


def matrix(
    last: int, duel: Duel, mine: Sequence[Plan], theirs: Sequence[Plan], values: Values
) -> Matrix:
    """Return my guaranteed scores: a row for each plan of mine, a column for each of theirs."""
    columns = [(plan, *_left(plan, duel.theirs)) for plan in theirs]
    return [_row(last, duel, plan, columns, values) for plan in mine]


def _left(plan: Plan, special: str) -> tuple[str, int]:
    """Return the special held after a plan, and the number of the card aside."""
    return "" if special in plan else special, aside_number(CARD[plan[1]])


def _row(
    last: int, duel: Duel, mine: Plan, columns: Sequence[tuple[Plan, str, int]], values: Values
) -> list[float]:
    held, aside = _left(mine, duel.mine)
    played = duel.played or (duel.mine if not held else "")
    by_held = {other: values[slot_of(held, other, played)] for _, other, _ in columns}
    row = []
    for theirs, other, their_aside in columns:
        spaces, stances, wounds = duel.spaces, duel.stances, duel.wounds
        for faces in zip(mine, theirs, strict=True):
            spaces, stances, hit = action(spaces, stances, faces, last)
            if hit >= 0:
                wounds = (wounds[0] + (hit == 0), wounds[1] + (hit == 1))
                if max(wounds) == 2:
                    row.append(-1.0 if hit == 0 else 1.0)
                    break
        else:
            ground = geometry(last, spaces, stances)
            row.append(by_held[other][base(ground, wounds, (aside, their_aside))])
    return row


def mixture(
    matrices: Sequence[Matrix],
    iterations: int = ITERATIONS,
    tolerance: float = 0,
    stop: Callable[[], bool] = lambda: False,
) -> tuple[list[float], float]:
    """Return my strategy with the best average over the matrices, and that average.

    There is a matrix for each special that the opponent may hold; each is answered optimally. The
    algorithm is predictive regret matching+ with quadratic averaging. It stops after `iterations`,
    when the exploitability is at most `tolerance`, or when `stop`, polled periodically, returns
    True.
    """
    rows = len(matrices[0])
    joined = [[value for matrix in matrices for value in matrix[row]] for row in range(rows)]
    columns = list(map(list, zip(*joined, strict=True)))
    ends = [0]
    for one in matrices:
        ends.append(ends[-1] + len(one[0]))
    spans = [slice(*span) for span in pairwise(ends)]
    share = 1 / len(matrices)
    mine, theirs = [0.0] * rows, [[0.0] * len(one[0]) for one in matrices]
    x = [1 / rows] * rows
    answers = [[1 / len(one)] * len(one) for one in theirs]
    total, told = [0.0] * rows, [0.0] * len(columns)
    for round_ in range(1, iterations + 1):
        y = [value for answer in answers for value in answer]
        gains = [share * sum(map(mul, row, y)) for row in joined]
        x = _matched(mine, gains, x)
        costs = [-sum(map(mul, column, x)) for column in columns]
        answers = [
            _matched(regrets, costs[span], answer)
            for regrets, span, answer in zip(theirs, spans, answers, strict=True)
        ]
        weight = round_ * round_
        total = [sum_ + weight * part for sum_, part in zip(total, x, strict=True)]
        if tolerance:
            y = [value for answer in answers for value in answer]
            told = [sum_ + weight * part for sum_, part in zip(told, y, strict=True)]
            if round_ % EVERY == 0:
                high = share * max(sum(map(mul, row, told)) for row in joined)
                costs = [sum(map(mul, column, total)) for column in columns]
                low = share * sum(min(costs[span]) for span in spans)
                if high - low < tolerance * sum(total):
                    break
        if round_ % EVERY == 0 and stop():
            break
    x = _kept(total)
    costs = [sum(map(mul, column, x)) for column in columns]
    return x, share * sum(min(costs[span]) for span in spans)


EVERY: Final = 50  # iterations between two checks of the tolerance and of `stop`


def _kept(total: Sequence[float]) -> list[float]:
    """Return shares that sum to 1, with the smallest ones removed."""
    whole = sum(total)
    kept = [part if part >= LEAST * whole else 0.0 for part in total]
    whole = sum(kept)
    return [part / whole for part in kept]


def _matched(regrets: list[float], gains: Sequence[float], played: Sequence[float]) -> list[float]:
    """Add the regrets of not having played each row, and return the next strategy."""
    mean = sum(map(mul, gains, played))
    for row, gain in enumerate(gains):
        regrets[row] = max(0.0, regrets[row] + gain - mean)
    hoped = [max(0.0, r + gain - mean) for r, gain in zip(regrets, gains, strict=True)]
    whole = sum(hoped)
    if whole <= 0:
        return [1 / len(regrets)] * len(regrets)
    return [part / whole for part in hoped]


# --- The table --------------------------------------------------------------------------------


def bucket(rounds_left: int, buckets: Sequence[int] = BUCKETS) -> int:
    """Return the table to use with this many rounds left, including the current one."""
    return max(number for number, first in enumerate(buckets) if first <= rounds_left)


def values(last: int, rounds_left: int, *, is_spent: bool) -> Values:
    """Return the values of positions after a round, with `rounds_left` rounds before it.

    If both specials are spent, only positions of class D follow.
    """
    spent = SLOT["D", 0, 0]
    if is_spent:
        return {spent: _fine(last, bucket(rounds_left, FINE_BUCKETS))}
    number = bucket(rounds_left)
    return {**_coarse(last, number), spent: _fine(last, bucket(BUCKETS[number], FINE_BUCKETS))}


@cache
def mirror(last: int) -> tuple[int, ...]:
    """Return, by position of a slot, the mirrored position."""
    found = [0] * size(last)
    for mine, theirs in places(last):
        for one, two in product(STANCES, STANCES):
            here = geometry(last, (mine, theirs), (one, two))
            there = geometry(last, (last + 1 - theirs, last + 1 - mine), (two, one))
            for wounds in WOUNDS:
                for a, b in product(range(ASIDES), range(ASIDES)):
                    found[base(here, wounds, (a, b))] = base(there, wounds[::-1], (b, a))
    return tuple(found)


class Scaled:
    """A row of the file as values, each computed on access, since few are needed."""

    __slots__ = ("_numbers", "_steps")

    def __init__(self, numbers: Sequence[int], steps: int) -> None:
        self._numbers, self._steps = numbers, steps

    def __getitem__(self, position: int) -> float:
        return self._numbers[position] / self._steps


class Mirrored:
    """The values of class D: the file has only one of each position and its mirror image."""

    __slots__ = ("_numbers", "_where")

    def __init__(self, numbers: Sequence[int], where: Sequence[int]) -> None:
        """Take the numbers, and the index of each position's number (see `halves`)."""
        self._numbers, self._where = numbers, where

    def __getitem__(self, position: int) -> float:
        where = self._where[position]
        if where < 0:
            return -self._numbers[~where] / FINE_STEPS
        return self._numbers[where] / FINE_STEPS


@cache
def halves(last: int) -> Sequence[int]:
    """Return, by position of a slot, the index of its number, or `~index` of its mirror image's."""
    found, count = array("h", bytes(2 * size(last))), 0
    for here, there in enumerate(mirror(last)):
        if here <= there:
            found[there], found[here] = ~count, count
            count += 1
    return found


@cache
def _coarse(last: int, number: int) -> Mapping[int, ByPosition]:
    """Return the values of classes A, B and C in a bucket, by slot."""
    length, numbers = size(last), memoryview(_coarse_bytes(last, number)).cast("b")
    return {
        slot: Scaled(numbers[slot * length : (slot + 1) * length], STEPS) for slot in range(COARSE)
    }


@cache
def _coarse_bytes(last: int, number: int) -> bytes:
    """Return a bucket's bytes; the file stores the differences between successive buckets."""
    differing = part_of(FILE, PARTS, (last, number))
    if number == len(BUCKETS) - 1:
        return differing
    return added(_coarse_bytes(last, number + 1), differing, 1)


@cache
def _fine(last: int, number: int) -> ByPosition:
    numbers = array("h", _fine_bytes(last, number))
    if array("H", [1]).tobytes() != b"\1\0":  # this machine is big-endian
        numbers.byteswap()
    return Mirrored(numbers, halves(last))


@cache
def _fine_bytes(last: int, number: int) -> bytes:
    """Return a bucket's numbers, two bytes each, low byte first.

    The file stores the differences between successive buckets: first all low bytes, then all high
    ones.
    """
    packed, count = _fine_part(last), len(FINE_BUCKETS)
    length = len(packed) // (2 * count)
    at = length * (count - 1 - number)
    both = bytearray(2 * length)
    both[::2] = packed[at : at + length]
    both[1::2] = packed[length * count + at : length * count + at + length]
    if number == count - 1:
        return bytes(both)
    return added(_fine_bytes(last, number + 1), both, 2)


@cache
def _fine_part(last: int) -> bytes:
    return part_of(FILE, PARTS, (last, FINE))


def added(one: bytes, two: bytes | bytearray, width: int) -> bytes:
    """Return the elementwise sums of two rows of `width`-byte numbers, modulo overflow.

    Alternate numbers are added at once as one long integer; the gaps between them absorb overflow.
    """
    a, b = int.from_bytes(one, "little"), int.from_bytes(two, "little")
    even = int.from_bytes((b"\xff" * width + bytes(width)) * (len(one) // width), "little")
    odd = even << 8 * width
    whole = (1 << 8 * len(one)) - 1
    sums = ((a & even) + (b & even)) & even | ((a & odd) + (b & odd)) & odd
    return (sums & whole).to_bytes(len(one), "little")


FINE: Final = "fine"
PARTS: Final = tuple(
    (last, kind) for last in (5, 7) for kind in (*reversed(range(len(BUCKETS))), FINE)
)
"""The separately packed parts of the file, in order: by last space, the buckets and the table of
class D. Only the parts that a position needs are unpacked.

The file begins with the length of each part, four bytes, low byte first.
"""


def part_of(file: str, parts: Sequence[object], wanted: object) -> bytes:
    """Return one part of a solver file, which begins with the lengths of `parts`.

    Raises:
        LocalError: the file is missing, or has no such part.
    """
    try:
        data = get_data(__package__, file)  # packaged like the modules
    except FileNotFoundError:
        data = None
    if data is None:
        raise LocalError(f"{file} is missing", hint="python -m kumite.tools.solve_kiriai makes it")
    at = 4 * len(parts)
    for number, part in enumerate(parts):
        length = int.from_bytes(data[4 * number : 4 * number + 4], "little")
        if part == wanted:
            return lzma.decompress(data[at : at + length])
        at += length
    raise LocalError(f"{file} has no part {wanted}")
