"""Events: what the app is told of a table.

An event's `text` is a whole sentence for people, its `hint` says what to do (may be empty), its
`code` is stable. What goes into a session is in inputs.py, what is done for it in effects.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kumite.core.game import Seat
from kumite.core.gone import WAIT
from kumite.core.players import is_person

if TYPE_CHECKING:
    from kumite.core.game import Actor, Seats, Setup, Step
    from kumite.core.log import End, Header
    from kumite.core.match import Match, Played
    from kumite.net.replica.audit import Verdict


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
    clock: tuple[int, ...] = ()  # s of each seat, s more a step, s away for nothing
    gone: str = WAIT  # what becomes of a seat whose terminal is gone for good

    @property
    def bots(self) -> Seats:
        """The seats of somebody here that bots play; free ones are not yet theirs."""
        taken = frozenset[Seat]().union(*(one.seats for one in self.guests))
        return frozenset(
            seat for seat in taken if seat < len(self.names) and not is_person(self.names[seat])
        )

    @property
    def can_start(self) -> bool:
        """Whether somebody else plays, and all are ready."""
        return any(one.seats for one in self.guests[1:]) and all(
            one.is_ready for one in self.guests if one.seats
        )


@dataclass(frozen=True, slots=True)
class Talked:
    """Somebody at the table said something before the match."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class MatchBegan:
    """The match begins, or goes on; `seats` are those of this terminal, none of a watcher.

    All compare the three words aloud: if they are the same, nobody has come in between.
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
class ClocksStand:
    """How the clocks stand now, in ms left by seat, and which of them run until the next event."""

    left: tuple[int, ...]
    running: Seats


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

    seat: Seat  # the speaker's first one
    text: str


@dataclass(frozen=True, slots=True)
class Offered:
    """Somebody offers something (a kind of posts.OFFERS); all that have not agreed may answer."""

    kind: str
    number: int  # of the step to go back to, or the seat to take over
    seats: Seats  # of the terminal that offers
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
    """A bot at another terminal plays a seat now; `seats` are ours after that."""

    seat: Seat
    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Watching:
    """Who looks on has changed: the names of all who do."""

    names: tuple[str, ...]


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
class LongAway:
    """The terminals that play `seats` have been away so long that the others may say: for good."""

    seats: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Gone:
    """All others have said that the terminals of `seats` are gone for good; `ours` are ours now."""

    seats: Seats
    ours: Seats
    text: str


@dataclass(frozen=True, slots=True)
class Stalled:
    """The terminal that plays `seats` is there, but has owed its part of chance for long."""

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
class Unaudited:
    """The terminal that plays `seats` keeps its secrets closed, or has left before they were open.

    If it comes back and opens them, `Audited` follows.
    """

    seats: Seats
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
    it is not about a step; `common` the last step on which all agree; `seats` those of the terminal
    to blame, if there is one.
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
    | Talked
    | MatchBegan
    | Sending
    | MatchChanged
    | ClocksStand
    | Chose
    | NotDone
    | Said
    | Offered
    | OfferGone
    | SeatMoved
    | Watching
    | Quiet
    | HeardAgain
    | Away
    | LongAway
    | Gone
    | Stalled
    | Desync
    | Ended
    | Audited
    | Unaudited
    | Left
    | Stopped
)
