"""The match at this terminal: begun, restored; posts signed, entered, saved and passed on; pure.

What a post means is in net/replica/apply.py, what is due in net/replica/due.py, what people do in
commands.py, what the others send in exchange.py.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kumite.core.game import CHANCE
from kumite.net.crypto import keys
from kumite.net.replica import apply, audit, due
from kumite.net.replica.copying import changed
from kumite.net.replica.ledger import Foul, Late
from kumite.net.replica.records import Later, MatchStart, Secret
from kumite.net.session import abort, judging, notices, presence, thinking
from kumite.net.session.effects import Keep, Save
from kumite.net.session.state import LiveMatch, Stage
from kumite.net.wire import messages, posts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.core.game import Seat
    from kumite.core.match import Match
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.roster import Roster
    from kumite.net.session.state import Link, Reaction
    from kumite.net.wire.posts import Body, Post


WANTED: Final = posts.Play | posts.Words | posts.Resign | posts.Flag | posts.Offer | posts.Answer
"""What people want to post; all else is due by itself, see net/replica/due.py."""


def file_name(match_id: str, ticket: int) -> str:
    """Return the name of the file from which a terminal can go on."""
    return f"{match_id}-{ticket}.table"


def begin(r: Reaction, roster: Roster, me: int | None) -> None:
    """Begin the match, saved first."""
    live = changed(_unplayed(r, roster, me), since=r.now, epoch=r.now)
    r.set(live=live)
    r.do(Keep(MatchStart(roster, me)))
    r.do(Save(live.header))
    r.do(Save(live.ledger.match))
    notices.match_began(r)
    thinking.think(r)


def _unplayed(r: Reaction, roster: Roster, me: int | None) -> LiveMatch:
    """Return the match before its first post."""
    credentials = r.s.credentials
    assert credentials is not None
    ledger = apply.begin(roster, me, credentials.seed, r.s.group)
    extra = (f"table {file_name(roster.match_id, credentials.ticket)}",)
    return LiveMatch(
        roster,
        ledger,
        replace(roster.header(me), extra=extra),
        keys.Signer.of(credentials.seed),
        digests=(ledger.match.digest,),
        matches=(ledger.match,),
        presence=(messages.THERE,) * len(roster.terminals),
    )


def restore(
    r: Reaction, roster: Roster, me: int | None, kept: Iterable[Secret | Post | Later]
) -> None:
    """Go on with a match from what was kept; a hidden choice not entered goes out again.

    A post that does not fit ends it there: the file is an older one than its end, and the others
    have what is missing.

    Raises:
        KumiteError: what was kept is no match.
    """
    live, records = _unplayed(r, roster, me), tuple(kept)
    count = sum(not isinstance(one, Secret) for one in records)  # all were looked at before
    ledger, digests, settled = changed(live.ledger, trusted=count), list(live.digests), 0
    matches = list(live.matches)
    entered: list[Post] = []
    later: dict[int, Post] = {}
    is_broken = False
    chosen: dict[Seat, tuple[Match, posts.Play]] = {}  # and in which match; not entered yet
    for record in records:
        if isinstance(record, Secret):
            ledger = replace(ledger, own=(*ledger.own, record.own))
            chosen[record.play.seat] = ledger.match, record.play
            continue
        if isinstance(record, Later):
            later[record.place] = record.post
            continue
        if is_broken:
            continue
        try:
            before, ledger = ledger, apply.enter(ledger, record)
        except (Foul, Late):
            is_broken = True
            continue
        entered.append(record)
        digests.append(ledger.digest)
        matches.append(ledger.match)
        settled = ledger.entered if _is_settled(before, ledger) else settled
        if isinstance(record.body, posts.Play) and record.author == me:
            chosen.pop(record.body.seat, None)
    wants = [play for match, play in chosen.values() if match is ledger.match]
    r.set(
        live=changed(
            live,
            ledger=ledger,
            posts=tuple(entered),
            digests=tuple(digests),
            matches=tuple(matches),
            wants=() if ledger.is_over else tuple(wants),
            is_audited=ledger.is_over and audit.verdict(ledger) is not None,
            settled=settled,
            later=later,
        )
    )


def signed(r: Reaction, body: Body) -> Post:
    """Return our next post, checked: what is kept must be readable, also if nobody is there."""
    posts.BODIES.checked(body)
    live = r.live
    assert live.me is not None
    number = live.ledger.spoken[live.me] + 1
    at = max(0, round(1000 * (r.now - live.epoch))) if live.roster.is_timed else None
    post = posts.Post(live.me, number, body, live.ledger.entered, b"", at)
    return replace(post, signature=live.signer.sign(apply.signed_bytes(live.ledger, post)))


def is_still_wanted(ledger: Ledger, post: Post) -> bool:
    """Return whether what people wanted can still be posted: not a choice that has been made."""
    body = post.body
    if isinstance(body, posts.Play):
        is_next = body.number == ledger.match.number + 1 and post.seen >= ledger.taken_back
        return is_next and not ledger.has_chosen(body.seat)
    return isinstance(body, WANTED)


def enter(r: Reaction, post: Post, *, is_checked: bool = False, to_all_but: int = 0) -> None:
    """Enter a post: saved, (host) passed on, then told.

    Raises:
        Foul, Late: it cannot be entered; nothing has changed.
    """
    before = r.live
    ledger = apply.enter(before.ledger, post, is_checked=is_checked)
    r.do(Keep(post, ledger.entered))
    r.play(
        ledger=ledger,
        posts=(*before.posts, post),
        digests=(*before.digests, ledger.digest),
        matches=(*before.matches, ledger.match),
        since=r.now,
        is_stalled=False,
        is_audited=before.is_audited and ledger.is_over,
    )
    if ledger.match is not before.ledger.match:
        r.play(shown_clocks=None)  # people are told of them anew
    if ledger.match.number < before.ledger.match.number:  # nobody wants what was chosen there
        wants = tuple(one for one in r.live.wants if not isinstance(one, posts.Play))
        r.play(wants=wants)
    if ledger.host != before.ledger.host:  # nobody's clock has run while there was none
        thinking.forget(r)
    if _is_settled(before.ledger, ledger):
        r.play(desync=None, settled=ledger.entered)
    notices.save(r, before, post)
    if r.s.is_host:
        r.send_all(messages.Entered(post), but=to_all_but)
    notices.tell(r, before, post)
    presence.let_look_on(r)
    thinking.think(r)
    _judge(r, before, post)
    found = r.live.desync
    if r.s.is_host and before.ledger.is_held and not ledger.is_held and found and found.told:
        abort.stop_desync(r, found.told)


def _judge(r: Reaction, before: LiveMatch, post: Post) -> None:
    """Check what a post says of time, and say what is missing in it."""
    judging.heard(r, post)
    judging.check_judge(r, before, post)
    missing = judging.check_step(r, before, post)
    if missing is not None and not r.s.is_closed:
        r.play(wants=(*r.live.wants, missing))


def _is_settled(before: Ledger, after: Ledger) -> bool:
    """Return whether all go on from the last step on which they agree."""
    return before.is_held and after.match.number < before.match.number


def advance(r: Reaction) -> None:
    """Post what is due from us and what our people want: entered (host), or requested (others)."""
    while not r.s.is_closed and r.s.live is not None and not r.s.is_rematch:
        live = r.live
        if live.me is not None and live.ledger.is_gone(live.me):
            r.play(wants=(), asked=None)
            break
        if live.me is None or live.asked is not None or r.s.is_waiting:
            break
        if live.is_comparing and r.s.is_host:
            break
        body = _next(r)
        if body is None:
            break
        post = signed(r, body)
        if r.s.is_host:
            try:
                enter(r, post, is_checked=True)
            except Late as error:
                notices.not_done(r, error)
            except Foul as error:
                abort.blame(r, error.terminal, str(error), post)
        else:
            r.play(asked=post)
            r.send(r.s.main, messages.Request(post))
            _judge_box(r, post)
    _audit(r)


def _next(r: Reaction) -> Body | None:
    """Return what we have to post now, or our people want; None: nothing."""
    take_later(r)
    before = _said_before(r.live)
    if before is not None and _is_possible(r, before.body):
        return before.body
    if before is not None and _waits_for_others(r.live):
        return None
    if before is not None:
        r.play(later={})
    body: Body | None = due.due(r.live.ledger, is_open=_is_open(r))
    while body is None and r.live.wants and not r.live.ledger.is_sharing:
        body, *rest = r.live.wants
        r.play(wants=tuple(rest))
        if isinstance(body, posts.Play) and r.live.ledger.has_chosen(body.seat):
            body = None  # it was lost with the disk, and has come back from another terminal
    return body


def take_later(r: Reaction) -> None:
    """Enter posts of our own file that stood behind those which were missing."""
    while (post := r.live.later.get(len(r.live.posts) + 1)) is not None:
        try:
            enter(r, post)
        except (Foul, Late):  # others were entered in their stead
            r.play(later={})


def _said_before(live: LiveMatch) -> Post | None:
    """Return our post of the next number, if it stands in our file behind one that is lost.

    Somebody may have it still. So we say the same again, and nothing else in its stead.
    """
    assert live.me is not None
    number = live.ledger.spoken[live.me] + 1
    own = (one for one in live.later.values() if one.author == live.me)
    return next((one for one in own if one.number == number), None)


def _is_possible(r: Reaction, body: Body) -> bool:
    """Return whether that can be posted now."""
    try:
        apply.enter(r.live.ledger, signed(r, body), is_checked=True)
    except (Foul, Late):
        return False
    return True


def _waits_for_others(live: LiveMatch) -> bool:
    """Return whether another terminal has to post something, or to make a step."""
    owners = live.ledger.roster.players
    to_act = {owners[seat] for seat in live.ledger.match.actors if seat != CHANCE}
    return bool((due.owing(live.ledger) | to_act) - {live.me})


def _judge_box(r: Reaction, post: Post) -> None:
    """Stop if it opens a box: it proves by itself who lied, whatever the host does with it."""
    if not isinstance(post.body, posts.BoxOpened | posts.WillOpened):
        return
    try:
        apply.enter(r.live.ledger, post, is_checked=True)
    except Foul as error:
        abort.blame(r, error.terminal, str(error), post)


def _is_open(r: Reaction) -> bool:
    return r.s.credentials is None or r.s.credentials.is_open


def _audit(r: Reaction) -> None:
    """Tell what the audit has found, once."""
    live = r.s.live
    if r.s.is_closed or live is None or not live.ledger.is_over or live.is_audited:
        return
    verdict = audit.verdict(live.ledger)
    if verdict is not None:
        r.play(is_audited=True)
        notices.audited(r, verdict)


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
        if number != place.terminal:
            r.send(link.number, messages.Presence(number, how))
    if live.ledger.clocks:
        r.send(link.number, thinking.said(r))
    if live.watchers:
        r.send(link.number, messages.Watching(live.watchers))
    if place.terminal is not None:
        presence.note(r, place.terminal, messages.THERE)
