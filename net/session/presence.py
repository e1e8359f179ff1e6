"""Which terminals are there, quiet, away or gone for good, as far as is known here; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kumite.core.game import SPECTATOR
from kumite.core.gone import WAIT
from kumite.net.session import events, notices, thinking
from kumite.net.session.effects import Save
from kumite.net.session.state import MISSED_AFTER, SILENT_AFTER
from kumite.net.wire import messages

if TYPE_CHECKING:
    from kumite.net.session.state import Reaction, Session


def note(r: Reaction, terminal: int, how: int, since: float | None = None) -> None:
    """Note how it stands with a terminal (since then); tell our people, and (host) everybody."""
    live = r.live
    was = live.presence[terminal]
    if was == how or terminal == live.me:
        return
    all_of = (*live.presence[:terminal], how, *live.presence[terminal + 1 :])
    r.play(presence=all_of)
    absent = {at: since for at, since in live.absent.items() if at != terminal}
    if how == messages.THERE:
        r.play(absent=absent, missed=live.missed - {terminal})
        thinking.back(r, terminal)
    else:
        r.play(absent={terminal: r.now, **live.absent})
        thinking.away(r, terminal, r.now if since is None else since)
    if r.s.is_host:
        r.send_all(messages.Presence(terminal, how))
        if live.ledger.clocks:
            r.send_all(thinking.said(r))
    notices.presence(r, terminal, was, how)


def gone(r: Reaction, terminal: int, text: str) -> None:
    """Note that a terminal cannot go on for now, for the reason that it has told everybody."""
    live = r.live
    if live.presence[terminal] != messages.LEFT:
        all_of = (*live.presence[:terminal], messages.LEFT, *live.presence[terminal + 1 :])
        r.play(presence=all_of, absent={terminal: r.now, **live.absent})
        r.do(Save(f"note {text}"))
        notices.unaudited(r, terminal)
        r.tell(events.Left(live.seats_of(terminal), text, is_closed=False))


def let_look_on(r: Reaction) -> None:
    """Let those who are gone for good be no more than those who look on, when they come back."""
    for place in r.s.places:
        if place.terminal is not None and r.live.ledger.is_gone(place.terminal):
            r.put_place(replace(place, seats=SPECTATOR, terminal=None))


def missing(r: Reaction) -> tuple[int, ...]:
    """Return the terminals that have been away so long that the others may say: for good."""
    return tuple(
        one
        for one, since in sorted(r.live.absent.items())
        if r.now >= since + MISSED_AFTER and _is_known(r.s, one)
    )


def _is_known(s: Session, terminal: int) -> bool:
    """Return whether a terminal could be heard here; without a host, only that one is missed."""
    assert s.live is not None
    if terminal == s.host:
        return s.live.ledger.roster.is_carried_on
    return s.away_since is None and not s.live.ledger.is_gone(terminal)


def deadlines(s: Session) -> list[float]:
    """Return when our people are to be told that somebody has been away for long."""
    live = s.live
    assert live is not None
    if live.ledger.roster.gone == WAIT or (live.ledger.is_over and live.is_audited):
        return []
    unsaid = (one for one in live.absent if one not in live.missed and _is_known(s, one))
    return [live.absent[one] + MISSED_AFTER for one in unsaid]


def on_time(r: Reaction) -> None:
    """Tell our people who has been away for long, and what they can do."""
    live = r.live
    if all(r.now < at for at in deadlines(r.s)):
        return
    found = missing(r)
    r.play(missed=live.missed | set(found))
    if found and live.me is not None and not live.ledger.is_gone(live.me):
        notices.long_away(r, found)


def lost_host(r: Reaction, since: float, how: int) -> None:
    """Note that the line to the host is quiet or away (joiner)."""
    if r.s.away_since is None:
        r.set(away_since=since)
    if r.s.live is not None:
        thinking.away(r, None, since)
        note(r, r.s.leads_to, how, since)


def listened(r: Reaction) -> None:
    """Note that something comes from the host; and if it has been silent for long (joiner)."""
    if r.now > r.s.heard_at + SILENT_AFTER:
        r.set(silence=(r.s.heard_at, r.now))
    r.set(heard_at=r.now)


def heard_host(r: Reaction) -> None:
    """Note that the line to the host is there again; our clocks go on."""
    since = r.s.away_since
    r.set(away_since=None)
    if r.s.live is None:
        if since is not None:
            r.tell(events.HeardAgain(frozenset(), "The host can be heard again"))
        return
    if since is not None:
        thinking.back(r, None)
        host = r.s.host if r.s.host != r.s.leads_to else None  # that one is away all the same
        absent = r.live.absent.items()  # of the others we could not hear meanwhile
        r.play(absent={one: at if one == host else r.now for one, at in absent})
    note(r, r.s.leads_to, messages.THERE)
