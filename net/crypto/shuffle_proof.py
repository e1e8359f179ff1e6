"""Proof that a pass is a shuffle: the same cards, permuted, times one number.

Terelius and Wikström's proof ("Proofs of Restricted Shuffles", 2010), as written down by Haenni,
Locher, Koenig and Dubuis ("Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets", 2017),
with two changes: a pass has one secret factor instead of re-encryption, and the steps of the chain
are checked as one sum with random weights. docs/proofs.md has the statement and the equations.

Letters as there: P is the deck before, Y the deck after, a the factor and A = a·G; C commits to the
permutation with r, Ĉ is the chain with r̂, u are the verifier's numbers by old place and u' the
same by new place, ρ the weights of the chain, c the challenge; ω blinds a secret in its response s.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from kumite.core.errors import BadData
from kumite.net.crypto.groups import Group, added, combined, generators
from kumite.net.crypto.keys import Part
from kumite.net.crypto.transcript import SCALAR, Transcript, packed, split, unpacked


@dataclass(frozen=True, slots=True)
class Statement:
    """The claim that `after` is a permutation of a·`before`, where `factor` is a·G."""

    group: Group
    about: tuple[Part, ...]  # the author, the deck, and everything before the pass
    before: tuple[bytes, ...]  # P
    after: tuple[bytes, ...]  # Y
    factor: bytes  # A

    def transcript(self) -> Transcript:
        made = Transcript("shuffle", self.group, *self.about)
        made.say("cards", *self.before, *self.after, self.factor)
        return made


class Witness(NamedTuple):
    """The secrets of a proof; also, in the same order, their blinds and responses."""

    total: int  # r̄: of all r
    product: int  # r̂: the coefficient of G at the end of the chain
    opening: int  # r̃: of all r, each times its u
    factor: int  # a
    chain: int  # of all r̂, each times its ρ
    moved: tuple[int, ...]  # u'

    @staticmethod
    def of(single: Iterable[int], moved: Iterable[int]) -> Witness:
        """Return five single numbers and the rest as one value."""
        total, product, opening, factor, chain = single
        return Witness(total, product, opening, factor, chain, tuple(moved))


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof, as posted."""

    permutation: tuple[bytes, ...]  # C, by old place
    chain: tuple[bytes, ...]  # Ĉ, by new place
    challenge: int
    responses: Witness

    def packed(self) -> bytes:
        """Return the proof as bytes: points, then numbers."""
        *single, moved = self.responses
        numbers = packed((self.challenge, *single, *moved))
        return b"".join((*self.permutation, *self.chain, numbers))

    @staticmethod
    def of(data: bytes, count: int, group: Group) -> Proof:
        """Parse a proof for `count` cards without checking its points, or raise BadData."""
        if len(data) != size_for(count, group):
            raise BadData(f"a proof of {len(data)} bytes for {count} cards")
        end = 2 * count * group.size
        points, numbers = split(data[:end], group.size), unpacked(data[end:], group)
        responses = Witness.of(numbers[1:6], numbers[6:])
        return Proof(points[:count], points[count:], numbers[0], responses)


def size_for(count: int, group: Group) -> int:
    """Return the bytes of a proof for `count` cards."""
    return 2 * count * group.size + (6 + count) * SCALAR


def prove(statement: Statement, scalar: int, places: Sequence[int], key: bytes) -> Proof:
    """Return the proof that `after[i]` is `before[places[i]]` times `scalar`.

    All randomness comes from `key`, 32 secret bytes, and the statement.
    """
    group, count, transcript = statement.group, len(places), statement.transcript()
    secrets, bases = transcript.secrets(key), generators(statement.group, len(places))
    hides, points = secrets.many(count), [b""] * count  # r by new place, C by old place
    for place, hide, base in zip(places, hides, bases.others, strict=True):
        points[place] = group.plus(group.base_times(hide), base)
    transcript.say("permutation", *points)
    weights = transcript.weights("card", count)
    moved = tuple(weights[place] for place in places)
    chain = _Chain.of(group, moved, secrets.many(count))
    transcript.say("chain", *chain.points)
    steps = transcript.weights("step", count)
    witness = Witness(
        sum(hides), chain.sums[-1], _dot(moved, hides), scalar, _dot(steps, chain.hides), moved
    )
    blinds = Witness.of(secrets.many(5), secrets.many(count))
    transcript.say("announced", *_announced(statement, places, witness, blinds, chain, steps))
    challenge = transcript.challenge()
    return Proof(
        tuple(points), chain.points, challenge, _responses(group, blinds, challenge, witness)
    )


@dataclass(frozen=True, slots=True)
class _Chain:
    """The chain Ĉ with the prover's representation of each point in G and H."""

    points: tuple[bytes, ...]
    hides: Sequence[int]  # r̂
    sums: tuple[int, ...]  # the coefficient of G in each point, from Ĉ_0 on
    products: tuple[int, ...]  # of H

    @staticmethod
    def of(group: Group, moved: Sequence[int], hides: Sequence[int]) -> _Chain:
        """Return Ĉ_i = r̂_i·G + u'_i·Ĉ_(i-1), starting from Ĉ_0 = H."""
        first, points, sums, products = generators(group, len(moved)).first, [], [0], [1]
        for factor, hide in zip(moved, hides, strict=True):
            sums.append((hide + factor * sums[-1]) % group.order)
            products.append(factor * products[-1] % group.order)
            own = group.base_times(sums[-1])
            points.append(group.plus(own, group.times(products[-1], first)))
        return _Chain(tuple(points), hides, tuple(sums), tuple(products))


def _announced(
    statement: Statement,
    places: Sequence[int],
    witness: Witness,
    blinds: Witness,
    chain: _Chain,
    steps: Sequence[int],
) -> tuple[bytes, ...]:
    """Return the prover's announcements t1 to t6, each computed in the cheapest way."""
    group, order = statement.group, statement.group.order
    base, bases = group.base_times, generators(group, len(places))
    cards = (  # Y_i is a·P_j, so that one multiplication does for both sides
        (blinds.factor * one - blind * witness.factor, statement.before[place])
        for one, blind, place in zip(witness.moved, blinds.moved, places, strict=True)
    )
    links = [step * blind for step, blind in zip(steps, blinds.moved, strict=True)]
    end = base((blinds.chain + _dot(links, chain.sums[:-1])) % order)
    return (
        base(blinds.total),
        base(blinds.product),
        added(
            group,
            (base(blinds.opening), combined(group, zip(blinds.moved, bases.others, strict=True))),
        ),
        combined(group, cards),
        base(blinds.factor),
        added(group, (end, combined(group, [(_dot(links, chain.products[:-1]), bases.first)]))),
    )


def _responses(group: Group, blinds: Witness, challenge: int, witness: Witness) -> Witness:
    *blind, blind_moved = blinds
    *secret, moved = witness
    single = [(w + challenge * x) % group.order for w, x in zip(blind, secret, strict=True)]
    many = ((w + challenge * x) % group.order for w, x in zip(blind_moved, moved, strict=True))
    return Witness.of(single, many)


def _dot(ones: Sequence[int], others: Sequence[int]) -> int:
    return sum(one * other for one, other in zip(ones, others, strict=True))


def is_proved(statement: Statement, proof: Proof) -> bool:
    """Return True if this proves the statement, and that its author knows permutation and factor.

    Raise BadData for an invalid point in proof or statement; `before` was checked earlier.
    """
    count, transcript = len(statement.before), statement.transcript()
    transcript.say("permutation", *proof.permutation)
    weights = transcript.weights("card", count)
    transcript.say("chain", *proof.chain)
    steps = transcript.weights("step", count)
    transcript.say("announced", *_expected(statement, proof, weights, steps))
    return transcript.challenge() == proof.challenge


def _expected(
    statement: Statement, proof: Proof, weights: Sequence[int], steps: Sequence[int]
) -> tuple[bytes, ...]:
    """Return the announcements t1 to t6 that fit these responses.

    Each point from the prover is multiplied here, and thereby checked, before it is added.
    """
    group, s, c = statement.group, proof.responses, proof.challenge
    base, bases = group.base_times, generators(group, len(weights))
    opened = [(-c * u, point) for u, point in zip(weights, proof.permutation, strict=True)]
    opening = combined(group, [*zip(s.moved, bases.others, strict=True), *opened])
    before = [(s.factor * u, point) for u, point in zip(weights, statement.before, strict=True)]
    after = [(-one, point) for one, point in zip(s.moved, statement.after, strict=True)]
    heads = [rho * one for rho, one in zip(steps, s.moved, strict=True)]  # of Ĉ_0 to Ĉ_(N-1)
    tails = [-c * rho for rho in steps]  # of Ĉ_1 to Ĉ_N
    links = [head + tail for head, tail in zip((*heads[1:], 0), tails, strict=True)]
    chain = combined(group, [(heads[0], bases.first), *zip(links, proof.chain, strict=True)])
    end = [(-c, proof.chain[-1]), (c * prod(weights), bases.first)]
    total = [(-c, added(group, proof.permutation)), (c, bases.total)]
    return (
        added(group, (base(s.total), combined(group, total))),
        added(group, (base(s.product), combined(group, end))),
        added(group, (base(s.opening), opening)),
        combined(group, before + after),
        added(group, (base(s.factor), combined(group, [(-c, statement.factor)]))),
        added(group, (base(s.chain), chain)),
    )
