"""What a terminal keeps of a match to go on from it after anything, and to prove how it went; pure.

In the order in which they are kept: first `Credentials`, then the host's tickets, then `MatchStart`
and all that follows it. As bytes they are in net/transport/journal.py.
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
    seats: tuple[Seat, ...] = ()  # none of a watcher
    has_watchers: bool = True  # host: whether somebody may look on


@dataclass(frozen=True, slots=True)
class MatchStart:
    """The match begins; `me` is our number in the roster, None of a watcher."""

    roster: Roster
    me: int | None


@dataclass(frozen=True, slots=True)
class Ticket:
    """The host lets a terminal come back that proves to have this key (None: a watcher)."""

    number: int
    terminal: int | None
    key: bytes
    name: str = ""  # of who looks on; a player's stands in the roster


@dataclass(frozen=True, slots=True)
class Secret:
    """A hidden choice made here, before it goes out."""

    play: Play
    own: Own


@dataclass(frozen=True, slots=True)
class Later:
    """A post behind others that are lost here: it counts when others have given those back."""

    place: int  # in the match's list, from 1
    post: Post


@dataclass(frozen=True, slots=True)
class Evidence:
    """A signed post that was refused: with it, it came to light that somebody has played false."""

    post: Post


@dataclass(frozen=True, slots=True)
class Claim:
    """What another terminal has said of why the match stops, signed by it; it proves no more."""

    stop: Stop


Record: TypeAlias = "Credentials | Ticket | MatchStart | Secret | Post | Later | Evidence | Claim"
