"""What changes in a match, as lines of the log and as events for people; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core import results
from kumite.core.game import Seat
from kumite.core.log import End
from kumite.core.text import listed
from kumite.net.replica import due
from kumite.net.session import events
from kumite.net.session.effects import Save
from kumite.net.wire import messages, posts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kumite.core.errors import KumiteError
    from kumite.core.game import Setup
    from kumite.core.match import Match
    from kumite.net.replica.audit import Verdict
    from kumite.net.replica.ledger import Ledger
    from kumite.net.session.state import LiveMatch, Reaction
    from kumite.net.wire.posts import Post

OFFERS: Final = {
    posts.BACK: "{who} would like to take back all steps after step {number}",
    posts.DRAW: "{who} offer{s} a draw",
    posts.SEAT: "{who} offer{s} to let a bot play on for {seat}",
    posts.COMMON: "Go on from step {number}, the last on which all agree?",
    posts.AGAIN: "{who} would like to play again, with seats changed",
    posts.GONE: "{who} say{s} that {gone} {gone_is} gone for good",
}


def said(text: str, who: str, **more: object) -> str:
    """Return a sentence about one or several, verbs in their number: `{who} offer{s} a draw`."""
    several = " and " in who
    s, is_, has, does = ("", "are", "have", "do") if several else ("s", "is", "has", "does")
    return text.format(who=who, s=s, is_=is_, has=has, does=does, **more)


def not_done(r: Reaction, error: KumiteError) -> None:
    """Tell our people why something cannot be done."""
    r.tell(events.NotDone(error.code, str(error), error.hint))


def lobby(
    r: Reaction,
    setup: Setup,
    guests: Iterable[tuple[str, tuple[Seat, ...], int]],
    me: int,
    names: tuple[str, ...],
    free: Iterable[Seat],
    clock: tuple[int, ...],
    gone: str,
) -> None:
    """Tell our people who is there; a guest is a name, its seats, and whether it is ready."""
    shown = tuple(events.Guest(name, frozenset(at), bool(ready)) for name, at, ready in guests)
    r.tell(events.Lobby(setup, shown, me, names, frozenset(free), clock, gone))


def match_began(r: Reaction) -> None:
    """Tell that the match begins, or goes on."""
    live = r.live
    ledger = live.ledger
    seats = live.seats_here
    r.tell(events.MatchBegan(live.header, ledger.match, seats, live.roster.words(), ledger.clocks))
    if ledger.gone:
        r.tell(_said_gone(live))
    elsewhere = frozenset(live.header.by or ()) - ledger.seats_of(ledger.me)
    for seat in sorted(elsewhere) if not ledger.is_gone(ledger.me) else ():
        r.tell(events.SeatMoved(seat, seats, _said_moved(ledger, seat)))


def save(r: Reaction, before: LiveMatch, post: Post) -> None:
    """Write into the log what a post has changed."""
    was, now = before.ledger, r.live.ledger
    if isinstance(post.body, posts.Words):
        r.do(Save(f"say {_speaker(before, post)} {post.body.text}"))
    if now.match is not was.match:
        r.do(Save(now.match))
    if now.end is not None and was.end is None:
        r.do(Save(now.end))
    if now.roster is not was.roster:
        r.do(Save(f"note {_moved(was, now)[1]}"))
    if now.gone != was.gone:
        r.do(Save(f"note {_said_gone(r.live).text}"))
    if isinstance(post.body, posts.Reveal) and not post.body.is_given:
        r.do(Save(f"note {_kept_closed(now, post)}"))


def tell(r: Reaction, before: LiveMatch, post: Post) -> None:
    """Tell our people what a post has changed."""
    was, now = before.ledger, r.live.ledger
    if isinstance(post.body, posts.Words):
        r.tell(events.Said(_speaker(before, post), post.body.text))
    for choice in now.waiting:
        if choice not in was.waiting:
            r.tell(events.Chose(choice.seat))
    _match(r, was.match, now)
    if now.roster is not was.roster:
        seat, text = _moved(was, now)
        r.tell(events.SeatMoved(seat, now.seats_of(now.me), text))
    if now.offer != was.offer or (isinstance(post.body, posts.Answer) and not now.offer):
        _offer(r, was, now, post)
    if now.gone != was.gone:
        r.tell(_said_gone(r.live))
    if isinstance(post.body, posts.Reveal) and not post.body.is_given:
        r.tell(events.Unaudited(now.seats_of(post.author), _kept_closed(now, post)))
    if now.end is not None and was.end is None:
        seats = now.end.seats
        text = results.why(now.end.kind, _seats_text(now, seats), is_plural=len(seats) > 1)
        r.tell(events.Ended(now.end, text if seats else text.capitalize()))


def _said_gone(live: LiveMatch) -> events.Gone:
    """Return who is gone for good, and what becomes of their seats."""
    ledger = live.ledger
    lost = [one for one, _ in ledger.gone]
    seats = frozenset[Seat]().union(*map(ledger.seats_of, lost))
    if ledger.is_gone(live.me):
        now = "A bot plays on for you" if ledger.roster.has_wills else "You have forfeited"
        text = f"All others have said that you are gone for good. {now}; you can look on"
        return events.Gone(seats, live.seats_here, text)
    at = f"seat{'s'[len(seats) == 1 :]} {listed([str(seat + 1) for seat in sorted(seats)])}"
    now = f"a bot plays on for {at}" if ledger.roster.has_wills else f"forfeit: {at}"
    now = at if ledger.is_over and ledger.roster.has_wills else now
    who = listed([*map(ledger.roster.who, lost)])
    text = said("All others have said that {who} {is_} gone for good; {now}", who, now=now)
    return events.Gone(seats, live.seats_here, text)


def _kept_closed(ledger: Ledger, post: Post) -> str:
    return said("{who} keep{s} secrets closed: no audit", ledger.roster.who(post.author))


def _speaker(live: LiveMatch, post: Post) -> Seat:
    """Return the seat under which a terminal speaks: its first one, whoever plays it now."""
    return min(live.roster.terminals[post.author].seats)


def _match(r: Reaction, was: Match, now: Ledger) -> None:
    match = now.match
    if match is was:
        return
    if match.number > was.number and match.back(was.number) is was:
        for one in match.line()[was.number + 1 :]:
            r.tell(events.MatchChanged(one, one.last, now.clocks))
    else:
        r.tell(events.MatchChanged(match, None, now.clocks))


def _moved(was: Ledger, now: Ledger) -> tuple[Seat, str]:
    pairs = zip(was.roster.players, now.roster.players, strict=True)
    seat = next(Seat(at) for at, (old, new) in enumerate(pairs) if old != new)
    return seat, _said_moved(now, seat)


def _said_moved(ledger: Ledger, seat: Seat) -> str:
    roster = ledger.roster
    at = roster.terminals[roster.players[seat]].name or "somebody"
    return f"A bot at {at}'s computer plays on for {roster.names[seat] or f'seat {seat + 1}'}"


def _offer(r: Reaction, was: Ledger, now: Ledger, post: Post) -> None:
    offer = now.offer
    if offer is not None:
        seat = now.roster.names[offer.number] if offer.kind == posts.SEAT else ""
        meant = listed([now.roster.who(at) for at in now.here if offer.number >> at & 1])
        text = said(
            OFFERS[offer.kind],
            now.roster.who(offer.author),
            number=offer.number,
            seat=seat or "an empty seat",
            gone=meant,
            gone_is=said("{is_}", meant),
        )
        seats, is_ours = now.seats_of(offer.author), now.me in offer.agreed
        r.tell(events.Offered(offer.kind, offer.number, seats, is_ours, text))
        return
    gone = was.offer
    if gone is None and isinstance(post.body, posts.Offer):  # agreed on at once
        return
    if gone is None:
        return
    who = was.roster.who(post.author)
    if gone.kind == posts.GONE and gone.number >> post.author & 1:
        r.tell(events.OfferGone(gone.kind, False, said("{who} {is_} there again", who)))
        return
    match post.body:
        case posts.Answer(_, is_yes) if is_yes:
            r.tell(events.OfferGone(gone.kind, True, said("{who} agree{s}", who)))
        case posts.Answer() if post.author in gone.agreed:
            text = said("{who} take{s} the offer back", who)
            r.tell(events.OfferGone(gone.kind, False, text))
        case posts.Answer():
            r.tell(events.OfferGone(gone.kind, False, said("{who} {does} not agree", who)))
        case _:
            r.tell(events.OfferGone(gone.kind, False, "The offer does not stand any longer"))


def _seats_text(ledger: Ledger, seats: tuple[Seat, ...]) -> str:
    return listed([ledger.roster.names[seat] or f"seat {seat + 1}" for seat in seats])


def audited(r: Reaction, verdict: Verdict) -> None:
    """Tell and write down what the audit has found; nothing if there was nothing to find."""
    live = r.live
    if live.ledger.game.SECRETS is None:
        return
    if verdict.match is not None:
        text = "Audited: all have played fair"
        seen = live.ledger.match.steps()
        for number, (ours, full) in enumerate(zip(seen, verdict.match.steps(), strict=True), 1):
            if ours.step != full.step:
                r.do(Save(f"open {number} {full.step}"))
        r.do(Save("audit fair"))
    elif verdict.terminal is None:
        text = verdict.text
        r.do(Save(f"audit none {text}"))
    else:
        who = live.ledger.roster.who(verdict.terminal)
        text = said("{who} {has} played false: {what}", who, what=verdict.text)
        r.do(Save(f"audit false {text}"))
    r.tell(events.Audited(verdict, text))


def presence(r: Reaction, terminal: int, was: int, how: int) -> None:
    """Tell how it stands with another terminal."""
    live = r.live
    who, seats = live.ledger.roster.who(terminal), live.seats_of(terminal)
    is_done = live.ledger.is_over and live.is_audited  # there is nothing to wait for
    match how:
        case messages.THERE:
            back = "can be heard again" if was == messages.QUIET else "{is_} back"
            r.tell(events.HeardAgain(seats, said("{who} " + back, who)))
        case messages.QUIET:
            waits = "" if is_done else "; the table waits"
            r.tell(events.Quiet(seats, f"Nothing is heard from {who}{waits}"))
        case messages.AWAY:
            waits = "" if is_done else "; the table waits, and tries again by itself"
            r.tell(events.Away(seats, f"The connection to {who} broke{waits}"))
        case _:
            left(r, terminal, is_closed=False)


def left(r: Reaction, terminal: int, *, is_closed: bool) -> None:
    """Tell that a terminal has left; an unfinished match is adjourned."""
    live = r.live
    who, seats = live.ledger.roster.who(terminal), live.seats_of(terminal)
    text = said("{who} {has} left the table", who)
    if not live.ledger.is_over:
        r.do(Save(f"note {text}"))
        text += "; the match is adjourned, and can be continued"
    unaudited(r, terminal)
    event = events.Left(seats, text, is_closed)
    if not is_closed:
        r.tell(event)
        return
    if not live.ledger.is_over:
        r.do(Save(End("adjourned", tuple(sorted(seats)))))
    r.end(event)


def unaudited(r: Reaction, terminal: int) -> None:
    """Tell and write down that a terminal goes before its secrets are open."""
    live = r.live
    if not live.ledger.is_over or live.ledger.game.SECRETS is None or live.is_audited:
        return
    if terminal in due.owing(live.ledger):
        who = live.ledger.roster.who(terminal)
        text = said("{who} {has} left before opening secrets: no audit", who)
        r.do(Save(f"audit none {text}"))
        r.tell(events.Unaudited(live.seats_of(terminal), text))


def stalled(r: Reaction, terminal: int) -> None:
    """Tell that a terminal has owed something for long."""
    live = r.live
    missing = "secrets are not open" if live.ledger.is_over else "part of chance is missing"
    text = f"The table waits for {live.ledger.roster.who(terminal)}, whose {missing}"
    r.tell(events.Stalled(live.seats_of(terminal), text))


def succession(r: Reaction, text: str = "") -> None:
    """Tell who would carry the table on without the host, or what somebody has said of it."""
    asked, live = r.s.succession, r.live
    assert asked is not None
    roster, here = live.ledger.roster, live.ledger.here
    who = listed([roster.who(at) for at in here if asked.meant >> at & 1])
    gone = said("{who} {is_} gone for good", who)
    is_ours = live.me in asked.agreed
    if not text and asked.leader == live.me:
        text = f"You say that {gone}. When all others do, the table goes on at your computer"
    elif not text and is_ours:
        text = f"You say so, too: the table goes on at {roster.who(asked.leader)}'s computer"
    elif not text:
        leader = roster.who(asked.leader)
        text = said("{who} say{s} that {gone}, and would carry the table on", leader, gone=gone)
    r.tell(events.Offered(posts.GONE, asked.meant, live.seats_of(asked.leader), is_ours, text))


def long_away(r: Reaction, terminals: tuple[int, ...]) -> None:
    """Tell that terminals have been away for so long that all others may say: for good."""
    ledger = r.live.ledger
    who = listed([*map(ledger.roster.who, terminals)])
    then = "a bot plays on for them" if ledger.roster.has_wills else "they forfeit"
    then = "their part of the audit is done without them" if ledger.is_over else then
    text = said("{who} {has} been away for a minute. When all of you say: for good, ", who) + then
    if r.s.host in terminals:
        text += ", and another computer carries the table on"
    seats = frozenset[Seat]().union(*map(ledger.seats_of, terminals))
    r.tell(events.LongAway(seats, text))
