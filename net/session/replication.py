"""The match at this terminal: begin and restore it; sign, enter, recover and compare posts; pure.

The effect of a post is in net/replica/apply.py, the posts that are due in net/replica/due.py.

**Lost posts.** A host that resumes from its file cannot know whether a power cut lost the end of
it. If it posted at once, there could be two posts with one number. So it waits until all others
have returned and reported how many posts they have, or until some time after the first has. They
send the posts that the host lacks; posts are signed and chained, so any terminal may send them. If
the file has a gap, the host waits for the missing posts as long as it takes.

    joiner                        host
    Here (posts, hash)      →            more than the host has?
                            ←     Lacking           send those after mine
    Held (post)             →            each is checked, saved, passed on

**Differences.** If two terminals have different positions, the match waits while the host asks for
the other position, so that both screens can show what differs. Then all players are asked whether
to resume from the last step on which they agree. If that is impossible or declined, it stops.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.copying import replace
from kumite.core.game import CHANCE, SPECTATOR, Seat
from kumite.core.match import Match
from kumite.core.text import clean
from kumite.net.crypto import keys
from kumite.net.replica import apply, audit, due, offers
from kumite.net.replica.ledger import UNKNOWN, Foul, Late, Ledger
from kumite.net.replica.records import MatchStart, Placed, Secret
from kumite.net.session import clocks, events, reporting
from kumite.net.session.events import Keep, NotDone, Save
from kumite.net.session.state import Link, LiveMatch, OpenDesync, Reaction, Stage, Timing
from kumite.net.wire import messages, posts
from kumite.net.wire.posts import Body, Post

if TYPE_CHECKING:
    from kumite.net.replica.roster import Roster

WANTED: Final = posts.Play | posts.Say | posts.Resign | posts.Flag | posts.Offer | posts.Answer
"""Posts on behalf of a player; all others are due by themselves, see net/replica/due.py."""


def file_name(match_id: str, ticket: int) -> str:
    """Return the name of the file from which a terminal can resume."""
    return f"{match_id}-{ticket}.table"


def begin(r: Reaction, roster: Roster, me: int | None) -> None:
    live = replace(_unplayed(r, roster, me), since=r.now, timing=Timing(epoch=r.now))
    r.set(live=live)
    r.do(Keep(MatchStart(roster, me)))
    r.do(Save(live.header))
    r.do(Save(live.ledger.match))
    reporting.match_began(r)
    clocks.think(r)


def _unplayed(r: Reaction, roster: Roster, me: int | None) -> LiveMatch:
    credentials = r.credentials
    ledger = apply.begin(roster, me, credentials.seed, r.s.group)
    extra = (f"table {file_name(roster.match_id, credentials.ticket)}",)
    header, signer = roster.header(me, extra), keys.Signer.of(credentials.seed)
    presence, match = (messages.THERE,) * len(roster.terminals), ledger.match
    begun = LiveMatch(roster, ledger, header, signer, digests=(match.digest,), matches=(match,))
    return replace(begun, presence=presence)


def restore(
    r: Reaction, roster: Roster, me: int | None, kept: Iterable[Secret | Post | Placed]
) -> None:
    """Restore a match from its records; a hidden choice that was not entered is sent again.

    The first post that does not fit ends the restored match: the file is out of date, and the other
    terminals have the missing posts.

    Raises:
        KumiteError: the records are not those of a match.
    """
    live, records = _unplayed(r, roster, me), tuple(kept)
    count = sum(not isinstance(one, Secret) for one in records)  # all of them were checked before
    ledger, digests, settled = (live.ledger.with_posted(trusted=count), list(live.digests), 0)
    matches = list(live.matches)
    entered: list[Post] = []
    later: dict[int, Post] = {}
    is_broken = False
    chosen: dict[Seat, tuple[Match, posts.Play]] = {}  # with its match; not entered yet
    for record in records:
        if isinstance(record, Secret):
            ledger = ledger.with_secrets(own=(*ledger.secrets.own, record.own))
            chosen[record.play.seat] = ledger.match, record.play
            continue
        if isinstance(record, Placed):
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
        settled = ledger.posted.entered if _is_settled(before, ledger) else settled
        if isinstance(record.body, posts.Play) and record.author == me:
            chosen.pop(record.body.seat, None)
    r.set(live=replace(live, ledger=ledger, settled=settled, later=later))
    r.play(posts=tuple(entered), digests=tuple(digests), matches=tuple(matches))
    if ledger.is_over:
        r.play(is_audited=audit.verdict(ledger) is not None)
    else:
        wants = (play for match, play in chosen.values() if match is ledger.match)
        r.play(wants=tuple(wants))


def signed(r: Reaction, body: Body) -> Post:
    """Return our next post; `checked` makes sure that it can be read again from the file."""
    posts.BODIES.checked(body)
    live = r.live
    me, posted = live.ledger.own, live.ledger.posted
    at = max(posted.read[me] + 1, round(1000 * (r.now - live.timing.epoch)))
    post = posts.Post(me, posted.spoken[me] + 1, body, posted.entered, b"", at)
    return replace(post, signature=live.signer.sign(apply.signed_bytes(live.ledger, post)))


def is_still_wanted(ledger: Ledger, post: Post) -> bool:
    body = post.body
    if isinstance(body, posts.Play):
        is_next = body.number == ledger.match.number + 1 and post.seen >= ledger.posted.taken_back
        return is_next and not ledger.has_chosen(body.seat)
    return isinstance(body, WANTED)


def enter(r: Reaction, post: Post, *, is_checked: bool = False, to_all_but: int = 0) -> None:
    """Enter a post: save it, as the host pass it on, and report it.

    Raises:
        Foul, Late: it cannot be entered; nothing has changed.
    """
    before = r.live
    ledger = apply.enter(before.ledger, post, is_checked=is_checked)
    clocks.check_judge(r, post)
    if r.s.is_closed:
        return
    r.do(Keep(post, ledger.posted.entered))
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
        r.time(shown_clocks=None)  # the clocks are shown anew
    if ledger.match.number < before.ledger.match.number:  # hidden choices made there are void
        wants = tuple(one for one in r.live.wants if not isinstance(one, posts.Play))
        r.play(wants=wants)
    if ledger.host != before.ledger.host:  # no clock ran while there was no host
        clocks.forget(r)
    if _is_settled(before.ledger, ledger):
        r.play(desync=None, settled=ledger.posted.entered)
    reporting.save(r, before, post)
    if r.s.is_host:
        r.send_all(messages.Entered(post), but=to_all_but)
    reporting.tell(r, before, post)
    clocks.let_look_on(r)
    clocks.think(r)
    clocks.judge(r, before, post)
    found = r.live.desync
    if r.s.is_host and before.ledger.is_held and not ledger.is_held and found and found.told:
        reporting.stop_desync(r, found.told)


def _is_settled(before: Ledger, after: Ledger) -> bool:
    return before.is_held and after.match.number < before.match.number


def advance(r: Reaction) -> None:
    while not r.s.is_closed and r.s.live is not None and not r.s.is_rematch:
        live = r.live
        if live.me is not None and live.ledger.is_gone(live.me):
            r.play(wants=(), asked=None)
            break
        if live.me is None or live.asked is not None or r.s.is_waiting:
            break
        if live.is_comparing and r.s.is_host:
            break
        post = _next(r)
        if post is None:
            break
        if r.s.is_host:
            try:
                enter(r, post, is_checked=True)
            except Late as error:
                r.tell(NotDone.by(error))
            except Foul as error:
                reporting.blame(r, error.terminal, str(error), post)
        else:
            # a host that has entered nothing since the silence may be waiting for lost posts
            is_in_step = live.since > r.s.line.silence[1]
            r.play(asked=post)
            r.time(asked_at=r.now if is_in_step else None)
            r.send(r.s.line.main, messages.Request(post))
            _judge_box(r, post)
    _audit(r)


def _next(r: Reaction) -> Post | None:
    """Return our next post, due or wanted by a local player; None if there is none."""
    take_later(r)
    before = _said_before(r.live)
    if before is not None:
        again, ledger = _again(r, before), r.live.ledger
        to_act = {ledger.roster.players[int(one)] for one in ledger.match.actors if one != CHANCE}
        if again is not None or (due.owing(ledger) | to_act) - {r.live.me}:
            return again
        r.play(later={})
    credentials = r.s.credentials
    is_open = credentials is None or credentials.is_open
    body: Body | None = due.due(r.live.ledger, is_open=is_open)
    while body is None and r.live.wants and not r.live.ledger.is_sharing:
        body, *rest = r.live.wants
        r.play(wants=tuple(rest))
        if isinstance(body, posts.Play) and r.live.ledger.has_chosen(body.seat):
            body = None  # lost with the disk, and returned by another terminal
    return None if body is None else signed(r, body)


def take_later(r: Reaction) -> None:
    """Enter posts of our own file that come after posts that were missing."""
    while (post := r.live.later.get(len(r.live.posts) + 1)) is not None:
        try:
            enter(r, post)
        except (Foul, Late):  # others were entered in their place
            r.play(later={})


def _said_before(live: LiveMatch) -> Post | None:
    """Return our post of the next number if our file has it after a lost one.

    Another terminal may still have that post, so we have to post the same again.
    """
    number = live.ledger.posted.spoken[live.ledger.own] + 1
    own = (one for one in live.later.values() if one.author == live.me)
    return next((one for one in own if one.number == number), None)


def _again(r: Reaction, before: Post) -> Post | None:
    """Return our earlier post, unchanged or signed again, if it can be entered; else None."""
    for post in (before, signed(r, before.body)):
        try:
            apply.enter(r.live.ledger, post)
        except (Foul, Late):
            continue
        return post
    return None


def _judge_box(r: Reaction, post: Post) -> None:
    """Stop if `post` opens a box: it proves who lied, even if the host withholds it."""
    if not isinstance(post.body, posts.BoxOpened | posts.ShareOpened):
        return
    try:
        apply.enter(r.live.ledger, post, is_checked=True)
    except Foul as error:
        reporting.blame(r, error.terminal, str(error), post)


def _audit(r: Reaction) -> None:
    live = r.s.live
    if r.s.is_closed or live is None or not live.ledger.is_over or live.is_audited:
        return
    verdict = audit.verdict(live.ledger)
    if verdict is not None:
        r.play(is_audited=True)
        reporting.audited(r, verdict)


def admit(r: Reaction, link: Link, here: messages.Here | None = None) -> None:
    """Admit a terminal to the running match, and send the posts that it lacks (host)."""
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
    if live.ledger.time.left:
        r.send(link.number, clocks.running(r))
    if live.watchers:
        r.send(link.number, messages.Watching(live.watchers, live.willing))
    if place.terminal is not None:
        clocks.set_presence(r, place.terminal, messages.THERE)


# --- Posts lost with a disk, and returned by the others ----------------------------------------


HAS_LOST: Final = "the host has lost posts, and others were made since"
TOGETHER: Final = 10.0  # s to wait for the others after the first has returned, and for each post


def await_others(r: Reaction) -> None:
    """Wait for the terminals that may have more posts than this host, which has resumed."""
    others = _others(r)
    if others and not r.live.ledger.is_over:
        r.set_host(awaited=others, awaited_until=inf)


def _others(r: Reaction) -> frozenset[int]:
    return frozenset(one.terminal for one in r.s.places if one.terminal is not None)


def stop_waiting(r: Reaction) -> None:
    """Stop waiting for terminals that have not returned.

    A terminal that announced posts and did not send them ends the match.
    """
    for link in r.s.links:
        if link.counts.promised > len(r.live.posts) and r.s.terminal_at(link) is not None:
            reporting.bad(r, link, "says that it has posts, and does not give them")
            return
    if r.s.awaited == _others(r) or any(place > len(r.live.posts) for place in r.live.later):
        r.set_host(awaited_until=inf)
        return
    r.set_host(awaited=frozenset())
    advance(r)


def count_heard(r: Reaction, link: Link, terminal: int | None, count: int) -> None:
    """Compare a terminal's number of posts with ours, and ask for missing ones (host).

    A terminal with fewer posts counts as heard only once it has caught up: its file may have more
    after a gap.
    """
    if count > len(r.live.posts):
        ask_lacking(r, link, terminal, count)
    elif count == len(r.live.posts):
        _has_all(r, terminal)


def ask_lacking(r: Reaction, link: Link, terminal: int | None, count: int) -> None:
    """Ask for missing posts, once; no new post is made until they have arrived (host)."""
    if link.counts.promised >= count:
        return
    r.count(link, promised=count)
    if terminal is not None:
        r.set_host(awaited=r.s.awaited | {terminal}, awaited_until=r.now + TOGETHER)
    r.send(link.number, messages.Lacking(len(r.live.posts)))


def take_held(r: Reaction, link: Link, terminal: int | None, post: Post) -> None:
    if len(r.live.posts) >= link.counts.promised:  # another terminal has sent it already
        _has_all(r, terminal)
        return
    if post not in r.live.posts:
        try:
            enter(r, post, to_all_but=link.number)
        except (Foul, Late):
            histories_differ(r, link, terminal)
            return
    take_later(r)
    if terminal is not None:
        r.set_host(awaited_until=r.now + TOGETHER)
    if len(r.live.posts) >= link.counts.promised:
        _has_all(r, terminal)


def histories_differ(r: Reaction, link: Link, terminal: int | None) -> None:
    """Stop because two terminals have different posts, for which nobody is to blame.

    A spectator is sent away instead, and the match goes on.
    """
    if terminal is None:
        r.decline(link, codes.HOST_BEHIND)
        return
    text = f"{HAS_LOST}, says {r.live.ledger.roster.who(terminal)}"
    reporting.stop(r, codes.HOST_BEHIND, text, common=r.live.ledger.match.number)


def _has_all(r: Reaction, terminal: int | None) -> None:
    if terminal is None or terminal not in r.s.awaited:
        return
    until = min(r.s.hosting.awaited_until, r.now + TOGETHER)
    r.set_host(awaited=r.s.awaited - {terminal}, awaited_until=until)
    if not r.s.awaited:
        advance(r)


# --- Different positions -----------------------------------------------------------------------


def is_different(r: Reaction, count: int, theirs: bytes) -> bool:
    """True if a digest differs from ours, and that difference is not settled yet."""
    live = r.live
    ours = live.digests[count]
    return count >= live.settled and ours != theirs and UNKNOWN not in (ours, theirs)


def ask_position(r: Reaction, link: Link, count: int) -> None:
    """Send our position after `count` posts and ask for the other, to show what differs.

    The match waits for the answer, except for a spectator's.
    """
    terminal = r.s.terminal_at(link)
    if terminal is not None:
        r.play(desync=OpenDesync(count, terminal))
    r.send(link.number, messages.PositionCheck(count, _position(r, count)))


def take_position(r: Reaction, link: Link, count: int, theirs: bytes) -> None:
    """Handle the other terminal's position (host), unless the difference is settled by now."""
    found = r.live.desync
    if r.s.terminal_at(link) is None:  # a spectator; its screen shows the difference
        r.drop(link.number)
    elif found is not None and found.posts == count and found.told is None:
        _name_difference(r, found, theirs)


def answer_position(r: Reaction, link: Link, count: int, theirs: bytes) -> None:
    r.send(link.number, messages.PositionCheck(count, _position(r, count)))
    if r.live.desync is None:
        _name_difference(r, OpenDesync(count, r.s.line.leads_to), theirs)


def _position(r: Reaction, count: int) -> bytes:
    match, game = r.live.matches[count], r.live.ledger.game
    text = f"step {match.number}\n{game.text(game.view(match.state, SPECTATOR))}"
    return text.encode()[: messages.MAX_POSITION]


def _name_difference(r: Reaction, found: OpenDesync, theirs: bytes) -> None:
    """Report the step that differs and log the line; the host offers to resume before it."""
    ours = _position(r, found.posts).decode()
    other = theirs.decode("utf-8", "replace")
    where = "the digests differ, the positions do not"
    for here, there in zip_longest(ours.split("\n"), other.split("\n"), fillvalue=""):
        if here != there:
            where = f"here {clean(here, 60)!r}, there {clean(there, 60)!r}"
            break
    at = r.live.matches[found.posts].number
    common = r.live.matches[max(0, found.posts - 1)].number
    who = r.live.ledger.roster.who(found.terminal)
    # Players see who and when; the line that differs is for readers of the log.
    told = events.Desync(at, common, r.live.seats_of(found.terminal), who)
    r.play(desync=replace(found, told=told))
    r.do(Save(reporting.short(f"note step {at} differs from that of {who}: {where}")))
    r.tell(told)
    if not r.s.is_host or r.live.ledger.is_held:
        return
    if offers.why_no_offer(r.live.ledger, r.s.host, posts.COMMON, common):
        reporting.stop_desync(r, told)
    else:
        enter(r, signed(r, posts.Offer(posts.COMMON, common)), is_checked=True)


def stop_silent(r: Reaction, found: OpenDesync) -> None:
    """Stop if the other terminal is here and does not send its position."""
    if r.live.presence[found.terminal] == messages.THERE:
        what = "has come to another position, and does not say which"
        reporting.stop(r, codes.DIGEST, what, terminal=found.terminal)
