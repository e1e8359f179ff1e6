"""Values to canonical bytes and back, and the digest built on them.

Canonical: equal values give equal bytes on every machine. Only arrays, ints (64 bits), strings and
bytes exist here; no floats, maps or booleans, which msgpack can write in more than one way or mixes
up with ints. Ints beyond 64 bits (boards of bits) are packed as bytes by their game.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

import msgpack

from kumite.core.errors import BadData
from kumite.core.game import Packed

DIGEST_SIZE: Final = 16
_PLAIN: Final = frozenset({int, str, bytes})
_DEPTH: Final = 32  # arrays in arrays; a position uses three


def encode(value: Packed) -> bytes:
    """Return the canonical bytes of `value`.

    Raises:
        BadData: it holds something else than tuples, ints, strings and bytes.
    """
    try:
        return msgpack.packb(_checked(value, _DEPTH), use_bin_type=True)  # type: ignore[no-any-return]
    except (ValueError, OverflowError) as error:
        raise BadData(f"cannot be packed: {error}") from error


def decode(data: bytes) -> Packed:
    """Return the value whose canonical bytes are `data`.

    Raises:
        BadData: not one value, not canonical, or of a kind that does not exist here.
    """
    try:
        value = _checked(msgpack.unpackb(data, use_list=False, raw=False), _DEPTH)
    except BadData:
        raise
    except Exception as error:  # msgpack's errors have no common root besides it
        raise BadData(f"no packed value: {error}") from error
    if msgpack.packb(value, use_bin_type=True) != data:
        raise BadData("packed, but not in the canonical way")
    return value


def _checked(value: object, depth: int) -> Packed:
    kind = type(value)
    if kind is tuple and depth:
        for item in value:  # type: ignore[attr-defined]
            if type(item) not in _PLAIN:  # most are: no call for each of them
                _checked(item, depth - 1)
    elif kind not in _PLAIN:
        raise BadData(f"{kind.__name__} cannot be packed")
    return value  # type: ignore[return-value]


def digest(value: Packed) -> bytes:
    """Return the blake2b-128 hash of the canonical bytes of `value`."""
    return blake2b(encode(value), digest_size=DIGEST_SIZE, person=b"kumite").digest()
