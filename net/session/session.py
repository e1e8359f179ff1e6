"""A terminal at a LAN table: all that its connections bring, in and out; pure.

`react(session, input, now) -> (session, effects)`: raw bytes in and out, `now` in seconds from any
start; `deadline(session)` says when a `Tick` is due. Effects are done in order, what is kept before
what is sent: killed at any moment, a terminal goes on from its file.

A terminal connects and proves the code (handshake.py), sits down (lobby.py, joining.py) and plays:
what others send is in exchange.py, what people here do in commands.py, and the match that both add
to in replication.py. Lines that end or are silent are in links.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kumite.core import codes
from kumite.core.errors import BadData, KumiteError
from kumite.net.crypto.channel import BadSeal
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
    inputs,
    joining,
    links,
    lobby,
    notices,
    presence,
    refusals,
    replication,
    thinking,
    watching,
)
from kumite.net.session.effects import Close, Connect
from kumite.net.session.state import (
    GONE_AFTER,
    GREETING_TIME,
    PING_EVERY,
    QUIET_AFTER,
    RETRY_EVERY,
    STALLED_AFTER,
    Link,
    Reaction,
    Session,
    Stage,
)
from kumite.net.wire import framing, messages

if TYPE_CHECKING:
    from kumite.net.session.effects import Effects
    from kumite.net.session.inputs import Input

Next: TypeAlias = "tuple[Session, Effects]"


def react(session: Session, given: Input, now: float) -> Next:
    """React to anything that happens; never raises, whatever the other side sends."""
    r = Reaction(session, now, [])
    match given:
        case inputs.Opened(link, address):
            _opened(r, link, address)
        case inputs.Heard(link, data):
            _heard(r, link, data)
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
    watching.note(r)
    return r.s, tuple(r.effects)


def begin(session: Session, now: float) -> Next:
    """Return what to do first: a joiner connects, and a match that goes on is shown."""
    r = Reaction(session, now, [])
    if r.s.live is not None:
        notices.match_began(r)
        r.play(since=now)
        thinking.think(r)
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
    return r.s, tuple(r.effects)


# --- Connections ------------------------------------------------------------------------------


def _opened(r: Reaction, number: int, address: str) -> None:
    if r.s.is_closed:
        r.do(Close(number))
        return
    handshake.opened(r, Link(number, r.now, address, heard=r.now, pinged=r.now))


def _failed(r: Reaction, error: KumiteError) -> None:
    if r.s.live is not None and not r.s.is_closed:
        abort.failed(r, error)
    else:
        r.end(events.Stopped(error.code, str(error), error.hint))


# --- Bytes ------------------------------------------------------------------------------------


def _heard(r: Reaction, number: int, data: bytes) -> None:
    """Take in bytes: whole frames are heard, the rest waits."""
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    try:
        while link is not None and link.opener is None:
            link = r.put(link, rest=link.rest + data)
            data = b""
            packed = _next_frame(r, link)
            if packed is None:
                return
            link = r.s.link(number)
            if link is not None and handshake.hear(r, link, messages.plain_of(packed)):
                _sealed(r, r.s.link(number) or link)
            link = r.s.link(number)
        if link is not None and link.opener is not None:
            data, link = link.rest + data, r.put(link, rest=b"")
            assert link.opener is not None
            for opened in link.opener.feed(data):
                _take(r, number, opened)
    except BadData as error:
        link = r.s.link(number)
        if link is not None:
            links.broken(r, link, str(error))


def _next_frame(r: Reaction, link: Link) -> bytes | None:
    """Take the first plain frame from what has come; None if it is not complete.

    Raises:
        BadData: it begins in another way, or the frame is too long.
    """
    buffer, at = link.rest, 0
    if not link.has_heard:
        start = buffer[: len(framing.PREAMBLE)]
        if not framing.PREAMBLE.startswith(start):
            raise BadData("it does not begin like kumite")
        if start != framing.PREAMBLE:
            return None
        at = len(framing.PREAMBLE)
    packed = framing.first_frame(buffer[at:], framing.MAX_PLAIN)
    size = at if packed is None else at + framing.LENGTH + len(packed)
    r.put(link, rest=buffer[size:], has_heard=True)
    return packed


def _take(r: Reaction, number: int, opened: bytes | BadSeal) -> None:
    """Take in what a sealed frame held.

    Raises:
        BadData: it is no message, or was not sealed by the other side.
    """
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    if isinstance(opened, BadSeal):
        raise BadData(opened.reason)
    message = messages.SEALED.unpack(opened)
    link = r.put(link, heard=r.now)
    if link.is_quiet:
        link = r.put(link, is_quiet=False)
        links.heard_again(r, link)
    _message(r, link, message)


def _sealed(r: Reaction, link: Link) -> None:
    """Both know the key now."""
    if r.s.is_host:
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
        case messages.Pong():
            pass
        case messages.Here() if r.s.is_host and link.stage is Stage.SEALED:
            exchange.returned(r, link, message)
        case messages.Bye() if r.s.is_host:
            _bye(r, link)
        case messages.Decline(code) if r.s.is_host and not is_playing:
            r.drop(link.number)
            lobby.lost(r, link, is_for_good=True)
            r.tell(events.TurnedAway(link.address, *refusals.told(code, is_host=True)))
        case _ if r.s.is_host:
            (exchange.host_hears if is_playing else lobby.hear)(r, link, message)
        case _ if is_playing and not _is_between(r, message):
            exchange.joiner_hears(r, link, message)
        case _:
            joining.hear(r, link, message)
    lobby.rematch(r)


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
    times = [] if s.retry_at is None else [s.retry_at]
    for link in s.links:
        if link.stage < Stage.SEALED:
            times.append(link.since + GREETING_TIME)
            continue
        times.append(link.pinged + PING_EVERY)
        if not link.is_quiet:
            times.append(link.heard + QUIET_AFTER)
    if s.live is None:
        times += [one.gone_at + GONE_AFTER for one in s.places if one.gone_at is not None]
        times += [s.away_since + GONE_AFTER] if _is_alone(s) and s.away_since is not None else []
    else:
        if s.away_since is None:
            times += thinking.flags_at(s.live)
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
    for link in r.s.links:
        if link.stage < Stage.SEALED:
            if r.now >= link.since + GREETING_TIME:
                r.do(Close(link.number))
                links.gone(r, link.number)
            continue
        if r.now >= link.pinged + PING_EVERY:
            link = r.put(link, pinged=r.now, beat=(link.beat + 1) % 1000)
            r.send(link.number, messages.Ping(link.beat))
            link = r.s.link(link.number) or link
        if not link.is_quiet and r.now >= link.heard + QUIET_AFTER:
            links.quiet(r, r.put(link, is_quiet=True))
    if r.s.retry_at is not None and r.now >= r.s.retry_at:
        r.set(retry_at=r.now + RETRY_EVERY)
        r.do(Connect())
    if r.s.live is None:
        lobby.on_time(r, GONE_AFTER)
        if _is_alone(r.s) and r.s.away_since is not None and r.now >= r.s.away_since + GONE_AFTER:
            text = "The host went away before the match began"
            r.end(events.Stopped(codes.CLOSED, text, "when the table is open again, join anew"))
    else:
        commands.flags(r)
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
        case inputs.NewCode() if r.s.is_host:
            handshake.new_code(r, "There is a new code")
        case inputs.StartMatch() | inputs.NewCode():
            r.tell(events.NotDone(codes.NOT_NOW, "That is the host's to do before the match", ""))
        case _ if r.s.live is None:
            r.tell(events.NotDone(codes.NOT_BEGUN, "The match has not begun", ""))
        case _:
            commands.command(r, given)


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
