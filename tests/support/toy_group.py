"""A group that keeps no secret and costs little: for matches whose cards need no lock."""

from __future__ import annotations

from typing import Final

PRIME: Final = 2**61 - 2373  # and (PRIME - 1) / 2 is prime too


class ToyGroup:
    """The squares modulo a safe prime of 61 bits; logarithms in it take a laptop minutes."""

    order: Final = (PRIME - 1) // 2
    size: Final = 8

    def hashed(self, data: bytes) -> bytes:
        """Return the square of these bytes as a number."""
        return self._packed(pow(int.from_bytes(data, "big"), 2, PRIME))

    def times(self, scalar: int, element: bytes) -> bytes:
        """Return the power: this group is written as a product."""
        return self._packed(pow(int.from_bytes(element, "big"), scalar, PRIME))

    def is_element(self, data: bytes) -> bool:
        """Tell whether these bytes are a square other than 1."""
        number = int.from_bytes(data, "big")
        is_inside = len(data) == self.size and 1 < number < PRIME
        return is_inside and pow(number, self.order, PRIME) == 1

    def _packed(self, number: int) -> bytes:
        return number.to_bytes(self.size, "big")


TOY: Final = ToyGroup()
