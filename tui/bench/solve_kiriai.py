"""Solve Kiri-ai: `python -m tui.bench.solve_kiriai FILE` makes the table that `strong` plays by.

Backwards over the rounds left: each position is a matrix game over the values of the next ones. At
the first round of each bucket all matrices are solved with the same iterations as at play, from the
values as the table keeps them; within a bucket the mixtures stay. What is printed is exact: the
score of these mixtures against the best answer of an opponent who knows which special they hold
(an upper bound of what anybody can gain, as nobody does; exact where none is in hand).

The only thing here that needs numpy: `pip install numpy`; about twenty minutes and 4 GB.
"""

from __future__ import annotations

import lzma
import sys
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from core.bots import _kiriai_table as table
from core.bots._kiriai_table import (
    ASIDES,
    BUCKETS,
    FINE_BUCKETS,
    FINE_STEPS,
    NO_CARD,
    PAIRS,
    SLOT,
    SLOTS,
    STEPS,
    WOUNDS,
)
from core.games._kiriai_action import BASIC, CARD, FACES, SPECIALS, action
from core.games.kiriai import SPACES, STARTS

Array = Any  # of numpy, which is imported late: the rest of the project does without
FACE: Final = {face: number for number, face in enumerate(FACES)}
LEVELS: Final = 80  # the most rounds a match can have


class Field:
    """Where each pair of cards leads on a field, as arrays by geometry and both faces."""

    def __init__(self, np: Any, last: int) -> None:
        self.np, self.last, self.size = np, last, table.size(last)
        grounds = [
            (place, stances)
            for place in table.places(last)
            for stances in ((a, b) for a in table.STANCES for b in table.STANCES)
        ]
        self.grounds = len(grounds)
        shape = (len(grounds), len(FACES), len(FACES))
        self.next, self.hit = np.zeros(shape, np.int32), np.zeros(shape, np.int8)
        for ground, (spaces, stances) in enumerate(grounds):
            for one, two in ((a, b) for a in FACES for b in FACES):
                after, turned, hit = action(spaces, stances, (one, two), last)
                self.next[ground, FACE[one], FACE[two]] = table.geometry(last, after, turned)
                self.hit[ground, FACE[one], FACE[two]] = hit

    def indices(self, mine: list[table.Plan], theirs: list[table.Plan], slots: Array) -> Array:
        """Return the index of the value each pair of plans leads to, by geometry and wounds.

        `slots` is by plan and plan; the two values after the slots are a win and a defeat.
        """
        np = self.np
        one, two = (np.array([[FACE[face] for face in plan] for plan in x]) for x in (mine, theirs))
        first, second = (
            (np.arange(self.grounds)[:, None, None], one[None, :, None, n], two[None, None, :, n])
            for n in (0, 1)
        )
        ground, hit1 = self.next[first], self.hit[first]
        hit2, ground = (x[(ground, *second[1:])] for x in (self.hit, self.next))
        aside1, aside2 = (
            np.array([table.aside_number(CARD[plan[1]]) for plan in x]) for x in (mine, theirs)
        )
        won, lost = SLOTS * self.size, SLOTS * self.size + 1
        found = []
        for m, t in WOUNDS:
            m1, t1 = m + (hit1 == 0), t + (hit1 == 1)
            m2, t2 = m1 + (hit2 == 0), t1 + (hit2 == 1)
            is_lost = (m1 == 2) | ((t1 < 2) & (m2 == 2))
            is_won = (t1 == 2) | ((m1 < 2) & (t2 == 2))
            kind = 2 * np.minimum(m2, 1) + np.minimum(t2, 1)
            base = ((ground * 4 + kind) * ASIDES + aside1[None, :, None]) * ASIDES + aside2
            index = base + slots * self.size
            found.append(np.where(is_lost, lost, np.where(is_won, won, index)))
        return np.stack(found, 1).reshape(-1, len(mine), len(theirs)).astype(np.int32)


class Group:
    """All positions with the same cards aside and the same class: matrices of one shape."""

    def __init__(self, field: Field, asides: tuple[int, int], mine: str, played: str) -> None:
        np = field.np
        self.np = np
        cards = [card if card in BASIC else "" for card in (*BASIC, "")]
        names = (cards[asides[0]], cards[asides[1]])
        known = mine or played
        self.theirs = [card for card in SPECIALS if card != known] if known else [""]
        self.mine = table.plans(names[0], mine)
        self._fill(field, asides, names[1], mine, played)

    def _fill(
        self, field: Field, asides: tuple[int, int], aside: str, mine: str, played: str
    ) -> None:
        np = self.np
        indices, self.slots = [], []
        for theirs in self.theirs:
            answers = table.plans(aside, theirs)
            slots = np.array(
                [[_slot(one, two, mine, theirs, played) for two in answers] for one in self.mine]
            )
            indices.append(field.indices(self.mine, answers, slots))
            self.slots.append(table.slot_of(mine, theirs, played))
        self.index = np.concatenate(indices, 2)
        self.width = indices[0].shape[2]
        rows = np.arange(field.grounds * 4)
        self.out = [
            slot * field.size + (rows * ASIDES + asides[0]) * ASIDES + asides[1]
            for slot in self.slots
        ]
        self.iterations = table.ITERATIONS if mine or played else table.FINE_ITERATIONS
        self.x: Array = None

    def solve(self, values: Array) -> None:
        """Find the mixtures as `core.bots._kiriai_table.mixture` does, all at once."""
        np, count = self.np, len(self.theirs)
        matrix = values[self.index]
        n, rows, columns = matrix.shape
        x = np.full((n, rows), 1 / rows, np.float32)
        y = np.full((n, count, self.width), 1 / self.width, np.float32)
        mine, theirs, total = np.zeros_like(x), np.zeros_like(y), np.zeros_like(x)
        for round_ in range(1, self.iterations + 1):
            gains = (matrix @ y.reshape(n, columns, 1))[:, :, 0] / np.float32(count)
            x = self._matched(mine, gains, x)
            costs = -(x[:, None, :] @ matrix).reshape(y.shape)
            y = self._matched(theirs, costs, y)
            total += np.float32(round_ * round_) * x
        self.x = total / total.sum(-1, keepdims=True)

    def _matched(self, regrets: Array, gains: Array, played: Array) -> Array:
        np = self.np
        gains = gains - (gains * played).sum(-1, keepdims=True)
        regrets += gains
        np.maximum(regrets, 0, out=regrets)
        hoped = np.maximum(regrets + gains, 0)
        whole = hoped.sum(-1, keepdims=True)
        return np.where(whole > 0, hoped / np.maximum(whole, 1e-30), 1 / hoped.shape[-1]).astype(
            np.float32
        )

    def answered(self, values: Array, after: Array) -> None:
        """Write what the mixtures score against the best answers into `after`."""
        costs = (self.x[:, None, :] @ values[self.index])[:, 0]
        for number, out in enumerate(self.out):
            after[out] = costs[:, number * self.width : (number + 1) * self.width].min(-1)


def _slot(one: table.Plan, two: table.Plan, mine: str, theirs: str, played: str) -> int:
    shown = [next((face for face in plan if face in SPECIALS), "") for plan in (one, two)]
    return table.slot_of("" if shown[0] else mine, "" if shown[1] else theirs, shown[0] or played)


def groups(field: Field) -> list[Group]:
    """Return every class with every pair of cards aside that can be."""
    found = []
    for mine_aside in range(ASIDES):
        for other in range(ASIDES):
            asides = (mine_aside, other)
            for card in SPECIALS:
                if (mine_aside != NO_CARD and other != NO_CARD) or asides == (NO_CARD, NO_CARD):
                    found.append(Group(field, asides, card, ""))
                if other != NO_CARD:
                    found.append(Group(field, asides, "", card))
    return found + _alone(field)


class Lone(Group):
    """A class B group: I hold a special, the other has none left."""

    def __init__(self, field: Field, asides: tuple[int, int], mine: str) -> None:
        np = field.np
        self.np = np
        cards = (*BASIC, "")
        self.theirs = [""]
        self.mine = table.plans(cards[asides[0]], mine)
        self._fill(field, asides, cards[asides[1]], mine, "")


def _alone(field: Field) -> list[Group]:
    return [
        Lone(field, (mine, theirs), card)
        for mine in range(NO_CARD)
        for theirs in range(ASIDES)
        for card in SPECIALS
    ]


def decided(np: Any, field: Field) -> Array:
    """Return the values after the last round: fewer wounds win; then a win and a defeat."""
    kind = np.arange(field.size) // (ASIDES * ASIDES) % 4
    fewer = np.array([theirs - mine for mine, theirs in WOUNDS], np.float32)[kind]
    return np.concatenate([np.tile(fewer, SLOTS), [1.0, -1.0]]).astype(np.float32)


class Backwards:
    """The values of a field, one more round left each time; the mixtures change with the bucket."""

    def __init__(self, np: Any, field: Field, every: list[Group]) -> None:
        self.np, self.field, self.every = np, field, every
        self.values = decided(np, field)
        self.tables: list[bytes] = []

    def step(self, left: int, buckets: tuple[int, ...], kept: slice, steps: int) -> None:
        """Go one round back; at the first round of a bucket keep this part of the values."""
        np, values = self.np, self.values
        if left in buckets:
            whole = np.rint(values * steps).astype(np.int8)
            whole[-2:] = steps, -steps
            self.tables.append(whole[kept].tobytes())
            for group in self.every:
                group.solve((whole / np.float32(steps)).astype(np.float32))
        after = values.copy()
        for group in self.every:
            group.answered(values, after)
        self.values = after


def solve(np: Any, name: str, last: int) -> tuple[list[bytes], list[bytes]]:
    """Return the tables of a field, and print how much can be gained against them."""
    field, begun = Field(np, last), perf_counter()
    first = SLOT["D", 0, 0] * field.size
    spent = slice(first, first + field.size)
    fine = Backwards(np, field, _spent(field))
    exact, mirror = [], _mirror(np, field)
    for left in range(1, LEVELS + 1):
        fine.step(left, FINE_BUCKETS, spent, FINE_STEPS)
        exact.append(fine.values[spent])
        if left % 10 == 0 or left < 5:
            gap = -(exact[-1] + exact[-1][mirror]) / 4
            _say(
                f"{name}, both specials spent, {left} rounds left: exploitable by "
                f"{gap.mean():.4f} wins on average of the positions, {gap.max():.4f} at worst"
            )
    rest = Backwards(np, field, groups(field))
    for left in range(1, LEVELS + 1):
        rest.step(left, BUCKETS, slice(0, -2), STEPS)
        rest.values[spent] = exact[left - 1]
        if left in BUCKETS or left % 20 == 0:
            begin = -_start(field, rest.values) / 2
            _say(
                f"{name}, from the start, {left} rounds left: exploitable by at most "
                f"{begin:.4f} wins ({perf_counter() - begun:.0f} s)"
            )
    return rest.tables, fine.tables


def _say(text: str) -> None:
    print(text, flush=True)


def _spent(field: Field) -> list[Group]:
    """Return class D: both specials are spent."""
    return [Group(field, (a, b), "", "") for a in range(ASIDES) for b in range(ASIDES)]


def _mirror(np: Any, field: Field) -> Array:
    """Return, by position of a slot, the same position seen by the other side."""
    found = np.zeros(field.size, np.int64)
    last = field.last
    for (mine, theirs), number in table.places(last).items():
        there = table.places(last)[last + 1 - theirs, last + 1 - mine]
        for a in range(2):
            for b in range(2):
                for m, t in WOUNDS:
                    for one in range(ASIDES):
                        for two in range(ASIDES):
                            at = table.base(number * 4 + 2 * a + b, (m, t), (one, two))
                            found[at] = table.base(there * 4 + 2 * b + a, (t, m), (two, one))
    return found


def _start(field: Field, values: Array) -> float:
    """Return the score from the start of a match, on average of all deals."""
    if field.last == SPACES["standard"]:
        begins = [[((1, 5), ("heaven", "heaven"))]]
    else:
        parts = [[(int(text[0]), text[2:]) for text in starts] for starts in STARTS]
        begins = [[((r[0], b[0]), (r[1], b[1])) for b in parts[1]] for r in parts[0]]
    at = [
        [table.base(table.geometry(field.last, *one), (0, 0), (NO_CARD, NO_CARD)) for one in row]
        for row in begins
    ]
    scores = []
    for mine in range(3):
        slots = [SLOT["A", s, t] for s, t in PAIRS if s == mine]
        matrices = [[[float(values[s * field.size + i]) for i in row] for row in at] for s in slots]
        scores.append(table.mixture(matrices)[1])
    return sum(scores) / 3


def main() -> None:
    """Solve both fields and write the table to the file named on the command line."""
    import numpy as np

    deltas = []
    for name, last in SPACES.items():
        for tables in solve(np, name, last):
            before = np.zeros(len(tables[0]), np.uint8)
            for one in tables:
                now = np.frombuffer(one, np.uint8)
                deltas.append((now - before).tobytes())
                before = now
    packed = lzma.compress(b"".join(deltas), preset=9)
    Path(sys.argv[1]).write_bytes(packed)
    _say(f"{len(packed)} bytes")


if __name__ == "__main__":
    main()
