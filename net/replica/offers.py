"""Offers that need everybody's consent: a draw, a takeback, a bot for a seat, the next match."""

from __future__ import annotations

from collections import Counter

from kumite.core.copying import replace
from kumite.core.game import CHANCE, Seat
from kumite.core.log import End
from kumite.core.match import Match
from kumite.core.players import is_person
from kumite.net.replica import absent
from kumite.net.replica.ledger import Late, Ledger, OpenOffer
from kumite.net.wire import posts


def why_no_offer(ledger: Ledger, author: int, kind: str, number: int) -> str:
    """Return why something cannot be offered now; empty if it can."""
    if kind == posts.COMMON:
        return _why_not_common(ledger, author, number)
    if kind in (posts.AGAIN, posts.VOTE):
        if kind == posts.VOTE and author not in _voters(ledger):
            return "bots have no vote"
        if kind == posts.VOTE and ledger.rematch is not None:
            return "the next match is agreed on"
        if ledger.host:
            return "the host is gone; open another table"
        if not number < ledger.roster.setup.seats:
            return f"there is no seat {number + 1}"
        return "" if ledger.is_over else "the match is not over"
    if kind == posts.GONE:
        return absent.why_not_gone(ledger, author, number)
    if ledger.is_over and (kind != posts.SEAT or author or ledger.host):
        return "the match is over"
    if kind == posts.BACK:
        return _why_not_back(ledger.match, number)
    if kind == posts.SEAT:
        if ledger.game.SECRETS is not None and not ledger.is_over:
            return "nobody else may see what this seat knows"
        if number >= ledger.roster.setup.seats or number in ledger.seats_of(author):
            return f"seat {number} is no other terminal's"
        owner = ledger.roster.players[number]
        is_open = ledger.game.SECRETS is None or ledger.closing.reveals[owner] is not None
        if not (is_open or ledger.is_gone(owner)):
            return "that player's secrets are not open yet"  # or the host could prevent an audit
        return "" if len(ledger.seats_of(owner)) else "that seat is free"
    return "" if kind == posts.DRAW else f"there is no offer {kind}"


def _why_not_back(match: Match, number: int) -> str:
    if not 0 <= number < match.number:
        return f"there is no step {number} to go back to"
    if match.actors == (CHANCE,):  # opened card keys could then belong to another player's cards
        return "cards or choices are on their way; ask again when a player has to choose"
    at = match
    while at.number > number:
        assert at.last is not None
        assert at.before is not None
        if at.last.actor == CHANCE:
            return "what has been drawn or shown since then cannot be unknown again"
        at = at.before
    return ""


def why_it_waits(ledger: Ledger, kind: str) -> str:
    """Return why an offer has to wait for the open one; empty if it need not.

    A terminal that is away cannot answer, so declaring it gone takes precedence over other offers.
    """
    standing = ledger.offer.kind if ledger.offer is not None else ""
    goes_before = {posts.COMMON: (posts.COMMON,), posts.GONE: (posts.COMMON, posts.GONE)}
    is_free = not standing or (kind in goes_before and standing not in goes_before[kind])
    is_free |= kind == posts.SEAT and standing == posts.AGAIN
    return "" if is_free else "another offer stands"


def _why_not_common(ledger: Ledger, author: int, number: int) -> str:
    if author != ledger.host:
        return "only the host may offer that"
    if ledger.end is not None or (ledger.is_over and ledger.game.SECRETS is not None):
        return "the match is over"
    return _why_not_back(ledger.match, number)


def offered(ledger: Ledger, author: int, offered: posts.Offer) -> Ledger:
    kind, number = offered.kind, offered.number
    if why := why_it_waits(ledger, kind) or why_no_offer(ledger, author, kind, number):
        raise Late(why)
    if kind == posts.VOTE:
        return _voted(ledger, author, offered)
    if kind == posts.SEAT and ledger.is_over:  # for the next match, on which all agree
        ledger = _moved(ledger, author, Seat(number))
        return _agreed(ledger) if ledger.offer is not None else _counted(ledger)
    # after a difference the host's players are asked like all others
    agreed = frozenset[int]() if kind == posts.COMMON else frozenset({author})
    at = ledger.posted.entered + 1
    offer = OpenOffer(at, author, kind, number, agreed, offered.game)
    return _agreed(replace(ledger, offer=offer))


def _voters(ledger: Ledger) -> set[int]:
    """Return the terminals that have a vote: those with a person's seat."""
    roster = ledger.roster
    seats = zip(roster.players, roster.names, strict=True)
    return {at for at, name in seats if is_person(name)} & set(ledger.here)


def _voted(ledger: Ledger, author: int, vote: posts.Offer) -> Ledger:
    if (author, vote) in ledger.votes:
        raise Late("that is your vote already")
    votes = (*(one for one in ledger.votes if one[0] != author), (author, vote))
    return _counted(replace(ledger, votes=votes))


def _counted(ledger: Ledger) -> Ledger:
    """Count the votes; the game that wins is offered to those who wanted another.

    Of equal games the one with the earliest vote wins.
    """
    voters = _voters(ledger)
    votes = tuple(one for one in ledger.votes if one[0] in voters)
    if not votes:
        return replace(ledger, votes=())
    game, most = Counter(one.game for _, one in votes).most_common(1)[0]
    if 2 * most <= len(voters) and len(votes) < len(voters):
        return replace(ledger, votes=votes)
    first, chosen = next(one for one in votes if one[1].game == game)
    agreed = frozenset(at for at, one in votes if one == chosen)
    other = game if game != ledger.game.ID else ""
    at = ledger.posted.entered + 1
    offer = OpenOffer(at, first, posts.AGAIN, chosen.number, agreed, other)
    return _agreed(replace(ledger, votes=(), offer=offer))


def answered(ledger: Ledger, author: int, number: int, is_yes: bool) -> Ledger:
    offer = ledger.offer
    if offer is None or offer.post != number or (is_yes and author in offer.agreed):
        raise Late("there is nothing to answer")
    if not is_yes:
        return replace(ledger, offer=None)
    return _agreed(replace(ledger, offer=replace(offer, agreed=offer.agreed | {author})))


def _agreed(ledger: Ledger) -> Ledger:
    offer = ledger.offer
    assert offer is not None
    # terminals without seats, or declared gone, have no vote
    needed = set(ledger.roster.players) & set(ledger.here)
    if offer.kind == posts.GONE:
        needed -= absent.meant(offer.number)
    if offer.kind == posts.SEAT:  # a terminal that is away cannot be asked
        needed.discard(ledger.roster.players[offer.number])
    if not needed <= offer.agreed:
        return ledger
    ledger = replace(ledger, offer=None)
    match offer.kind:
        case posts.BACK | posts.COMMON:
            hidden = tuple(one for one in ledger.secrets.hidden if one.number <= offer.number)
            opened = (False,) * len(ledger.closing.closed)
            match_then = ledger.match.back(offer.number)
            charged = frozenset(one for one in ledger.time.charged if one[0] <= offer.number)
            ledger = ledger.with_secrets(hidden=hidden).with_closing(closed=opened)
            return replace(ledger.with_time(charged=charged), match=match_then, waiting=())
        case posts.DRAW:
            return replace(ledger, end=End("agreed"))
        case posts.GONE:
            return absent.declared(ledger, offer.author, absent.meant(offer.number))
        case posts.SEAT:
            return _moved(ledger, offer.author, Seat(offer.number))
        case _:
            return replace(ledger, rematch=offer)


def _moved(ledger: Ledger, to: int, seat: Seat) -> Ledger:
    moved = ledger.moved | {(ledger.roster.players[seat], seat)}
    return replace(ledger, roster=ledger.roster.moved(seat, to), moved=moved - {(to, seat)})
