"""What the end or the silence of a connection means at a table; pure.

A silent line ends nothing: whoever is quiet is waited for, and a joiner tries new connections
meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core import codes
from kumite.net.session import events, handshake, lobby, presence
from kumite.net.session.effects import Close, Connect
from kumite.net.session.state import (
    GREETING_TIME,
    PING_EVERY,
    QUIET_AFTER,
    RETRY_EVERY,
    SILENT_AFTER,
    Stage,
)
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.core.errors import KumiteError
    from kumite.net.session.state import Link, Reaction, Session


def gone(r: Reaction, number: int) -> None:
    """Forget a connection that has ended, and see what that means at the table."""
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    r.set(links=tuple(one for one in r.s.links if one.number != number))
    if r.s.is_host and link.to is not None:
        return  # it led nowhere
    if r.s.is_host:
        place = r.s.place(link.ticket)
        if r.s.live is not None and not r.s.is_rematch:
            if place is not None and place.terminal is not None and link.stage is Stage.PLAYING:
                presence.note(r, place.terminal, messages.AWAY)
        elif link.stage >= Stage.SEATED:
            lobby.lost(r, link)
    elif r.s.credentials is None:
        text = "The host closed the connection before the match began"
        r.end(events.Stopped(codes.CLOSED, text, "ask there what happened, then try again"))
    elif number == r.s.main or not r.s.links:
        away(r)


def away(r: Reaction) -> None:
    """Note that the line to the host broke, and try again at once (joiner)."""
    if r.s.live is None and r.s.away_since is None:
        text = "The connection to the host broke; kumite tries again by itself"
        r.tell(events.Away(frozenset(), text))
    presence.lost_host(r, r.now, messages.AWAY)
    if r.s.retry_at is None:
        r.set(retry_at=r.now + RETRY_EVERY)
        r.do(Connect())


def unreached(r: Reaction, error: KumiteError) -> None:
    """Try again later where there is a table to come back to; else stop."""
    if r.s.is_closed or (r.s.is_host and r.s.live is not None):
        return
    if r.s.is_host or (r.s.credentials is None and not r.s.links):
        r.end(events.Stopped(error.code, str(error), error.hint))
    elif r.s.retry_at is None and not r.s.links:
        r.set(retry_at=r.now + RETRY_EVERY)


def broken(r: Reaction, link: Link, reason: str) -> None:
    """Close a connection that brings no kumite; a terminal of the match may come back."""
    if link.opener is None:
        handshake.broken(r, link, reason)
        return
    r.do(Close(link.number))
    gone(r, link.number)


def quiet(r: Reaction, link: Link) -> None:
    """Note that nothing comes over a connection any more."""
    if not r.s.is_host:
        if r.s.live is None:
            text = "Nothing has been heard from the host for a while; kumite tries again by itself"
            r.tell(events.Quiet(frozenset(), text))
        presence.lost_host(r, link.heard, messages.QUIET)
        if r.s.retry_at is None and r.s.credentials is not None:
            r.set(retry_at=r.now + RETRY_EVERY)
            r.do(Connect())
        return
    place = r.s.place(link.ticket)
    if r.s.live is not None and place is not None and place.terminal is not None:
        presence.note(r, place.terminal, messages.QUIET, link.heard)


def heard_again(r: Reaction, link: Link) -> None:
    """Note that something comes over a quiet connection again; a joiner goes on with that one."""
    if not r.s.is_host:
        keep(r, link)
        presence.heard_host(r)
        return
    place = r.s.place(link.ticket)
    if r.s.live is not None and place is not None and place.terminal is not None:
        presence.note(r, place.terminal, messages.THERE)


def is_one_path(s: Session, link: Link) -> bool:
    """Return whether a joiner has this one path to a host that it can come back to."""
    can_return = s.credentials is not None and bool(s.credentials.key)
    return not s.is_host and can_return and link.number == s.main and s.retry_at is None


def keep(r: Reaction, link: Link) -> None:
    """Go on with a connection that lives, and let those go that were begun meanwhile (joiner)."""
    r.set(retry_at=None)
    for other in r.s.links:
        if other.number != link.number:
            r.drop(other.number)


# --- Time -------------------------------------------------------------------------------------


def deadlines(s: Session) -> list[float]:
    """Return when something is due on the connections, or the host is to be tried again."""
    times = [] if s.retry_at is None else [s.retry_at]
    for link in s.links:
        if link.stage < Stage.SEALED:
            times.append(link.since + GREETING_TIME)
            continue
        times.append(link.pinged + PING_EVERY)
        if not link.is_quiet:
            times.append(link.heard + QUIET_AFTER)
        if is_one_path(s, link):
            times.append(link.heard + SILENT_AFTER)
    return times


def on_time(r: Reaction) -> None:
    """Ask whether the others are there, let go who proves nothing, try to reach the host again."""
    for link in r.s.links:
        if link.stage < Stage.SEALED:
            if r.now >= link.since + GREETING_TIME:
                r.do(Close(link.number))
                gone(r, link.number)
            continue
        if r.now >= link.pinged + PING_EVERY:
            link = r.put(link, pinged=r.now, beat=(link.beat + 1) % 1000)
            r.send(link.number, messages.Ping(link.beat))
            link = r.s.link(link.number) or link
        if is_one_path(r.s, link) and r.now >= link.heard + SILENT_AFTER:
            r.set(retry_at=r.now + RETRY_EVERY)
            r.do(Connect())
        if not link.is_quiet and r.now >= link.heard + QUIET_AFTER:
            quiet(r, r.put(link, is_quiet=True))
    if r.s.retry_at is not None and r.now >= r.s.retry_at:
        r.set(retry_at=r.now + RETRY_EVERY)
        r.do(Connect())
