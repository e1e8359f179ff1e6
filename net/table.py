"""The match at a LAN table: posts are requested, entered, saved, passed on and acknowledged; pure.

    joiner                        host
    Request (a post)        →            in order? saved, then
                            ←     Entered           to all, in one order
    Ack (posts, digest)     →            saved there; another digest is a difference
                            ←     Refused           it came too late: make another
    Here (posts, digest)    →            after a new connection; the host sends what is missing

What a post means is in net/entering.py, what is due in net/duties.py; what people do in
net/people.py.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from core.codec import DIGEST_SIZE
from core.errors import KumiteError
from core.log import End
from core.text import clean
from net import audit, duties, entering, events, fields, keys, lobby, people, posts, telling, wire
from net.events import Keep, Save
from net.ledger import Foul, Late
from net.state import Begun, Stage

if TYPE_CHECKING:
    from core.game import Seat
    from core.match import Match
    from net.ledger import Ledger
    from net.posts import Body, Post
    from net.roster import Roster
    from net.state import Link, Turn

HINT_LOGS: Final = "both logs are kept; `kumite log compare A B` finds the first difference"
UNKNOWN: Final = b"\0" * DIGEST_SIZE  # the digest of who is out of it, see entering.enter
HINT_FALSE: Final = "the match is saved with the proof; play with somebody else"


def file_name(match_id: str, ticket: int) -> str:
    """Return the name of the file from which a terminal can go on."""
    return f"{match_id}-{ticket}.table"


def begin(t: Turn, roster: Roster, me: int | None) -> None:
    """Begin the match, saved first."""
    assert t.s.pass_ is not None
    ledger = entering.begin(roster, me, t.s.pass_.seed, t.s.group)
    extra = (f"table {file_name(roster.match_id, t.s.pass_.ticket)}",)
    header = replace(roster.header(me), extra=extra)
    t.set(
        begun=Begun(
            roster,
            ledger,
            header,
            keys.Signer.of(t.s.pass_.seed),
            digests=(ledger.match.digest,),
            whereabouts=(wire.THERE,) * len(roster.terminals),
            since=t.now,
        )
    )
    t.do(Keep(events.Start(roster, me)))
    t.do(Save(header))
    t.do(Save(ledger.match))
    telling.begun(t)
    people.think(t)


def _digest(ledger: Ledger) -> bytes:
    return UNKNOWN if ledger.dispute else ledger.match.digest


def _differs(ours: bytes, theirs: bytes) -> bool:
    return ours != theirs and UNKNOWN not in (ours, theirs)


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
    ledger = entering.begin(roster, me, t.s.pass_.seed, t.s.group)
    entered: list[Post] = []
    chosen: dict[Seat, tuple[Match, posts.Play]] = {}  # and when; not entered yet
    digests, settled = [ledger.match.digest], 0
    for record in kept:
        if isinstance(record, events.Secret):
            ledger = replace(ledger, own=(*ledger.own, record.own))
            chosen[record.play.seat] = ledger.match, record.play
            continue
        before, ledger = ledger, entering.enter(ledger, record)
        entered.append(record)
        digests.append(_digest(ledger))
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
            (wire.THERE,) * len(roster.terminals),
            wants,
            is_audited=ledger.is_over and audit.verdict(ledger) is not None,
            settled=settled,
        )
    )


def signed(t: Turn, body: Body) -> Post:
    """Return our next post."""
    begun = t.begun
    assert begun.me is not None
    number = begun.ledger.spoken[begun.me] + 1
    post = posts.Post(begun.me, number, body, begun.ledger.entered, b"")
    return replace(post, signature=begun.signer.sign(entering.signed_bytes(begun.ledger, post)))


def enter(t: Turn, post: Post, *, is_checked: bool = False) -> None:
    """Enter a post: saved, (host) passed on, then told.

    Raises:
        Foul, Late: it cannot be entered; nothing has changed.
    """
    before = t.begun
    ledger = entering.enter(before.ledger, post, is_checked=is_checked)
    t.do(Keep(post))
    t.play(
        ledger=ledger,
        posts=(*before.posts, post),
        digests=(*before.digests, _digest(ledger)),
        since=t.now,
        is_stalled=False,
        is_audited=before.is_audited and ledger.is_over,
    )
    if ledger.match.number < before.ledger.match.number:  # nobody wants what was chosen there
        wants = tuple(one for one in t.begun.wants if not isinstance(one, posts.Play))
        t.play(wants=wants)
    if _is_settled(before.ledger, ledger):
        t.play(differs=None, difference=None, settled=ledger.entered)
    telling.save(t, before, post)
    if t.s.is_host:
        t.send_all(wire.Entered(post))
    telling.tell(t, before, post)
    people.think(t)
    if t.s.is_host and before.ledger.is_held and not ledger.is_held and t.begun.differs is not None:
        _stop_different(t)


def _is_settled(before: Ledger, after: Ledger) -> bool:
    """Return whether all go on from the last step on which they agree."""
    return before.is_held and after.match.number < before.match.number


def advance(t: Turn) -> None:
    """Post what is due from us and what our people want; the host enters it, others ask him."""
    while not t.s.is_closed and t.s.begun is not None and not t.s.is_rematch:
        begun = t.begun
        if begun.me is None or begun.asked is not None:
            break
        if begun.differs is not None and not begun.ledger.is_held:
            break
        body = duties.due(begun.ledger, is_open=_is_open(t))
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
                telling.not_done(t, error)
            except Foul as error:
                blame(t, error.terminal, str(error))
        else:
            t.play(asked=post)
            t.send(t.s.main, wire.Request(post))
    _audit(t)


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
        telling.audited(t, verdict)
    if t.s.is_host and t.begun.ledger.wants_rematch and not t.s.is_rematch:
        lobby.rematch(t)


# --- Connections ------------------------------------------------------------------------------


def admit(t: Turn, link: Link, here: wire.Here | None = None) -> None:
    """Let a terminal into the match that has begun, and send what it does not have (host)."""
    begun, place = t.begun, t.s.place(link.ticket)
    assert place is not None
    for old in t.s.links:
        if old.ticket == link.ticket and old.number != link.number:
            t.drop(old.number)
    link = t.put(link, stage=Stage.PLAYING, heard=t.now, pinged=t.now, is_quiet=False)
    count = 0
    if here is None or not here.has_begun:
        me = wire.WATCHER if place.terminal is None else place.terminal
        t.send(link.number, wire.Begin(me, begun.roster.packed()))
    else:
        count = here.entered
    for post in begun.posts[count:]:
        t.send(link.number, wire.Entered(post))
    for number, how in enumerate(begun.whereabouts):
        if how != wire.THERE and number != place.terminal:
            t.send(link.number, wire.Whereabouts(number, how))
    if place.terminal is not None:
        whereabouts(t, place.terminal, wire.THERE)


def whereabouts(t: Turn, terminal: int, how: int) -> None:
    """Note how it stands with a terminal; tell our people, and (host) everybody."""
    begun = t.begun
    was = begun.whereabouts[terminal]
    if was == how or terminal == begun.me:
        return
    all_of = (*begun.whereabouts[:terminal], how, *begun.whereabouts[terminal + 1 :])
    t.play(whereabouts=all_of)
    if t.s.is_host:
        t.send_all(wire.Whereabouts(terminal, how))
    telling.whereabouts(t, terminal, was, how)


def returned(t: Turn, link: Link, here: wire.Here) -> None:
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
        t.send(link.number, wire.Stop(0, "other-match", text, wire.WATCHER))
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
            stop(t, "host-behind", text, common=begun.ledger.match.number)
            return
        if count >= begun.settled and _differs(begun.digests[count], here.digest):
            admit(t, link, replace(here, entered=len(begun.posts)))
            _differ(t, t.s.link(link.number) or link, count)
            return
    if begun.difference is None and begun.differing == place.terminal:
        t.play(differs=None)  # it has been started anew, and what differed is mended
    admit(t, link, here)


def resumed(t: Turn, link: Link) -> None:
    """Go on over a new connection (joiner)."""
    for other in t.s.links:
        if other.number != link.number:
            t.drop(other.number)
    t.set(main=link.number, retry_at=None, refused="")
    begun = t.s.begun
    people.heard_host(t)
    assert t.s.pass_ is not None
    if begun is None or t.s.is_rematch:
        t.put(link, stage=Stage.SEATED)
        t.send(link.number, wire.Here(t.s.pass_.match_id, 0, 0, UNKNOWN))
        return
    t.put(link, stage=Stage.PLAYING)
    t.send(link.number, wire.Here(begun.roster.match_id, 1, len(begun.posts), begun.digests[-1]))
    if begun.asked is not None:
        t.send(link.number, wire.Request(begun.asked))
    advance(t)


# --- What comes from the others ---------------------------------------------------------------


def _who(t: Turn, link: Link) -> str:
    place = t.s.place(link.ticket)
    if place is None or place.terminal is None:
        return place.name if place and place.name else "somebody who looks on"
    return t.begun.ledger.roster.who(place.terminal)


def host_hears(t: Turn, link: Link, message: wire.Message) -> None:
    """React to a terminal in the match (host)."""
    place = t.s.place(link.ticket)
    terminal = place.terminal if place is not None else None
    match message:
        case wire.Request(post) if terminal is not None:
            _requested(t, link, terminal, post)
        case wire.Ack(count, digest):
            digests = t.begun.digests
            if count >= len(digests):
                bad(t, link, f"has {count} posts, of {len(digests) - 1}")
            elif t.begun.differs is not None or count < t.begun.settled:
                pass  # all are asked about it, or have been
            elif _differs(digests[count], digest):
                _differ(t, link, count)
        case wire.Difference(count, position):
            if terminal is None:  # its own people know now what differs
                t.drop(link.number)
            elif t.begun.differs == count:  # else it is settled already
                _name_difference(t, link, count, position)
        case wire.Stop(number, code, text, blamed):
            if terminal is None:
                t.drop(link.number)
            else:
                said = f"{_who(t, link)} stopped the match: {text}"
                stop(t, code, said, number=number, terminal=blamed)
        case _:
            bad(t, link, f"sent {type(message).__name__} in mid-match")


def _requested(t: Turn, link: Link, terminal: int, post: Post) -> None:
    if post.author != terminal or not entering.is_signed(t.begun.ledger, post):
        blame(t, terminal, "a post that is not signed by who sent it")
        return
    try:
        if isinstance(post.body, posts.Offer):
            offer = post.body
            if why := people.why_no_offer(t.begun, terminal, offer.kind, offer.number):
                raise Late(why)
        enter(t, post, is_checked=True)
    except Late as error:
        t.send(link.number, wire.Refused(post.number, error.code, _short(str(error))))
    except Foul as error:
        blame(t, error.terminal, str(error))
    advance(t)


def joiner_hears(t: Turn, link: Link, message: wire.Message) -> None:
    """React to the host in the match."""
    begun = t.begun
    match message:
        case wire.Entered(post):
            _entered(t, link, post)
        case wire.Refused(number, code, text):
            asked = begun.asked
            if asked is not None and asked.number == number:
                t.play(asked=None)
                people.refused(t, asked.body, code, text)
                advance(t)
        case wire.Whereabouts(terminal, how) if 0 <= terminal < len(begun.whereabouts):
            whereabouts(t, terminal, how)
        case wire.Difference(count, position) if count < len(begun.digests):
            t.send(link.number, wire.Difference(count, _position(t, count)))
            _name_difference(t, link, count, position)
        case wire.Stop(number, code, text, blamed):
            _stopped(t, number, code, text, blamed)
        case wire.Bye():
            telling.left(t, 0, is_closed=True)
        case _:
            bad(t, link, f"sent {type(message).__name__} in mid-match")


def _entered(t: Turn, link: Link, post: Post) -> None:
    begun = t.begun
    try:
        enter(t, post)
    except Late as error:
        blame(t, 0, f"the host entered a post that came too late: {error}")
        return
    except Foul as error:
        blame(t, error.terminal, str(error))
        return
    asked = begun.asked
    if asked is not None and post.author == begun.me:
        t.play(asked=None)
        if post.body != asked.body and _is_still_wanted(t.begun.ledger, asked):
            # what was entered is from before our program was started anew; what is due comes again
            t.play(wants=(asked.body, *t.begun.wants))
    t.send(link.number, wire.Ack(t.begun.ledger.entered, t.begun.digests[-1]))
    advance(t)


def _is_still_wanted(ledger: Ledger, post: Post) -> bool:
    """Return whether what people wanted can still be posted: not a choice that has been made."""
    body = post.body
    if isinstance(body, posts.Play):
        is_next = body.number == ledger.match.number + 1 and post.seen >= ledger.taken_back
        return is_next and not ledger.has_chosen(body.seat)
    return isinstance(body, people.WANTED)


def _stopped(t: Turn, number: int, code: str, text: str, blamed: int) -> None:
    """Stop with the host, unless we find ourselves who has played false."""
    begun = t.begun
    if code == "digest" and begun.difference is not None:
        _stop_different(t)
        return
    try:
        if begun.asked is not None:  # the post over which the host has stopped, perhaps
            entering.enter(begun.ledger, begun.asked)
    except Foul as error:
        if error.terminal != begun.me:
            blame(t, error.terminal, str(error))
            return
    except Late:
        pass
    if blamed == begun.me:
        text, blamed = f"the host says that we have played false: {text}", -1
    stop(t, code, text, number=number, terminal=blamed, is_told=False)


# --- Ends that nobody wants -------------------------------------------------------------------


def _short(text: str) -> str:
    return clean(text, fields.MAX_TEXT)


def bad(t: Turn, link: Link, what: str) -> None:
    """Stop because of what a terminal sent; who only looks on is just let go."""
    place = t.s.place(link.ticket)
    if t.s.is_host and (place is None or place.terminal is None):
        t.drop(link.number)
        return
    terminal = place.terminal if place is not None and place.terminal is not None else 0
    who = t.begun.ledger.roster.who(terminal)
    stop(t, "unexpected", f"{who} {what}", terminal=terminal)


def blame(t: Turn, terminal: int, what: str) -> None:
    """Stop because somebody has played false."""
    number = t.begun.ledger.match.number + 1
    who = t.begun.ledger.roster.who(terminal)
    stop(t, "foul", f"{who} has played false: {what}", number=number, terminal=terminal)


def stop(
    t: Turn,
    code: str,
    said: str,
    *,
    number: int = 0,
    terminal: int = -1,
    common: int | None = None,
    is_told: bool = True,
) -> None:
    """Stop the match for all, with a reason; everything is kept."""
    begun = t.begun
    text = _short(f"step {number}: {said}" if number and is_told else said)
    t.do(Save(f"note stopped: {text}"))
    if is_told or t.s.is_host:
        t.send_all(wire.Stop(number, code, text, terminal))
    seats = begun.seats(terminal) if 0 <= terminal < len(begun.whereabouts) else frozenset()
    last = begun.ledger.match.number if common is None else common
    hint = HINT_FALSE if code == "foul" else HINT_LOGS
    t.end(events.Stopped(code, text, hint, number, last, seats))


def _fold(t: Turn, count: int) -> Ledger:
    """Return the ledger as it was after so many posts."""
    begun = t.begun
    assert t.s.pass_ is not None
    ledger = entering.begin(begun.roster, begun.me, t.s.pass_.seed, t.s.group)
    ledger = replace(ledger, own=begun.ledger.own)
    for post in begun.posts[:count]:
        ledger = entering.enter(ledger, post)
    return ledger


def _position(t: Turn, count: int) -> bytes:
    ledger = _fold(t, count)
    text = f"step {ledger.match.number}\n{ledger.game.text(ledger.public)}"
    return text.encode()[: wire.MAX_POSITION]


def _differ(t: Turn, link: Link, count: int) -> None:
    """Ask for the other side's position after so many posts, to name what differs.

    The match waits for the answer, but not for that of somebody who looks on.
    """
    place = t.s.place(link.ticket)
    if place is not None and place.terminal is not None:
        t.play(differs=count, differing=place.terminal)
    t.send(link.number, wire.Difference(count, _position(t, count)))


def _name_difference(t: Turn, link: Link, count: int, theirs: bytes) -> None:
    """Tell what differs; the host asks all whether to go on from before it."""
    if t.begun.difference is not None:
        return  # one is enough to be asked about
    ours = _position(t, count).decode()
    other = theirs.decode("utf-8", "replace")
    where = "the digests differ, the positions do not"
    for is_, there in zip_longest(ours.split("\n"), other.split("\n"), fillvalue=""):
        if is_ != there:
            where = f"here {clean(is_, 60)!r}, there {clean(there, 60)!r}"
            break
    at, common = _fold(t, count).match.number, _fold(t, max(0, count - 1)).match.number
    place = t.s.place(link.ticket)
    terminal = place.terminal if place is not None and place.terminal is not None else 0
    who = t.begun.ledger.roster.who(terminal)
    text = _short(f"the positions differ from those of {who}: {where}")
    difference = events.Differed(text, at, common, t.begun.seats(terminal))
    t.play(difference=difference)
    t.do(Save(f"note step {at} differs: {text}"))
    t.tell(difference)
    if not t.s.is_host or t.begun.ledger.is_held:
        return
    if entering.why_no_offer(t.begun.ledger, 0, posts.COMMON, common):
        _stop_different(t)
    else:
        enter(t, signed(t, posts.Offer(posts.COMMON, common)), is_checked=True)


def _stop_different(t: Turn) -> None:
    """Stop because two terminals differ, and not all can or want to go on."""
    found = t.begun.difference
    if found is None:  # from before our program was started anew
        stop(t, "digest", "two terminals differ, and not all would go on")
        return
    t.do(Save(f"note stopped: step {found.number} differs"))
    if t.s.is_host:
        t.send_all(wire.Stop(found.number, "digest", _short(found.text), -1))
    hint, at = HINT_LOGS, found.number
    t.end(events.Stopped("digest", found.text, hint, at, found.common, found.seats))


def stop_silent(t: Turn) -> None:
    """Stop if who differs is there and does not say in what."""
    begun = t.begun
    if begun.differing is not None and begun.whereabouts[begun.differing] == wire.THERE:
        who = begun.ledger.roster.who(begun.differing)
        text = f"{who} has come to another position, and does not say to which"
        stop(t, "digest", text, terminal=begun.differing)


def failed(t: Turn, error: KumiteError) -> None:
    """Stop because this terminal cannot go on; nothing more can be saved."""
    me = t.begun.me or 0
    said = f"{t.begun.ledger.roster.who(me)}'s kumite cannot go on"  # the error may name folders
    t.send_all(wire.Stop(0, error.code, said, -1))
    t.end(events.Stopped(error.code, str(error), error.hint))


def adjourn(t: Turn) -> None:
    """Write into the log that the match is not over, but left for now."""
    begun = t.begun
    if not begun.ledger.is_over:
        seats = tuple(sorted(begun.seats(begun.me)))
        t.do(Save(End("adjourned", seats)))
