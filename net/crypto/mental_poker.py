"""Fairness without a referee: the security model, commitments and joint coins; pure.

A match is one ordered list of posts, signed by their authors, over which every terminal folds. A
terminal derives its secrets from one `seed` of 32 bytes per match: the seed and the posts restore
everything after a crash. Never reuse a seed.

Assumptions: blake2b is a random oracle; discrete logarithms and DDH are hard in the prime-order
subgroup of ed25519; Ed25519 and AES-SIV are secure as in PyNaCl and cryptography; all terminals
fold over the same posts (each signature covers all earlier posts, and players compare three words
aloud to verify the keys).

Adversary: all other terminals together, including the host. If one terminal is honest, no coalition
of the rest can predict or choose a joint coin (it can visibly refuse to open its part), read a
commitment before it is opened or open it in two ways, or choose the order of the cards. Together
they see the cards that each of them may see, and no others.

sealed_deck.py handles the cards: a pass that changes them, or a key that does not fit, is refused
immediately. A false claim to hold a card is found by the audit at the end of the match, which names
the cheater. The number, length and time of posts are public, and an absent terminal blocks the
cards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from math import lcm
from typing import TYPE_CHECKING

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError, LocalError
from kumite.net.crypto.keys import Part, hashed
from kumite.net.wire.fields import COMMITMENT, PART, SALT

if TYPE_CHECKING:
    from fractions import Fraction


class Cheated(KumiteError):
    """A terminal broke the protocol; `who` is its number, `why` says how."""

    code = codes.CHEATED

    def __init__(self, who: int, why: str) -> None:
        super().__init__(
            f"terminal {who + 1} of this table cheated or is broken: {why}",
            hint="the log contains the proof; `kumite log check` shows it",
        )
        self.who, self.why = who, why


# --- Secrets, commitments, coins --------------------------------------------------------------


def commit(salt: bytes, *context: Part, text: str) -> bytes:
    """Return 18 bytes that bind to `text`, and hide it while `salt` is secret.

    `context` identifies the text (match id, author, number, …), so a copied commitment cannot be
    opened. Use a salt once: `derive(seed, "salt", number, size=SALT)`. Raise LocalError for a salt
    that is not 16 bytes long.
    """
    if len(salt) != SALT:
        raise LocalError(f"a salt has {SALT} bytes, not {len(salt)}")
    return hashed(b"kumite-commit", (*context, text), key=salt, size=COMMITMENT)


def is_opening(commitment: bytes, salt: bytes, *context: Part, text: str) -> bool:
    """Return True if this untrusted salt and text open the commitment."""
    try:
        return len(salt) == SALT and commit(salt, *context, text=text) == commitment
    except BadData:  # a text that cannot be packed was not committed to
        return False


def coin(parts: Sequence[bytes], *context: Part) -> bytes:
    """Return 32 bytes that nobody who committed to a part could predict or choose.

    `parts` are those of all terminals in order, opened after all had committed. Raise Cheated if a
    part is not 16 bytes long.
    """
    for who, part in enumerate(parts):
        if len(part) != PART:
            raise Cheated(who, f"its part of a coin has {len(part)} bytes, not {PART}")
    return hashed(b"kumite-coin", (len(parts), *parts, *context))


def choose(odds: Sequence[Fraction], key: bytes) -> int:
    """Return an index with exactly these `odds`, which sum to 1, if `key` (a coin) is random."""
    if sum(odds) != 1 or min(odds) < 0:
        raise LocalError("odds are numbers from 0 that sum to 1")
    whole = lcm(*(one.denominator for one in odds))
    limits = list(accumulate(one.numerator * (whole // one.denominator) for one in odds))
    return bisect_right(limits, Numbers(key).below(whole))


class Numbers:
    """An endless stream of random numbers from 32 bytes."""

    def __init__(self, key: bytes) -> None:
        self._key, self._block = key, 0

    def below(self, bound: int) -> int:
        """Return a uniform number below `bound`, by rejection sampling."""
        bits = (bound - 1).bit_length()
        while True:
            found = 0
            for _ in range(0, bits, 512):
                block = hashed(b"kumite-numbers", (self._block,), key=self._key, size=64)
                self._block += 1
                found = found << 512 | int.from_bytes(block, "big")
            found >>= -bits % 512
            if found < bound:
                return found
