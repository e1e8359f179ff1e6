"""Hidden choices that come to light: shown to all, or in a box to those who may see them; pure.

A box whose contents are false is opened by its reader to all, so that everybody knows who lied: the
one who made it, or the one who says so. The boxes themselves are in net/crypto/boxes.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kumite.core.codec import decode, encode
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, HOLE, SPECTATOR, Step, pieces
from kumite.net.crypto import boxes, keys, mental_poker
from kumite.net.replica.copying import changed
from kumite.net.replica.ledger import Boxed, Foul, Ledger, SeatChoice
from kumite.net.wire.posts import PIECES, BoxOpened, Shown

if TYPE_CHECKING:
    from kumite.core.game import Seats

Wanted: TypeAlias = "tuple[tuple[SeatChoice, int], ...]"  # choices, each with the number of a `?`


def sees(ledger: Ledger, view: object, masked: str, seats: Seats) -> bool:
    """Return whether these seats see what has a `?` in this chance step."""
    try:
        return HOLE not in ledger.game.seen(view, CHANCE, Step(masked), seats)
    except KumiteError:  # the game refuses a text that hides from them what they see
        return True


def owed(ledger: Ledger) -> tuple[tuple[SeatChoice, int], ...]:
    """Return the hidden choices that are to be shown now, each with the number of its `?`."""
    return tuple(
        (next(one for one in reversed(ledger.hidden) if one.seat == seat), index)
        for seat, index in ledger.game.SECRETS.owed(ledger.public)
    )


def masked_showing(ledger: Ledger) -> str:
    """Return the step that shows what is owed, as it looks to those who may not see it."""
    secrets = ledger.game.SECRETS
    return str(secrets.shown(ledger.public, (HOLE,) * len(secrets.owed(ledger.public))))


def piece_context(ledger: Ledger, choice: SeatChoice, index: int) -> tuple[str | int, ...]:
    """Return what a commitment to a piece of a hidden choice is bound to.

    Not to its number: a choice taken back and made again has another salt.
    """
    return (ledger.roster.match_id, "piece", int(choice.seat), index)


def box_context(ledger: Ledger, number: int, author: int, reader: int) -> tuple[str | int, ...]:
    """Return what the box for one reader is bound to."""
    return (ledger.roster.match_id, "shown", number, author, reader)


def own_pieces(ledger: Ledger) -> tuple[tuple[bytes, str], ...]:
    """Return (salt, piece) of all that this terminal is to show now."""
    found = []
    for choice, index in owed(ledger):
        if choice.author == ledger.me:
            own = ledger.own_choice(choice)
            found.append((own.salts[index], pieces(own.step, choice.step)[index]))
    return tuple(found)


def of(wanted: Wanted, author: int) -> Wanted:
    """Return those choices that this terminal has made."""
    return tuple(one for one in wanted if one[0].author == author)


def brought(ledger: Ledger, author: int, wanted: Wanted) -> list[str]:
    """Return what a terminal shows of these choices; `?` for each piece that we may not see.

    Raises:
        Foul: it is not what the terminal had chosen, or cannot be read.
    """
    shown, masked = ledger.gathered.shown[author], masked_showing(ledger)
    assert shown is not None
    if sees(ledger, ledger.public, masked, SPECTATOR):
        return _checked(ledger, author, wanted, shown.pieces)
    if author == ledger.me:
        return _checked(ledger, author, wanted, own_pieces(ledger))
    if ledger.me is None or not sees(ledger, ledger.public, masked, ledger.seats_of(ledger.me)):
        return [HOLE] * len(wanted)
    sealed = dict(shown.boxes).get(ledger.me, b"")
    context = box_context(ledger, shown.number, author, ledger.me)
    try:
        if ledger.roster.is_answered:
            key = _own_key(ledger, context, sealed)
            reader = ledger.roster.terminals[ledger.me].box_key
            packed = boxes.open_with(key, reader, *context, sealed=sealed)
        else:
            sender = ledger.roster.terminals[author].box_key
            packed = keys.open_box(ledger.seed, sender, *context, sealed=sealed)
    except KumiteError as error:
        raise Foul(author, f"what was for us alone cannot be read: {error}") from error
    return _unboxed(ledger, author, wanted, packed)


def _unboxed(ledger: Ledger, author: int, wanted: Wanted, packed: bytes) -> list[str]:
    """Return the pieces that were in a box.

    Raises:
        Foul: they are not what the terminal had chosen, or cannot be read.
    """
    try:
        found = PIECES(decode(packed))
    except KumiteError as error:
        raise Foul(author, f"what was in its box cannot be read: {error}") from error
    return _checked(ledger, author, wanted, found)


def _checked(
    ledger: Ledger, author: int, wanted: Wanted, brought: tuple[tuple[bytes, str], ...]
) -> list[str]:
    """Return the pieces that were shown of these choices.

    Raises:
        Foul: they are not what had been chosen.
    """
    if len(brought) < len(wanted):
        raise Foul(author, "something that was to be shown is missing")
    found = []
    for (choice, index), (salt, piece) in zip(wanted, brought, strict=False):
        context = piece_context(ledger, choice, index)
        if not mental_poker.is_opening(choice.commitments[index], salt, *context, text=piece):
            raise Foul(author, "what was shown is not what had been chosen")
        found.append(piece)
    return found


# --- Boxes ------------------------------------------------------------------------------------


def readers(ledger: Ledger, author: int) -> tuple[int, ...]:
    """Return the terminals for which what is shown now goes into a box; none: all may see it."""
    masked = masked_showing(ledger)
    if sees(ledger, ledger.public, masked, SPECTATOR):
        return ()
    everybody = range(len(ledger.roster.terminals))
    return tuple(
        one
        for one in everybody
        if one != author and sees(ledger, ledger.public, masked, ledger.seats_of(one))
    )


def boxed(ledger: Ledger, number: int, reader: int, found: tuple[tuple[bytes, str], ...]) -> bytes:
    """Return what we show, for the eyes of one terminal alone."""
    assert ledger.me is not None
    key = ledger.roster.terminals[reader].box_key
    context = box_context(ledger, number, ledger.me, reader)
    make = boxes.box if ledger.roster.is_answered else keys.box
    return make(ledger.seed, key, *context, data=encode(found))


def opened_box(ledger: Ledger, number: int, author: int) -> BoxOpened:
    """Return what opens to all a box that was made for us, and holds what it must not."""
    assert ledger.me is not None
    box = _box(ledger, number, author, ledger.me)
    assert box is not None
    context = box_context(ledger, number, author, ledger.me)
    return BoxOpened(number, author, _own_key(ledger, context, box.sealed))


def _own_key(ledger: Ledger, context: tuple[str | int, ...], sealed: bytes) -> bytes:
    """Return what opens a box that was made for us."""
    return boxes.key_of(ledger.seed, *context, sealed=sealed, own=ledger.box_secret)


def judged(ledger: Ledger, reader: int, body: BoxOpened) -> Foul:
    """Return who has played false, now that a box is open: who made it, or who accuses them."""
    box = _box(ledger, body.number, body.author, reader)
    if box is None:
        return Foul(reader, "opens a box that nobody has made for it")
    public = ledger.roster.terminals[reader].box_key
    context = box_context(ledger, body.number, body.author, reader)
    if not boxes.is_key(body.key, public, *context, sealed=box.sealed):
        return Foul(reader, "opens a box with another key than its own")
    try:
        packed = boxes.open_with(body.key, public, *context, sealed=box.sealed)
    except KumiteError:
        return Foul(box.author, "its box for one terminal alone opens to nothing")
    try:
        _unboxed(ledger, box.author, box.wanted, packed)
    except Foul as foul:
        return foul
    return Foul(reader, "says that a box lies in which there is nothing wrong")


def _box(ledger: Ledger, number: int, author: int, reader: int) -> Boxed | None:
    """Return a box of this match."""
    asked = (number, author, reader)
    return next(
        (one for one in ledger.boxed if (one.number, one.author, one.reader) == asked), None
    )


def is_for_us_alone(ledger: Ledger, author: int) -> bool:
    """Return whether nobody else knows what a terminal shows us, and we can open it to them."""
    return ledger.roster.is_answered and ledger.me in readers(ledger, author)


def check_boxes(ledger: Ledger, author: int, shown: Shown) -> None:
    """Check what all can see of the boxes: that there is one for each who is to read it.

    Raises:
        Foul: it is not so.
    """
    if not ledger.roster.is_answered:
        return
    if all(choice.author != author for choice, _ in owed(ledger)):
        raise Foul(author, "it has nothing to show now")
    for_whom = tuple(reader for reader, _ in shown.boxes)
    if for_whom != readers(ledger, author) or not all(boxes.is_box(one) for _, one in shown.boxes):
        raise Foul(author, "it has not made one box for each who is to see what it shows")


def noted(ledger: Ledger, wanted: Wanted) -> Ledger:
    """Note the boxes that have come, for the case that their reader has to open one to all."""
    found = tuple(
        Boxed(shown.number, author, reader, sealed, of(wanted, author))
        for author, shown in enumerate(ledger.gathered.shown)
        if shown is not None and ledger.roster.is_answered
        for reader, sealed in shown.boxes
    )
    return changed(ledger, boxed=(*ledger.boxed, *found)) if found else ledger
