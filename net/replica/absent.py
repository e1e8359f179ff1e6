"""Terminals declared permanently gone by all others, and the shares of their keys; pure.

The declaration is an offer (`posts.GONE`) that all terminals have to accept except those named. A
named terminal that posts anything voids it, and one that is here declines by itself (due.py). The
others judge by their own clocks how long a terminal has been away (session/clocks.py).

At tables where bots play on, each terminal gives the others shares of its key before the first
step (net/crypto/key_shares.py). When it is gone, they reconstruct its secrets; the moves of its bot
are at the end of apply.py.
"""

from __future__ import annotations

from kumite.core.copying import put, replace
from kumite.core.errors import KumiteError
from kumite.core.gone import WAIT
from kumite.core.log import End
from kumite.net.crypto import boxes, key_shares
from kumite.net.crypto.keys import Part
from kumite.net.crypto.mental_poker import Cheated
from kumite.net.replica.ledger import Foul, Late, Ledger
from kumite.net.wire import fields, posts
from kumite.net.wire.posts import Body


def meant(number: int) -> frozenset[int]:
    return frozenset(one for one in range(fields.MAX_SEATS) if number >> one & 1)


def why_not_gone(ledger: Ledger, author: int, number: int) -> str:
    """Return why `author` may not declare these terminals gone, judged by posts; "" if it may.

    At least two terminals have to remain, and enough to reconstruct the secrets.
    """
    who, roster = meant(number), ledger.roster
    if roster.gone == WAIT:
        return "at this table all wait for players who are away"
    if ledger.is_over and (ledger.is_signed and all(ledger.closing.reveals)):
        return "the match is over"
    if not who or number >> len(roster.terminals) or author in who:
        return "only others can be gone"
    if any(ledger.is_gone(one) or one not in roster.players for one in who):
        return "they are gone already"
    left = len(ledger.here) - len(who)
    if left < 2:
        return "it takes two at the least to say so; the match is kept for later"
    if not roster.has_key_shares:
        return ""
    if ledger.is_sharing:
        return "not all have left their shares yet"
    known = len(ledger.gone) - len(owed(ledger))  # terminals gone earlier whose shares are known
    if left + known < key_shares.threshold(len(roster.terminals)):
        return "too many are away: nobody can put together what they have left"
    return ""


def declared(ledger: Ledger, author: int, who: frozenset[int]) -> Ledger:
    """Record the terminals in `who` as gone; where they forfeit, end the match.

    If the host is among them, the author of the offer is the host from now on: the posts of this
    agreement have gone through it already.
    """
    at = ledger.posted.entered + 1
    if ledger.host in who:
        ledger = replace(ledger, host=author)
    ledger = replace(ledger, gone=(*ledger.gone, *((one, at) for one in sorted(who))))
    if ledger.roster.has_key_shares or ledger.is_over:
        return ledger
    seats = tuple(sorted(seat for one in who for seat in ledger.seats_of(one)))
    return replace(ledger, end=End("gone", seats))


def entered(
    ledger: Ledger, author: int, body: posts.KeyShares | posts.KeyShare | posts.ShareOpened
) -> Ledger:
    """Enter a post about key shares.

    Raises:
        Foul, Late: it cannot be entered; an opened share always shows who cheated.
    """
    if not ledger.roster.has_key_shares:
        raise Foul(author, "at this table nobody leaves others anything")
    match body:
        case posts.KeyShares():
            return _take_shares(ledger, author, body)
        case posts.KeyShare():
            return _take_share(ledger, author, body)
        case posts.ShareOpened():
            raise _judged(ledger, author, body)


# --- The key shares --------------------------------------------------------------------------


def due(ledger: Ledger, me: int) -> Body | None:
    """Return the next post about key shares that terminal `me` owes, None if there is none."""
    if not ledger.roster.has_key_shares:
        return None
    if ledger.absent.shares[me] is None:
        return _own_shares(ledger, me)
    if (author := ledger.absent.false_share) is not None:
        return posts.ShareOpened(author, _own_key(ledger, author, me))
    for gone in owed(ledger):
        if me != gone and (gone, me) not in ledger.absent.given:
            share = _read(ledger, gone, me, _own_key(ledger, gone, me))
            assert share is not None  # it was checked when it arrived
            return posts.KeyShare(gone, share)
    return None


def owed(ledger: Ledger) -> tuple[int, ...]:
    """Return the terminals that are gone, and whose secrets are not reconstructed yet."""
    if not ledger.roster.has_key_shares:
        return ()
    needed = key_shares.threshold(len(ledger.roster.terminals))
    return tuple(one for one, _ in ledger.gone if len(_shares(ledger, one)) < needed)


def owing(ledger: Ledger) -> frozenset[int]:
    """Return the terminals that owe a post about key shares."""
    if ledger.is_sharing:
        return frozenset(one for one in ledger.here if ledger.absent.shares[one] is None)
    pairs = ((gone, holder) for gone in owed(ledger) for holder in ledger.here)
    return frozenset(pair[1] for pair in pairs if pair not in ledger.absent.given)


# --- Before the first step --------------------------------------------------------------------


def _own_shares(ledger: Ledger, me: int) -> posts.KeyShares:
    count, sealed = len(ledger.roster.terminals), []
    for holder in (one for one in range(count) if one != me):
        context = _context(ledger, me, holder)
        key = ledger.roster.terminals[holder].box_key
        data = key_shares.share(ledger.seed, count, holder)
        sealed.append(boxes.box(ledger.seed, key, *context, data=data))
    return posts.KeyShares(key_shares.points(ledger.seed, count), tuple(sealed))


def _take_shares(ledger: Ledger, author: int, left: posts.KeyShares) -> Ledger:
    """Enter a terminal's shares and check ours; raise Foul if all can see that they are invalid."""
    if ledger.absent.shares[author] is not None:
        raise Foul(author, "it has left its shares already")
    count = len(ledger.roster.terminals)
    if not key_shares.are_shares(left.points, left.boxes, count):
        raise Foul(author, "it has not left a share to each of the others")
    ledger = ledger.with_absent(shares=put(ledger.absent.shares, author, left))
    me = ledger.me
    if me is None or me == author or ledger.absent.false_share is not None:
        return ledger
    if _read(ledger, author, me, _own_key(ledger, author, me)) is None:
        return ledger.with_absent(false_share=author)
    return ledger


def _read(ledger: Ledger, author: int, holder: int, key: bytes) -> bytes | None:
    """Return the share in a box, None if it is not a share of its author's key."""
    left, terminals = ledger.absent.shares[author], ledger.roster.terminals
    assert left is not None
    sealed = _box(ledger, author, holder)
    context = _context(ledger, author, holder)
    try:
        found = boxes.open_with(key, terminals[holder].box_key, *context, sealed=sealed)
    except KumiteError:
        return None
    is_right = key_shares.is_share(terminals[author].box_key, left.points, holder, found)
    return found if is_right else None


def _judged(ledger: Ledger, reader: int, body: posts.ShareOpened) -> Foul:
    author, shares = body.author, ledger.absent.shares
    if author == reader or author >= len(shares) or shares[author] is None:
        return Foul(reader, "opens a share that nobody has left it")
    public = ledger.roster.terminals[reader].box_key
    context, sealed = _context(ledger, author, reader), _box(ledger, author, reader)
    if not boxes.is_key(body.key, public, *context, sealed=sealed):
        return Foul(reader, "opens its share with another key than its own")
    if _read(ledger, author, reader, body.key) is None:
        return Foul(author, "what it has left another is no share of its key")
    return Foul(reader, "says that a share is wrong which is right")


# --- Terminals that are gone -------------------------------------------------------------------


def _take_share(ledger: Ledger, author: int, body: posts.KeyShare) -> Ledger:
    """Enter a share of the key of a terminal that is gone.

    Raises:
        Foul: it is not the share that was given.
        Late: it is no longer needed.
    """
    if not ledger.is_gone(body.gone) or body.gone == author:
        raise Foul(author, "hands over a share of a terminal that is not gone")
    if body.gone not in owed(ledger):
        raise Late("there are shares enough already")
    left = ledger.absent.shares[body.gone]
    assert left is not None
    public = ledger.roster.terminals[body.gone].box_key
    if not key_shares.is_share(public, left.points, author, body.share):
        raise Foul(author, "hands over another share than it was left")
    return ledger.with_absent(given={**ledger.absent.given, (body.gone, author): body.share})


def secret(ledger: Ledger, gone: int) -> bytes | None:
    """Return the secret seed of a terminal that is gone, None while there are too few shares."""
    found = _shares(ledger, gone)
    needed = key_shares.threshold(len(ledger.roster.terminals))
    if len(found) < needed:
        return None
    return key_shares.restored(dict(sorted(found.items())[:needed]))


def _shares(ledger: Ledger, gone: int) -> dict[int, bytes]:
    return {holder: share for (one, holder), share in ledger.absent.given.items() if one == gone}


def check_secret(absentee: Ledger) -> None:
    """Raise Foul if a terminal has shuffled, locked or chosen with secrets other than it left."""
    me = absentee.own
    for number, deck in enumerate(absentee.secrets.decks):
        try:
            deck.deal.audit_one(me, deck.deal.keys(absentee.seed, me))
        except Cheated as error:
            raise Foul(me, f"deck {number} is not of the keys it has left") from error
    for choice in (*absentee.secrets.hidden, *absentee.waiting):
        if choice.author == me and choice.commitments:
            absentee.own_choice(choice)


# --- Boxes ------------------------------------------------------------------------------------


def _box(ledger: Ledger, author: int, holder: int) -> bytes:
    left = ledger.absent.shares[author]
    assert left is not None
    return left.boxes[holder - (holder > author)]


def _context(ledger: Ledger, author: int, holder: int) -> tuple[Part, ...]:
    return key_shares.box_context(ledger.roster.match_id, author, holder)


def _own_key(ledger: Ledger, author: int, me: int) -> bytes:
    context, sealed = _context(ledger, author, me), _box(ledger, author, me)
    return ledger.key_of(context, sealed)
