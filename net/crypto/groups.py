"""The group of the cards: adding and multiplying points, and independent generators.

The modules above work with any group of prime order in which DDH is hard.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, reduce
from typing import Final, NamedTuple

from kumite.core.errors import BadData, LocalError
from kumite.net.crypto.keys import hashed

NO_ELEMENT: Final = "a point that is not an element of the group"


class Group:
    """The prime-order subgroup of edwards25519; tests put a small group in its place.

    PyNaCl before 1.6.2 accepts some points outside the subgroup (CVE-2025-69277), with which cards
    could be marked.
    """

    order: Final = 2**252 + 27742317777372353535851937790883648493  # elements; a prime
    size: Final = 32  # bytes of an element
    base: Final = bytes.fromhex("58" + "66" * 31)

    def hashed(self, data: bytes) -> bytes:
        """Map 32 random bytes to an element (Elligator 2); nobody knows relations between them."""
        from nacl import bindings

        return bindings.crypto_core_ed25519_from_uniform(data)

    def times(self, scalar: int, element: bytes) -> bytes:
        """Return `scalar`·`element` in constant time, for a scalar from 1 to `order - 1`.

        libsodium itself refuses anything but the canonical encoding of a point of the subgroup.
        Raise BadData if `element`, which may be untrusted, is invalid or neutral.
        """
        from nacl import bindings

        _check_scalar(scalar, self.order)
        if len(element) != self.size:
            raise BadData(NO_ELEMENT)
        try:
            return bindings.crypto_scalarmult_ed25519_noclamp(
                scalar.to_bytes(32, "little"), element
            )
        except RuntimeError:
            raise BadData(NO_ELEMENT) from None

    def base_times(self, scalar: int) -> bytes:
        from nacl import bindings

        _check_scalar(scalar, self.order)
        return bindings.crypto_scalarmult_ed25519_base_noclamp(scalar.to_bytes(32, "little"))

    def plus(self, one: bytes, other: bytes) -> bytes:
        """Return the sum of two checked elements, which may be neutral."""
        from nacl import bindings

        return bindings.crypto_core_ed25519_add(one, other)

    def is_element(self, data: bytes) -> bool:
        """Return True for the canonical encoding of an element other than the neutral one."""
        from nacl import bindings

        return len(data) == 32 and bindings.crypto_core_ed25519_is_valid_point(data)


ED25519: Final = Group()


def _check_scalar(scalar: int, order: int) -> None:
    if not 0 < scalar < order:
        raise LocalError("a point is multiplied by 1 to the order of its group less 1")


def combined(group: Group, terms: Iterable[tuple[int, bytes]]) -> bytes:
    """Return the sum of scalar·element over `terms`, checking every element.

    A multiple of the order is refused too: proofs use random scalars, so it never occurs there.
    Raise BadData for an invalid element or a scalar of zero.
    """
    made = []
    for scalar, element in terms:
        if not scalar % group.order:
            raise BadData("a point that is multiplied by nothing")
        made.append(group.times(scalar % group.order, element))
    return added(group, made)


def added(group: Group, elements: Iterable[bytes]) -> bytes:
    """Return the sum of at least one element; they are not checked."""
    return reduce(group.plus, elements)


class Generators(NamedTuple):
    """Elements with no known relation to each other or to the base."""

    first: bytes
    others: tuple[bytes, ...]
    total: bytes  # of the others


@lru_cache(maxsize=16)
def generators(group: Group, count: int) -> Generators:
    """Return one generator and `count` others, hashed from their numbers."""
    first, *others = (
        group.hashed(hashed(b"kumite-generator", (number,))) for number in range(count + 1)
    )
    return Generators(first, tuple(others), added(group, others))
