"""Posts: signed entries in the shared list from which every terminal computes the match.

A terminal signs each post together with all posts before it. The host orders posts and passes them
on; it can neither change nor forge another terminal's post, and showing two terminals different
posts is detected with the next one.
"""

from typing import Annotated, Final, TypeAlias

from kumite.net.wire import fields
from kumite.net.wire.fields import Frozen, blob, each, many, number

MAX_AT: Final = 2**42  # ms; a match may take years
MAX_SPENT: Final = 86_400_000  # ms; longer thinking counts as one day
MAX_PASS: Final = 160 * fields.MAX_DECK  # bytes of a pass over a deck, with its proof
MAX_HIDDEN: Final = 4096  # hidden choices of one match
MAX_BOX: Final = 256

Terminal: TypeAlias = Annotated[int, number(0, fields.MAX_SEATS - 1)]
Spent: TypeAlias = Annotated[int, number(0, MAX_SPENT)]
Pieces: TypeAlias = tuple[tuple[bytes, str], ...]  # (salt, piece) of what is hidden in a choice
PIECES: Final = many(each(blob(fields.SALT), fields.step), fields.MAX_DECK)
_commitments = many(blob(fields.COMMITMENT), fields.MAX_DECK)
_boxes = many(blob(1, MAX_BOX), fields.MAX_SEATS)
_boxes_for = many(each(number(0, fields.MAX_SEATS - 1), blob(1, MAX_BOX)), fields.MAX_SEATS)


class Body(Frozen):
    """The content of a post."""


class Play(Body):
    """A local seat makes a step, in its public form; a commitment for each `?` in it.

    `number` is that of the first unmade step: several seats may choose simultaneously.
    """

    number: fields.Count
    seat: fields.ASeat
    step: fields.AStep
    commitments: Annotated[tuple[bytes, ...], _commitments]
    spent: Spent  # ms of thinking, by the author's clock


class Promise(Body):
    """A commitment to our part of the coin for chance step `number`."""

    number: fields.Count
    commitment: Annotated[bytes, blob(fields.COMMITMENT)]


class Coin(Body):
    """Our part of the coin, opened after all have committed."""

    number: fields.Count
    part: Annotated[bytes, blob(fields.PART)]


class Shuffle(Body):
    """Our pass over a deck, which shuffles or locks it, with its proof."""

    deck: fields.Index
    cards: Annotated[bytes, blob(1, MAX_PASS)]


class Shares(Body):
    """Our keys for the places from `first` on, empty where we draw ourselves."""

    deck: fields.Index
    first: fields.Index
    keys: Annotated[tuple[bytes, ...], many(blob(0, fields.SHARE), fields.MAX_DECK)]


class Spoiled(Body):
    """Step `number` contradicts the cards that we hold: a terminal cheated.

    Only the audit can tell who: the seat that makes the step may have been dealt a card that
    another terminal had copied. The match ends here.
    """

    number: fields.Count


class Shown(Body):
    """(salt, piece) of each choice of ours that chance step `number` reveals, open or in boxes."""

    number: fields.Count
    pieces: Annotated[Pieces, PIECES]
    boxes: Annotated[tuple[tuple[int, bytes], ...], _boxes_for]


class Say(Body):
    """A chat message during the match."""

    text: Annotated[str, fields.text(fields.MAX_SAY)]
    is_unkept: fields.Truth = False  # of a guest whose seat is lost with its connection


class Resign(Body):
    """A local seat resigns."""

    seat: fields.ASeat


class Flag(Body):
    """The clock of a local seat has run out."""

    seat: fields.ASeat


class Offer(Body):
    """A proposal that needs unanimous consent, or a vote: a kind of OFFERS and a step or seat."""

    kind: fields.Word
    number: fields.Index
    game: fields.GameOrNone = ""  # of VOTE: its id


class Answer(Body):
    """The answer to the offer at place `offer` of the list (from 1); a no of its author ends it."""

    offer: fields.Count
    is_yes: fields.Truth


class DeckKeys(Body):
    """After the match: all our keys of a deck."""

    deck: fields.Index
    keys: Annotated[bytes, blob(fields.SEED)]


class Reveal(Body):
    """After the match and `DeckKeys`: (salt, piece) of hidden choices; empty without consent."""

    is_given: fields.Truth
    choices: Annotated[tuple[Pieces, ...], many(PIECES, MAX_HIDDEN)]


class BoxOpened(Body):
    """We open the box that terminal `author` made for us with its `Shown` of step `number`.

    Either its author or we cheated; everybody can see who, so the post is never entered.
    """

    number: fields.Count
    author: Terminal
    key: Annotated[bytes, blob(fields.BOX_KEY)]


class Closed(Body):
    """After the match: we have it up to this step and public digest, and sign its end."""

    number: fields.Index
    digest: fields.Digest


class Away(Body):
    """A judge's report that this seat of another terminal was absent for `ms` in step `number`."""

    number: fields.Count
    seat: fields.ASeat
    ms: Spent


class KeyShares(Body):
    """What we leave the others at a table whose bots play on for who is gone.

    The points commit to them; the boxes hold one share for each other terminal, in order.
    """

    points: Annotated[tuple[bytes, ...], many(blob(32), fields.MAX_SEATS)]
    boxes: Annotated[tuple[bytes, ...], _boxes]


class KeyShare(Body):
    """All say that terminal `gone` is: here is our share of what it has left."""

    gone: Terminal
    share: Annotated[bytes, blob(fields.SHARE)]


class ShareOpened(Body):
    """We open the box that terminal `author` has left us: its share does not fit the points.

    Either its author or we cheated, as with `BoxOpened`; the post is never entered.
    """

    author: Terminal
    key: Annotated[bytes, blob(fields.BOX_KEY)]


BODIES: Final[fields.Kinds[Body]] = fields.Kinds(
    *(Play, Promise, Coin, Shuffle, Shares, Spoiled, Shown, Say, Resign, Flag, Offer, Answer),
    *(DeckKeys, Reveal, BoxOpened, Closed, Away, KeyShares, KeyShare, ShareOpened),
)

BACK: Final = "back"
DRAW: Final = "draw"
SEAT: Final = "seat"
AGAIN: Final = "again"
VOTE: Final = "vote"  # after the match: for the game to play next, with that seat first
COMMON: Final = "common"  # continue from the last step on which all agree; only by the host
GONE: Final = "gone"  # terminals are permanently gone: bit n of the number is terminal n
OFFERS: Final = (BACK, DRAW, SEAT, AGAIN, VOTE, COMMON, GONE)


class Post(Frozen):
    """A signed entry of a terminal, with its author and the author's number for it (from 1).

    `seen` is the number of posts its author had; the signature covers them too. `at` is ms since
    the match began, by its author's clock.
    """

    author: Terminal
    number: fields.Count
    body: Annotated[Body, BODIES]
    seen: fields.Index
    signature: Annotated[bytes, blob(fields.SIGNATURE)]
    at: Annotated[int, number(0, MAX_AT)]


POST: Final = fields.Shape(Post)
APost: TypeAlias = Annotated[Post, POST]
