"""In the match: commands of local players, and messages from other terminals; pure.

    joiner                        host
    Request (a post)        →            in order? saved, then
                            ←     Entered           to all, in one order
    Ack (posts, digest)     →            saved there; another digest is a difference
                            ←     Refused           it came too late: make another
    Here (posts, digest)    →            after a new connection; the host sends what is missing

A spectator has to send only an `Ack` per post and a `Pong` per ping. Anything else is limited in
rate, and a spectator that exceeds the limit is dropped, so nobody at the table waits for one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kumite.core import codes
from kumite.core import table as acts
from kumite.core.errors import IllegalStep, KumiteError
from kumite.core.game import Actor, Seat, Step
from kumite.core.text import clean
from kumite.net.replica import apply, audit, due, offers
from kumite.net.replica.ledger import UNKNOWN, Foul, Late
from kumite.net.replica.records import Claim, Secret
from kumite.net.session import (
    clocks,
    events,
    handshake,
    links,
    lobby,
    replication,
    reporting,
    succession,
)
from kumite.net.session.events import Command, Keep, Save
from kumite.net.session.state import SILENT_AFTER, Link, LiveMatch, Place, Reaction, Stage
from kumite.net.wire import fields, messages, posts
from kumite.net.wire.posts import Body, Post

ALONE: Final = "nobody else is here"
NOT_YET: Final = "nobody else is back yet, and the others may have steps that were lost here"

# --- Spectators (host) -------------------------------------------------------------------------


def may_speak(r: Reaction, link: Link, message: messages.Message) -> bool:
    """Whether to handle a guest's message; a guest that sends too much is dropped."""
    place = r.s.place(link.ticket)
    if place is None or (place.seats and link.stage is Stage.PLAYING):
        return True  # players have other limits, see `_check_now`
    known = 0 if r.s.live is None else len(r.live.posts)
    is_owed = isinstance(message, messages.Ack) and link.counts.acked < message.entered <= known
    what = messages.WATCH if link.stage is Stage.PLAYING else messages.JOIN
    is_owed |= isinstance(message, messages.Held) and link.counts.promised > 0  # the host has asked
    if is_owed or handshake.is_in_pace(r, what, str(link.ticket)):
        return True
    r.drop(link.number)
    return False


def note_watchers(r: Reaction) -> None:
    if r.s.live is None or r.s.is_closed or not r.s.is_host:
        return
    here = {link.ticket for link in r.s.links if link.stage is Stage.PLAYING}
    names = {one.ticket: one.name for one in r.s.places if not one.seats and one.ticket in here}
    willing = tuple(one for one in r.s.hosting.willing if one in names)
    now = tuple(names[one] for one in dict.fromkeys((*willing, *names))), len(willing)
    r.set_host(willing=willing)
    if now != (r.live.watchers, r.live.willing):
        r.play(watchers=now[0], willing=now[1])
        r.send_all(messages.Watching(*now))
        r.tell(events.Watching(*now))


def _wish(r: Reaction, link: Link, is_willing: bool) -> None:
    """Note after a match whether a spectator would like a seat in the next; the first get one."""
    known = r.s.hosting.willing
    is_new = r.live.ledger.is_over and is_willing != (link.ticket in known)
    if is_new and handshake.is_in_pace(r, handshake.TALKING, str(link.ticket)):
        others = tuple(one for one in known if one != link.ticket)
        r.set_host(willing=(*others, link.ticket) if is_willing else others)


# --- Commands of local players -----------------------------------------------------------------


MAX_WANTS: Final = 16  # commands that wait for the host


class Flood(KumiteError):
    """More commands than may wait for the host."""

    code = codes.FLOOD


def command(r: Reaction, given: Command) -> None:
    live = r.live
    if live.me is None and isinstance(given, acts.Say):
        if said := clean(given.text, fields.MAX_SAY):
            r.send(r.s.line.main, messages.Say(0, said))  # the host tells all, and us
            _tell_unsent(r, said)
        return
    if live.me is None and isinstance(given, events.SetReady) and live.ledger.is_over:
        r.set_joiner(what=messages.JOIN if given.is_ready else messages.WATCH)
        r.send(r.s.line.main, messages.Ready(given.is_ready))
        return
    if live.me is None or live.ledger.is_gone(live.me):
        r.tell(events.NotDone(codes.WATCHING))
        return
    try:
        match given:
            case acts.Play(actor, step):
                _play(r, actor, step)
            case acts.Say(text, is_unkept):
                _check_room(live)
                if said := clean(text, fields.MAX_SAY):
                    _tell_unsent(r, said)
                    want(r, posts.Say(said, is_unkept))
            case acts.Resign(seat):
                _check_room(live)
                _check_goes_on(live)
                _check_seat(live, seat)
                want(r, posts.Resign(seat))
            case acts.Offer(kind, number, game):
                _propose(r, kind, number, game)
            case acts.Answer(is_yes):
                _reply(r, is_yes)
    except KumiteError as error:
        r.tell(events.NotDone.by(error))


def _tell_unsent(r: Reaction, said: str) -> None:
    """Show at once what we say while the host is away, or waits for all others."""
    link = r.s.link(r.s.line.main)
    is_heard = link is not None and link.stage is Stage.PLAYING
    if not r.s.awaited and (r.s.is_host or (is_heard and r.now - r.s.line.heard_at < SILENT_AFTER)):
        return
    reporting.unsent(r, said)


def want(r: Reaction, body: Body) -> None:
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


def _play(r: Reaction, actor: Actor, step: Step) -> None:
    live = r.live
    _check_room(live)
    _check_goes_on(live)
    _check_seat(live, actor)
    seat = Seat(int(actor))
    if clocks.is_sending(live, seat):
        r.tell(events.NotDone(codes.SENDING))
        return
    play, own = due.chosen(live.ledger, seat, step, min(clocks.spent(r, seat), posts.MAX_SPENT))
    if own is not None:
        r.do(Keep(Secret(play, own)))
        r.play(ledger=live.ledger.with_secrets(own=(*live.ledger.secrets.own, own)))
    if not r.s.is_host:
        r.tell(events.Sending(actor))
    want(r, play)


def _propose(r: Reaction, kind: str, number: int, game: str) -> None:
    live = r.live
    if kind == posts.GONE and succession.is_meant(r):
        succession.propose(r)  # not through the host, so pending requests do not matter
        return
    _check_room(live)
    if kind == posts.GONE:
        number = sum(1 << one for one in clocks.missing(r))
    if r.s.awaited:
        raise IllegalStep(NOT_YET, hint="or leave: the match is kept")
    if why := offers.why_it_waits(live.ledger, kind):
        raise IllegalStep(why, hint="answer it first")
    if not 0 <= number <= fields.MAX_NUMBER:
        raise IllegalStep(f"there is no step or seat {number}")
    if why := why_no_offer(r, live.ledger.own, kind, number, game):
        raise IllegalStep(why, hint=events.OTHER_TABLE * (why == ALONE))
    want(r, posts.Offer(kind, number, game))


def why_no_offer(r: Reaction, author: int, kind: str, number: int, game: str = "") -> str:
    """Return why this offer is not allowed now, judged by posts and presence; "" if it is."""
    live = r.live
    if kind == posts.GONE and not any(number >> one & 1 for one in clocks.missing(r)):
        return "nobody has been away for so long"
    if why := offers.why_no_offer(live.ledger, author, kind, number):
        return why
    if (kind == posts.VOTE) != bool(game):
        return "only a vote is for a game"
    if kind in (posts.AGAIN, posts.VOTE) and not live.willing:
        others = {at for at in range(len(live.presence)) if at != author}
        if others <= clocks.left(r):
            return ALONE
    if game:
        try:
            lobby.other_setup(game, live.ledger.roster.setup)
        except KumiteError as error:
            return str(error)
    if kind == posts.SEAT:  # the owner has to be away, since it is not asked
        owner = live.ledger.roster.players[number]
        if owner == live.me or live.presence[owner] == messages.THERE:
            return "the player of this seat is there"
    if kind == posts.GONE and number != sum(1 << one for one in clocks.missing(r)):
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
    want(r, posts.Answer(offer.post, is_yes))


def refused(r: Reaction, body: Body, code: str, text: str) -> None:
    if isinstance(body, posts.Away):
        clocks.charge_refused(r, body)
    if r.live.ledger.is_gone(r.live.me):  # they read that they are gone, and that is enough
        return
    if isinstance(body, posts.Play | posts.Say | posts.Offer | posts.Answer | posts.Resign):
        r.tell(events.NotDone(code, text or "it came too late", "look at the table again"))


def run_out(r: Reaction) -> None:
    """Post flags for our seats that are out of time, then charges for seats that we judge."""
    for at, flag in clocks.flags_at(r.s):
        if r.now >= at:
            want(r, flag)
    for at, one in clocks.overdue_at(r.s):
        if r.now >= at:
            want(r, clocks.charge(one, r.now - clocks.acting_since(r.s, one)))


# --- Messages to the host ----------------------------------------------------------------------


def host_hears(r: Reaction, link: Link, message: messages.Message) -> None:
    place, terminal = r.s.place(link.ticket), r.s.terminal_at(link)
    match message:
        case messages.Request(post) if place is not None and terminal is not None:
            _requested(r, link, place, terminal, post)
        case messages.Request(post) if r.live.ledger.is_gone(post.author):
            # it was sent before its author was declared gone
            r.send(link.number, messages.Refused(post.number, codes.LATE, "gone for good"))
        case messages.Running() if terminal is not None:
            clocks.take_remembered(r, terminal, message)
        case messages.Ack(count, digest):
            _acknowledged(r, link, terminal, count, digest)
        case messages.Decline() if terminal is not None:
            r.drop(link.number)
            clocks.terminal_failed(r, terminal, codes.OTHER_MATCH)
        case messages.Held(post):
            replication.take_held(r, link, terminal, post)
            hear_waiting(r)
        case messages.Agreed() if terminal is not None:
            succession.answered(r, terminal, message)
        case messages.PositionCheck(count, position):
            replication.take_position(r, link, count, position)
        case messages.Say(_, text) if terminal is None and place is not None:
            _relay(r, link, place.name, text)
        case messages.Ready(is_willing) if terminal is None and place is not None:
            _wish(r, link, is_willing)
        case messages.Stop():
            _joiner_stops(r, link, terminal, message)
        case _:
            reporting.bad(r, link, f"sent {type(message).__name__} in mid-match")


def _acknowledged(r: Reaction, link: Link, terminal: int | None, count: int, digest: bytes) -> None:
    if count > len(r.live.posts):
        replication.ask_lacking(r, link, terminal, count)
    elif terminal is None:  # a spectator; a difference is reported once per connection
        link = r.count(link, acked=max(link.counts.acked, count))
        if not link.counts.is_told and replication.is_different(r, count, digest):
            replication.ask_position(r, r.count(link, is_told=True), count)
    else:
        if r.live.desync is None and replication.is_different(r, count, digest):
            replication.ask_position(r, link, count)
        if r.s.awaited and not r.s.is_closed:
            replication.count_heard(r, link, terminal, count)
            hear_waiting(r)


def _relay(r: Reaction, link: Link, name: str, text: str) -> None:
    """Tell all what a spectator says. It is no post: nobody signs it, and no log keeps it."""
    said, watchers = clean(text, fields.MAX_SAY), r.live.watchers
    is_heard = said and name in watchers
    if is_heard and handshake.is_in_pace(r, handshake.TALKING, str(link.ticket)):
        r.send_all(messages.Say(watchers.index(name), said))
        r.tell(events.Said(said, name=name))


def _joiner_stops(r: Reaction, link: Link, terminal: int | None, stop: messages.Stop) -> None:
    live = r.live
    if terminal is None:
        r.drop(link.number)
    elif stop.author != terminal or not audit.is_signed(live.ledger, live.posts, stop):
        reporting.blame(r, terminal, "a word that is not signed by its sender")
    elif audit.is_of_another_match(live.ledger, stop):
        replication.histories_differ(r, link, terminal)
    else:
        _claimed(r, stop)


def hear_waiting(r: Reaction) -> None:
    """Handle the requests that came in while the host waited for lost posts."""
    while r.s.is_host and r.s.hosting.waiting and not (r.s.is_waiting or r.s.is_closed):
        (number, request), *rest = r.s.hosting.waiting
        r.set_host(waiting=tuple(rest))
        if (link := r.s.link(number)) is not None:
            host_hears(r, link, request)


def _requested(r: Reaction, link: Link, place: Place, terminal: int, post: Post) -> None:
    if r.s.is_waiting:  # the host itself holds up the match, so no clock counts for certain
        clocks.doubt(r, place.seats)
        others = tuple(one for one in r.s.hosting.waiting if one[0] != link.number)
        r.set_host(waiting=(*others, (link.number, messages.Request(post))))
        return
    if post.author != terminal or not apply.is_signed(r.live.ledger, post):
        reporting.blame(r, terminal, "a post that is not signed by its sender")
        return
    try:
        _check_now(r, place, terminal, post.body)
        replication.enter(r, post, is_checked=True)
    except Late as error:
        r.send(link.number, messages.Refused(post.number, error.code, reporting.short(str(error))))
    except Foul as error:
        reporting.blame(r, error.terminal, str(error), post)
    replication.advance(r)


def _check_now(r: Reaction, place: Place, terminal: int, body: Body) -> None:
    """Raise Late where the host alone can tell: open questions, rates, presence."""
    if isinstance(body, posts.Play) and r.live.is_comparing:
        raise Late("two terminals have come to different positions; all are asked in a moment")
    if isinstance(body, posts.Flag | posts.Away) and r.s.succession is not None:
        raise Late("nobody's clock runs before it is settled who the host is")
    if isinstance(body, posts.Away) and (why := clocks.why_no_charge(r, body)):
        raise Late(why)
    is_talk = isinstance(body, posts.Say | posts.Offer | posts.Answer)
    if is_talk and not handshake.is_in_pace(r, handshake.POSTING, str(place.ticket)):
        raise Late("that is too much at once; wait a few seconds")
    if isinstance(body, posts.Offer):
        why = why_no_offer(r, terminal, body.kind, body.number, body.game)
        if why:
            raise Late(why)


def returned(r: Reaction, link: Link, here: messages.Here) -> None:
    live, place = r.s.live, r.s.place(link.ticket)
    is_watcher = place is not None and place.terminal is None
    looks_on = live is not None and is_watcher
    if place is None or (looks_on and not handshake.may_watch(r, link)):
        r.drop(link.number)  # it never sat down, or comes too often to look on
    elif live is None or r.s.is_rematch:
        old = r.s.link_of(link.ticket)
        if old is not None:
            r.drop(old.number)
        lobby.begin_anew(r)
        lobby.invite(r, link)
    elif not here.has_begun:
        _caught_up(r, link, place, here)
    elif here.match_id != live.roster.match_id and is_watcher:
        lobby.invite(r, link)  # it was away when the rematch began
    elif here.match_id != live.roster.match_id:
        r.decline(link, codes.OTHER_MATCH)
    elif here.entered >= len(live.digests):
        _admit(r, link, place, replace(here, entered=len(live.posts)))
        replication.count_heard(r, r.s.link(link.number) or link, place.terminal, here.entered)
    elif live.ledger.posted.history[here.entered] != here.history:
        r.put(link, stage=Stage.PLAYING)
        replication.histories_differ(r, link, place.terminal)
    elif replication.is_different(r, here.entered, here.digest):
        replication.admit(r, link, replace(here, entered=len(live.posts)))
        told = r.count(r.s.link(link.number) or link, is_told=True)
        replication.ask_position(r, told, here.entered)
    else:
        _caught_up(r, link, place, here)


def _caught_up(r: Reaction, link: Link, place: Place, here: messages.Here) -> None:
    asked = r.live.desync
    if asked is not None and asked.told is None and asked.terminal == place.terminal:
        r.play(desync=None)  # it was restarted, which settles the difference
    _admit(r, link, place, here)
    replication.count_heard(r, link, place.terminal, here.entered)
    hear_waiting(r)


def _admit(r: Reaction, link: Link, place: Place, here: messages.Here) -> None:
    replication.admit(r, link, here)
    if place.terminal is not None:
        succession.tell(r, link, place.terminal)


# --- Messages to a joiner ----------------------------------------------------------------------


def joiner_hears(r: Reaction, link: Link, message: messages.Message) -> None:
    live, is_from_host = r.live, r.s.line.leads_to == r.s.host  # else from its successor
    match message:
        case messages.Entered(post):
            _entered(r, link, post)
        case messages.Refused(number, code, text):
            if live.asked is not None and live.asked.number == number:
                r.play(asked=None)
                refused(r, live.asked.body, code, text)
                replication.advance(r)
        case messages.Running():
            clocks.take_running(r, message)
        case messages.Watching(names, willing):
            r.play(watchers=names, willing=willing)
            is_ours = live.me is None and r.s.joining.what == messages.JOIN
            is_ours &= r.s.name in names[:willing]
            r.tell(events.Watching(names, willing, is_ours))
        case messages.Say(who, text) if is_from_host and who < len(live.watchers):
            name = live.watchers[who]
            r.tell(events.Said(text, name=name, is_ours=live.me is None and name == r.s.name))
        case messages.Presence(terminal, how) if 0 <= terminal < len(live.presence):
            clocks.set_presence(r, terminal, how)
        case messages.Lacking(count):
            for post in live.posts[count:]:
                r.send(link.number, messages.Held(post))
        case messages.PositionCheck(count, position) if count < len(live.digests):
            replication.answer_position(r, link, count, position)
        case messages.Stop():
            _stopped(r, link, message)
        case messages.Decline(codes.OTHER_MATCH | codes.HOST_BEHIND as code):
            r.end(events.Stopped(code))
        case messages.Succeed(meant):
            if not succession.is_heard(r, link, meant):
                reporting.bad(r, link, "declares a terminal gone that cannot be")
        case messages.Agreed(_, False) if not is_from_host:
            succession.ended(r)
        case messages.Bye() if is_from_host:
            reporting.left(r, r.s.host, is_closed=True)
        case messages.Bye():
            r.drop(link.number)
            links.away(r)
        case _:
            reporting.bad(r, link, f"sent {type(message).__name__} in mid-match")


def _entered(r: Reaction, link: Link, post: Post) -> None:
    live = r.live
    if post in reversed(live.posts):  # the host had lost it
        r.send(link.number, messages.Ack(r.live.ledger.posted.entered, r.live.digests[-1]))
        return
    try:
        replication.enter(r, post)
    except Late as error:
        if post.number <= r.live.ledger.posted.spoken[post.author]:  # its author has lost ours
            common = live.ledger.match.number
            reporting.stop(r, codes.HOST_BEHIND, replication.HAS_LOST, common=common)
        else:
            reporting.blame(
                r, r.s.line.leads_to, f"the host entered a post that came too late: {error}"
            )
        return
    except Foul as error:
        reporting.blame(r, error.terminal, str(error), post)
        return
    replication.take_later(r)
    asked = live.asked
    if asked is not None and post.author == live.me:
        r.play(asked=None)
        if post.body != asked.body and replication.is_still_wanted(r.live.ledger, asked):
            # what was entered is from before our restart; ask for the current one again
            r.play(wants=(asked.body, *r.live.wants))
    r.send(link.number, messages.Ack(r.live.ledger.posted.entered, r.live.digests[-1]))
    replication.advance(r)


def _stopped(r: Reaction, link: Link, stop: messages.Stop) -> None:
    """Handle a signed `Stop`, unless our own check shows who cheated."""
    live = r.live
    is_signed = audit.is_signed(live.ledger, live.posts, stop)
    if not is_signed or audit.is_of_another_match(live.ledger, stop):
        reporting.bad(r, link, "passes a word on that nobody has signed")
        return
    if stop.code == codes.DIGEST and live.desync is not None and live.desync.told:
        reporting.stop_desync(r, live.desync.told)
        return
    try:
        if live.asked is not None:  # perhaps the post that made the host stop
            apply.enter(live.ledger, live.asked)
    except Foul as error:
        if error.terminal != live.me:
            reporting.blame(r, error.terminal, str(error), live.asked)
            return
    except Late:
        pass
    _claimed(r, stop)


def _claimed(r: Reaction, stop: messages.Stop) -> None:
    """Stop because another terminal did, for a reason that we cannot verify."""
    live, who = r.live, r.live.ledger.roster.who
    r.do(Keep(Claim(stop)))
    if r.s.is_host:
        r.send_all(stop, but=r.s.line_to(stop.author))
    if stop.code in audit.OWN_TROUBLE and stop.author != r.s.host:
        clocks.terminal_failed(r, stop.author, stop.code)
        return
    blamed, to_blame = audit.blamed(live.ledger, stop), ""
    if blamed is not None:
        to_blame = events.US if blamed == live.me else who(blamed)
    what = f"{stop.code}, blames {who(blamed)}" if blamed is not None else stop.code
    r.do(Save(reporting.short(f"note stopped by {who(stop.author)} ({what}): {stop.text}")))
    code = codes.ACCUSED if stop.code == codes.FOUL else stop.code
    said = events.Stopped(code, stop.text, number=stop.number, common=live.ledger.match.number)
    r.end(replace(said, who=who(stop.author), is_claim=True, blamed=to_blame))


def resumed(r: Reaction, link: Link) -> None:
    for other in r.s.links:
        if other.number != link.number:
            r.drop(other.number)
    to = r.s.host if link.to is None else link.to
    r.set_line(main=link.number, retry_at=None, refused="", leads_to=to)
    # a new line ends a silence: messages on the old one may be late
    r.set_line(silence=(r.s.line.heard_at, r.now))
    live = r.s.live
    clocks.heard_host(r)
    if live is None or r.s.is_rematch:
        r.put(link, stage=Stage.SEATED)
        r.send(link.number, messages.Here(r.credentials.match_id, False, 0, UNKNOWN, bytes(32)))
        return
    succession.resumed(r, link)
    r.put(link, stage=Stage.PLAYING)
    stand = len(live.posts), live.digests[-1], live.ledger.posted.history[-1]
    r.send(link.number, messages.Here(live.roster.match_id, True, *stand))
    if live.ledger.time.left and live.me is not None:
        r.send(link.number, clocks.running(r))
    if live.asked is not None and not live.ledger.is_gone(live.me):
        r.send(link.number, messages.Request(live.asked))
    replication.advance(r)
