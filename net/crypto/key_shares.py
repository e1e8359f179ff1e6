"""Shares of a terminal's secret, so that enough others can continue without it; pure.

Each terminal shares the secret scalar b of its box key B = b·G (Shamir): f(0) = b, and terminal j
gets f(j + 1) in a box. It commits to the polynomial with one point per coefficient (Feldman); the
first one is B itself, to which all committed before the match. So each terminal can verify its
share, and prove to everybody that a share is wrong. `threshold` shares give b, and b gives all
secrets of that terminal in the match except its signing key; fewer shares reveal nothing.
docs/gone.md says what this is for, and what it costs in secrecy. Letters are as there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kumite.core.errors import BadData, LocalError
from kumite.core.gone import FEWEST
from kumite.net.crypto import boxes
from kumite.net.crypto.groups import ED25519, combined
from kumite.net.crypto.keys import Part, derive
from kumite.net.wire.fields import SHARE


def threshold(terminals: int) -> int:
    """Return the number of shares that restore a secret: all others but one, at least two.

    Among three, "all but one" would be a single terminal, which could then read both hands.
    """
    if terminals < FEWEST:
        raise LocalError(f"{terminals} terminals cannot share secrets")
    return max(2, terminals - 2)


def shared(seed: bytes) -> bytes:
    """Return the 32 bytes that a terminal shares, from its seed: b, little-endian.

    They replace the seed for all of the terminal's secrets except its signing key.
    """
    return boxes.secret(seed).to_bytes(SHARE, "little")


def secret(left: bytes) -> int:
    """Return the secret scalar of the box key in a shared secret."""
    return int.from_bytes(left, "little")


def points(left: bytes, terminals: int) -> tuple[bytes, ...]:
    """Return the commitments to the polynomial, without the first, which is the box key."""
    return tuple(ED25519.base_times(one) for one in _coefficients(left, terminals)[1:])


def share(left: bytes, terminals: int, holder: int) -> bytes:
    """Return what terminal `holder` (from 0) is left of a secret."""
    value = 0
    for one in reversed(_coefficients(left, terminals)):
        value = value * (holder + 1) + one
    return (value % ED25519.order).to_bytes(SHARE, "little")


def box_context(match_id: str, author: int, holder: int) -> tuple[Part, ...]:
    """Return what the box with a share is bound to."""
    return (match_id, "will", author, holder)


def are_shares(posted: Sequence[bytes], sealed: Sequence[bytes], terminals: int) -> bool:
    """Tell whether these are as many points and boxes as there must be, and nothing else."""
    return (
        len(posted) == threshold(terminals) - 1
        and len(sealed) == terminals - 1
        and all(map(ED25519.is_element, posted))
        and all(map(boxes.is_box, sealed))
    )


def is_share(public: bytes, posted: Sequence[bytes], holder: int, found: bytes) -> bool:
    """Tell whether this is the share of `holder` in the secret of the box key `public`.

    It is if f(x)·G = Σ x^k·C_k for x = holder + 1; there is one such number alone.
    """
    value = int.from_bytes(found, "little")
    if len(found) != SHARE or not 0 < value < ED25519.order:
        return False
    terms = (((holder + 1) ** power, one) for power, one in enumerate((public, *posted)))
    try:
        return combined(ED25519, terms) == ED25519.base_times(value)
    except BadData:
        return False


def restored(shares: Mapping[int, bytes]) -> bytes:
    """Return the secret from shares that were checked, by holder; as many as the threshold says.

    Lagrange interpolation at 0: b = Σ f(x)·Π x'/(x' − x).
    """
    order, found = ED25519.order, 0
    for holder, one in shares.items():
        above, below = 1, 1
        for other in shares:
            if other != holder:
                above = above * (other + 1) % order
                below = below * (other - holder) % order
        found += int.from_bytes(one, "little") * above * pow(below, -1, order)
    return (found % order).to_bytes(SHARE, "little")


def _coefficients(left: bytes, terminals: int) -> list[int]:
    """Return the coefficients of the polynomial, the secret first; reproducible."""
    found = [secret(left)]
    for power in range(1, threshold(terminals)):
        drawn = derive(left, "will", terminals, power, size=64)
        found.append(1 + int.from_bytes(drawn, "little") % (ED25519.order - 1))
    return found
