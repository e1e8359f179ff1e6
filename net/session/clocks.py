"""Presence of terminals, and thinking time of the seats to act, as measured here; pure.

A seat's clock runs while it is to act. While its terminal is disconnected, time is free up to the
seat's allowance (`Ledger.time.free`); after that the clock runs.

Each terminal reports its own thinking time, and another one, its judge, checks it: the host judges
the joiners' seats, the first joiner judges the host's. If a report is too short, the judge charges
the difference as time away (`posts.Away`). Every terminal checks the judge against its own clock,
and every joiner measures the host's seats: a host that reports too little twice, or refuses a
charge, ends the match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from kumite.core import codes
from kumite.core.copying import put
from kumite.core.game import CHANCE, SPECTATOR, Seat, Seats
from kumite.core.gone import WAIT
from kumite.net.session import events, reporting
from kumite.net.session.events import Save, Status
from kumite.net.session.state import (
    MISSED_AFTER,
    SILENT_AFTER,
    LiveMatch,
    Reaction,
    Session,
    Thinking,
)
from kumite.net.wire import messages, posts
from kumite.net.wire.posts import Body, Post

# --- Thinking time of the seats to act ---------------------------------------------------------


NOTICED: Final = 4.0  # s by which two ends of a connection may disagree about a silence
SLACK: Final = 1.0  # s per step that are never disputed, on top of the measured delay
CATCHING_UP: Final = 5.0  # s after a silence in which messages may be from before
TOLD: Final = 0.05  # s of error in a displayed clock that are tolerated without an update


def think(r: Reaction) -> None:
    """Start a clock for each seat whose turn it is and that has none."""
    live = r.live
    ledger, known = live.ledger, {(one.seat, one.number): one for one in live.timing.thinking}
    to_act = (
        () if ledger.is_over else tuple(Seat(int(s)) for s in ledger.match.actors if s != CHANCE)
    )
    number = ledger.match.number
    now = tuple(
        known.get((seat, number)) or _new_thinking(r, seat)
        for seat in to_act
        if not ledger.has_chosen(seat)
    )
    r.time(thinking=now)


def restart(r: Reaction, idle: float) -> None:
    """Resume the clocks after a restart of this program, `idle` s after the last post.

    All of that time counts as away, unless another terminal reports how much of it was thinking:
    see `take_running` and `take_remembered`.
    """
    live = r.live
    last = 0 if live.me is None else max(0, live.ledger.posted.read[live.me])  # ms
    r.time(epoch=r.now - idle - last / 1000)
    think(r)
    since = r.now - idle
    adjust(r, lambda one: replace(one, since=since, lost=idle, is_sure=False, seen=r.now))


def adjust(r: Reaction, how: Callable[[Thinking], Thinking]) -> None:
    """Change what was measured of each seat to act."""
    r.time(thinking=tuple(map(how, r.live.timing.thinking)))


def _new_thinking(r: Reaction, seat: Seat) -> Thinking:
    live = r.live
    owner = live.ledger.roster.players[seat]
    is_away = live.presence[owner] != messages.THERE or r.s.line.away_since is not None
    away_since = r.now if is_away else None
    number = live.ledger.match.number
    since = r.now - (_held(r) if owner == live.ledger.host else 0.0)
    return Thinking(seat, number, since, away_since=away_since, unheard=_unheard(r), seen=since)


def _held(r: Reaction) -> float:
    """Return for how many s the host has had our last post, with which its turn began."""
    live = r.live
    if live.asked is None or live.posts[-1:] != (live.asked,) or _is_silent_since_asked(r.s):
        return 0.0
    assert live.timing.asked_at is not None
    return max(0.0, r.now - live.timing.asked_at - SLACK - r.s.delay)


def _is_silent_since_asked(s: Session) -> bool:
    asked_at = None if s.live is None else s.live.timing.asked_at
    return asked_at is None or s.line.silence[1] > asked_at


def _unheard(r: Reaction) -> float:
    """Return for how many s a turn may have lasted before we could hear of it (joiner)."""
    since, until = r.s.line.silence
    return 0.0 if r.s.is_host or r.now > until + CATCHING_UP else r.now - since


def forget(r: Reaction) -> None:
    wants = (one for one in r.live.wants if not isinstance(one, posts.Flag | posts.Away))
    r.play(wants=tuple(wants))
    r.time(thinking=())


def counted(live: LiveMatch, one: Thinking, now: float) -> float:
    """Return the s for which a clock has run, without time away that is still free."""
    return max(0.0, now - one.since - min(one.away(now), _free(live, one.seat)))


def _free(live: LiveMatch, seat: Seat) -> float:
    return live.ledger.time.free[seat] / 1000 if live.ledger.time.left else 0.0


def spent(r: Reaction, seat: Seat) -> int:
    found = (one for one in r.live.timing.thinking if one.seat == seat)
    return max((round(1000 * counted(r.live, one, r.now)) for one in found), default=0)


def flags_at(s: Session) -> list[tuple[float, posts.Flag]]:
    """Return when our seats to act run out of time; none while a request is pending."""
    live, found = s.live, list[tuple[float, posts.Flag]]()
    if live is None or not _can_run_out(s) or live.asked is not None:
        return found
    for one in live.timing.thinking:
        if one.seat in live.seats_here and not is_sending(live, one.seat):
            free = _free(live, one.seat)
            at = one.since + min(one.lost, free) + live.ledger.time.left[one.seat] / 1000 + 0.001
            if one.away_since is not None and at > one.away_since:
                at += max(0.0, free - one.lost)
            found.append((at, posts.Flag(one.seat)))
    return found


def _can_run_out(s: Session) -> bool:
    live = s.live
    is_timed = live is not None and bool(live.ledger.time.left) and not live.ledger.is_held
    return is_timed and s.succession is None


def is_sending(live: LiveMatch, seat: Seat) -> bool:
    return any(
        isinstance(body, posts.Play | posts.Flag) and body.seat == seat for body in _pending(live)
    )


def _pending(live: LiveMatch) -> tuple[Body, ...]:
    """Return our posts that are not entered yet."""
    return (*(() if live.asked is None else (live.asked.body,)), *live.wants)


# --- Terminals that are away -------------------------------------------------------------------


def went_away(r: Reaction, terminal: int | None, since: float) -> None:
    """Mark a terminal as away from `since` on; None means our own line, and so every terminal."""
    _change(r, terminal, lambda one: one.left(since))


def came_back(r: Reaction, terminal: int | None) -> None:
    """Mark a terminal as back; None means our own line, and so every terminal."""
    _change(r, terminal, lambda one: one.come_back(r.now))


def _change(r: Reaction, terminal: int | None, how: Callable[[Thinking], Thinking]) -> None:
    seats = None if terminal is None else r.live.seats_of(terminal)
    adjust(r, lambda one: how(one) if seats is None or one.seat in seats else one)


def running(r: Reaction) -> messages.Running:
    found = []
    for one in r.live.timing.thinking:
        whole = max(0, round(1000 * (r.now - one.since)))
        is_away = int(one.away_since is not None)
        found.append((one.seat, whole, min(whole, round(1000 * one.away(r.now))), is_away))
    return messages.Running(r.live.ledger.match.number, tuple(found))


def take_running(r: Reaction, told: messages.Running) -> None:
    """Take over the host's clocks, but for our own seats only within what we measured ourselves."""
    live = r.live
    if told.number != live.ledger.match.number:
        return
    by_seat = {seat: rest for seat, *rest in told.seats}
    ours = live.ledger.seats_of(live.me)

    def taken(one: Thinking) -> Thinking:
        if one.seat not in by_seat:
            return one
        whole, lost, is_away = (value / 1000 for value in by_seat[one.seat])
        since = r.now - whole
        away_since = r.now if is_away else None
        unheard = max(0.0, since - one.since + one.unheard)  # the message may be an old one
        times = replace(one, since=since, lost=lost, away_since=away_since)
        heard = replace(times, unheard=unheard, is_sure=True)
        is_ours = one.seat in ours and one.is_sure
        wrong = abs(counted(live, heard, r.now) - counted(live, one, r.now))
        return one if is_ours and wrong > NOTICED + one.unheard else heard

    adjust(r, taken)


def take_remembered(r: Reaction, terminal: int, told: messages.Running) -> None:
    """Take over a joiner's clocks, which we lost when our program was restarted (host).

    A joiner may report its own seats, and the first joiner ours. No clock is set back beyond the
    last post.
    """
    live = r.live
    if told.number != live.ledger.match.number:
        return
    by_seat = {seat: rest for seat, *rest in told.seats}

    def taken(one: Thinking) -> Thinking:
        owner = live.ledger.roster.players[one.seat]
        is_ours = owner == live.ledger.host
        is_theirs = owner == terminal or (is_ours and live.ledger.judge(one.seat) == terminal)
        if one.seat not in by_seat or not is_theirs or one.is_sure:
            return one
        whole, lost, _ = (value / 1000 for value in by_seat[one.seat])
        since = max(one.since, r.now - whole)
        lost = min(lost, r.now - since)
        return replace(one, since=since, lost=lost, away_since=None, is_sure=True)

    adjust(r, taken)
    r.send_all(running(r))


# --- Clocks on screen --------------------------------------------------------------------------


def show(r: Reaction) -> None:
    """Update the displayed clocks if they deviate from what was shown last."""
    live = r.s.live
    if live is None or not live.ledger.time.left or r.s.is_closed:
        return
    left, running = list(live.ledger.time.left), []
    for one in () if live.ledger.is_held else live.timing.thinking:
        left[one.seat] = max(0, left[one.seat] - round(1000 * counted(live, one, r.now)))
        if one.away_since is None or one.away(r.now) >= _free(live, one.seat):
            running.append(one.seat)
    told, at = live.timing.shown_clocks, live.timing.shown_at
    now = events.ClocksStand(tuple(left), frozenset(running))
    if told is not None and told.running == now.running:
        gone = 1000 * (r.now - at)
        expected = [
            max(0, ms - gone) if seat in told.running else ms for seat, ms in enumerate(told.left)
        ]
        if all(abs(a - b) <= 1000 * TOLD for a, b in zip(expected, left, strict=True)):
            return
    r.time(shown_clocks=now, shown_at=r.now)
    r.tell(now)


def free_ends_at(live: LiveMatch) -> list[float]:
    if not live.ledger.time.left:
        return []
    told = live.timing.shown_clocks
    shown = SPECTATOR if told is None else told.running
    return [
        one.away_since + _free(live, one.seat) - one.lost + 0.001
        for one in live.timing.thinking
        if one.away_since is not None and one.seat not in shown
    ]


# --- Reported thinking times, checked by another terminal --------------------------------------


GRACE: Final = 3.0  # s beyond its clock and free time that a terminal has to flag itself
DOUBTS: Final = 2  # steps with too short a report by the host that end the match


def is_judge(live: LiveMatch, seat: Seat) -> bool:
    return live.me is not None and live.ledger.judge(seat) == live.me


def judge(r: Reaction, before: LiveMatch, post: Post) -> None:
    """Check the times in a new post; charge a seat that we judge if its report is too short."""
    if not _is_catching_up(r):  # the smallest known offset of the clocks
        behind, known = r.now - post.at / 1000, dict(r.live.timing.behind)
        known[post.author] = min(known.get(post.author, behind), behind)
        r.time(behind=tuple(sorted(known.items())))
    missing = _check_step(r, before, post)
    if missing is not None and not r.s.is_closed:
        r.play(wants=(*r.live.wants, missing))


def _check_step(r: Reaction, before: LiveMatch, post: Post) -> posts.Away | None:
    """Return the charge for a step whose reported time is too short, or None.

    If the seat is the host's, a short report also counts as a doubt.
    """
    play, live = post.body, r.live
    if not isinstance(play, posts.Play) or not live.ledger.time.left or live.ledger.is_over:
        return None
    one = next((one for one in before.timing.thinking if one.seat == play.seat), None)
    if one is None or play.number != one.number + 1:
        return None
    spent = play.spent / 1000
    if one.is_sure:
        most = _most(r.s, before, one, r.now) - spent
        r.time(measured=(*live.timing.measured[-7:], (play.number, play.seat, most)))
    if r.s.is_host:
        whole = r.now - acting_since(r.s, one) if one.is_sure else 0.0
    else:
        whole = _made(r, post) - acting_since(r.s, one)
    missing = whole - spent - SLACK - r.s.delay
    if missing <= 0:
        return None
    if missing > NOTICED and live.ledger.judge(play.seat) != live.ledger.host:
        _doubt(r, one, play, whole)
    if not is_judge(live, play.seat):
        return None
    return charge(one, whole - spent)


def acting_since(s: Session, one: Thinking) -> float:
    """Return since when a seat is to act, not counting time in which our own program stood still.

    A joiner does not accept a later start from the host than it has seen itself.
    """
    if s.is_host:
        return one.since + one.stopped
    return min(one.since, one.seen) if one.is_sure else one.seen


def _made(r: Reaction, post: Post) -> float:
    """Return when the host made a step: now, or at its own time if the line was silent then."""
    if not _is_catching_up(r):
        return r.now
    behind = dict(r.live.timing.behind).get(post.author)  # None if no post was in time yet
    said = r.s.line.silence[0] if behind is None else post.at / 1000 + behind
    return min(r.now, max(said, r.s.line.silence[0]))


def _is_catching_up(r: Reaction) -> bool:
    """True if a message may have been sent while the line was silent (joiner)."""
    return not r.s.is_host and r.now <= r.s.line.silence[1] + CATCHING_UP


def _doubt(r: Reaction, one: Thinking, play: posts.Play, whole: float) -> None:
    """Count a short report by the host, unless the line was silent during that step."""
    if r.s.is_host or r.s.line.silence[1] > one.seen:
        return
    text = f"says {play.spent / 1000:.0f} s, where our clock has measured {whole:.0f} s"
    r.time(doubts=r.live.timing.doubts + 1)
    r.do(Save(f"note step {play.number}: {r.live.ledger.roster.who(r.s.host)} {text}"))
    if r.live.timing.doubts >= DOUBTS:
        _accuse(r, play.number, f"{text}, and it is not the first time")


def _accuse(r: Reaction, number: int, text: str) -> None:
    reporting.stop(r, codes.CLOCK, text, number=number, terminal=r.s.host)


def charge_refused(r: Reaction, away: posts.Away) -> None:
    """Stop if the host refuses a charge without another reason to do so (joiner)."""
    ledger = r.live.ledger
    is_open = not (ledger.is_over or ledger.is_held or r.s.succession)
    is_ours = bool(_found(r, away)) and not why_no_charge(r, away)
    if is_open and is_ours and away.number <= ledger.match.number + 1:
        _accuse(r, away.number, f"refuses {away.ms / 1000:.0f} s that our clock has measured")
        return
    doubt(r, frozenset({away.seat}))


def doubt(r: Reaction, seats: Seats) -> None:
    """Take what we have measured of some seats' clocks as unsure."""
    adjust(r, lambda one: replace(one, is_sure=one.is_sure and one.seat not in seats))


def overdue_at(s: Session) -> list[tuple[float, Thinking]]:
    """Return when the seats that we judge run out of time, whatever their terminals report."""
    live, found = s.live, list[tuple[float, Thinking]]()
    if live is None or not _can_run_out(s) or s.line.away_since is not None:
        return found
    ledger = live.ledger
    for one in live.timing.thinking:
        is_said = any(
            isinstance(body, posts.Away) and body.seat == one.seat for body in _pending(live)
        )
        if one.is_sure and not is_said and is_judge(live, one.seat):
            has = (ledger.time.left[one.seat] + ledger.time.free[one.seat]) / 1000 + GRACE
            caught_up = 0.0 if s.is_host else s.line.silence[1] + CATCHING_UP
            found.append((max(acting_since(s, one) + has, caught_up), one))
    return found


def charge(one: Thinking, seconds: float) -> posts.Away:
    return posts.Away(one.number + 1, one.seat, min(round(1000 * seconds), posts.MAX_SPENT))


def _most(s: Session, live: LiveMatch, one: Thinking, now: float) -> float:
    """Return for how many s at most a seat has been to act.

    Once the host has received our request, the time no longer counts as ours.
    """
    is_asked = live.asked is not None and one.seat in live.ledger.seats_of(live.me)
    if is_asked and live.timing.asked_at is not None and not _is_silent_since_asked(s):
        now = min(now, live.timing.asked_at + s.delay)
    return now - one.since + one.unheard


def _found(r: Reaction, away: posts.Away) -> list[float]:
    """Return for how many s at most a seat can have been away during that step, as measured."""
    step = (away.number, away.seat)
    found = [most for *of, most in r.live.timing.measured if tuple(of) == step]
    return found + [
        _most(r.s, r.live, one, r.now)
        for one in r.live.timing.thinking
        if one.is_sure and (one.number + 1, one.seat) == step
    ]


def why_no_charge(r: Reaction, away: posts.Away) -> str:
    """Return why a judge's charge is impossible by our own clock; empty if it is possible.

    A charge may exceed our measurement a little, since a silence of a few seconds cannot be
    measured. For our own seats the excess may add up to no more than their free time.
    """
    live, found, said = r.live, _found(r, away), away.ms / 1000
    clock = live.ledger.roster.clock
    if not found or clock is None:
        return ""
    is_ours = away.seat in live.ledger.seats_of(live.me)
    total = live.timing.overcharged + max(0.0, said - max(found)) if is_ours else 0.0
    if said > max(found) + SLACK + NOTICED or total > clock[2] + SLACK + NOTICED:
        return f"{said:.0f} s away, where our clock has measured {max(found):.0f} s in all"
    return ""


def check_judge(r: Reaction, post: Post) -> None:
    """Stop before entering a charge that contradicts our clock; nobody wins such a match."""
    away, live = post.body, r.live
    if not isinstance(away, posts.Away) or post.author == live.me:
        return
    if why := why_no_charge(r, away):
        reporting.stop(r, codes.CLOCK, f"says: {why}", speaker=post.author)
    elif away.seat in live.ledger.seats_of(live.me) and (found := _found(r, away)):
        more = max(0.0, away.ms / 1000 - max(found))
        r.time(overcharged=live.timing.overcharged + more)


# --- Which terminals are here, quiet, away or permanently gone ---------------------------------


def set_presence(r: Reaction, terminal: int, how: int, since: float | None = None) -> None:
    """Set the status of a terminal (from `since` on), report it, and as the host broadcast it."""
    live = r.live
    was = live.presence[terminal]
    if was == how or terminal == live.me:
        return
    r.play(presence=put(live.presence, terminal, how))
    absent = {at: since for at, since in live.absent.items() if at != terminal}
    if how == messages.THERE:
        r.play(absent=absent, missed=live.missed - {terminal})
        came_back(r, terminal)
    else:
        r.play(absent={terminal: r.now, **live.absent})
        went_away(r, terminal, r.now if since is None else since)
    if r.s.is_host:
        r.send_all(messages.Presence(terminal, how))
        if live.ledger.time.left:
            r.send_all(running(r))
    if how == messages.LEFT:
        reporting.left(r, terminal, is_closed=False)
    else:
        reporting.presence(r, terminal, reporting.STATUS[how])


def terminal_failed(r: Reaction, terminal: int, code: str) -> None:
    """Mark a terminal as failed for the reason `code`, which it has announced to all."""
    live = r.live
    if live.presence[terminal] != messages.LEFT:
        gone = put(live.presence, terminal, messages.LEFT)
        r.play(presence=gone, absent={terminal: r.now, **live.absent})
        who = live.ledger.roster.who(terminal)
        r.do(Save(f"note left the table ({code}): {who}"))
        reporting.unaudited(r, terminal)
        r.tell(events.Left(live.seats_of(terminal), is_closed=False, who=who, code=code))


def let_look_on(r: Reaction) -> None:
    """Make spectators of the terminals that were declared permanently gone, if they return."""
    for place in r.s.places:
        if place.terminal is not None and r.live.ledger.is_gone(place.terminal):
            r.put_place(replace(place, seats=SPECTATOR, terminal=None))


def missing(r: Reaction) -> tuple[int, ...]:
    """Return the terminals away for so long that the others may declare them permanently gone."""
    return tuple(
        one
        for one, since in sorted(r.live.absent.items())
        if r.now >= since + MISSED_AFTER and _is_known(r.s, one)
    )


def left(r: Reaction) -> set[int]:
    """Return the terminals whose players are not here, and are not expected back soon."""
    live, long_away = r.live, missing(r)

    def is_out(at: int, how: int) -> bool:
        is_replaced = how != messages.THERE and not live.seats_of(at)
        return is_replaced or how == messages.LEFT or at in long_away or live.ledger.is_gone(at)

    return {at for at, how in enumerate(live.presence) if is_out(at, how)}


def _is_known(s: Session, terminal: int) -> bool:
    """True if we can tell if a terminal is here; without a line, this is only the host."""
    assert s.live is not None
    if terminal == s.host:
        return s.live.ledger.roster.gone != WAIT
    return s.line.away_since is None and not s.live.ledger.is_gone(terminal)


def missed_at(s: Session) -> list[float]:
    live = s.live
    assert live is not None
    if live.ledger.roster.gone == WAIT or (live.ledger.is_over and live.is_audited):
        return []
    unsaid = (one for one in live.absent if one not in live.missed and _is_known(s, one))
    return [live.absent[one] + MISSED_AFTER for one in unsaid]


def tell_missed(r: Reaction) -> None:
    live = r.live
    if all(r.now < at for at in missed_at(r.s)):
        return
    found = missing(r)
    r.play(missed=live.missed | set(found))
    if found and live.me is not None and not live.ledger.is_gone(live.me):
        reporting.missed(r, found)


def lost_host(r: Reaction, since: float, how: int) -> None:
    if r.s.line.away_since is None:
        r.set_line(away_since=since)
    if r.s.live is not None:
        went_away(r, None, since)
        set_presence(r, r.s.line.leads_to, how, since)


def listened(r: Reaction) -> None:
    """Note a message from the host, and the end of a silence if there was one (joiner)."""
    if r.now > r.s.line.heard_at + SILENT_AFTER:
        r.set_line(silence=(r.s.line.heard_at, r.now))
    r.set_line(heard_at=r.now)


def heard_host(r: Reaction) -> None:
    since = r.s.line.away_since
    r.set_line(away_since=None)
    if r.s.live is None:
        if since is not None:
            r.tell(events.Presence(Status.BACK))
        return
    if since is not None:
        came_back(r, None)
        host = r.s.host if r.s.host != r.s.line.leads_to else None  # it is still away
        absent = r.live.absent.items()  # the others could not be heard meanwhile
        r.play(absent={one: at if one == host else r.now for one, at in absent})
    set_presence(r, r.s.line.leads_to, messages.THERE)
