"""The messages between two terminals, each in its own frame (framing.py); pure.

A message is canonical msgpack `[kind, field, …]` (fields.py). The joiner speaks first; a host does
not answer anyone who has not sent a valid greeting.

Never change the preamble, the plain frames, the first two fields of `Hello`, and `Refuse`: any two
versions use them to detect that they differ.
"""

from typing import Annotated, Any, Final, TypeAlias

from kumite.core import gone
from kumite.core.codec import decode
from kumite.core.game import Seat
from kumite.net.wire import fields, posts, tournament
from kumite.net.wire.fields import Frozen, Kinds, blob, each, many, number
from kumite.net.wire.framing import MAX_PLAIN, frame

PROTOCOL: Final = 1  # raised when a message or its meaning changes
MAX_TICKET: Final = 1_000_000
MAX_GUESTS: Final = 64
MAX_POSITION: Final = 16_384  # bytes of a position's text
WATCHER: Final = -1

JOIN, WATCH, RETURN = "join", "watch", "return"
ENTER: Final = "enter"  # a tournament
THERE, QUIET, AWAY, LEFT = range(4)

Message: TypeAlias = fields.Message  # a tournament has some, too
Terminal: TypeAlias = Annotated[int, number(WATCHER, fields.MAX_SEATS - 1)]
TicketNumber: TypeAlias = Annotated[int, number(0, MAX_TICKET)]
Meant: TypeAlias = Annotated[int, number(1, (1 << fields.MAX_SEATS) - 1)]
SeatCount: TypeAlias = Annotated[int, number(1, fields.MAX_SEATS)]
GoneRule: TypeAlias = Annotated[str, fields.one_of(*gone.RULES)]
_spent = number(0, posts.MAX_SPENT)
_running = each(fields.seat, _spent, _spent, number(0, 1))


# --- Plain: before both sides have proved that they know the code ------------------------------


class Plain(Frozen):
    """A message that needs no key."""


class Hello(Plain):
    """Joiner: my protocol and program version, and whether I join, watch, return or enter."""

    protocol: fields.Index
    program: fields.Word
    what: fields.Word


class Refuse(Plain):
    """Either: the connection is refused for this reason."""

    code: fields.Word
    text: fields.Long
    hint: fields.Long


class Pair(Plain):
    """One message of the handshake (net/crypto/pairing.py)."""

    data: Annotated[bytes, blob(1, 256)]


class Back(Plain):
    """Joiner: I return with this ticket of this table; `data` belongs to the handshake."""

    table_id: fields.MatchId
    ticket: TicketNumber
    data: Annotated[bytes, blob(1, 256)]


PLAIN: Final[Kinds[Plain]] = Kinds(Hello, Refuse, Pair, Back)

# --- Sealed: the lobby ------------------------------------------------------------------------


class Invite(Message):
    """Host: this is the table, and this is your ticket to return with."""

    program: fields.Word
    match_id: fields.MatchId
    game: fields.Word
    rules: fields.Index
    package: fields.Long  # name and version of the plug-in that has the game; "": kumite
    seats: SeatCount
    options: fields.Options
    clock: fields.ClockOrNone
    has_watchers: fields.Truth
    ticket: TicketNumber
    gone: GoneRule  # the rule for permanently absent players, see core.gone
    best_of: fields.BestOf


class Sit(Message):
    """Joiner: I take `seats`, or `count` of any; `bound` commits me to my public keys."""

    name: fields.Name
    seats: fields.Seats
    count: SeatCount
    bound: fields.Key


class Watch(Message):
    """Joiner: I am a spectator."""

    name: fields.Name


class Guest(Frozen):
    """A terminal in the lobby, the host first; a spectator has no seats."""

    name: fields.Name
    seats: fields.SeatSet
    is_ready: fields.Truth


class There(Message):
    """Host: the players, which one you are, the names by seat, free seats."""

    guests: Annotated[tuple[Guest, ...], many(fields.Shape(Guest), MAX_GUESTS)]
    me: Annotated[int, number(0, MAX_GUESTS)]
    names: Annotated[tuple[str, ...], fields.names]
    free: fields.SeatSet
    has_lots: fields.Truth  # seats are drawn when the match begins


class Say(Message):
    """Chat in the lobby, or of a spectator; the host adds the number of the guest or spectator."""

    who: Annotated[int, number(0, MAX_GUESTS)]
    text: Annotated[str, fields.text(fields.MAX_SAY)]


class Ready(Message):
    """Joiner: I am ready, or no longer am; after a match, a spectator: for a seat in the next."""

    is_ready: fields.Truth


class Bound(Message):
    """Host: the commitments of all players to their keys; now reveal yours."""

    hashes: Annotated[tuple[bytes, ...], many(blob(32), fields.MAX_SEATS)]


class PublicKeys(Message):
    """Joiner: my public keys of this match."""

    verify_key: fields.Key
    box_key: fields.Key


class Begin(Message):
    """Host: the match begins (or has begun); your number in the roster, WATCHER if none."""

    me: Terminal
    roster: Annotated[bytes, blob(1, MAX_PLAIN)]


# --- Sealed: the match ------------------------------------------------------------------------


class Here(Message):
    """Joiner: I am back, and have this many posts, with this digest after them.

    `history` is the hash of these posts, so a host with different ones notices immediately.
    """

    match_id: fields.MatchId
    has_begun: fields.Truth
    entered: fields.Index
    digest: fields.Digest
    history: fields.Key


class Lacking(Message):
    """Host: I have only `entered` posts; send me the later ones."""

    entered: fields.Index


class Held(Message):
    """Joiner: the next post that you lack, as signed by its author."""

    post: posts.APost


class Request(Message):
    """Joiner: enter this post of mine."""

    post: posts.APost


class Entered(Message):
    """Host: this is the next post of the match."""

    post: posts.APost


class Refused(Message):
    """Host: your post of that number came too late; make another."""

    number: fields.Count
    code: fields.Word
    text: fields.Long


class Ack(Message):
    """Joiner: this many posts are saved here, with this digest after them."""

    entered: fields.Index
    digest: fields.Digest


class PositionCheck(Message):
    """Either: our digests differ after `entered` posts; this is my public position."""

    entered: fields.Index
    position: Annotated[bytes, blob(0, MAX_POSITION)]


class Presence(Message):
    """Host: a terminal is THERE, QUIET, AWAY or has LEFT."""

    terminal: Terminal
    how: Annotated[int, number(THERE, LEFT)]


class Watching(Message):
    """Host: the current spectators, first those who would like to play in the next match."""

    names: Annotated[tuple[str, ...], many(fields.name, MAX_GUESTS)]
    willing: Annotated[int, number(0, MAX_GUESTS)]


class Running(Message):
    """The time each seat has used for this step: seat, ms, ms of absence, whether absent now.

    The host sends it to all after `number` steps, and a joiner sends it to the host on return.
    """

    number: fields.Index
    seats: Annotated[tuple[tuple[Seat, int, int, int], ...], many(_running, fields.MAX_SEATS)]


class Succeed(Message):
    """The prospective host asks whether the players agree that some terminals are gone.

    `meant` has a bit per terminal, including the old host. Nothing is posted before all agree.
    """

    meant: Meant


class Agreed(Message):
    """The answer of a terminal's players; from the prospective host: not all agree."""

    meant: Meant
    is_yes: fields.Truth


class Ping(Message):
    """A heartbeat, sent every few seconds regardless of other traffic."""

    beat: fields.Index


class Pong(Message):
    """The answer to the Ping of that number."""

    beat: fields.Index


class Bye(Message):
    """Either: I leave for now."""


class Stop(Message):
    """A terminal stops the match; the host forwards it unchanged, signed by its author.

    It names the step (or 0), the reason, and the terminal that it blames. `entered` is the author's
    number of posts at that time, so an old Stop is not repeated; `history` is their hash.
    """

    author: Annotated[int, fields.seat]
    entered: fields.Index
    history: fields.Key
    number: fields.Index
    code: fields.Word
    text: fields.Long
    terminal: Terminal
    signature: Annotated[bytes, blob(fields.SIGNATURE)]


class Decline(Message):
    """Either, outside a match: the connection is refused; `code` selects the message."""

    code: fields.Word


SEALED: Final[Kinds[Message]] = Kinds(
    *(Invite, Sit, Watch, There, Ready, Bound, PublicKeys, Begin, Here, Request, Entered, Refused),
    *(Ack, PositionCheck, Presence, Ping, Pong, Bye, Stop, Decline, Lacking, Held, Watching),
    *(Running, Say, *tournament.KINDS, Succeed, Agreed),
)


def plain_of(packed: bytes) -> Plain:
    """Parse a plain message, or raise BadData; of a Hello in another protocol its known fields."""
    value: Any = decode(packed)
    if type(value) is tuple and len(value) >= 3 and value[0] == 0 and value[1] != PROTOCOL:
        value = (*value[:3], "?")
    return PLAIN(value)


def as_plain(message: Plain) -> bytes:
    return frame(PLAIN.pack(message))
