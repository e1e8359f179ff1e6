"""The keys of one terminal in one match: from its seed, for signing posts and sealing boxes; pure.

Plain uses of blake2b, Ed25519 (PyNaCl), X25519 and AES-SIV (cryptography); mental_poker.py
tells what a match relies on them for. The libraries are imported when first used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core import codes
from kumite.core.codec import encode
from kumite.core.errors import KumiteError, LocalError
from kumite.net.crypto.words import WORDS
from kumite.net.wire.fields import SEED, SIGNATURE

if TYPE_CHECKING:
    from collections.abc import Sequence

PUBLIC: Final = 32  # bytes of a public key
BOX_OVERHEAD: Final = 16  # bytes that a box is longer than what is in it

Part: TypeAlias = int | str | bytes


class BadBox(KumiteError):
    """A box that was not made for us, by this sender, for this place."""

    code = codes.BAD_BOX


def derive(seed: bytes, label: str, *context: Part, size: int = 32) -> bytes:
    """Return the secret of that label and context: 16 to 64 bytes that tell nothing of others.

    Raises:
        LocalError: a seed that is not 32 bytes long.
    """
    if len(seed) != SEED:
        raise LocalError(f"a seed has {SEED} bytes, not {len(seed)}")
    return hashed(b"kumite-derive", (label, *context), key=seed, size=size)


def hashed(person: bytes, what: tuple[Part, ...], *, key: bytes = b"", size: int = 32) -> bytes:
    """Return the hash of these values: packed canonically, no two lists of them are confused."""
    return blake2b(encode(what), digest_size=size, key=key, person=person).digest()


class SeededRandom(Random):
    """As `random.SystemRandom`, but from a seed of 32 secret bytes: the same again after a crash.

    Python's own generator would not do: anyone who sees enough of its numbers knows the others.
    """

    def __init__(self, seed: bytes) -> None:
        super().__init__()
        self._seed, self._drawn = seed, 0

    def getrandbits(self, k: int) -> int:
        """Return `k` random bits; everything else that a Random does is made from these."""
        found = b""
        while 8 * len(found) < k:
            found += derive(self._seed, "random", self._drawn, size=64)
            self._drawn += 1
        return int.from_bytes(found, "big") >> (8 * len(found) - k)

    def random(self) -> float:
        """Return a number from 0 to 1, without 1."""
        return self.getrandbits(53) / 2**53


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs the posts of one terminal in one match (Ed25519)."""

    public: bytes
    _secret: bytes = field(repr=False)

    @classmethod
    def of(cls, seed: bytes) -> Signer:
        """Return the signer of this match's seed."""
        from nacl import bindings

        return cls(*bindings.crypto_sign_seed_keypair(derive(seed, "sign")))

    def sign(self, data: bytes) -> bytes:
        """Return the signature (64 bytes) of `data`, which names its match and place."""
        from nacl import bindings

        return bindings.crypto_sign(data, self._secret)[:SIGNATURE]


def is_signed(public: bytes, data: bytes, signature: bytes) -> bool:
    """Tell whether this is the signature of `data` by the owner of `public`."""
    from nacl import bindings, exceptions

    if len(public) != PUBLIC or len(signature) != SIGNATURE:
        return False
    try:
        bindings.crypto_sign_open(signature + data, public)
    except exceptions.CryptoError:
        return False
    return True


def box_public(seed: bytes) -> bytes:
    """Return the public key (X25519) under which others make boxes for the owner of `seed`."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    key = X25519PrivateKey.from_private_bytes(derive(seed, "box"))
    return key.public_key().public_bytes_raw()


def box(seed: bytes, their_public: bytes, *context: Part, data: bytes) -> bytes:
    """Return `data` sealed for one other terminal, readable by these two only.

    AES-SIV (RFC 5297) needs no nonce: the key is one of this direction, `context` (match id, number
    …) is bound in, and the same data in the same context give the same box, also after a crash.
    Different data never share anything; a context used twice tells only whether data repeat.

    Raises:
        BadBox: their public key is no X25519 key.
    """
    mine = box_public(seed)
    return sealed_with(_box_key(seed, their_public, mine, their_public), *context, data=data)


def open_box(seed: bytes, their_public: bytes, *context: Part, sealed: bytes) -> bytes:
    """Return what the owner of `their_public` put into the box for us.

    Raises:
        BadBox: it is not from them, not for us, not for this context, or damaged.
    """
    key = _box_key(seed, their_public, their_public, box_public(seed))
    return unsealed_with(key, *context, sealed=sealed)


def sealed_with(key: bytes, *context: Part, data: bytes) -> bytes:
    """Return `data` sealed with a key of 32 or 64 bytes."""
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(key).encrypt(data, [encode(context)])


def unsealed_with(key: bytes, *context: Part, sealed: bytes) -> bytes:
    """Return what was sealed with this key.

    Raises:
        BadBox: nothing was, in this context.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    try:
        return AESSIV(key).decrypt(sealed, [encode(context)])
    except (InvalidTag, ValueError):
        raise BadBox("a box that cannot be opened: it was changed or meant for others") from None


def _box_key(seed: bytes, their_public: bytes, sender: bytes, reader: bytes) -> bytes:
    """Return the key of boxes from `sender` to `reader`, one of whom owns the seed."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

    mine = X25519PrivateKey.from_private_bytes(derive(seed, "box"))
    try:
        shared = mine.exchange(X25519PublicKey.from_public_bytes(their_public))
    except ValueError:  # a wrong length, or a point that makes every secret zero
        raise BadBox("a key for boxes that is no X25519 key") from None
    return hashed(b"kumite-box", (sender, reader), key=shared)


def binding(public: tuple[bytes, bytes]) -> bytes:
    """Return the hash that binds a terminal to its public keys before it shows them."""
    return hashed(b"kumite-bound", public)


def words(publics: Sequence[bytes], match_id: str) -> tuple[str, str, str]:
    """Return three words that are the same on all terminals if all have the same keys.

    24 bits, so somebody between two terminals who could try keys until the words fit would need
    seconds. Therefore each terminal commits to its keys, and no one opens them before it has the
    commitments of all: then there is one try, with odds of 1 to 16 million.
    """
    one, two, three = hashed(b"kumite-words", (match_id, *publics), size=3)
    return WORDS[one], WORDS[two], WORDS[three]
