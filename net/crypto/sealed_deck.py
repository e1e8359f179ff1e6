"""Cards without a dealer: a deck that every terminal shuffles and locks with proofs; pure.

Each terminal in turn multiplies all cards by one secret number and permutes them; then each in turn
removes its number and puts one key on each place, whose lock it publishes. So a place holds an
unknown card times one key of each terminal, and opens only with all of them.

Every pass carries a proof (shuffle_proof.py, lock_proof.py) and is refused without a valid one; a
key that does not fit its lock is refused too. So a finished deck is a permutation of its cards,
whatever its terminals have tried; docs/proofs.md says why, and on what assumptions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import NamedTuple, TypeAlias

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError, LocalError
from kumite.net.crypto import lock_proof, shuffle_proof
from kumite.net.crypto.groups import ED25519, Group
from kumite.net.crypto.keys import Part, derive, hashed
from kumite.net.crypto.mental_poker import Cheated, Numbers
from kumite.net.crypto.transcript import split
from kumite.net.wire.fields import SEED, SHARE

Deck: TypeAlias = tuple[bytes, ...]


class NotACard(KumiteError):
    """Keys that fit their locks open a point that is not a card: a pass was dishonest."""

    code = codes.NOT_A_CARD


class Pass(NamedTuple):
    """A pass over a deck: the cards after it, the commitments, and the proof."""

    cards: Deck
    locks: tuple[bytes, ...]  # one point for a shuffle, one per place for a locking pass
    proof: bytes


@dataclass(frozen=True, slots=True)
class Deal:
    """A deck while all terminals shuffle and lock it; a value, folded over their passes.

    To let one terminal draw a place, all *others* post their `share` of it, publicly: the drawer's
    own is still missing. The shares of all `open` a card.

    A pass depends on its input: asked again over another deck, a terminal uses other secrets, so
    replaying reveals nothing about its permutation. `context` (match id, all posts so far, number
    of the deck) is unique to a deck, and bound into every proof.
    """

    names: tuple[str, ...]
    context: tuple[Part, ...]
    terminals: int
    group: Group
    decks: tuple[Deck, ...]  # the open cards, then the deck after each pass
    locks: tuple[tuple[bytes, ...], ...] = ()  # of each pass

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        context: tuple[Part, ...],
        terminals: int,
        group: Group = ED25519,
    ) -> Deal:
        """Return the deck before any pass; `names` repeats equal cards."""
        about = (len(names), *names, terminals, *context)
        points = (hashed(b"kumite-card", (index, *about)) for index in range(len(names)))
        return cls(names, context, terminals, group, (tuple(map(group.hashed, points)),))

    @property
    def turn(self) -> int | None:
        """The terminal whose pass is due, None if the deck is ready."""
        return None if self.is_ready else (len(self.decks) - 1) % self.terminals

    @property
    def is_ready(self) -> bool:
        return len(self.decks) == 1 + 2 * self.terminals

    def make_pass(self, seed: bytes) -> bytes:
        """Return the next pass, from the seed of the terminal whose turn it is."""
        turn = self.turn
        if turn is None:
            raise LocalError("the deck is ready: no pass is due")
        keys = self.keys(seed, turn)
        cards, locks = self._passed(keys, len(self.decks) - 1)
        return b"".join((*cards, *locks, self._proof(keys, cards, locks)))

    def with_pass(self, data: bytes, *, is_trusted: bool = False) -> Deal:
        """Return the deal after the pass of the terminal whose turn it is.

        `is_trusted` skips the proof of a pass that was made or checked here. Raise Cheated for a
        wrong size, duplicate cards, an invalid element, or an invalid proof.
        """
        turn = self.turn
        if turn is None:
            raise LocalError("the deck is ready: no pass is due")
        try:
            made = self.read(data)
            if len(set(made.cards)) != len(made.cards):
                raise BadData("a card twice")
            if not is_trusted:
                self._check(made)
        except BadData as error:
            raise Cheated(turn, f"its pass has {error}") from error
        return replace(self, decks=(*self.decks, made.cards), locks=(*self.locks, made.locks))

    def read(self, data: bytes) -> Pass:
        """Parse the next pass, or raise BadData; only its size is checked."""
        middle = len(self.names) * self.group.size
        end = middle + (len(self.names) if self._is_locking else 1) * self.group.size
        size_for = lock_proof.size_for if self._is_locking else shuffle_proof.size_for
        if len(data) != end + size_for(len(self.names), self.group):
            raise BadData(f"{len(data)} bytes for {len(self.names)} cards")
        cards, locks = data[:middle], data[middle:end]
        return Pass(split(cards, self.group.size), split(locks, self.group.size), data[end:])

    def share(self, seed: bytes, who: int, position: int) -> bytes:
        """Return the 32-byte key of terminal `who` for a position (0-based), from its seed."""
        if not self.is_ready:
            raise LocalError("a deck that is not ready has no shares")
        return self._key(self.keys(seed, who), who, position).to_bytes(SHARE, "little")

    def is_share(self, who: int, position: int, share: bytes) -> bool:
        """Return True if `share` is the one key that fits the terminal's lock."""
        scalar = int.from_bytes(share, "little")
        if len(share) != SHARE or not 0 < scalar < self.group.order:
            return False
        return self.group.base_times(scalar) == self.locks[self.terminals + who][position]

    def open(self, position: int, shares: Sequence[bytes]) -> int:
        """Return the index in `names` of the card at a position, given fitting shares of all.

        Raise NotACard if a pass was dishonest; the audit will tell whose.
        """
        order = self.group.order
        scalar = prod(int.from_bytes(share, "little") for share in shares) % order
        locked = self.decks[-1][position]
        point = self.group.times(pow(scalar, -1, order), locked) if scalar else b""
        try:
            return self.decks[0].index(point)
        except ValueError:
            raise NotACard(
                f"position {position + 1} of the deck holds no card",
                hint="a terminal has changed the deck; the audit names it once all open their keys",
            ) from None

    # --- The audit: recompute every pass ---

    def keys(self, seed: bytes, who: int) -> bytes:
        """Return all secrets of a terminal for this deck, 32 bytes, revealed after the match."""
        return derive(seed, "deck", *self.context, who)

    def audit(self, keys: Sequence[bytes]) -> tuple[str, ...]:
        """Return the names by position, given the `keys` of all terminals.

        Raise Cheated with the first terminal whose passes do not follow from its keys and its
        input.
        """
        if not self.is_ready:
            raise LocalError("a deck that is not ready cannot be audited")
        if len(keys) != self.terminals:
            raise LocalError("an audit needs the keys of all terminals")
        for who, opened in enumerate(keys):
            self.audit_one(who, opened)
        order = list(range(len(self.names)))
        for opened, before in zip(keys, self.decks, strict=False):
            order = [order[one] for one in self._shuffle(opened, before)[1]]
        return tuple(self.names[card] for card in order)

    def audit_one(self, who: int, opened: bytes) -> None:
        """Raise Cheated if the passes of a terminal so far do not fit its revealed keys."""
        if len(opened) != SEED:
            raise Cheated(who, f"it opened {len(opened)} bytes as its keys of the deck")
        changed = ("its shuffle changed cards", "its locks changed or moved cards")
        for number, why in zip((who, self.terminals + who), changed, strict=True):
            if number >= len(self.locks):
                break
            cards, locks = self._passed(opened, number)
            if cards != self.decks[1 + number]:
                raise Cheated(who, why)
            if locks != self.locks[number]:
                raise Cheated(who, "its commitments are not to the keys it used")

    def is_key(self, who: int, opened: bytes, position: int, share: bytes) -> bool:
        """Return True if a share follows from a terminal's revealed keys."""
        return self._key(opened, who, position).to_bytes(SHARE, "little") == share

    # --- Making a pass ---

    @property
    def _is_locking(self) -> bool:
        """True if the next pass locks the cards instead of shuffling them."""
        return len(self.decks) > self.terminals

    def _passed(self, keys: bytes, number: int) -> tuple[Deck, tuple[bytes, ...]]:
        """Return the cards and the locks of a pass, computed from its terminal's keys."""
        times, before = self.group.times, self.decks[number]
        who, order = number % self.terminals, self.group.order
        scalar, places = self._shuffle(keys, self.decks[who])
        if number < self.terminals:
            shuffled = tuple(times(scalar, before[place]) for place in places)
            return shuffled, (self.group.base_times(scalar),)  # commits it to its scalar
        undo, own = pow(scalar, -1, order), self._own(keys, who)
        cards = tuple(times(undo * key % order, one) for key, one in zip(own, before, strict=True))
        return cards, tuple(map(self.group.base_times, own))

    def _shuffle(self, keys: bytes, before: Deck) -> tuple[int, list[int]]:
        """Return the scalar and the permutation (old place by new place) of a shuffle."""
        numbers = Numbers(derive(keys, "shuffle", *before))
        places = list(range(len(before)))
        for last in range(len(places) - 1, 0, -1):
            other = numbers.below(last + 1)
            places[last], places[other] = places[other], places[last]
        return 1 + numbers.below(self.group.order - 1), places

    def _own(self, keys: bytes, who: int) -> list[int]:
        return [self._key(keys, who, position) for position in range(len(self.names))]

    def _key(self, keys: bytes, who: int, position: int) -> int:
        """Return the scalar of a position in that terminal's locking pass."""
        before = self.decks[self.terminals + who]
        return 1 + Numbers(derive(keys, "lock", position, *before)).below(self.group.order - 1)

    # --- Proofs ---

    def _about(self) -> tuple[Part, ...]:
        """Return the context of the next pass's proof: this deck and all passes so far."""
        before = (point for part in (*self.decks, *self.locks) for point in part)
        so_far = hashed(b"kumite-passes", tuple(before))
        counts = (self.terminals, len(self.decks) - 1, len(self.names))
        return (*counts, *self.names, so_far, *self.context)

    def _shuffling(self, cards: Deck, locks: tuple[bytes, ...]) -> shuffle_proof.Statement:
        return shuffle_proof.Statement(self.group, self._about(), self.decks[-1], cards, *locks)

    def _locking(self, cards: Deck, locks: tuple[bytes, ...]) -> lock_proof.Statement:
        (factor,) = self.locks[len(self.decks) - 1 - self.terminals]
        return lock_proof.Statement(self.group, self._about(), self.decks[-1], cards, factor, locks)

    def _proof(self, keys: bytes, cards: Deck, locks: tuple[bytes, ...]) -> bytes:
        who = (len(self.decks) - 1) % self.terminals
        scalar, places = self._shuffle(keys, self.decks[who])
        if self._is_locking:
            own = self._own(keys, who)
            return lock_proof.prove(self._locking(cards, locks), scalar, own, keys).packed()
        return shuffle_proof.prove(self._shuffling(cards, locks), scalar, places, keys).packed()

    def _check(self, made: Pass) -> None:
        """Raise BadData if the next pass is not proved."""
        count, group = len(self.names), self.group
        if self._is_locking:
            locking = lock_proof.Proof.of(made.proof, count, group)
            if not lock_proof.is_proved(self._locking(made.cards, made.locks), locking):
                raise BadData("no proof that it locks the cards that were there")
        else:
            shuffling = shuffle_proof.Proof.of(made.proof, count, group)
            if not shuffle_proof.is_proved(self._shuffling(made.cards, made.locks), shuffling):
                raise BadData("no proof that it is a shuffle of the cards that were there")
