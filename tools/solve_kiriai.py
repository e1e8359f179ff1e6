"""Solve Kiri-ai to make the strategy of `strong`: `python -m kumite.tools.solve_kiriai FOLDER`.

FOLDER is core/games/kiriai/bot. The exploitability that is printed is exact for an opponent who
knows my special, from the start or from the end of the book. Real opponents do not know it, so this
is an upper bound; it is exact once no special is in hand.

This needs numba and numpy (`pip install "kumite[solver]"`), twelve minutes on one core, and 2.5 GB.

The table is made first (kiriai_levels.py), then the book: the first rounds with hidden information.

The tree branches by what both players have shown since the start of a match, while both hold their
specials. Each node has a mixed strategy for each special of either player; the opponent's special
is known only through the cards played. Beyond the tree, I play by the table and score at least its
value against an opponent who then learns what I hold. So the tree is a game with known leaf values.
It is solved by counterfactual regret minimization, and its best response is an upper bound of
exploitability.

The tree is solved and then grown where matches are likely to go, repeatedly.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

from kumite.core.games.kiriai.action import BASIC, SPECIALS
from kumite.core.games.kiriai.bot import book, table
from kumite.core.games.kiriai.bot.table import NO_CARD, PAIRS, SLOT
from kumite.core.games.kiriai.state import SPACES
from kumite.tools import kiriai_kernels as kernels
from kumite.tools.kiriai_kernels import fast
from kumite.tools.kiriai_levels import NONE, D, Solved, first_positions, plans_of, rules, say

Array = Any  # a numpy array
NODES: Final = 30_000  # maximum size of a book
START: Final = -1  # the position of the node in which both choose a start
ROUNDS: Final = 40  # rounds of the matches it is solved for; it is used in all
SLOTS: Final = np.array(  # the next slot, by pair of specials and who has shown
    [[SLOT["A", s, t], SLOT["C", s, t], SLOT["B", s, 0], D] for s, t in PAIRS], np.int32
)
DEAL: Final = np.float32(1 / len(PAIRS))
MINE: Final = np.array([s for s, _ in PAIRS], np.int32)
THEIRS: Final = np.array([t for _, t in PAIRS], np.int32)


@fast
def fill(
    field: kernels.Rules, values: Array, depths: Array, positions: Array, slots: Array, ends: Array
) -> None:
    """Write my scores at the leaves, by node, pair of specials and both plans."""
    for node in range(len(positions)):
        position = positions[node]
        if position < 0:
            continue
        mine, theirs = position // 6 % 6, position % 6
        for pair in range(len(slots)):
            s, t = MINE[pair], THEIRS[pair]
            for i in range(field.count[mine, s]):
                for j in range(field.count[theirs, t]):
                    ends[node, pair, i, j] = kernels.score(
                        field,
                        position,
                        field.plans[mine, s, i],
                        field.plans[theirs, t, j],
                        slots[pair],
                        values[depths[node]],
                    )


@fast
def walk_down(parents: Array, via: Array, play: Array, reach: Array) -> None:
    """Compute each side's reach probability of each node with each special."""
    for node in range(1, len(parents)):
        up = parents[node]
        for side in range(2):
            for s in range(3):
                reach[side, node, s] = reach[side, up, s] * play[side, up, s, via[node, side]]


@fast
def put_values(matrices: Array, sizes: Array, child: Array, value: Array) -> None:
    """Copy the values of the child nodes into a node's matrices, one for each pair of specials."""
    for i in range(sizes[0]):
        for j in range(sizes[1]):
            below = child[i, j]
            if below > 0:
                for pair in range(6):
                    matrices[pair, i, j] = value[below, pair]


@fast
def add_share(total: Array, share: Any, play: Array, size: int) -> None:
    """Add the current strategy, weighted by `share`, to the sum for the average strategy."""
    if share > 0:
        for i in range(size):
            total[i] += share * play[i]


@fast
def iterate(
    begin: int,
    end: int,
    parents: Array,
    via: Array,
    sizes: Array,
    child: Array,
    ends: Array,
    play: Array,
    regrets: Array,
    total: Array,
) -> None:
    """Run iterations of regret matching+ over the whole tree.

    `play`, `regrets` and `total` are by side (me, the opponent), node, special and plan. `sizes` is
    by side and node: the number of plans with each special, and with none. Parents precede their
    children.
    """
    count = len(parents)
    reach = np.ones((2, count, 3), np.float32)
    value = np.zeros((count, 6), np.float32)
    gains = np.zeros((2, 3, 52), np.float32)
    for number in range(begin, end):
        weight = np.float32(number) * np.float32(number)
        walk_down(parents, via, play, reach)
        for node in range(count - 1, -1, -1):
            gains[:] = 0
            put_values(ends[node], sizes[:, node, 3], child[node], value)
            for pair in range(6):
                s, t = MINE[pair], THEIRS[pair]
                if reach[0, node, s] == 0 and reach[1, node, t] == 0:
                    continue  # it has no weight, neither here nor above
                matrix, x, y = ends[node, pair], play[0, node, s], play[1, node, t]
                columns, whole = sizes[1, node, t], np.float32(0)
                for i in range(sizes[0, node, s]):
                    mean = np.float32(0)
                    for j in range(columns):
                        mean += matrix[i, j] * y[j]
                    gains[0, s, i] += reach[1, node, t] * mean
                    whole += x[i] * mean
                    share = reach[0, node, s] * x[i]
                    if share > 0:
                        for j in range(columns):
                            gains[1, t, j] -= share * matrix[i, j]
                value[node, pair] = whole
            for side in range(2):
                for s in range(3):
                    size, share = sizes[side, node, s], weight * reach[side, node, s]
                    now = play[side, node, s]
                    add_share(total[side, node, s], share, now, size)
                    kernels.matched(regrets[side, node, s], gains[side, s], now, 0, size)


@fast
def answer(
    parents: Array, via: Array, sizes: Array, child: Array, ends: Array, mixtures: Array
) -> Any:
    """Return the gain of a best response to my strategy at the start, averaged over the deals."""
    count = len(parents)
    reach, gained = np.ones((count, 3), np.float32), np.zeros((count, 3), np.float32)
    for node in range(1, count):
        for s in range(3):
            reach[node, s] = reach[parents[node], s] * mixtures[parents[node], s, via[node, 0]]
    for node in range(count - 1, -1, -1):
        for t in range(3):
            best = np.float32(-9)
            for j in range(sizes[1, node, t]):
                gain = np.float32(0)
                if j < sizes[1, node, 3]:
                    for i in range(sizes[0, node, 3]):
                        if child[node, i, j] > 0:
                            gain += gained[child[node, i, j], t]
                for pair in range(6):
                    if THEIRS[pair] != t:
                        continue
                    s = MINE[pair]
                    for i in range(sizes[0, node, s]):
                        share = reach[node, s] * mixtures[node, s, i]
                        if share > 0 and not (
                            i < sizes[0, node, 3]
                            and j < sizes[1, node, 3]
                            and child[node, i, j] > 0
                        ):
                            gain -= DEAL * share * ends[node, pair, i, j]
                best = max(best, gain)
            gained[node, t] = best
    return gained[0].sum()


class Tree:
    """A tree with the strategies of both sides."""

    def __init__(self, solved: Solved) -> None:
        self.solved, self.field = solved, rules(solved.last)
        at = first_positions(solved.last)
        self.positions, self.parents, self.via = [START], [-1], [(0, 0)]
        self.depths = [-1]  # rounds played before a node
        if len(at) == 1:
            self.positions, self.depths = [at[0][0]], [0]
        else:
            for i, row in enumerate(at):
                for j, position in enumerate(row):
                    self._add(0, (i, j), position)
        self.play: Array = np.zeros((2, 0, 3, 52), np.float32)
        self.regrets = self.play.copy()
        self._grown()

    def _add(self, parent: int, via: tuple[int, int], position: int) -> None:
        self.positions.append(position)
        self.parents.append(parent)
        self.via.append(via)
        self.depths.append(self.depths[parent] + 1)

    def _grown(self) -> None:
        count, old = len(self.positions), self.play.shape[1]
        here = np.array(self.positions)
        asides = np.stack([here // 6 % 6, here % 6])
        self.sizes = np.array(self.field.count)[asides]
        self.sizes[:, here == START] = len(first_positions(self.solved.last))
        self.child = np.zeros((count, 38, 38), np.int32)
        up, via = (
            np.array(self.parents[1:], np.int64),
            np.array(self.via[1:], np.int64).reshape(-1, 2),
        )
        self.child[up, via[:, 0], via[:, 1]] = np.arange(1, count)
        is_plan = np.arange(52) < self.sizes[:, :, :3, None]
        play = (is_plan / is_plan.sum(-1, keepdims=True)).astype(np.float32)
        regrets = np.zeros_like(play)
        play[:, :old], regrets[:, :old] = self.play, self.regrets
        self.play, self.regrets, self.total = play, regrets, np.zeros_like(play)
        self.ends: Array = np.zeros((count, len(PAIRS), 52, 52), np.float32)
        self.ended(ROUNDS)

    def ended(self, rounds: int) -> None:
        """Compute the leaf scores for a match of `rounds` rounds."""
        deepest = max(self.depths) + 1
        values = np.stack([self.solved.scores[rounds - 1 - depth] for depth in range(deepest)])
        fill(self.field, values, np.array(self.depths), np.array(self.positions), SLOTS, self.ends)

    def solve(self, iterations: int) -> None:
        """Improve the strategies of both sides."""
        self.total[:] = 0
        iterate(
            1,
            iterations + 1,
            np.array(self.parents),
            np.array(self.via),
            self.sizes,
            self.child,
            self.ends,
            self.play,
            self.regrets,
            self.total,
        )

    def mixtures(self, side: int) -> Array:
        """Return the average strategy of a side, by node, special and plan."""
        whole = self.total[side].sum(-1, keepdims=True)
        return np.where(whole > 0, self.total[side] / np.maximum(whole, 1e-30), self.play[side])

    def likely(self) -> Array:
        """Return the probability of each pair of plans without a special, by node."""
        is_common = np.arange(38) < self.sizes[:, :, 3, None]
        mine, theirs = (self.mixtures(n)[..., :38] * is_common[n][:, None] for n in (0, 1))
        found = np.zeros(self.child.shape, np.float32)
        reach = np.ones((2, len(mine), 3), np.float32)
        for node, up in enumerate(self.parents):
            if up >= 0:
                for side, x in enumerate((mine, theirs)):
                    reach[side, node] = reach[side, up] * x[up, :, self.via[node][side]]
            one, two = (reach[n, node][:, None] * x[node] for n, x in enumerate((mine, theirs)))
            for s, t in PAIRS:
                found[node] += DEAL * np.outer(one[s], two[t])
        return found

    def grow(self, least: float, most: int) -> None:
        """Add nodes reached with a probability of `least` or more, likeliest first."""
        likely = np.where(self.child > 0, 0, self.likely())
        likely[np.array(self.positions) == START] = 0
        order = np.argsort(likely, axis=None)[::-1]
        for flat in order[: max(0, most - len(self.positions))]:
            node, i, j = (int(n) for n in np.unravel_index(flat, likely.shape))
            if likely[node, i, j] < least:
                break
            here = self.positions[node]
            one = self.field.plans[here // 6 % 6, NONE, i]
            two = self.field.plans[here % 6, NONE, j]
            after = kernels.outcome(self.field, here, one, two)
            if after >= 0:
                self._add(node, (i, j), after)
        self._grown()

    def exploitable(self, mixtures: Array) -> float:
        """Return the gain of a best response, in wins."""
        parents, via = np.array(self.parents), np.array(self.via)
        return float(answer(parents, via, self.sizes, self.child, self.ends, mixtures)) / 2

    def kept(self) -> Array:
        """Return my strategies as integers, as in the book; zeros at nodes that I never reach."""
        x, came = self.mixtures(0), np.ones((len(self.positions), NONE), bool)
        whole = np.rint(x * book.WHOLE)
        for node, up in enumerate(self.parents):
            if up >= 0:
                came[node] = came[up] & (whole[up, :, self.via[node][0]] > 0)
        return np.where(came[..., None], whole, 0).astype(np.uint8)

    def packed(self, kept: Array) -> bytes:
        """Return this field's part of the file, see core.games.kiriai.bot.book."""
        below: dict[int, list[int]] = {}
        for node, up in enumerate(self.parents):
            below.setdefault(up, []).append(node)
        counts, shares, edges = bytearray(), bytearray(), bytearray()
        queue = [0]
        for node in queue:
            orders = self._orders(node)
            for special in range(NONE):
                listed = [
                    (orders[special].index(n), int(kept[node, special, n]))
                    for n in np.flatnonzero(kept[node, special])
                ]
                counts.append(len(listed))
                for number, share in sorted(listed):
                    shares += bytes((number, share))
            inner = [n for n in below.get(node, ()) if kept[n].any()]
            counts += len(inner).to_bytes(2, "little")
            for n in inner:
                edges += bytes(self.via[n])
            queue += inner
        head = b"".join(len(part).to_bytes(4, "little") for part in (counts, shares))
        return lzma.compress(head + counts + shares + edges, preset=9)

    def _orders(self, node: int) -> list[list[int]]:
        """Return, by special, the plan numbers at a node in the order of their notations."""
        here = self.positions[node]
        if here == START:
            return [list(range(6))] * NONE
        found = []
        for special in SPECIALS:
            aside = here // 6 % 6
            listed = plans_of("" if aside == NO_CARD else BASIC[aside], special)
            found.append(sorted(range(len(listed)), key=lambda n, one=listed: one[n]))  # type: ignore[misc]
        return found


def book_of(solved: Solved, most: int, stages: int = 3, iterations: int = 130) -> bytes:
    """Return this field's part of the file, and print its exploitability."""
    tree = Tree(solved)
    for stage in range(stages):
        tree.solve(iterations)
        say(f"{solved.name}, book of {len(tree.positions)} nodes: {_gain(tree):.4f}")
        tree.grow(0.02 / most, most >> (2 * (stages - 1 - stage)))
    tree.solve(3 * iterations)
    kept = tree.kept()
    for rounds in (20, 40, 80):
        tree.ended(rounds)
        say(
            f"{solved.name}, from the start with the book of {len(tree.positions)} nodes, "
            f"{rounds} rounds left: exploitable by at most {_gain(tree):.4f} wins"
        )
    return tree.packed(kept)


def _gain(tree: Tree) -> float:
    kept = tree.kept().astype(np.float32)
    return tree.exploitable(kept / np.maximum(kept.sum(-1, keepdims=True), 1))


def main() -> None:
    """Solve both fields; write the table and the book to the given folder."""
    parts, books = [], []
    for name, last in SPACES.items():
        solved = Solved(name, last)
        parts += solved.packed()
        books.append(book_of(solved, NODES))
    for file, packed in ((table.FILE, parts), (book.FILE, books)):
        head = b"".join(len(part).to_bytes(4, "little") for part in packed)
        data = head + b"".join(packed)
        Path(sys.argv[1], file).write_bytes(data)
        say(f"{file}: {len(data)} bytes")


if __name__ == "__main__":
    main()
