"""A terminal at a LAN table: connections, greeting, heartbeat; and the match (net.playing) in it.

Pure: `react(session, input, now) -> (session, effects)`. `now` is in seconds, from any start;
`session.deadline` says when a `Tick` is due. Effects are done in order.

    joiner                        host
    Hello (version, name)   →            a stranger who says anything else hears nothing
                            ←     Offer (game, rules, options, seats, names)
    Accept (first digest)   →            or Refuse, with a reason; the host waits for another
                            ←     Start  both begin their logs
    Played, Say, Resign     →            requests
                            ←     Played, Ack, Say, Over

Nothing here depends on the connections being two in number or the bytes being plain: a connection
has a number, and what frames go through lies below, in peer and wire.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from core.errors import BadSetup, KumiteError
from core.game import Seat, Setup
from core.games import GAMES, find
from core.log import Header
from net import events, playing, wire
from net.events import Close, Send, Table, Tell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.game import Game
    from net.events import Command, Effect, Effects, Input
    from net.playing import Playing

GREETING_TIME: Final = 10.0  # s; who has not taken a seat by then is dropped
PING_EVERY: Final = 5.0  # s
QUIET_AFTER: Final = 10.0  # s; two pings that were not answered
HALF_OPEN: Final = 8  # connections without a seat; the oldest makes room
WORD_EVERY: Final = 1.0  # s; strangers cannot fill the host's screen faster than this


class Stage(Enum):
    """How far a connection has come."""

    NEW = "new"
    OFFERED = "offered"  # host: the table was offered; joiner: and accepted
    SEATED = "seated"


@dataclass(frozen=True, slots=True)
class Link:
    """One connection; times in seconds."""

    number: int
    since: float
    stage: Stage = Stage.NEW
    name: str = ""  # of who came, as said in the Hello
    heard: float = 0.0  # when the last message came
    pinged: float = 0.0
    beat: int = 0  # pings so far
    is_quiet: bool = False


@dataclass(frozen=True, slots=True)
class Session:
    """What one terminal knows: `table` if it is the host, `offered` if it is a joiner."""

    program: str  # version of kumite, told to the other side
    table: Table | None = None
    match_id: str = ""
    name: str = ""  # of a joiner
    games: Mapping[str, Game[Any]] = field(default_factory=lambda: GAMES)
    offered: Header | None = None
    links: tuple[Link, ...] = ()
    playing: Playing | None = None
    word_at: float = -WORD_EVERY  # when the host was last told of somebody turned away
    is_closed: bool = False

    @property
    def is_host(self) -> bool:
        """Whether this terminal opened the table."""
        return self.table is not None

    @property
    def deadline(self) -> float | None:
        """Return when a Tick is due, None if only other inputs can change anything."""
        if self.is_closed:
            return None
        times = [] if self.playing is None else [self.playing.leave_by]
        for link in self.links:
            if link.stage is not Stage.SEATED:
                times.append(link.since + GREETING_TIME)
                continue
            times.append(link.pinged + PING_EVERY)
            if not link.is_quiet:
                times.append(link.heard + QUIET_AFTER)
        return min((time for time in times if time is not None), default=None)

    def link(self, number: int) -> Link | None:
        """Return the connection of that number, None if it is closed."""
        return next((link for link in self.links if link.number == number), None)


Next: TypeAlias = tuple[Session, "Effects"]


def host(table: Table, match_id: str, program: str) -> Session:
    """Return the session of a host whose table waits for somebody.

    Raises:
        BadSetup: the table cannot be played between two terminals.
    """
    table.check()
    padded = (*table.names, *("" for _ in range(table.setup.seats)))[: table.setup.seats]
    names = tuple(wire.clean(name, wire.MAX_NAME) for name in padded)
    return Session(program, Table(table.setup, names, table.seats), match_id)


def join(name: str, program: str, games: Mapping[str, Game[Any]] = GAMES) -> Session:
    """Return the session of a joiner who is about to connect."""
    return Session(program, name=wire.clean(name, wire.MAX_NAME), games=games)


def react(session: Session, given: Input, now: float) -> Next:
    """React to anything that happens."""
    match given:
        case events.Opened(link):
            return _on_opened(session, link, now)
        case events.Heard(link, message):
            return on_message(session, link, message, now)
        case events.Gone(link):
            return _on_gone(session, link)
        case events.Tick():
            return _on_time(session, now)
        case events.Failed(error):
            return _on_failure(session, error)
        case _:
            return _on_command(session, given, now)


def on_message(session: Session, number: int, message: wire.Received, now: float) -> Next:
    """React to one message of a connection; never raises, whatever the peer sends."""
    link = session.link(number)
    if link is None or session.is_closed:
        return session, ()
    if link.stage is Stage.SEATED and session.playing is not None:
        return _on_seated(session, session.playing, link, message, now)
    if session.is_host:
        return _host_greets(session, link, message, now)
    return _joiner_greets(session, link, message, now)


# --- Connections ------------------------------------------------------------------------------


def _on_opened(s: Session, number: int, now: float) -> Next:
    if s.is_closed:
        return s, (Close(number),)
    link = Link(number, now)
    if not s.is_host:
        hello = wire.Hello(wire.PROTOCOL, s.program, s.name)
        return replace(s, links=(link,)), (Send(number, hello),)
    waiting = [one for one in s.links if one.stage is not Stage.SEATED]
    effects: Effects = ()
    if len(waiting) >= HALF_OPEN:  # an honest terminal greets at once, so the oldest is none
        oldest = min(waiting, key=lambda one: (one.stage is Stage.OFFERED, one.since))
        s, effects = _drop(s, oldest)
    return replace(s, links=(*s.links, link)), effects


def _on_gone(s: Session, number: int) -> Next:
    link = s.link(number)
    if link is None or s.is_closed:
        return s, ()
    s, _ = _drop(s, link)
    if s.playing is not None and link.stage is Stage.SEATED:
        return _played(s, playing.on_gone(s.playing))
    if s.is_host:
        return s, ()
    text = "The host closed the connection before the match began"
    return _end(s, Tell(events.Stopped("closed", text, "ask there what happened, then try again")))


def _drop(s: Session, link: Link) -> Next:
    """Close a connection without a word."""
    links = tuple(one for one in s.links if one.number != link.number)
    return replace(s, links=links), (Close(link.number),)


def _put(s: Session, link: Link) -> Session:
    links = tuple(link if one.number == link.number else one for one in s.links)
    return replace(s, links=links)


def _end(s: Session, *effects: Effect) -> Next:
    """Close the session with all its connections."""
    closing = tuple(Close(link.number) for link in s.links)
    return replace(s, links=(), is_closed=True), (*effects, *closing)


# --- Greeting: the host's side ----------------------------------------------------------------


def _host_greets(s: Session, link: Link, message: wire.Received, now: float) -> Next:
    match link.stage, message:
        case Stage.NEW, wire.Hello(protocol, program, name) if protocol != wire.PROTOCOL:
            refusal = _other_protocol(s, protocol, program, name)
            return _turn_away(s, replace(link, name=name), refusal, now, is_told=True)
        case Stage.NEW, wire.Hello(_, _, name) if s.playing is None:
            offered = replace(link, stage=Stage.OFFERED, name=name)
            return _put(s, offered), (Send(link.number, _offer(s, offered)),)
        case Stage.NEW, wire.Hello():
            return _turn_away(s, link, FULL, now, is_told=True)
        case Stage.OFFERED, wire.Accept(digest):
            return _on_accept(s, link, digest, now)
        case Stage.OFFERED, wire.Refuse() as refusal:
            return _turn_away(s, link, refusal, now, is_told=False)
        case _:
            return _drop(s, link)  # no terminal of ours: not a word


FULL: Final = wire.Refuse(
    "full", "This table is taken: the match has begun", "ask the host to open another table"
)


def _other_protocol(s: Session, protocol: int, program: str, name: str) -> wire.Refuse:
    joiner = name or "who joins"
    text = (
        f"The host's kumite {s.program} speaks protocol {wire.PROTOCOL}, "
        f"that of {joiner} ({program}) protocol {protocol}"
    )
    return wire.Refuse("other-protocol", text, _who_updates(joiner, protocol < wire.PROTOCOL))


def _who_updates(joiner: str, is_joiner_older: bool) -> str:
    return f"{joiner if is_joiner_older else 'the host'} should update kumite"


def _header(s: Session, name: str) -> Header:
    """Return the header of the match that a joiner of that name gets, as the host writes it."""
    assert s.table is not None
    table = s.table
    names = tuple(
        given if seat in table.seats else name or given for seat, given in enumerate(table.names)
    )
    return Header(s.match_id, table.setup, names, table.seats)


def _offer(s: Session, link: Link) -> wire.Offer:
    header = _header(s, link.name)
    setup = header.setup
    seats = (Seat(seat) for seat in range(setup.seats))
    return wire.Offer(
        s.program,
        s.match_id,
        setup.game.ID,
        setup.game.RULES,
        setup.seats,
        tuple(sorted(setup.options.items())),
        header.names,
        tuple(seat for seat in seats if header.by is not None and seat not in header.by),
    )


def _on_accept(s: Session, link: Link, digest: bytes, now: float) -> Next:
    if s.playing is not None:
        return _turn_away(s, link, FULL, now, is_told=True)  # somebody else was faster
    header = _header(s, link.name)
    if header.begin().digest != digest:
        text = f"{header.setup.game.TITLE} begins differently on the two terminals"
        refusal = wire.Refuse("digest", text, "use the same version of kumite on both")
        return _turn_away(s, link, refusal, now, is_told=True)
    return _seat(s, link, header, now)


def _seat(s: Session, link: Link, header: Header, now: float) -> Next:
    """Begin the match with who is at the other end of that connection."""
    seated = replace(link, stage=Stage.SEATED, heard=now, pinged=now)
    return _played(_put(s, seated), playing.begin(header, link.number, is_host=s.is_host))


def _turn_away(s: Session, link: Link, refusal: wire.Refuse, now: float, *, is_told: bool) -> Next:
    """Close a connection with a reason: told to the other end, and to the host's own people."""
    s, effects = _drop(s, link)
    if is_told:
        effects = (Send(link.number, refusal), *effects)
    if refusal is not FULL and now >= s.word_at + WORD_EVERY:
        away = events.TurnedAway(link.name, refusal.code, refusal.text, refusal.hint)
        return replace(s, word_at=now), (*effects, Tell(away))
    return s, effects


# --- Greeting: the joiner's side --------------------------------------------------------------


def _joiner_greets(s: Session, link: Link, message: wire.Received, now: float) -> Next:
    match link.stage, message:
        case Stage.NEW, wire.Offer():
            return _on_offer(s, link, message)
        case Stage.OFFERED, wire.Start() if s.offered is not None:
            return _seat(s, link, s.offered, now)
        case _, wire.Refuse(code, text, hint):
            return _end(s, Tell(events.Stopped(code, text, hint)))
        case _, wire.Stop(number, code, text):
            return _end(s, Tell(events.Stopped(code, text, "ask the host", number)))
        case _, wire.Broken(reason):
            text = f"What answers there is no kumite table ({reason})"
            hint = "check address and port with the host"
            return _end(s, Tell(events.Stopped("no-table", text, hint)))
        case _:
            text = f"The host sent {type(message).__name__} before the match began"
            hint = "use the same version of kumite on both terminals"
            return _end(s, Tell(events.Stopped("unexpected", text, hint)))


def _on_offer(s: Session, link: Link, offer: wire.Offer) -> Next:
    try:
        header = _accepted(s, offer)
    except KumiteError as error:
        text = wire.clean(str(error), wire.MAX_TEXT)
        refusal = wire.Refuse(error.code, text, wire.clean(error.hint, wire.MAX_TEXT))
        stopped = events.Stopped(error.code, refusal.text, refusal.hint)
        return _end(s, Send(link.number, refusal), Tell(stopped))
    accept = wire.Accept(header.begin().digest)
    s = replace(_put(s, replace(link, stage=Stage.OFFERED)), offered=header)
    return s, (Send(link.number, accept),)


class Unplayable(KumiteError):
    """A table that this kumite cannot play at, because it is another version."""

    code = "other-rules"


class UnknownGame(Unplayable):
    """A game that this kumite does not have."""

    code = "unknown-game"


def _accepted(s: Session, offer: wire.Offer) -> Header:
    """Return the header of the match offered.

    Raises:
        Unplayable, BadSetup: this terminal cannot play it, in words for both sides.
    """
    me = s.name or "who joins"
    if offer.game not in s.games:
        raise UnknownGame(
            f"The host ({offer.program}) plays {offer.game}, which the kumite of {me} "
            f"({s.program}) does not know",
            hint=_who_updates(me, is_joiner_older=True),
        )
    game = find(offer.game, s.games)
    if offer.rules != game.RULES:
        raise Unplayable(
            f"The host ({offer.program}) plays {game.TITLE} by rules {offer.rules}, "
            f"{me} ({s.program}) by rules {game.RULES}",
            hint=_who_updates(me, is_joiner_older=offer.rules > game.RULES),
        )
    setup = Setup.of(game, offer.seats, dict(offer.options))
    mine = frozenset(offer.yours)
    everybody = frozenset(map(Seat, range(setup.seats)))
    is_complete = tuple(sorted(setup.options.items())) == offer.options
    if not is_complete or len(offer.names) != setup.seats or not mine <= everybody:
        raise BadSetup(
            "The host's offer does not fit its own game",
            hint="use the same version of kumite on both terminals",
        )
    Table(setup, offer.names, everybody - mine).check()
    return Header(offer.match_id, setup, offer.names, mine)


# --- At the table -----------------------------------------------------------------------------


def _on_seated(s: Session, p: Playing, link: Link, message: wire.Received, now: float) -> Next:
    heard: tuple[Effect, ...] = ()
    if link.is_quiet:
        heard = (Tell(events.HeardAgain(p.theirs, f"{p.them} is there again")),)
    s = _put(s, replace(link, heard=now, is_quiet=False))
    match message:
        case wire.Ping(beat):
            return s, (*heard, Send(link.number, wire.Pong(beat)))
        case wire.Pong():
            return s, heard
    s, effects = _played(s, playing.on_message(p, message, now))
    return s, heard + effects


def _played(s: Session, result: playing.Next) -> Next:
    """Put the match back into the session; when it is closed, so is the session."""
    p, effects = result
    s = replace(s, playing=p)
    if not p.is_closed:
        return s, effects
    links = tuple(link for link in s.links if link.number != p.link)  # its Close is in the effects
    return _end(replace(s, links=links), *effects)


def _on_time(s: Session, now: float) -> Next:
    if s.is_closed:
        return s, ()
    effects: list[Effect] = []
    for link in s.links:
        if link.stage is Stage.SEATED:
            link, done = _beat(s, link, now)
            s = _put(s, link)
        elif now < link.since + GREETING_TIME:
            continue
        elif s.is_host:
            s, done = _drop(s, link)
        else:
            text = "What answers there does not talk like a kumite table"
            hint = "check address and port with the host, and whether the table is still open"
            return _end(s, Tell(events.Stopped("no-answer", text, hint)))
        effects += done
    if s.playing is not None:
        s, done = _played(s, playing.on_time(s.playing, now))
        effects += done
    return s, tuple(effects)


def _beat(s: Session, link: Link, now: float) -> tuple[Link, Effects]:
    """Ping if it is time, and say once when nothing has been heard for long."""
    effects: list[Effect] = []
    p = s.playing
    if not link.is_quiet and now >= link.heard + QUIET_AFTER and p is not None:
        link = replace(link, is_quiet=True)
        text = f"Nothing heard from {p.them} for {now - link.heard:.0f} s; the match waits"
        effects.append(Tell(events.Quiet(p.theirs, text)))
    if now >= link.pinged + PING_EVERY:
        link = replace(link, pinged=now, beat=(link.beat + 1) % wire.MAX_NUMBER)
        effects.append(Send(link.number, wire.Ping(link.beat)))
    return link, tuple(effects)


def _on_failure(s: Session, error: KumiteError) -> Next:
    if s.is_closed:
        return s, ()
    if s.playing is not None:
        return _played(s, playing.on_failure(s.playing, error))
    return _end(s, Tell(events.Stopped(error.code, str(error), error.hint)))


def _on_command(s: Session, command: Command, now: float) -> Next:
    if s.is_closed:
        return s, ()
    if s.playing is not None:
        return _played(s, playing.on_command(s.playing, command, now))
    if isinstance(command, events.Depart):
        seats = s.table.seats if s.table is not None else frozenset()
        return _end(s, Tell(events.Left(seats, "You have left the table")))
    return s, (Tell(events.NotDone("not-begun", "The match has not begun", "")),)
