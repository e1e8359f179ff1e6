"""The messages between two terminals, each in its own frame (framing.py); pure.

A message is canonical msgpack `[kind, field, …]` (fields.py). The joiner speaks first; a host does
not answer anyone who has not sent a valid greeting.

Never change the preamble, the plain frames, the first two fields of `Hello`, and `Refuse`: any two
versions use them to detect that they differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from kumite.core import gone
from kumite.core.codec import decode
from kumite.net.wire import fields, posts, tournament
from kumite.net.wire.fields import Kinds, blob, each, many, number
from kumite.net.wire.framing import MAX_PLAIN, frame

if TYPE_CHECKING:
    from kumite.core.game import Seat, Value
    from kumite.net.wire.posts import Post

PROTOCOL: Final = 1  # raised when a message or its meaning changes
MAX_TICKET: Final = 1_000_000
MAX_GUESTS: Final = 64
MAX_POSITION: Final = 16_384  # bytes of a position's text
WATCHER: Final = -1

JOIN, WATCH, RETURN = "join", "watch", "return"
ENTER: Final = "enter"  # a tournament
THERE, QUIET, AWAY, LEFT = range(4)


# --- Plain: before both sides have proved that they know the code ------------------------------


@dataclass(frozen=True, slots=True)
class Hello:
    """Joiner: my protocol and program version, and whether I join, watch, return or enter."""

    protocol: int
    program: str
    what: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """Either: the connection is refused for this reason."""

    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Pair:
    """One message of the handshake (net/crypto/pairing.py)."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Back:
    """Joiner: I return with this ticket of this table; `data` belongs to the handshake."""

    table_id: str
    ticket: int
    data: bytes


Plain: TypeAlias = Hello | Refuse | Pair | Back


# --- Sealed: the lobby ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Invite:
    """Host: this is the table, and this is your ticket to return with."""

    program: str
    match_id: str
    game: str
    rules: int
    package: str  # name and version of the plug-in that has the game; "": kumite
    seats: int
    options: tuple[tuple[str, Value], ...]
    clock: tuple[int, ...]
    has_watchers: int
    ticket: int
    gone: str  # the rule for permanently absent players, see core.gone


@dataclass(frozen=True, slots=True)
class Sit:
    """Joiner: I take `seats`, or `count` of any; `bound` commits me to my public keys."""

    name: str
    seats: tuple[Seat, ...]
    count: int
    bound: bytes


@dataclass(frozen=True, slots=True)
class Watch:
    """Joiner: I am a spectator."""

    name: str


@dataclass(frozen=True, slots=True)
class There:
    """Host: the players (name, seats, ready), which one you are, all names, free seats."""

    guests: tuple[tuple[str, tuple[Seat, ...], int], ...]
    me: int
    names: tuple[str, ...]
    free: tuple[Seat, ...]
    has_lots: int  # seats are drawn when the match begins


@dataclass(frozen=True, slots=True)
class Say:
    """Somebody says something in the lobby; to all the host says which of the guests."""

    who: int
    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """Joiner: I am ready, or no longer am."""

    is_ready: int


@dataclass(frozen=True, slots=True)
class Bound:
    """Host: the commitments of all players to their keys; now reveal yours."""

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
    """Joiner: I am back, and have this many posts, with this digest after them.

    `history` is the hash of these posts, so a host with different ones notices immediately.
    """

    match_id: str
    has_begun: int
    entered: int
    digest: bytes
    history: bytes


@dataclass(frozen=True, slots=True)
class Lacking:
    """Host: I have only `entered` posts; send me the later ones."""

    entered: int


@dataclass(frozen=True, slots=True)
class Held:
    """Joiner: the next post that you lack, as signed by its author."""

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
    """Joiner: this many posts are saved here, with this digest after them."""

    entered: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class PositionCheck:
    """Either: our digests differ after `entered` posts; this is my public position."""

    entered: int
    position: bytes


@dataclass(frozen=True, slots=True)
class Presence:
    """Host: a terminal is THERE, QUIET, AWAY or has LEFT."""

    terminal: int
    how: int


@dataclass(frozen=True, slots=True)
class Watching:
    """Host: the current spectators."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """The time each seat has used for this step: seat, ms, ms of absence, whether absent now.

    The host sends it to all after `number` steps, and a joiner sends it to the host on return.
    """

    number: int
    seats: tuple[tuple[Seat, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Succeed:
    """The prospective host asks whether the players agree that some terminals are gone.

    `meant` has a bit per terminal, including the old host. Nothing is posted before all agree.
    """

    meant: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """The answer of a terminal's players; from the prospective host: not all agree."""

    meant: int
    is_yes: int


@dataclass(frozen=True, slots=True)
class Ping:
    """A heartbeat, sent every few seconds regardless of other traffic."""

    beat: int


@dataclass(frozen=True, slots=True)
class Pong:
    """The answer to the Ping of that number."""

    beat: int


@dataclass(frozen=True, slots=True)
class Bye:
    """Either: I leave for now."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A terminal stops the match; the host forwards it unchanged, signed by its author.

    It names the step (or 0), the reason, and the terminal that it blames. `entered` is the author's
    number of posts at that time, so an old Stop is not repeated; `history` is their hash.
    """

    author: int
    entered: int
    history: bytes
    number: int
    code: str
    text: str
    terminal: int
    signature: bytes


@dataclass(frozen=True, slots=True)
class Decline:
    """Either, outside a match: the connection is refused; `code` selects the message."""

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
    | Say
    | Ping
    | Pong
    | Bye
    | Stop
    | Decline
    | Lacking
    | Held
    | tournament.Welcome
    | tournament.Enter
    | tournament.View
    | tournament.TableAt
    | tournament.MatchReport
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
            fields.long,
            number(1, fields.MAX_SEATS),
            fields.options,
            fields.clock,
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
            _flag,
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
            blob(32),
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
    (Say, (number(0, MAX_GUESTS), fields.text(fields.MAX_SAY))),
    *tournament.KINDS,
    (Succeed, (_meant,)),
    (Agreed, (_meant, _flag)),
)


def plain_of(packed: bytes) -> Plain:
    """Parse a plain message; of a Hello in another protocol, its known fields.

    Raises:
        BadData: not a plain message.
    """
    value: Any = decode(packed)
    if type(value) is tuple and len(value) >= 3 and value[0] == 0 and value[1] != PROTOCOL:
        value = (*value[:3], "?")
    return PLAIN(value)


def as_plain(message: Plain) -> bytes:
    """Return a plain message in its frame."""
    return frame(PLAIN.pack(message))
