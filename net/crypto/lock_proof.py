"""Proof that a locking pass put the key of its lock on each card and removed the shuffle factor.

Chaum and Pedersen's proof that two points are the same multiple of two others ("Wallet Databases
with Observers", 1992), for all places of a deck at once: the equations of the cards are checked as
one sum with random weights. docs/proofs.md has the statement, the equations and the reasons.

Letters as there: Y is the deck before, Z the deck after the pass, a the factor of the same
terminal's shuffle and A = a·G; k are the keys and K = k·G the locks, ρ the weights, c the
challenge; ω blinds a secret in its response s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kumite.core.errors import BadData
from kumite.net.crypto.groups import Group, added, combined
from kumite.net.crypto.keys import Part
from kumite.net.crypto.transcript import SCALAR, Transcript, packed, unpacked


@dataclass(frozen=True, slots=True)
class Statement:
    """The claim that a·`after[i]` is k·`before[i]`, where `factor` is a·G and `locks[i]` is k·G."""

    group: Group
    about: tuple[Part, ...]  # the author, the deck, and everything before the pass
    before: tuple[bytes, ...]  # Y
    after: tuple[bytes, ...]  # Z
    factor: bytes  # A
    locks: tuple[bytes, ...]  # K

    def transcript(self) -> Transcript:
        made = Transcript("lock", self.group, *self.about)
        made.say("cards", *self.before, *self.after, self.factor, *self.locks)
        return made


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof, as posted."""

    challenge: int
    factor: int  # the response for a
    keys: tuple[int, ...]  # the responses for k

    def packed(self) -> bytes:
        return packed((self.challenge, self.factor, *self.keys))

    @staticmethod
    def of(data: bytes, count: int, group: Group) -> Proof:
        """Parse a proof for `count` cards, or raise BadData."""
        if len(data) != size_for(count, group):
            raise BadData(f"a proof of {len(data)} bytes for {count} cards")
        challenge, factor, *keys = unpacked(data, group)
        return Proof(challenge, factor, tuple(keys))


def size_for(count: int, _group: Group) -> int:
    """Return the bytes of a proof for `count` cards, equal in all groups."""
    return (2 + count) * SCALAR


def prove(statement: Statement, scalar: int, keys: Sequence[int], key: bytes) -> Proof:
    """Return the proof that a is `scalar` and the k are `keys`.

    All randomness comes from `key`, 32 secret bytes, and the statement.
    """
    group, order, transcript = statement.group, statement.group.order, statement.transcript()
    weights, secrets = transcript.weights("card", len(keys)), transcript.secrets(key)
    blind, blinds = secrets.one(), secrets.many(len(keys))
    ratio = blind * pow(scalar, -1, order)  # Z_i is k_i/a·Y_i: one multiplication for both sides
    cards = (
        (weight * (ratio * own - hidden), point)
        for weight, own, hidden, point in zip(weights, keys, blinds, statement.before, strict=True)
    )
    announced = (group.base_times(blind), *map(group.base_times, blinds), combined(group, cards))
    transcript.say("announced", *announced)
    c = transcript.challenge()
    responses = ((hidden + c * own) % order for hidden, own in zip(blinds, keys, strict=True))
    return Proof(c, (blind + c * scalar) % order, tuple(responses))


def is_proved(statement: Statement, proof: Proof) -> bool:
    """Return True if this proves the statement, and that its author knows the factor and keys.

    Raise BadData for an invalid point in the statement; `before` was checked earlier.
    """
    group, c, transcript = statement.group, proof.challenge, statement.transcript()
    weights = transcript.weights("card", len(statement.before))
    pairs = zip((proof.factor, *proof.keys), (statement.factor, *statement.locks), strict=True)
    single = (
        added(group, (group.base_times(s), combined(group, [(-c, point)]))) for s, point in pairs
    )
    after = [(proof.factor * one, z) for one, z in zip(weights, statement.after, strict=True)]
    before = [
        (-one * s, y) for one, s, y in zip(weights, proof.keys, statement.before, strict=True)
    ]
    transcript.say("announced", *single, combined(group, after + before))
    return transcript.challenge() == c
