"""What goes into a hall and comes out of it, besides what every session has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from kumite.core.tournament.event import Result
    from kumite.net.hall.board import Board, Terms
    from kumite.net.hall.records import GuestKept, HallKept
    from kumite.net.session.effects import Effect
    from kumite.net.session.events import Event
    from kumite.net.session.inputs import Input
    from kumite.net.wire.hall import HallTable, Reported

# --- What people do ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartRound:
    """The organiser begins the next round."""


@dataclass(frozen=True, slots=True)
class Decide:
    """The organiser decides a match of this round, or corrects what came of it."""

    place: int
    result: Result


@dataclass(frozen=True, slots=True)
class SetPresence:
    """The organiser lets somebody take part in rounds to come, or no longer."""

    player: int
    is_in: bool


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A player has opened the table of their match, or its place has changed."""

    table: HallTable


@dataclass(frozen=True, slots=True)
class Report:
    """A player's match has ended."""

    report: Reported


@dataclass(frozen=True, slots=True)
class KeepLog:
    """A player's match of this round has begun, and is saved under this name."""

    round: int
    place: int
    log: str


HallCommand: TypeAlias = StartRound | Decide | SetPresence | OpenTable | Report | KeepLog
HallInput: TypeAlias = "Input | HallCommand"

# --- What the app is told ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HallChanged:
    """The hall is another one now: somebody has come or gone, a round or a result."""

    terms: Terms
    board: Board


@dataclass(frozen=True, slots=True)
class TableOpen:
    """The table of our match stands there: go to it."""

    table: HallTable


HallEvent: TypeAlias = "Event | HallChanged | TableOpen"

# --- What is done -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Write:
    """Write what lets us come back into a file, in the place of what was there."""

    record: HallKept | GuestKept


@dataclass(frozen=True, slots=True)
class TellHall:
    """Hand an event to the app."""

    event: HallChanged | TableOpen


HallEffect: TypeAlias = "Effect | Write | TellHall"
HallEffects: TypeAlias = tuple[HallEffect, ...]
