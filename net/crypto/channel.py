"""Sealed frames on a link: ChaCha20-Poly1305 with one key and one counter a direction; pure.

A frame is a length (2 bytes, big-endian) and the sealed bytes, 16 longer than what is in them. The
nonce is the number of the frame in its direction and is never sent: whatever is forged, repeated,
left out or out of order does not open. A link that is cut between two frames is not noticed here,
but by the answers that do not come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.errors import LocalError
from kumite.net.wire.framing import LENGTH, MAX_FRAME, frame

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

TAG: Final = 16  # bytes
KEY: Final = 32
MAX_FRAMES: Final = 2**32  # of one key; at 100 a second they last for a year


@dataclass(frozen=True, slots=True)
class BadSeal:
    """What came was not sealed for here by the other side; nothing after it is read."""

    reason: str


Unsealed: TypeAlias = bytes | BadSeal


class Sealer:
    """Seals one direction. No value on purpose: an old one used again would repeat a nonce."""

    def __init__(self, key: bytes) -> None:
        self._cipher, self._count = _cipher(key), 0

    def seal(self, data: bytes) -> bytes:
        """Return the frame of 1 to MAX_FRAME bytes; 18 are added.

        Raises:
            LocalError: too many bytes or none, or the key has sealed all it may.
        """
        if not 0 < len(data) <= MAX_FRAME:
            raise LocalError(f"a frame holds 1 to {MAX_FRAME} bytes, not {len(data)}")
        if self._count >= MAX_FRAMES:
            raise LocalError("this key has sealed all frames it may: connect anew")
        sealed = self._cipher.encrypt(_nonce(self._count), data, None)
        self._count += 1
        return frame(sealed)


class Opener:
    """Opens one direction, fed with whatever came; how it is split makes no difference.

    It holds less than one frame.
    """

    def __init__(self, key: bytes) -> None:
        self._cipher, self._count = _cipher(key), 0
        self._rest = b""
        self._is_broken = False

    @property
    def is_amid(self) -> bool:
        """Whether a frame has begun and not ended: a link that ends here was cut."""
        return bool(self._rest)

    def feed(self, data: bytes) -> tuple[Unsealed, ...]:
        """Return what is complete now; after a BadSeal nothing comes any more."""
        found: list[Unsealed] = []
        buffer, at = self._rest + data, 0
        while not self._is_broken and len(buffer) >= at + LENGTH:
            start = at + LENGTH
            size = int.from_bytes(buffer[at:start], "big")
            if size <= TAG:  # two bytes cannot say more than TAG + MAX_FRAME
                found.append(self._broken(f"a sealed frame of {size} bytes"))
            elif len(buffer) < start + size:
                break
            else:
                found.append(self._opened(buffer[start : start + size]))
                at = start + size
        self._rest = b"" if self._is_broken else buffer[at:]
        return tuple(found)

    def _opened(self, sealed: bytes) -> Unsealed:
        from cryptography.exceptions import InvalidTag

        if self._count >= MAX_FRAMES:
            return self._broken("more frames than one key may seal")
        try:
            data = self._cipher.decrypt(_nonce(self._count), sealed, None)
        except InvalidTag:
            return self._broken(f"frame {self._count + 1} does not open: changed or out of order")
        self._count += 1
        return data

    def _broken(self, reason: str) -> BadSeal:
        self._is_broken = True
        return BadSeal(reason)


def _cipher(key: bytes) -> ChaCha20Poly1305:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    if len(key) != KEY:
        raise LocalError(f"a key of a link has {KEY} bytes, not {len(key)}")
    return ChaCha20Poly1305(key)


def _nonce(count: int) -> bytes:
    return count.to_bytes(12, "big")
