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
from kumite.net.replica.records import MatchStart, Secret
from kumite.net.session import abort, commands, desync, lobby, notices
from kumite.net.session.effects import Keep, Save
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


def begin(r: Reaction, roster: Roster, me: int | None) -> None:
    """Begin the match, saved first."""
    assert r.s.credentials is not None
    ledger = apply.begin(roster, me, r.s.credentials.seed, r.s.group)
    extra = (f"table {file_name(roster.match_id, r.s.credentials.ticket)}",)
    header = replace(roster.header(me), extra=extra)
    r.set(
        live=LiveMatch(
            roster,
            ledger,
            header,
            keys.Signer.of(r.s.credentials.seed),
            digests=(ledger.match.digest,),
            presence=(messages.THERE,) * len(roster.terminals),
            since=r.now,
        )
    )
    r.do(Keep(MatchStart(roster, me)))
    r.do(Save(header))
    r.do(Save(ledger.match))
    notices.match_began(r)
    commands.think(r)


def restore(
    r: Reaction,
    roster: Roster,
    me: int | None,
    kept: list[Secret | Post],
) -> None:
    """Go on with a match from what was kept; a hidden choice not entered goes out again.

    Raises:
        KumiteError: what was kept does not fit together.
    """
    assert r.s.credentials is not None
    ledger = apply.begin(roster, me, r.s.credentials.seed, r.s.group)
    entered: list[Post] = []
    chosen: dict[Seat, tuple[Match, posts.Play]] = {}  # and when; not entered yet
    digests, settled = [ledger.match.digest], 0
    for record in kept:
        if isinstance(record, Secret):
            ledger = replace(ledger, own=(*ledger.own, record.own))
            chosen[record.play.seat] = ledger.match, record.play
            continue
        before, ledger = ledger, apply.enter(ledger, record)
        entered.append(record)
        digests.append(desync.digest(ledger))
        settled = ledger.entered if _is_settled(before, ledger) else settled
        if isinstance(record.body, posts.Play) and record.author == me:
            chosen.pop(record.body.seat, None)
    extra = (f"table {file_name(roster.match_id, r.s.credentials.ticket)}",)
    wants = tuple(play for at, play in chosen.values() if at is ledger.match and not ledger.is_over)
    r.set(
        live=LiveMatch(
            roster,
            ledger,
            replace(roster.header(me), extra=extra),
            keys.Signer.of(r.s.credentials.seed),
            tuple(entered),
            tuple(digests),
            (messages.THERE,) * len(roster.terminals),
            wants,
            is_audited=ledger.is_over and audit.verdict(ledger) is not None,
            settled=settled,
        )
    )


def signed(r: Reaction, body: Body) -> Post:
    """Return our next post, checked: what is kept must be readable, also if nobody is there."""
    posts.BODIES.checked(body)
    live = r.live
    assert live.me is not None
    number = live.ledger.spoken[live.me] + 1
    post = posts.Post(live.me, number, body, live.ledger.entered, b"")
    return replace(post, signature=live.signer.sign(apply.signed_bytes(live.ledger, post)))


def enter(r: Reaction, post: Post, *, is_checked: bool = False) -> None:
    """Enter a post: saved, (host) passed on, then told.

    Raises:
        Foul, Late: it cannot be entered; nothing has changed.
    """
    before = r.live
    ledger = apply.enter(before.ledger, post, is_checked=is_checked)
    r.do(Keep(post))
    r.play(
        ledger=ledger,
        posts=(*before.posts, post),
        digests=(*before.digests, desync.digest(ledger)),
        since=r.now,
        is_stalled=False,
        is_audited=before.is_audited and ledger.is_over,
    )
    if ledger.match.number < before.ledger.match.number:  # nobody wants what was chosen there
        wants = tuple(one for one in r.live.wants if not isinstance(one, posts.Play))
        r.play(wants=wants)
    if _is_settled(before.ledger, ledger):
        r.play(desync=None, settled=ledger.entered)
    notices.save(r, before, post)
    if r.s.is_host:
        r.send_all(messages.Entered(post))
    notices.tell(r, before, post)
    commands.think(r)
    found = r.live.desync
    if r.s.is_host and before.ledger.is_held and not ledger.is_held and found and found.told:
        desync.stop(r, found.told)


def _is_settled(before: Ledger, after: Ledger) -> bool:
    """Return whether all go on from the last step on which they agree."""
    return before.is_held and after.match.number < before.match.number


def advance(r: Reaction) -> None:
    """Post what is due from us and what our people want; the host enters it, others ask him."""
    while not r.s.is_closed and r.s.live is not None and not r.s.is_rematch:
        live = r.live
        if live.me is None or live.asked is not None:
            break
        if _is_looking(live) and r.s.is_host:
            break
        body = due.due(live.ledger, is_open=_is_open(r))
        if body is None:
            if not live.wants:
                break
            body = live.wants[0]
            r.play(wants=live.wants[1:])
        post = signed(r, body)
        if r.s.is_host:
            try:
                enter(r, post, is_checked=True)
            except Late as error:
                notices.not_done(r, error)
            except Foul as error:
                abort.blame(r, error.terminal, str(error))
        else:
            r.play(asked=post)
            r.send(r.s.main, messages.Request(post))
    _audit(r)


def _is_looking(live: LiveMatch) -> bool:
    """Return whether it is asked what differs: until then, the match waits."""
    return live.desync is not None and not live.ledger.is_held


def _is_open(r: Reaction) -> bool:
    return r.s.credentials is None or r.s.credentials.is_open


def _audit(r: Reaction) -> None:
    """Tell what the audit has found, once; then perhaps the next match begins."""
    live = r.s.live
    if r.s.is_closed or live is None or not live.ledger.is_over:
        return
    if not live.is_audited:
        verdict = audit.verdict(live.ledger)
        if verdict is None:
            return
        r.play(is_audited=True)
        notices.audited(r, verdict)
    if r.s.is_host and r.live.ledger.wants_rematch and not r.s.is_rematch:
        lobby.rematch(r)


# --- Connections ------------------------------------------------------------------------------


def admit(r: Reaction, link: Link, here: messages.Here | None = None) -> None:
    """Let a terminal into the match that has begun, and send what it does not have (host)."""
    live, place = r.live, r.s.place(link.ticket)
    assert place is not None
    for old in r.s.links:
        if old.ticket == link.ticket and old.number != link.number:
            r.drop(old.number)
    link = r.put(link, stage=Stage.PLAYING, heard=r.now, pinged=r.now, is_quiet=False)
    count = 0
    if here is None or not here.has_begun:
        me = messages.WATCHER if place.terminal is None else place.terminal
        r.send(link.number, messages.Begin(me, live.roster.packed()))
    else:
        count = here.entered
    for post in live.posts[count:]:
        r.send(link.number, messages.Entered(post))
    for number, how in enumerate(live.presence):
        if how != messages.THERE and number != place.terminal:
            r.send(link.number, messages.Presence(number, how))
    if place.terminal is not None:
        presence(r, place.terminal, messages.THERE)


def presence(r: Reaction, terminal: int, how: int) -> None:
    """Note how it stands with a terminal; tell our people, and (host) everybody."""
    live = r.live
    was = live.presence[terminal]
    if was == how or terminal == live.me:
        return
    all_of = (*live.presence[:terminal], how, *live.presence[terminal + 1 :])
    r.play(presence=all_of)
    if r.s.is_host:
        r.send_all(messages.Presence(terminal, how))
    notices.presence(r, terminal, was, how)


def returned(r: Reaction, link: Link, here: messages.Here) -> None:
    """Take in who has come back (host)."""
    live, place = r.s.live, r.s.place(link.ticket)
    if place is None:  # has never sat down
        r.drop(link.number)
        return
    if live is None or r.s.is_rematch:
        old = r.s.link_of(link.ticket)
        if old is not None:
            r.drop(old.number)
        lobby.begin_anew(r)
        lobby.invite(r, link)
        return
    if here.has_begun and here.match_id != live.roster.match_id:
        text = "The table plays another match; go on with that one"
        r.send(link.number, messages.Stop(0, "other-match", text, messages.WATCHER))
        r.drop(link.number)
        return
    if here.has_begun:
        count = here.entered
        if count >= len(live.digests) and place.terminal is None:
            r.drop(link.number)
            return
        if count >= len(live.digests):
            text = f"{_who(r, link)} has {count} posts of this match, the host {len(live.posts)}"
            r.put(link, stage=Stage.PLAYING)
            abort.stop(r, "host-behind", text, common=live.ledger.match.number)
            return
        if desync.is_different(r, count, here.digest):
            admit(r, link, replace(here, entered=len(live.posts)))
            desync.ask(r, r.s.link(link.number) or link, count)
            return
    asked = live.desync
    if asked is not None and asked.told is None and asked.terminal == place.terminal:
        r.play(desync=None)  # it has been started anew, and what differed is mended
    admit(r, link, here)


def resumed(r: Reaction, link: Link) -> None:
    """Go on over a new connection (joiner)."""
    for other in r.s.links:
        if other.number != link.number:
            r.drop(other.number)
    r.set(main=link.number, retry_at=None, refused="")
    live = r.s.live
    commands.heard_host(r)
    assert r.s.credentials is not None
    if live is None or r.s.is_rematch:
        r.put(link, stage=Stage.SEATED)
        r.send(link.number, messages.Here(r.s.credentials.match_id, 0, 0, desync.UNKNOWN))
        return
    r.put(link, stage=Stage.PLAYING)
    r.send(link.number, messages.Here(live.roster.match_id, 1, len(live.posts), live.digests[-1]))
    if live.asked is not None:
        r.send(link.number, messages.Request(live.asked))
    advance(r)


# --- What comes from the others ---------------------------------------------------------------


def _who(r: Reaction, link: Link) -> str:
    place = r.s.place(link.ticket)
    if place is None or place.terminal is None:
        return place.name if place and place.name else "somebody who looks on"
    return r.live.ledger.roster.who(place.terminal)


def host_hears(r: Reaction, link: Link, message: messages.Message) -> None:
    """React to a terminal in the match (host)."""
    place = r.s.place(link.ticket)
    terminal = place.terminal if place is not None else None
    match message:
        case messages.Request(post) if place is not None and terminal is not None:
            _requested(r, link, place, terminal, post)
        case messages.Ack(count, digest):
            desync.acknowledged(r, link, count, digest)
        case messages.PositionCheck(count, position):
            desync.answered(r, link, count, position)
        case messages.Stop(number, code, text, blamed):
            if terminal is None:
                r.drop(link.number)
            else:
                said = f"{_who(r, link)} stopped the match: {text}"
                abort.stop(r, code, said, number=number, terminal=blamed)
        case _:
            abort.bad(r, link, f"sent {type(message).__name__} in mid-match")


def _requested(r: Reaction, link: Link, place: Place, terminal: int, post: Post) -> None:
    if post.author != terminal or not apply.is_signed(r.live.ledger, post):
        abort.blame(r, terminal, "a post that is not signed by who sent it")
        return
    try:
        _check_now(r, place, terminal, post.body)
        enter(r, post, is_checked=True)
    except Late as error:
        r.send(link.number, messages.Refused(post.number, error.code, abort.short(str(error))))
    except Foul as error:
        abort.blame(r, error.terminal, str(error))
    advance(r)


def _check_now(r: Reaction, place: Place, terminal: int, body: Body) -> None:
    """Check what only the host can: what all wait for, how much somebody says, who is there.

    Raises:
        Late: not now.
    """
    if isinstance(body, posts.Play) and _is_looking(r.live):
        raise Late("two terminals have come to different positions; all are asked in a moment")
    if isinstance(body, posts.Words | posts.Offer | posts.Answer):
        until = max(place.talked, r.now) + 1
        if until > r.now + CHATTER:
            raise Late("that is too much at once; wait a few seconds")
        r.put_place(replace(place, talked=until))
    if isinstance(body, posts.Offer):
        why = commands.why_no_offer(r.live, terminal, body.kind, body.number)
        if why:
            raise Late(why)


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
                advance(r)
        case messages.Presence(terminal, how) if 0 <= terminal < len(live.presence):
            presence(r, terminal, how)
        case messages.PositionCheck(count, position) if count < len(live.digests):
            desync.asked(r, link, count, position)
        case messages.Stop(number, code, text, blamed):
            _stopped(r, number, code, text, blamed)
        case messages.Bye():
            notices.left(r, 0, is_closed=True)
        case _:
            abort.bad(r, link, f"sent {type(message).__name__} in mid-match")


def _entered(r: Reaction, link: Link, post: Post) -> None:
    live = r.live
    try:
        enter(r, post)
    except Late as error:
        abort.blame(r, 0, f"the host entered a post that came too late: {error}")
        return
    except Foul as error:
        abort.blame(r, error.terminal, str(error))
        return
    asked = live.asked
    if asked is not None and post.author == live.me:
        r.play(asked=None)
        if post.body != asked.body and _is_still_wanted(r.live.ledger, asked):
            # what was entered is from before our program was started anew; what is due comes again
            r.play(wants=(asked.body, *r.live.wants))
    r.send(link.number, messages.Ack(r.live.ledger.entered, r.live.digests[-1]))
    advance(r)


def _is_still_wanted(ledger: Ledger, post: Post) -> bool:
    """Return whether what people wanted can still be posted: not a choice that has been made."""
    body = post.body
    if isinstance(body, posts.Play):
        is_next = body.number == ledger.match.number + 1 and post.seen >= ledger.taken_back
        return is_next and not ledger.has_chosen(body.seat)
    return isinstance(body, commands.WANTED)


def _stopped(r: Reaction, number: int, code: str, text: str, blamed: int) -> None:
    """Stop with the host, unless we find ourselves who has played false."""
    live = r.live
    if code == "digest" and live.desync is not None and live.desync.told:
        desync.stop(r, live.desync.told)
        return
    try:
        if live.asked is not None:  # the post over which the host has stopped, perhaps
            apply.enter(live.ledger, live.asked)
    except Foul as error:
        if error.terminal != live.me:
            abort.blame(r, error.terminal, str(error))
            return
    except Late:
        pass
    if blamed == live.me:
        text, blamed = f"the host says that we have played false: {text}", -1
    abort.stop(r, code, text, number=number, terminal=blamed, is_told=False)
