"""Inputs, all that a session reacts to: the network, time, and what people here do.

A session begins with a `HostSetup`, with a code (session/opening.py), or with what was kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from kumite.core.errors import BadSetup
from kumite.core.game import Seat
from kumite.core.gone import WAIT

if TYPE_CHECKING:
    from kumite.core.errors import KumiteError
    from kumite.core.game import Actor, Seats, Setup, Step
    from kumite.net.wire.fields import Clock


@dataclass(frozen=True, slots=True)
class HostSetup:
    """What a host offers: the set-up, names by seat, the host's own seats, the clock, the rest.

    All other seats are free for joiners; those that nobody has taken when the match begins are the
    host's, too (its bots').
    """

    setup: Setup
    names: tuple[str, ...]  # by seat; may be shorter; a free seat's: for when nobody comes
    seats: Seats
    clock: Clock | None = None  # s for each seat, more for each step, away for nothing
    has_watchers: bool = True  # whether somebody may look on
    is_open: bool = True  # whether the host's secrets may be opened when the match is over
    gone: str = WAIT  # what becomes of a seat whose terminal is gone for good

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


# --- The network and time ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection was made: somebody has come, or we have reached the host.

    `to`: the terminal that we have tried to reach; None if somebody has come. (A joiner to whom
    nobody can come has reached the host.)
    """

    link: int
    address: str = ""
    to: int | None = None


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


# --- People here ------------------------------------------------------------------------------


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
    """Somebody here offers something, see posts.OFFERS."""

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
class TakeSeat:
    """Somebody here moves to this seat with their first one, while the match has not begun."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Rename:
    """Somebody here wants to be called otherwise, while the match has not begun."""

    name: str


@dataclass(frozen=True, slots=True)
class DrawSeats:
    """The host's people have all seats drawn by lot."""


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
    MakeStep
    | Speak
    | GiveUp
    | Propose
    | Reply
    | SetReady
    | TakeSeat
    | Rename
    | DrawSeats
    | StartMatch
    | NewCode
    | Depart
)
Input: TypeAlias = Opened | Heard | Gone | Tick | Failed | Unreached | Command
