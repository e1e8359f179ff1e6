"""The first rounds of Kiri-ai, as `strong` plays them: a tree of mixtures, `kiriai.book`.

While both hold their specials, a mixture depends on all that has been shown since the start, and so
neither tells too soon what I hold nor forgets what the other's plans say of his. A node has a
mixture for each special of mine. Its maker: tui/bench/_kiriai_tree.py.

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

from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from core.bots._kiriai_table import part_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FILE: Final = "kiriai.book"
FIELDS: Final = (5, 7)  # the order of the parts, by last space
WHOLE: Final = 255


class Node(NamedTuple):
    """A position of which all that has been shown is known."""

    mixtures: tuple[bytes, bytes, bytes]  # by special of mine; plan and share in turn
    below: Mapping[tuple[int, int], int]  # nodes by both plans


def shares(last: int, way: Sequence[tuple[int, int]], special: int, plans: int) -> list[float]:
    """Return the mixture over this many plans after both sides' plans so far; or nothing.

    A plan is named by its number among those without a special, those of the steps' texts first.
    """
    every = nodes(last)
    node = every[0]
    for pair in way:
        if pair not in node.below:
            return []
        node = every[node.below[pair]]
    mixture = node.mixtures[special]
    found = [0.0] * plans
    for number, share in zip(mixture[::2], mixture[1::2], strict=True):
        found[number] = float(share)
    whole = sum(found)
    return [share / whole for share in found] if whole else []


@cache
def nodes(last: int) -> list[Node]:
    """Return the tree of a field, the node of the start first."""
    data = _part(last)
    first, second = (int.from_bytes(data[n : n + 4], "little") for n in (0, 4))
    counts, listed, edges = (
        data[8 : 8 + first],
        data[8 + first :][:second],
        data[8 + first + second :],
    )
    found, at, way = [], 0, 0
    for begin in range(0, first, 5):
        mixtures = []
        for count in counts[begin : begin + 3]:
            mixtures.append(listed[at : at + 2 * count])
            at += 2 * count
        below = {}
        for _ in range(int.from_bytes(counts[begin + 3 : begin + 5], "little")):
            below[edges[way], edges[way + 1]] = way // 2 + 1
            way += 2
        found.append(Node((mixtures[0], mixtures[1], mixtures[2]), below))
    return found


def _part(last: int) -> bytes:
    return part_of(FILE, FIELDS, last)
