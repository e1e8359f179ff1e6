"""What people at this terminal do in a match, and how long they think; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.errors import IllegalStep, KumiteError
from kumite.core.game import Seat
from kumite.core.text import clean
from kumite.net.replica import apply, due
from kumite.net.replica.records import Secret
from kumite.net.session import events, inputs, notices, replication
from kumite.net.session.effects import Keep
from kumite.net.session.state import Thinking
from kumite.net.wire import fields, messages, posts

if TYPE_CHECKING:
    from kumite.core.game import Actor, Step
    from kumite.net.session.inputs import Command
    from kumite.net.session.state import LiveMatch, Reaction
    from kumite.net.wire.posts import Body

MAX_WANTS: Final = 16  # that wait for the host
WANTED: Final = posts.Play | posts.Words | posts.Resign | posts.Flag | posts.Offer | posts.Answer
"""What people want to post; all else is due by itself, see net/replica/due.py."""


def command(r: Reaction, given: Command) -> None:
    """Do what somebody here wants, or say why not."""
    live = r.live
    if live.me is None:
        r.tell(events.NotDone("watching", "Who looks on does not take part", ""))
        return
    if len(live.wants) >= MAX_WANTS:
        r.tell(events.NotDone("flood", "That is too much at once", "wait a few seconds"))
        return
    try:
        match given:
            case inputs.MakeStep(actor, step):
                _play(r, actor, step)
            case inputs.Speak(text):
                if said := clean(text, fields.MAX_SAY):
                    want(r, posts.Words(said))
            case inputs.GiveUp(seat):
                _check_goes_on(live)
                _check_seat(live, seat)
                want(r, posts.Resign(seat))
            case inputs.Propose(kind, number):
                _propose(r, kind, number)
            case inputs.Reply(is_yes):
                _reply(r, is_yes)
            case _:
                pass
    except KumiteError as error:
        notices.not_done(r, error)


def want(r: Reaction, body: Body) -> None:
    """Post something as soon as may be."""
    r.play(wants=(*r.live.wants, body))
    replication.advance(r)


def _check_goes_on(live: LiveMatch) -> None:
    if live.ledger.is_over:
        raise IllegalStep("The match is over")


def _check_seat(live: LiveMatch, seat: Actor) -> None:
    if seat not in live.seats_of(live.me):
        raise IllegalStep(f"seat {seat} is not played here", hint="wait for its player")


def _seat(actor: Actor) -> Seat:
    return Seat(int(actor))


def _play(r: Reaction, actor: Actor, step: Step) -> None:
    live = r.live
    _check_goes_on(live)
    _check_seat(live, actor)
    if _is_sending(live, _seat(actor)):
        hint = "it counts when the host has it; wait for it, or leave"
        r.tell(events.NotDone("sending", "What you did last is still on its way", hint))
        return
    seat = _seat(actor)
    play, own = due.chosen(live.ledger, seat, step, min(spent(r, seat), posts.MAX_SPENT))
    if own is not None:
        r.do(Keep(Secret(play, own)))
        r.play(ledger=replace(live.ledger, own=(*live.ledger.own, own)))
    if not r.s.is_host:
        r.tell(events.Sending(actor, step))
    want(r, play)


def _propose(r: Reaction, kind: str, number: int) -> None:
    live = r.live
    assert live.me is not None
    if live.ledger.offer is not None:
        raise IllegalStep("another offer stands", hint="answer it first")
    if not 0 <= number <= fields.MAX_NUMBER:
        raise IllegalStep(f"there is no step or seat {number}")
    if why := why_no_offer(live, live.me, kind, number):
        raise IllegalStep(why)
    want(r, posts.Offer(kind, number))


def why_no_offer(live: LiveMatch, author: int, kind: str, number: int) -> str:
    """Say why something cannot be offered now, as far as is known here; empty if it can."""
    if why := apply.why_no_offer(live.ledger, author, kind, number):
        return why
    if kind == posts.SEAT:  # its terminal is not asked, so it has to be away
        owner = live.ledger.roster.players[number]
        if owner == live.me or live.presence[owner] == messages.THERE:
            return "who plays this seat is there"
    return ""


def _reply(r: Reaction, is_yes: bool) -> None:
    live = r.live
    offer = live.ledger.offer
    if offer is None or (is_yes and live.me in offer.agreed):
        raise IllegalStep("there is nothing to answer")
    want(r, posts.Answer(offer.post, int(is_yes)))


def refused(r: Reaction, body: Body, code: str, text: str) -> None:
    """Tell our people if what the host refuses is theirs."""
    if isinstance(body, posts.Play | posts.Words | posts.Offer | posts.Answer | posts.Resign):
        r.tell(events.NotDone(code, text, "look at the table again"))


# --- Clocks -----------------------------------------------------------------------------------


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
        for seat in map(_seat, to_act)
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
        if not _is_sending(live, one.seat)
    ]


def _is_sending(live: LiveMatch, seat: Seat) -> bool:
    """Whether a step or the flag of a seat of ours is on its way to the host."""
    asked = () if live.asked is None else (live.asked.body,)
    return any(
        isinstance(body, posts.Play | posts.Flag) and body.seat == seat
        for body in (*asked, *live.wants)
    )


def flags(r: Reaction) -> None:
    """Give up for our seats whose clocks have run out."""
    live = r.live
    if not live.ledger.clocks or live.me is None or r.s.away_since is not None:
        return
    if live.ledger.is_held:
        return
    for one in live.thinking:
        is_late = spent(r, one.seat) > live.ledger.clocks[one.seat]
        if is_late and not _is_sending(r.live, one.seat):
            want(r, posts.Flag(one.seat))


def lost_host(r: Reaction, since: float, how: int) -> None:
    """Note that the line to the host is quiet or away (joiner)."""
    if r.s.away_since is None:
        r.set(away_since=since)
    if r.s.live is not None:
        replication.presence(r, 0, how)


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
    replication.presence(r, 0, messages.THERE)
