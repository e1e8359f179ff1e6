"""Frames: how bytes on a connection are cut into messages; pure, limits first.

Both directions are alike: a preamble, then frames: a length (2 bytes, big-endian) and that many
bytes. Until the code has been proved, a frame is one plain message of at most 4,096 bytes; then
frames are sealed (net/crypto/channel.py).
"""

from __future__ import annotations

from typing import Final

from kumite.core.errors import BadData

PREAMBLE: Final = b"kumite/1\n"
LENGTH: Final = 2  # bytes of a frame's length
MAX_PLAIN: Final = 4096  # bytes of a frame that is not sealed
MAX_FRAME: Final = 65_519  # bytes in a sealed one; its seal is 16 more


def frame(packed: bytes) -> bytes:
    """Return `packed` with its length in front."""
    return len(packed).to_bytes(LENGTH, "big") + packed


def first_frame(buffer: bytes, limit: int) -> bytes | None:
    """Return what the first frame in `buffer` holds, None if it is not complete.

    Raises:
        BadData: its length breaks the limit.
    """
    if len(buffer) < LENGTH:
        return None
    size = int.from_bytes(buffer[:LENGTH], "big")
    if not 0 < size <= limit:
        raise BadData(f"a frame of {size} bytes; 1 to {limit} are allowed")
    end = LENGTH + size
    return buffer[LENGTH:end] if len(buffer) >= end else None
