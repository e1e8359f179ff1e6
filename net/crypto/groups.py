"""The group in which cards lie: points to multiply and add, and generators that nobody chose.

Everything above it is written for any group of prime order; matches use ed25519.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from kumite.core.errors import BadData, LocalError
from kumite.net.crypto.keys import hashed

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_ELEMENT: Final = "a point that is no element of the group"


class Group(Protocol):
    """A group of prime order whose elements are bytes of one size, and where DDH is hard."""

    def __hash__(self) -> int:
        """Return what caches go by."""

    @property
    def order(self) -> int:
        """Return the number of elements, a prime."""

    @property
    def size(self) -> int:
        """Return how many bytes an element has."""

    @property
    def base(self) -> bytes:
        """Return the element of which `base_times` takes multiples."""

    def hashed(self, data: bytes) -> bytes:
        """Return the element of these 32 random bytes; nobody knows relations between such."""

    def times(self, scalar: int, element: bytes) -> bytes:
        """Return `element` taken `scalar` times (from 1 to `order - 1`).

        Raises:
            BadData: `element`, which may come from anywhere, is none, or the neutral one.
        """

    def base_times(self, scalar: int) -> bytes:
        """Return `base` taken `scalar` times (from 1 to `order - 1`)."""

    def plus(self, one: bytes, other: bytes) -> bytes:
        """Return the sum of two elements, which may be neutral; neither comes unchecked."""

    def is_element(self, data: bytes) -> bool:
        """Tell whether these bytes, from anywhere, are an element other than the neutral one."""


class Ed25519:
    """The prime-order subgroup of edwards25519.

    PyNaCl before 1.6.2 takes some points outside the subgroup for members (CVE-2025-69277): with
    those, cards could be marked.
    """

    order: Final = 2**252 + 27742317777372353535851937790883648493
    size: Final = 32
    base: Final = bytes.fromhex("58" + "66" * 31)

    def hashed(self, data: bytes) -> bytes:
        """Return the element of these 32 random bytes (Elligator 2)."""
        from nacl import bindings

        return bindings.crypto_core_ed25519_from_uniform(data)

    def times(self, scalar: int, element: bytes) -> bytes:
        """Return `element` taken `scalar` times, in a time that tells nothing.

        libsodium itself refuses what is not the one encoding of a point of the subgroup.
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
        """Return the standard's base point taken `scalar` times, in a time that tells nothing."""
        from nacl import bindings

        _check_scalar(scalar, self.order)
        return bindings.crypto_scalarmult_ed25519_base_noclamp(scalar.to_bytes(32, "little"))

    def plus(self, one: bytes, other: bytes) -> bytes:
        """Return the sum of two points."""
        from nacl import bindings

        return bindings.crypto_core_ed25519_add(one, other)

    def is_element(self, data: bytes) -> bool:
        """Tell whether this is the one encoding of a point of the subgroup."""
        from nacl import bindings

        return len(data) == 32 and bindings.crypto_core_ed25519_is_valid_point(data)


ED25519: Final = Ed25519()


def _check_scalar(scalar: int, order: int) -> None:
    if not 0 < scalar < order:
        raise LocalError("a point is multiplied by 1 to the order of its group less 1")


def combined(group: Group, terms: Iterable[tuple[int, bytes]]) -> bytes:
    """Return the sum of elements, each taken as often as the number beside it says.

    Every element is checked on the way. A number that is a multiple of the order is refused, too:
    in a proof, where all of them are random, it does not come up.

    Raises:
        BadData: one is no element, or is taken no times.
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
    """Elements of which nobody knows how one is a multiple of another, or of the base."""

    first: bytes
    others: tuple[bytes, ...]
    total: bytes  # of the others


@lru_cache(maxsize=16)
def generators(group: Group, count: int) -> Generators:
    """Return one generator and `count` others, hashed from nothing but their numbers."""
    first, *others = (
        group.hashed(hashed(b"kumite-generator", (number,))) for number in range(count + 1)
    )
    return Generators(first, tuple(others), added(group, others))
