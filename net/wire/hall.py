"""What an organiser and the players of a tournament say to each other: kinds of messages.py.

player                        organiser
                        ←     Welcome           what is played
Enter (name)            →
                        ←     Hall              to all, after every change
HallTable (where)       →                       the first of a pair has opened their table
                        ←     HallTable         to the second of them
Reported (result)       →                       both
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadData
from kumite.core.tournament.event import MOST, Result
from kumite.net.wire import fields
from kumite.net.wire.fields import each, many, number

if TYPE_CHECKING:
    from kumite.core.game import Value

MAX_ROUNDS: Final = MOST - 1
MAX_ADDRESSES: Final = 8
MAX_ADDRESS: Final = 64
NOBODY: Final = -1

WAITS, STANDS, TOLD, DISPUTED, DECIDED = range(5)
"""How a pairing of this round stands: no table yet, a table, one has told a result, two different
ones, over."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """Organiser: this is the tournament."""

    program: str
    hall_id: str
    name: str
    game: str
    rules: int
    options: tuple[tuple[str, Value], ...]
    clock: tuple[int, ...]
    system: str


@dataclass(frozen=True, slots=True)
class Enter:
    """Player: I take part."""

    name: str


@dataclass(frozen=True, slots=True)
class Hall:
    """Organiser: all that there is to see; which player you are, how many rounds are wished for.

    Players: name, whether they take part in rounds to come, whether they are here. Rounds:
    pairings of first and second player, result, and whether they met. States: of the last round.
    """

    me: int
    length: int
    players: tuple[tuple[str, int, int], ...]
    rounds: tuple[tuple[tuple[int, int, int, int], ...], ...]
    states: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table of this round is open there; from its host, and to who plays against them."""

    round: int
    place: int
    port: int
    addresses: tuple[str, ...]
    code: str


@dataclass(frozen=True, slots=True)
class Reported:
    """Player: our match of this round ended so; the digest is that of its last position."""

    round: int
    place: int
    match_id: str
    result: int
    steps: int
    digest: bytes


def clock(value: object) -> tuple[int, ...]:
    """Check for a clock, or none."""
    found = many(number(0, 1_000_000), 3)(value)
    if len(found) not in (0, 3):
        raise BadData("a clock has three numbers")
    return found


flag = number(0, 1)
player = number(0, MOST - 1)
pairing = each(player, number(NOBODY, MOST - 1), number(0, max(Result)), flag)
pairings = many(pairing, MOST)
place = number(0, MOST - 1)
round_ = number(0, MAX_ROUNDS - 1)
port = number(1, 65535)
addresses = many(fields.token(MAX_ADDRESS), MAX_ADDRESSES)

WELCOME: Final = (
    fields.word,
    fields.match_id,
    fields.name,
    fields.word,
    fields.index,
    fields.options,
    clock,
    fields.word,
)
HALL: Final = (
    player,
    number(0, MAX_ROUNDS),
    many(each(fields.name, flag, flag), MOST),
    many(pairings, MAX_ROUNDS),
    many(number(WAITS, DECIDED), MOST),
)
TABLE: Final = (round_, place, port, addresses, fields.word)
REPORTED: Final = (
    round_,
    place,
    fields.match_id,
    number(Result.FIRST, Result.DRAW),
    fields.index,
    fields.digest,
)
