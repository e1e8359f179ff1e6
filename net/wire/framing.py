"""Frames: how the bytes of a connection are split into messages; pure, limits first.

Both directions send a preamble, then frames: a length (2 bytes, big-endian) and that many bytes.
Until the code is verified, a frame is one plain message of at most 4,096 bytes; afterwards frames
are sealed (net/crypto/channel.py).
"""

from __future__ import annotations

from typing import Final

from kumite.core.errors import BadData

PREAMBLE: Final = b"kumite/1\n"
LENGTH: Final = 2  # bytes of a frame's length
MAX_PLAIN: Final = 4096  # bytes of an unsealed frame
MAX_FRAME: Final = 65_519  # bytes in a sealed frame; the seal adds 16


def frame(packed: bytes) -> bytes:
    return len(packed).to_bytes(LENGTH, "big") + packed


def first_frame(buffer: bytes, limit: int) -> bytes | None:
    """Return the first frame's content, None if incomplete; raise BadData if it is too long."""
    if len(buffer) < LENGTH:
        return None
    size = int.from_bytes(buffer[:LENGTH], "big")
    if not 0 < size <= limit:
        raise BadData(f"a frame of {size} bytes; 1 to {limit} are allowed")
    end = LENGTH + size
    return buffer[LENGTH:end] if len(buffer) >= end else None
