"""What terminals put on the table, one after the other; the match is what all of them add up to.

A post is signed by the terminal that makes it, together with all posts that it had before. The host
enters posts in an order and passes them on; it can neither change nor invent a post of another
terminal, nor show two terminals different posts without being found out by the next one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.net.wire import fields
from kumite.net.wire.fields import BOX_KEY, COMMITMENT, PART, SALT, SEED, SHARE, SIGNATURE

if TYPE_CHECKING:
    from kumite.core.game import Packed, Seat, Step

MAX_AT: Final = 2**42  # ms; a match may take years
MAX_SPENT: Final = 86_400_000  # ms; of a longer thought one day counts
MAX_PASS: Final = 160 * fields.MAX_DECK  # bytes of a deck on its way, with its proof
MAX_HIDDEN: Final = 4096  # hidden choices of one match
MAX_BOX: Final = 256


@dataclass(frozen=True, slots=True)
class Play:
    """A seat of ours makes a step, as a spectator sees it; a commitment for each `?` in it.

    `number` is that of the first step which is not made yet: several seats may choose at once.
    """

    number: int
    seat: Seat
    step: Step
    commitments: tuple[bytes, ...]
    spent: int  # ms of thinking, as our clock measured it


@dataclass(frozen=True, slots=True)
class Promise:
    """Our part of the coin that decides chance step `number`, not shown yet."""

    number: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Coin:
    """Our part of the coin, shown when all have promised theirs."""

    number: int
    part: bytes


@dataclass(frozen=True, slots=True)
class Shuffle:
    """A deck has gone through our hands, once to be shuffled, once to be locked; with its proof."""

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
    """Step `number` cannot be, by the cards that we hold: somebody has played false.

    Nobody can tell who before all is open: the seat that makes such a step may have been dealt a
    card that another terminal had copied. The match ends here, and the audit tells.
    """

    number: int


@dataclass(frozen=True, slots=True)
class Shown:
    """What chance step `number` brings to light of our hidden choices: (salt, piece) of each.

    For everybody, or in a box for each terminal that may see it.
    """

    number: int
    pieces: tuple[tuple[bytes, str], ...]
    boxes: tuple[tuple[int, bytes], ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Somebody says something."""

    text: str


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat of ours gives up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Flag:
    """The clock of a seat of ours has run out."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that needs everybody's yes: a kind of OFFERS and its number (a step, a seat)."""

    kind: str
    number: int


@dataclass(frozen=True, slots=True)
class Answer:
    """To the offer that stands: yes (1) or no (0); its author takes it back with a no.

    `offer` says to which one: the place in the match's list of the post that made it, from 1.
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
    """After the match, and after `DeckKeys`: (salt, piece) of everything hidden in all our choices.

    Without consent it is empty, and `is_given` is 0.
    """

    is_given: int
    choices: tuple[tuple[tuple[bytes, str], ...], ...]


@dataclass(frozen=True, slots=True)
class BoxOpened:
    """We open the box that terminal `author` made for us with its `Shown` of step `number`.

    Who made it, or we, have played false: all that see it know who, and so it is never entered.
    """

    number: int
    author: int
    key: bytes


@dataclass(frozen=True, slots=True)
class Closed:
    """After the match: we have all of it, up to this step and public digest; we sign its end."""

    number: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Away:
    """For step `number` this seat of another terminal was away for so many ms, says its judge."""

    number: int
    seat: Seat
    ms: int


@dataclass(frozen=True, slots=True)
class Will:
    """What we leave the others at a table whose bots play on for who is gone (crypto/wills.py).

    The points commit to it; there is a box with a share for each other terminal, in their order.
    """

    points: tuple[bytes, ...]
    boxes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class WillShare:
    """All say that terminal `gone` is: here is our share of what it has left."""

    gone: int
    share: bytes


@dataclass(frozen=True, slots=True)
class WillOpened:
    """We open the box that terminal `author` has left us: its share does not fit the points.

    Who made it, or we, have played false, as with `BoxOpened`: it is never entered.
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
    | Words
    | Resign
    | Flag
    | Offer
    | Answer
    | DeckKeys
    | Reveal
    | BoxOpened
    | Closed
    | Away
    | Will
    | WillShare
    | WillOpened
)

BACK: Final = "back"
DRAW: Final = "draw"
SEAT: Final = "seat"
AGAIN: Final = "again"
COMMON: Final = "common"  # to go on from the last step on which all agree; the host asks it
GONE: Final = "gone"  # that terminals are gone for good: bit n of the number is terminal n
OFFERS: Final = (BACK, DRAW, SEAT, AGAIN, COMMON, GONE)


@dataclass(frozen=True, slots=True)
class Post:
    """What a terminal puts on the table: its author, their number for it (from 1), what, signed.

    `seen`: how many posts of all its author had then; the signature covers those, too. `at`: ms
    since its match began, by its author's own clock; None in a match before protocol 6.
    """

    author: int
    number: int
    body: Body
    seen: int
    signature: bytes
    at: int | None = None


_terminal = fields.number(0, fields.MAX_SEATS - 1)
_commitments = fields.many(fields.blob(COMMITMENT), fields.MAX_DECK)
_piece = fields.each(fields.blob(SALT), fields.step)
PIECES: Final = fields.many(_piece, fields.MAX_DECK)
"""Checks (salt, piece) of what a hidden choice hides."""

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
    (Words, (fields.text(fields.MAX_SAY),)),
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
        Will,
        (
            fields.many(fields.blob(32), fields.MAX_SEATS),
            fields.many(fields.blob(1, MAX_BOX), fields.MAX_SEATS),
        ),
    ),
    (WillShare, (_terminal, fields.blob(SHARE))),
    (WillOpened, (_terminal, fields.blob(BOX_KEY))),
)


class PostShape(fields.Shape[Post]):
    """A post as an array; one that does not say what its clock read ends before that."""

    def to_tuple(self, message: Post) -> tuple[Packed, ...]:
        """Return the fields of a post as a tuple; their limits are not checked."""
        found = super().to_tuple(message)
        return found if message.at is not None else found[:-1]

    def __call__(self, values: object) -> Post:
        """Return the post of these values.

        Raises:
            BadData: they are no post, or a field breaks a limit.
        """
        given = fields.items(values, UNTIMED + 1)
        if len(given) == UNTIMED:
            return replace(super().__call__((*given, 0)), at=None)
        return super().__call__(given)


UNTIMED: Final = 5  # fields of a post that does not say what its author's clock read
POST: Final = PostShape(
    Post,
    _terminal,
    fields.count,
    BODIES,
    fields.index,
    fields.blob(SIGNATURE),
    fields.number(0, MAX_AT),
)
