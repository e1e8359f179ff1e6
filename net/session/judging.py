"""Clocks by evidence: what a terminal says of its own thinking is checked by another one; pure.

The host checks the seats of the joiners, the first joiner those of the host. What is missing in
what a terminal says was time away: its judge says so (`posts.Away`), and it counts against the
budget of the seat, then against its clock. All others check the judge by their own clocks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.net.session import abort, thinking
from kumite.net.wire import posts

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.net.session.state import LiveMatch, Reaction, Thinking
    from kumite.net.wire.posts import Post

SLACK: Final = 1.0  # s of a step that nobody asks about, beside the measured delay of the line
GRACE: Final = 3.0  # s after its clock and free time in which a terminal gives up by itself


def is_judge(live: LiveMatch, seat: Seat) -> bool:
    """Return whether we check the time of a seat."""
    return live.me is not None and live.ledger.judge(seat) == live.me


def heard(r: Reaction, post: Post) -> None:
    """Note by how much the clock of a post's author is behind ours, at the least."""
    if post.at is None:
        return
    behind = r.now - post.at / 1000
    known = dict(r.live.behind)
    known[post.author] = min(known.get(post.author, behind), behind)
    r.play(behind=tuple(sorted(known.items())))


def check_step(r: Reaction, before: LiveMatch, post: Post) -> posts.Away | None:
    """Return what we have to say of a step: for how long its seat was away, beside its thinking."""
    play, live = post.body, r.live
    if not isinstance(play, posts.Play) or not live.ledger.clocks or live.ledger.is_over:
        return None
    one = next((one for one in before.thinking if one.seat == play.seat), None)
    if one is None or not one.is_sure or play.number != one.number + 1:
        return None
    most = r.now - one.since + one.unheard
    r.play(measured=(*live.measured[-7:], (play.number, play.seat, most)))
    if not is_judge(live, play.seat) or not live.ledger.roster.is_timed:
        return None
    whole = r.now - one.since
    if not r.s.is_host and post.at is not None:  # it was made before the line to the host broke?
        whole = min(whole, post.at / 1000 + dict(live.behind)[post.author] - one.since)
    missing = whole - play.spent / 1000
    if missing > SLACK + r.s.delay:
        return posts.Away(play.number, play.seat, min(round(1000 * missing), posts.MAX_SPENT))
    return None


def overdue_at(live: LiveMatch) -> list[tuple[float, Thinking]]:
    """Return when the time of seats that we check is up whatever their terminals say."""
    ledger = live.ledger
    if not ledger.clocks or ledger.is_held or not ledger.roster.is_timed:
        return []
    return [
        (one.since + (ledger.clocks[one.seat] + ledger.away[one.seat]) / 1000 + GRACE, one)
        for one in live.thinking
        if one.is_sure and is_judge(live, one.seat) and not _is_said(live, one)
    ]


def _is_said(live: LiveMatch, one: Thinking) -> bool:
    asked = () if live.asked is None else (live.asked.body,)
    return any(
        isinstance(body, posts.Away) and body.seat == one.seat for body in (*asked, *live.wants)
    )


def overdue(r: Reaction) -> list[posts.Away]:
    """Return what we have to say of seats whose time is up."""
    if r.s.away_since is not None:
        return []
    return [
        posts.Away(
            one.number + 1, one.seat, min(round(1000 * (r.now - one.since)), posts.MAX_SPENT)
        )
        for at, one in overdue_at(r.live)
        if r.now >= at
    ]


def why_not(live: LiveMatch, away: posts.Away, now: float) -> str:
    """Say why what a judge says cannot be, by our own clock; empty if it can."""
    found = [
        ours for number, seat, ours in live.measured if (number, seat) == (away.number, away.seat)
    ]
    found += [
        now - one.since + one.unheard
        for one in live.thinking
        if one.is_sure and (one.number + 1, one.seat) == (away.number, away.seat)
    ]
    if found and away.ms / 1000 > max(found) + SLACK + thinking.NOTICED:
        return (
            f"{away.ms / 1000:.0f} s away, where our clock has measured {max(found):.0f} s in all"
        )
    return ""


def check_judge(r: Reaction, before: LiveMatch, post: Post) -> None:
    """Stop if our clock contradicts what a judge has said: nobody wins by that."""
    if isinstance(post.body, posts.Away) and post.author != before.me:
        why = why_not(before, post.body, r.now)
        if why:
            who = before.ledger.roster.who(post.author)
            abort.stop(r, codes.CLOCK, f"{who} says: {why}", terminal=-1)
