"""Sealed frames on a connection: ChaCha20-Poly1305 with a key and a counter per direction; pure.

A frame is a length (2 bytes, big-endian) and the sealed bytes, 16 longer than the plaintext. The
nonce is the frame's number in its direction and is never sent, so forged, repeated, missing or
reordered frames do not open. A connection cut between two frames goes unnoticed here; the missing
heartbeats reveal it.
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
MAX_FRAMES: Final = 2**32  # per key; more than a year at 100 a second


@dataclass(frozen=True, slots=True)
class BadSeal:
    """A frame that the other side did not seal; nothing after it is read."""

    reason: str


Unsealed: TypeAlias = bytes | BadSeal


class Sealer:
    """Seals one direction. Mutable on purpose: reusing an old value would repeat a nonce."""

    def __init__(self, key: bytes) -> None:
        self._cipher, self._count = _cipher(key), 0

    def seal(self, data: bytes) -> bytes:
        """Return the frame of 1 to MAX_FRAME bytes, 18 bytes longer.

        Raise LocalError if they are none or too many, or the key has sealed MAX_FRAMES.
        """
        if not 0 < len(data) <= MAX_FRAME:
            raise LocalError(f"a frame holds 1 to {MAX_FRAME} bytes, not {len(data)}")
        if self._count >= MAX_FRAMES:
            raise LocalError("this key has sealed its maximum of frames: reconnect")
        sealed = self._cipher.encrypt(_nonce(self._count), data, None)
        self._count += 1
        return frame(sealed)


class Opener:
    """Opens one direction from chunks of any size; buffers less than one frame."""

    def __init__(self, key: bytes) -> None:
        self._cipher, self._count = _cipher(key), 0
        self._rest = b""
        self._is_broken = False

    def feed(self, data: bytes) -> tuple[Unsealed, ...]:
        """Return the frames that are complete now; nothing follows a BadSeal."""
        found: list[Unsealed] = []
        buffer, at = self._rest + data, 0
        while not self._is_broken and len(buffer) >= at + LENGTH:
            start = at + LENGTH
            size = int.from_bytes(buffer[at:start], "big")
            if size <= TAG:  # two bytes cannot exceed TAG + MAX_FRAME
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
