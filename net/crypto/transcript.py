"""Shared parts of the proofs: challenges by hashing, random numbers, numbers as bytes.

An interactive proof needs a verifier who answers at random. Hashing everything said so far replaces
those answers (Fiat and Shamir, 1986), so anybody can check the proof, and it is bound to its
statement and place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadData
from kumite.net.crypto.keys import Part, derive, hashed

if TYPE_CHECKING:
    from kumite.net.crypto.groups import Group

SCALAR: Final = 32  # bytes of a number below the order of any group
WEIGHT: Final = 16  # bytes of a weight: a false sum passes with probability 2^-128


class Transcript:
    """Everything said in a proof, beginning with its context."""

    def __init__(self, label: str, group: Group, *about: Part) -> None:
        self._group = group
        self._state = hashed(b"kumite-proof", (label, group.base, *about), size=64)

    def say(self, label: str, *said: Part) -> None:
        self._state = hashed(b"kumite-proof", (self._state, label, *said), size=64)

    def challenge(self) -> int:
        """Return the challenge, from 0 to `order - 1`."""
        return int.from_bytes(self._answer("challenge", 0), "little") % self._group.order

    def weights(self, label: str, count: int) -> tuple[int, ...]:
        """Return `count` random weights from 1 to 2^128."""
        return tuple(
            1 + int.from_bytes(self._answer(label, number)[:WEIGHT], "little")
            for number in range(count)
        )

    def secrets(self, key: bytes) -> Secrets:
        return Secrets(derive(key, "proof", self._state), self._group.order)

    def _answer(self, label: str, number: int) -> bytes:
        return hashed(b"kumite-answer", (self._state, label, number), size=64)


class Secrets:
    """Secret random numbers, reproducible after a crash.

    They depend on a secret key and the whole statement: two responses with the same number but
    different statements would reveal the secret.
    """

    def __init__(self, key: bytes, order: int) -> None:
        self._key, self._order, self._drawn = key, order, 0

    def one(self) -> int:
        """Return a number from 1 to `order - 1`, statistically uniform."""
        self._drawn += 1
        found = derive(self._key, "number", self._drawn, size=64)  # 259 bits more than needed
        return 1 + int.from_bytes(found, "little") % (self._order - 1)

    def many(self, count: int) -> list[int]:
        return [self.one() for _ in range(count)]


def packed(numbers: Sequence[int]) -> bytes:
    """Return numbers below the order as bytes, 32 each."""
    return b"".join(number.to_bytes(SCALAR, "little") for number in numbers)


def unpacked(data: bytes, group: Group) -> tuple[int, ...]:
    """Parse numbers from 1 to `order - 1`, or raise BadData."""
    found = tuple(int.from_bytes(one, "little") for one in split(data, SCALAR))
    if len(data) % SCALAR or not all(0 < one < group.order for one in found):
        raise BadData("a number of a proof that is out of range")
    return found


def split(data: bytes, size: int) -> tuple[bytes, ...]:
    return tuple(data[at : at + size] for at in range(0, len(data), size))
