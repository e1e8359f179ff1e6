"""Connections: framing, and what a disconnect or silence means for the table; pure.

A silent connection is not closed: the table waits for it, and a joiner tries new connections
meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError
from kumite.net.crypto.channel import BadSeal
from kumite.net.session import clocks, events, handshake, lobby, reporting
from kumite.net.session.events import Calls, Close, Status
from kumite.net.session.state import (
    GREETING_TIME,
    PING_EVERY,
    QUIET_AFTER,
    RETRY_EVERY,
    SILENT_AFTER,
    Link,
    Reaction,
    Session,
    Stage,
)
from kumite.net.wire import framing, messages

# --- Framing: plain messages first, then sealed ones -------------------------------------------


class Ears(NamedTuple):
    """Callbacks for what arrives on a connection."""

    sealed: Callable[[Reaction, Link], None]  # both sides have the key now
    message: Callable[[Reaction, Link, messages.Message], None]


def take(r: Reaction, given: events.News, ears: Ears) -> None:
    match given:
        case events.Opened(number) if r.s.is_closed:
            r.do(Close(number))
        case events.Opened(number, address, to):
            handshake.opened(r, Link(number, r.now, address, to, heard=r.now, pinged=r.now))
        case events.Heard(number, data):
            _heard(r, number, data, ears)
        case events.LineLost(number):
            gone(r, number)
        case events.Unreached(error):
            unreached(r, error)


def _heard(r: Reaction, number: int, data: bytes, ears: Ears) -> None:
    """Handle received bytes: process whole frames and keep the rest."""
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    try:
        while link is not None and link.opener is None:
            link = r.put(link, rest=link.rest + data)
            data = b""
            packed = _next_frame(r, link)
            if packed is None:
                return
            link = r.s.link(number)
            if link is not None and handshake.hear(r, link, messages.plain_of(packed)):
                ears.sealed(r, r.s.link(number) or link)
            link = r.s.link(number)
        if link is not None and link.opener is not None:
            data, link = link.rest + data, r.put(link, rest=b"")
            assert link.opener is not None
            for opened in link.opener.feed(data):
                _take(r, number, opened, ears)
    except BadData as error:
        link = r.s.link(number)
        if link is not None:
            broken(r, link, str(error))


def _next_frame(r: Reaction, link: Link) -> bytes | None:
    """Take the first plain frame from the received bytes; None if it is incomplete.

    Raises:
        BadData: the preamble is wrong, or the frame is too long.
    """
    buffer, at = link.rest, 0
    if not link.has_heard:
        start = buffer[: len(framing.PREAMBLE)]
        if not framing.PREAMBLE.startswith(start):
            raise BadData("it does not begin like kumite")
        if start != framing.PREAMBLE:
            return None
        at = len(framing.PREAMBLE)
    packed = framing.first_frame(buffer[at:], framing.MAX_PLAIN)
    size = at if packed is None else at + framing.LENGTH + len(packed)
    r.put(link, rest=buffer[size:], has_heard=True)
    return packed


def _take(r: Reaction, number: int, opened: bytes | BadSeal, ears: Ears) -> None:
    """Handle the content of a sealed frame; raise BadData if it is no message of the other side."""
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    if isinstance(opened, BadSeal):
        raise BadData(opened.reason)
    message = messages.SEALED.unpack(opened)
    link = r.put(link, heard=r.now)
    if not r.s.is_host:
        clocks.listened(r)
    if link.is_quiet:
        link = r.put(link, is_quiet=False)
        heard_again(r, link)
    elif not r.s.is_host and number == r.s.line.main and r.s.line.retry_at is not None:
        keep(r, link)
    ears.message(r, link, message)


# --- Disconnects and silence -------------------------------------------------------------------


def gone(r: Reaction, number: int) -> None:
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    r.set(links=tuple(one for one in r.s.links if one.number != number))
    if r.s.is_host and (link.to is not None or r.s.is_tournament):
        return  # a call that failed, or a player who may come back at any time
    if r.s.is_host:
        terminal = r.s.terminal_at(link)
        if r.s.live is not None and not r.s.is_rematch:
            if terminal is not None and link.stage is Stage.PLAYING:
                clocks.set_presence(r, terminal, messages.AWAY)
        elif link.stage >= Stage.SEATED:
            lobby.lost(r, link.ticket)
    elif r.s.credentials is None:
        r.end(events.Stopped(codes.CLOSED))
    elif number == r.s.line.main or not r.s.links:
        away(r)


def away(r: Reaction) -> None:
    if r.s.live is None and r.s.line.away_since is None:
        r.tell(events.Presence(Status.AWAY))
    clocks.lost_host(r, r.now, messages.AWAY)
    if r.s.line.retry_at is None:
        _reconnect(r)


def unreached(r: Reaction, error: KumiteError) -> None:
    """Schedule another try if there is a table to return to; else stop."""
    if r.s.is_closed or (r.s.is_host and r.s.live is not None):
        return
    if r.s.is_host or (r.s.credentials is None and not r.s.links):
        r.end(events.Stopped.by(error))
    elif r.s.line.retry_at is None and not r.s.links:
        r.set_line(retry_at=r.now + RETRY_EVERY)


def broken(r: Reaction, link: Link, reason: str) -> None:
    """Close a connection that breaks the protocol; a terminal of the match may return."""
    if link.opener is None:
        handshake.broken(r, link, reason)
        return
    r.do(Close(link.number))
    gone(r, link.number)


def _quiet(r: Reaction, number: int) -> None:
    if (link := r.s.link(number)) is None:
        return
    r.put(link, is_quiet=True)
    if not r.s.is_host:
        if r.s.live is None:
            r.tell(events.Presence(Status.QUIET))
        clocks.lost_host(r, link.heard, messages.QUIET)
        if r.s.line.retry_at is None and r.s.credentials is not None:
            _reconnect(r)
    elif r.s.live is not None and (terminal := r.s.terminal_at(link)) is not None:
        clocks.set_presence(r, terminal, messages.QUIET, link.heard)


def heard_again(r: Reaction, link: Link) -> None:
    """Handle the end of a silence; a joiner keeps this connection and drops the others."""
    if not r.s.is_host:
        keep(r, link)
        clocks.heard_host(r)
    elif r.s.live is not None and (terminal := r.s.terminal_at(link)) is not None:
        clocks.set_presence(r, terminal, messages.THERE)


def is_one_path(s: Session, link: Link) -> bool:
    """True if this is a joiner's only connection to a host to which it can return."""
    can_return = s.credentials is not None and bool(s.credentials.key)
    return not s.is_host and can_return and link.number == s.line.main and s.line.retry_at is None


def keep(r: Reaction, link: Link) -> None:
    r.set_line(retry_at=None)
    for other in r.s.links:
        if other.number != link.number:
            r.drop(other.number)


# --- Time --------------------------------------------------------------------------------------


def stood_still(r: Reaction, due: float | None) -> bool:
    """Detect that this program did not run when `due`, for example because its computer slept.

    That was our own silence, so the lost time is not counted against others. The caller must handle
    what was due at once, or the same time would be detected again.
    """
    if due is None or r.now <= due + SILENT_AFTER:
        return False
    lost = r.now - due
    r.set(links=tuple(replace(one, since=one.since + lost, heard=r.now) for one in r.s.links))
    if r.s.is_host:
        r.set_host(awaited_until=r.s.hosting.awaited_until + lost)
        for one in r.s.places:
            if one.gone_at is not None:
                r.put_place(replace(one, gone_at=one.gone_at + lost))
    is_guest = r.s.live is None or r.s.live.me is None  # gives up after a while
    if is_guest and r.s.line.away_since is not None:
        r.set_line(away_since=r.s.line.away_since + lost)
    if r.s.live is None:
        return True
    live = r.live
    r.play(
        since=live.since + lost, absent={one: since + lost for one, since in live.absent.items()}
    )
    clocks.adjust(r, lambda one: one.stood_still(due, r.now))
    reporting.stood_still(r, lost)
    return True


Timer: TypeAlias = "tuple[float, Callable[[Reaction], None]]"
"""When something is to be done, and what."""


def timers(s: Session) -> list[Timer]:
    """Return when to ping, to take a silence for one, to drop connections, to try new ones."""
    found: list[Timer] = [] if s.line.retry_at is None else [(s.line.retry_at, _reconnect)]
    for link in s.links:
        if link.stage < Stage.SEALED:
            found.append((link.since + GREETING_TIME, partial(_expire, number=link.number)))
            continue
        found.append((link.pinged + PING_EVERY, partial(_ping, number=link.number)))
        if not link.is_quiet:
            found.append((link.heard + QUIET_AFTER, partial(_quiet, number=link.number)))
        if is_one_path(s, link):
            found.append((link.heard + SILENT_AFTER, _reconnect))
    return found


def on_time(r: Reaction, due: Iterable[Timer]) -> None:
    for at, act in due:
        if r.now >= at and not r.s.is_closed:
            act(r)


def _reconnect(r: Reaction) -> None:
    r.set_line(retry_at=r.now + RETRY_EVERY)
    r.do(Calls.CONNECT)


def _expire(r: Reaction, number: int) -> None:
    """Drop a connection that has not proved the code in time."""
    r.do(Close(number))
    gone(r, number)


def _ping(r: Reaction, number: int) -> None:
    if (link := r.s.link(number)) is not None:
        link = r.put(link, pinged=r.now, beat=(link.beat + 1) % 1000)
        r.send(number, messages.Ping(link.beat))
