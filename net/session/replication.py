"""The match at a LAN table: posts are requested, entered, saved, passed on and acknowledged; pure.

    joiner                        host
    Request (a post)        →            in order? saved, then
                            ←     Entered           to all, in one order
    Ack (posts, digest)     →            saved there; another digest is a difference
                            ←     Refused           it came too late: make another
    Here (posts, digest)    →            after a new connection; the host sends what is missing

What a post means is in net/replica/apply.py, what is due in net/replica/due.py, what people do in
commands.py, what happens when two differ in desync.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.net.crypto import keys
from kumite.net.replica import apply, audit, due
from kumite.net.replica.ledger import Foul, Late
from kumite.net.session import abort, commands, desync, events, lobby, notices
from kumite.net.session.events import Keep, Save
from kumite.net.session.state import LiveMatch, Stage
from kumite.net.wire import messages, posts

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.core.match import Match
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.roster import Roster
    from kumite.net.session.state import Link, Place, Reaction
    from kumite.net.wire.posts import Body, Post

CHATTER: Final = 20  # words and offers of one joiner at once; then one a second


def file_name(match_id: str, ticket: int) -> str:
    """Return the name of the file from which a terminal can go on."""
    return f"{match_id}-{ticket}.table"


def begin(t: Reaction, roster: Roster, me: int | None) -> None:
    """Begin the match, saved first."""
    assert t.s.credentials is not None
    ledger = apply.begin(roster, me, t.s.credentials.seed, t.s.group)
    extra = (f"table {file_name(roster.match_id, t.s.credentials.ticket)}",)
    header = replace(roster.header(me), extra=extra)
    t.set(
        live=LiveMatch(
            roster,
            ledger,
            header,
            keys.Signer.of(t.s.credentials.seed),
            digests=(ledger.match.digest,),
            presence=(messages.THERE,) * len(roster.terminals),
            since=t.now,
        )
    )
    t.do(Keep(events.Start(roster, me)))
    t.do(Save(header))
    t.do(Save(ledger.match))
    notices.match_began(t)
    commands.think(t)


def restore(
    t: Reaction,
    roster: Roster,
    me: int | None,
    kept: list[events.Secret | Post],
) -> None:
    """Go on with a match from what was kept; a hidden choice not entered goes out again.

    Raises:
        KumiteError: what was kept does not fit together.
    """
    assert t.s.credentials is not None
    ledger = apply.begin(roster, me, t.s.credentials.seed, t.s.group)
    entered: list[Post] = []
    chosen: dict[Seat, tuple[Match, posts.Play]] = {}  # and when; not entered yet
    digests, settled = [ledger.match.digest], 0
    for record in kept:
        if isinstance(record, events.Secret):
            ledger = replace(ledger, own=(*ledger.own, record.own))
            chosen[record.play.seat] = ledger.match, record.play
            continue
        before, ledger = ledger, apply.enter(ledger, record)
        entered.append(record)
        digests.append(desync.digest(ledger))
        settled = ledger.entered if _is_settled(before, ledger) else settled
        if isinstance(record.body, posts.Play) and record.author == me:
            chosen.pop(record.body.seat, None)
    extra = (f"table {file_name(roster.match_id, t.s.credentials.ticket)}",)
    wants = tuple(play for at, play in chosen.values() if at is ledger.match and not ledger.is_over)
    t.set(
        live=LiveMatch(
            roster,
            ledger,
            replace(roster.header(me), extra=extra),
            keys.Signer.of(t.s.credentials.seed),
            tuple(entered),
            tuple(digests),
            (messages.THERE,) * len(roster.terminals),
            wants,
            is_audited=ledger.is_over and audit.verdict(ledger) is not None,
            settled=settled,
        )
    )


def signed(t: Reaction, body: Body) -> Post:
    """Return our next post, checked: what is kept must be readable, also if nobody is there."""
    posts.BODIES.checked(body)
    live = t.live
    assert live.me is not None
    number = live.ledger.spoken[live.me] + 1
    post = posts.Post(live.me, number, body, live.ledger.entered, b"")
    return replace(post, signature=live.signer.sign(apply.signed_bytes(live.ledger, post)))


def enter(t: Reaction, post: Post, *, is_checked: bool = False) -> None:
    """Enter a post: saved, (host) passed on, then told.

    Raises:
        Foul, Late: it cannot be entered; nothing has changed.
    """
    before = t.live
    ledger = apply.enter(before.ledger, post, is_checked=is_checked)
    t.do(Keep(post))
    t.play(
        ledger=ledger,
        posts=(*before.posts, post),
        digests=(*before.digests, desync.digest(ledger)),
        since=t.now,
        is_stalled=False,
        is_audited=before.is_audited and ledger.is_over,
    )
    if ledger.match.number < before.ledger.match.number:  # nobody wants what was chosen there
        wants = tuple(one for one in t.live.wants if not isinstance(one, posts.Play))
        t.play(wants=wants)
    if _is_settled(before.ledger, ledger):
        t.play(desync=None, settled=ledger.entered)
    notices.save(t, before, post)
    if t.s.is_host:
        t.send_all(messages.Entered(post))
    notices.tell(t, before, post)
    commands.think(t)
    found = t.live.desync
    if t.s.is_host and before.ledger.is_held and not ledger.is_held and found and found.told:
        desync.stop(t, found.told)


def _is_settled(before: Ledger, after: Ledger) -> bool:
    """Return whether all go on from the last step on which they agree."""
    return before.is_held and after.match.number < before.match.number


def advance(t: Reaction) -> None:
    """Post what is due from us and what our people want; the host enters it, others ask him."""
    while not t.s.is_closed and t.s.live is not None and not t.s.is_rematch:
        live = t.live
        if live.me is None or live.asked is not None:
            break
        if _is_looking(live) and t.s.is_host:
            break
        body = due.due(live.ledger, is_open=_is_open(t))
        if body is None:
            if not live.wants:
                break
            body = live.wants[0]
            t.play(wants=live.wants[1:])
        post = signed(t, body)
        if t.s.is_host:
            try:
                enter(t, post, is_checked=True)
            except Late as error:
                notices.not_done(t, error)
            except Foul as error:
                abort.blame(t, error.terminal, str(error))
        else:
            t.play(asked=post)
            t.send(t.s.main, messages.Request(post))
    _audit(t)


def _is_looking(live: LiveMatch) -> bool:
    """Return whether it is asked what differs: until then, the match waits."""
    return live.desync is not None and not live.ledger.is_held


def _is_open(t: Reaction) -> bool:
    return t.s.credentials is None or t.s.credentials.is_open


def _audit(t: Reaction) -> None:
    """Tell what the audit has found, once; then perhaps the next match begins."""
    live = t.s.live
    if t.s.is_closed or live is None or not live.ledger.is_over:
        return
    if not live.is_audited:
        verdict = audit.verdict(live.ledger)
        if verdict is None:
            return
        t.play(is_audited=True)
        notices.audited(t, verdict)
    if t.s.is_host and t.live.ledger.wants_rematch and not t.s.is_rematch:
        lobby.rematch(t)


# --- Connections ------------------------------------------------------------------------------


def admit(t: Reaction, link: Link, here: messages.Here | None = None) -> None:
    """Let a terminal into the match that has live, and send what it does not have (host)."""
    live, place = t.live, t.s.place(link.ticket)
    assert place is not None
    for old in t.s.links:
        if old.ticket == link.ticket and old.number != link.number:
            t.drop(old.number)
    link = t.put(link, stage=Stage.PLAYING, heard=t.now, pinged=t.now, is_quiet=False)
    count = 0
    if here is None or not here.has_begun:
        me = messages.WATCHER if place.terminal is None else place.terminal
        t.send(link.number, messages.Begin(me, live.roster.packed()))
    else:
        count = here.entered
    for post in live.posts[count:]:
        t.send(link.number, messages.Entered(post))
    for number, how in enumerate(live.presence):
        if how != messages.THERE and number != place.terminal:
            t.send(link.number, messages.Presence(number, how))
    if place.terminal is not None:
        presence(t, place.terminal, messages.THERE)


def presence(t: Reaction, terminal: int, how: int) -> None:
    """Note how it stands with a terminal; tell our people, and (host) everybody."""
    live = t.live
    was = live.presence[terminal]
    if was == how or terminal == live.me:
        return
    all_of = (*live.presence[:terminal], how, *live.presence[terminal + 1 :])
    t.play(presence=all_of)
    if t.s.is_host:
        t.send_all(messages.Presence(terminal, how))
    notices.presence(t, terminal, was, how)


def returned(t: Reaction, link: Link, here: messages.Here) -> None:
    """Take in who has come back (host)."""
    live, place = t.s.live, t.s.place(link.ticket)
    if place is None:  # has never sat down
        t.drop(link.number)
        return
    if live is None or t.s.is_rematch:
        old = t.s.link_of(link.ticket)
        if old is not None:
            t.drop(old.number)
        lobby.begin_anew(t)
        lobby.invite(t, link)
        return
    if here.has_begun and here.match_id != live.roster.match_id:
        text = "The table plays another match; go on with that one"
        t.send(link.number, messages.Stop(0, "other-match", text, messages.WATCHER))
        t.drop(link.number)
        return
    if here.has_begun:
        count = here.entered
        if count >= len(live.digests) and place.terminal is None:
            t.drop(link.number)
            return
        if count >= len(live.digests):
            text = f"{_who(t, link)} has {count} posts of this match, the host {len(live.posts)}"
            t.put(link, stage=Stage.PLAYING)
            abort.stop(t, "host-behind", text, common=live.ledger.match.number)
            return
        if desync.is_different(t, count, here.digest):
            admit(t, link, replace(here, entered=len(live.posts)))
            desync.ask(t, t.s.link(link.number) or link, count)
            return
    asked = live.desync
    if asked is not None and asked.told is None and asked.terminal == place.terminal:
        t.play(desync=None)  # it has been started anew, and what differed is mended
    admit(t, link, here)


def resumed(t: Reaction, link: Link) -> None:
    """Go on over a new connection (joiner)."""
    for other in t.s.links:
        if other.number != link.number:
            t.drop(other.number)
    t.set(main=link.number, retry_at=None, refused="")
    live = t.s.live
    commands.heard_host(t)
    assert t.s.credentials is not None
    if live is None or t.s.is_rematch:
        t.put(link, stage=Stage.SEATED)
        t.send(link.number, messages.Here(t.s.credentials.match_id, 0, 0, desync.UNKNOWN))
        return
    t.put(link, stage=Stage.PLAYING)
    t.send(link.number, messages.Here(live.roster.match_id, 1, len(live.posts), live.digests[-1]))
    if live.asked is not None:
        t.send(link.number, messages.Request(live.asked))
    advance(t)


# --- What comes from the others ---------------------------------------------------------------


def _who(t: Reaction, link: Link) -> str:
    place = t.s.place(link.ticket)
    if place is None or place.terminal is None:
        return place.name if place and place.name else "somebody who looks on"
    return t.live.ledger.roster.who(place.terminal)


def host_hears(t: Reaction, link: Link, message: messages.Message) -> None:
    """React to a terminal in the match (host)."""
    place = t.s.place(link.ticket)
    terminal = place.terminal if place is not None else None
    match message:
        case messages.Request(post) if place is not None and terminal is not None:
            _requested(t, link, place, terminal, post)
        case messages.Ack(count, digest):
            desync.acknowledged(t, link, count, digest)
        case messages.PositionCheck(count, position):
            desync.answered(t, link, count, position)
        case messages.Stop(number, code, text, blamed):
            if terminal is None:
                t.drop(link.number)
            else:
                said = f"{_who(t, link)} stopped the match: {text}"
                abort.stop(t, code, said, number=number, terminal=blamed)
        case _:
            abort.bad(t, link, f"sent {type(message).__name__} in mid-match")


def _requested(t: Reaction, link: Link, place: Place, terminal: int, post: Post) -> None:
    if post.author != terminal or not apply.is_signed(t.live.ledger, post):
        abort.blame(t, terminal, "a post that is not signed by who sent it")
        return
    try:
        _check_now(t, place, terminal, post.body)
        enter(t, post, is_checked=True)
    except Late as error:
        t.send(link.number, messages.Refused(post.number, error.code, abort.short(str(error))))
    except Foul as error:
        abort.blame(t, error.terminal, str(error))
    advance(t)


def _check_now(t: Reaction, place: Place, terminal: int, body: Body) -> None:
    """Check what only the host can: what all wait for, how much somebody says, who is there.

    Raises:
        Late: not now.
    """
    if isinstance(body, posts.Play) and _is_looking(t.live):
        raise Late("two terminals have come to different positions; all are asked in a moment")
    if isinstance(body, posts.Words | posts.Offer | posts.Answer):
        until = max(place.talked, t.now) + 1
        if until > t.now + CHATTER:
            raise Late("that is too much at once; wait a few seconds")
        t.put_place(replace(place, talked=until))
    if isinstance(body, posts.Offer):
        why = commands.why_no_offer(t.live, terminal, body.kind, body.number)
        if why:
            raise Late(why)


def joiner_hears(t: Reaction, link: Link, message: messages.Message) -> None:
    """React to the host in the match."""
    live = t.live
    match message:
        case messages.Entered(post):
            _entered(t, link, post)
        case messages.Refused(number, code, text):
            asked = live.asked
            if asked is not None and asked.number == number:
                t.play(asked=None)
                commands.refused(t, asked.body, code, text)
                advance(t)
        case messages.Presence(terminal, how) if 0 <= terminal < len(live.presence):
            presence(t, terminal, how)
        case messages.PositionCheck(count, position) if count < len(live.digests):
            desync.asked(t, link, count, position)
        case messages.Stop(number, code, text, blamed):
            _stopped(t, number, code, text, blamed)
        case messages.Bye():
            notices.left(t, 0, is_closed=True)
        case _:
            abort.bad(t, link, f"sent {type(message).__name__} in mid-match")


def _entered(t: Reaction, link: Link, post: Post) -> None:
    live = t.live
    try:
        enter(t, post)
    except Late as error:
        abort.blame(t, 0, f"the host entered a post that came too late: {error}")
        return
    except Foul as error:
        abort.blame(t, error.terminal, str(error))
        return
    asked = live.asked
    if asked is not None and post.author == live.me:
        t.play(asked=None)
        if post.body != asked.body and _is_still_wanted(t.live.ledger, asked):
            # what was entered is from before our program was started anew; what is due comes again
            t.play(wants=(asked.body, *t.live.wants))
    t.send(link.number, messages.Ack(t.live.ledger.entered, t.live.digests[-1]))
    advance(t)


def _is_still_wanted(ledger: Ledger, post: Post) -> bool:
    """Return whether what people wanted can still be posted: not a choice that has been made."""
    body = post.body
    if isinstance(body, posts.Play):
        is_next = body.number == ledger.match.number + 1 and post.seen >= ledger.taken_back
        return is_next and not ledger.has_chosen(body.seat)
    return isinstance(body, commands.WANTED)


def _stopped(t: Reaction, number: int, code: str, text: str, blamed: int) -> None:
    """Stop with the host, unless we find ourselves who has played false."""
    live = t.live
    if code == "digest" and live.desync is not None and live.desync.told:
        desync.stop(t, live.desync.told)
        return
    try:
        if live.asked is not None:  # the post over which the host has stopped, perhaps
            apply.enter(live.ledger, live.asked)
    except Foul as error:
        if error.terminal != live.me:
            abort.blame(t, error.terminal, str(error))
            return
    except Late:
        pass
    if blamed == live.me:
        text, blamed = f"the host says that we have played false: {text}", -1
    abort.stop(t, code, text, number=number, terminal=blamed, is_told=False)
