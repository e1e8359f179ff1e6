"""Those who look on: how much they may say, and that the table is told of them (host); pure.

They owe nothing but an `Ack` for each post and an answer to each ping. Whatever else comes has its
pace, and who goes beyond it is let go: nobody at the table waits for those who look on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.net.session import abort, desync, doorway, events
from kumite.net.session.state import Stage
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.net.session.state import Link, Reaction, Session


def is_heard(r: Reaction, link: Link, message: messages.Message) -> bool:
    """Return whether what a guest says is heard; one who says too much at once is let go."""
    place = r.s.place(link.ticket)
    if place is None or (place.seats and link.stage is Stage.PLAYING):
        return True  # players have other limits, see exchange.py
    known = 0 if r.s.live is None else len(r.live.posts)
    is_owed = isinstance(message, messages.Ack) and link.acked < message.entered <= known
    what = messages.WATCH if link.stage is Stage.PLAYING else messages.JOIN
    is_owed |= isinstance(message, messages.Held) and link.promised > 0  # the host has asked
    if is_owed or doorway.is_in_pace(r, what, str(link.ticket)):
        return True
    r.drop(link.number)
    return False


def may_come(r: Reaction, link: Link) -> bool:
    """Return whether the whole match may be sent once more to that address."""
    return doorway.is_in_pace(r, doorway.LOOKING, link.address)


def acknowledged(r: Reaction, link: Link, count: int, theirs: bytes) -> None:
    """Look at the digest to which somebody who looks on has come; only once is it talked about."""
    live = r.live
    if count >= len(live.digests):
        abort.bad(r, link, f"has {count} posts, of {len(live.digests) - 1}")
        return
    link = r.put(link, acked=max(link.acked, count))
    if not link.is_told and desync.is_different(r, count, theirs):
        desync.ask(r, r.put(link, is_told=True), count)


def names(s: Session) -> tuple[str, ...]:
    """Return the names of those who look on."""
    here = {link.ticket for link in s.links if link.stage is Stage.PLAYING}
    return tuple(one.name for one in s.places if not one.seats and one.ticket in here)


def note(r: Reaction) -> None:
    """Tell all who looks on, if that has changed."""
    if r.s.live is None or r.s.is_closed or not r.s.is_host:
        return
    now = names(r.s)
    if now != r.live.watchers:
        r.play(watchers=now)
        r.send_all(messages.Watching(now))
        r.tell(events.Watching(now))
