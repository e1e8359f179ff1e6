"""What terminals leave each other before the first step, and hand over when one is gone; pure.

Only at tables whose bots play on for who is gone. The cryptography is in net/crypto/wills.py, what
becomes of a seat that is gone in standing_in.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.errors import KumiteError
from kumite.net.crypto import boxes, wills
from kumite.net.crypto.mental_poker import Cheated
from kumite.net.replica.copying import changed
from kumite.net.replica.ledger import Foul, Inherited, Late, Ledger, put
from kumite.net.wire import posts

if TYPE_CHECKING:
    from kumite.net.crypto.keys import Part
    from kumite.net.wire.posts import Body


def due(ledger: Ledger, me: int) -> Body | None:
    """Return what we owe the others of our will, or of the wills of those who are gone."""
    if not ledger.roster.has_wills:
        return None
    if ledger.wills[me] is None:
        return _own_will(ledger, me)
    if ledger.false_will is not None:
        return _opened(ledger, me, ledger.false_will)
    for gone in owed(ledger):
        if me != gone and all((one.gone, one.heir) != (gone, me) for one in ledger.inherited):
            return posts.WillShare(gone, _share(ledger, gone, me))
    return None


def owed(ledger: Ledger) -> tuple[int, ...]:
    """Return the terminals that are gone, and whose secrets the others have yet to put together."""
    if not ledger.roster.has_wills:
        return ()
    needed = wills.threshold(len(ledger.roster.terminals))
    return tuple(one for one, _ in ledger.gone if len(_shares(ledger, one)) < needed)


def owing(ledger: Ledger) -> frozenset[int]:
    """Return the terminals from which something of this is due."""
    if ledger.is_sharing:
        return frozenset(one for one in ledger.here if ledger.wills[one] is None)
    given = {(one.gone, one.heir) for one in ledger.inherited}
    return frozenset(
        heir for gone in owed(ledger) for heir in ledger.here if (gone, heir) not in given
    )


# --- Before the first step --------------------------------------------------------------------


def _own_will(ledger: Ledger, me: int) -> posts.Will:
    count, sealed = len(ledger.roster.terminals), []
    for heir in _heirs(count, me):
        context = _context(ledger, me, heir)
        key = ledger.roster.terminals[heir].box_key
        data = wills.share(ledger.seed, count, heir)
        sealed.append(boxes.box(ledger.seed, key, *context, data=data))
    return posts.Will(wills.points(ledger.seed, count), tuple(sealed))


def left(ledger: Ledger, author: int, will: posts.Will) -> Ledger:
    """Take in what a terminal leaves the others; look at our own share of it.

    Raises:
        Foul: it is none, as all can see.
    """
    if ledger.wills[author] is not None:
        raise Foul(author, "it has left its shares already")
    count = len(ledger.roster.terminals)
    if not wills.is_will(will.points, will.boxes, count):
        raise Foul(author, "it has not left a share to each of the others")
    ledger = changed(ledger, wills=put(ledger.wills, author, will))
    me = ledger.me
    if me is None or me == author or ledger.false_will is not None:
        return ledger
    if _read(ledger, author, me, _own_key(ledger, author, me)) is None:
        return changed(ledger, false_will=author)
    return ledger


def _read(ledger: Ledger, author: int, heir: int, key: bytes) -> bytes | None:
    """Return the share in a box; None if what is in it is no share of its author's key."""
    will, terminals = ledger.wills[author], ledger.roster.terminals
    assert will is not None
    sealed = _box(ledger, author, heir)
    context = _context(ledger, author, heir)
    try:
        found = boxes.open_with(key, terminals[heir].box_key, *context, sealed=sealed)
    except KumiteError:
        return None
    is_right = wills.is_share(terminals[author].box_key, will.points, heir, found)
    return found if is_right else None


def judged(ledger: Ledger, reader: int, body: posts.WillOpened) -> Foul:
    """Return who has played false, now that a box is open: who made it, or who accuses them."""
    author = body.author
    is_there = author < len(ledger.wills) and author != reader and ledger.wills[author] is not None
    if not is_there:
        return Foul(reader, "opens a share that nobody has left it")
    public = ledger.roster.terminals[reader].box_key
    context, sealed = _context(ledger, author, reader), _box(ledger, author, reader)
    if not boxes.is_key(body.key, public, *context, sealed=sealed):
        return Foul(reader, "opens its share with another key than its own")
    if _read(ledger, author, reader, body.key) is None:
        return Foul(author, "what it has left another is no share of its key")
    return Foul(reader, "says that a share is wrong which is right")


def _opened(ledger: Ledger, me: int, author: int) -> posts.WillOpened:
    return posts.WillOpened(author, _own_key(ledger, author, me))


# --- When somebody is gone --------------------------------------------------------------------


def _share(ledger: Ledger, gone: int, heir: int) -> bytes:
    found = _read(ledger, gone, heir, _own_key(ledger, gone, heir))
    assert found is not None  # it was looked at when it came
    return found


def handed_over(ledger: Ledger, author: int, body: posts.WillShare) -> Ledger:
    """Take in a share of what a terminal has left that is gone.

    Raises:
        Foul: it is another share than the one that was left.
        Late: it is not needed any longer.
    """
    if not ledger.is_gone(body.gone) or body.gone == author:
        raise Foul(author, "hands over a share of somebody who is not gone")
    if body.gone not in owed(ledger):
        raise Late("there are shares enough already")
    will = ledger.wills[body.gone]
    assert will is not None
    public = ledger.roster.terminals[body.gone].box_key
    if not wills.is_share(public, will.points, author, body.share):
        raise Foul(author, "hands over another share than it was left")
    inherited = (*ledger.inherited, Inherited(body.gone, author, body.share))
    return changed(ledger, inherited=inherited)


def estate(ledger: Ledger, gone: int) -> bytes | None:
    """Return all that a terminal has left, once there are shares enough of it; else None."""
    found = _shares(ledger, gone)
    needed = wills.threshold(len(ledger.roster.terminals))
    return wills.restored(dict(sorted(found.items())[:needed])) if len(found) >= needed else None


def _shares(ledger: Ledger, gone: int) -> dict[int, bytes]:
    return {one.heir: one.share for one in ledger.inherited if one.gone == gone}


def check(ghost: Ledger) -> None:
    """Check that what a terminal has done came of what it has left.

    Raises:
        Foul: it has shuffled, locked or chosen with other secrets.
    """
    assert ghost.me is not None
    for number, deck in enumerate(ghost.decks):
        try:
            deck.deal.audit_one(ghost.me, deck.deal.keys(ghost.seed, ghost.me))
        except Cheated as error:
            raise Foul(ghost.me, f"deck {number} is not of the keys it has left") from error
    for choice in (*ghost.hidden, *ghost.waiting):
        if choice.author == ghost.me and choice.commitments:
            ghost.own_choice(choice)


# --- Boxes ------------------------------------------------------------------------------------


def _heirs(count: int, author: int) -> tuple[int, ...]:
    return tuple(one for one in range(count) if one != author)


def _box(ledger: Ledger, author: int, heir: int) -> bytes:
    will = ledger.wills[author]
    assert will is not None
    return will.boxes[heir - (heir > author)]


def _context(ledger: Ledger, author: int, heir: int) -> tuple[Part, ...]:
    return wills.box_context(ledger.roster.match_id, author, heir)


def _own_key(ledger: Ledger, author: int, me: int) -> bytes:
    context, sealed = _context(ledger, author, me), _box(ledger, author, me)
    return boxes.key_of(ledger.seed, *context, sealed=sealed, own=ledger.box_secret)
