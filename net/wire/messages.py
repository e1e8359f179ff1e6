"""The messages that two terminals send each other, each in a frame of its own (framing.py); pure.

A message is canonical msgpack `[kind, field, …]` (fields.py). The joiner speaks first; a host says
nothing to anyone who has not greeted it properly.

What never changes, so that any two versions can tell each other that they differ: the preamble, the
plain frames, `Hello`'s first two fields and `Refuse`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core import gone
from kumite.core.codec import decode
from kumite.net.wire import fields, hall, posts
from kumite.net.wire.fields import Kinds, blob, each, many, number
from kumite.net.wire.framing import MAX_PLAIN, frame

if TYPE_CHECKING:
    from kumite.core.game import Seat, Value
    from kumite.net.wire.posts import Post

PROTOCOL: Final = 8  # raised when a message, or what it means, changes
MAX_TICKET: Final = 1_000_000
MAX_GUESTS: Final = 64
MAX_POSITION: Final = 16_384  # bytes of a position's text
WATCHER: Final = -1

JOIN, WATCH, RETURN = "join", "watch", "return"
ENTER: Final = "enter"  # a tournament
THERE, QUIET, AWAY, LEFT = range(4)


# --- Plain: before the two have proved that they know the code ---------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """Joiner: I speak this protocol, am this program, and want to join, watch, return or enter."""

    protocol: int
    program: str
    what: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Either: no table for the two of us, for this reason."""

    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Pair:
    """One message of the handshake (net/crypto/pairing.py)."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Back:
    """Joiner: I have this ticket of this table; the rest is the handshake's."""

    table_id: str
    ticket: int
    data: bytes


Plain: TypeAlias = Hello | Refuse | Pair | Back


# --- Sealed: the lobby ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invite:
    """Host: this is the table, and this is your ticket, to come back with."""

    program: str
    match_id: str
    game: str
    rules: int
    seats: int
    options: tuple[tuple[str, Value], ...]
    clock: tuple[int, ...]
    has_watchers: int
    ticket: int
    gone: str  # what becomes of a seat whose terminal is gone for good


@dataclass(frozen=True, slots=True)
class Sit:
    """Joiner: I take seats, these or so many; the hash binds me to my public keys of this match."""

    name: str
    seats: tuple[Seat, ...]
    count: int
    bound: bytes


@dataclass(frozen=True, slots=True)
class Watch:
    """Joiner: I look on."""

    name: str


@dataclass(frozen=True, slots=True)
class There:
    """Host: who is there (name, seats, ready), which of them you are, all names, seats left."""

    guests: tuple[tuple[str, tuple[Seat, ...], int], ...]
    me: int
    names: tuple[str, ...]
    free: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """Somebody says something in the lobby; to all the host says which of the guests."""

    who: int
    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Joiner: I am ready, or no longer am."""

    is_ready: int


@dataclass(frozen=True, slots=True)
class Bound:
    """Host: the hashes of the keys of all who play; now show yours."""

    hashes: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """Joiner: my public keys of this match."""

    verify_key: bytes
    box_key: bytes


@dataclass(frozen=True, slots=True)
class Begin:
    """Host: the match begins (or has begun); your number in the roster, WATCHER if none."""

    me: int
    roster: bytes


# --- Sealed: the match ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Here:
    """Joiner: I am back; I have begun or not, have so many posts, and come to this digest.

    `history` is the hash of these posts: a host that has others knows it at once.
    """

    match_id: str
    has_begun: int
    entered: int
    digest: bytes
    history: bytes


@dataclass(frozen=True, slots=True)
class Lacking:
    """Host: I have no more than so many posts; give me those after them."""

    entered: int


@dataclass(frozen=True, slots=True)
class Held:
    """Joiner: this is the next post that you lack, as its author has signed it."""

    post: Post


@dataclass(frozen=True, slots=True)
class Request:
    """Joiner: enter this post of mine."""

    post: Post


@dataclass(frozen=True, slots=True)
class Entered:
    """Host: this is the next post of the match."""

    post: Post


@dataclass(frozen=True, slots=True)
class Refused:
    """Host: your post of that number came too late; make another."""

    number: int
    code: str
    text: str


@dataclass(frozen=True, slots=True)
class Ack:
    """Joiner: so many posts are saved here, and come to this digest."""

    entered: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class PositionCheck:
    """Either: after so many posts we differ; this is the position here as all may see it."""

    entered: int
    position: bytes


@dataclass(frozen=True, slots=True)
class Presence:
    """Host: a terminal is THERE, QUIET, AWAY or has LEFT."""

    terminal: int
    how: int


@dataclass(frozen=True, slots=True)
class Watching:
    """Host: these look on now."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """How long each seat has been to act: seat, ms, ms of them away, whether it is away now.

    After so many steps; the host tells all, and a joiner the host when it comes back.
    """

    number: int
    seats: tuple[tuple[Seat, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Succeed:
    """Who would carry the table on, to those who have found it: who is gone, as people there say.

    `meant`: a bit for each terminal; the host is one of them. Nothing is posted before all agree.
    """

    meant: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer: people here say so too, or not; from who would carry it on: not all do."""

    meant: int
    is_yes: int


@dataclass(frozen=True, slots=True)
class Ping:
    """Are you there? Sent every few seconds, whatever else is said."""

    beat: int


@dataclass(frozen=True, slots=True)
class Pong:
    """I am: the answer to the Ping of that number."""

    beat: int


@dataclass(frozen=True, slots=True)
class Bye:
    """Either: I leave, for now."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A terminal says that the match stops; the host passes it on as it is, signed by its author.

    At which step (or 0), why, and which terminal is to blame by what it says; `entered`: how many
    posts it had then, so that what was said once is not said again later.
    """

    author: int
    entered: int
    number: int
    code: str
    text: str
    terminal: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class Decline:
    """Either, outside a match: no match for the two of us; the code has words of our own."""

    code: str


Message: TypeAlias = (
    Invite
    | Sit
    | Watch
    | There
    | Ready
    | Bound
    | PublicKeys
    | Begin
    | Here
    | Request
    | Entered
    | Refused
    | Ack
    | PositionCheck
    | Presence
    | Watching
    | Running
    | Talk
    | Ping
    | Pong
    | Bye
    | Stop
    | Decline
    | Lacking
    | Held
    | hall.Welcome
    | hall.Enter
    | hall.Hall
    | hall.HallTable
    | hall.Reported
    | Succeed
    | Agreed
)


_flag = number(0, 1)
_meant = number(1, (1 << fields.MAX_SEATS) - 1)
_terminal = number(WATCHER, fields.MAX_SEATS - 1)
_ticket = number(0, MAX_TICKET)
_guest = each(fields.name, fields.seats, _flag)

PLAIN: Final[Kinds[Plain]] = Kinds(
    (Hello, (fields.index, fields.word, fields.word)),
    (Refuse, (fields.word, fields.long, fields.long)),
    (Pair, (blob(1, 256),)),
    (Back, (fields.match_id, _ticket, blob(1, 256))),
)
SEALED: Final[Kinds[Message]] = Kinds(
    (
        Invite,
        (
            fields.word,
            fields.match_id,
            fields.word,
            fields.index,
            number(1, fields.MAX_SEATS),
            fields.options,
            hall.clock,
            _flag,
            _ticket,
            fields.one_of(*gone.RULES),
        ),
    ),
    (Sit, (fields.name, fields.seats, number(1, fields.MAX_SEATS), blob(32))),
    (Watch, (fields.name,)),
    (
        There,
        (
            many(_guest, MAX_GUESTS),
            number(0, MAX_GUESTS),
            many(fields.name, fields.MAX_SEATS),
            fields.seats,
        ),
    ),
    (Ready, (_flag,)),
    (Bound, (many(blob(32), fields.MAX_SEATS),)),
    (PublicKeys, (blob(32), blob(32))),
    (Begin, (_terminal, blob(1, MAX_PLAIN))),
    (Here, (fields.match_id, _flag, fields.index, fields.digest, blob(32))),
    (Request, (posts.POST,)),
    (Entered, (posts.POST,)),
    (Refused, (fields.count, fields.word, fields.long)),
    (Ack, (fields.index, fields.digest)),
    (PositionCheck, (fields.index, blob(0, MAX_POSITION))),
    (Presence, (_terminal, number(THERE, LEFT))),
    (Ping, (fields.index,)),
    (Pong, (fields.index,)),
    (Bye, ()),
    (
        Stop,
        (
            fields.seat,
            fields.index,
            fields.index,
            fields.word,
            fields.long,
            _terminal,
            blob(fields.SIGNATURE),
        ),
    ),
    (Decline, (fields.word,)),
    (Lacking, (fields.index,)),
    (Held, (posts.POST,)),
    (Watching, (many(fields.name, MAX_GUESTS),)),
    (
        Running,
        (
            fields.index,
            many(each(fields.seat, *(number(0, posts.MAX_SPENT),) * 2, _flag), fields.MAX_SEATS),
        ),
    ),
    (Talk, (number(0, MAX_GUESTS), fields.text(fields.MAX_SAY))),
    (hall.Welcome, hall.WELCOME),
    (hall.Enter, (fields.name,)),
    (hall.Hall, hall.HALL),
    (hall.HallTable, hall.TABLE),
    (hall.Reported, hall.REPORTED),
    (Succeed, (_meant,)),
    (Agreed, (_meant, _flag)),
)


def plain_of(packed: bytes) -> Plain:
    """Return the plain message of these bytes; of a Hello in another protocol, what is known.

    Raises:
        BadData: they are no plain message.
    """
    value: Any = decode(packed)
    if type(value) is tuple and len(value) >= 3 and value[0] == 0 and value[1] != PROTOCOL:
        value = (*value[:3], "?")
    return PLAIN(value)


def as_plain(message: Plain) -> bytes:
    """Return a plain message in its frame."""
    return frame(PLAIN.pack(message))
