"""A table as a value, and what people do there.

`after` gives the next table of a match at one keyboard, also while a log is read. At a LAN table
people's acts become signed posts, and the match is a `Ledger` (net/replica/ledger.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from kumite.core.errors import BadSetup, IllegalStep, KumiteError, MatchOver
from kumite.core.game import Actor, Seat, Seats, Setup, Step
from kumite.core.games import parse_position
from kumite.core.match import Match

ENDS: Final = (
    *("outcome", "resigned", "agreed", "left", "adjourned", "time", "spoiled", "gone"),
    "decided",  # by the organiser of a tournament
)


@dataclass(frozen=True, slots=True)
class Play:
    """A step by a seat, or by chance."""

    actor: Actor
    step: Step


@dataclass(frozen=True, slots=True)
class Note:
    """A note by the program, for example that a bot gave a hint."""

    text: str


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat resigns."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take back all steps after step `number`."""

    number: int


@dataclass(frozen=True, slots=True)
class HandOver:
    """A seat is taken over by player `name`."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class End:
    """The end of a match: `outcome` by the rules, else by an act of the players."""

    kind: str  # one of ENDS
    seats: tuple[Seat, ...] = ()  # the winners (outcome, decided); else who resigned, left, …
    reason: str = ""  # for an outcome


Event: TypeAlias = Play | Note | Resign | TakeBack | HandOver | End


# --- Only at a LAN table: no event of a match at one keyboard -----------------------------------


@dataclass(frozen=True, slots=True)
class Say:
    """A chat message."""

    text: str
    is_unkept: bool = False  # of a guest whose seat is lost with its connection


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer that all have to accept; `number` is a step or a seat, depending on the kind."""

    kind: str
    number: int = 0
    game: str = ""  # of a vote: the id of the game to play next


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to the open offer; a no by its author withdraws it."""

    is_yes: bool


# --- The table ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a log."""

    match_id: str  # hex, drawn at random for each match; the same on every terminal
    setup: Setup
    names: tuple[str, ...] = ()  # by seat; may be shorter than the seats
    by: Seats | None = None  # whose view it records; None: complete
    position: str = ""  # canonical text of the initial position, if not the game's own
    extra: tuple[str, ...] = ()  # further header lines, kept unchanged

    def begin(self) -> Match:
        """Return the match before its first step.

        Raises:
            BadNotation, BadSetup: `position` is invalid, or of another set-up.
        """
        if not self.position:
            return Match.begin(self.setup, self.by)
        game, position = parse_position(self.position, {self.setup.game.ID: self.setup.game})
        if Setup.of(game, *game.setup_of(position)) != self.setup:
            raise BadSetup("the position does not belong to these seats and options")
        return Match.begin(self.setup, self.by, position)


@dataclass(frozen=True, slots=True)
class Table:
    """A match, its current players, and an end other than by the rules."""

    match: Match
    names: tuple[str, ...] = ()  # by seat
    end: End | None = None

    @property
    def is_over(self) -> bool:
        return self.end is not None or self.match.outcome is not None


def outcome_end(match: Match) -> End | None:
    """Return the end of `match` by the rules, None while it is undecided."""
    outcome = match.outcome
    return End("outcome", outcome.winners, outcome.reason) if outcome else None


def after(table: Table, event: Event) -> Table:
    """Return the table after an event.

    Raises:
        KumiteError: it is not possible now; its `code` says why.
    """
    match event:
        case Play(actor, step):
            if table.end is not None:
                raise MatchOver("the match was given up", hint="start a rematch")
            return replace(table, match=table.match.play(actor, step))
        case TakeBack(number):
            if not 0 <= number <= table.match.number:
                raise IllegalStep(f"there is no step {number} to go back to")
            return replace(table, match=table.match.back(number), end=None)
        case Resign(seat):
            if table.is_over:
                raise MatchOver("the match is over", hint="start another one")
            return replace(table, end=End("resigned", (seat,)))
        case End():
            if event.kind == "outcome" and event != outcome_end(table.match):
                raise KumiteError(f"the rules do not end the match so: {event.kind} {event.reason}")
            return replace(table, end=event)
        case HandOver(seat, name):
            return replace(table, names=(*table.names[:seat], name, *table.names[seat + 1 :]))
        case Note():
            return table
