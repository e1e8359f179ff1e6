"""The session of one terminal at a LAN table: its inputs, messages and deadlines; pure.

Create a session with `host`, `join` or `resume`. `react(session, input, now) -> (session, effects)`
handles one input; `now` is in seconds from any origin, and `deadline(session)` returns when a
`Tick` is due. Carry out the effects in order: records are kept before messages are sent, so a
terminal that is killed at any moment can resume from its file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf
from typing import Any, Final, TypeAlias

from kumite.core import codes
from kumite.core import table as acts
from kumite.core.errors import BadData
from kumite.core.game import SPECTATOR, Seat
from kumite.core.players import stand_in
from kumite.core.text import clean
from kumite.net.crypto import pairing
from kumite.net.replica import due
from kumite.net.replica.records import Credentials, MatchStart, Placed, Record, Secret, Ticket
from kumite.net.replica.roster import Roster
from kumite.net.session import (
    clocks,
    events,
    handshake,
    joining,
    links,
    lobby,
    playing,
    replication,
    reporting,
    succession,
)
from kumite.net.session.events import Calls, Effects, HostSetup, Input, Status
from kumite.net.session.state import (
    GONE_AFTER,
    GREETING_TIME,
    LOST_AFTER,
    STALLED_AFTER,
    Host,
    Joiner,
    Link,
    Place,
    Reaction,
    Session,
    Stage,
    Succession,
    cleaned,
    persons,
)
from kumite.net.wire import fields, messages
from kumite.net.wire.posts import Post

# --- Creating a session ------------------------------------------------------------------------


def host(given: HostSetup, name: str, program: str, entropy: bytes, **more: Any) -> Session:
    """Return the session of a host whose table waits for joiners.

    Raises:
        BadSetup: the table cannot be played between terminals.
    """
    given.check()
    padded = (*given.names, *("" for _ in range(given.setup.seats)))[: given.setup.seats]
    shown = replace(given, names=tuple(map(cleaned, padded)))
    r = Reaction(Session(program, entropy, persons(name), Host(shown), **more), 0.0, [])
    match_id = r.draw("match").hex()[:16]
    known = match_id, match_id, 0, b"", r.draw("seed"), given.is_open, r.s.name
    kept = Credentials(*known, has_watchers=given.has_watchers, is_listed=given.is_listed)
    r.set(code=pairing.new_code(r.rng("code")), credentials=kept)
    return r.s


def join(
    code: str,
    name: str,
    program: str,
    entropy: bytes,
    *,
    what: str = messages.JOIN,
    seats: Iterable[Seat] = (),
    count: int = 1,
    is_open: bool = True,
    **more: Any,
) -> Session:
    """Return the session of a joiner or spectator that is about to connect.

    `seats`: the seats wanted, or `count` seats of any kind. `is_open`: whether our secrets may be
    opened after the match.

    Raises:
        BadCode: it is not a code.
    """
    known = pairing.parse_code(code)
    wish = (tuple(sorted(seats)), count)
    side = Joiner(what, wish, is_open)
    return Session(program, entropy, persons(name), side, known, **more)


def resume(records: Iterable[Record], program: str, entropy: bytes, **more: Any) -> Session:
    """Return the session of a terminal that resumes from its records.

    Raises:
        KumiteError: the records are not those of a match.
    """
    first, *rest = records
    if not isinstance(first, Credentials):
        raise BadData("the file of a table begins with how to come back to it")
    side = Joiner(messages.JOIN, (first.seats, 1))
    s = Session(program, entropy, first.name, side, credentials=first, **more)
    r = Reaction(s, 0.0, [])
    is_host = first.ticket == 0
    begins = [one for one in rest if isinstance(one, MatchStart)]
    if not begins:
        if is_host:
            raise BadData("this table was closed before its match began")
        return r.s
    roster, me = begins[-1].roster, begins[-1].me
    if is_host:
        _open_again(r, first, roster, [one for one in rest if isinstance(one, Ticket)])
    elif me is None and stand_in(first.name) not in roster.names:
        r.set_joiner(what=messages.WATCH)
    kept = [one for one in rest if isinstance(one, Secret | Post | Placed)]
    replication.restore(r, roster, me, kept)
    r.set_line(leads_to=r.s.host)
    if not is_host and me is not None:
        _carry_on(r, me, [one for one in rest if isinstance(one, Ticket)])
    return r.s


def _carry_on(r: Reaction, me: int, tickets: list[Ticket]) -> None:
    """Become the host again, if this terminal had taken over the table or was about to."""
    offer = r.live.ledger.offer
    if r.s.host == me:
        succession.lead(r)
        for one in tickets:
            r.put_place(_place(one, r.live.roster))
            r.set_host(tickets=max(r.s.hosting.tickets, one.number))
    elif offer is not None and offer.author == me and succession.is_posted(r.s):
        succession.lead(r)
        r.set(succession=Succession(offer.number, me, frozenset({me}), is_posted=True))


def _open_again(
    r: Reaction, credentials: Credentials, roster: Roster, tickets: list[Ticket]
) -> None:
    """Reopen the table for all whose tickets were kept; the last ticket of each number counts."""
    latest: dict[int, Ticket] = {}
    for one in tickets:
        latest.pop(one.number, None)  # so that it moves to the end
        latest[one.number] = one
    table = HostSetup.again(roster, 0, credentials)
    places = tuple(_place(one, roster) for one in latest.values())
    code = r.s.code or pairing.new_code(r.rng("code"))  # kept, or the invitations would be dead
    r.set(side=Host(table, places, max(latest, default=0)), code=code)


def _place(ticket: Ticket, roster: Roster) -> Place:
    at = ticket.terminal
    name, seats = (ticket.name, frozenset[Seat]())
    if at is not None:
        name, seats = roster.terminals[at].name, roster.terminals[at].seats
    return Place(ticket.number, ticket.key, name, seats, True, terminal=at)


# --- Inputs ------------------------------------------------------------------------------------


LONGEST_DELAY: Final = 2.0  # s that count at most as the delay of a line

Next: TypeAlias = "tuple[Session, Effects]"


def react(session: Session, given: Input, now: float) -> Next:
    """React to an input; never raises, whatever the other side sends."""
    r = Reaction(session, now, [])
    if links.stood_still(r, deadline(session)):
        _on_time(r)
    match given:
        case events.Opened() | events.Heard() | events.LineLost() | events.Unreached():
            links.take(r, given, EARS)
        case events.Tick():
            _on_time(r)
        case events.Failed(error) if r.s.live is not None and not r.s.is_closed:
            reporting.failed(r, error)
        case events.Failed(error):
            r.end(events.Stopped.by(error))
        case _:
            _command(r, given)
    lobby.rematch(r)
    succession.go_on(r)
    playing.note_watchers(r)
    _look_at_clocks(r)
    return r.s, tuple(r.effects)


def begin(session: Session, now: float, idle: float = 0.0) -> Next:
    """Return the first effects: a joiner connects; a table or a resumed match is shown.

    `idle`: s since the last post of a resumed match was kept.
    """
    r = Reaction(session, now, [])
    if r.s.live is not None:
        reporting.match_began(r)
        r.play(since=now)
        clocks.let_look_on(r)
        clocks.restart(r, idle)
        for number in range(len(r.live.presence)):
            clocks.set_presence(r, number, messages.AWAY if session.is_host else messages.THERE)
    elif session.is_host:
        lobby.show(r)
    if not session.is_host:
        r.set_line(retry_at=None)
        if r.s.live is not None:
            clocks.lost_host(r, now, messages.AWAY)
        r.do(Calls.CONNECT)
    elif r.s.live is not None:
        replication.await_others(r)
        replication.advance(r)
    lobby.rematch(r)
    _look_at_clocks(r)
    return r.s, tuple(r.effects)


def _look_at_clocks(r: Reaction) -> None:
    """Flag seats that are out of time, show the clocks, report terminals away for long."""
    if r.s.live is not None and not r.s.is_closed and not r.s.is_rematch:
        playing.run_out(r)
        clocks.show(r)
        clocks.tell_missed(r)


# --- Messages ----------------------------------------------------------------------------------


def _sealed(r: Reaction, link: Link) -> None:
    if link.to is not None and r.s.is_host and not r.s.is_gathering:
        r.drop(link.number)
    elif link.to is not None and r.s.is_host:
        succession.give_way(r, link)
        playing.resumed(r, link)
    elif r.s.is_host:
        handshake.make_room(r, link)
        if link.what != messages.RETURN and r.s.link(link.number) is not None:
            lobby.invite(r, link)
    elif r.s.credentials is not None:
        playing.resumed(r, link)


def _message(r: Reaction, link: Link, message: messages.Message) -> None:
    is_playing = link.stage is Stage.PLAYING and r.s.live is not None
    if r.s.is_host and not playing.may_speak(r, link, message):
        return
    match message:
        case messages.Ping(beat):
            r.send(link.number, messages.Pong(beat))
        case messages.Pong(beat):
            if beat == link.beat:
                r.set(delay=max(0.9 * r.s.delay, min(LONGEST_DELAY, r.now - link.pinged)))
                lobby.pinged(r, link)
        case messages.Here() if r.s.is_host and link.stage is Stage.SEALED:
            playing.returned(r, link, message)
        case messages.Bye() if r.s.is_host:
            _bye(r, link)
        case messages.Decline(code) if r.s.is_host and not is_playing:
            r.drop(link.number)
            lobby.lost(r, link.ticket, is_for_good=True)
            r.tell(events.TurnedAway(link.place, handshake.known(code)))
        case _ if r.s.is_host:
            (playing.host_hears if is_playing else lobby.hear_joiner)(r, link, message)
        case _ if is_playing and not _is_between(r, message):
            playing.joiner_hears(r, link, message)
        case _:
            joining.hear_host(r, link, message)
    lobby.rematch(r)


EARS: Final = links.Ears(_sealed, _message)


def _is_between(r: Reaction, message: messages.Message) -> bool:
    """True if the message is about the next match.

    A spectator, or a player just back, may have missed the posts that agreed on it.
    """
    if isinstance(message, messages.Invite) and r.live.since <= r.s.line.silence[1]:
        return message.match_id != r.live.roster.match_id
    is_lobby = isinstance(
        message, messages.Invite | messages.Bound | messages.Begin | messages.There
    )
    return is_lobby and (r.live.me is None or r.live.ledger.rematch is not None)


def _bye(r: Reaction, link: Link) -> None:
    terminal = r.s.terminal_at(link)
    r.drop(link.number)
    if r.s.live is None or r.s.is_rematch:
        lobby.lost(r, link.ticket, is_for_good=True)
    if r.s.live is not None and terminal is not None:
        clocks.set_presence(r, terminal, messages.LEFT)


# --- Time --------------------------------------------------------------------------------------


def deadline(s: Session) -> float | None:
    times = [] if s.is_closed else [at for at, _ in _timers(s)]
    if s.live is not None and not s.is_closed:  # after each input, see `_look_at_clocks`
        times += clocks.free_ends_at(s.live) + clocks.missed_at(s)
        times += [at for at, _ in (*clocks.flags_at(s), *clocks.overdue_at(s))]
    return min(times, default=None)


def _timers(s: Session) -> list[links.Timer]:
    found, away_since = links.timers(s), s.line.away_since
    if s.live is None:
        if gone := [one.gone_at for one in s.places if one.gone_at is not None]:
            found.append((min(gone) + GONE_AFTER, lobby.forget_lost))
        is_alone = not s.is_host and all(link.stage < Stage.SEALED for link in s.links)
        if is_alone and away_since is not None:  # before the match a joiner gives up
            found.append((away_since + GONE_AFTER, _give_up))
        return found
    if s.live.me is None and away_since is not None:
        found.append((away_since + LOST_AFTER, _lose))
    if not s.live.is_stalled:
        found.append((s.live.since + STALLED_AFTER, _stalled))
    if s.awaited and not s.is_gathering and s.hosting.awaited_until < inf:
        found.append((s.hosting.awaited_until, replication.stop_waiting))
    if s.is_host and s.is_rematch:
        found.append((s.hosting.invited_at + GREETING_TIME, lobby.drop_late))
    return found


def _on_time(r: Reaction) -> None:
    if r.s.is_closed:
        return
    links.on_time(r, _timers(r.s))
    if r.s.live is not None:
        playing.hear_waiting(r)


def _give_up(r: Reaction) -> None:
    r.end(events.Stopped(codes.CLOSED))


def _lose(r: Reaction) -> None:
    r.end(events.Stopped(codes.NO_ANSWER))


def _stalled(r: Reaction) -> None:
    live = r.live
    r.play(is_stalled=True)
    if live.desync is not None and live.desync.told is None:
        replication.stop_silent(r, live.desync)
        return
    for terminal in sorted(due.owing(live.ledger)):
        if terminal != live.me and live.presence[terminal] == messages.THERE:
            reporting.presence(r, terminal, Status.STALLED)


# --- Local players -----------------------------------------------------------------------------


def _command(r: Reaction, given: events.Command) -> None:
    is_host, is_before = r.s.is_host, r.s.live is None
    match given:
        case _ if r.s.is_closed:
            pass
        case events.Order.DEPART | events.Order.VANISH:
            _depart(r, is_told=given is events.Order.DEPART)
        case events.SetReady(is_ready) if is_before:
            if not is_host:
                r.set_joiner(is_ready=is_ready)
                r.send(r.s.line.main, messages.Ready(is_ready))
        case events.Order.START if is_host and is_before:
            lobby.start(r)
        case events.Order.NEW_CODE if is_host:
            handshake.new_code(r)
        case events.Order.START | events.Order.NEW_CODE:
            r.tell(events.NotDone(codes.NOT_NOW))
        case acts.Say(text) if is_before and is_host:
            lobby.talk(r, lobby.HOST, text)
        case acts.Say(text) if is_before:
            if said := clean(text, fields.MAX_SAY):
                r.send(r.s.line.main, messages.Say(0, said))
        case events.TakeSeat() | events.Rename() | events.Order.DRAW_SEATS if is_before:
            (lobby.arrange if is_host else joining.ask)(r, given)
        case events.FillSeats() if is_before and is_host:
            lobby.arrange(r, given)
        case _ if is_before:
            r.tell(events.NotDone(codes.NOT_BEGUN))
        case _:
            playing.command(r, given)


def _depart(r: Reaction, *, is_told: bool) -> None:
    for link in r.s.links:
        if is_told and link.stage >= Stage.SEALED:
            r.send(link.number, messages.Bye())
    seats = SPECTATOR
    if r.s.live is not None:
        reporting.adjourn(r)
        seats = r.live.seats_of(r.live.me)
    r.end(events.Left(seats, is_closed=True, is_ours=True))
