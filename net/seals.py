"""Sealed frames: ChaCha20-Poly1305 with a counter for each direction; pure.

Nothing can be read, forged, repeated, left out or put in another order without being seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from core.errors import KumiteError, LocalError

LENGTH: Final = 2
TAG: Final = 16
MAX_FRAME: Final = 65_535  # bytes of a sealed frame without its length


class BadSeal(KumiteError):
    """A frame that the other side has not sealed as the next one."""

    code = "bad-seal"


def _nonce(count: int) -> bytes:
    return count.to_bytes(12, "big")


@dataclass(frozen=True, slots=True)
class Sealer:
    """Seals what goes out."""

    key: bytes = field(repr=False)
    count: int = 0

    def seal(self, data: bytes) -> tuple[Sealer, bytes]:
        """Return the next sealer, and the whole frame.

        Raises:
            LocalError: it is too long.
        """
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        size = len(data) + TAG
        if size > MAX_FRAME:
            raise LocalError(f"{len(data)} bytes are too many for one frame")
        head = size.to_bytes(LENGTH, "big")
        sealed = ChaCha20Poly1305(self.key).encrypt(_nonce(self.count), data, head)
        return Sealer(self.key, self.count + 1), head + sealed


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens what comes in."""

    key: bytes = field(repr=False)
    count: int = 0

    def open(self, sealed: bytes) -> tuple[Opener, bytes]:
        """Return the next opener, and what was in the frame (given without its length).

        Raises:
            BadSeal: it is not the next frame of the other side.
        """
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        head = len(sealed).to_bytes(LENGTH, "big")
        try:
            data = ChaCha20Poly1305(self.key).decrypt(_nonce(self.count), sealed, head)
        except (InvalidTag, ValueError):
            raise BadSeal("a frame was changed, repeated or left out on its way") from None
        return Opener(self.key, self.count + 1), data
