"""The sealed deck of protocol 4, without proofs: for the matches that were played so; pure.

A lock is a hash of its key, and a pass is believed until the audit at the end. Nothing is dealt so
any more: who reads an old match, or goes on with one, reads it by what was agreed on when it began.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadData
from kumite.net.crypto.groups import NO_ELEMENT
from kumite.net.crypto.keys import hashed
from kumite.net.crypto.sealed_deck import Deal

if TYPE_CHECKING:
    from kumite.net.crypto.sealed_deck import Deck, Pass

LOCK: Final = 16


@dataclass(frozen=True, slots=True)
class UnprovedDeal(Deal):
    """A deck whose passes are believed until the audit."""

    @property
    def _lock_count(self) -> int:
        return len(self.names) * self._is_locking

    @property
    def _lock_size(self) -> int:
        return LOCK

    @property
    def _proof_size(self) -> int:
        return 0

    def _factor(self, _scalar: int) -> tuple[bytes, ...]:
        """Return nothing: a shuffle is bound to nothing."""
        return ()

    def _lock(self, who: int, position: int, share: bytes) -> bytes:
        return hashed(b"kumite-lock", (*self.context, who, position, share), size=LOCK)

    def _proof(self, _keys: bytes, _cards: Deck, _locks: tuple[bytes, ...]) -> bytes:
        return b""

    def _check(self, made: Pass) -> None:
        if not all(map(self.group.is_element, made.cards)):
            raise BadData(NO_ELEMENT)
