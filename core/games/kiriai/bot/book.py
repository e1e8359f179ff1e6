"""The first rounds of Kiri-ai as `strong` plays them: a tree of mixed strategies, `kiriai.book`.

While both hold their specials, the mixed strategy depends on everything shown since the start. So
it does not reveal my special too early, and uses what the opponent's plans reveal. A node has a
mixed strategy for each special I may hold. The file is made by tools/solve_kiriai.py.

It has a separately packed part for each field, preceded by the lengths of the parts. A part lists
for each node, breadth first:

    the number of plans for each special of mine (a byte each), and the number of child nodes
    for each plan, its index among the legal steps, and its share of `WHOLE`
    for each child, the numbers of my plan and the opponent's, those with a special last

These are stored as three rows of bytes, preceded by the lengths of the first two. Lengths have four
bytes and the number of children two, low byte first. On the advanced field, both players choose a
start at the first node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from kumite.core.games.kiriai.bot.table import part_of

FILE: Final = "kiriai.book"
FIELDS: Final = (5, 7)  # the order of the parts, by last space
WHOLE: Final = 255


@dataclass(frozen=True, slots=True)
class Book:
    """The three rows of a field, kept packed because a match visits only a few nodes."""

    counts: bytes
    listed: bytes
    edges: bytes

    @property
    def size(self) -> int:
        return len(self.counts) // 5

    def mixture(self, node: int, special: int) -> bytes:
        """Return the strategy of a node with a special of mine: plan and share alternately."""
        counts, at = self.counts, 5 * node
        before = sum(sum(counts[n:at:5]) for n in range(3)) + sum(counts[at : at + special])
        return self.listed[2 * before : 2 * (before + counts[at + special])]

    def below(self, node: int) -> Mapping[tuple[int, int], int]:
        """Return the child nodes, by both plans."""
        at, edges = 5 * node, self.edges
        low, high = (self.counts[n : at + 5 : 5] for n in (3, 4))
        end = 1 + sum(low) + 256 * sum(high)
        begin = end - low[-1] - 256 * high[-1]
        return {(edges[2 * n - 2], edges[2 * n - 1]): n for n in range(begin, end)}


def shares(last: int, way: Sequence[tuple[int, int]], special: int, plans: int) -> list[float]:
    """Return the strategy over `plans` plans after the rounds in `way`; [] if not in the book.

    A plan is identified by its index among those without a special, in the order of the step texts.
    """
    book = opened(last)
    node = 0
    for pair in way:
        below = book.below(node)
        if pair not in below:
            return []
        node = below[pair]
    mixture = book.mixture(node, special)
    found = [0.0] * plans
    for number, share in zip(mixture[::2], mixture[1::2], strict=True):
        found[number] = float(share)
    whole = sum(found)
    return [share / whole for share in found] if whole else []


@cache
def opened(last: int) -> Book:
    data = part_of(FILE, FIELDS, last)
    first, second = (int.from_bytes(data[n : n + 4], "little") for n in (0, 4))
    return Book(data[8 : 8 + first], data[8 + first :][:second], data[8 + first + second :])
