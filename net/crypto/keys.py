"""The keys of one terminal in one match: derived from its seed, to sign posts and seal boxes; pure.

Plain uses of blake2b, Ed25519 (PyNaCl) and AES-SIV (cryptography); mental_poker.py says what a
match relies on. The libraries are imported on first use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import Final, TypeAlias

from kumite.core import codes
from kumite.core.codec import encode
from kumite.core.errors import KumiteError, LocalError
from kumite.net.crypto.words import WORDS
from kumite.net.wire.fields import SEED, SIGNATURE

PUBLIC: Final = 32  # bytes of a public key

Part: TypeAlias = int | str | bytes


class BadBox(KumiteError):
    """A box that was not made for us, by this sender, for this place."""

    code = codes.BAD_BOX


def derive(seed: bytes, label: str, *context: Part, size: int = 32) -> bytes:
    """Return the secret of this label and context, 16 to 64 bytes, independent of all others."""
    if len(seed) != SEED:
        raise LocalError(f"a seed has {SEED} bytes, not {len(seed)}")
    return hashed(b"kumite-derive", (label, *context), key=seed, size=size)


def hashed(person: bytes, what: tuple[Part, ...], *, key: bytes = b"", size: int = 32) -> bytes:
    """Return the hash of these values, packed canonically, so different lists never collide."""
    return blake2b(encode(what), digest_size=size, key=key, person=person).digest()


class SeededRandom(Random):
    """Like `random.SystemRandom`, but reproducible from 32 secret bytes after a crash.

    Python's own generator can be predicted from its earlier output.
    """

    def __init__(self, seed: bytes) -> None:
        super().__init__()
        self._seed, self._drawn = seed, 0

    def getrandbits(self, k: int) -> int:
        """Return `k` random bits; all other methods of Random use these."""
        found = b""
        while 8 * len(found) < k:
            found += derive(self._seed, "random", self._drawn, size=64)
            self._drawn += 1
        return int.from_bytes(found, "big") >> (8 * len(found) - k)

    def random(self) -> float:
        return self.getrandbits(53) / 2**53


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs the posts of one terminal in one match (Ed25519)."""

    public: bytes
    _secret: bytes = field(repr=False)

    @classmethod
    def of(cls, seed: bytes) -> Signer:
        from nacl import bindings

        return cls(*bindings.crypto_sign_seed_keypair(derive(seed, "sign")))

    def sign(self, data: bytes) -> bytes:
        """Return the 64-byte signature of `data`, which must name its match and place."""
        from nacl import bindings

        return bindings.crypto_sign(data, self._secret)[:SIGNATURE]


def is_signed(public: bytes, data: bytes, signature: bytes) -> bool:
    from nacl import bindings, exceptions

    if len(public) != PUBLIC or len(signature) != SIGNATURE:
        return False
    try:
        bindings.crypto_sign_open(signature + data, public)
    except exceptions.CryptoError:
        return False
    return True


def sealed_with(key: bytes, *context: Part, data: bytes) -> bytes:
    """Return `data` sealed with a key of 32 or 64 bytes.

    AES-SIV (RFC 5297) is deterministic and needs no nonce: the same data in the same context give
    the same bytes, also after a crash. Reusing a context reveals only whether data repeat.
    """
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(key).encrypt(data, [encode(context)])


def unsealed_with(key: bytes, *context: Part, sealed: bytes) -> bytes:
    """Return the data sealed with this key in this context, or raise BadBox."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    try:
        return AESSIV(key).decrypt(sealed, [encode(context)])
    except (InvalidTag, ValueError):
        raise BadBox("a box cannot be opened: it was changed or made for someone else") from None


def binding(public: tuple[bytes, bytes]) -> bytes:
    """Return the commitment of a terminal to its public keys."""
    return hashed(b"kumite-bound", public)


def lot(publics: Sequence[bytes], match_id: str, seats: int) -> list[int]:
    """Return the numbers below `seats` in an order drawn from all keys together.

    Terminals commit to their keys before they see others (see `words`), so nobody can predict the
    draw.
    """
    order = list(range(seats))
    SeededRandom(hashed(b"kumite-seats", (match_id, *publics), size=32)).shuffle(order)
    return order


def words(publics: Sequence[bytes], match_id: str) -> tuple[str, str, str]:
    """Return three words that are equal on all terminals if all have the same keys.

    They have 24 bits, so a man in the middle who could try keys freely would match them in seconds.
    Therefore each terminal commits to its keys, and opens them only after all have committed: this
    leaves one try, with odds of 1 in 16 million.
    """
    one, two, three = hashed(b"kumite-words", (match_id, *publics), size=3)
    return WORDS[one], WORDS[two], WORDS[three]
