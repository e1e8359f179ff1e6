"""Posts: signed entries in the shared list from which every terminal computes the match.

A terminal signs each post together with all posts before it. The host orders posts and passes them
on; it can neither change nor forge another terminal's post, and showing two terminals different
posts is detected with the next one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.net.wire import fields
from kumite.net.wire.fields import BOX_KEY, COMMITMENT, PART, SALT, SEED, SHARE, SIGNATURE

if TYPE_CHECKING:
    from kumite.core.game import Seat, Step

MAX_AT: Final = 2**42  # ms; a match may take years
MAX_SPENT: Final = 86_400_000  # ms; longer thinking counts as one day
MAX_PASS: Final = 160 * fields.MAX_DECK  # bytes of a pass over a deck, with its proof
MAX_HIDDEN: Final = 4096  # hidden choices of one match
MAX_BOX: Final = 256


@dataclass(frozen=True, slots=True)
class Play:
    """A local seat makes a step, in its public form; a commitment for each `?` in it.

    `number` is that of the first unmade step: several seats may choose simultaneously.
    """

    number: int
    seat: Seat
    step: Step
    commitments: tuple[bytes, ...]
    spent: int  # ms of thinking, by the author's clock


@dataclass(frozen=True, slots=True)
class Promise:
    """A commitment to our part of the coin for chance step `number`."""

    number: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Coin:
    """Our part of the coin, opened after all have committed."""

    number: int
    part: bytes


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Our pass over a deck, which shuffles or locks it, with its proof."""

    deck: int
    cards: bytes


@dataclass(frozen=True, slots=True)
class Shares:
    """Our keys for the places from `first` on, empty where we draw ourselves."""

    deck: int
    first: int
    keys: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Spoiled:
    """Step `number` contradicts the cards that we hold: a terminal cheated.

    Only the audit can tell who: the seat that makes the step may have been dealt a card that
    another terminal had copied. The match ends here.
    """

    number: int


@dataclass(frozen=True, slots=True)
class Shown:
    """Our hidden choices that chance step `number` reveals: (salt, piece) of each.

    Public, or in a box for each terminal that may see it.
    """

    number: int
    pieces: tuple[tuple[bytes, str], ...]
    boxes: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody says something."""

    text: str


@dataclass(frozen=True, slots=True)
class Resign:
    """A local seat resigns."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Flag:
    """The clock of a local seat has run out."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """A proposal that needs unanimous consent: a kind of OFFERS and a step or seat."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the open offer: yes (1) or no (0); its author withdraws it with a no.

    `offer` is the place in the match's list, from 1, of the post that made it.
    """

    offer: int
    is_yes: int


@dataclass(frozen=True, slots=True)
class DeckKeys:
    """After the match: all our keys of a deck."""

    deck: int
    keys: bytes


@dataclass(frozen=True, slots=True)
class Reveal:
    """After the match and `DeckKeys`: (salt, piece) of everything hidden in our choices.

    Without consent it is empty, and `is_given` is 0.
    """

    is_given: int
    choices: tuple[tuple[tuple[bytes, str], ...], ...]


@dataclass(frozen=True, slots=True)
class BoxOpened:
    """We open the box that terminal `author` made for us with its `Shown` of step `number`.

    Either its author or we cheated; everybody can see who, so the post is never entered.
    """

    number: int
    author: int
    key: bytes


@dataclass(frozen=True, slots=True)
class Closed:
    """After the match: we have it up to this step and public digest, and sign its end."""

    number: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Away:
    """A judge's report that this seat of another terminal was absent for `ms` in step `number`."""

    number: int
    seat: Seat
    ms: int


@dataclass(frozen=True, slots=True)
class KeyShares:
    """What we leave the others at a table whose bots play on for who is gone.

    The points commit to them; the boxes hold one share for each other terminal, in order.
    """

    points: tuple[bytes, ...]
    boxes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class KeyShare:
    """All say that terminal `gone` is: here is our share of what it has left."""

    gone: int
    share: bytes


@dataclass(frozen=True, slots=True)
class ShareOpened:
    """We open the box that terminal `author` has left us: its share does not fit the points.

    Either its author or we cheated, as with `BoxOpened`; the post is never entered.
    """

    author: int
    key: bytes


Body: TypeAlias = (
    Play
    | Promise
    | Coin
    | Shuffle
    | Shares
    | Spoiled
    | Shown
    | Say
    | Resign
    | Flag
    | Offer
    | Answer
    | DeckKeys
    | Reveal
    | BoxOpened
    | Closed
    | Away
    | KeyShares
    | KeyShare
    | ShareOpened
)

BACK: Final = "back"
DRAW: Final = "draw"
SEAT: Final = "seat"
AGAIN: Final = "again"
COMMON: Final = "common"  # continue from the last step on which all agree; only by the host
GONE: Final = "gone"  # terminals are permanently gone: bit n of the number is terminal n
OFFERS: Final = (BACK, DRAW, SEAT, AGAIN, COMMON, GONE)


@dataclass(frozen=True, slots=True)
class Post:
    """A signed entry of a terminal, with its author and the author's number for it (from 1).

    `seen` is the number of posts its author had; the signature covers them too. `at` is ms since
    the match began, by its author's clock.
    """

    author: int
    number: int
    body: Body
    seen: int
    signature: bytes
    at: int


_terminal = fields.number(0, fields.MAX_SEATS - 1)
_commitments = fields.many(fields.blob(COMMITMENT), fields.MAX_DECK)
_piece = fields.each(fields.blob(SALT), fields.step)
PIECES: Final = fields.many(_piece, fields.MAX_DECK)
"""Checks the (salt, piece) pairs of a hidden choice."""

BODIES: Final[fields.Kinds[Body]] = fields.Kinds(
    (Play, (fields.count, fields.seat, fields.step, _commitments, fields.number(0, MAX_SPENT))),
    (Promise, (fields.count, fields.blob(COMMITMENT))),
    (Coin, (fields.count, fields.blob(PART))),
    (Shuffle, (fields.index, fields.blob(1, MAX_PASS))),
    (Shares, (fields.index, fields.index, fields.many(fields.blob(0, SHARE), fields.MAX_DECK))),
    (Spoiled, (fields.count,)),
    (
        Shown,
        (
            fields.count,
            PIECES,
            fields.many(fields.each(_terminal, fields.blob(1, MAX_BOX)), fields.MAX_SEATS),
        ),
    ),
    (Say, (fields.text(fields.MAX_SAY),)),
    (Resign, (fields.seat,)),
    (Flag, (fields.seat,)),
    (Offer, (fields.word, fields.index)),
    (Answer, (fields.count, fields.number(0, 1))),
    (DeckKeys, (fields.index, fields.blob(SEED))),
    (Reveal, (fields.number(0, 1), fields.many(PIECES, MAX_HIDDEN))),
    (BoxOpened, (fields.count, _terminal, fields.blob(BOX_KEY))),
    (Closed, (fields.index, fields.digest)),
    (Away, (fields.count, fields.seat, fields.number(0, MAX_SPENT))),
    (
        KeyShares,
        (
            fields.many(fields.blob(32), fields.MAX_SEATS),
            fields.many(fields.blob(1, MAX_BOX), fields.MAX_SEATS),
        ),
    ),
    (KeyShare, (_terminal, fields.blob(SHARE))),
    (ShareOpened, (_terminal, fields.blob(BOX_KEY))),
)


POST: Final = fields.Shape(
    Post,
    _terminal,
    fields.count,
    BODIES,
    fields.index,
    fields.blob(SIGNATURE),
    fields.number(0, MAX_AT),
)
