"""A group that keeps no secret and costs little: for matches whose cards need no lock."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from kumite.core.errors import BadData, LocalError

PRIME: Final = 2**61 - 2373  # and (PRIME - 1) / 2 is prime too


KEPT: Final = 1 << 16  # powers: all terminals of a simulation come to the same ones


@lru_cache(KEPT)
def _power(number: int, exponent: int) -> int:
    return pow(number, exponent, PRIME)


class ToyGroup:
    """The squares modulo a safe prime of 61 bits; logarithms in it take a laptop minutes."""

    order: Final = (PRIME - 1) // 2
    size: Final = 8
    base: Final = (4).to_bytes(8, "big")

    def hashed(self, data: bytes) -> bytes:
        """Return the square of these bytes as a number."""
        return self._packed(pow(int.from_bytes(data, "big"), 2, PRIME))

    def times(self, scalar: int, element: bytes) -> bytes:
        """Return the power: this group is written as a product."""
        if not 0 < scalar < self.order:
            raise LocalError("no number to multiply with")
        if not self.is_element(element):
            raise BadData("a point that is not an element of the group")
        return self._packed(_power(int.from_bytes(element, "big"), scalar))

    def base_times(self, scalar: int) -> bytes:
        return self.times(scalar, self.base)

    def plus(self, one: bytes, other: bytes) -> bytes:
        product = int.from_bytes(one, "big") * int.from_bytes(other, "big")
        return self._packed(product % PRIME)

    def is_element(self, data: bytes) -> bool:
        """Tell whether these bytes are a square other than 1."""
        number = int.from_bytes(data, "big")
        is_inside = len(data) == self.size and 1 < number < PRIME
        return is_inside and _power(number, self.order) == 1

    def _packed(self, number: int) -> bytes:
        return number.to_bytes(self.size, "big")


TOY: Final = ToyGroup()
