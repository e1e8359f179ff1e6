"""A terminal at a LAN table: all that its connections bring, in and out; pure.

`react(session, input, now) -> (session, effects)`: raw bytes in and out, `now` in seconds from any
start; `deadline(session)` says when a `Tick` is due. Effects are done in order, what is kept before
what is sent: killed at any moment, a terminal goes on from its file.

A terminal connects and proves the code (handshake.py), sits down (lobby.py, joining.py) and plays:
what others send is in exchange.py, what people here do in commands.py, and the match that both add
to in replication.py. Lines that end or are silent are in links.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.text import clean
from kumite.net.replica import due
from kumite.net.session import (
    abort,
    commands,
    desync,
    doorway,
    events,
    exchange,
    handshake,
    healing,
    hearing,
    inputs,
    joining,
    judging,
    links,
    lobby,
    notices,
    presence,
    refusals,
    replication,
    seating,
    succession,
    thinking,
    watching,
)
from kumite.net.session.effects import Close, Connect
from kumite.net.session.state import (
    GONE_AFTER,
    STALLED_AFTER,
    Link,
    Reaction,
    Session,
    Stage,
    persons,
)
from kumite.net.wire import fields, messages

if TYPE_CHECKING:
    from kumite.net.session.effects import Effects
    from kumite.net.session.inputs import Input

LONGEST_DELAY: Final = 2.0  # s that count as the delay of a line

Next: TypeAlias = "tuple[Session, Effects]"


def react(session: Session, given: Input, now: float) -> Next:
    """React to anything that happens; never raises, whatever the other side sends."""
    r = Reaction(session, now, [])
    match given:
        case inputs.Opened():
            _opened(r, given)
        case inputs.Heard(link, data):
            hearing.heard(r, link, data, EARS)
        case inputs.Gone(link):
            links.gone(r, link)
        case inputs.Tick():
            _on_time(r)
        case inputs.Failed(error):
            _failed(r, error)
        case inputs.Unreached(error):
            links.unreached(r, error)
        case _:
            _command(r, given)
    lobby.rematch(r)
    succession.go_on(r)
    watching.note(r)
    _look_at_clocks(r)
    return r.s, tuple(r.effects)


def begin(session: Session, now: float, idle: float = 0.0) -> Next:
    """Return what to do first: a joiner connects, and a match that goes on is shown.

    `idle`: s since the last post was kept, of a match that goes on.
    """
    r = Reaction(session, now, [])
    if r.s.live is not None:
        notices.match_began(r)
        r.play(since=now)
        presence.let_look_on(r)
        thinking.go_on(r, idle)
        for number in range(len(r.live.presence)):
            presence.note(r, number, messages.AWAY if session.is_host else messages.THERE)
    if not session.is_host:
        r.set(retry_at=None)
        if r.s.live is not None:
            presence.lost_host(r, now, messages.AWAY)
        r.do(Connect())
    elif r.s.live is not None:
        healing.begin(r)
        replication.advance(r)
    lobby.rematch(r)
    _look_at_clocks(r)
    return r.s, tuple(r.effects)


def _look_at_clocks(r: Reaction) -> None:
    """Give up where time is up, show how the clocks stand, and who has been away for long."""
    if r.s.live is not None and not r.s.is_closed and not r.s.is_rematch:
        commands.flags(r)
        thinking.show(r)
        presence.on_time(r)


# --- Connections ------------------------------------------------------------------------------


def _opened(r: Reaction, given: inputs.Opened) -> None:
    if r.s.is_closed:
        r.do(Close(given.link))
        return
    link = Link(given.link, r.now, given.address, given.to, heard=r.now, pinged=r.now)
    handshake.opened(r, link)


def _failed(r: Reaction, error: KumiteError) -> None:
    if r.s.live is not None and not r.s.is_closed:
        abort.failed(r, error)
    else:
        r.end(events.Stopped(error.code, str(error), error.hint))


# --- Messages ---------------------------------------------------------------------------------


def _sealed(r: Reaction, link: Link) -> None:
    """Both know the key now."""
    if link.to is not None and r.s.is_host and not r.s.is_gathering:
        r.drop(link.number)
    elif link.to is not None and r.s.is_host:
        succession.give_way(r, link)
        exchange.resumed(r, link)
    elif r.s.is_host:
        doorway.make_room(r, link)
        if link.what != messages.RETURN and r.s.link(link.number) is not None:
            lobby.invite(r, link)
    elif r.s.credentials is not None:
        exchange.resumed(r, link)


def _message(r: Reaction, link: Link, message: messages.Message) -> None:
    is_playing = link.stage is Stage.PLAYING and r.s.live is not None
    if r.s.is_host and not watching.is_heard(r, link, message):
        return
    match message:
        case messages.Ping(beat):
            r.send(link.number, messages.Pong(beat))
        case messages.Pong(beat):
            if beat == link.beat:
                r.set(delay=max(0.9 * r.s.delay, min(LONGEST_DELAY, r.now - link.pinged)))
        case messages.Here() if r.s.is_host and link.stage is Stage.SEALED:
            exchange.returned(r, link, message)
        case messages.Bye() if r.s.is_host:
            _bye(r, link)
        case messages.Decline(code) if r.s.is_host and not is_playing:
            r.drop(link.number)
            lobby.lost(r, link, is_for_good=True)
            r.tell(events.TurnedAway(link.place, *refusals.told(code, is_host=True)))
        case _ if r.s.is_host:
            (exchange.host_hears if is_playing else lobby.hear)(r, link, message)
        case _ if is_playing and not _is_between(r, message):
            exchange.joiner_hears(r, link, message)
        case _:
            joining.hear(r, link, message)
    lobby.rematch(r)


EARS: Final = hearing.Ears(_sealed, _message, links.broken)


def _is_between(r: Reaction, message: messages.Message) -> bool:
    """Return whether it is about the next match."""
    is_lobby = isinstance(
        message, messages.Invite | messages.Bound | messages.Begin | messages.There
    )
    return is_lobby and r.live.ledger.wants_rematch


def _bye(r: Reaction, link: Link) -> None:
    place = r.s.place(link.ticket)
    r.drop(link.number)
    if r.s.live is None or r.s.is_rematch:
        lobby.lost(r, link, is_for_good=True)
    if r.s.live is not None and place is not None and place.terminal is not None:
        presence.note(r, place.terminal, messages.LEFT)


# --- Time -------------------------------------------------------------------------------------


def deadline(s: Session) -> float | None:
    """Return when a Tick is due, None if only other inputs can change anything."""
    if s.is_closed:
        return None
    times = links.deadlines(s)
    if s.live is None:
        times += [one.gone_at + GONE_AFTER for one in s.places if one.gone_at is not None]
        times += [s.away_since + GONE_AFTER] if _is_alone(s) and s.away_since is not None else []
    else:
        times += thinking.flags_at(s.live) + thinking.free_ends_at(s.live)
        times += presence.deadlines(s)
        if s.away_since is None:
            times += [at for at, _ in judging.overdue_at(s.live)]
        times += healing.deadline(s)
        if not s.live.is_stalled:
            times.append(s.live.since + STALLED_AFTER)
    return min(times, default=None)


def _is_alone(s: Session) -> bool:
    """Return whether a joiner has no line to the host: before the match there is no use in it."""
    return not s.is_host and all(link.stage < Stage.SEALED for link in s.links)


def _on_time(r: Reaction) -> None:
    if r.s.is_closed:
        return
    links.on_time(r)
    if r.s.live is None:
        lobby.on_time(r, GONE_AFTER)
        if _is_alone(r.s) and r.s.away_since is not None and r.now >= r.s.away_since + GONE_AFTER:
            text = "The host went away before the match began"
            r.end(events.Stopped(codes.CLOSED, text, "when the table is open again, join anew"))
    else:
        _stalled(r)
        healing.on_time(r)
        exchange.go_on(r)


def _stalled(r: Reaction) -> None:
    live = r.live
    if live.is_stalled or r.now < live.since + STALLED_AFTER:
        return
    r.play(is_stalled=True)
    if live.desync is not None and live.desync.told is None:
        desync.stop_silent(r, live.desync)
        return
    for terminal in sorted(due.owing(live.ledger)):
        if terminal != live.me and live.presence[terminal] == messages.THERE:
            notices.stalled(r, terminal)


# --- People -----------------------------------------------------------------------------------


def _command(r: Reaction, given: inputs.Command) -> None:
    if r.s.is_closed:
        return
    match given:
        case inputs.Depart():
            _depart(r)
        case inputs.SetReady(is_ready) if not r.s.is_host:
            r.set(is_ready=is_ready)
            r.send(r.s.main, messages.Ready(int(is_ready)))
        case inputs.SetReady():
            pass
        case inputs.StartMatch() if r.s.is_host and r.s.live is None:
            lobby.start(r)
        case inputs.TakeSeat() | inputs.Rename() | inputs.DrawSeats() | inputs.Speak() if (
            r.s.live is None
        ):
            _in_lobby(r, given)
        case inputs.NewCode() if r.s.is_host:
            handshake.new_code(r, "There is a new code")
        case inputs.StartMatch() | inputs.NewCode():
            r.tell(events.NotDone(codes.NOT_NOW, "That is the host's to do before the match", ""))
        case _ if r.s.live is None:
            r.tell(events.NotDone(codes.NOT_BEGUN, "The match has not begun", ""))
        case _:
            commands.command(r, given)


def _in_lobby(r: Reaction, given: inputs.Command) -> None:
    """Do what people want about talk, names and seats before the match."""
    match given:
        case inputs.Speak(text) if r.s.is_host:
            lobby.talk(r, seating.HOST, text)
        case inputs.Speak(text) if said := clean(text, fields.MAX_SAY):
            r.send(r.s.main, messages.Talk(0, said))
        case inputs.TakeSeat(seat) if not r.s.is_host:
            joining.move(r, seat)
        case inputs.Rename(name) if not r.s.is_host:
            joining.rename(r, persons(name))
        case inputs.TakeSeat() | inputs.Rename() | inputs.DrawSeats() if r.s.is_host:
            lobby.arrange(r, given)
        case _:
            pass


def _depart(r: Reaction) -> None:
    for link in r.s.links:
        if link.stage >= Stage.SEALED:
            r.send(link.number, messages.Bye())
    if r.s.live is not None:
        abort.adjourn(r)
        seats = r.live.seats_of(r.live.me)
    else:
        seats = frozenset()
    r.end(events.Left(seats, "You have left the table", is_closed=True))
