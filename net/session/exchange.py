"""What other terminals send during a match; pure.

    joiner                        host
    Request (a post)        →            in order? saved, then
                            ←     Entered           to all, in one order
    Ack (posts, digest)     →            saved there; another digest is a difference
                            ←     Refused           it came too late: make another
    Here (posts, digest)    →            after a new connection; the host sends what is missing

What is done with a post is in replication.py, what happens when two differ in desync.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.net.replica import apply, claims
from kumite.net.replica.ledger import UNKNOWN, Foul, Late
from kumite.net.session import (
    abort,
    commands,
    desync,
    events,
    healing,
    judging,
    links,
    lobby,
    notices,
    presence,
    refusals,
    replication,
    succession,
    thinking,
    watching,
)
from kumite.net.session.state import Stage
from kumite.net.wire import messages, posts

if TYPE_CHECKING:
    from kumite.net.session.state import Link, Place, Reaction
    from kumite.net.wire.posts import Body, Post

CHATTER: Final = 20  # words and offers of one joiner at once; then one a second

# --- The host's side --------------------------------------------------------------------------


def host_hears(r: Reaction, link: Link, message: messages.Message) -> None:
    """React to a terminal in the match (host)."""
    place = r.s.place(link.ticket)
    terminal = place.terminal if place is not None else None
    match message:
        case messages.Request(post) if place is not None and terminal is not None:
            _requested(r, link, place, terminal, post)
        case messages.Request(post) if r.live.ledger.is_gone(post.author):  # from before that
            r.send(link.number, messages.Refused(post.number, codes.LATE, "gone for good"))
        case messages.Running() if terminal is not None:
            thinking.remembered(r, terminal, message)
        case messages.Ack(count, _) if place is not None and count > len(r.live.posts):
            healing.ask(r, link, place, count)
        case messages.Ack(count, digest) if terminal is None:
            watching.acknowledged(r, link, count, digest)
        case messages.Ack(count, digest):
            desync.acknowledged(r, link, count, digest)
            if place is not None and r.s.awaited and not r.s.is_closed:
                healing.came_back(r, link, place, count)
                go_on(r)
        case messages.Decline() if place is not None and terminal is not None:
            r.drop(link.number)
            who = r.live.ledger.roster.who(terminal)
            presence.gone(r, terminal, f"{who} cannot come back into this match")
        case messages.Held(post) if place is not None:
            healing.given(r, link, place, post)
            go_on(r)
        case messages.Agreed() as answer if terminal is not None:
            succession.answered(r, terminal, answer)
        case messages.PositionCheck(count, position):
            desync.answered(r, link, count, position)
        case messages.Stop() as stop:
            if terminal is None:
                r.drop(link.number)
            elif stop.author != terminal or not claims.is_signed(r.live.ledger, r.live.posts, stop):
                abort.blame(r, terminal, "a word that is not signed by its sender")
            else:
                abort.heard(r, stop)
        case _:
            abort.bad(r, link, f"sent {type(message).__name__} in mid-match")


def go_on(r: Reaction) -> None:
    """Hear what was asked for while the host was waiting for posts that it had lost."""
    while r.s.waiting and not r.s.is_waiting and not r.s.is_closed:
        (number, request), *rest = r.s.waiting
        r.set(waiting=tuple(rest))
        if (link := r.s.link(number)) is not None:
            host_hears(r, link, request)


def _requested(r: Reaction, link: Link, place: Place, terminal: int, post: Post) -> None:
    if r.s.is_waiting:
        others = tuple(one for one in r.s.waiting if one[0] != link.number)
        r.set(waiting=(*others, (link.number, messages.Request(post))))
        return
    if post.author != terminal or not apply.is_signed(r.live.ledger, post):
        abort.blame(r, terminal, "a post that is not signed by its sender")
        return
    try:
        _check_now(r, place, terminal, post.body)
        replication.enter(r, post, is_checked=True)
    except Late as error:
        r.send(link.number, messages.Refused(post.number, error.code, abort.short(str(error))))
    except Foul as error:
        abort.blame(r, error.terminal, str(error), post)
    replication.advance(r)


def _check_now(r: Reaction, place: Place, terminal: int, body: Body) -> None:
    """Check what only the host can: what all wait for, how much somebody says, who is there.

    Raises:
        Late: not now.
    """
    if isinstance(body, posts.Play) and r.live.is_comparing:
        raise Late("two terminals have come to different positions; all are asked in a moment")
    if isinstance(body, posts.Flag | posts.Away) and r.s.succession is not None:
        raise Late("nobody's clock runs before it is settled who the host is")
    if isinstance(body, posts.Away) and (why := judging.why_not(r.live, body, r.now)):
        raise Late(why)
    if isinstance(body, posts.Words | posts.Offer | posts.Answer):
        until = max(place.talked, r.now) + 1
        if until > r.now + CHATTER:
            raise Late("that is too much at once; wait a few seconds")
        r.put_place(replace(place, talked=until))
    if isinstance(body, posts.Offer):
        why = commands.why_no_offer(r, terminal, body.kind, body.number)
        if why:
            raise Late(why)


def returned(r: Reaction, link: Link, here: messages.Here) -> None:
    """Take in a terminal that has come back (host)."""
    live, place = r.s.live, r.s.place(link.ticket)
    if place is None:  # has never sat down
        r.drop(link.number)
        return
    if live is not None and place.terminal is None and not watching.may_come(r, link):
        r.drop(link.number)
        return
    if live is None or r.s.is_rematch:
        old = r.s.link_of(link.ticket)
        if old is not None:
            r.drop(old.number)
        lobby.begin_anew(r)
        lobby.invite(r, link)
    elif here.has_begun and here.match_id != live.roster.match_id:
        r.send(link.number, messages.Decline(codes.OTHER_MATCH))
        r.drop(link.number)
    elif here.has_begun and here.entered >= len(live.digests):
        _admit(r, link, place, replace(here, entered=len(live.posts)))
        healing.came_back(r, r.s.link(link.number) or link, place, here.entered)
    elif here.has_begun and live.ledger.history[here.entered] != here.history:
        r.put(link, stage=Stage.PLAYING)
        healing.differs(r, link, place)
    elif here.has_begun and desync.is_different(r, here.entered, here.digest):
        replication.admit(r, link, replace(here, entered=len(live.posts)))
        desync.ask(r, r.put(r.s.link(link.number) or link, is_told=True), here.entered)
    else:
        asked = live.desync
        if asked is not None and asked.told is None and asked.terminal == place.terminal:
            r.play(desync=None)  # it has been started anew, and what differed is mended
        _admit(r, link, place, here)
        healing.came_back(r, link, place, here.entered)
        go_on(r)


def _admit(r: Reaction, link: Link, place: Place, here: messages.Here) -> None:
    replication.admit(r, link, here)
    if place.terminal is not None:
        succession.tell(r, link, place.terminal)


# --- The joiner's side ------------------------------------------------------------------------


def joiner_hears(r: Reaction, link: Link, message: messages.Message) -> None:
    """React to the host in the match."""
    live = r.live
    match message:
        case messages.Entered(post):
            _entered(r, link, post)
        case messages.Refused(number, code, text):
            asked = live.asked
            if asked is not None and asked.number == number:
                r.play(asked=None)
                commands.refused(r, asked.body, code, text)
                replication.advance(r)
        case messages.Running():
            thinking.heard(r, message)
        case messages.Watching(names):
            r.play(watchers=names)
            r.tell(events.Watching(names))
        case messages.Presence(terminal, how) if 0 <= terminal < len(live.presence):
            presence.note(r, terminal, how)
        case messages.Lacking(count):
            healing.asked(r, link, count)
        case messages.PositionCheck(count, position) if count < len(live.digests):
            desync.asked(r, link, count, position)
        case messages.Stop() as stop:
            _stopped(r, link, stop)
        case messages.Decline(codes.OTHER_MATCH | codes.HOST_BEHIND as code):
            r.end(events.Stopped(*refusals.told(code)))
        case messages.Succeed(meant) if not succession.is_heard(r, link, meant):
            abort.bad(r, link, "says of somebody that they are gone who cannot be")
        case messages.Succeed():
            pass
        case messages.Agreed(_, 0) if r.s.leads_to != r.s.host:
            succession.ended(r)
        case messages.Bye() if r.s.leads_to != r.s.host:  # would have carried the table on
            r.drop(link.number)
            links.away(r)
        case messages.Bye():
            notices.left(r, r.s.host, is_closed=True)
        case _:
            abort.bad(r, link, f"sent {type(message).__name__} in mid-match")


def _entered(r: Reaction, link: Link, post: Post) -> None:
    live = r.live
    if healing.has(r, post):  # the host had lost it
        r.send(link.number, messages.Ack(r.live.ledger.entered, r.live.digests[-1]))
        return
    try:
        replication.enter(r, post)
    except Late as error:
        if healing.is_other(r, post):
            abort.stop(
                r, codes.HOST_BEHIND, f"the {refusals.HAS_LOST}", common=live.ledger.match.number
            )
        else:
            abort.blame(r, r.s.leads_to, f"the host entered a post that came too late: {error}")
        return
    except Foul as error:
        abort.blame(r, error.terminal, str(error), post)
        return
    replication.take_later(r)
    asked = live.asked
    if asked is not None and post.author == live.me:
        r.play(asked=None)
        if post.body != asked.body and replication.is_still_wanted(r.live.ledger, asked):
            # what was entered is from before our program was started anew; what is due comes again
            r.play(wants=(asked.body, *r.live.wants))
    r.send(link.number, messages.Ack(r.live.ledger.entered, r.live.digests[-1]))
    replication.advance(r)


def _stopped(r: Reaction, link: Link, stop: messages.Stop) -> None:
    """Hear why somebody stops the match, unless we find out by ourselves who has played false."""
    live = r.live
    if not claims.is_signed(live.ledger, live.posts, stop):
        abort.bad(r, link, "passes a word on that nobody has signed")
        return
    if stop.code == codes.DIGEST and live.desync is not None and live.desync.told:
        abort.stop_desync(r, live.desync.told)
        return
    try:
        if live.asked is not None:  # the post over which the host has stopped, perhaps
            apply.enter(live.ledger, live.asked)
    except Foul as error:
        if error.terminal != live.me:
            abort.blame(r, error.terminal, str(error), live.asked)
            return
    except Late:
        pass
    abort.heard(r, stop)


def resumed(r: Reaction, link: Link) -> None:
    """Go on over a new connection (joiner)."""
    for other in r.s.links:
        if other.number != link.number:
            r.drop(other.number)
    to = r.s.host if link.to is None else link.to
    r.set(main=link.number, retry_at=None, refused="", leads_to=to)
    live = r.s.live
    presence.heard_host(r)
    assert r.s.credentials is not None
    if live is None or r.s.is_rematch:
        r.put(link, stage=Stage.SEATED)
        r.send(link.number, messages.Here(r.s.credentials.match_id, 0, 0, UNKNOWN, bytes(32)))
        return
    succession.resumed(r, link)
    r.put(link, stage=Stage.PLAYING)
    r.send(
        link.number,
        messages.Here(
            live.roster.match_id,
            1,
            len(live.posts),
            live.digests[-1],
            live.ledger.history[-1],
        ),
    )
    if live.ledger.clocks and live.me is not None:
        r.send(link.number, thinking.said(r))
    if live.asked is not None and not live.ledger.is_gone(live.me):
        r.send(link.number, messages.Request(live.asked))
    replication.advance(r)
