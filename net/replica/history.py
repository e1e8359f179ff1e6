"""The chain of all posts of a match: each is signed over the hash of those before it; pure."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from kumite.core.codec import encode
from kumite.net.crypto.keys import hashed
from kumite.net.wire.posts import BODIES

if TYPE_CHECKING:
    from kumite.net.wire.posts import Body


@lru_cache(maxsize=16)
def signed_bytes(
    match_id: str,
    author: int,
    number: int,
    body: Body,
    seen: int,
    history: bytes,
    at: int | None = None,
) -> bytes:
    """Return what the signature of a post is made over; `history`: hash of the posts before.

    Remembered for the last few: a post is signed or looked at, and then becomes history.
    """
    said = ("kumite post", match_id, author, number, BODIES.to_tuple(body), seen, history)
    return encode(said if at is None else (*said, at))


def first_history(roster: bytes) -> bytes:
    """Return the history before the first post."""
    return hashed(b"kumite-history", (roster,))


def continued(history: bytes, said: bytes) -> bytes:
    """Return the history with one more post; `said` is what its signature is made over."""
    return hashed(b"kumite-history", (history, said))
