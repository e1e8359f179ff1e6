"""What goes in and out of a session: the table, what people do, what they are told, what is done.

The app knows `HostSetup`, the commands of `Peer` and the events; the rest is between the session
(pure) and the peer (sockets). An event's `text` is a whole sentence for people, its `hint` says
what to do (may be empty), its `code` is stable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kumite.core.errors import BadSetup
from kumite.core.game import Seat

if TYPE_CHECKING:
    from kumite.core.errors import KumiteError
    from kumite.core.game import Actor, Seats, Setup, Step
    from kumite.core.log import End, Header
    from kumite.core.match import Match, Played
    from kumite.net.replica.audit import Verdict
    from kumite.net.replica.ledger import Own
    from kumite.net.replica.roster import Roster
    from kumite.net.wire.posts import Play, Post


@dataclass(frozen=True, slots=True)
class HostSetup:
    """What a host offers: the set-up, names by seat, the host's own seats, the clock, the rest.

    All other seats are free for who joins; seats that nobody has taken when the match begins are
    the host's, too (his bots').
    """

    setup: Setup
    names: tuple[str, ...]  # by seat; may be shorter; of a free seat: who plays it if nobody comes
    seats: Seats
    clock: tuple[int, int] | None = None  # s for each seat, s more for each step
    has_watchers: bool = True  # whether somebody may look on
    is_open: bool = True  # whether the host's secrets may be opened when the match is over

    def check(self) -> None:
        """Check that it can be played between terminals.

        Raises:
            BadSetup: the host has no seat, or none is free.
        """
        everybody = frozenset(map(Seat, range(self.setup.seats)))
        if not self.seats or not self.seats < everybody:
            raise BadSetup(
                "at a LAN table every terminal plays at least one seat",
                hint=f"the host takes some of the seats 0 to {self.setup.seats - 1}, not all",
            )


# --- Events: what the app is told -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listening:
    """The host's table is open: tell the others the code and one of these addresses."""

    port: int
    addresses: tuple[str, ...]
    code: str


@dataclass(frozen=True, slots=True)
class CodeChanged:
    """The code is another one now: somebody tried wrong ones, or the host wanted it."""

    code: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Somebody could not join the host's table (another version, a wrong code); it goes on."""

    name: str
    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Guest:
    """A terminal in the lobby, the host first; without seats it looks on."""

    name: str
    seats: Seats
    is_ready: bool


@dataclass(frozen=True, slots=True)
class Lobby:
    """Who is there has changed; `me` is our place among the guests, `free` the seats left."""

    setup: Setup
    guests: tuple[Guest, ...]
    me: int
    names: tuple[str, ...]  # by seat, as they would be if the match began now
    free: Seats

    @property
    def can_start(self) -> bool:
        """Whether somebody else plays, and all are ready."""
        return any(one.seats for one in self.guests[1:]) and all(
            one.is_ready for one in self.guests if one.seats
        )


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """The match begins, or goes on; `seats` are those of this terminal, none of a watcher.

    All compare the three words aloud: the same everywhere, no host has come in between.
    """

    header: Header
    match: Match
    seats: Seats
    words: tuple[str, str, str]
    clocks: tuple[int, ...]  # ms left by seat; () without clocks


@dataclass(frozen=True, slots=True)
class Sending:
    """A step made here is on its way; it counts when `MatchChanged` or `Chose` says so."""

    actor: Actor
    step: Step


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """The match is another one now; `played` is its new last step, None if it was taken back."""

    match: Match
    played: Played | None
    clocks: tuple[int, ...] = ()  # ms left by seat


@dataclass(frozen=True, slots=True)
class Chose:
    """A seat has chosen in secret; it counts when all have."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class NotDone:
    """What was asked for here cannot be done (an illegal step, say); nothing has changed."""

    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody said something; one's own words come back like this, too."""

    seat: Seat  # the first of who said it
    text: str


@dataclass(frozen=True, slots=True)
class Offered:
    """Somebody offers something (a kind of net.posts.OFFERS); who has not agreed may answer."""

    kind: str
    number: int  # of the step to go back to, or the seat to take over
    seats: Seats  # of who offers
    is_ours: bool  # whether we have agreed already
    text: str


@dataclass(frozen=True, slots=True)
class OfferGone:
    """The offer does not stand any longer: agreed to by all, refused, or overtaken by a step."""

    kind: str
    is_agreed: bool
    text: str


@dataclass(frozen=True, slots=True)
class SeatMoved:
    """A seat is played by another terminal now; `seats` are ours after that."""

    seat: Seat
    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing has been heard from the terminal that plays `seats` for a while; play waits."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class HeardAgain:
    """The terminal that was quiet or away is there again."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Away:
    """The connection to the terminal that plays `seats` broke; play waits until it is back."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Stalled:
    """The terminal that plays `seats` is there, but owes its part of chance for long."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Desync:
    """Two terminals have come to different positions: nothing is played until that is settled.

    `number` is the step in which they differ, `common` the last on which all agree, `seats` those
    of the other terminal. What follows is an offer to go on from `common`, or `Stopped`.
    """

    text: str
    number: int
    common: int
    seats: Seats


@dataclass(frozen=True, slots=True)
class Ended:
    """People or a clock ended the match; an outcome by the rules is in the match itself."""

    end: End
    text: str


@dataclass(frozen=True, slots=True)
class Audited:
    """All secrets are open; `verdict.match` is the match with nothing hidden, if all was fair."""

    verdict: Verdict
    text: str


@dataclass(frozen=True, slots=True)
class Left:
    """The terminal that plays `seats` has left; an unfinished match can be gone on with.

    The last event if `is_closed`: we have left, or the host has, without whom there is no table.
    """

    seats: Seats
    text: str
    is_closed: bool


@dataclass(frozen=True, slots=True)
class Stopped:
    """Last event: it cannot go on, or could not begin.

    `number` is the step in which two terminals differ, or at which somebody has played false, 0 if
    it is not about a step; `common` the last step on which all agree; `seats` those of who is to
    blame, if anybody is.
    """

    code: str
    text: str
    hint: str
    number: int = 0
    common: int = 0
    seats: Seats = frozenset()


Event: TypeAlias = (
    Listening
    | CodeChanged
    | TurnedAway
    | Lobby
    | MatchBegan
    | Sending
    | MatchChanged
    | Chose
    | NotDone
    | Said
    | Offered
    | OfferGone
    | SeatMoved
    | Quiet
    | HeardAgain
    | Away
    | Stalled
    | Desync
    | Ended
    | Audited
    | Left
    | Stopped
)


# --- Inputs: what a session reacts to ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection was made: somebody came to the host, or the joiner has reached the host."""

    link: int
    address: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """Bytes came over a connection."""

    link: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Gone:
    """A connection has ended from the other side, or broke."""

    link: int


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: the session's deadline has come."""


@dataclass(frozen=True, slots=True)
class Failed:
    """This terminal cannot go on: the log cannot be written, say."""

    error: KumiteError


@dataclass(frozen=True, slots=True)
class Unreached:
    """The host cannot be reached (now)."""

    error: KumiteError


@dataclass(frozen=True, slots=True)
class MakeStep:
    """Somebody here makes a step."""

    actor: Actor
    step: Step


@dataclass(frozen=True, slots=True)
class Speak:
    """Somebody here says something."""

    text: str


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Somebody here resigns."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Propose:
    """Somebody here offers something, see net.posts.OFFERS."""

    kind: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """Somebody here answers the offer that stands."""

    is_yes: bool


@dataclass(frozen=True, slots=True)
class SetReady:
    """Somebody here is ready to begin, or not any longer."""

    is_ready: bool = True


@dataclass(frozen=True, slots=True)
class StartMatch:
    """The host's people begin the match."""


@dataclass(frozen=True, slots=True)
class NewCode:
    """The host's people want another code."""


@dataclass(frozen=True, slots=True)
class Depart:
    """This terminal leaves the table."""


Command: TypeAlias = (
    MakeStep | Speak | GiveUp | Propose | Reply | SetReady | StartMatch | NewCode | Depart
)
Input: TypeAlias = Opened | Heard | Gone | Tick | Failed | Unreached | Command


# --- Effects: what the peer does, in this order -----------------------------------------------


@dataclass(frozen=True, slots=True)
class Send:
    """Send bytes over a connection."""

    link: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Credentials:
    """What lets this terminal come back to a table: begins the table's file.

    `ticket` is its number at this table, and `key` proves that it is its own. The file of a match
    has one at its beginning, the seed of the match in it.
    """

    table_id: str  # the id of the first match at this table
    match_id: str
    ticket: int  # 0: the host's
    key: bytes  # b"" of the host
    seed: bytes
    is_open: bool
    name: str = ""
    seats: tuple[Seat, ...] = ()  # of a watcher none
    has_watchers: bool = True  # host: whether somebody may look on


@dataclass(frozen=True, slots=True)
class Start:
    """The match begins; `me` is our number in the roster, None of a watcher."""

    roster: Roster
    me: int | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """The host lets a terminal come back that proves to have this key (None: a watcher)."""

    number: int
    terminal: int | None
    key: bytes


@dataclass(frozen=True, slots=True)
class Secret:
    """A hidden choice made here, before it goes out."""

    play: Play
    own: Own


Record: TypeAlias = "Credentials | Ticket | Start | Secret | Post"


@dataclass(frozen=True, slots=True)
class Keep:
    """Write to the table's file, from which this terminal can go on after anything."""

    record: Record


@dataclass(frozen=True, slots=True)
class Save:
    """Write to the log: a header begins it, a match brings its steps, an end, or any other line."""

    record: Header | Match | End | str


@dataclass(frozen=True, slots=True)
class Tell:
    """Hand an event to the app."""

    event: Event


@dataclass(frozen=True, slots=True)
class Connect:
    """Try to reach the host (once more)."""


@dataclass(frozen=True, slots=True)
class Close:
    """End a connection once everything sent over it is out."""

    link: int


Effect: TypeAlias = Send | Keep | Save | Tell | Connect | Close
Effects: TypeAlias = tuple[Effect, ...]
