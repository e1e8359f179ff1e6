"""What one terminal at a LAN table knows, and what a reaction collects; pure.

`Session` is a value (but for the ciphers of its connections, which count: react to each session
once). A `Reaction` lives as long as one reaction: it gathers the next session and the effects, in
order.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core.errors import LocalError
from kumite.core.game import SPECTATOR
from kumite.core.games import GAMES
from kumite.core.players import as_person
from kumite.core.text import clean
from kumite.net.crypto import keys, pairing
from kumite.net.crypto.groups import ED25519
from kumite.net.replica.copying import changed
from kumite.net.replica.records import Credentials
from kumite.net.session import events
from kumite.net.session.effects import Close, Send, Tell
from kumite.net.session.pace import Paces
from kumite.net.wire import fields, framing, messages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from kumite.core.game import Game, Seat, Seats
    from kumite.core.log import End, Header
    from kumite.core.match import Match
    from kumite.net.crypto.channel import Opener, Sealer
    from kumite.net.crypto.groups import Group
    from kumite.net.crypto.keys import Signer
    from kumite.net.crypto.pairing import Attempts
    from kumite.net.replica.ledger import Ledger
    from kumite.net.replica.roster import Roster
    from kumite.net.session.effects import Effect
    from kumite.net.session.events import ClocksStand, Event
    from kumite.net.session.inputs import HostSetup
    from kumite.net.wire.posts import Body, Post

PING_EVERY: Final = 2.0  # s
SILENT_AFTER: Final = 3.0  # s; then a joiner tries another path, and keeps this one
QUIET_AFTER: Final = 10.0  # s; two pings that were not answered
RETRY_EVERY: Final = 0.5  # s
GONE_AFTER: Final = 15.0  # s; so long a terminal whose line breaks in the lobby keeps its seats
GREETING_TIME: Final = 10.0  # s; a connection that has not proved the code by then is dropped
STALLED_AFTER: Final = 120.0  # s
MISSED_AFTER: Final = 60.0  # s; so long a terminal is away before the others may say: for good


Handshake: TypeAlias = Any  # one of the four classes of net/crypto/pairing.py, or a toy


class Stage(IntEnum):
    """How far a connection has come."""

    NEW = 0
    PROVING = 1  # the handshake is under way
    SEALED = 2  # both know the key; host: nobody has sat down on it yet
    SEATED = 3  # in the lobby
    PLAYING = 4  # in the match: posts go to it


@dataclass(frozen=True)
class Link:
    """One connection; times in seconds."""

    number: int
    since: float
    address: str = ""
    to: int | None = None  # the terminal to which we have made it; None: it was made to us
    stage: Stage = Stage.NEW
    what: str = ""  # of messages.JOIN, WATCH, RETURN
    rest: bytes = b""  # of what came, less than a frame
    has_heard: bool = False  # the other side's preamble
    has_spoken: bool = False  # ours
    said: bytes = b""  # the joiner's Hello
    handshake: Handshake = None
    is_answered: bool = False  # host: its first message is out; joiner: the host's has come
    sealer: Sealer | None = None
    opener: Opener | None = None
    ticket: int = 0
    key: bytes = b""  # to come back with
    heard: float = 0.0  # when the last message came
    pinged: float = 0.0
    beat: int = 0  # pings so far
    is_quiet: bool = False
    invites: int = 0  # host: sent, and not answered yet
    promised: int = 0  # host: posts that it says to have, more than there are here
    acked: int = 0  # host: posts that it says it has
    is_told: bool = False  # host: that somebody who looks on has come to another position

    @property
    def place(self) -> str:
        """Return the address as people know it: IPv4 comes to a socket of both kinds as IPv6."""
        return self.address.removeprefix("::ffff:")


@dataclass(frozen=True, slots=True)
class Place:
    """Host: somebody at the table, or who looks on."""

    ticket: int
    key: bytes
    name: str
    seats: Seats = frozenset()  # none: looks on
    is_ready: bool = False
    bound: bytes = b""  # hash of the keys
    keys: tuple[bytes, bytes] | None = None
    terminal: int | None = None  # its number in the roster, once the match has begun
    gone_at: float | None = None  # when its connection broke
    talked: float = 0.0  # s; ahead of the clock by a second for each thing said of late


@dataclass(frozen=True, slots=True)
class Thinking:
    """A seat is to act since then; its terminal was away for `lost` s of it, and is since then."""

    seat: Seat
    number: int  # of the steps made so far
    since: float
    lost: float = 0.0
    away_since: float | None = None
    is_sure: bool = True  # we were here all the time
    unheard: float = 0.0  # s before `since` for which it may have run: we could not hear of it

    def away(self, now: float) -> float:
        """Return for how many s its terminal has been away so far."""
        return self.lost + (0.0 if self.away_since is None else now - self.away_since)

    def left(self, since: float) -> Thinking:
        """Return it as its terminal has left then, unless it was away already."""
        if self.away_since is not None:
            return self
        return replace(self, away_since=max(self.since, since))

    def come_back(self, now: float) -> Thinking:
        """Return it as its terminal is there again."""
        return replace(self, away_since=None, lost=self.away(now))


@dataclass(frozen=True, slots=True)
class OpenDesync:
    """After so many posts another terminal has come to another position than this one."""

    posts: int
    terminal: int  # for a joiner the host
    told: events.Desync | None = None  # our people; None while its position is asked for


@dataclass(frozen=True, slots=True)
class Succession:
    """The host is gone for good, as people say: `leader` carries the table on once all agree."""

    meant: int  # a bit for each terminal that is gone, the host among them
    leader: int
    agreed: frozenset[int]  # whose people say so, as far as is known here
    is_posted: bool = False  # all agree, and it is being said in signed posts


@dataclass(frozen=True)
class LiveMatch:
    """A match that goes on at this terminal."""

    roster: Roster  # as it was at the beginning
    ledger: Ledger
    header: Header
    signer: Signer
    posts: tuple[Post, ...] = ()
    digests: tuple[bytes, ...] = ()  # after that many posts
    matches: tuple[Match, ...] = ()  # after that many posts
    watchers: tuple[str, ...] = ()  # names of those who look on
    presence: tuple[int, ...] = ()  # of every terminal
    absent: Mapping[int, float] = field(default_factory=dict)  # terminals, and since when
    missed: frozenset[int] = frozenset()  # of them, away for so long that our people were told
    wants: tuple[Body, ...] = ()  # what people here want to post, in order
    asked: Post | None = None  # joiner: what the host has yet to enter
    thinking: tuple[Thinking, ...] = ()
    since: float = 0.0  # when the last post was entered
    is_stalled: bool = False
    is_audited: bool = False
    end: End | None = None  # as told and saved
    desync: OpenDesync | None = None  # until it is settled how to go on
    settled: int = 0  # posts; what differed before is settled
    epoch: float = 0.0  # when the match began, by our clock
    behind: tuple[tuple[int, float], ...] = ()  # terminals, and s by which ours is ahead of theirs
    measured: tuple[tuple[int, Seat, float], ...] = ()  # the last steps: number, seat, s
    shown_clocks: ClocksStand | None = None  # as told last, and when
    shown_at: float = 0.0
    later: Mapping[int, Post] = field(default_factory=dict)  # kept behind lost ones, by place

    @property
    def me(self) -> int | None:
        """Return our number in the roster, None of a watcher."""
        return self.ledger.me

    @property
    def is_comparing(self) -> bool:
        """Whether it is asked what differs: until that is known, the match waits."""
        return self.desync is not None and not self.ledger.is_held

    @property
    def seats_here(self) -> Seats:
        """Return the seats for which people here act: none, once all say that we are gone."""
        return SPECTATOR if self.ledger.is_gone(self.me) else self.seats_of(self.me)

    def seats_of(self, terminal: int | None) -> Seats:
        """Return the seats of a terminal now."""
        return self.ledger.seats_of(terminal)


@dataclass(frozen=True)
class Session:
    """What one terminal knows: `table` if it is the host."""

    program: str  # version of kumite, told to the other side
    entropy: bytes = field(repr=False)  # all that is drawn here comes from it
    name: str = ""
    what: str = ""  # of a joiner: messages.JOIN or WATCH
    code: str = ""
    wish: tuple[tuple[Seat, ...], int] = ((), 1)  # a joiner's: these seats, or so many
    is_open: bool = True  # whether our secrets may be opened when a match is over (joiner)
    table: HostSetup | None = None
    credentials: Credentials | None = None  # how we come back; the host's has its seed
    games: Mapping[str, Game[Any]] = field(default_factory=lambda: GAMES)
    group: Group = ED25519
    pairs: tuple[type[Any], type[Any]] = (pairing.CodeJoiner, pairing.CodeHost)
    drawn: int = 0  # secrets drawn from `entropy`
    links: tuple[Link, ...] = ()
    attempts: Attempts = field(default_factory=pairing.Attempts)
    paces: Paces = field(default_factory=Paces)  # host: how fast strangers and guests go on
    places: tuple[Place, ...] = ()  # host: everybody but the host, also in the match
    tickets: int = 0  # host: given out so far
    guests: tuple[str, ...] = ()  # joiner: names of who is there, as the host told last
    invite: messages.Invite | None = None  # joiner: what it was invited to
    bound: tuple[bytes, ...] = ()  # hashes of all keys, before they are shown
    shown: int = 0  # joiner: how often keys were shown for the next match
    is_beginning: bool = False  # host: the keys are being shown
    is_ready: bool = False
    is_rematch: bool = False  # the lobby between two matches
    live: LiveMatch | None = None
    main: int = 0  # joiner: the connection that counts
    leads_to: int = 0  # joiner: the terminal to which it leads, or led last
    succession: Succession | None = None  # while it is asked whether the host is gone for good
    retry_at: float | None = None  # joiner
    away_since: float | None = None  # joiner: of the line to the host
    heard_at: float = 0.0  # joiner: when the host was heard last, over whatever connection
    silence: tuple[float, float] = (0.0, 0.0)  # joiner: the last that was long, and its end
    refused: str = ""  # joiner: why it was last not let back into its match
    delay: float = 0.0  # s from a ping to its answer, of late
    word_at: float = -1.0  # when the host was last told of somebody turned away
    awaited: frozenset[int] = frozenset()  # host: who may have posts that we have lost
    awaited_until: float = 0.0
    waiting: tuple[tuple[int, messages.Request], ...] = ()  # host: asked for meanwhile, by link
    is_closed: bool = False
    is_hall: bool = False  # of a tournament: its organiser, or a player whom it has let in

    @property
    def is_host(self) -> bool:
        """Whether this terminal opened the table, or carries it on."""
        return self.table is not None

    @property
    def host(self) -> int:
        """Return the terminal through which all posts go: the first, or who has succeeded it."""
        return 0 if self.live is None else self.live.ledger.host

    @property
    def is_gathering(self) -> bool:
        """Whether this terminal would carry the table on, and not all others agree yet."""
        return self.is_host and self.succession is not None and not self.succession.is_posted

    @property
    def is_waiting(self) -> bool:
        """Whether the host makes and enters no posts yet: others may have some that it lacks."""
        return bool(self.awaited) or self.is_gathering

    @property
    def is_under_way(self) -> bool:
        """Whether a match or a tournament goes on: whoever is cut off tries to come back."""
        return self.live is not None or self.is_hall

    def link(self, number: int) -> Link | None:
        """Return the connection of that number, None if it is closed."""
        return next((link for link in self.links if link.number == number), None)

    def place(self, ticket: int) -> Place | None:
        """Return the place of that ticket."""
        return next((one for one in self.places if one.ticket == ticket), None)

    def link_of(self, ticket: int) -> Link | None:
        """Return the connection of the terminal that has that ticket and a place."""
        return next(
            (one for one in self.links if one.ticket == ticket and one.stage >= Stage.SEATED), None
        )


@dataclass(slots=True)
class Reaction:
    """One reaction under way: what the session will be, and what is to be done."""

    s: Session
    now: float
    effects: list[Effect]

    def set(self, **changes: Any) -> None:
        """Change the session."""
        self.s = changed(self.s, **changes)

    @property
    def live(self) -> LiveMatch:
        """Return the match that goes on here."""
        if self.s.live is None:
            raise LocalError("no match has begun")
        return self.s.live

    def play(self, **changes: Any) -> None:
        """Change the match that goes on here."""
        self.set(live=changed(self.live, **changes))

    def draw(self, label: str) -> bytes:
        """Return 32 secret bytes that were never drawn before."""
        self.set(drawn=self.s.drawn + 1)
        return keys.derive(self.s.entropy, label, self.s.drawn)

    def entropy(self, label: str) -> Callable[[int], bytes]:
        """Return a source of secret bytes."""
        rng = self.rng(label)
        return rng.randbytes

    def rng(self, label: str) -> Random:
        """Return chance that nobody else knows."""
        return keys.SeededRandom(self.draw(label))

    def put(self, link: Link, **changes: Any) -> Link:
        """Change a connection, and return it."""
        link = changed(link, **changes)
        self.set(links=tuple(link if one.number == link.number else one for one in self.s.links))
        return link

    def put_place(self, place: Place) -> None:
        """Give somebody another place, or a first one."""
        others = tuple(one for one in self.s.places if one.ticket != place.ticket)
        self.set(places=tuple(sorted((*others, place), key=lambda one: one.ticket)))

    def tell(self, event: Event) -> None:
        """Tell the app."""
        self.effects.append(Tell(event))

    def do(self, effect: Effect) -> None:
        """Have something done."""
        self.effects.append(effect)

    def say(self, number: int, message: messages.Plain) -> None:
        """Send a plain message."""
        link = self.s.link(number)
        if link is not None:
            data = messages.as_plain(message)
            self.do(Send(number, data if link.has_spoken else framing.PREAMBLE + data))
            self.put(link, has_spoken=True)

    def send(self, number: int, message: messages.Message) -> None:
        """Send a sealed message."""
        link = self.s.link(number)
        if link is not None and link.sealer is not None:
            self.do(Send(number, messages.SEALED.pack(message), link.sealer))

    def send_all(self, message: messages.Message, *, but: int = 0) -> None:
        """Send a message to everybody in the match."""
        for link in self.s.links:
            if link.stage is Stage.PLAYING and link.number != but:
                self.send(link.number, message)

    def drop(self, number: int) -> None:
        """Close a connection without a word."""
        if self.s.link(number) is not None:
            self.set(links=tuple(one for one in self.s.links if one.number != number))
            self.do(Close(number))

    def end(self, event: Event) -> None:
        """Tell the last event, and close everything."""
        if not self.s.is_closed:
            self.tell(event)
            for link in self.s.links:
                self.do(Close(link.number))
            self.set(links=(), is_closed=True, retry_at=None)


def cleaned(name: str) -> str:
    """Return a name as it may be sent."""
    return clean(name, fields.MAX_NAME)


def persons(name: str) -> str:
    """Return the name of a person at a table as it may be sent: a bot's it cannot be."""
    return as_person(cleaned(name))
