"""Proof that a pass over a deck is a shuffle: the same cards, in another order, times one number.

Terelius and Wikström's ("Proofs of Restricted Shuffles", 2010), as Haenni, Locher, Koenig and
Dubuis write it down ("Pseudo-Code Algorithms for Verifiable Re-Encryption Mix-Nets", 2017), with
two changes: a pass has one secret factor in the place of re-encryption, and the steps of the chain
are checked in one sum with random weights. docs/proofs.md has the statement and the equations.

Letters as there: P is the deck before, Y the deck after it, a the factor and A = a·G; C commits to
the permutation with r, Ĉ is the chain with r̂, u are the verifier's numbers by old place and u' the
same by new place, ρ the weights of the chain, c the challenge; ω blinds a secret in its response s.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from kumite.core.errors import BadData
from kumite.net.crypto.groups import added, combined, generators
from kumite.net.crypto.transcript import SCALAR, Transcript, packed, split, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kumite.net.crypto.groups import Group
    from kumite.net.crypto.keys import Part


@dataclass(frozen=True, slots=True)
class Statement:
    """That `after` is `before` in some order, times the number a of which `factor` is a·G."""

    group: Group
    about: tuple[Part, ...]  # whose pass over which deck, and all that was before it
    before: tuple[bytes, ...]  # P
    after: tuple[bytes, ...]  # Y
    factor: bytes  # A

    def transcript(self) -> Transcript:
        """Return the transcript that begins with the statement."""
        made = Transcript("shuffle", self.group, *self.about)
        made.say("cards", *self.before, *self.after, self.factor)
        return made


class Witness(NamedTuple):
    """The secrets of a proof; in the same order what blinds them, and the responses."""

    total: int  # r̄: of all r
    product: int  # r̂: what the end of the chain has of G
    opening: int  # r̃: of all r, each times its u
    factor: int  # a
    chain: int  # of all r̂, each times its ρ
    moved: tuple[int, ...]  # u'

    @staticmethod
    def of(single: Iterable[int], moved: Iterable[int]) -> Witness:
        """Return the five numbers and the many as one."""
        total, product, opening, factor, chain = single
        return Witness(total, product, opening, factor, chain, tuple(moved))


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof, as it is posted."""

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
        """Return the proof of these bytes; its points are not checked yet.

        Raises:
            BadData: they are no proof for so many cards.
        """
        if len(data) != size_for(count, group):
            raise BadData(f"a proof of {len(data)} bytes for {count} cards")
        end = 2 * count * group.size
        points, numbers = split(data[:end], group.size), unpacked(data[end:], group)
        responses = Witness.of(numbers[1:6], numbers[6:])
        return Proof(points[:count], points[count:], numbers[0], responses)


def size_for(count: int, group: Group) -> int:
    """Return how many bytes the proof for so many cards has."""
    return 2 * count * group.size + (6 + count) * SCALAR


def prove(statement: Statement, scalar: int, places: Sequence[int], key: bytes) -> Proof:
    """Return the proof that `after[i]` is `before[places[i]]` times `scalar`.

    All random numbers come from `key`, 32 secret bytes, and from the statement.
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
    """The chain Ĉ, each point of which is a sum of G and a product of H, as the prover knows."""

    points: tuple[bytes, ...]
    hides: Sequence[int]  # r̂
    sums: tuple[int, ...]  # what each point has of G, from Ĉ_0 on
    products: tuple[int, ...]  # and of H

    @staticmethod
    def of(group: Group, moved: Sequence[int], hides: Sequence[int]) -> _Chain:
        """Return Ĉ_i = r̂_i·G + u'_i·Ĉ_(i-1), from Ĉ_0 = H on."""
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
    """Return what the prover says before the challenge: t1 to t6, each in the cheapest way."""
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
    """Tell whether this proves the statement; whoever made it knows the order and the number.

    Raises:
        BadData: a point of proof or statement is none; of `before` it is known already.
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
    """Return what the prover must have announced for these responses to be true: t1 to t6.

    Each point that came from the prover is multiplied here, and so checked, before it is added.
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
