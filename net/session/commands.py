"""What people at this terminal do in a match, and what their clocks do for them; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.errors import IllegalStep, KumiteError
from kumite.core.game import Seat
from kumite.core.text import clean
from kumite.net.replica import apply, due
from kumite.net.replica.records import Secret
from kumite.net.session import (
    events,
    inputs,
    judging,
    notices,
    presence,
    replication,
    succession,
    thinking,
)
from kumite.net.session.effects import Keep
from kumite.net.wire import fields, messages, posts

if TYPE_CHECKING:
    from kumite.core.game import Actor, Step
    from kumite.net.session.inputs import Command
    from kumite.net.session.state import LiveMatch, Reaction
    from kumite.net.wire.posts import Body

MAX_WANTS: Final = 16  # that wait for the host


class Flood(KumiteError):
    """More than may wait for the host."""

    code = codes.FLOOD


def command(r: Reaction, given: Command) -> None:
    """Do what somebody here wants, or say why not."""
    live = r.live
    if live.me is None:
        r.tell(events.NotDone(codes.WATCHING, "Those who look on do not take part", ""))
        return
    if live.ledger.is_gone(live.me):
        text = "All others have said that you are gone for good: you can only look on"
        r.tell(events.NotDone(codes.WATCHING, text, ""))
        return
    try:
        match given:
            case inputs.MakeStep(actor, step):
                _play(r, actor, step)
            case inputs.Speak(text):
                _check_room(live)
                if said := clean(text, fields.MAX_SAY):
                    want(r, posts.Words(said))
            case inputs.GiveUp(seat):
                _check_room(live)
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


def _check_room(live: LiveMatch) -> None:
    if len(live.wants) >= MAX_WANTS:
        raise Flood("That is too much at once", hint="wait a few seconds")


def _check_goes_on(live: LiveMatch) -> None:
    if live.ledger.is_over:
        raise IllegalStep("The match is over")


def _check_seat(live: LiveMatch, seat: Actor) -> None:
    if seat not in live.seats_of(live.me):
        raise IllegalStep("that seat is not played here", hint="wait for its player")


def _seat(actor: Actor) -> Seat:
    return Seat(int(actor))


def _play(r: Reaction, actor: Actor, step: Step) -> None:
    live = r.live
    _check_room(live)
    _check_goes_on(live)
    _check_seat(live, actor)
    if thinking.is_sending(live, _seat(actor)):
        hint = "it counts when the host has it; wait for it, or leave"
        r.tell(events.NotDone(codes.SENDING, "What you did last is still on its way", hint))
        return
    seat = _seat(actor)
    play, own = due.chosen(live.ledger, seat, step, min(thinking.spent(r, seat), posts.MAX_SPENT))
    if own is not None:
        r.do(Keep(Secret(play, own)))
        r.play(ledger=replace(live.ledger, own=(*live.ledger.own, own)))
    if not r.s.is_host:
        r.tell(events.Sending(actor, step))
    want(r, play)


def _propose(r: Reaction, kind: str, number: int) -> None:
    live = r.live
    assert live.me is not None
    if kind == posts.GONE and succession.is_meant(r):
        succession.propose(r)  # not through the host: whatever waits for it is no hindrance
        return
    _check_room(live)
    if kind == posts.GONE:
        number = sum(1 << one for one in presence.missing(r))
    if why := apply.why_it_waits(live.ledger, kind):
        raise IllegalStep(why, hint="answer it first")
    if not 0 <= number <= fields.MAX_NUMBER:
        raise IllegalStep(f"there is no step or seat {number}")
    if why := why_no_offer(r, live.me, kind, number):
        raise IllegalStep(why)
    want(r, posts.Offer(kind, number))


def why_no_offer(r: Reaction, author: int, kind: str, number: int) -> str:
    """Say why something cannot be offered now, as far as is known here; empty if it can."""
    live = r.live
    if kind == posts.GONE and not any(number >> one & 1 for one in presence.missing(r)):
        return "nobody has been away for so long"
    if why := apply.why_no_offer(live.ledger, author, kind, number):
        return why
    if kind == posts.SEAT:  # its terminal is not asked, so it has to be away
        owner = live.ledger.roster.players[number]
        if owner == live.me or live.presence[owner] == messages.THERE:
            return "the player of this seat is there"
    if kind == posts.GONE and number != sum(1 << one for one in presence.missing(r)):
        return "others are away now, or not for long enough"
    return ""


def _reply(r: Reaction, is_yes: bool) -> None:
    live = r.live
    offer = live.ledger.offer
    if succession.is_asked(r.s):
        succession.reply(r, is_yes=is_yes)
        return
    _check_room(live)
    if offer is None or (is_yes and live.me in offer.agreed):
        raise IllegalStep("there is nothing to answer")
    if is_yes and offer.kind == posts.GONE:
        back = [one for one, how in enumerate(live.presence) if how == messages.THERE]
        if any(offer.number >> one & 1 for one in back):
            raise IllegalStep("they are there again")
    want(r, posts.Answer(offer.post, int(is_yes)))


def refused(r: Reaction, body: Body, code: str, text: str) -> None:
    """Tell our people if what the host refuses is theirs."""
    if isinstance(body, posts.Away):  # its clock says otherwise: we are no judge of this step
        unsure = (replace(one, is_sure=one.seat != body.seat) for one in r.live.thinking)
        r.play(thinking=tuple(unsure))
    if r.live.ledger.is_gone(r.live.me):  # they read so anyway, and that counts
        return
    if isinstance(body, posts.Play | posts.Words | posts.Offer | posts.Answer | posts.Resign):
        r.tell(events.NotDone(code, text, "look at the table again"))


def flags(r: Reaction) -> None:
    """Give up for our seats whose clocks have run out, and say so of others that do not."""
    live = r.live
    if not live.ledger.clocks or live.me is None or live.ledger.is_held or r.s.succession:
        return
    ours = live.seats_here
    for one in live.thinking:
        if one.seat not in ours:
            continue
        is_late = thinking.spent(r, one.seat) > live.ledger.clocks[one.seat]
        if is_late and not thinking.is_sending(r.live, one.seat):
            want(r, posts.Flag(one.seat))
    for away in judging.overdue(r):
        want(r, away)
