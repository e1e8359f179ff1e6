"""LAN tables in virtual time: terminals, their disks, and a network that does all that networks do.

Everything comes from one seed: which game, who sits where, what people do, when lines are cut and
programs die. A failure says the seed.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from hashlib import blake2b
from random import Random
from typing import Any, Final

from kumite.core import table as acts
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, Seat
from kumite.net.crypto.pairing import LinkKeys, WrongCode
from kumite.net.replica.records import Credentials, MatchStart, Record
from kumite.net.session import events, session, succession
from kumite.net.session.events import Calls, Close, Effect, Event, Input, Keep, Save, Send, Tell
from kumite.net.session.state import LiveMatch, Reaction, Session
from kumite.net.transport import journal
from kumite.net.wire import messages, posts
from kumite.store.log_files import DiskFull
from tests.support.told import is_of
from tests.support.toy_group import TOY

VERSION: Final = "0.1.0"


def is_last(told: Sequence[Event]) -> bool:
    event = told[-1] if told else None
    return isinstance(event, events.Stopped) or (isinstance(event, events.Left) and event.is_closed)


class ToyJoiner:
    """Pairing without any security, and fast."""

    def __init__(self, code: str, entropy: Callable[[int], bytes], about: str, said: bytes) -> None:
        self.code, self.mine, self.said, self.all = code, entropy(16), said + about.encode(), b""

    def start(self) -> bytes:
        return self.mine

    def hear(self, message: bytes) -> tuple[bytes, LinkKeys | None]:
        if not self.all:
            self.all = self.mine + message + self.said
            return toy_hash(self.code, self.all, "joiner"), None
        if message != toy_hash(self.code, self.all, "host"):
            raise WrongCode("wrong")
        return b"", toy_keys(self.code, self.all)


class ToyHost:
    def __init__(self, code: str, entropy: Callable[[int], bytes], about: str, said: bytes) -> None:
        self.code, self.mine, self.said, self.all = code, entropy(16), said + about.encode(), b""

    def hear(self, message: bytes) -> tuple[bytes, LinkKeys | None]:
        if not self.all:
            self.all = message + self.mine + self.said
            return self.mine, None
        if message != toy_hash(self.code, self.all, "joiner"):
            raise WrongCode("wrong")
        return toy_hash(self.code, self.all, "host"), toy_keys(self.code, self.all)


def toy_hash(code: str, said: bytes, label: str) -> bytes:
    return blake2b(code.encode() + said + label.encode(), digest_size=32).digest()


def toy_keys(code: str, said: bytes) -> LinkKeys:
    to_host, to_joiner, resume = (toy_hash(code, said, one) for one in ("a", "b", "c"))
    return LinkKeys(to_host, to_joiner, resume)


TOYS: Final[dict[str, Any]] = {"group": TOY, "pairs": (ToyJoiner, ToyHost)}


@dataclass
class Node:
    """A terminal: its program, which may die, and its disk, which stays."""

    name: str
    net: Network
    session: Session
    disk: bytes = b""  # the table's file
    kept_at: float = 0.0  # when it was written last
    file: journal.Kept = field(default_factory=journal.Kept)  # as it is written
    synced: int = 0  # bytes that a power cut leaves
    full_until: float = 0.0  # the disk takes nothing before
    asleep_until: float = 0.0  # the computer sleeps
    lives: list[list[Event]] = field(default_factory=list)  # what was told before restarts
    ends: dict[int, Line] = field(default_factory=dict)  # by number of the link here
    is_alive: bool = True
    life: int = 0  # times the program was started anew
    events: list[Event] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)  # of the log of its match
    heard: list[bytes] = field(default_factory=list)  # if overheard: all that came, unsealed
    alarm: float | None = None
    links: int = 0
    effects: int = 0  # done so far
    kill_at: int = -1  # before which effect the program dies
    began_at: int = -1  # with which effect the match was on the disk
    patch: Callable[[Node, Effect], Effect | None] | None = None
    machine: Any = session  # the state machine that it runs

    @property
    def live(self) -> LiveMatch:
        assert self.session.live is not None
        return self.session.live

    @property
    def kept(self) -> list[Any]:
        return journal.read(self.disk).records

    @property
    def is_over(self) -> bool:
        return self.session.live is not None and self.live.ledger.is_over

    def told(self, kind: type[Any] | events.Status) -> list[Any]:
        return [one for one in self.events if is_of(one, kind)]

    @property
    def stop(self) -> tuple[str, frozenset[Seat]]:
        """Why it has stopped, and the seats of whom it blames."""
        (stopped,) = self.told(events.Stopped)
        return stopped.code, stopped.seats

    def does(self, what: Callable[[Reaction], object]) -> None:
        """Do what honest terminals do not do now."""
        r = Reaction(self.session, self.net.now, [])
        what(r)
        self._do((r.s, tuple(r.effects)))

    def says(self, message: messages.Message, link: int | None = None) -> None:
        """Send any message."""
        number = self.session.line.main if link is None else link
        found = self.session.link(number)
        self.ends[number].send(self, found.sealer.seal(messages.SEALED.pack(message)))

    def feed(self, given: Input) -> None:
        if not self.is_alive:
            return
        if self.net.now < self.asleep_until:  # the system keeps what comes until then
            self.net.at(self.asleep_until, lambda: self.feed(given))
            return
        if self.net.is_overheard and isinstance(given, events.Heard):
            self._overhear(given)
        else:
            self._do(self.machine.react(self.session, given, self.net.now))

    def _overhear(self, given: events.Heard) -> None:
        """Take in bytes as `feed`, and note what they are without their seals."""
        rest = given.data
        while rest and self.is_alive and (link := self.session.link(given.link)) is not None:
            piece, rest = rest, b""
            if link.opener is None:  # byte by byte: so nothing sealed comes with the last plain one
                piece, rest = piece[:1], piece[1:]
                self.heard[-1:] = [b"".join(self.heard[-1:]) + piece]
            else:
                opened = copy(link.opener).feed(piece)
                self.heard += [one for one in opened if isinstance(one, bytes)] + [b""]
            again = events.Heard(given.link, piece)
            self._do(self.machine.react(self.session, again, self.net.now))

    def start(self) -> None:
        self._do(session.begin(self.session, self.net.now, self.net.now - self.kept_at))

    def _do(self, result: tuple[Session, tuple[Effect, ...]]) -> None:
        self.session, effects = result
        for effect in effects:
            if self.effects == self.kill_at:
                self.kill_at = -1
                self.net.kill(self)
                return
            self.effects += 1
            done = self.patch(self, effect) if self.patch else effect
            try:
                if done is not None:
                    self._done(done)
            except KumiteError as error:  # as net/transport/peer.py does it
                if not self.session.is_closed:
                    self.feed(events.Failed(error))
                    return
        due = self.machine.deadline(self.session)
        if due is not None and (
            self.alarm is None or due < self.alarm or self.alarm <= self.net.now
        ):
            assert due > self.net.now - 1e-6, "a deadline that has passed"
            self.alarm = due
            life = self.life
            self.net.at(due, lambda: self.ring(due, life))

    def ring(self, due: float, life: int) -> None:
        if self.is_alive and self.life == life and self.alarm == due:
            self.alarm = None
            self.feed(events.Tick())

    def _keep(self, record: Record, place: int) -> None:
        """Write a record; on a full disk, no more than a part of it gets there."""
        if isinstance(record, Credentials):
            self.disk, self.file, self.synced = journal.FORMAT, journal.Kept(), 0
        data = self.file.add(record, place or self.file.places + 1)
        if self.net.now < self.full_until:
            self.disk += data[: self.net.rng.randrange(len(data) + 1)]
            raise DiskFull("cannot write: No space left on device")
        self.disk += data
        size = len(self.disk)
        self.net.after(0.05, lambda: self._sync(size))
        if isinstance(record, MatchStart):
            self._sync(size)
            self.began_at = self.effects if self.began_at < 0 else self.began_at

    def _sync(self, size: int) -> None:
        self.synced = max(self.synced, min(size, len(self.disk)))

    def lose_power(self) -> None:
        """Die with the computer: what was not on the disk yet is there in part, or not at all."""
        self.net.kill(self)
        if self.synced < len(self.disk):
            self.disk = self.disk[: self.net.rng.randrange(self.synced, len(self.disk))]

    def flip_bits(self, many: int) -> None:
        """Change bits in one place of the file, while the program is not running."""
        data, rng = bytearray(self.disk), self.net.rng
        start = rng.randrange(len(journal.FORMAT), len(data))
        for _ in range(many):
            data[min(start + rng.randrange(64), len(data) - 1)] ^= 1 << rng.randrange(8)
        self.disk = bytes(data)

    def _done(self, effect: Effect) -> None:
        if isinstance(effect, Keep):
            self.kept_at = self.net.now
        match effect:
            case Send(number):
                data = effect.frames()
                if number in self.ends:
                    self.ends[number].send(self, data)
            case Keep(record, place):
                self._keep(record, place)
            case Save(record):
                self.lines += [record] if isinstance(record, str) else []
            case Tell(event):
                assert not is_last(self.events), "after the last"
                self.events.append(event)
                self.net.told(self, event)
            case Calls.CONNECT:
                self.net.connect(self)
            case Close(number):
                if number in self.ends:
                    self.ends.pop(number).hang_up(self)


@dataclass
class Line:
    """A connection: what is sent arrives in order, each piece after its own time, or is cut."""

    net: Network
    ends: tuple[tuple[Node, int], tuple[Node, int]]
    arrivals: list[float] = field(default_factory=lambda: [0.0, 0.0])
    is_cut: bool = False

    def other(self, node: Node) -> tuple[int, Node, int]:
        at = 1 if self.ends[0][0] is node else 0
        return at, *self.ends[at]

    def _arrive(self, at: int, action: Callable[[], None]) -> None:
        net = self.net
        delay = net.rng.expovariate(1 / net.delay) if net.delay else 0.0
        # while the cable is out nothing arrives; TCP sends it again afterwards
        self.arrivals[at] = max(self.arrivals[at], net.now + delay, net.out_until)
        net.at(self.arrivals[at], action)

    def send(self, node: Node, data: bytes) -> None:
        at, to, number = self.other(node)
        rng = self.net.rng
        cut = rng.randrange(1, len(data)) if rng.random() < 0.2 and len(data) > 1 else len(data)
        for part in filter(None, (data[:cut], data[cut:])):
            self._arrive(at, lambda part=part: self.deliver(to, number, part))

    def deliver(self, to: Node, number: int, data: bytes) -> None:
        if not self.is_cut and number in to.ends and to.ends[number] is self:
            to.feed(events.Heard(number, data))

    def hang_up(self, node: Node) -> None:
        at, to, number = self.other(node)
        self._arrive(at, lambda: self.gone(to, number))

    def gone(self, to: Node, number: int) -> None:
        if to.ends.get(number) is self:
            del to.ends[number]
            to.feed(events.LineLost(number))

    def cut(self) -> None:
        """Break it: both ends notice after a while, and what was on its way is lost."""
        self.is_cut = True
        for at, (node, number) in enumerate(self.ends):
            self._arrive(at, lambda node=node, number=number: self.gone(node, number))


class Network:
    """All terminals of a table and what is between them; the first one hosts."""

    def __init__(self, seed: object, delay: float = 0.02) -> None:
        self.rng = Random(f"network {seed}")
        self.now, self.delay = 0.0, delay
        self.out_until = 0.0  # the network is out until then
        self.nodes: list[Node] = []
        self.lines: list[Line] = []
        self.queue: list[tuple[float, int, Callable[[], None]]] = []
        self.count = itertools.count()
        self.told: Callable[[Node, Event], None] = lambda node, event: None
        self.more: dict[str, Any] = TOYS
        self.is_overheard = False

    @property
    def host(self) -> Node:
        return self.nodes[0]

    def entropy(self) -> bytes:
        return self.rng.randbytes(32)

    def add(self, made: Session, name: str) -> Node:
        node = Node(name, self, made)
        self.nodes.append(node)
        return node

    def open(self, table: events.HostSetup, name: str = "ada") -> Node:
        return self.add(session.host(table, name, VERSION, self.entropy(), **self.more), name)

    def join(self, name: str, **more: Any) -> Node:
        made = session.join(
            more.pop("code", self.host.session.code), name, VERSION, self.entropy(),
            **self.more, **more,
        )  # fmt: skip
        node = self.add(made, name)
        node.start()
        return node

    def at(self, time: float, action: Callable[[], None]) -> None:
        heapq.heappush(self.queue, (time, next(self.count), action))

    def after(self, delay: float, action: Callable[[], None]) -> None:
        self.at(self.now + delay, action)

    def connect(self, node: Node) -> None:
        """Let a terminal reach all whom it looks for and who can be found."""
        line = getattr(node.session, "door", node.session)  # of a tournament's player
        for to in succession.sought(line):
            self._connect(node, to)

    def _connect(self, node: Node, to: int) -> None:
        life = node.life

        def arrive() -> None:
            if not node.is_alive or node.life != life:
                return
            there = self.host if to == 0 else self.found(to)
            is_there = there is not None and there.is_alive and not there.session.is_closed
            if there is None or not is_there or self.now < self.out_until:
                node.feed(events.Unreached(KumiteError("nobody there")))
                return
            numbers = []
            for one in (node, there):
                one.links += 1
                numbers.append(one.links)
            line = Line(self, ((node, numbers[0]), (there, numbers[1])))
            self.lines.append(line)
            node.ends[numbers[0]] = line
            there.ends[numbers[1]] = line
            there.feed(events.Opened(numbers[1], node.name))
            node.feed(events.Opened(numbers[0], "host", to))

        self.after(self.rng.random() * self.delay * 2, arrive)

    def found(self, terminal: int) -> Node | None:
        """Return the terminal of that number that has announced that others may come to it."""
        for node in self.nodes:
            s = node.session
            if s.is_host and s.live is not None and s.live.me == terminal:
                return node
        return None

    def kill(self, node: Node) -> None:
        node.is_alive = False
        node.life += 1
        node.alarm = None
        for line in list(node.ends.values()):
            line.hang_up(node)
        node.ends.clear()

    def restart(self, node: Node) -> None:
        if node.is_alive or not node.disk:
            return
        if is_last(node.events):
            node.lives.append(node.events)
            node.events = []
        node.file = journal.read(node.disk)
        node.disk = node.file.whole
        node.session = session.resume(node.file.records, VERSION, self.entropy(), **self.more)
        node.is_alive = True
        node.start()

    def restart_all(self, *nodes: Node) -> None:
        """Kill programs and start them anew: all, if none is named."""
        for node in nodes or self.nodes:
            self.kill(node)
        for node in nodes or self.nodes:
            self.restart(node)
        self.run(self.now + 5)

    def begins(self, seconds: float = 5) -> None:
        """Let the host begin the match, and all come to it."""
        self.host.feed(events.Order.START)
        self.run(self.now + seconds)

    @property
    def mover(self) -> Node:
        actors = self.host.live.ledger.match.actors
        return next(n for n in self.nodes if n.live.ledger.seats_of(n.live.me) & set(actors))

    def step(self, node: Node | None = None) -> None:
        """Let a seat of a terminal, or of the mover's, make its first legal step, and arrive."""
        node = node or self.mover
        match = node.live.ledger.match
        seat = next(s for s in match.actors if s in node.live.ledger.seats_of(node.live.me))
        node.feed(acts.Play(seat, match.legal(seat)[0]))
        self.run(self.now + 1)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.step()

    def goes_on(self, count: int = 1) -> None:
        """Let whose turn it is make steps, and check that they count at all terminals."""
        number = self.host.live.ledger.match.number + count
        self.steps(count)
        assert {node.live.ledger.match.number for node in self.nodes} == {number}

    def run(self, until: float, is_done: Callable[[], bool] = lambda: False) -> bool:
        """Let everything happen up to that time; return whether it is done."""
        while self.queue and self.queue[0][0] <= until:
            if is_done():
                return True
            self.now, _, action = heapq.heappop(self.queue)
            action()
        self.now = until
        return is_done()


# --- People -----------------------------------------------------------------------------------


def random_act(node: Node, rng: Random, longest: int = 10_000) -> events.Command | None:
    """Return something that a person at this terminal may do now."""
    live = node.session.live
    if live is None or live.me is None or node.session.is_closed or node.session.is_rematch:
        return None
    ledger = live.ledger
    if ledger.offer is not None and live.me not in ledger.offer.agreed:
        return acts.Answer(rng.random() < 0.7)
    if ledger.is_over:
        return None
    if sum(isinstance(post.body, posts.Play) for post in live.posts) >= longest:
        return acts.Resign(min(ledger.seats_of(live.me)))
    chance = rng.random()
    if chance < 0.01:
        return acts.Say(f"words {rng.randrange(100)}")
    if chance < 0.02:
        return acts.Offer(posts.BACK, max(0, ledger.match.number - rng.randrange(1, 4)))
    if chance < 0.022:
        return acts.Offer(posts.DRAW)
    if chance < 0.024:
        return acts.Resign(min(ledger.seats_of(live.me)))
    ours = [seat for seat in ledger.match.actors if seat in ledger.seats_of(live.me)]
    ours = [seat for seat in ours if seat != CHANCE and not ledger.has_chosen(Seat(int(seat)))]
    if not ours or live.asked is not None or live.wants:
        return None
    seat = rng.choice(ours)
    return acts.Play(seat, rng.choice(ledger.match.legal(seat)))


def live(node: Node, rng: Random, longest: int, pace: float = 1.0) -> None:
    """Let somebody sit at this terminal for ever."""

    def act() -> None:
        if node.is_alive and not node.session.is_closed:
            given = random_act(node, rng, longest)
            if given is not None:
                node.feed(given)
        node.net.after(pace * (0.2 + rng.random()), act)

    node.net.after(rng.random(), act)
