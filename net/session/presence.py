"""Which terminals are there, quiet, away or gone for good, as far as is known here; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kumite.net.session import events, notices
from kumite.net.session.effects import Save
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.net.session.state import Reaction


def note(r: Reaction, terminal: int, how: int) -> None:
    """Note how it stands with a terminal; tell our people, and (host) everybody."""
    live = r.live
    was = live.presence[terminal]
    if was == how or terminal == live.me:
        return
    all_of = (*live.presence[:terminal], how, *live.presence[terminal + 1 :])
    r.play(presence=all_of)
    if r.s.is_host:
        r.send_all(messages.Presence(terminal, how))
    notices.presence(r, terminal, was, how)


def gone(r: Reaction, terminal: int, text: str) -> None:
    """Note that a terminal cannot go on for now, for the reason that it has told everybody."""
    live = r.live
    if live.presence[terminal] != messages.LEFT:
        all_of = (*live.presence[:terminal], messages.LEFT, *live.presence[terminal + 1 :])
        r.play(presence=all_of)
        r.do(Save(f"note {text}"))
        notices.unaudited(r, terminal)
        r.tell(events.Left(live.seats_of(terminal), text, is_closed=False))


def lost_host(r: Reaction, since: float, how: int) -> None:
    """Note that the line to the host is quiet or away (joiner)."""
    if r.s.away_since is None:
        r.set(away_since=since)
    if r.s.live is not None:
        note(r, 0, how)


def heard_host(r: Reaction) -> None:
    """Note that the line to the host is there again; our clocks go on."""
    since = r.s.away_since
    r.set(away_since=None)
    if r.s.live is None:
        if since is not None:
            r.tell(events.HeardAgain(frozenset(), "The host can be heard again"))
        return
    if since is not None:
        thinking = tuple(
            replace(one, lost=one.lost + r.now - max(since, one.since)) for one in r.live.thinking
        )
        r.play(thinking=thinking)
    note(r, 0, messages.THERE)
