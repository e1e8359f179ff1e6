"""Two terminals at a LAN table that have come to other positions; pure.

The match waits while the host asks for the other position, so that what differs can be named on
both screens, and then all are asked whether to go on from the last step on which they agree. Where
that cannot be, or somebody says no, it stops.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from kumite.core import codes
from kumite.core.game import SPECTATOR
from kumite.core.text import clean
from kumite.net.replica import apply
from kumite.net.replica.ledger import UNKNOWN
from kumite.net.session import abort, events, notices, replication
from kumite.net.session.effects import Save
from kumite.net.session.state import OpenDesync
from kumite.net.wire import messages, posts

if TYPE_CHECKING:
    from kumite.net.session.state import Link, Reaction


def acknowledged(r: Reaction, link: Link, count: int, theirs: bytes) -> None:
    """Look at the digest to which somebody has come after so many posts (host)."""
    live = r.live
    if count >= len(live.digests):
        abort.bad(r, link, f"has {count} posts, of {len(live.digests) - 1}")
    elif live.desync is None and is_different(r, count, theirs):
        ask(r, link, count)


def is_different(r: Reaction, count: int, theirs: bytes) -> bool:
    """Return whether that digest differs from ours, and how to go on is not settled yet."""
    live = r.live
    ours = live.digests[count]
    return count >= live.settled and ours != theirs and UNKNOWN not in (ours, theirs)


def ask(r: Reaction, link: Link, count: int) -> None:
    """Ask for the other side's position after so many posts, to name what differs.

    The match waits for the answer, but not for that of somebody who looks on.
    """
    place = r.s.place(link.ticket)
    if place is not None and place.terminal is not None:
        r.play(desync=OpenDesync(count, place.terminal))
    r.send(link.number, messages.PositionCheck(count, _position(r, count)))


def answered(r: Reaction, link: Link, count: int, theirs: bytes) -> None:
    """Take in the other position (host); what was settled meanwhile is not looked at again."""
    place, found = r.s.place(link.ticket), r.live.desync
    if place is None or place.terminal is None:  # its own people know now what differs
        r.drop(link.number)
    elif found is not None and found.posts == count and found.told is None:
        _name(r, found, theirs)


def asked(r: Reaction, link: Link, count: int, theirs: bytes) -> None:
    """Answer the host with our position, and tell what differs (joiner)."""
    r.send(link.number, messages.PositionCheck(count, _position(r, count)))
    if r.live.desync is None:
        _name(r, OpenDesync(count, r.s.leads_to), theirs)


def _position(r: Reaction, count: int) -> bytes:
    match, game = r.live.matches[count], r.live.ledger.game
    text = f"step {match.number}\n{game.text(game.view(match.state, SPECTATOR))}"
    return text.encode()[: messages.MAX_POSITION]


def _name(r: Reaction, found: OpenDesync, theirs: bytes) -> None:
    """Tell that step, and note what differs; the host asks all whether to go on from before it."""
    ours = _position(r, found.posts).decode()
    other = theirs.decode("utf-8", "replace")
    where = "the digests differ, the positions do not"
    for here, there in zip_longest(ours.split("\n"), other.split("\n"), fillvalue=""):
        if here != there:
            where = f"here {clean(here, 60)!r}, there {clean(there, 60)!r}"
            break
    at = r.live.matches[found.posts].number
    common = r.live.matches[max(0, found.posts - 1)].number
    who = r.live.ledger.roster.who(found.terminal)
    # Players are told who and when; the line that differs is for whoever reads the log.
    told = events.Desync(
        notices.said("{who} {has} come to another position", who),
        at,
        common,
        r.live.seats_of(found.terminal),
    )
    r.play(desync=replace(found, told=told))
    r.do(Save(abort.short(f"note step {at} differs from that of {who}: {where}")))
    r.tell(told)
    if not r.s.is_host or r.live.ledger.is_held:
        return
    if apply.why_no_offer(r.live.ledger, r.s.host, posts.COMMON, common):
        abort.stop_desync(r, told)
    else:
        replication.enter(
            r, replication.signed(r, posts.Offer(posts.COMMON, common)), is_checked=True
        )


def stop_silent(r: Reaction, found: OpenDesync) -> None:
    """Stop if the other terminal is there and does not say what differs."""
    live = r.live
    if live.presence[found.terminal] == messages.THERE:
        who = live.ledger.roster.who(found.terminal)
        text = notices.said("{who} {has} come to another position, and {does} not say which", who)
        abort.stop(r, codes.DIGEST, text, terminal=found.terminal)
