"""Events for the app and log lines for what happens in a match, and the ways it stops; pure.

Log lines are short facts in English; the text for events is in tui.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core import codes
from kumite.core.copying import replace
from kumite.core.errors import KumiteError
from kumite.core.game import SPECTATOR, Seat, Seats
from kumite.core.log import End
from kumite.core.match import Match
from kumite.core.players import FOR, is_person, shown_name, stand_in
from kumite.core.text import clean, listed
from kumite.net.replica import apply, audit, due
from kumite.net.replica.audit import Verdict
from kumite.net.replica.ledger import Ledger, OpenOffer, SeatChoice
from kumite.net.replica.records import Evidence
from kumite.net.session import events
from kumite.net.session.events import Answered, Keep, Save, Status
from kumite.net.wire import fields, messages, posts
from kumite.net.wire.posts import Post

if TYPE_CHECKING:
    from kumite.net.session.state import Link, LiveMatch, Reaction

STATUS: Final = {
    messages.THERE: Status.BACK,
    messages.QUIET: Status.QUIET,
    messages.AWAY: Status.AWAY,
}


def match_began(r: Reaction) -> None:
    live = r.live
    ledger, seats = live.ledger, live.seats_here
    words, left = live.roster.words(), ledger.time.left
    known = words, left, live.roster.series, _replaced(r)
    r.tell(events.MatchBegan(live.header, ledger.match, seats, *known))
    if ledger.gone:
        r.tell(_gone(live))
    pairs = enumerate(zip(live.roster.players, ledger.roster.players, strict=True))
    for seat in (Seat(at) for at, (was, now) in pairs if was != now):
        r.tell(_moved(live, seat))
    if ledger.votes:
        r.tell(_voted(ledger, *ledger.votes[-1]))
    if ledger.offer is not None:
        _offered(r, None, ledger, ledger.offer)
    _chose(r, ledger.waiting)
    for want in live.wants:  # a choice that was kept, and not entered before the program ended
        if isinstance(want, posts.Play):
            r.tell(events.Sending(want.seat))
    if ledger.end is not None:  # whoever comes, or comes back, after the end has not heard of it
        r.tell(_ended(ledger, ledger.end))


def _replaced(r: Reaction) -> Seats:
    """Return the seats that a bot has kept since our players were away in an earlier match."""
    s, names = r.s, enumerate(r.live.roster.names)
    if s.is_host or r.live.me is not None or s.joining.what != messages.JOIN:
        return SPECTATOR
    return frozenset(Seat(at) for at, name in names if name == stand_in(s.name))


def _chose(r: Reaction, choices: tuple[SeatChoice, ...]) -> None:
    for one in choices:
        r.tell(events.Chose(one.seat, r.live.ledger.known_step(one)))


def _ended(ledger: Ledger, end: End) -> events.Ended:
    names = (shown_name(ledger.roster.names[seat]) or f"seat {seat + 1}" for seat in end.seats)
    return events.Ended(end, listed([*names]))


# --- Changes by a post -------------------------------------------------------------------------


def save(r: Reaction, before: LiveMatch, post: Post) -> None:
    was, now = before.ledger, r.live.ledger
    if isinstance(post.body, posts.Say):
        r.do(Save(f"say {speaker(before, post.author)} {post.body.text}"))
    if now.match is not was.match:
        r.do(Save(now.match))
    if now.end is not None and was.end is None:
        r.do(Save(now.end))
    if now.roster is not was.roster and not was.is_over:  # else it is about the next match
        at = _moved_seat(was, now)
        r.do(Save(f"note seat {at + 1} is now played by a bot of {_owner(now, at)}"))
    if now.gone != was.gone:
        r.do(Save(f"note gone for good, say all others: {_who(now, *dict(now.gone))}"))
    if isinstance(post.body, posts.Reveal) and not post.body.is_given:
        r.do(Save(f"note secrets kept closed: {_who(now, post.author)}"))


def tell(r: Reaction, before: LiveMatch, post: Post) -> None:
    was, now = before.ledger, r.live.ledger
    if isinstance(post.body, posts.Say):
        said, seat = post.body, speaker(before, post.author)
        r.tell(events.Said(said.text, seat, is_unkept=said.is_unkept))
    _chose(r, tuple(one for one in now.waiting if one not in was.waiting))
    _match(r, was.match, now)
    if now.roster is not was.roster:
        r.tell(_moved(r.live, _moved_seat(was, now)))
    if isinstance(post.body, posts.Offer) and post.body.kind == posts.VOTE:
        r.tell(_voted(now, post.author, post.body))
    if now.offer is not None and now.offer != was.offer:
        _offered(r, was.offer, now, now.offer)
    elif now.rematch is not None and now.rematch != was.rematch:  # also without an answer
        about = now.roster.who(post.author), now.rematch.game
        r.tell(events.OfferGone(posts.AGAIN, Answered.AGREED, *about))
    elif was.offer is not None and now.offer is None:
        _answered(r, was, was.offer, post)
    if now.gone != was.gone:
        r.tell(_gone(r.live))
    if isinstance(post.body, posts.Reveal) and not post.body.is_given:
        presence(r, post.author, Status.SECRETIVE)
    if now.end is not None and was.end is None:
        r.tell(_ended(now, now.end))


def _who(ledger: Ledger, *terminals: int) -> str:
    return listed([*map(ledger.roster.who, terminals)])


def _false(who: str) -> str:
    return f"{who} {'have' if ' and ' in who else 'has'} played false: "


def _gone(live: LiveMatch) -> events.Gone:
    ledger = live.ledger
    lost = [one for one, _ in ledger.gone]
    seats = frozenset[Seat]().union(*map(ledger.seats_of, lost))
    who = "" if ledger.is_gone(live.me) else _who(ledger, *lost)
    return events.Gone(seats, live.seats_here, who, ledger.roster.has_key_shares, ledger.is_over)


def speaker(live: LiveMatch, author: int) -> Seat:
    """Return the seat under which a terminal chats: its first at the start, of a person if any."""
    seats, names = sorted(live.roster.terminals[author].seats), live.roster.names
    return next((seat for seat in seats if is_person(names[seat])), seats[0])


def _match(r: Reaction, was: Match, now: Ledger) -> None:
    match = now.match
    if match is was:
        return
    if match.number > was.number and match.back(was.number) is was:
        for one in match.line()[was.number + 1 :]:
            r.tell(events.MatchChanged(one, one.last, now.time.left))
    else:
        r.tell(events.MatchChanged(match, None, now.time.left))


def _moved_seat(was: Ledger, now: Ledger) -> Seat:
    pairs = zip(was.roster.players, now.roster.players, strict=True)
    return next(Seat(at) for at, (old, new) in enumerate(pairs) if old != new)


def _moved(live: LiveMatch, seat: Seat) -> events.SeatMoved:
    name, owner = live.roster.names[seat].removeprefix(FOR), _owner(live.ledger, seat)
    return events.SeatMoved(seat, live.seats_here, name, owner)


def _owner(ledger: Ledger, seat: Seat) -> str:
    return ledger.roster.terminals[ledger.roster.players[seat]].name


def _offered(r: Reaction, was: OpenOffer | None, now: Ledger, offer: OpenOffer) -> None:
    about = agrees = ""
    if was is not None and was.post == offer.post:
        agrees = _who(now, *(offer.agreed - was.agreed))
    if offer.kind in (posts.SEAT, posts.AGAIN):
        about = shown_name(now.roster.names[offer.number])
    elif offer.kind == posts.GONE:
        about = _who(now, *(at for at in now.here if offer.number >> at & 1))
    seats, is_ours = now.seats_of(offer.author), now.me in offer.agreed
    who = now.roster.who(offer.author)
    told = events.Offered(offer.kind, offer.number, seats, is_ours, who, about)
    r.tell(replace(told, agrees=agrees, game=offer.game))


def _voted(ledger: Ledger, author: int, vote: posts.Offer) -> events.Voted:
    who = ledger.roster.who
    votes = tuple((who(at), one.game) for at, one in ledger.votes)
    return events.Voted(who(author), vote.game, votes, is_ours=author == ledger.me)


def _answered(r: Reaction, was: Ledger, offer: OpenOffer, post: Post) -> None:
    answer = Answered.OVERTAKEN
    if offer.kind == posts.GONE and offer.number >> post.author & 1:
        answer = Answered.BACK
    elif isinstance(post.body, posts.Answer) and post.body.is_yes:
        answer = Answered.AGREED
    elif isinstance(post.body, posts.Answer):
        answer = Answered.WITHDRAWN if post.author in offer.agreed else Answered.DECLINED
    r.tell(events.OfferGone(offer.kind, answer, was.roster.who(post.author), offer.game))


def audited(r: Reaction, verdict: Verdict) -> None:
    live, who = r.live, ""
    if live.ledger.game.SECRETS is None:
        return
    if verdict.match is not None:
        seen = live.ledger.match.steps()
        for number, (ours, full) in enumerate(zip(seen, verdict.match.steps(), strict=True), 1):
            if ours.step != full.step:
                r.do(Save(f"open {number} {full.step}"))
        r.do(Save("audit fair"))
    elif verdict.terminal is None:
        r.do(Save(f"audit none {verdict.text}"))
    else:
        who = live.ledger.roster.who(verdict.terminal)
        r.do(Save(f"audit false {_false(who)}{verdict.text}"))
    r.tell(events.Audited(verdict, who))


# --- Presence ----------------------------------------------------------------------------------


def presence(r: Reaction, terminal: int, status: Status) -> None:
    ledger = r.live.ledger
    is_over = ledger.is_over and (r.live.is_audited or status is Status.STALLED)
    who = ledger.roster.who(terminal)
    r.tell(events.Presence(status, ledger.seats_of(terminal), who, is_over=is_over))


def stood_still(r: Reaction, lost: float) -> None:
    """Report that our computer slept, or kumite was stopped, for `lost` s."""
    live = r.live
    if live.ledger.is_over and live.is_audited:
        return
    is_timed = bool(live.ledger.time.left)
    is_timed &= any(one.seat in live.seats_here for one in live.timing.thinking)
    r.do(Save(f"note this program stood still for {lost:.0f} s"))
    r.tell(events.Presence(Status.SLEPT, live.seats_here, number=round(lost), is_timed=is_timed))


def left(r: Reaction, terminal: int, *, is_closed: bool) -> None:
    live = r.live
    is_over, seats = live.ledger.is_over, live.seats_of(terminal)
    who = live.ledger.roster.who(terminal)
    if not is_over:
        r.do(Save(f"note left the table: {who}"))
    unaudited(r, terminal)
    event = events.Left(seats, is_closed, who, is_over=is_over)
    if not is_closed:
        r.tell(event)
        return
    if not is_over:
        r.do(Save(End("adjourned", tuple(sorted(seats)))))
    r.end(event)


def unaudited(r: Reaction, terminal: int) -> None:
    live = r.live
    if not live.ledger.is_over or live.ledger.game.SECRETS is None or live.is_audited:
        return
    if terminal in due.owing(live.ledger):
        who = live.ledger.roster.who(terminal)
        r.do(Save(f"audit none {who} left before opening secrets"))
        presence(r, terminal, Status.UNAUDITED)


def succession(r: Reaction, agrees: str = "") -> None:
    """Report who would take over from the host, or that `agrees` has agreed to it."""
    asked, live = r.s.succession, r.live
    assert asked is not None
    roster, here = live.ledger.roster, live.ledger.here
    about = listed([roster.who(at) for at in here if asked.meant >> at & 1])
    leader = "" if asked.leader == live.me else roster.who(asked.leader)
    seats, is_ours = live.seats_of(asked.leader), live.me in asked.agreed
    r.tell(events.Offered(posts.GONE, asked.meant, seats, is_ours, leader, about, True, agrees))


def missed(r: Reaction, terminals: tuple[int, ...]) -> None:
    ledger = r.live.ledger
    seats = frozenset[Seat]().union(*map(ledger.seats_of, terminals))
    event = events.Presence(Status.MISSED, seats, _who(ledger, *terminals), is_over=ledger.is_over)
    has_bots, is_host = ledger.roster.has_key_shares, r.s.host in terminals
    r.tell(replace(event, has_bots=has_bots, is_host=is_host))


# --- Abnormal ends -----------------------------------------------------------------------------


def short(text: str) -> str:
    return clean(text, fields.MAX_TEXT)


def bad(r: Reaction, link: Link, what: str) -> None:
    """Stop because of a terminal's message; a spectator is dropped instead."""
    terminal = r.s.terminal_at(link)
    if r.s.is_host and terminal is None:
        r.drop(link.number)
    else:
        stop(r, codes.UNEXPECTED, what, terminal=terminal or 0)


def blame(r: Reaction, terminal: int, what: str, post: Post | None = None) -> None:
    """Stop because a terminal cheated; `post` is the evidence."""
    ledger = r.live.ledger
    if post is not None and apply.is_signed(ledger, post):
        r.do(Keep(Evidence(post)))
        r.do(Save(short(f"audit false {_false(ledger.roster.who(terminal))}{what}")))
        if r.s.is_host:  # so that the others can verify it
            r.send_all(messages.Entered(post), but=r.s.line_to(post.author))
    stop(r, codes.FOUL, what, number=ledger.match.number + 1, terminal=terminal)


def stop(
    r: Reaction,
    code: str,
    what: str,
    *,
    number: int = 0,
    terminal: int = -1,
    speaker: int = -1,
    common: int | None = None,
) -> None:
    """Stop the match for all, because of `what` a terminal has done; everything is kept.

    `speaker`: the terminal that has done it, if there is nobody to blame.
    """
    live = r.live
    count, seats = len(live.presence), SPECTATOR
    author = terminal if 0 <= terminal < count else speaker
    who = live.ledger.roster.who(author) if 0 <= author < count else ""
    if 0 <= terminal < count:
        seats = live.seats_of(terminal)
    said = f"{_false(who) if code == codes.FOUL else who + ' '}{what}".strip()
    r.do(Save(short(f"note stopped: step {number}: {said}" if number else f"note stopped: {said}")))
    _say(r, number, code, what if 0 <= terminal < count else said, terminal)
    last = live.ledger.match.number if common is None else common
    r.end(events.Stopped(code, short(what), "", number, last, seats, who))


def stop_desync(r: Reaction, told: events.Desync) -> None:
    """Stop because two terminals differ, and resuming is impossible or declined."""
    r.do(Save(f"note stopped: step {told.number} differs"))
    if r.s.is_host:
        _say(r, told.number, codes.DIGEST, f"differs from {told.who}", messages.WATCHER)
    number, common, seats, who = told.number, told.common, told.seats, told.who
    r.end(events.Stopped(codes.DIGEST, "", "", number, common, seats, who))


def failed(r: Reaction, error: KumiteError) -> None:
    """Stop because this terminal cannot continue; nothing more can be saved."""
    _say(r, 0, error.code, "", messages.WATCHER)  # the error may name folders
    r.end(events.Stopped.by(error))


def _say(r: Reaction, number: int, code: str, text: str, blamed: int) -> None:
    """Broadcast a signed reason why we stop; spectators send nothing."""
    live = r.live
    if live.me is not None:
        r.send_all(audit.signed(live.ledger, live.signer, number, code, short(text), blamed))


def adjourn(r: Reaction) -> None:
    live = r.live
    if not live.ledger.is_over:
        seats = tuple(sorted(live.seats_of(live.me)))
        r.do(Save(End("adjourned", seats)))
    elif live.ledger.game.SECRETS is not None and not live.is_audited:
        who = _who(live.ledger, *sorted(due.owing(live.ledger)))
        r.do(Save(f"audit none left before {who} had opened secrets"))
