"""Kiri-ai solved: the table of values, and the mixture of plans that follows from it.

A position is seen by one side, "me", who comes from the left; the other sees its mirror image. The
table holds what I score at least (1 wins, -1 loses) with some rounds left. A round is a matrix
game: my plans against the other's, each pair leading to a position of the table. `mixture` solves
it by regret matching, always with the same iterations, so that tui/bench/solve_kiriai.py, which
makes the table, can say exactly what the best answer to these mixtures gains.

Who holds a special card makes four classes, 16 slots:

    A   me s, the other t     s and t are two of the three cards: 6 slots
    B   me s, the other none  3 slots
    C   me none (u is played), the other t   6 slots
    D   both none             1 slot

I do not know t. My mixture in A and C is the best average over the two cards that t can be, against
an opponent who knows what I hold.
"""

from __future__ import annotations

import lzma
from functools import cache
from itertools import pairwise, product
from operator import mul
from pkgutil import get_data
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from core.errors import LocalError
from core.games._kiriai_action import BASIC, CARD, EARTH, FACES, HEAVEN, SPECIALS, action

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
BUCKETS: Final = (1, 2, 3, 4, 5, 7, 10, 14, 20, 30)
"""Rounds left from which on a table is used: that of what comes after the first round of these."""
FINE_BUCKETS: Final = (*range(1, 16), 17, 19, 22, 25, 29, 34, 40, 48, 58, 70)
"""The same for positions in which both specials are spent, which have a table of their own."""
STEPS: Final = 48  # of a value 0 to 1, as the table keeps it: a byte holds -1 to 1
FINE_STEPS: Final = 127
ITERATIONS: Final = 150
FINE_ITERATIONS: Final = 600  # where both specials are spent: small matrices, which can be exact
FILE: Final = "kiriai.table"

Plan: TypeAlias = tuple[str, str]
Matrix: TypeAlias = "list[list[float]]"
Values: TypeAlias = "Mapping[int, Sequence[float]]"
"""By slot and position: what I score at least."""


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
    mine, theirs = (STANCES.index(stance) for stance in stances)
    return places(last)[spaces] * 4 + 2 * mine + theirs


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
    return [[_after(last, duel, one, two, values) for two in theirs] for one in mine]


def _after(last: int, duel: Duel, mine: Plan, theirs: Plan, values: Values) -> float:
    spaces, stances, wounds = duel.spaces, duel.stances, duel.wounds
    for faces in zip(mine, theirs, strict=True):
        spaces, stances, hit = action(spaces, stances, faces, last)
        if hit >= 0:
            wounds = (wounds[0] + (hit == 0), wounds[1] + (hit == 1))
            if max(wounds) == 2:
                return -1.0 if hit == 0 else 1.0
    shown = [next((face for face in plan if face in SPECIALS), "") for plan in (mine, theirs)]
    slot = slot_of(
        "" if shown[0] else duel.mine, "" if shown[1] else duel.theirs, shown[0] or duel.played
    )
    asides = (aside_number(CARD[mine[1]]), aside_number(CARD[theirs[1]]))
    return values[slot][base(geometry(last, spaces, stances), wounds, asides)]


def mixture(matrices: Sequence[Matrix], iterations: int = ITERATIONS) -> tuple[list[float], float]:
    """Return the mixture of my plans that is best on average of the matrices, and that average.

    There is a matrix for each special that the other may hold; its owner answers each as is best.
    Predictive regret matching+, squared averaging: what is left to gain is far below a step of the
    table after so many iterations.
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
    total = [0.0] * rows
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
    whole = sum(total)
    x = [part / whole for part in total]
    costs = [sum(map(mul, column, x)) for column in columns]
    return x, share * sum(min(costs[span]) for span in spans)


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
        return {spent: _fine(last)[bucket(rounds_left, FINE_BUCKETS)]}
    return _tables(last)[bucket(rounds_left)]


@cache
def _tables(last: int) -> list[dict[int, tuple[float, ...]]]:
    """Return the values by bucket for a field of `last` spaces."""
    length = size(last)
    return [
        {slot: _decoded(one[slot * length : (slot + 1) * length], STEPS) for slot in range(SLOTS)}
        for one in _unpacked()[last, False]
    ]


@cache
def _fine(last: int) -> list[tuple[float, ...]]:
    """Return the values of class D by bucket."""
    return [_decoded(one, FINE_STEPS) for one in _unpacked()[last, True]]


def _decoded(packed: bytes, steps: int) -> tuple[float, ...]:
    scale = [(byte - 256 * (byte > 127)) / steps for byte in range(256)]
    return tuple(map(scale.__getitem__, packed))


@cache
def _unpacked() -> dict[tuple[int, bool], list[bytes]]:
    """Return the bytes of the file: by field, and whether fine, one table a bucket."""
    try:
        data = get_data(__package__, FILE)  # it is part of the program, like its modules
    except FileNotFoundError:
        data = None
    if data is None:
        raise LocalError(f"{FILE} is missing", hint="python -m tui.bench.solve_kiriai makes it")
    packed, at = lzma.decompress(data), 0
    found = {}
    for last, is_fine in PARTS:
        length = size(last) * (1 if is_fine else SLOTS)
        tables, before = [], bytes(length)
        for _ in FINE_BUCKETS if is_fine else BUCKETS:
            before = bytes(map(_sum, before, packed[at : at + length]))
            at += length
            tables.append(before)
        found[last, is_fine] = tables
    return found


PARTS: Final = ((5, False), (5, True), (7, False), (7, True))
"""The parts of the file in their order: last space, and whether it is the fine table of class D."""


def _sum(one: int, two: int) -> int:
    return (one + two) & 255
