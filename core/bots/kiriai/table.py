"""Kiri-ai solved: the table of values, and the mixture of plans that follows from it.

A position is seen by one side, "me", who comes from the left; the other sees its mirror image. The
table holds what I score at least (1 wins, -1 loses) with some rounds left. A round is a matrix
game: my plans against the other's, each pair leading to a position of the table. `mixture` solves
it by regret matching, always in the same way, so that tools/solve_kiriai.py, which makes the
table, can say exactly what the best answer to these mixtures gains.

Who holds a special card makes four classes, 16 slots:

    A   me s, the other t     s and t are two of the three cards: 6 slots
    B   me s, the other none  3 slots
    C   me none (u is played), the other t   6 slots
    D   both none             1 slot

I do not know t. My mixture in A and C is the best average over the two cards that t can be, against
an opponent who knows what I hold. In D nothing is hidden: the table holds what a position is worth
between two who play as well as they can, which is the same for both but for its sign.
"""

from __future__ import annotations

import lzma
from array import array
from functools import cache
from itertools import pairwise, product
from operator import mul
from pkgutil import get_data
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeAlias

from kumite.core.errors import LocalError
from kumite.core.games.kiriai.action import BASIC, CARD, EARTH, FACES, HEAVEN, SPECIALS, action

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
COARSE: Final = SLOT["D", 0, 0]  # slots before D, which has a finer table of its own
BUCKETS: Final = (1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 44)
"""Rounds left from which on a table is used: that of what comes after the first round of these."""
FINE_BUCKETS: Final = (*range(1, 25), 26, 28, 30, 32, 35, 38, 41, 44, 48, 52, 56, 60, 65, 70, 75)
"""The same for class D; what is in `BUCKETS` is here too."""
STEPS: Final = 127  # of a value 0 to 1, as the table keeps it: a byte holds -1 to 1
FINE_STEPS: Final = 4095  # two bytes; small errors would add up over many rounds
ITERATIONS: Final = 150
FINE_ITERATIONS: Final = 1000  # of class D, whose matrices are small; most need far fewer
FINE_TOLERANCE: Final = 0.0005  # of class D: what is left to gain, of values -1 to 1
LEAST: Final = 0.0003  # of a mixture; smaller shares are left out
FILE: Final = "kiriai.table"

Plan: TypeAlias = tuple[str, str]
Matrix: TypeAlias = "list[list[float]]"
Values: TypeAlias = "Mapping[int, ByPosition]"
"""By slot and position: what I score at least."""


class ByPosition(Protocol):
    """What each position of a slot scores."""

    def __getitem__(self, position: int, /) -> float:
        """Return the value of a position."""


class Duel(NamedTuple):
    """A position before a plan, seen by me: mine first in each pair."""

    spaces: tuple[int, int]
    stances: tuple[str, str]
    wounds: tuple[int, int]
    asides: tuple[str, str]
    mine: str  # my special, in hand; or empty
    theirs: str  # the other's; or empty
    played: str  # the special that I have played, or empty: it is not theirs


@cache
def places(last: int) -> dict[tuple[int, int], int]:
    """Return a number for each pair of spaces on a field of `last` spaces."""
    pairs = [(a, b) for a in range(1, last + 1) for b in range(a, last + 1)]
    return {pair: number for number, pair in enumerate(pairs)}


def size(last: int) -> int:
    """Return how many positions a slot has on a field of `last` spaces."""
    return len(places(last)) * 4 * len(WOUNDS) * ASIDES * ASIDES


def geometry(last: int, spaces: tuple[int, int], stances: tuple[str, str]) -> int:
    """Return the number of where both stand and how."""
    mine, theirs = stances
    return places(last)[spaces] * 4 + 2 * (mine == EARTH) + (theirs == EARTH)


def base(ground: int, wounds: tuple[int, int], asides: tuple[int, int]) -> int:
    """Return the number of a position within its slot."""
    kind = 2 * wounds[0] + wounds[1]
    return ((ground * 4 + kind) * ASIDES + asides[0]) * ASIDES + asides[1]


def aside_number(card: str) -> int:
    """Return the number of a card that lies aside; a special never does."""
    return BASIC.index(card) if card in BASIC else NO_CARD


def plans(aside: str, special: str) -> list[Plan]:
    """List the plans of a hand, in the order of the steps' texts."""
    hand = [face for face in FACES if CARD[face] in (*BASIC, special) and CARD[face] != aside]
    return sorted((one, two) for one, two in product(hand, hand) if CARD[one] != CARD[two])


def slot_of(mine: str, theirs: str, played: str) -> int:
    """Return the slot of who holds what."""
    m, t = (SPECIALS.index(card) if card else -1 for card in (mine, theirs))
    if m >= 0:
        return SLOT["A", m, t] if t >= 0 else SLOT["B", m, 0]
    return SLOT["C", SPECIALS.index(played), t] if t >= 0 else SLOT["D", 0, 0]


# --- One round as a matrix --------------------------------------------------------------------


def matrix(
    last: int, duel: Duel, mine: Sequence[Plan], theirs: Sequence[Plan], values: Values
) -> Matrix:
    """Return what I score at least: a row for each plan of mine, a column for each of theirs."""
    columns = [(plan, *_left(plan, duel.theirs)) for plan in theirs]
    return [_row(last, duel, plan, columns, values) for plan in mine]


def _left(plan: Plan, special: str) -> tuple[str, int]:
    """Return the special that is held after a plan, and the number of what lies aside."""
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
    """Return the mixture of my plans that is best on average of the matrices, and that average.

    There is a matrix for each special that the other may hold; its owner answers each as is best.
    Predictive regret matching+, squared averaging. It ends after so many iterations, when no more
    than `tolerance` is left to gain, or where `stop`, asked now and then, says so.
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


EVERY: Final = 50  # iterations between two looks at what is left to gain, and at the time


def _kept(total: Sequence[float]) -> list[float]:
    """Return shares of 1, without those that are too small."""
    whole = sum(total)
    kept = [part if part >= LEAST * whole else 0.0 for part in total]
    whole = sum(kept)
    return [part / whole for part in kept]


def _matched(regrets: list[float], gains: Sequence[float], played: Sequence[float]) -> list[float]:
    """Add the regrets of not having played each row, and return the next mixture."""
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
    """Return which table is used with so many rounds left, this one among them."""
    return max(number for number, first in enumerate(buckets) if first <= rounds_left)


def values(last: int, rounds_left: int, *, is_spent: bool) -> Values:
    """Return what each position after a round scores, with so many rounds left before it.

    If both specials are spent, there are only positions of class D after it.
    """
    spent = SLOT["D", 0, 0]
    if is_spent:
        return {spent: _fine(last, bucket(rounds_left, FINE_BUCKETS))}
    number = bucket(rounds_left)
    return {**_coarse(last, number), spent: _fine(last, bucket(BUCKETS[number], FINE_BUCKETS))}


@cache
def mirror(last: int) -> tuple[int, ...]:
    """Return, by position of a slot, the same position seen by the other side."""
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
    """A row of the file as values; each is worked out when it is asked for, as few ever are."""

    __slots__ = ("_numbers", "_steps")

    def __init__(self, numbers: Sequence[int], steps: int) -> None:
        """Take numbers of which `steps` are a value of 1."""
        self._numbers, self._steps = numbers, steps

    def __getitem__(self, position: int) -> float:
        """Return the value of a position."""
        return self._numbers[position] / self._steps


class Mirrored:
    """The values of class D: of a position and its mirror image the file has the first alone."""

    __slots__ = ("_numbers", "_where")

    def __init__(self, numbers: Sequence[int], where: Sequence[int]) -> None:
        """Take the numbers, and for each position where its own stands (see `halves`)."""
        self._numbers, self._where = numbers, where

    def __getitem__(self, position: int) -> float:
        """Return the value of a position."""
        where = self._where[position]
        if where < 0:
            return -self._numbers[~where] / FINE_STEPS
        return self._numbers[where] / FINE_STEPS


@cache
def halves(last: int) -> Sequence[int]:
    """Return, by position of a slot, where its number stands; `~where` if its mirror image's."""
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
    """Return a bucket's bytes; the file has how each bucket differs from the one after it."""
    differing = part_of(FILE, PARTS, (last, number))
    if number == len(BUCKETS) - 1:
        return differing
    return added(_coarse_bytes(last, number + 1), differing, 1)


@cache
def _fine(last: int, number: int) -> ByPosition:
    """Return the values of class D in a bucket."""
    numbers = array("h", _fine_bytes(last, number))
    if array("H", [1]).tobytes() != b"\1\0":  # this machine has the other order
        numbers.byteswap()
    return Mirrored(numbers, halves(last))


@cache
def _fine_bytes(last: int, number: int) -> bytes:
    """Return a bucket's numbers, two bytes each, the low one first.

    In the file stands of each bucket how it differs from the one after it: first all low bytes,
    then all high ones.
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
    """Return the sums of two rows of numbers of `width` bytes, all at once, without what overflows.

    Every second number of a row is added as one long number: the gaps between them take what
    overflows.
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
"""The parts of the file in their order, each packed by itself: last space, and which bucket, or the
fine table of class D. Only those that a position needs are unpacked.

The file begins with the length of each, four bytes, the low byte first.
"""


def part_of(file: str, parts: Sequence[object], wanted: object) -> bytes:
    """Return one part of a file of the solver's, which begins with the lengths of `parts`.

    Raises:
        LocalError: the file is not there, or has no such part.
    """
    try:
        data = get_data(__package__, file)  # it is part of the program, like its modules
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
