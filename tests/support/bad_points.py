"""Every kind of 32 bytes that is no proper ed25519 point, and X25519 keys that share nothing.

The arithmetic is that of RFC 8032, independent of the libraries under test.
"""

from __future__ import annotations

from typing import Final

P: Final = 2**255 - 19
D: Final = -121665 * pow(121666, -1, P) % P
SIGN: Final = 1 << 255
ORDER_8: Final = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
BASE: Final = "58" + "66" * 31

Point = tuple[int, int]


def x_of(y: int) -> int | None:
    """Return the even x of a point with this y, None if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return None if (x * x - square) % P else min(x, -x % P, key=lambda one: one % 2)


def plus(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    k = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P,
    )


def decoded(packed: bytes) -> Point:
    y = int.from_bytes(packed, "little") % SIGN
    x = x_of(y)
    assert x is not None
    return x, y


def encodings(point: Point) -> list[bytes]:
    """Return all encodings of a point, the canonical one first."""
    x, y = point
    signs = (x % 2, 1 - x % 2) if x == 0 else (x % 2,)
    return [
        (high | sign * SIGN).to_bytes(32, "little")
        for high in (y, y + P)
        if high < SIGN
        for sign in signs
    ]


def _bad() -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    torsion, base = decoded(bytes.fromhex(ORDER_8)), decoded(bytes.fromhex(BASE))
    small = [(0, 1)]
    while len(small) < 8:
        small.append(plus(small[-1], torsion))
    for number, point in enumerate(small):
        for at, one in enumerate(encodings(point)):
            found[f"small {number}, encoding {at}"] = one
        if number:
            found[f"mixed {number}"] = encodings(plus(base, point))[0]
    for y in range(P, SIGN):
        for sign in (0, 1):
            found[f"y = p + {y - P}, sign {sign}"] = (y | sign * SIGN).to_bytes(32, "little")
    found["not on the curve"] = (2).to_bytes(32, "little")
    assert x_of(2) is None
    return found


BAD_POINTS: Final = _bad()
"""What is no canonical encoding of a point of the subgroup, or the neutral one; by name."""

_U8: Final = (
    325606250916557431795983626356110631294008115727848805560023387167927233504,
    39382357235489614581723060781553021112529911719440698176882885853963445705823,
)
WEAK_X25519: Final = {
    f"u = {u % P} + p * {u // P}, top bit {top}": (u | top * SIGN).to_bytes(32, "little")
    for u in (0, 1, *_U8, P - 1, P, P + 1)
    for top in (0, 1)
}
"""All keys with which every secret is zero (RFC 7748, 6.1), in all their encodings."""
