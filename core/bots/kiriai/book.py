"""The first rounds of Kiri-ai, as `strong` plays them: a tree of mixtures, `kiriai.book`.

While both hold their specials, a mixture depends on all that has been shown since the start, and so
neither tells too soon what I hold nor forgets what the other's plans say of his. A node has a
mixture for each special of mine. Its maker: tools/kiriai_tree.py.

The file has a part for each field, packed by itself; before them the length of each part. A part
has, for each node, the nodes next to the start first:

    how many plans the mixture has, for each special of mine (a byte each), how many nodes follow
    of each plan, its number in the order of the legal steps, and its share of `WHOLE`
    of each node that follows, the numbers of my and the other's plan, those with a special last

as three rows of bytes; before them the lengths of the first two. All lengths have four bytes, the
number of nodes that follow two; the low byte is first. On the advanced field the first node is
that in which both choose a start.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from kumite.core.bots.kiriai.table import part_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE: Final = "kiriai.book"
FIELDS: Final = (5, 7)  # the order of the parts, by last space
WHOLE: Final = 255


@dataclass(frozen=True, slots=True)
class Book:
    """The three rows of a field. They stay as they are: a match comes to few of the nodes."""

    counts: bytes
    listed: bytes
    edges: bytes

    @property
    def size(self) -> int:
        """Return how many nodes there are."""
        return len(self.counts) // 5

    def mixture(self, node: int, special: int) -> bytes:
        """Return the mixture of a node with a special of mine: plan and share in turn."""
        counts, at = self.counts, 5 * node
        before = sum(sum(counts[n:at:5]) for n in range(3)) + sum(counts[at : at + special])
        return self.listed[2 * before : 2 * (before + counts[at + special])]

    def below(self, node: int) -> Mapping[tuple[int, int], int]:
        """Return the nodes that follow, by both plans."""
        at, edges = 5 * node, self.edges
        low, high = (self.counts[n : at + 5 : 5] for n in (3, 4))
        end = 1 + sum(low) + 256 * sum(high)
        begin = end - low[-1] - 256 * high[-1]
        return {(edges[2 * n - 2], edges[2 * n - 1]): n for n in range(begin, end)}


def shares(last: int, way: Sequence[tuple[int, int]], special: int, plans: int) -> list[float]:
    """Return the mixture over this many plans after both sides' plans so far; or nothing.

    A plan is named by its number among those without a special, those of the steps' texts first.
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
    """Return the book of a field."""
    data = part_of(FILE, FIELDS, last)
    first, second = (int.from_bytes(data[n : n + 4], "little") for n in (0, 4))
    return Book(data[8 : 8 + first], data[8 + first :][:second], data[8 + first + second :])
