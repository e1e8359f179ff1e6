"""The messages between a tournament's host and its players: kinds of messages.py.

player                        host
                        ←     Welcome           the game and its terms
Enter (name, plays)     →                       who comes too late looks on
                        ←     View              to all, after every change
TableAt (where)         →                       the first of a pair has opened their table
                        ←     TableAt           to the second of the pair
WatchTable (which)      →                       who has no match of their own looks on
                        ←     TableAt           of that table
MatchReport (result)    →                       both
"""

from typing import Annotated, Final, TypeAlias

from kumite.core.errors import BadData
from kumite.core.tournament.tournament import (
    MOST,
    ROBIN,
    SWISS,
    Pairing,
    Player,
    Result,
    Tournament,
)
from kumite.net.wire import fields
from kumite.net.wire.fields import Message, Packs, Shape, many, number, one_of, or_none, truth

MAX_ROUNDS: Final = MOST - 1

WAITS, STANDS, TOLD, DISPUTED, DECIDED = range(5)
"""The state of a pairing of this round: no table yet, table open, one result reported, two
contradictory ones, decided.
"""


player = number(0, MOST - 1)
_result = Packs(int, lambda value: Result(number(0, max(Result))(value)))
_PAIRING: Final = Shape(Pairing, player, or_none(player), _result, truth)
_TOURNAMENT: Final = Shape(
    Tournament,
    one_of(SWISS, ROBIN),
    number(0, MAX_ROUNDS),
    many(Shape(Player, fields.name, truth), MOST),
    many(many(_PAIRING, MOST), MAX_ROUNDS),
)


def _tournament(value: object) -> Tournament:
    t = _TOURNAMENT(value)
    for pairings in t.rounds:
        both = (one for pair in pairings for one in (pair.first, pair.second))
        paired = [one for one in both if one is not None]
        if len(set(paired)) != len(paired) or any(one >= len(t.players) for one in paired):
            raise BadData("a round that pairs a player twice, or an unknown one")
    return t


TOURNAMENT: Final = Packs(_TOURNAMENT.to_tuple, _tournament)
_HERE: Final = fields.set_of(player, MOST)

_states = many(number(WAITS, DECIDED), MOST)

Round: TypeAlias = Annotated[int, number(0, MAX_ROUNDS - 1)]
Place: TypeAlias = Annotated[int, number(0, MOST - 1)]


class Welcome(Message):
    """Host: the terms of the tournament."""

    tournament_id: fields.MatchId
    name: fields.Name
    game: fields.Word
    rules: fields.Index
    options: fields.Options
    clock: fields.ClockOrNone


class Enter(Message):
    """Player or spectator: enter the tournament."""

    name: fields.Name
    plays: fields.Truth


class View(Message):
    """Host: the current state of the tournament."""

    tournament: Annotated[Tournament, TOURNAMENT]
    here: Annotated[frozenset[int], _HERE]  # players that are connected
    states: Annotated[tuple[int, ...], _states]  # of this round's pairings
    me: Annotated[int | None, or_none(player)] = None  # the receiver's; None: host, spectator

    @property
    def round(self) -> int:
        """Return the number of this round, from 0; -1 before the first."""
        return len(self.tournament.rounds) - 1

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Return the pairings of this round; none before the first."""
        return self.tournament.rounds[-1] if self.tournament.rounds else ()

    @property
    def my_place(self) -> int | None:
        """Return the place of our undecided match in this round, None if there is none."""
        place = None if self.me is None else self.tournament.pairing_of(self.me)
        is_over = place is not None and self.states[place] == DECIDED
        return None if is_over else place


class TableAt(Message):
    """An open table of this round; sent by its host, and relayed to the opponent."""

    round: Round
    place: Place
    port: Annotated[int, number(1, 65535)]
    addresses: fields.Addresses
    code: fields.Word


class MatchReport(Message):
    """Player: the result of our match of this round, with the digest of its last position."""

    round: Round
    place: Place
    match_id: fields.MatchId
    result: Annotated[int, number(Result.FIRST, Result.DRAW)]
    steps: fields.Index
    digest: fields.Digest


class WatchTable(Message):
    """Player: where is the table of this pairing? I have no match now, and would watch."""

    round: Round
    place: Place


WELCOME: Final = Shape(Welcome)
KINDS: Final = (Welcome, Enter, View, TableAt, WatchTable, MatchReport)
