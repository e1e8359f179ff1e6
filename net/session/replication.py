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
from kumite.net.session.state import Begun, Stage
from kumite.net.wire import messages, posts

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.core.match import Match
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.roster import Roster
    from kumite.net.session.state import Link, Place, Turn
    from kumite.net.wire.posts import Body, Post

CHATTER: Final = 20  # words and offers of one joiner at once; then one a second


def file_name(match_id: str, ticket: int) -> str:
    """Return the name of the file from which a terminal can go on."""
    return f"{match_id}-{ticket}.table"


def begin(t: Turn, roster: Roster, me: int | None) -> None:
    """Begin the match, saved first."""
    assert t.s.pass_ is not None
    ledger = apply.begin(roster, me, t.s.pass_.seed, t.s.group)
    extra = (f"table {file_name(roster.match_id, t.s.pass_.ticket)}",)
    header = replace(roster.header(me), extra=extra)
    t.set(
        begun=Begun(
            roster,
            ledger,
            header,
            keys.Signer.of(t.s.pass_.seed),
            digests=(ledger.match.digest,),
            whereabouts=(messages.THERE,) * len(roster.terminals),
            since=t.now,
        )
    )
    t.do(Keep(events.Start(roster, me)))
    t.do(Save(header))
    t.do(Save(ledger.match))
    notices.begun(t)
    commands.think(t)


def restore(
    t: Turn,
    roster: Roster,
    me: int | None,
    kept: list[events.Secret | Post],
) -> None:
    """Go on with a match from what was kept; a hidden choice not entered goes out again.

    Raises:
        KumiteError: what was kept does not fit together.
    """
    assert t.s.pass_ is not None
    ledger = apply.begin(roster, me, t.s.pass_.seed, t.s.group)
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
    extra = (f"table {file_name(roster.match_id, t.s.pass_.ticket)}",)
    wants = tuple(play for at, play in chosen.values() if at is ledger.match and not ledger.is_over)
    t.set(
        begun=Begun(
            roster,
            ledger,
            replace(roster.header(me), extra=extra),
            keys.Signer.of(t.s.pass_.seed),
            tuple(entered),
            tuple(digests),
            (messages.THERE,) * len(roster.terminals),
            wants,
            is_audited=ledger.is_over and audit.verdict(ledger) is not None,
            settled=settled,
        )
    )


def signed(t: Turn, body: Body) -> Post:
    """Return our next post, checked: what is kept must be readable, also if nobody is there."""
    posts.BODIES.checked(body)
    begun = t.begun
    assert begun.me is not None
    number = begun.ledger.spoken[begun.me] + 1
    post = posts.Post(begun.me, number, body, begun.ledger.entered, b"")
    return replace(post, signature=begun.signer.sign(apply.signed_bytes(begun.ledger, post)))


def enter(t: Turn, post: Post, *, is_checked: bool = False) -> None:
    """Enter a post: saved, (host) passed on, then told.

    Raises:
        Foul, Late: it cannot be entered; nothing has changed.
    """
    before = t.begun
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
        wants = tuple(one for one in t.begun.wants if not isinstance(one, posts.Play))
        t.play(wants=wants)
    if _is_settled(before.ledger, ledger):
        t.play(difference=None, settled=ledger.entered)
    notices.save(t, before, post)
    if t.s.is_host:
        t.send_all(messages.Entered(post))
    notices.tell(t, before, post)
    commands.think(t)
    found = t.begun.difference
    if t.s.is_host and before.ledger.is_held and not ledger.is_held and found and found.told:
        desync.stop(t, found.told)


def _is_settled(before: Ledger, after: Ledger) -> bool:
    """Return whether all go on from the last step on which they agree."""
    return before.is_held and after.match.number < before.match.number


def advance(t: Turn) -> None:
    """Post what is due from us and what our people want; the host enters it, others ask him."""
    while not t.s.is_closed and t.s.begun is not None and not t.s.is_rematch:
        begun = t.begun
        if begun.me is None or begun.asked is not None:
            break
        if _is_looking(begun) and t.s.is_host:
            break
        body = due.due(begun.ledger, is_open=_is_open(t))
        if body is None:
            if not begun.wants:
                break
            body = begun.wants[0]
            t.play(wants=begun.wants[1:])
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


def _is_looking(begun: Begun) -> bool:
    """Return whether it is asked what differs: until then, the match waits."""
    return begun.difference is not None and not begun.ledger.is_held


def _is_open(t: Turn) -> bool:
    return t.s.pass_ is None or t.s.pass_.is_open


def _audit(t: Turn) -> None:
    """Tell what the audit has found, once; then perhaps the next match begins."""
    begun = t.s.begun
    if t.s.is_closed or begun is None or not begun.ledger.is_over:
        return
    if not begun.is_audited:
        verdict = audit.verdict(begun.ledger)
        if verdict is None:
            return
        t.play(is_audited=True)
        notices.audited(t, verdict)
    if t.s.is_host and t.begun.ledger.wants_rematch and not t.s.is_rematch:
        lobby.rematch(t)


# --- Connections ------------------------------------------------------------------------------


def admit(t: Turn, link: Link, here: messages.Here | None = None) -> None:
    """Let a terminal into the match that has begun, and send what it does not have (host)."""
    begun, place = t.begun, t.s.place(link.ticket)
    assert place is not None
    for old in t.s.links:
        if old.ticket == link.ticket and old.number != link.number:
            t.drop(old.number)
    link = t.put(link, stage=Stage.PLAYING, heard=t.now, pinged=t.now, is_quiet=False)
    count = 0
    if here is None or not here.has_begun:
        me = messages.WATCHER if place.terminal is None else place.terminal
        t.send(link.number, messages.Begin(me, begun.roster.packed()))
    else:
        count = here.entered
    for post in begun.posts[count:]:
        t.send(link.number, messages.Entered(post))
    for number, how in enumerate(begun.whereabouts):
        if how != messages.THERE and number != place.terminal:
            t.send(link.number, messages.Whereabouts(number, how))
    if place.terminal is not None:
        whereabouts(t, place.terminal, messages.THERE)


def whereabouts(t: Turn, terminal: int, how: int) -> None:
    """Note how it stands with a terminal; tell our people, and (host) everybody."""
    begun = t.begun
    was = begun.whereabouts[terminal]
    if was == how or terminal == begun.me:
        return
    all_of = (*begun.whereabouts[:terminal], how, *begun.whereabouts[terminal + 1 :])
    t.play(whereabouts=all_of)
    if t.s.is_host:
        t.send_all(messages.Whereabouts(terminal, how))
    notices.whereabouts(t, terminal, was, how)


def returned(t: Turn, link: Link, here: messages.Here) -> None:
    """Take in who has come back (host)."""
    begun, place = t.s.begun, t.s.place(link.ticket)
    if place is None:  # has never sat down
        t.drop(link.number)
        return
    if begun is None or t.s.is_rematch:
        old = t.s.link_of(link.ticket)
        if old is not None:
            t.drop(old.number)
        lobby.begin_anew(t)
        lobby.invite(t, link)
        return
    if here.has_begun and here.match_id != begun.roster.match_id:
        text = "The table plays another match; go on with that one"
        t.send(link.number, messages.Stop(0, "other-match", text, messages.WATCHER))
        t.drop(link.number)
        return
    if here.has_begun:
        count = here.entered
        if count >= len(begun.digests) and place.terminal is None:
            t.drop(link.number)
            return
        if count >= len(begun.digests):
            text = f"{_who(t, link)} has {count} posts of this match, the host {len(begun.posts)}"
            t.put(link, stage=Stage.PLAYING)
            abort.stop(t, "host-behind", text, common=begun.ledger.match.number)
            return
        if desync.is_different(t, count, here.digest):
            admit(t, link, replace(here, entered=len(begun.posts)))
            desync.ask(t, t.s.link(link.number) or link, count)
            return
    asked = begun.difference
    if asked is not None and asked.told is None and asked.terminal == place.terminal:
        t.play(difference=None)  # it has been started anew, and what differed is mended
    admit(t, link, here)


def resumed(t: Turn, link: Link) -> None:
    """Go on over a new connection (joiner)."""
    for other in t.s.links:
        if other.number != link.number:
            t.drop(other.number)
    t.set(main=link.number, retry_at=None, refused="")
    begun = t.s.begun
    commands.heard_host(t)
    assert t.s.pass_ is not None
    if begun is None or t.s.is_rematch:
        t.put(link, stage=Stage.SEATED)
        t.send(link.number, messages.Here(t.s.pass_.match_id, 0, 0, desync.UNKNOWN))
        return
    t.put(link, stage=Stage.PLAYING)
    t.send(
        link.number, messages.Here(begun.roster.match_id, 1, len(begun.posts), begun.digests[-1])
    )
    if begun.asked is not None:
        t.send(link.number, messages.Request(begun.asked))
    advance(t)


# --- What comes from the others ---------------------------------------------------------------


def _who(t: Turn, link: Link) -> str:
    place = t.s.place(link.ticket)
    if place is None or place.terminal is None:
        return place.name if place and place.name else "somebody who looks on"
    return t.begun.ledger.roster.who(place.terminal)


def host_hears(t: Turn, link: Link, message: messages.Message) -> None:
    """React to a terminal in the match (host)."""
    place = t.s.place(link.ticket)
    terminal = place.terminal if place is not None else None
    match message:
        case messages.Request(post) if place is not None and terminal is not None:
            _requested(t, link, place, terminal, post)
        case messages.Ack(count, digest):
            desync.acknowledged(t, link, count, digest)
        case messages.Difference(count, position):
            desync.answered(t, link, count, position)
        case messages.Stop(number, code, text, blamed):
            if terminal is None:
                t.drop(link.number)
            else:
                said = f"{_who(t, link)} stopped the match: {text}"
                abort.stop(t, code, said, number=number, terminal=blamed)
        case _:
            abort.bad(t, link, f"sent {type(message).__name__} in mid-match")


def _requested(t: Turn, link: Link, place: Place, terminal: int, post: Post) -> None:
    if post.author != terminal or not apply.is_signed(t.begun.ledger, post):
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


def _check_now(t: Turn, place: Place, terminal: int, body: Body) -> None:
    """Check what only the host can: what all wait for, how much somebody says, who is there.

    Raises:
        Late: not now.
    """
    if isinstance(body, posts.Play) and _is_looking(t.begun):
        raise Late("two terminals have come to different positions; all are asked in a moment")
    if isinstance(body, posts.Words | posts.Offer | posts.Answer):
        until = max(place.talked, t.now) + 1
        if until > t.now + CHATTER:
            raise Late("that is too much at once; wait a few seconds")
        t.put_place(replace(place, talked=until))
    if isinstance(body, posts.Offer):
        why = commands.why_no_offer(t.begun, terminal, body.kind, body.number)
        if why:
            raise Late(why)


def joiner_hears(t: Turn, link: Link, message: messages.Message) -> None:
    """React to the host in the match."""
    begun = t.begun
    match message:
        case messages.Entered(post):
            _entered(t, link, post)
        case messages.Refused(number, code, text):
            asked = begun.asked
            if asked is not None and asked.number == number:
                t.play(asked=None)
                commands.refused(t, asked.body, code, text)
                advance(t)
        case messages.Whereabouts(terminal, how) if 0 <= terminal < len(begun.whereabouts):
            whereabouts(t, terminal, how)
        case messages.Difference(count, position) if count < len(begun.digests):
            desync.asked(t, link, count, position)
        case messages.Stop(number, code, text, blamed):
            _stopped(t, number, code, text, blamed)
        case messages.Bye():
            notices.left(t, 0, is_closed=True)
        case _:
            abort.bad(t, link, f"sent {type(message).__name__} in mid-match")


def _entered(t: Turn, link: Link, post: Post) -> None:
    begun = t.begun
    try:
        enter(t, post)
    except Late as error:
        abort.blame(t, 0, f"the host entered a post that came too late: {error}")
        return
    except Foul as error:
        abort.blame(t, error.terminal, str(error))
        return
    asked = begun.asked
    if asked is not None and post.author == begun.me:
        t.play(asked=None)
        if post.body != asked.body and _is_still_wanted(t.begun.ledger, asked):
            # what was entered is from before our program was started anew; what is due comes again
            t.play(wants=(asked.body, *t.begun.wants))
    t.send(link.number, messages.Ack(t.begun.ledger.entered, t.begun.digests[-1]))
    advance(t)


def _is_still_wanted(ledger: Ledger, post: Post) -> bool:
    """Return whether what people wanted can still be posted: not a choice that has been made."""
    body = post.body
    if isinstance(body, posts.Play):
        is_next = body.number == ledger.match.number + 1 and post.seen >= ledger.taken_back
        return is_next and not ledger.has_chosen(body.seat)
    return isinstance(body, commands.WANTED)


def _stopped(t: Turn, number: int, code: str, text: str, blamed: int) -> None:
    """Stop with the host, unless we find ourselves who has played false."""
    begun = t.begun
    if code == "digest" and begun.difference is not None and begun.difference.told:
        desync.stop(t, begun.difference.told)
        return
    try:
        if begun.asked is not None:  # the post over which the host has stopped, perhaps
            apply.enter(begun.ledger, begun.asked)
    except Foul as error:
        if error.terminal != begun.me:
            abort.blame(t, error.terminal, str(error))
            return
    except Late:
        pass
    if blamed == begun.me:
        text, blamed = f"the host says that we have played false: {text}", -1
    abort.stop(t, code, text, number=number, terminal=blamed, is_told=False)
