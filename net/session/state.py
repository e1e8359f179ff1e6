"""The state of a session, and the `Reaction` that changes it; pure.

`Session` is a value, except for the ciphers of its connections, which count: react to each session
only once. A `Reaction` collects the next session and the effects, in order, of one input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core.copying import replace
from kumite.core.errors import LocalError
from kumite.core.game import SPECTATOR, Seat, Seats
from kumite.core.match import Match
from kumite.core.players import MAX_NAME, as_person
from kumite.core.text import clean
from kumite.net.crypto import keys, pairing
from kumite.net.crypto.groups import ED25519, Group
from kumite.net.crypto.keys import Signer
from kumite.net.crypto.pairing import Attempts
from kumite.net.replica.records import Credentials
from kumite.net.session import events
from kumite.net.session.events import ClocksStand, Close, Effect, Event, HostSetup, Send, Tell
from kumite.net.wire import framing, messages
from kumite.net.wire.fields import Frozen
from kumite.net.wire.posts import Body, Post

if TYPE_CHECKING:
    from random import Random

    from kumite.core.log import Header
    from kumite.net.crypto.channel import Opener, Sealer
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.roster import Roster

PING_EVERY: Final = 2.0  # s
SILENT_AFTER: Final = 3.0  # s; then a joiner tries another connection, and keeps this one
QUIET_AFTER: Final = 10.0  # s; two pings without an answer
RETRY_EVERY: Final = 0.5  # s
GONE_AFTER: Final = 15.0  # s that a terminal keeps its seats after a disconnect in the lobby
GREETING_TIME: Final = 10.0  # s; a connection that has not proved the code by then is dropped
STALLED_AFTER: Final = 120.0  # s
MISSED_AFTER: Final = 60.0  # s away, after which the others may declare a terminal gone
LOST_AFTER: Final = 600.0  # s; a spectator leaves a table without a host, or with no successor yet


Handshake: TypeAlias = Any  # one of the four classes of net/crypto/pairing.py, or a test double


class Stage(IntEnum):
    """The progress of a connection."""

    NEW = 0
    PROVING = 1  # the handshake is under way
    SEALED = 2  # both know the key; host: not seated yet
    SEATED = 3  # in the lobby
    PLAYING = 4  # in the match: it receives posts


class Counts(Frozen):
    """Host: what it expects of the terminal at the other end of a connection."""

    invites: int = 0  # sent and not answered yet
    promised: int = 0  # number of posts that the terminal announced, if more than ours
    acked: int = 0  # number of posts that it acknowledged
    is_told: bool = False  # a spectator's different position was reported


class Link(Frozen):
    """One connection; times in seconds."""

    number: int
    since: float
    address: str = ""
    to: int | None = None  # the terminal that we called; None: the other side called
    stage: Stage = Stage.NEW
    what: str = ""  # of messages.JOIN, WATCH, RETURN
    rest: bytes = b""  # received bytes, less than a frame
    has_heard: bool = False  # the other side's preamble
    has_spoken: bool = False  # ours
    said: bytes = b""  # host: the Hello of a terminal that returns
    handshake: Handshake = None
    sealer: Sealer | None = None
    opener: Opener | None = None
    ticket: int = 0
    key: bytes = b""  # to return with
    heard: float = 0.0  # when the last message came
    pinged: float = 0.0
    beat: int = 0  # pings so far
    is_quiet: bool = False
    counts: Counts = Counts()

    @property
    def place(self) -> str:
        """Return the address without the prefix of IPv4 addresses on a dual-stack socket."""
        return self.address.removeprefix("::ffff:")


class Place(Frozen):
    """Host: a player or spectator at the table."""

    ticket: int
    key: bytes
    name: str
    seats: Seats = frozenset()  # none for a spectator
    is_ready: bool = False
    bound: bytes = b""  # hash of the keys
    keys: tuple[bytes, bytes] | None = None
    terminal: int | None = None  # its number in the roster, from the beginning of the match
    gone_at: float | None = None  # when its connection broke


class Thinking(Frozen):
    """A seat to act since `since`; its terminal was away for `lost` s of that time."""

    seat: Seat
    number: int  # the number of steps made so far
    since: float
    lost: float = 0.0
    away_since: float | None = None
    is_sure: bool = True  # we have measured it throughout
    unheard: float = 0.0  # s before `since` for which it may have run unheard
    seen: float = 0.0  # since when we have measured it ourselves, whatever the host says
    stopped: float = 0.0  # s for which our own program stood still

    def away(self, now: float) -> float:
        return self.lost + (0.0 if self.away_since is None else now - self.away_since)

    def left(self, since: float) -> Thinking:
        if self.away_since is not None:
            return self
        return replace(self, away_since=max(self.since, since))

    def stood_still(self, since: float, now: float) -> Thinking:
        """Return it after a pause of our own program, which counts as time away."""
        stopped = self.stopped + now - max(self.since, since)
        one = self if self.away_since is not None else self.left(since).come_back(now)
        return replace(one, stopped=stopped)

    def come_back(self, now: float) -> Thinking:
        return replace(self, away_since=None, lost=self.away(now))


class OpenDesync(Frozen):
    """Another terminal has a different position after `posts` posts."""

    posts: int
    terminal: int  # the host, at a joiner
    told: events.Desync | None = None  # reported event; None while its position is asked for


class Succession(Frozen):
    """The host is said to be permanently gone; `leader` takes over once all agree."""

    meant: int  # a bit for each terminal that is gone, including the host
    leader: int
    agreed: frozenset[int]  # terminals that agree, as far as is known here
    is_posted: bool = False  # all agree, and signed posts to that effect are being made


class Timing(Frozen):
    """Measurements of a match's clocks at this terminal."""

    thinking: tuple[Thinking, ...] = ()
    asked_at: float | None = None  # when the request was sent, if only the host can delay it
    doubts: int = 0  # steps for which the host reported too little time
    overcharged: float = 0.0  # s charged to our seats beyond our own measurement
    epoch: float = 0.0  # when the match began, by our clock
    behind: tuple[tuple[int, float], ...] = ()  # terminals, and s that our clock is ahead
    measured: tuple[tuple[int, Seat, float], ...] = ()  # the last steps: number, seat, s
    shown_clocks: ClocksStand | None = None  # as shown last, and when
    shown_at: float = 0.0


class LiveMatch(Frozen):
    """A match under way at this terminal."""

    roster: Roster  # as it was at the beginning
    ledger: Ledger
    header: Header
    signer: Signer
    posts: tuple[Post, ...] = ()
    digests: tuple[bytes, ...] = ()  # after each number of posts
    matches: tuple[Match, ...] = ()  # after each number of posts
    watchers: tuple[str, ...] = ()  # their names
    willing: int = 0  # the first so many of them would like to play in the next match
    presence: tuple[int, ...] = ()  # the status of every terminal
    absent: Mapping[int, float] = field(default_factory=dict)  # terminals, and since when
    missed: frozenset[int] = frozenset()  # absent terminals that were reported to the local players
    wants: tuple[Body, ...] = ()  # posts wanted by local players, in order
    asked: Post | None = None  # joiner: the post that the host has yet to enter
    timing: Timing = field(default_factory=Timing)
    since: float = 0.0  # when the last post was entered
    is_stalled: bool = False
    is_audited: bool = False
    desync: OpenDesync | None = None  # until it is settled how to continue
    settled: int = 0  # number of posts; earlier differences are settled
    later: Mapping[int, Post] = field(default_factory=dict)  # posts kept after lost ones, by place

    @property
    def me(self) -> int | None:
        return self.ledger.me

    @property
    def is_comparing(self) -> bool:
        """True if two positions are being compared; the match waits for the result."""
        return self.desync is not None and not self.ledger.is_held

    @property
    def seats_here(self) -> Seats:
        """Return the seats of the local players: none once we are declared gone."""
        return SPECTATOR if self.ledger.is_gone(self.me) else self.seats_of(self.me)

    def seats_of(self, terminal: int | None) -> Seats:
        return self.ledger.seats_of(terminal)


class Host(Frozen):
    """State of the host only, or of a terminal that takes over the table."""

    table: HostSetup
    places: tuple[Place, ...] = ()  # all but the host, also in the match
    tickets: int = 0  # given out so far
    attempts: Attempts = field(default_factory=pairing.Attempts)
    # rate limits of strangers and guests: until when each has used up what, see handshake.py
    paces: Mapping[tuple[str, str], float] = field(default_factory=dict)
    is_beginning: bool = False  # the keys are being exchanged
    invited_at: float = 0.0  # when all were last invited to the next match
    willing: tuple[int, ...] = ()  # tickets of spectators who would like a seat in it
    word_at: float = -1.0  # when a rejected joiner was last reported
    awaited: frozenset[int] = frozenset()  # terminals that may have posts which we have lost
    awaited_until: float = 0.0
    waiting: tuple[tuple[int, messages.Request], ...] = ()  # requests held back meanwhile, by link


class Joiner(Frozen):
    """State of a joiner or spectator in the lobby."""

    what: str = ""  # messages.JOIN or WATCH
    wish: tuple[tuple[Seat, ...], int] = ((), 1)  # seats wanted, or how many of any kind
    is_open: bool = True  # whether our secrets may be opened after a match
    guests: tuple[str, ...] = ()  # names, as the host last reported them
    invite: messages.Invite | None = None
    bound: tuple[bytes, ...] = ()  # hashes of all keys, before they are shown
    shown: int = 0  # how often we have shown keys for the next match
    is_ready: bool = False
    has_lots: bool = False  # the host draws all seats by lot


class Line(Frozen):
    """The line to the host, also of a terminal that may take over and still looks for the host."""

    main: int = 0  # the number of the connection in use
    leads_to: int = 0  # the terminal at its other end, now or last
    retry_at: float | None = None
    away_since: float | None = None
    heard_at: float = 0.0  # when the host was last heard, on any connection
    silence: tuple[float, float] = (0.0, 0.0)  # beginning and end of the last long silence
    refused: str = ""  # why the host last refused our return to the match


class Session(Frozen):
    """The complete state of one terminal, as host or joiner."""

    program: str  # version of kumite, sent to the other side
    entropy: bytes = field(repr=False)  # the source of all random draws
    name: str = ""
    side: Host | Joiner = field(default_factory=Joiner)
    code: str = ""
    credentials: Credentials | None = None  # to return with; the host's contain its seed
    group: Group = ED25519
    pairs: tuple[type[Any], type[Any]] = (pairing.CodeJoiner, pairing.CodeHost)
    drawn: int = 0  # number of secrets drawn from `entropy`
    links: tuple[Link, ...] = ()
    line: Line = field(default_factory=Line)
    is_rematch: bool = False  # in the lobby between two matches
    live: LiveMatch | None = None
    succession: Succession | None = None  # while players decide whether the host is gone
    delay: float = 0.0  # s from a ping to its answer, recently
    is_closed: bool = False
    is_tournament: bool = False  # belongs to a tournament: the organiser, or an admitted player

    @property
    def hosting(self) -> Host:
        if not isinstance(self.side, Host):
            raise LocalError("this terminal is no host")
        return self.side

    @property
    def joining(self) -> Joiner:
        if not isinstance(self.side, Joiner):
            raise LocalError("this terminal is no joiner")
        return self.side

    @property
    def places(self) -> tuple[Place, ...]:
        """Return all guests of the host; a joiner has none."""
        return self.side.places if isinstance(self.side, Host) else ()

    @property
    def awaited(self) -> frozenset[int]:
        """Return the terminals that may have posts which this host has lost."""
        return self.side.awaited if isinstance(self.side, Host) else frozenset()

    @property
    def is_host(self) -> bool:
        return isinstance(self.side, Host)

    @property
    def host(self) -> int:
        """Return the terminal that enters all posts: the first, or its successor."""
        return 0 if self.live is None else self.live.ledger.host

    @property
    def is_gathering(self) -> bool:
        """True if this terminal wants to take over the table, and not all others agree yet."""
        return self.is_host and self.succession is not None and not self.succession.is_posted

    @property
    def is_waiting(self) -> bool:
        """True if the host enters no posts yet, since others may have some that it lacks."""
        return bool(self.awaited) or self.is_gathering

    @property
    def is_under_way(self) -> bool:
        """True if a match or tournament is running, so that a lost connection is retried."""
        return self.live is not None or self.is_tournament

    def link(self, number: int) -> Link | None:
        return next((link for link in self.links if link.number == number), None)

    def place(self, ticket: int) -> Place | None:
        return next((one for one in self.places if one.ticket == ticket), None)

    def terminal_at(self, link: Link) -> int | None:
        """Return the terminal of the match at the other end (host), None for a spectator."""
        place = self.place(link.ticket)
        return None if place is None else place.terminal

    def link_of(self, ticket: int) -> Link | None:
        """Return the connection of the seated terminal with that ticket."""
        return next(
            (one for one in self.links if one.ticket == ticket and one.stage >= Stage.SEATED), None
        )

    def line_to(self, terminal: int) -> int:
        """Return the number of the connection to a terminal of the match, 0 if there is none."""
        tickets = (one.ticket for one in self.places if one.terminal == terminal)
        link = self.link_of(next(tickets, -1))
        return 0 if link is None else link.number


@dataclass(slots=True)
class Reaction:
    """One reaction in progress: the next session, and the effects so far."""

    s: Session
    now: float
    effects: list[Effect]

    def set(self, **changes: Any) -> None:
        self.s = replace(self.s, **changes)

    def set_host(self, **changes: Any) -> None:
        self.set(side=replace(self.s.hosting, **changes))

    def set_joiner(self, **changes: Any) -> None:
        self.set(side=replace(self.s.joining, **changes))

    def set_line(self, **changes: Any) -> None:
        self.set(line=replace(self.s.line, **changes))

    @property
    def live(self) -> LiveMatch:
        if self.s.live is None:
            raise LocalError("no match has begun")
        return self.s.live

    @property
    def credentials(self) -> Credentials:
        if self.s.credentials is None:
            raise LocalError("this terminal has no credentials yet")
        return self.s.credentials

    def play(self, **changes: Any) -> None:
        self.set(live=replace(self.live, **changes))

    def time(self, **changes: Any) -> None:
        self.play(timing=replace(self.live.timing, **changes))

    def draw(self, label: str) -> bytes:
        """Return 32 secret bytes that were never drawn before."""
        self.set(drawn=self.s.drawn + 1)
        return keys.derive(self.s.entropy, label, self.s.drawn)

    def entropy(self, label: str) -> Callable[[int], bytes]:
        rng = self.rng(label)
        return rng.randbytes

    def rng(self, label: str) -> Random:
        return keys.SeededRandom(self.draw(label))

    def put(self, link: Link, **changes: Any) -> Link:
        link = replace(link, **changes)
        self.set(links=tuple(link if one.number == link.number else one for one in self.s.links))
        return link

    def count(self, link: Link, **changes: Any) -> Link:
        return self.put(link, counts=replace(link.counts, **changes))

    def put_place(self, place: Place) -> None:
        others = tuple(one for one in self.s.places if one.ticket != place.ticket)
        self.set_host(places=tuple(sorted((*others, place), key=lambda one: one.ticket)))

    def tell(self, event: Event) -> None:
        self.effects.append(Tell(event))

    def do(self, effect: Effect) -> None:
        self.effects.append(effect)

    def say(self, number: int, message: messages.Plain) -> None:
        link = self.s.link(number)
        if link is not None:
            data = messages.as_plain(message)
            self.do(Send(number, data if link.has_spoken else framing.PREAMBLE + data))
            self.put(link, has_spoken=True)

    def send(self, number: int, message: messages.Message) -> None:
        link = self.s.link(number)
        if link is not None and link.sealer is not None:
            self.do(Send(number, messages.SEALED.pack(message), link.sealer))

    def send_all(self, message: messages.Message, *, but: int = 0) -> None:
        for link in self.s.links:
            if link.stage is Stage.PLAYING and link.number != but:
                self.send(link.number, message)

    def drop(self, number: int) -> None:
        if self.s.link(number) is not None:
            self.set(links=tuple(one for one in self.s.links if one.number != number))
            self.do(Close(number))

    def decline(self, link: Link, code: str) -> None:
        """Close a connection, telling why."""
        self.send(link.number, messages.Decline(code))
        self.drop(link.number)

    def end(self, event: Event) -> None:
        """Report the last event, and close everything."""
        if not self.s.is_closed:
            self.tell(event)
            for link in self.s.links:
                self.do(Close(link.number))
            self.set(links=(), is_closed=True)
            self.set_line(retry_at=None)


def cleaned(name: str) -> str:
    return clean(name, MAX_NAME)


def persons(name: str) -> str:
    """Return the name of a person, in a form that can be sent and cannot be a bot's."""
    return as_person(cleaned(name))
