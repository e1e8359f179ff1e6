"""A terminal at a LAN table: all that its connections bring, in and out; pure.

`react(session, input, now) -> (session, effects)`: raw bytes in and out, `now` in seconds from any
start; `deadline(session)` says when a `Tick` is due. Effects are done in order, what is kept before
what is sent: killed at any moment, a terminal goes on from its file.

Who connects, proves the code (handshake.py), sits down (lobby.py), plays (replication.py,
commands.py). A silent line ends nothing: who is quiet is waited for, and a joiner tries new
connections meanwhile.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from kumite.core.errors import BadData, KumiteError
from kumite.core.game import Seat
from kumite.core.games import GAMES
from kumite.net.crypto import pairing
from kumite.net.crypto.channel import BadSeal
from kumite.net.replica import due
from kumite.net.replica.records import Credentials, MatchStart, Secret, Ticket
from kumite.net.session import (
    abort,
    commands,
    desync,
    events,
    exchange,
    handshake,
    inputs,
    lobby,
    notices,
    presence,
    replication,
    thinking,
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
    Place,
    Reaction,
    Session,
    Stage,
    cleaned,
)
from kumite.net.wire import framing, messages, posts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kumite.core.game import Game
    from kumite.net.replica.records import Record
    from kumite.net.replica.roster import Roster
    from kumite.net.session.effects import Effects
    from kumite.net.session.inputs import HostSetup, Input

Next: TypeAlias = "tuple[Session, Effects]"


def host(given: HostSetup, name: str, program: str, entropy: bytes, **more: Any) -> Session:
    """Return the session of a host whose table waits for others.

    Raises:
        BadSetup: the table cannot be played between terminals.
    """
    given.check()
    padded = (*given.names, *("" for _ in range(given.setup.seats)))[: given.setup.seats]
    shown = replace(given, names=tuple(map(cleaned, padded)))
    r = Reaction(Session(program, entropy, cleaned(name), table=shown, **more), 0.0, [])
    match_id = r.draw("match").hex()[:16]
    kept = Credentials(match_id, match_id, 0, b"", r.draw("seed"), given.is_open, r.s.name)
    r.set(
        code=pairing.new_code(r.rng("code")),
        credentials=replace(kept, has_watchers=given.has_watchers),
    )
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
    games: Mapping[str, Game[Any]] = GAMES,
    **more: Any,
) -> Session:
    """Return the session of a joiner (or watcher) who is about to connect.

    Raises:
        BadCode: that is no code.
    """
    known = pairing.parse_code(code)
    wish = (tuple(sorted(seats)), count)
    return Session(program, entropy, cleaned(name), what, known, wish, is_open, games=games, **more)


def resume(records: Iterable[Record], program: str, entropy: bytes, **more: Any) -> Session:
    """Return the session of a terminal that goes on from what it has kept.

    Raises:
        KumiteError: the records are not those of a match.
    """
    first, *rest = records
    if not isinstance(first, Credentials):
        raise BadData("the file of a table begins with how to come back to it")
    is_host = first.ticket == 0
    s = Session(program, entropy, first.name, credentials=first, wish=(first.seats, 1), **more)
    r = Reaction(s, 0.0, [])
    tickets: list[Ticket] = []
    kept: list[Secret | posts.Post] = []
    begins: MatchStart | None = None
    for record in rest:
        match record:
            case Ticket():
                tickets = [one for one in tickets if one.number != record.number] + [record]
            case MatchStart():
                begins = record
            case Secret() | posts.Post():
                kept.append(record)
    r.set(what=messages.JOIN)
    if begins is None:
        if is_host:
            raise BadData("this table was closed before its match began")
        return r.s
    roster, me = begins.roster, begins.me
    if is_host:
        given = inputs.HostSetup(
            roster.setup,
            roster.names,
            roster.terminals[0].seats,
            roster.clock,
            first.has_watchers,
            first.is_open,
        )
        r.set(
            table=given,
            places=tuple(_place(one, roster) for one in tickets),
            tickets=max([one.number for one in tickets], default=0),
            code=pairing.new_code(r.rng("code")),
        )
    elif me is None:
        r.set(what=messages.WATCH)
    replication.restore(r, roster, me, kept)
    return r.s


def _place(ticket: Ticket, roster: Roster) -> Place:
    """Return where who has that ticket sits in the match; nowhere, if it looks on."""
    at = ticket.terminal
    name, seats = ("", frozenset[Seat]())
    if at is not None:
        name, seats = roster.terminals[at].name, roster.terminals[at].seats
    return Place(ticket.number, ticket.key, name, seats, True, terminal=at)


def react(session: Session, given: Input, now: float) -> Next:
    """React to anything that happens; never raises, whatever the other side sends."""
    r = Reaction(session, now, [])
    match given:
        case inputs.Opened(link, address):
            _opened(r, link, address)
        case inputs.Heard(link, data):
            _heard(r, link, data)
        case inputs.Gone(link):
            _gone(r, link)
        case inputs.Tick():
            _on_time(r)
        case inputs.Failed(error):
            _failed(r, error)
        case inputs.Unreached(error):
            _unreached(r, error)
        case _:
            _command(r, given)
    lobby.rematch(r)
    return r.s, tuple(r.effects)


def begin(session: Session, now: float) -> Next:
    """Return what to do first: a joiner connects, who goes on with a match shows it."""
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
        replication.advance(r)
    lobby.rematch(r)
    return r.s, tuple(r.effects)


# --- Connections ------------------------------------------------------------------------------


def _opened(r: Reaction, number: int, address: str) -> None:
    if r.s.is_closed:
        r.do(Close(number))
        return
    handshake.opened(r, Link(number, r.now, address, heard=r.now, pinged=r.now))


def _gone(r: Reaction, number: int) -> None:
    link = r.s.link(number)
    if link is None or r.s.is_closed:
        return
    r.set(links=tuple(one for one in r.s.links if one.number != number))
    if r.s.is_host:
        place = r.s.place(link.ticket)
        if r.s.live is not None and not r.s.is_rematch:
            if place is not None and place.terminal is not None and link.stage is Stage.PLAYING:
                presence.note(r, place.terminal, messages.AWAY)
        elif link.stage >= Stage.SEATED:
            lobby.lost(r, link)
    elif r.s.credentials is None:
        text = "The host closed the connection before the match began"
        r.end(events.Stopped("closed", text, "ask there what happened, then try again"))
    elif number == r.s.main or not r.s.links:
        _away(r)


def _away(r: Reaction) -> None:
    """Note that the line to the host broke, and try again at once (joiner)."""
    if r.s.live is None and r.s.away_since is None:
        text = "The connection to the host broke; kumite tries again by itself"
        r.tell(events.Away(frozenset(), text))
    presence.lost_host(r, r.now, messages.AWAY)
    if r.s.retry_at is None:
        r.set(retry_at=r.now + RETRY_EVERY)
        r.do(Connect())


def _unreached(r: Reaction, error: KumiteError) -> None:
    if r.s.is_closed:
        return
    if r.s.is_host or (r.s.credentials is None and not r.s.links):
        r.end(events.Stopped(error.code, str(error), error.hint))
    elif r.s.retry_at is None and not r.s.links:
        r.set(retry_at=r.now + RETRY_EVERY)


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
            _garbage(r, link, str(error))


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
        _heard_again(r, link)
    _message(r, link, message)


def _garbage(r: Reaction, link: Link, reason: str) -> None:
    """Close a connection that brings no kumite; a terminal of the match may come back."""
    if link.opener is None:
        handshake.broken(r, link, reason)
        return
    r.do(Close(link.number))
    _gone(r, link.number)


def _sealed(r: Reaction, link: Link) -> None:
    """Both know the key now."""
    if r.s.is_host:
        if link.what != messages.RETURN:
            lobby.invite(r, link)
    elif r.s.credentials is not None:
        exchange.resumed(r, link)


def _message(r: Reaction, link: Link, message: messages.Message) -> None:
    is_playing = link.stage is Stage.PLAYING and r.s.live is not None
    match message:
        case messages.Ping(beat):
            r.send(link.number, messages.Pong(beat))
        case messages.Pong():
            pass
        case messages.Here() if r.s.is_host and link.stage is Stage.SEALED:
            exchange.returned(r, link, message)
        case messages.Bye() if r.s.is_host:
            _bye(r, link)
        case messages.Stop(_, code, text, _) if r.s.is_host and not is_playing:
            r.drop(link.number)
            lobby.lost(r, link, is_for_good=True)
            r.tell(events.TurnedAway(link.address, code, text, ""))
        case _ if r.s.is_host:
            (exchange.host_hears if is_playing else lobby.host_hears)(r, link, message)
        case _ if is_playing and not _is_between(r, message):
            exchange.joiner_hears(r, link, message)
        case _:
            lobby.joiner_hears(r, link, message)
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
                _gone(r, link.number)
            continue
        if r.now >= link.pinged + PING_EVERY:
            link = r.put(link, pinged=r.now, beat=(link.beat + 1) % 1000)
            r.send(link.number, messages.Ping(link.beat))
            link = r.s.link(link.number) or link
        if not link.is_quiet and r.now >= link.heard + QUIET_AFTER:
            _quiet(r, r.put(link, is_quiet=True))
    if r.s.retry_at is not None and r.now >= r.s.retry_at:
        r.set(retry_at=r.now + RETRY_EVERY)
        r.do(Connect())
    if r.s.live is None:
        lobby.on_time(r, GONE_AFTER)
        if _is_alone(r.s) and r.s.away_since is not None and r.now >= r.s.away_since + GONE_AFTER:
            text = "The host has gone before the match began"
            r.end(events.Stopped("closed", text, "when the table is open again, join anew"))
    else:
        commands.flags(r)
        _stalled(r)


def _quiet(r: Reaction, link: Link) -> None:
    if not r.s.is_host:
        if r.s.live is None:
            text = "Nothing has been heard from the host for a while; kumite tries again by itself"
            r.tell(events.Quiet(frozenset(), text))
        presence.lost_host(r, link.heard, messages.QUIET)
        if r.s.retry_at is None and r.s.credentials is not None:
            r.set(retry_at=r.now + RETRY_EVERY)
            r.do(Connect())
        return
    place = r.s.place(link.ticket)
    if r.s.live is not None and place is not None and place.terminal is not None:
        presence.note(r, place.terminal, messages.QUIET)


def _heard_again(r: Reaction, link: Link) -> None:
    if not r.s.is_host:
        r.set(retry_at=None)
        for other in r.s.links:
            if other.number != link.number:
                r.drop(other.number)
        presence.heard_host(r)
        return
    place = r.s.place(link.ticket)
    if r.s.live is not None and place is not None and place.terminal is not None:
        presence.note(r, place.terminal, messages.THERE)


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
            r.tell(events.NotDone("not-now", "That is the host's to do before the match", ""))
        case _ if r.s.live is None:
            r.tell(events.NotDone("not-begun", "The match has not begun", ""))
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
