"""Solve Kiri-ai by backward induction over the rounds left, to make `kiriai.table`.

Each position is a matrix game over the values of the next positions. At the first round of each
bucket all matrices are solved as during play, from the values stored in the table. Within a bucket
the mixed strategies are kept.
"""

from __future__ import annotations

import lzma
from time import perf_counter
from typing import Any, Final

import numpy as np

from kumite.core.games.kiriai.action import BASIC, CARD, FACES, SPECIALS, action
from kumite.core.games.kiriai.bot import table as table
from kumite.core.games.kiriai.bot.table import (
    BUCKETS,
    COARSE,
    FINE_BUCKETS,
    SLOT,
    SLOTS,
    STANCES,
    WOUNDS,
)
from kumite.core.games.kiriai.state import SPACES, STARTS
from kumite.tools import kiriai_kernels as kernels

Array = Any  # a numpy array
FACE: Final = {face: number for number, face in enumerate(FACES)}
LEVELS: Final = 80  # the most rounds a match can have
NONE: Final = len(SPECIALS)  # the number that means no special
D: Final = SLOT["D", 0, 0]


def rules(last: int) -> kernels.Rules:
    grounds = [(place, (a, b)) for place in table.places(last) for a in STANCES for b in STANCES]
    shape = (len(grounds), len(FACES), len(FACES))
    following, wounded = np.zeros(shape, np.int32), np.zeros(shape, np.int8)
    for ground, (spaces, stances) in enumerate(grounds):
        for one, two in ((a, b) for a in FACES for b in FACES):
            after, turned, hit = action(spaces, stances, (one, two), last)
            following[ground, FACE[one], FACE[two]] = table.geometry(last, after, turned)
            wounded[ground, FACE[one], FACE[two]] = hit
    plans = np.zeros((table.ASIDES, NONE + 1, 52, 2), np.int32)
    count = np.zeros((table.ASIDES, NONE + 1), np.int32)
    for aside, card in enumerate((*BASIC, "")):
        for special, name in enumerate((*SPECIALS, "")):
            listed = plans_of(card, name)
            count[aside, special] = len(listed)
            plans[aside, special, : len(listed)] = [[FACE[face] for face in one] for one in listed]
    asides = np.array([table.aside_number(CARD[face]) for face in FACES], np.int32)
    shows = np.array([face in SPECIALS for face in FACES], np.int32)
    return kernels.Rules(following, wounded, asides, shows, plans, count)


def plans_of(aside: str, special: str) -> list[table.Plan]:
    """Return the plans of a hand, those with a special last."""
    found = table.plans(aside, special)
    return sorted(found, key=lambda plan: any(face in SPECIALS for face in plan))


def holdings(classes: str) -> kernels.Holdings:
    pairs = {s: [t for t in range(NONE) if t != s] for s in range(NONE)}
    rows: list[tuple[int, list[int], list[list[int]], int, int]] = []
    for name in classes:
        for s in range(NONE if name != "D" else 1):
            if name == "A":
                slots = [[SLOT["A", s, t], SLOT["C", s, t], SLOT["B", s, 0], D] for t in pairs[s]]
                rows.append((s, pairs[s], slots, 2, 2))
            elif name == "B":
                rows.append((s, [NONE], [[SLOT["B", s, 0], D, SLOT["B", s, 0], D]], 0, 1))
            elif name == "C":
                slots = [[SLOT["C", s, t], SLOT["C", s, t], D, D] for t in pairs[s]]
                rows.append((NONE, pairs[s], slots, 1, 0))
            else:
                rows.append((NONE, [NONE], [[D, D, D, D]], 1, 1))
    theirs, slots_ = np.zeros((len(rows), 2), np.int32), np.zeros((len(rows), 2, 4), np.int32)
    for number, (_, types, slots, _, _) in enumerate(rows):
        theirs[number, : len(types)], slots_[number, : len(types)] = types, slots
    mine, counts, bare, other = (
        np.array(column, np.int32)
        for column in zip(*[(m, len(t), a, b) for m, t, _, a, b in rows], strict=True)
    )
    return kernels.Holdings(mine, counts, theirs, slots_, bare, other)


def decided(last: int) -> Array:
    """Return the values after the last round, by slot and position: fewer wounds win."""
    kind = np.arange(table.size(last)) // (table.ASIDES * table.ASIDES) % len(WOUNDS)
    fewer = np.array([theirs - mine for mine, theirs in WOUNDS], np.float32)[kind]
    return np.tile(fewer, (SLOTS, 1))


def worths(last: int) -> list[Array]:
    """Return the value of each position of class D, by rounds left from 0."""
    field, held, values = rules(last), holdings("D"), decided(last)
    size, mirror = table.size(last), np.array(table.mirror(last))
    found, bounds = np.zeros((1, size, 52), np.float32), np.zeros((1, size, 2), np.float32)
    worth = [values[D].copy()]
    for _ in range(LEVELS):
        kernels.solve(
            field, held, values, table.FINE_ITERATIONS, table.FINE_TOLERANCE, 0.0, found, bounds
        )
        middle = bounds[0].mean(-1)
        values[D] = (middle - middle[mirror]) / 2
        worth.append(values[D].copy())
    return worth


def kept_worth(worth: Array) -> Array:
    """Return the values of class D as integers, as stored in the table."""
    return np.rint(worth * table.FINE_STEPS).astype(np.int16)


def spent(name: str, last: int, worth: list[Array]) -> list[Array]:
    """Print the exploitability in class D; return my guaranteed score, by rounds left from 0."""
    field, held, values = rules(last), holdings("D"), decided(last)
    size, mirror = table.size(last), np.array(table.mirror(last))
    found, bounds = np.zeros((1, size, 52), np.float32), np.zeros((1, size, 2), np.float32)
    scores, fine = [values[D].copy()], (table.FINE_ITERATIONS, table.FINE_TOLERANCE, table.LEAST)
    for left in range(1, len(worth)):
        if left in FINE_BUCKETS:
            known = values.copy()
            known[D] = kept_worth(worth[left - 1]) / np.float32(table.FINE_STEPS)
            kernels.solve(field, held, known, *fine, found, bounds)
        after = values.copy()
        kernels.answered(field, held, values, found, after)
        values = after
        scores.append(values[D].copy())
        if left in (1, 2, 3, 4) or left % 10 == 0:
            gap = -(values[D] + values[D][mirror]) / 4
            say(
                f"{name}, both specials spent, {left} rounds left: exploitable by "
                f"{gap.mean():.4f} wins on average of the positions, {gap.max():.4f} at worst"
            )
    return scores


class Solved:
    """A solved field: its tables, and the guaranteed scores of the strategies in all classes."""

    def __init__(self, name: str, last: int) -> None:
        self.name, self.last = name, last
        self.worth = worths(last)
        self.scores = [decided(last)]  # by rounds left, slot and position
        self.tables: list[Array] = []
        self._rest(spent(name, last, self.worth))

    def _rest(self, spent_scores: list[Array]) -> None:
        field, held, size = rules(self.last), holdings("ABC"), table.size(self.last)
        rows = len(held.mine)
        found = np.zeros((rows, size, 52), np.float32)
        bounds = np.zeros((rows, size, 2), np.float32)
        for left in range(1, LEVELS + 1):
            values = self.scores[-1]
            if left in BUCKETS:
                whole = np.rint(values[:COARSE] * table.STEPS).astype(np.int8)
                self.tables.append(whole)
                known = values.copy()
                known[:COARSE] = whole / np.float32(table.STEPS)
                known[D] = kept_worth(self.worth[left - 1]) / np.float32(table.FINE_STEPS)
                kernels.solve(field, held, known, table.ITERATIONS, 0.0, table.LEAST, found, bounds)
            after = values.copy()
            kernels.answered(field, held, values, found, after)
            after[D] = spent_scores[left]
            self.scores.append(after)
            if left in BUCKETS or left % 20 == 0:
                say(
                    f"{self.name}, from the start without the book, {left} rounds left: "
                    f"exploitable by at most {-start(self.last, after) / 2:.4f} wins"
                )

    def packed(self) -> list[bytes]:
        """Return this field's parts of the file."""
        mirror = np.array(table.mirror(self.last))
        first = np.arange(len(mirror)) <= mirror
        fine = np.stack([kept_worth(self.worth[left - 1])[first] for left in FINE_BUCKETS])
        fine = _differing(fine)
        coarse = _differing(np.stack(self.tables).reshape(len(BUCKETS), -1))
        low, high = (fine & 255).astype(np.uint8), (fine >> 8).astype(np.int8)
        parts = (*(row.tobytes() for row in coarse), low.tobytes() + high.tobytes())
        return [lzma.compress(part, preset=9) for part in parts]


def _differing(tables: Array) -> Array:
    """Return the differences between each table and the following one, the last table first."""
    turned = tables[::-1]
    return np.concatenate([turned[:1], turned[1:] - turned[:-1]])


def say(text: str) -> None:
    """Print a line with the elapsed seconds, flushed."""
    print(f"{text} ({perf_counter() - BEGUN:.0f} s)", flush=True)


BEGUN: Final = perf_counter()


def begins(last: int) -> list[list[tuple[tuple[int, int], tuple[str, str]]]]:
    """Return the starts of a match, as spaces and stances, by my start and the opponent's."""
    if last == SPACES["standard"]:
        return [[((1, 5), ("heaven", "heaven"))]]
    own = [(int(text[0]), text[2:]) for text in STARTS[0]]  # counted from the own end
    return [[((m[0], last + 1 - t[0]), (m[1], t[1])) for t in own] for m in own]


def first_positions(last: int) -> list[list[int]]:
    """Return the start positions of a match, by my start and the opponent's."""
    return [
        [table.base(table.geometry(last, *one), (0, 0), (table.NO_CARD,) * 2) for one in row]
        for row in begins(last)
    ]


def start(last: int, values: Array) -> float:
    """Return the score at the start of a match, -1 to 1, averaged over all deals."""
    at, scores = first_positions(last), []
    for mine in range(NONE):
        slots = [SLOT["A", s, t] for s, t in table.PAIRS if s == mine]
        matrices = [[[float(values[slot][i]) for i in row] for row in at] for slot in slots]
        scores.append(table.mixture(matrices)[1])
    return sum(scores) / NONE
