"""Canonical bytes of values, and the digest of them.

Equal values give equal bytes on every machine. Values are arrays, 64-bit ints, strings and bytes.
Floats, maps and booleans are excluded: msgpack encodes some of them in several ways, or confuses
them with ints. A game packs larger ints (bitboards) as bytes.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import msgpack

from kumite.core.errors import BadData
from kumite.core.game import Packed

DIGEST_SIZE: Final = 16
_PLAIN: Final = frozenset({int, str, bytes})
_DEPTH: Final = 32  # nested arrays; a position uses three levels


def encode(value: Packed) -> bytes:
    """Return the canonical bytes of `value`.

    Raises:
        BadData: it contains anything but tuples, ints, strings and bytes.
    """
    try:
        return msgpack.packb(_checked(value, _DEPTH), use_bin_type=True)  # type: ignore[no-any-return]
    except (ValueError, OverflowError) as error:
        raise BadData(f"cannot be packed: {error}") from error


def decode(data: bytes) -> Packed:
    """Return the value whose canonical bytes are `data`.

    Raises:
        BadData: not exactly one value, not canonical, or of an unsupported type.
    """
    try:
        value = _checked(msgpack.unpackb(data, use_list=False, raw=False), _DEPTH)
    except BadData:
        raise
    except Exception as error:  # msgpack's errors share no other base class
        raise BadData("not a packed value") from error
    if msgpack.packb(value, use_bin_type=True) != data:
        raise BadData("not the canonical encoding")
    return value


def _checked(value: object, depth: int) -> Packed:
    kind = type(value)
    if kind is tuple and depth:
        for item in value:  # type: ignore[attr-defined]
            if type(item) not in _PLAIN:  # most are plain; skip the call for those
                _checked(item, depth - 1)
    elif kind not in _PLAIN:
        raise BadData(f"{kind.__name__} cannot be packed")
    return value  # type: ignore[return-value]


def digest(value: Packed) -> bytes:
    """Return the blake2b-128 hash of the canonical bytes of `value`."""
    return blake2b(encode(value), digest_size=DIGEST_SIZE, person=b"kumite").digest()
