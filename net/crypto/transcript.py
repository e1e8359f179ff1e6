"""What the proofs have in common: challenges by hashing, random numbers, numbers as bytes.

A proof talks to a verifier who only ever answers at random. The hash of all that has been said so
far stands for those answers (Fiat and Shamir, 1986): so a proof is bytes that anybody can check,
and it is a proof of this statement in this place alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadData
from kumite.net.crypto.keys import derive, hashed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kumite.net.crypto.groups import Group
    from kumite.net.crypto.keys import Part

SCALAR: Final = 32  # bytes of a number below the order of any group
WEIGHT: Final = 16  # bytes of a weight: a false sum comes out right once in 2^128


class Transcript:
    """All that has been said in a proof; it begins with what the proof is about."""

    def __init__(self, label: str, group: Group, *about: Part) -> None:
        self._group = group
        self._state = hashed(b"kumite-proof", (label, group.base, *about), size=64)

    def say(self, label: str, *said: Part) -> None:
        """Add what the prover says next."""
        self._state = hashed(b"kumite-proof", (self._state, label, *said), size=64)

    def challenge(self) -> int:
        """Return the verifier's answer: a number from 0 to `order - 1`."""
        return self._number("challenge", self._group)

    def weights(self, label: str, count: int) -> tuple[int, ...]:
        """Return so many random numbers from 1 to 2^128, as an answer."""
        return tuple(
            1 + int.from_bytes(self._answer(label, number)[:WEIGHT], "little")
            for number in range(count)
        )

    def secrets(self, key: bytes) -> Secrets:
        """Return the prover's random numbers for what has been said so far."""
        return Secrets(derive(key, "proof", self._state), self._group.order)

    def _answer(self, label: str, number: int) -> bytes:
        return hashed(b"kumite-answer", (self._state, label, number), size=64)

    def _number(self, label: str, group: Group) -> int:
        return int.from_bytes(self._answer(label, 0), "little") % group.order


class Secrets:
    """Random numbers that nobody else can know, the same again after a crash.

    They come from a secret key and the whole statement: another statement has other numbers, since
    two answers with one number would give the secret away.
    """

    def __init__(self, key: bytes, order: int) -> None:
        self._key, self._order, self._drawn = key, order, 0

    def one(self) -> int:
        """Return a number from 1 to `order - 1`; all are as good as equally likely."""
        self._drawn += 1
        found = derive(self._key, "number", self._drawn, size=64)  # 259 bits more than are needed
        return 1 + int.from_bytes(found, "little") % (self._order - 1)

    def many(self, count: int) -> list[int]:
        """Return so many of them."""
        return [self.one() for _ in range(count)]


def packed(numbers: Sequence[int]) -> bytes:
    """Return numbers below the order as bytes, 32 each."""
    return b"".join(number.to_bytes(SCALAR, "little") for number in numbers)


def unpacked(data: bytes, group: Group) -> tuple[int, ...]:
    """Return the numbers of these bytes, each from 1 to `order - 1`.

    Raises:
        BadData: they are not.
    """
    found = tuple(int.from_bytes(one, "little") for one in split(data, SCALAR))
    if len(data) % SCALAR or not all(0 < one < group.order for one in found):
        raise BadData("a number of a proof that is none of the group")
    return found


def split(data: bytes, size: int) -> tuple[bytes, ...]:
    """Return `data` in pieces of that size."""
    return tuple(data[at : at + size] for at in range(0, len(data), size))
