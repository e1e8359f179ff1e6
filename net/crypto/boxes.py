"""Boxes: messages sealed for one terminal, which it can later open for all; pure.

A box is E = e·G and bytes sealed with a key hashed from S = e·B, where B = b·G is the reader's
public key. To reveal the content, the reader posts S with Chaum and Pedersen's proof
(lock_proof.py) that S is b·E: S opens only this box, and nobody can forge another S. AES-SIV binds
the box to one key and one text, so all who open it see the same.
"""

from __future__ import annotations

from typing import Final

from kumite.core.errors import BadData
from kumite.net.crypto import lock_proof
from kumite.net.crypto.groups import ED25519
from kumite.net.crypto.keys import BadBox, Part, Signer, derive, hashed, sealed_with, unsealed_with

LID: Final = 48  # bytes of overhead: E and the AES-SIV tag


def public_keys(seed: bytes) -> tuple[bytes, bytes]:
    """Return the public keys of a match seed: for signatures, and for boxes."""
    return Signer.of(seed).public, public(seed)


def public(seed: bytes) -> bytes:
    return ED25519.base_times(secret(seed))


def secret(seed: bytes) -> int:
    """Return the secret scalar of that key."""
    return _scalar(derive(seed, "box key", size=64))


def is_public(key: bytes) -> bool:
    """Return True if this public key, of either kind, is a point of the group."""
    return ED25519.is_element(key)


def box(seed: bytes, reader: bytes, *context: Part, data: bytes) -> bytes:
    """Return `data` sealed for the owner of the public key `reader`.

    e is derived from all inputs: the same box again after a crash, and another e for any other box.
    Raise BadBox if `reader` is not a valid key.
    """
    once = _scalar(derive(seed, "box once", reader, *context, data, size=64))
    try:
        shared = ED25519.times(once, reader)
    except BadData:
        raise BadBox("an invalid public key for boxes") from None
    lid = ED25519.base_times(once)
    return lid + sealed_with(_key(lid, reader, shared), *context, data=data)


def line_key(own: int, public: bytes, *context: Part) -> bytes:
    """Return the key that two owners of box keys share (Diffie-Hellman).

    `own` is the secret scalar of our key. `context` must be equal on both sides, and unique to this
    connection.
    """
    return hashed(b"kumite-line", context, key=ED25519.times(own, public), size=32)


def is_box(sealed: bytes) -> bool:
    """Return True if `sealed` is well formed; only its reader can tell whether it opens."""
    return len(sealed) >= LID and ED25519.is_element(sealed[: ED25519.size])


def key_of(seed: bytes, *context: Part, sealed: bytes, own: int | None = None) -> bytes:
    """Return the key with which all terminals can open this box, made for us: S with its proof.

    `own` is the secret scalar of our key, if it does not come from this seed. Raise BadBox if it is
    not a box.
    """
    if not is_box(sealed):
        raise BadBox("a malformed box")
    own, lid = secret(seed) if own is None else own, sealed[: ED25519.size]
    shared = ED25519.times(own, lid)
    statement = _statement(context, lid, ED25519.base_times(own), shared)
    proof = lock_proof.prove(statement, 1, [own], derive(seed, "box proof"))
    return shared + proof.packed()


def open_with(key: bytes, reader: bytes, *context: Part, sealed: bytes) -> bytes:
    """Return what a checked key opens, or raise BadBox if its author sealed nothing readable."""
    lid, rest = sealed[: ED25519.size], sealed[ED25519.size :]
    return unsealed_with(_key(lid, reader, key[: ED25519.size]), *context, sealed=rest)


def is_key(key: bytes, reader: bytes, *context: Part, sealed: bytes) -> bool:
    """Return True if `key` opens the box of this reader, which only the reader can prove."""
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
    """Return the statement that S is b·E where B is b·G: a lock proof with factor 1."""
    about = ("box", *context)
    return lock_proof.Statement(ED25519, about, (lid,), (shared,), ED25519.base, (reader,))


def _scalar(random: bytes) -> int:
    return 1 + int.from_bytes(random, "little") % (ED25519.order - 1)


def _key(lid: bytes, reader: bytes, shared: bytes) -> bytes:
    return hashed(b"kumite-box", (lid, reader), key=shared, size=64)
