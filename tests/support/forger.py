"""Provers that stop at nothing: they answer for what is false as well as can be.

They follow the equations of docs/proofs.md one by one, and share no code with the real provers but
the transcript: what they prove of something true is a proof, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from kumite.net.crypto import lock_proof, shuffle_proof
from kumite.net.crypto.groups import Group, generators

Matrix = list[list[int]]  # by new place and old place


def total(group: Group, terms: Iterable[tuple[int, bytes]]) -> bytes:
    """Return a sum of elements; what is taken no times is left out."""
    made = b""
    for scalar, element in terms:
        if scalar % group.order:
            one = group.times(scalar % group.order, element)
            made = group.plus(made, one) if made else one
    return made


def permuting(places: Sequence[int]) -> Matrix:
    """Return the matrix of a permutation (old place by new place)."""
    return [[int(place == old) for old in range(len(places))] for place in places]


def solved(matrix: Matrix, order: int) -> Matrix:
    """Return the transposed inverse of a matrix: of a permutation it is the permutation itself."""
    count = len(matrix)
    rows = [[*row, *(int(i == j) for j in range(count))] for i, row in enumerate(matrix)]
    for i in range(count):
        pivot = next(k for k in range(i, count) if rows[k][i] % order)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        undo = pow(rows[i][i], -1, order)
        rows[i] = [undo * one % order for one in rows[i]]
        for k in set(range(count)) - {i}:
            rows[k] = [
                (one - rows[k][i] * two) % order for one, two in zip(rows[k], rows[i], strict=True)
            ]
    return [list(column) for column in zip(*(row[count:] for row in rows), strict=True)]


@dataclass
class ShuffleForger:
    """Proves that Σ u'_i·Y_i is a·Σ u_j·P_j, where u' is M·u: M may be any matrix.

    If M permutes and Y is a·M·P, that is a shuffle, and the proof a true one. Else Y is chosen so
    that this equation holds, if it is not given.
    """

    group: Group
    about: tuple[str | int | bytes, ...]
    before: tuple[bytes, ...]
    scalar: int
    matrix: Matrix
    after: tuple[bytes, ...] = ()
    factor: bytes = b""
    answered: int = 0  # with which number in the place of a; 0: a
    broken_link: int | None = None  # of the chain
    rng: Random = field(default_factory=lambda: Random(1))
    announced: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        group = self.group
        self.after = self.after or tuple(
            total(group, [(self.scalar * m, p) for m, p in zip(row, self.before, strict=True)])
            for row in solved(self.matrix, group.order)
        )
        self.factor = self.factor or group.base_times(self.scalar)
        self.answered = self.answered or self.scalar

    def number(self) -> int:
        return self.rng.randrange(1, self.group.order)

    def statement(self) -> shuffle_proof.Statement:
        return shuffle_proof.Statement(self.group, self.about, self.before, self.after, self.factor)

    def proof(self) -> shuffle_proof.Proof:
        """Return the proof, made as the paper says."""
        group, q, g = self.group, self.group.order, self.group.base
        count, transcript = len(self.before), self.statement().transcript()
        h, hs, _ = generators(group, count)
        r = [self.number() for _ in range(count)]
        columns = zip(*self.matrix, strict=True)
        c_points = tuple(
            total(group, [(r[j], g), *zip(column, hs, strict=True)])
            for j, column in enumerate(columns)
        )
        transcript.say("permutation", *c_points)
        u = transcript.weights("card", count)
        moved = [sum(m * one for m, one in zip(row, u, strict=True)) % q for row in self.matrix]
        r_hat, chain, ends = [], [h], [0]
        for i, one in enumerate(moved):
            r_hat.append(self.number())
            ends.append((r_hat[i] + one * ends[-1]) % q)
            chain.append(total(group, [(r_hat[i], g), (one, chain[-1])]))
            if i == self.broken_link:
                chain[-1] = self.honest_end(u, h, ends)
        transcript.say("chain", *chain[1:])
        rho = transcript.weights("step", count)
        secrets = [
            sum(r),
            ends[-1],
            sum(one * hide for one, hide in zip(u, r, strict=True)),
            self.answered,
            sum(one * hide for one, hide in zip(rho, r_hat, strict=True)),
            *moved,
        ]
        w = [self.number() for _ in secrets]
        x = [(w[3] * one, p) for one, p in zip(u, self.before, strict=True)]
        blinds = w[5:]
        self.announced = (
            total(group, [(w[0], g)]),
            total(group, [(w[1], g)]),
            total(group, [(w[2], g), *zip(blinds, hs, strict=True)]),
            total(group, [*x, *((-b, y) for b, y in zip(blinds, self.after, strict=True))]),
            total(group, [(w[3], g)]),
            total(group, [(w[4], g), *((rho[i] * blinds[i], chain[i]) for i in range(count))]),
        )
        transcript.say("announced", *self.announced)
        c = transcript.challenge()
        s = [(one + c * secret) % q for one, secret in zip(w, secrets, strict=True)]
        responses = shuffle_proof.Witness(s[0], s[1], s[2], s[3], s[4], tuple(s[5:]))
        return shuffle_proof.Proof(c_points, tuple(chain[1:]), c, responses)

    def honest_end(self, u: Sequence[int], h: bytes, ends: Sequence[int]) -> bytes:
        """Return the point at which the chain of a permutation would end."""
        product = 1
        for one in u:
            product = product * one % self.group.order
        return total(self.group, [(ends[-1], self.group.base), (product, h)])


@dataclass
class LockForger:
    """Proves that a·Z_i is k_i·Y_i, A is a·G and K_i is k_i·G; the fields may lie."""

    statement: lock_proof.Statement
    scalar: int
    keys: list[int]
    rng: Random = field(default_factory=lambda: Random(1))
    announced: tuple[bytes, ...] = ()

    def proof(self) -> lock_proof.Proof:
        """Return the proof, made as docs/proofs.md says."""
        given, group = self.statement, self.statement.group
        q, count, transcript = group.order, len(self.keys), given.transcript()
        rho = transcript.weights("card", count)
        w = [self.rng.randrange(1, q) for _ in range(count + 1)]
        cards = [(w[0] * one, z) for one, z in zip(rho, given.after, strict=True)]
        cards += [(-b * one, y) for b, one, y in zip(w[1:], rho, given.before, strict=True)]
        self.announced = (*map(group.base_times, w), total(group, cards))
        transcript.say("announced", *self.announced)
        c = transcript.challenge()
        factor, *keys = ((b + c * x) % q for b, x in zip(w, (self.scalar, *self.keys), strict=True))
        return lock_proof.Proof(c, factor, tuple(keys))
