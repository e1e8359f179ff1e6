"""Bytes that come over a connection become messages: first plain ones, then sealed ones; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kumite.core.errors import BadData
from kumite.net.crypto.channel import BadSeal
from kumite.net.session import handshake, links, presence
from kumite.net.wire import framing, messages

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.net.session.state import Link, Reaction


class Ears(NamedTuple):
    """What is done with what has been heard."""

    sealed: Callable[[Reaction, Link], None]  # both know the key now
    message: Callable[[Reaction, Link, messages.Message], None]
    broken: Callable[[Reaction, Link, str], None]  # what came is no kumite


def heard(r: Reaction, number: int, data: bytes, ears: Ears) -> None:
    """Take in bytes: whole frames are heard, the rest waits."""
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
            ears.broken(r, link, str(error))


def _next_frame(r: Reaction, link: Link) -> bytes | None:
    """Take the first plain frame from what has come; None if it is not complete.

    Raises:
        BadData: it begins in another way, or the frame is too long.
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
    """Take in what a sealed frame held.

    Raises:
        BadData: it is no message, or was not sealed by the other side.
    """
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    if isinstance(opened, BadSeal):
        raise BadData(opened.reason)
    message = messages.SEALED.unpack(opened)
    link = r.put(link, heard=r.now)
    if not r.s.is_host:
        presence.listened(r)
    if link.is_quiet:
        link = r.put(link, is_quiet=False)
        links.heard_again(r, link)
    elif not r.s.is_host and number == r.s.main and r.s.retry_at is not None:
        links.keep(r, link)
    ears.message(r, link, message)
