"""Fairness without a referee: the protocol's own cryptography; pure, and all of it is here.

A match is one ordered list of posts, signed by their authors, that every terminal folds over. What
a terminal keeps secret comes from one `seed` of 32 bytes a match: the seed and the posts restore
everything after a crash. A seed serves one match.

What it relies on: blake2b as a random function; discrete logarithms and DDH in the prime-order
subgroup of ed25519; Ed25519, X25519 and AES-SIV as PyNaCl and cryptography have them; and that all
terminals fold over the same posts (each signature covers all posts before it; whose keys they are,
three words compared aloud tell).

Against whom: against all other terminals together, the host among them. If one terminal is honest,
no coalition of the rest can know or choose a joint coin (it can refuse to open its part: that is
seen), read a commitment before it is opened or open it in two ways, or choose the order of the
cards. Together they see the cards that each of them may see, and no others, as long as they follow
the protocol.

What is noticed late: a pass of the deck is not proved when it is made. Until the audit a terminal
may have put a copy of an unknown card in the place of another, mark it so as to find it again, or
draw a copy of somebody's card instead of its own. Every deviation of this kind is in its posts; the
audit at the end of the match names it, and an honest terminal is never named. Nothing here hides
how many posts there are, how long, and when; and a terminal that has gone blocks the cards.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate
from math import lcm, prod
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError, LocalError
from kumite.net.crypto.keys import derive, hashed
from kumite.net.wire.fields import COMMITMENT, PART, SALT, SEED, SHARE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from fractions import Fraction

    from kumite.net.crypto.keys import Part

# Shorter than COMMITMENT: the pass fixes which key fits a position, so its owner gains nothing by
# a second key with the same commitment; it would open to no card.
LOCK: Final = 16

Deck: TypeAlias = tuple[bytes, ...]


class Cheated(KumiteError):
    """A terminal has not kept to the protocol; `who` is its number, `why` says how."""

    code = codes.CHEATED

    def __init__(self, who: int, why: str) -> None:
        super().__init__(
            f"terminal {who + 1} of this table has cheated or is broken: {why}",
            hint="the log holds the proof; `kumite log check` shows it again",
        )
        self.who, self.why = who, why


class NotACard(KumiteError):
    """Keys that fit their commitments open a point that is no card: a pass was false."""

    code = codes.NOT_A_CARD


# --- Secrets, commitments, coins --------------------------------------------------------------


def commit(salt: bytes, *context: Part, text: str) -> bytes:
    """Return 18 bytes that bind to `text` and tell nothing of it while `salt` is secret.

    `context` says whose text it is and where (match id, author, number …): a commitment copied from
    somebody else cannot be opened. Use a salt once: `derive(seed, "salt", number, size=SALT)`.

    Raises:
        LocalError: a salt that is not 16 bytes long.
    """
    if len(salt) != SALT:
        raise LocalError(f"a salt has {SALT} bytes, not {len(salt)}")
    return hashed(b"kumite-commit", (*context, text), key=salt, size=COMMITMENT)


def is_opening(commitment: bytes, salt: bytes, *context: Part, text: str) -> bool:
    """Tell whether this salt and text, whatever they are, open the commitment."""
    try:
        return len(salt) == SALT and commit(salt, *context, text=text) == commitment
    except BadData:  # a text that cannot be packed was not committed to
        return False


def coin(parts: Sequence[bytes], *context: Part) -> bytes:
    """Return 32 bytes that nobody who committed to a part of them could know or choose.

    `parts` are those of all terminals in their order, opened after all had committed.

    Raises:
        Cheated: a part is not 16 bytes long.
    """
    for who, part in enumerate(parts):
        if len(part) != PART:
            raise Cheated(who, f"its part of a coin has {len(part)} bytes, not {PART}")
    return hashed(b"kumite-coin", (len(parts), *parts, *context))


def choose(odds: Sequence[Fraction], key: bytes) -> int:
    """Return an index, each with exactly its odds if `key` (a coin) is a random one.

    Raises:
        LocalError: the odds are negative or do not sum to 1.
    """
    if sum(odds) != 1 or min(odds) < 0:
        raise LocalError("odds are numbers from 0 that sum to 1")
    whole = lcm(*(one.denominator for one in odds))
    limits = list(accumulate(one.numerator * (whole // one.denominator) for one in odds))
    return bisect_right(limits, _Numbers(key).below(whole))


class _Numbers:
    """Endless random numbers from 32 bytes."""

    def __init__(self, key: bytes) -> None:
        self._key, self._block = key, 0

    def below(self, bound: int) -> int:
        """Return a number below `bound`; larger ones are thrown away, so all are equally likely."""
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


# --- The sealed deck --------------------------------------------------------------------------


class Group(Protocol):
    """A group of prime order whose elements are bytes of one size, and where DDH is hard."""

    @property
    def order(self) -> int:
        """Return the number of elements, a prime."""

    @property
    def size(self) -> int:
        """Return how many bytes an element has."""

    def hashed(self, data: bytes) -> bytes:
        """Return the element of these 32 random bytes; nobody knows relations between such."""

    def times(self, scalar: int, element: bytes) -> bytes:
        """Return `element` taken `scalar` times (from 1 to `order - 1`)."""

    def is_element(self, data: bytes) -> bool:
        """Tell whether these bytes, from anywhere, are an element other than the neutral one."""


class Ed25519:
    """The prime-order subgroup of edwards25519.

    PyNaCl before 1.6.2 takes some points outside the subgroup for members (CVE-2025-69277): with
    those, cards could be marked.
    """

    order: Final = 2**252 + 27742317777372353535851937790883648493
    size: Final = 32

    def hashed(self, data: bytes) -> bytes:
        """Return the element of these 32 random bytes (Elligator 2)."""
        from nacl import bindings

        return bindings.crypto_core_ed25519_from_uniform(data)

    def times(self, scalar: int, element: bytes) -> bytes:
        """Return `element` taken `scalar` times, in a time that tells nothing."""
        from nacl import bindings

        return bindings.crypto_scalarmult_ed25519_noclamp(scalar.to_bytes(32, "little"), element)

    def is_element(self, data: bytes) -> bool:
        """Tell whether this is the one encoding of a point of the subgroup."""
        from nacl import bindings

        return len(data) == 32 and bindings.crypto_core_ed25519_is_valid_point(data)


ED25519: Final = Ed25519()


@dataclass(frozen=True, slots=True)
class Deal:
    """A deck on its way through the hands of all terminals; a value, folded over their passes.

    Each terminal in turn multiplies all cards with one secret scalar and permutes them (pass 1);
    then each in turn swaps that scalar for one scalar a position and commits to each (pass 2). So
    position p holds an unknown card times one key of each terminal. To let one terminal draw it,
    all *others* post their `share` of p; posted openly, since the drawer's own is missing. A card
    is `open`ed with the shares of all.

    A pass depends on what it was made from: asked again over another deck, a terminal answers with
    other secrets, so nobody learns its permutation by going back. `context` (match id, number of
    the deck) is used for one deck only.
    """

    names: tuple[str, ...]
    context: tuple[Part, ...]
    terminals: int
    group: Group
    decks: tuple[Deck, ...]  # the open cards, then the deck after each pass
    locks: tuple[tuple[bytes, ...], ...] = ()  # commitments to the keys, by terminal and position

    @classmethod
    def of(
        cls,
        names: tuple[str, ...],
        context: tuple[Part, ...],
        terminals: int,
        group: Group = ED25519,
    ) -> Deal:
        """Return the open deck; equal cards are named as often as they are there."""
        about = (len(names), *names, terminals, *context)
        points = (hashed(b"kumite-card", (index, *about)) for index in range(len(names)))
        return cls(names, context, terminals, group, (tuple(map(group.hashed, points)),))

    @property
    def turn(self) -> int | None:
        """Return the terminal whose pass is due, None if the deck is ready."""
        return None if self.is_ready else (len(self.decks) - 1) % self.terminals

    @property
    def is_ready(self) -> bool:
        """Whether cards can be drawn."""
        return len(self.decks) == 1 + 2 * self.terminals

    def make_pass(self, seed: bytes) -> bytes:
        """Return the pass that is due, from the seed of the terminal whose turn it is."""
        turn = self.turn
        if turn is None:
            raise LocalError("the deck is ready: no pass is due")
        return b"".join(self._passed(self.keys(seed, turn), len(self.decks) - 1))

    def with_pass(self, data: bytes) -> Deal:
        """Return the deal after the pass of the terminal whose turn it is.

        Raises:
            Cheated: it is no pass at all: a wrong size, no element, or an element twice.
        """
        turn, count, size = self.turn, len(self.names), self.group.size
        if turn is None:
            raise LocalError("the deck is ready: no pass is due")
        is_locked = len(self.decks) > self.terminals
        if len(data) != count * (size + LOCK * is_locked):
            raise Cheated(turn, f"its pass of {count} cards has {len(data)} bytes")
        deck = _split(data[: count * size], size)
        if len(set(deck)) != count:
            raise Cheated(turn, "its pass has a card twice")
        if not all(map(self.group.is_element, deck)):
            raise Cheated(turn, "its pass has a point that is no element of the group")
        locks = (_split(data[count * size :], LOCK),) if is_locked else ()
        return replace(self, decks=(*self.decks, deck), locks=self.locks + locks)

    def share(self, seed: bytes, who: int, position: int) -> bytes:
        """Return that terminal's key of a position (0-based), 32 bytes, from its seed."""
        if not self.is_ready:
            raise LocalError("a deck that is not ready has no shares")
        return self._key(self.keys(seed, who), who, position).to_bytes(SHARE, "little")

    def is_share(self, who: int, position: int, share: bytes) -> bool:
        """Tell whether these bytes are the key that the terminal has committed to."""
        return len(share) == SHARE and self._lock(who, position, share) == self.locks[who][position]

    def open(self, position: int, shares: Sequence[bytes]) -> int:
        """Return which of `names` lies there; `shares` of all terminals fit their commitments.

        Raises:
            NotACard: none does: somebody's pass was false, and the audit will tell whose.
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

    def keys(self, seed: bytes, who: int) -> bytes:
        """Return what a terminal opens after the match: all its secrets of this deck, 32 bytes."""
        return derive(seed, "deck", *self.context, who)

    def audit(self, keys: Sequence[bytes]) -> tuple[str, ...]:
        """Return the names by position, once the `keys` of all terminals are open.

        Raises:
            Cheated: the first terminal whose passes are not what its keys make of what it was
                given. Each is measured by its own passes only.
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
        """Check the passes of one terminal against the keys that it has opened.

        Raises:
            Cheated: they do not fit.
        """
        if len(opened) != SEED:
            raise Cheated(who, f"it opened {len(opened)} bytes as its keys of the deck")
        first = _joined(self.decks[1 + who])
        if self._passed(opened, who)[0] != first:
            raise Cheated(who, "its shuffle changed cards")
        deck, locks = self._passed(opened, self.terminals + who)
        if deck != _joined(self.decks[1 + self.terminals + who]):
            raise Cheated(who, "its locks changed or moved cards")
        if locks != _joined(self.locks[who]):
            raise Cheated(who, "its commitments are not to the keys it used")

    def _passed(self, keys: bytes, number: int) -> tuple[bytes, ...]:
        """Return the pass of that number as its terminal's keys make it."""
        times = self.group.times
        who = number % self.terminals
        scalar, places = self._shuffle(keys, self.decks[who])
        before = self.decks[number]
        if number < self.terminals:
            return (_joined(times(scalar, before[place]) for place in places),)
        undo, order = pow(scalar, -1, self.group.order), self.group.order
        own = [self._key(keys, who, position) for position in range(len(self.names))]
        deck = _joined(times(undo * key % order, one) for key, one in zip(own, before, strict=True))
        shares = (key.to_bytes(SHARE, "little") for key in own)
        return deck, _joined(self._lock(who, place, share) for place, share in enumerate(shares))

    def _shuffle(self, keys: bytes, before: Deck) -> tuple[int, list[int]]:
        """Return the scalar and the permutation (old place by new place) of a first pass."""
        numbers = _Numbers(derive(keys, "shuffle", *before))
        places = list(range(len(before)))
        for last in range(len(places) - 1, 0, -1):
            other = numbers.below(last + 1)
            places[last], places[other] = places[other], places[last]
        return 1 + numbers.below(self.group.order - 1), places

    def _key(self, keys: bytes, who: int, position: int) -> int:
        """Return the scalar of a position in that terminal's second pass."""
        before = self.decks[self.terminals + who]
        return 1 + _Numbers(derive(keys, "lock", position, *before)).below(self.group.order - 1)

    def _lock(self, who: int, position: int, share: bytes) -> bytes:
        return hashed(b"kumite-lock", (*self.context, who, position, share), size=LOCK)


def _split(data: bytes, size: int) -> tuple[bytes, ...]:
    return tuple(data[at : at + size] for at in range(0, len(data), size))


def _joined(parts: Iterable[bytes]) -> bytes:
    return b"".join(parts)
