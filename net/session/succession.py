"""Another terminal takes over from a host that is permanently gone, if all agree; pure.

    successor                      another terminal
    (listens, is announced)   ←    Hello "return", with the key of the line between the two
                              ←    Here, Held              missing posts, see replication.py
    Succeed (who is gone)     →    its players are asked
                              ←    Agreed
    Entered (that they are gone), and so on: it is the host

Until all have agreed nothing is posted, and the successor keeps looking for the host. If the host
returns, play resumes there and nothing has changed. If two terminals want to take over, the later
one in the roster gives way. The posts that say who is gone also tell each terminal who the host is
now (`Ledger.host`), even if it resumes from its file.

Lines to the old host have keys that it gave out. Two other terminals derive the key of their line
from their box keys, which were bound before the match.
"""

from __future__ import annotations

from dataclasses import replace

from kumite.core.errors import IllegalStep
from kumite.net.crypto import boxes, pairing
from kumite.net.replica import absent, offers
from kumite.net.replica.ledger import Ledger, OpenOffer
from kumite.net.session import clocks, events, replication, reporting
from kumite.net.session.events import Answered, Calls, HostSetup
from kumite.net.session.state import (
    RETRY_EVERY,
    Host,
    Joiner,
    Link,
    Place,
    Reaction,
    Session,
    Succession,
)
from kumite.net.wire import messages, posts


def sought(s: Session) -> tuple[int, ...]:
    """Return the terminals to connect to while there is no line in use."""
    live = s.live
    if live is None or live.me is None or live.ledger.is_gone(live.me):
        return (s.host,)
    others = tuple(one for one in live.ledger.here if one not in (s.host, live.me))
    if s.is_host:
        return (s.host, *(one for one in others if one < live.me)) if s.is_gathering else ()
    return (s.host, *others) if s.host in live.missed or is_posted(s) else (s.host,)


def is_meant(r: Reaction) -> bool:
    """True if the host is missing, or a vote on its absence is open."""
    return r.s.succession is not None or r.s.host in clocks.missing(r)


def is_posted(s: Session) -> bool:
    """True if a posted offer says that the host is gone."""
    return _said(s) is not None


def _said(s: Session) -> OpenOffer | None:
    offer = None if s.live is None else s.live.ledger.offer
    is_it = offer is not None and offer.kind == posts.GONE and bool(offer.number >> s.host & 1)
    return offer if is_it else None


# --- The successor -----------------------------------------------------------------------------


def propose(r: Reaction) -> None:
    """Take over from the host or agree to another successor, or raise IllegalStep."""
    asked, live = r.s.succession, r.live
    meant = sum(1 << one for one in {r.s.host, *clocks.missing(r)})
    if asked is not None and (not r.s.is_host or asked.meant == meant):
        reply(r, is_yes=True)
        return
    if why := offers.why_no_offer(live.ledger, live.ledger.own, posts.GONE, meant):
        raise IllegalStep(why)
    if not r.s.is_host:
        lead(r)
        for one in r.s.awaited:
            clocks.set_presence(r, one, messages.AWAY)
        clocks.went_away(r, None, r.now)
        r.do(Calls.LISTEN)
    _ask(r, meant)
    reporting.succession(r)


def _ask(r: Reaction, meant: int) -> None:
    me = r.live.ledger.own
    r.set(succession=Succession(meant, me, frozenset({me})))
    r.set_host(awaited=r.s.awaited - absent.meant(meant))
    r.set_line(retry_at=r.now + RETRY_EVERY)
    r.send_all(messages.Succeed(meant))


def lead(r: Reaction) -> None:
    """Become the terminal to which the others connect, as the host was."""
    for link in r.s.links:
        r.drop(link.number)
    ledger = r.live.ledger
    roster, me = ledger.roster, ledger.own
    others = [one for one in ledger.here if one not in (r.s.host, me)]
    table = HostSetup.again(roster, me, r.credentials)
    places = tuple(_place(r, one) for one in others)
    side = Host(table, places, len(roster.terminals), awaited=frozenset(others))
    r.set(side=side, code=pairing.new_code(r.rng("code")))
    r.set_line(main=0, away_since=None)
    r.play(desync=None)


def _place(r: Reaction, terminal: int) -> Place:
    it, key = r.live.ledger.roster.terminals[terminal], line_key(r.live.ledger, terminal)
    return Place(terminal + 1, key, it.name, it.seats, True, terminal=terminal)


def return_key(r: Reaction, to: int) -> tuple[int, bytes]:
    """Return the ticket and key with which we return to a terminal."""
    live = r.s.live
    if to == 0 or live is None or live.me is None:
        return r.credentials.ticket, r.credentials.key
    return live.me + 1, line_key(live.ledger, to)


def line_key(ledger: Ledger, terminal: int) -> bytes:
    """Return the key of our line to another terminal; neither of us is the first host."""
    me, roster, secret = ledger.own, ledger.roster, ledger.box_secret
    own = boxes.secret(ledger.seed) if secret is None else secret
    public = roster.terminals[terminal].box_key
    return boxes.line_key(own, public, roster.match_id, min(me, terminal), max(me, terminal))


def tell(r: Reaction, link: Link, terminal: int) -> None:
    asked = r.s.succession
    if asked is None:
        return
    if asked.meant >> terminal & 1 and not asked.is_posted:  # it is back
        r.set_host(awaited=r.s.awaited | {terminal})
        _ask(r, 1 << r.s.host)
    else:
        r.send(link.number, messages.Succeed(asked.meant))


def answered(r: Reaction, terminal: int, answer: messages.Agreed) -> None:
    asked = r.s.succession
    if asked is None or asked.is_posted or answer.meant != asked.meant:
        return
    who = r.live.ledger.roster.who(terminal)
    if answer.is_yes:
        if terminal not in asked.agreed:
            r.set(succession=replace(asked, agreed=asked.agreed | {terminal}))
            reporting.succession(r, who)
    else:
        r.tell(events.OfferGone(posts.GONE, Answered.DECLINED, who))
        _give_up(r)


def _give_up(r: Reaction) -> None:
    """Become a joiner again after a refusal, and inform the others."""
    assert r.s.succession is not None
    r.send_all(messages.Agreed(r.s.succession.meant, False))
    give_way(r)


def give_way(r: Reaction, to: Link | None = None) -> None:
    """Become a joiner again, of the host, which is back, or of another successor."""
    asked = r.s.succession
    for link in r.s.links:
        if to is None or link.number != to.number:
            r.drop(link.number)
    kept = None
    if asked is not None and to is not None and to.to is not None and to.to != r.s.host:
        kept = replace(asked, leader=to.to)
    r.set(side=Joiner(messages.JOIN), succession=kept)
    retry_at = None if to is not None else r.now + RETRY_EVERY
    r.set_line(leads_to=r.s.host, away_since=r.now, retry_at=retry_at)
    r.do(Calls.UNLISTEN)
    if to is None:
        r.do(Calls.CONNECT)


# --- The other terminals -----------------------------------------------------------------------


def is_heard(r: Reaction, link: Link, meant: int) -> bool:
    """Ask the local players to confirm that terminals are gone; return whether `link` may ask."""
    live, who = r.live, absent.meant(meant)
    assert link.to is not None
    if live.me is None or r.s.host not in who or {live.me, link.to} & who or link.to == r.s.host:
        return False
    before = r.s.succession
    is_said = before is not None and before.meant == meant and live.me in before.agreed
    agreed = frozenset({link.to, live.me} if is_said else {link.to})
    r.set(succession=Succession(meant, link.to, agreed))
    if is_said:
        r.send(link.number, messages.Agreed(meant, True))
    reporting.succession(r)
    return True


def ended(r: Reaction) -> None:
    if r.s.succession is not None and not r.s.succession.is_posted:
        r.set(succession=None)
        r.tell(events.OfferGone(posts.GONE, Answered.NOT_ALL))


def is_asked(s: Session) -> bool:
    """True if local players are asked or have agreed, and no post by the successor says it yet."""
    asked, said = s.succession, _said(s)
    is_new = asked is not None and (said is None or said.author != asked.leader)
    return asked is not None and is_new and not asked.is_posted


def reply(r: Reaction, *, is_yes: bool) -> None:
    """Send our players' answer (the successor only withdraws), or raise IllegalStep."""
    asked, me = r.s.succession, r.live.ledger.own
    assert asked is not None
    if is_yes and me in asked.agreed:
        raise IllegalStep("you have said so; the others are waited for")
    if not r.s.is_host:
        r.send(r.s.line.main, messages.Agreed(asked.meant, is_yes))
    if is_yes:
        r.set(succession=replace(asked, agreed=asked.agreed | {me}))
        reporting.succession(r)
        return
    r.tell(events.OfferGone(posts.GONE, Answered.DECLINED))
    if r.s.is_host:
        _give_up(r)
    r.set(succession=None)


def resumed(r: Reaction, link: Link) -> None:
    """End the succession if the line leads to the host again (joiner)."""
    if link.to == r.s.host and r.s.succession is not None:
        r.set(succession=None)
        who = r.live.ledger.roster.who(r.s.host)
        r.tell(events.OfferGone(posts.GONE, Answered.BACK, who))


# --- Once all have agreed ----------------------------------------------------------------------


def go_on(r: Reaction) -> None:
    """Post the result once all agree; end the succession once the posts are entered."""
    asked = r.s.succession
    if asked is None or r.s.is_closed or r.s.live is None:
        return
    if r.s.host == asked.leader:
        r.set(succession=None)
        r.set_line(retry_at=None)
    elif r.s.is_gathering:
        needed = set(r.live.ledger.here) - absent.meant(asked.meant)
        if not r.s.awaited and needed <= asked.agreed:
            _post(r, asked)
    elif not asked.is_posted:
        _repeat(r, asked)
    elif not is_posted(r.s):  # a terminal has declined after all
        r.set(succession=None)
        if r.s.is_host:
            give_way(r)


def _post(r: Reaction, asked: Succession) -> None:
    r.set(succession=replace(asked, is_posted=True))
    r.set_line(retry_at=None)
    for link in r.s.links:
        if link.to is not None:
            r.drop(link.number)
    live = r.live
    lost, spoken = live.asked, live.ledger.posted.spoken[asked.leader]
    if lost is not None and lost.number > spoken and replication.is_still_wanted(live.ledger, lost):
        r.play(wants=(lost.body, *live.wants))
    r.play(asked=None)
    clocks.forget(r)
    before = live.ledger.offer
    if before is not None and before.kind == posts.GONE:  # made by an earlier would-be successor
        replication.enter(
            r, replication.signed(r, posts.Answer(before.post, False)), is_checked=True
        )
    replication.enter(
        r, replication.signed(r, posts.Offer(posts.GONE, asked.meant)), is_checked=True
    )
    replication.advance(r)


def _repeat(r: Reaction, asked: Succession) -> None:
    live, said = r.live, _said(r.s)
    if said is None or (said.author, said.number) != (asked.leader, asked.meant):
        return
    if live.me in asked.agreed:
        r.set(succession=replace(asked, is_posted=True))
        r.play(wants=(posts.Answer(said.post, True), *live.wants))
        replication.advance(r)
