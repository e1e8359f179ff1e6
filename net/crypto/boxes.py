"""Boxes for the eyes of one terminal, which that one can also open before everybody; pure.

A box is E = e·G and bytes sealed with a key that is hashed from S = e·B, where B = b·G is the
reader's public key. To show what is in it, the reader posts S, with Chaum and Pedersen's proof
(lock_proof.py) that S is b·E: S opens this one box and no other, and nobody can make another S.
AES-SIV binds the box to one key and one text, so all that open it see the same.

Matches of protocol 5 and before have the boxes of keys.py.
"""

from __future__ import annotations

from typing import Final

from kumite.core.errors import BadData
from kumite.net.crypto import lock_proof
from kumite.net.crypto.groups import ED25519
from kumite.net.crypto.keys import (
    BadBox,
    Part,
    Signer,
    derive,
    hashed,
    sealed_with,
    unsealed_with,
)

LID: Final = 48  # bytes that a box is longer than what is in it: E, and the tag of the seal


def public_keys(seed: bytes) -> tuple[bytes, bytes]:
    """Return the public keys of this match's seed: of signatures, and of boxes."""
    return Signer.of(seed).public, public(seed)


def public(seed: bytes) -> bytes:
    """Return the public key under which others make boxes for the owner of `seed`."""
    return ED25519.base_times(secret(seed))


def secret(seed: bytes) -> int:
    """Return the secret number of that key."""
    return _scalar(derive(seed, "box key", size=64))


def is_public(key: bytes) -> bool:
    """Tell whether boxes can be made for the owner of this public key."""
    return ED25519.is_element(key)


def box(seed: bytes, reader: bytes, *context: Part, data: bytes) -> bytes:
    """Return `data` sealed for the owner of the public key `reader`.

    e comes from all that goes in: the same box again after a crash, and another e for any other.

    Raises:
        BadBox: their public key is none.
    """
    once = _scalar(derive(seed, "box once", reader, *context, data, size=64))
    try:
        shared = ED25519.times(once, reader)
    except BadData:
        raise BadBox("a key for boxes that is none") from None
    lid = ED25519.base_times(once)
    return lid + sealed_with(_key(lid, reader, shared), *context, data=data)


def line_key(own: int, public: bytes, *context: Part) -> bytes:
    """Return the key of a line that two owners of box keys share, who both can work it out.

    `own`: the secret number of our key. `context`: the same for both, and for this line alone.
    """
    return hashed(b"kumite-line", context, key=ED25519.times(own, public), size=32)


def is_box(sealed: bytes) -> bool:
    """Tell whether its reader can try to open it; whether that succeeds, only they know."""
    return len(sealed) >= LID and ED25519.is_element(sealed[: ED25519.size])


def key_of(seed: bytes, *context: Part, sealed: bytes, own: int | None = None) -> bytes:
    """Return what opens this box made for us, for everybody: S, and the proof that it is S.

    `own`: the secret number of our key, where it does not come from this seed.

    Raises:
        BadBox: it is no box.
    """
    if not is_box(sealed):
        raise BadBox("a box that is none")
    own, lid = secret(seed) if own is None else own, sealed[: ED25519.size]
    shared = ED25519.times(own, lid)
    statement = _statement(context, lid, ED25519.base_times(own), shared)
    proof = lock_proof.prove(statement, 1, [own], derive(seed, "box proof"))
    return shared + proof.packed()


def open_with(key: bytes, reader: bytes, *context: Part, sealed: bytes) -> bytes:
    """Return what is in a box, by a key that was checked or made by ourselves.

    Raises:
        BadBox: whoever made it has put in nothing that can be read.
    """
    lid, rest = sealed[: ED25519.size], sealed[ED25519.size :]
    return unsealed_with(_key(lid, reader, key[: ED25519.size]), *context, sealed=rest)


def is_key(key: bytes, reader: bytes, *context: Part, sealed: bytes) -> bool:
    """Tell whether this is what opens the box of this reader, as the reader alone can prove."""
    size = ED25519.size
    try:
        proof = lock_proof.Proof.of(key[size:], 1, ED25519)
        statement = _statement(context, sealed[:size], reader, key[:size])
        return is_box(sealed) and lock_proof.is_proved(statement, proof)
    except BadData:
        return False


def _statement(
    context: tuple[Part, ...], lid: bytes, reader: bytes, shared: bytes
) -> lock_proof.Statement:
    """Return that 1·S is b·E where B is b·G: locks of one place whose factor is 1."""
    about = ("box", *context)
    return lock_proof.Statement(ED25519, about, (lid,), (shared,), ED25519.base, (reader,))


def _scalar(random: bytes) -> int:
    return 1 + int.from_bytes(random, "little") % (ED25519.order - 1)


def _key(lid: bytes, reader: bytes, shared: bytes) -> bytes:
    return hashed(b"kumite-box", (lid, reader), key=shared, size=64)
