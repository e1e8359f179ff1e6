"""The records from which a terminal can resume a match and prove what happened in it; pure.

They are kept in this order: `Credentials`, the host's tickets, `MatchStart`, then all others.
net/transport/journal.py writes them to a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from kumite.core.game import Seat
    from kumite.net.replica.ledger import Own
    from kumite.net.replica.roster import Roster
    from kumite.net.wire.messages import Stop
    from kumite.net.wire.posts import Play, Post


@dataclass(frozen=True, slots=True)
class Credentials:
    """The data with which this terminal returns to a table.

    `ticket` is its number at the table, and `key` proves its identity. The file of each match
    begins with a record of this kind, which holds the seed of the match.
    """

    table_id: str  # the id of the first match at this table
    match_id: str
    ticket: int  # 0 for the host
    key: bytes  # b"" for the host
    seed: bytes
    is_open: bool
    name: str = ""
    seats: tuple[Seat, ...] = ()  # none for a spectator
    has_watchers: bool = True  # host: whether spectators are allowed


@dataclass(frozen=True, slots=True)
class MatchStart:
    """The beginning of a match; `me` is our number in the roster, None for a spectator."""

    roster: Roster
    me: int | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """The right of a terminal to return by proving that it has this key (host's file).

    `terminal` is None for a spectator.
    """

    number: int
    terminal: int | None
    key: bytes
    name: str = ""  # of a spectator; the roster has the players' names


@dataclass(frozen=True, slots=True)
class Secret:
    """A hidden choice made here, kept before it is sent."""

    play: Play
    own: Own


@dataclass(frozen=True, slots=True)
class Later:
    """A post that comes after lost ones; it counts once others have returned those."""

    place: int  # in the match's list, from 1
    post: Post


@dataclass(frozen=True, slots=True)
class Evidence:
    """A refused post, whose signature proves that a terminal cheated."""

    post: Post


@dataclass(frozen=True, slots=True)
class Claim:
    """Another terminal's signed reason for stopping the match; it proves nothing else."""

    stop: Stop


Record: TypeAlias = "Credentials | Ticket | MatchStart | Secret | Post | Later | Evidence | Claim"
