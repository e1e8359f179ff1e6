"""What goes in and out of a session: the table, what people do, what they are told, what is done.

The app knows `Table` and the events; the rest is between the session (pure) and the peer (sockets).
An event's `text` is a whole sentence for people, its `hint` says what to do (may be empty), its
`code` is stable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from core.errors import BadSetup
from core.game import CHANCE, Seat
from core.match import Match

if TYPE_CHECKING:
    from core.errors import KumiteError
    from core.game import Actor, Seats, Setup, Step
    from core.log import End, Header
    from core.match import Played
    from net.wire import Message, Received


@dataclass(frozen=True, slots=True)
class Table:
    """What a host offers: the set-up, the names by seat, and which seats the host plays.

    All other seats are the joiner's; his name is put in their place.
    """

    setup: Setup
    names: tuple[str, ...]
    seats: Seats

    def check(self) -> None:
        """Check that it can be played between two terminals.

        Raises:
            BadSetup: a terminal without a seat, or a game that this version cannot share.
        """
        game, everybody = self.setup.game, frozenset(map(Seat, range(self.setup.seats)))
        if not self.seats or not self.seats < everybody:
            raise BadSetup(
                "at a LAN table each of the two terminals plays at least one seat",
                hint=f"the host takes some of the seats 0 to {self.setup.seats - 1}, not all",
            )
        actors = Match.begin(self.setup).actors
        if len(actors) != 1 or actors[0] == CHANCE:
            what = "chance" if CHANCE in actors else "choices made at the same time"
            raise BadSetup(
                f"{game.TITLE} begins with {what}, and this kumite cannot share that over a LAN",
                hint=f"`kumite play {game.ID}` plays it on one terminal",
            )


# --- Events: what the app is told -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listening:
    """The host's table is open: tell the other person one of these addresses and the port."""

    port: int
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """Somebody could not join the host's table (another version, say); it goes on waiting."""

    name: str
    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Began:
    """The match begins: `header` names everybody, `seats` are those of this terminal."""

    header: Header
    match: Match
    seats: Seats


@dataclass(frozen=True, slots=True)
class Sending:
    """A step made here is on its way; it counts when `MatchChanged` says so (joiner only)."""

    actor: Actor
    step: Step


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """The match is another one now; `played` is its new last step, None if it was taken back."""

    match: Match
    played: Played | None


@dataclass(frozen=True, slots=True)
class NotDone:
    """What was asked for here cannot be done (an illegal step, say); nothing has changed."""

    code: str
    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody said something; one's own words come back like this, too."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing has been heard from the terminal that plays `seats` for a while; play waits."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class HeardAgain:
    """The terminal that was quiet is there again."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Ended:
    """People ended the match (resigned, left); an outcome by the rules is in the match itself."""

    end: End
    text: str


@dataclass(frozen=True, slots=True)
class Left:
    """Last event: the terminal that plays `seats` (perhaps this one) has left the table."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Last event: the connection broke in mid-match; the log is unfinished, not ended."""

    text: str
    hint: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """Last event: it cannot go on, or could not begin.

    `number` is the step in which two terminals differ, 0 if it is not about a step.
    """

    code: str
    text: str
    hint: str
    number: int = 0


Event: TypeAlias = (
    Listening
    | TurnedAway
    | Began
    | Sending
    | MatchChanged
    | NotDone
    | Said
    | Quiet
    | HeardAgain
    | Ended
    | Left
    | Lost
    | Stopped
)


# --- Inputs: what a session reacts to ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection was made: somebody came to the host, or the joiner has reached the host."""

    link: int


@dataclass(frozen=True, slots=True)
class Heard:
    """A message came over a connection, or what is none."""

    link: int
    message: Received


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
class Play:
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
class Depart:
    """This terminal leaves the table."""


Command: TypeAlias = Play | Speak | GiveUp | Depart
Input: TypeAlias = Opened | Heard | Gone | Tick | Failed | Command


# --- Effects: what the peer does, in this order -----------------------------------------------


@dataclass(frozen=True, slots=True)
class Send:
    """Send a message over a connection."""

    link: int
    message: Message


@dataclass(frozen=True, slots=True)
class Save:
    """Write to the log: a header begins it, a match brings its steps, an end, or any other line."""

    record: Header | Match | End | str


@dataclass(frozen=True, slots=True)
class Tell:
    """Hand an event to the app."""

    event: Event


@dataclass(frozen=True, slots=True)
class Close:
    """End a connection once everything sent over it is out."""

    link: int


Effect: TypeAlias = Send | Save | Tell | Close
Effects: TypeAlias = tuple[Effect, ...]
