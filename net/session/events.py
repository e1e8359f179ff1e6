"""Inputs, events and effects of a session.

The peer carries out the effects in order. Events carry codes and fields, and the app turns them
into text (tui/play/network_words.py). `who` is the name of a terminal's players (`Roster.who`); ""
means the host before a match, or ourselves.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import SPECTATOR, Actor, Seat, Seats, Setup, Step
from kumite.core.gone import WAIT
from kumite.core.match import Match, Played
from kumite.core.players import is_person
from kumite.core.series import SINGLE, Series
from kumite.core.table import Answer, Offer, Play, Resign, Say
from kumite.net.wire.fields import Frozen
from kumite.net.wire.messages import Guest as Guest

if TYPE_CHECKING:
    from kumite.core.log import End, Header
    from kumite.net.crypto.channel import Sealer
    from kumite.net.replica.audit import Verdict
    from kumite.net.replica.records import Credentials, Record
    from kumite.net.replica.roster import Roster
    from kumite.net.wire.fields import Clock

# --- Inputs ------------------------------------------------------------------------------------


class HostSetup(Frozen):
    """The table that a host offers.

    All seats but the host's are free for joiners. The host's bots play those that are still free
    when the match begins.
    """

    setup: Setup
    names: tuple[str, ...]  # by seat; may be shorter; a free seat's name is used if nobody takes it
    seats: Seats
    clock: Clock | None = None  # s per seat, s added per step, s of free time away
    has_watchers: bool = True  # whether spectators are allowed
    is_open: bool = True  # whether the host's secrets may be opened after the match
    gone: str = WAIT  # what happens to the seats of a terminal that is permanently gone
    has_lots: bool = False  # whether seats are drawn by lot when the first match begins
    series: Series = SINGLE  # of how many matches, and the score so far
    is_listed: bool = True  # announced on the LAN

    @staticmethod
    def again(roster: Roster, host: int, credentials: Credentials) -> HostSetup:
        """Return the table of a match that has begun, with `host` as its host now."""
        seats = roster.terminals[host].seats
        terms = roster.clock, credentials.has_watchers, credentials.is_open, roster.gone
        more = False, roster.series, credentials.is_listed
        return HostSetup(roster.setup, roster.names, seats, *terms, *more)

    def check(self) -> None:
        """Raise BadSetup if the host has no seat, or none is free."""
        everybody = frozenset(map(Seat, range(self.setup.seats)))
        if not self.seats or not self.seats < everybody:
            raise BadSetup(
                "at a LAN table every terminal plays at least one seat",
                hint=f"the host takes some of the seats 0 to {self.setup.seats - 1}, not all",
            )


# --- The network and time ----------------------------------------------------------------------


class Opened(Frozen):
    """A connection was made, to us or by us.

    `to`: the terminal that we have called; None if the other side has called. (Nobody can call a
    joiner, so a joiner has reached the host.)
    """

    link: int
    address: str = ""
    to: int | None = None


class Heard(Frozen):
    """Bytes arrived on a connection."""

    link: int
    data: bytes


class LineLost(Frozen):
    """A connection was closed by the other side, or broke."""

    link: int


class Tick(Frozen):
    """The session's deadline has passed."""


class Failed(Frozen):
    """This terminal cannot continue, for example because the log cannot be written."""

    error: KumiteError


class Unreached(Frozen):
    """The host cannot be reached at present."""

    error: KumiteError


# --- Local players -----------------------------------------------------------------------------


class SetReady(Frozen):
    """A joiner is ready for the match, or no longer ready; a spectator: to play in the next."""

    is_ready: bool = True


class TakeSeat(Frozen):
    """A local player moves their first seat to this one, before the match."""

    seat: Seat


class Rename(Frozen):
    """A local player changes their name, before the match."""

    name: str


class FillSeats(Frozen):
    """The host chooses the bot that plays the seats that are still free when the match begins."""

    bot: str  # `bot:medium`


class Order(Enum):
    """A command that is all in its name."""

    DRAW_SEATS = "draw seats"  # the host turns drawing of seats by lot on or off
    START = "start"  # the host begins the match
    NEW_CODE = "new code"  # the host requests a new code
    DEPART = "depart"  # this terminal leaves the table
    VANISH = "vanish"  # it ends without leaving, and comes back


Seating: TypeAlias = TakeSeat | Rename | FillSeats | Order
Command: TypeAlias = Play | Say | Resign | Offer | Answer | SetReady | Seating
News: TypeAlias = Opened | Heard | LineLost | Unreached  # of the network
Input: TypeAlias = News | Tick | Failed | Command


# --- Events ------------------------------------------------------------------------------------


US: Final = "us"
OTHER_TABLE: Final = "open another table"  # a hint


class Event(Frozen):
    """A message from the session to the app."""


class Listening(Event):
    """The host's table is open to joiners who have the code and one of these addresses."""

    port: int
    addresses: tuple[str, ...]
    code: str


class CodeChanged(Event):
    """The code has changed: the host requested it, or there were too many wrong guesses."""

    code: str
    is_tried: bool = False


class TurnedAway(Event):
    """A terminal could not join the host's table, for the reason `code` (codes.py).

    `number`: the protocol version of the other side, if that is the reason.
    """

    name: str
    code: str
    number: int = 0


class Lobby(Event):
    """The lobby has changed; `me` is our index in `guests`, `free` are the seats left."""

    setup: Setup
    guests: tuple[Guest, ...]
    me: int
    names: tuple[str, ...]  # by seat, as if the match began now
    free: Seats
    clock: Clock | None = None  # s per seat, s added per step, s of free time away
    gone: str = WAIT  # what happens to the seats of a terminal that is permanently gone
    has_lots: bool = False  # whether seats are drawn by lot when the match begins
    best_of: int = 1

    @property
    def bots(self) -> Seats:
        """Return the taken seats that bots play; free seats do not count."""
        taken = frozenset[Seat]().union(*(one.seats for one in self.guests))
        return frozenset(
            seat for seat in taken if seat < len(self.names) and not is_person(self.names[seat])
        )

    @property
    def can_start(self) -> bool:
        return any(one.seats for one in self.guests[1:]) and all(
            one.is_ready for one in self.guests if one.seats
        )


class MatchBegan(Event):
    """A match begins or resumes; `seats` are those of this terminal, none for a spectator.

    The players compare the three words aloud: if all have the same, there is no one in the middle.
    """

    header: Header
    match: Match
    seats: Seats
    words: tuple[str, str, str]
    clocks: tuple[int, ...]  # ms left by seat; () without clocks
    series: Series = SINGLE  # the score before this match
    replaced: Seats = SPECTATOR  # seats of our players that bots of others have kept


class Sending(Event):
    """A local step was sent to the host; `MatchChanged` or `Chose` confirms it."""

    actor: Actor


class MatchChanged(Event):
    """The match has changed; `played` is its new last step, None if a step was taken back."""

    match: Match
    played: Played | None
    clocks: tuple[int, ...] = ()  # ms left by seat


class ClocksStand(Event):
    """The clocks in ms left by seat; those of `running` run until the next event."""

    left: tuple[int, ...]
    running: Seats


class Chose(Event):
    """A seat has made its hidden choice, which is played once all have chosen."""

    seat: Seat
    step: Step  # in full only if it was chosen here


class NotDone(Event):
    """A local command was rejected, and nothing has changed.

    `text` and `hint` are those of the error, for example why a step breaks the rules.
    """

    code: str
    text: str = ""
    hint: str = ""
    who: str = ""  # the players who are not ready

    @staticmethod
    def by(error: KumiteError) -> NotDone:
        return NotDone(error.code, str(error), error.hint)


class Pinged(Event):
    """A terminal in the lobby, by its name there, has answered after this time; before a match."""

    name: str
    ms: int


class Said(Event):
    """A chat message; our own come back as well."""

    text: str
    seat: Seat | None = None  # the speaker's first; None before the match, and of a spectator
    name: str = ""  # of a speaker without a seat
    is_ours: bool = False  # of a spectator's words: whether it is us
    is_unsent: bool = False  # the host is away; a player's words are sent once it is back
    is_unkept: bool = False  # by a guest whose seat is lost with its connection


class Offered(Event):
    """A terminal makes an offer (a kind of posts.OFFERS); all that have not agreed may answer."""

    kind: str
    number: int  # the step to return to, or the seat to take over
    seats: Seats  # of the offering terminal
    is_ours: bool  # whether we have agreed already
    who: str = ""
    about: str = ""  # the player in the seat, or who is said to be gone
    is_leader: bool = False  # the host is gone, and `who` would take over the table
    agrees: str = ""  # who has just agreed
    game: str = ""  # the id of another game to play next


class Voted(Event):
    """`who` has voted for `game`; `votes`: all open votes, as (who, game); () once one has won."""

    who: str
    game: str
    votes: tuple[tuple[str, str], ...]
    is_ours: bool = False


class Answered(Enum):
    """How an offer ended."""

    AGREED = "agreed"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    OVERTAKEN = "overtaken"  # by a step, for example
    BACK = "back"  # the terminal that was said to be gone is back
    NOT_ALL = "not all"  # not all agree that the host is gone


class OfferGone(Event):
    """An offer is no longer open."""

    kind: str
    answer: Answered
    who: str = ""
    game: str = ""  # the id of another game to play next


class SeatMoved(Event):
    """A bot at another terminal has taken over a seat; `seats` are those left to us."""

    seat: Seat
    seats: Seats
    name: str = ""  # of the seat
    terminal: str = ""  # the name of its new terminal


class Watching(Event):
    """The spectators have changed; `names` lists all of them.

    The first `willing` would like to play in the next match.
    """

    names: tuple[str, ...]
    willing: int = 0
    is_ours: bool = False  # we are one of these


class Status(Enum):
    """The connection status of a terminal."""

    QUIET = "quiet"  # nothing heard for a while; play waits
    AWAY = "away"  # the connection broke; play waits until it is back
    REFUSED = "refused"  # the host does not let us return for now, for the reason `code`
    BACK = "back"
    SLEPT = "slept"  # our own computer slept, or kumite was stopped, for `number` s
    MISSED = "missed"  # away for so long that the others may declare it permanently gone
    STALLED = "stalled"  # connected, but its part of a random draw is overdue
    UNAUDITED = "unaudited"  # left before opening its secrets; `Audited` follows if it comes back
    SECRETIVE = "secretive"  # keeps its secrets closed


class Presence(Event):
    """The status of the terminal that plays `seats`."""

    status: Status
    seats: Seats = SPECTATOR
    who: str = ""
    number: int = 0
    code: str = ""
    is_over: bool = False  # the match, so that nobody waits; with `MISSED`: over, but not audited
    has_bots: bool = False  # bots play on for a terminal that is gone
    is_host: bool = False  # with `MISSED`: the host is among them
    is_timed: bool = False  # with `SLEPT`: one of our clocks is running


class Gone(Event):
    """All others agree that the terminals of `seats` are permanently gone; we now play `ours`."""

    seats: Seats
    ours: Seats
    who: str = ""  # "": ourselves
    has_bots: bool = False
    is_over: bool = False


class Desync(Event):
    """Two terminals have different positions, and the match waits.

    `number` is the first step that differs, `common` the last that all agree on, `seats` are those
    of the other terminal. An offer to resume from `common` follows, or `Stopped`.
    """

    number: int
    common: int
    seats: Seats
    who: str = ""


class Ended(Event):
    """Players or a clock ended the match; a result by the rules is in the match itself."""

    end: End
    who: str = ""  # the players in its seats


class Audited(Event):
    """All secrets are open; `verdict.match` is the match with nothing hidden, if it was fair."""

    verdict: Verdict
    who: str = ""  # who cheated


class Left(Event):
    """The terminal that plays `seats` has left; an unfinished match can be resumed.

    It is the last event if `is_closed`: we have left, or the host, whom the table needs.
    """

    seats: Seats
    is_closed: bool
    who: str = ""  # "": the host before a match, or ourselves
    is_ours: bool = False  # we have left
    code: str = ""  # the reason, if it gave one: its disk, or another match at the table
    is_over: bool = False


class Stopped(Event):
    """Last event: the session cannot continue, or could not begin.

    `text` and `hint` are those of a local error, or `text` says what `who` did. `number` is the
    step that differs or at which `who` cheated (0 if no step is involved), or the protocol version
    or seconds of a refusal. `common` is the last step on which all agree. `seats` are those of the
    terminal to blame, if there is one.
    """

    code: str
    text: str = ""
    hint: str = ""
    number: int = 0
    common: int = 0
    seats: Seats = SPECTATOR
    who: str = ""
    is_claim: bool = False  # `who` says so, and we cannot verify it
    blamed: str = ""  # the terminal blamed by `who`; US if it is ours

    @staticmethod
    def by(error: KumiteError) -> Stopped:
        return Stopped(error.code, str(error), error.hint)


# --- Effects -----------------------------------------------------------------------------------


class Effect:
    """A command from the session to its peer: send, write, close or connect."""

    __slots__ = ()


class Send(Frozen, Effect):
    """Send bytes over a connection, sealed if it has a sealer.

    They are sealed only on sending, because a seal has a counter: if an earlier effect fails, these
    bytes are never sent.
    """

    link: int
    data: bytes
    sealer: Sealer | None = None

    def frames(self) -> bytes:
        """Return the bytes to send; call it once only, as a seal counts."""
        return self.data if self.sealer is None else self.sealer.seal(self.data)


class Keep(Frozen, Effect):
    """Append a record to the table's file, from which this terminal can resume."""

    record: Record
    place: int = 0  # 1-based position of a post in the match


class Save(Frozen, Effect):
    """Write to the log: a header begins it; matches add steps, then an end or any other line."""

    record: Header | Match | End | str


class Tell(Frozen, Effect):
    """Hand an event to the app."""

    event: Event


class Calls(Effect, Enum):
    """Connections to open or accept."""

    CONNECT = "connect"  # to the host, and to terminals that may take over from it (succession.py)
    LISTEN = "listen"  # accept connections here: this terminal takes over the table
    UNLISTEN = "unlisten"  # accept none any more: this terminal is a joiner again


class Close(Frozen, Effect):
    """Close a connection once everything sent over it has gone out."""

    link: int


Effects: TypeAlias = tuple[Effect, ...]
