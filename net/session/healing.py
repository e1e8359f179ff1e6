"""Posts that a terminal has lost with its disk, given back by the others; pure.

A host that goes on from its file does not know whether the end of it was lost with the power. If it
made its next post then, there would be two for one place. So it makes and enters none before all
have come back and said how many they have, or one has and some time is over; what it lacks they
give it: posts are signed and chained, so that it does not matter from whom they come. Where its
file has a gap it does know, and waits for what is missing as long as it takes.

    joiner                        host
    Here (posts, hash)      →            more than the host has?
                            ←     Lacking           give me those after mine
    Held (post)             →            each looked at, saved, passed on
"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.net.replica.ledger import Foul, Late
from kumite.net.session import abort, replication
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.net.session.state import Link, Place, Reaction, Session
    from kumite.net.wire.posts import Post

TOGETHER: Final = 10.0  # s that a host waits for the others once one is back, and for each post


def begin(r: Reaction) -> None:
    """Wait for those who may have more posts than the host that goes on here."""
    others = _others(r)
    if others and not r.live.ledger.is_over:
        r.set(awaited=others, awaited_until=inf)


def _others(r: Reaction) -> frozenset[int]:
    return frozenset(one.terminal for one in r.s.places if one.terminal is not None)


def deadline(s: Session) -> list[float]:
    """Return when there is enough of waiting."""
    is_limited = s.awaited and s.awaited_until < inf and not s.is_gathering
    return [s.awaited_until] if is_limited else []


def on_time(r: Reaction) -> None:
    """Go on without those who have not come back; who promised posts and gave none is told."""
    if not r.s.awaited or r.s.is_gathering or r.now < r.s.awaited_until:
        return
    for link in r.s.links:
        place = r.s.place(link.ticket)
        if link.promised > len(r.live.posts) and place is not None and place.terminal is not None:
            abort.bad(r, link, "says that it has posts, and does not give them")
            return
    if r.s.awaited == _others(r) or any(place > len(r.live.posts) for place in r.live.later):
        r.set(awaited_until=inf)
        return
    r.set(awaited=frozenset())
    replication.advance(r)


def came_back(r: Reaction, link: Link, place: Place, count: int) -> None:
    """Hear how many posts somebody has; ask for those that are missing here (host).

    Who has fewer is heard again when it has those that we have: beyond a gap it may know more.
    """
    if count > len(r.live.posts):
        ask(r, link, place, count)
    elif place.terminal is not None and count == len(r.live.posts):
        _has_all(r, place.terminal)


def ask(r: Reaction, link: Link, place: Place, count: int) -> None:
    """Ask for posts that are missing here, once; nothing is made before they have come (host)."""
    if link.promised >= count:
        return
    r.put(link, promised=count)
    if place.terminal is not None:
        r.set(awaited=r.s.awaited | {place.terminal}, awaited_until=r.now + TOGETHER)
    r.send(link.number, messages.Lacking(len(r.live.posts)))


def asked(r: Reaction, link: Link, count: int) -> None:
    """Give the host the posts that it has lost (joiner)."""
    for post in r.live.posts[count:]:
        r.send(link.number, messages.Held(post))


def given(r: Reaction, link: Link, place: Place, post: Post) -> None:
    """Enter a post that was lost here (host)."""
    if len(r.live.posts) >= link.promised:  # another has given it already
        if place.terminal is not None:
            _has_all(r, place.terminal)
        return
    if not any(_is_same(one, post) for one in r.live.posts):
        try:
            replication.enter(r, post, to_all_but=link.number)
        except (Foul, Late):
            differs(r, link, place)
            return
    replication.take_later(r)
    if place.terminal is None:
        return
    r.set(awaited_until=r.now + TOGETHER)
    if len(r.live.posts) >= link.promised:
        _has_all(r, place.terminal)


def is_other(r: Reaction, post: Post) -> bool:
    """Return whether we have another one in the place of that post: its author has lost it."""
    return any((one.author, one.number) == (post.author, post.number) for one in r.live.posts)


def has(r: Reaction, post: Post) -> bool:
    """Return whether we have a post already: the host had lost it, and not we."""
    own = (one for one in reversed(r.live.posts) if one.author == post.author)
    return any(_is_same(one, post) for one in own)


def _is_same(one: Post, other: Post) -> bool:
    """Return whether two posts say the same; made again after a loss, one says a later time."""
    is_place = (one.author, one.number, one.seen) == (other.author, other.number, other.seen)
    return is_place and one.body == other.body


def differs(r: Reaction, link: Link, place: Place) -> None:
    """Stop because two terminals have other posts: nobody is to blame for a disk.

    Who looks on is told so, and let go; the match goes on.
    """
    if place.terminal is None:
        r.send(link.number, messages.Decline(codes.HOST_BEHIND))
        r.drop(link.number)
        return
    who = r.live.ledger.roster.who(place.terminal)
    text = f"the host has lost posts, and others were made since than {who} has"
    abort.stop(r, codes.HOST_BEHIND, text, common=r.live.ledger.match.number)


def _has_all(r: Reaction, terminal: int) -> None:
    """Note that we have all the posts of a terminal; the last one lets the match go on."""
    if terminal not in r.s.awaited:
        return
    until = min(r.s.awaited_until, r.now + TOGETHER)
    r.set(awaited=r.s.awaited - {terminal}, awaited_until=until)
    if not r.s.awaited:
        replication.advance(r)
