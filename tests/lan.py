"""Two terminals over a simulated line, in virtual time: everything from one seed."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from core.game import Seat, Setup
from core.log import End, Header
from core.match import Match
from net import events, session, wire
from net.events import Close, Save, Send, Table, Tell
from net.store import LogFile
from tests.random_matches import choose
from tui.bench import ALL_GAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from net.events import Effect, Effects, Event, Input
    from net.playing import Playing
    from net.session import Session

MK6 = ALL_GAMES["mk6"]  # seat 0 begins, and seats alternate
LINK = 1  # the number of the connection at both ends
MATCH_ID = "0123456789abcdef"
VERSION = "0.1.0"
LAST = events.Left | events.Lost | events.Stopped


def table(
    setup: Setup | None = None, seats: Iterable[int] = (0,), names: tuple[str, ...] = ("ada",)
) -> Table:
    return Table(setup or Setup.of(MK6), names, frozenset(map(Seat, seats)))


def pair(given: Table | None = None, now: float = 0.0) -> tuple[Session, Session]:
    """Return a host and a joiner who have begun the match."""
    host = session.host(given or table(), MATCH_ID, VERSION)
    joiner = session.join("bob", VERSION, ALL_GAMES)
    host, _ = session.react(host, events.Opened(LINK), now)
    joiner, sent = session.react(joiner, events.Opened(LINK), now)
    while sent:
        host, answers = deliver(host, sent, now)
        joiner, sent = deliver(joiner, answers, now)
    return host, joiner


HELLO = wire.Hello(wire.PROTOCOL, VERSION, "bob")


def greeted(
    host: Session, hello: wire.Message, link: int = LINK, now: float = 0.0
) -> tuple[Session, Effects]:
    host, opened = session.react(host, events.Opened(link), now)
    assert sent(opened) == []  # a host does not speak first
    return session.react(host, events.Heard(link, hello), now)


def offer(host: Session) -> wire.Offer:
    _, effects = greeted(host, HELLO, link=99)
    (message,) = sent(effects)
    assert isinstance(message, wire.Offer)
    return message


def joining(games: Any = ALL_GAMES) -> Session:
    joiner = session.join("bob", VERSION, games)
    joiner, effects = session.react(joiner, events.Opened(LINK), 0.0)
    assert sent(effects) == [HELLO]
    return joiner


def deliver(to: Session, effects: Effects, now: float = 0.0) -> tuple[Session, Effects]:
    """Hand everything sent to the other side; return its session and effects."""
    done: Effects = ()
    for message in sent(effects):
        to, more = session.react(to, events.Heard(LINK, message), now)
        done += more
    return to, done


def sent(effects: Effects) -> list[wire.Message]:
    return [effect.message for effect in effects if isinstance(effect, Send)]


def told(effects: Effects) -> list[Event]:
    return [effect.event for effect in effects if isinstance(effect, Tell)]


def codes(effects: Effects) -> list[str]:
    with_code = events.NotDone | events.Stopped | events.TurnedAway
    return [event.code for event in told(effects) if isinstance(event, with_code)]


def playing(s: Session) -> Playing:
    assert s.playing is not None
    return s.playing


def step_of(s: Session) -> events.Play:
    actor, step = choose(playing(s).match, Random(3))
    return events.Play(actor, step)


def advance(host: Session, joiner: Session, steps: int) -> tuple[Session, Session]:
    """Return both after some random steps more, or at the end of the match."""
    for _ in range(steps):
        if not playing(host).match.actors:
            break
        is_hosts = playing(host).match.actors[0] in playing(host).mine
        one, other = (host, joiner) if is_hosts else (joiner, host)
        one, effects = session.react(one, step_of(one), 0.0)
        other, effects = deliver(other, effects)
        one, effects = deliver(one, effects)
        host, joiner = (one, other) if is_hosts else (other, one)
    return host, joiner


@dataclass
class Terminal:
    """A session with a log file, the bytes of its line, and a player at the keys."""

    name: str
    session: Session
    lan: Lan
    folder: Path
    decoder: wire.Decoder = field(default_factory=wire.Decoder)
    log: LogFile | None = None
    events: list[Event] = field(default_factory=list)
    has_spoken: bool = False
    is_deaf: bool = False  # what comes is lost
    is_cut: bool = False  # its connection is closed
    alarm: float | None = None  # when the next Tick is due
    arrival: float = 0.0  # when the last byte on its way from here gets there
    player: Callable[[Terminal, Event], None] = lambda terminal, event: None

    @property
    def match(self) -> Match:
        return playing(self.session).match

    @property
    def other(self) -> Terminal:
        return next(one for one in self.lan.terminals if one is not self)

    def feed(self, given: Input) -> None:
        self.session, effects = session.react(self.session, given, self.lan.now)
        for effect in effects:
            self.do(effect)
        deadline = self.session.deadline
        if deadline is not None and deadline != self.alarm:
            assert deadline > self.lan.now
            self.alarm = deadline
            self.lan.at(deadline, lambda: self.ring(deadline))

    def ring(self, time: float) -> None:
        if time == self.alarm:
            self.alarm = None
            self.feed(events.Tick())

    def do(self, effect: Effect) -> None:
        match effect:
            case Save(Header() as header):
                self.log = LogFile.create(header, header.begin(), self.folder)
            case Save(record):
                assert self.log is not None
                match record:
                    case Match():
                        self.log.sync(record)
                        self.check_prefix()
                    case End():
                        self.log.end(record)
                    case str():
                        self.log.add(record)
            case Send(_, message):
                self.check_saved(message)
                data = wire.frame(wire.pack_message(message))
                self.send(data if self.has_spoken else wire.PREAMBLE + data)
                self.has_spoken = True
            case Tell(event):
                assert not (self.events and isinstance(self.events[-1], LAST)), "after the last"
                self.events.append(event)
                self.player(self, event)
            case Close():
                self.close()

    def check_prefix(self) -> None:
        """Whatever crosses on the way, the joiner's log is a beginning of the host's."""
        if self is self.lan.joiner:
            mine = self.lines()
            assert self.other.lines()[: len(mine)] == mine

    def check_saved(self, message: wire.Message) -> None:
        """What is sent as entered is in the log already."""
        if isinstance(message, wire.Ack) or (
            isinstance(message, wire.Played) and self.session.is_host
        ):
            assert f"\nstep {message.number} " in self.text()
        if isinstance(message, wire.Over):
            assert f"\nend {message.kind} " in self.text()

    def send(self, data: bytes) -> None:
        """Put bytes on the line: cut anywhere, each piece takes its own time, none overtakes."""
        rng = self.lan.rng
        cuts = sorted(rng.sample(range(1, len(data)), min(len(data) - 1, rng.randrange(3))))
        for start, end in itertools.pairwise([0, *cuts, len(data)]):
            arrive = partial(self.other.receive, data[start:end])
            self.arrival = max(self.arrival, self.lan.now + rng.expovariate(1 / self.lan.delay))
            self.lan.at(self.arrival, arrive)

    def receive(self, data: bytes) -> None:
        if self.is_cut or self.is_deaf:
            return
        self.decoder, messages = self.decoder.feed(data)
        for message in messages:
            self.feed(events.Heard(LINK, message))

    def close(self) -> None:
        if not self.is_cut:
            self.is_cut = True
            self.arrival = max(self.arrival, self.lan.now + self.lan.delay)
            self.lan.at(self.arrival, self.other.hang_up)

    def hang_up(self) -> None:
        if not self.is_cut:
            self.is_cut = True
            self.feed(events.Gone(LINK))

    def text(self) -> str:
        assert self.log is not None
        return self.log.path.read_text(encoding="utf-8")

    def lines(self) -> list[str]:
        """Return the log behind its header."""
        lines = self.text().splitlines()
        begin = next(n for n, line in enumerate(lines) if line.startswith("begin "))
        return lines[begin + 1 :]


class Lan:
    """The line, the clock, and both terminals."""

    def __init__(self, given: Table, folder: Path, seed: object, delay: float = 0.01) -> None:
        self.rng = Random(f"lan {seed}")
        self.now = 0.0
        self.delay = delay  # s on the average
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._number = itertools.count()
        hosting = session.host(given, MATCH_ID, VERSION)
        joining = session.join("bob", VERSION, ALL_GAMES)
        self.host = Terminal("host", hosting, self, folder)
        self.joiner = Terminal("joiner", joining, self, folder)
        self.terminals = (self.host, self.joiner)

    def at(self, time: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (time, next(self._number), action))

    def after(self, delay: float, action: Callable[[], None]) -> None:
        self.at(self.now + delay, action)

    def connect(self) -> None:
        self.host.feed(events.Opened(LINK))
        self.joiner.feed(events.Opened(LINK))

    def run(self, until: float, is_done: Callable[[], bool] = lambda: False) -> None:
        """Let everything happen up to that time, or until it is done."""
        while self._queue and self._queue[0][0] <= until:
            if is_done():
                return
            self.now, _, action = heapq.heappop(self._queue)
            action()
        self.now = until

    def __enter__(self) -> Lan:
        return self

    def __exit__(self, *_: object) -> None:
        for terminal in self.terminals:
            if terminal.log is not None:
                terminal.log.close()


def random_player(terminal: Terminal, event: Event) -> None:
    """Play a random step after a while whenever a seat of this terminal is to act."""
    if not isinstance(event, events.Began | events.MatchChanged):
        return
    match, lan = event.match, terminal.lan
    mine = terminal.session.playing.mine if terminal.session.playing else frozenset()
    if match.actors and match.actors[0] in mine:
        actor, step = choose(match, lan.rng)
        lan.after(lan.rng.random(), lambda: terminal.feed(events.Play(actor, step)))
