"""What a terminal leaves to the others, so that enough of them can go on without it; pure.

Each terminal shares the secret number b of its box key B = b·G (Shamir): f(0) = b, and terminal j
is left f(j + 1), in a box. It commits to the polynomial with one point a coefficient (Feldman); the
first one is B itself, which all were bound to before the match. So each sees at once whether its
share is one of that key, and can show everybody a share that is not. `threshold` shares give b, and
from b come all the secrets of that terminal in the match but its signatures; fewer tell nothing.

docs/gone.md says what that is for, and what it costs in secrecy. Letters are as there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import BadData, LocalError
from kumite.core.gone import FEWEST
from kumite.net.crypto import boxes
from kumite.net.crypto.groups import ED25519, combined
from kumite.net.crypto.keys import Part, derive
from kumite.net.wire.fields import SHARE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def threshold(terminals: int) -> int:
    """Return how many shares give a secret: all of the others but one, and two at the least.

    Among three, "all but one" would be a single one, who could read both hands alone.
    """
    if terminals < FEWEST:
        raise LocalError(f"{terminals} terminals leave each other nothing")
    return max(2, terminals - 2)


def estate(seed: bytes) -> bytes:
    """Return the 32 bytes that a terminal shares, from its seed: b, little-endian.

    They take the place of the seed in all that the terminal keeps secret but its signatures.
    """
    return boxes.secret(seed).to_bytes(SHARE, "little")


def secret(left: bytes) -> int:
    """Return the secret number of the box key of whoever left this."""
    return int.from_bytes(left, "little")


def points(left: bytes, terminals: int) -> tuple[bytes, ...]:
    """Return the commitments to the polynomial, but the first, which is the box key."""
    return tuple(ED25519.base_times(one) for one in _coefficients(left, terminals)[1:])


def share(left: bytes, terminals: int, heir: int) -> bytes:
    """Return what terminal `heir` (from 0) is left of an estate."""
    value = 0
    for one in reversed(_coefficients(left, terminals)):
        value = value * (heir + 1) + one
    return (value % ED25519.order).to_bytes(SHARE, "little")


def box_context(match_id: str, author: int, heir: int) -> tuple[Part, ...]:
    """Return what the box with a share is bound to."""
    return (match_id, "will", author, heir)


def is_will(posted: Sequence[bytes], sealed: Sequence[bytes], terminals: int) -> bool:
    """Tell whether these are as many points and boxes as there must be, and nothing else."""
    return (
        len(posted) == threshold(terminals) - 1
        and len(sealed) == terminals - 1
        and all(map(ED25519.is_element, posted))
        and all(map(boxes.is_box, sealed))
    )


def is_share(public: bytes, posted: Sequence[bytes], heir: int, found: bytes) -> bool:
    """Tell whether this is the share of `heir` in the secret of the box key `public`.

    It is if f(x)·G = Σ x^k·C_k for x = heir + 1; there is one such number alone.
    """
    value = int.from_bytes(found, "little")
    if len(found) != SHARE or not 0 < value < ED25519.order:
        return False
    terms = (((heir + 1) ** power, one) for power, one in enumerate((public, *posted)))
    try:
        return combined(ED25519, terms) == ED25519.base_times(value)
    except BadData:
        return False


def restored(shares: Mapping[int, bytes]) -> bytes:
    """Return the estate from shares that were checked, by heir; as many as the threshold says.

    Lagrange's interpolation at 0: b = Σ f(x)·Π x'/(x' − x).
    """
    order, found = ED25519.order, 0
    for heir, one in shares.items():
        above, below = 1, 1
        for other in shares:
            if other != heir:
                above = above * (other + 1) % order
                below = below * (other - heir) % order
        found += int.from_bytes(one, "little") * above * pow(below, -1, order)
    return (found % order).to_bytes(SHARE, "little")


def _coefficients(left: bytes, terminals: int) -> list[int]:
    """Return the coefficients of the polynomial, the secret first; the same after a crash."""
    found = [secret(left)]
    for power in range(1, threshold(terminals)):
        drawn = derive(left, "will", terminals, power, size=64)
        found.append(1 + int.from_bytes(drawn, "little") % (ED25519.order - 1))
    return found
