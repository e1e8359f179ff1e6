"""How long the seats that are to act have thought, as far as is known here; pure.

A clock runs while its seat is to act. Time in which its terminal is away is free up to the seat's
budget (`Ledger.away`), then the clock runs as well. What a terminal says of its own thinking is
checked by another one, see judging.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE, Seat
from kumite.net.session import events
from kumite.net.session.state import Thinking
from kumite.net.wire import messages, posts

if TYPE_CHECKING:
    from collections.abc import Callable

    from kumite.net.session.state import LiveMatch, Reaction

NOTICED: Final = 4.0  # s by which two ends of a line may differ about how long it was silent
CATCHING_UP: Final = 5.0  # s after a silence in which what comes may have been made during it
TOLD: Final = 0.05  # s by which a clock may go wrong before people are told how it stands


def think(r: Reaction) -> None:
    """Note from when on the seats that are to act have seen the position."""
    live = r.live
    ledger, known = live.ledger, {(one.seat, one.number): one for one in live.thinking}
    to_act = (
        () if ledger.is_over else tuple(Seat(int(s)) for s in ledger.match.actors if s != CHANCE)
    )
    number = ledger.match.number
    now = tuple(
        known.get((seat, number)) or _begun(r, seat)
        for seat in to_act
        if not ledger.has_chosen(seat)
    )
    r.play(thinking=now)


def go_on(r: Reaction, idle: float) -> None:
    """Go on with the clocks as our program is started anew, `idle` s after the last post.

    How much of it was thinking the others know, see `heard` and `remembered`; if none tells, it
    was time away.
    """
    own = [one.at or 0 for one in r.live.posts if one.author == r.live.me]
    r.play(epoch=r.now - idle - max(own, default=0) / 1000)
    think(r)
    since = r.now - idle
    again = (replace(one, since=since, lost=idle, is_sure=False) for one in r.live.thinking)
    r.play(thinking=tuple(again))


def _begun(r: Reaction, seat: Seat) -> Thinking:
    live = r.live
    owner = live.ledger.roster.players[seat]
    is_away = live.presence[owner] != messages.THERE or r.s.away_since is not None
    away_since = r.now if is_away else None
    number = live.ledger.match.number
    return Thinking(seat, number, r.now, away_since=away_since, unheard=_unheard(r))


def _unheard(r: Reaction) -> float:
    """Return for how many s a seat may have been to act before we could hear of it (joiner)."""
    since, until = r.s.silence
    return 0.0 if r.s.is_host or r.now > until + CATCHING_UP else r.now - since


def forget(r: Reaction) -> None:
    """Let all clocks begin anew with what is to be chosen now, and nobody's time be up."""
    wants = (one for one in r.live.wants if not isinstance(one, posts.Flag | posts.Away))
    r.play(wants=tuple(wants), thinking=())


def counted(live: LiveMatch, one: Thinking, now: float) -> float:
    """Return the s for which a clock has run: not those away, as long as they are free."""
    return max(0.0, now - one.since - min(one.away(now), _free(live, one.seat)))


def _free(live: LiveMatch, seat: Seat) -> float:
    return live.ledger.away[seat] / 1000 if live.ledger.clocks else 0.0


def spent(r: Reaction, seat: Seat) -> int:
    """Return how many ms a seat has thought."""
    found = (one for one in r.live.thinking if one.seat == seat)
    return max((round(1000 * counted(r.live, one, r.now)) for one in found), default=0)


def flags_at(live: LiveMatch) -> list[float]:
    """Return when the clocks of our seats run out, should nothing change before."""
    if not live.ledger.clocks or live.ledger.is_held:
        return []
    ours = live.ledger.seats_of(live.me)
    found = []
    for one in live.thinking:
        if one.seat in ours and not is_sending(live, one.seat):
            free = _free(live, one.seat)
            away = free if one.away_since is not None else min(one.lost, free)
            found.append(one.since + away + live.ledger.clocks[one.seat] / 1000 + 0.001)
    return found


def is_sending(live: LiveMatch, seat: Seat) -> bool:
    """Whether a step or the flag of a seat of ours is on its way to the host."""
    asked = () if live.asked is None else (live.asked.body,)
    return any(
        isinstance(body, posts.Play | posts.Flag) and body.seat == seat
        for body in (*asked, *live.wants)
    )


# --- Who is away ------------------------------------------------------------------------------


def away(r: Reaction, terminal: int | None, since: float) -> None:
    """Note that a terminal (None: the line, and so all) is away since then."""
    _change(r, terminal, lambda one: one.left(since))


def back(r: Reaction, terminal: int | None) -> None:
    """Note that a terminal (None: the line) is there again."""
    _change(r, terminal, lambda one: one.come_back(r.now))


def _change(r: Reaction, terminal: int | None, how: Callable[[Thinking], Thinking]) -> None:
    live = r.live
    seats = {one.seat for one in live.thinking} if terminal is None else live.seats_of(terminal)
    r.play(thinking=tuple(how(one) if one.seat in seats else one for one in live.thinking))


def said(r: Reaction) -> messages.Running:
    """Return how long each seat has thought, as the host tells all."""
    found = []
    for one in r.live.thinking:
        whole = max(0, round(1000 * (r.now - one.since)))
        is_away = int(one.away_since is not None)
        found.append((one.seat, whole, min(whole, round(1000 * one.away(r.now))), is_away))
    return messages.Running(r.live.ledger.match.number, tuple(found))


def heard(r: Reaction, running: messages.Running) -> None:
    """Take over what the host says; of our own seats only what we could have measured, too."""
    live = r.live
    if running.number != live.ledger.match.number:
        return
    by_seat = {seat: rest for seat, *rest in running.seats}
    ours, now = live.ledger.seats_of(live.me), []
    for one in live.thinking:
        if one.seat in by_seat:
            whole, lost, is_away = (value / 1000 for value in by_seat[one.seat])
            since = r.now - whole
            told = replace(
                one,
                since=since,
                lost=lost,
                away_since=r.now if is_away else None,
                is_sure=True,
                unheard=max(0.0, since - one.since + one.unheard),  # it may be an old word
            )
            is_ours = one.seat in ours and one.is_sure
            wrong = abs(counted(live, told, r.now) - counted(live, one, r.now))
            one = one if is_ours and wrong > NOTICED + one.unheard else told
        now.append(one)
    r.play(thinking=tuple(now))


def remembered(r: Reaction, terminal: int, running: messages.Running) -> None:
    """Take over from a joiner what we cannot know, as our program was started anew (host).

    Of its own seats, and the first joiner of ours: never more than has passed since the last post.
    """
    live = r.live
    if running.number != live.ledger.match.number:
        return
    by_seat, now = {seat: rest for seat, *rest in running.seats}, []
    for one in live.thinking:
        owner = live.ledger.roster.players[one.seat]
        is_ours = owner == live.ledger.host
        is_theirs = owner == terminal or (is_ours and live.ledger.judge(one.seat) == terminal)
        if one.seat in by_seat and is_theirs and not one.is_sure:
            whole, lost, _ = (value / 1000 for value in by_seat[one.seat])
            since = max(one.since, r.now - whole)
            one = replace(
                one, since=since, lost=min(lost, r.now - since), away_since=None, is_sure=True
            )
        now.append(one)
    r.play(thinking=tuple(now))
    r.send_all(said(r))


# --- What people see --------------------------------------------------------------------------


def show(r: Reaction) -> None:
    """Tell our people how the clocks stand, when they go on otherwise than was told before."""
    live = r.s.live
    if live is None or not live.ledger.clocks or r.s.is_closed:
        return
    left, running = list(live.ledger.clocks), []
    for one in () if live.ledger.is_held else live.thinking:
        left[one.seat] = max(0, left[one.seat] - round(1000 * counted(live, one, r.now)))
        if one.away_since is None or one.away(r.now) >= _free(live, one.seat):
            running.append(one.seat)
    told, at = live.shown_clocks, live.shown_at
    now = events.ClocksStand(tuple(left), frozenset(running))
    if told is not None and told.running == now.running:
        gone = 1000 * (r.now - at)
        expected = [
            max(0, ms - gone) if seat in told.running else ms for seat, ms in enumerate(told.left)
        ]
        if all(abs(a - b) <= 1000 * TOLD for a, b in zip(expected, left, strict=True)):
            return
    r.play(shown_clocks=now, shown_at=r.now)
    r.tell(now)


def free_ends_at(live: LiveMatch) -> list[float]:
    """Return when the free time of seats that are away ends, and their clocks run again."""
    if not live.ledger.clocks:
        return []
    return [
        one.away_since + _free(live, one.seat) - one.lost + 0.001
        for one in live.thinking
        if one.away_since is not None and not _runs(live, one.seat)
    ]


def _runs(live: LiveMatch, seat: Seat) -> bool:
    return live.shown_clocks is not None and seat in live.shown_clocks.running
