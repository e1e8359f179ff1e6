"""Since when the seats of this terminal think, and when their clocks run out; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.game import Seat
from kumite.net.session.state import Thinking
from kumite.net.wire import posts

if TYPE_CHECKING:
    from kumite.net.session.state import LiveMatch, Reaction


def think(r: Reaction) -> None:
    """Note from when on our seats that are to act have seen the position."""
    live = r.live
    if live.me is None:
        return
    ledger, known = live.ledger, {(one.seat, one.number): one for one in live.thinking}
    ours = ledger.seats_of(live.me)
    to_act = [] if ledger.is_over else [one for one in ledger.match.actors if one in ours]
    number = ledger.match.number
    now = tuple(
        known.get((seat, number)) or Thinking(seat, number, r.now)
        for seat in (Seat(int(one)) for one in to_act)
        if not ledger.has_chosen(seat)
    )
    r.play(thinking=now)


def spent(r: Reaction, seat: Seat) -> int:
    """Return how many ms a seat of ours has thought; not while the line was away."""
    for one in r.live.thinking:
        if one.seat == seat:
            until = r.now if r.s.away_since is None else max(one.since, r.s.away_since)
            return max(0, round(1000 * (until - one.since - one.lost)))
    return 0


def flags_at(live: LiveMatch) -> list[float]:
    """Return when the clocks of our seats run out."""
    if not live.ledger.clocks or live.ledger.is_held:
        return []
    return [
        one.since + one.lost + live.ledger.clocks[one.seat] / 1000 + 0.001
        for one in live.thinking
        if not is_sending(live, one.seat)
    ]


def is_sending(live: LiveMatch, seat: Seat) -> bool:
    """Whether a step or the flag of a seat of ours is on its way to the host."""
    asked = () if live.asked is None else (live.asked.body,)
    return any(
        isinstance(body, posts.Play | posts.Flag) and body.seat == seat
        for body in (*asked, *live.wants)
    )
