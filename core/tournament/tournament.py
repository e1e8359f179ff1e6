"""A tournament as an immutable value: its players, rounds, results and standings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import chain, count
from typing import Final, TypeAlias

from kumite.core.copying import put
from kumite.core.errors import BadSetup
from kumite.core.players import shown_name

SWISS, ROBIN = "swiss", "robin"
FEWEST: Final = 3  # players
MOST: Final = 32
MOST_ROUNDS: Final = 16  # the most Swiss rounds that can be requested


class Result(IntEnum):
    """The result of a pairing."""

    OPEN = 0
    FIRST = 1  # the player in the first seat won
    SECOND = 2
    DRAW = 3
    NEITHER = 4  # not played, without either player forfeiting


WIN: Final = 2  # half points
POINTS: Final = {  # half points of both players
    Result.OPEN: (0, 0),
    Result.FIRST: (WIN, 0),
    Result.SECOND: (0, WIN),
    Result.DRAW: (1, 1),
    Result.NEITHER: (0, 0),
}


@dataclass(frozen=True, slots=True)
class Player:
    """A player, identified by their index in the list."""

    name: str
    is_in: bool = True  # whether they are paired in future rounds

    @property
    def shown(self) -> str:
        return shown_name(self.name)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players, by number; without a second one, the first has a bye."""

    first: int
    second: int | None
    result: Result = Result.OPEN
    is_played: bool = True  # otherwise a player was absent, and it counts as a bye

    @property
    def is_match(self) -> bool:
        """True if the two players actually play."""
        return self.second is not None and self.is_played

    @property
    def is_open(self) -> bool:
        return self.result is Result.OPEN

    def has(self, player: int) -> bool:
        return player in (self.first, self.second)

    def other(self, player: int) -> int | None:
        """Return the player's opponent, or None for a bye."""
        return self.second if player == self.first else self.first

    def points(self, player: int) -> int:
        """Return the player's score, in half points."""
        return POINTS[self.result][player != self.first]


Round: TypeAlias = tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Tournament:
    """Players in order of registration, and the rounds so far; the last may still be running."""

    system: str = SWISS
    length: int = 0  # rounds; 0 to derive it from the number of players
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()

    @property
    def is_running(self) -> bool:
        return bool(self.rounds) and any(one.is_open for one in self.rounds[-1])

    @property
    def is_over(self) -> bool:
        """True if all rounds have been played."""
        return bool(self.rounds) and not self.is_running and len(self.rounds) >= self.planned

    @property
    def takes_players(self) -> bool:
        is_closed = self.is_over or (self.system == ROBIN and bool(self.rounds))
        return len(self.players) < MOST and not is_closed

    @property
    def present(self) -> tuple[int, ...]:
        """Return the players who are paired in future rounds."""
        return tuple(number for number, one in enumerate(self.players) if one.is_in)

    @property
    def planned(self) -> int:
        """Return the planned number of rounds.

        Swiss: unless a length is given, enough for a single player with a perfect score. It is
        never more than half the number of players, so that everybody can always get a new opponent
        (Dirac's theorem). Round robin: until everybody has met everybody.
        """
        size = len(self.players)
        even = size + size % 2
        if self.system == ROBIN:
            return max(0, even - 1)
        return min(self.length or (max(2, size) - 1).bit_length(), even // 2)

    def pairings_of(self, player: int) -> list[Pairing]:
        return [one for pairings in self.rounds for one in pairings if one.has(player)]

    def has_met(self, one: int, other: int | None) -> int:
        """Return how often two players have met; with None, how often one has had a bye."""
        return sum(
            pairing.other(one) == other if pairing.is_played else other is None
            for pairing in self.pairings_of(one)
        )

    def seats(self, player: int) -> tuple[int, ...]:
        """Return 1 for each match a player had the first seat in, and -1 for each other."""
        return tuple(
            1 if one.first == player else -1 for one in self.pairings_of(player) if one.is_match
        )

    def points(self, player: int) -> int:
        """Return a player's score, in half points."""
        return sum(one.points(player) for one in self.pairings_of(player))

    def pairing_of(self, player: int) -> int | None:
        """Return the index of a player's pairing in the current round, or None."""
        if not self.rounds:
            return None
        return next((at for at, one in enumerate(self.rounds[-1]) if one.has(player)), None)

    # --- Changes ------------------------------------------------------------------------------

    def with_player(self, name: str) -> Tournament:
        """Return it with another player, under a unique name; BadSetup if none can come in."""
        if len(self.players) >= MOST:
            raise BadSetup(f"a tournament has places for {MOST}", hint="ask the organiser")
        if self.is_over:
            raise BadSetup("this tournament is over", hint="begin another one")
        if self.system == ROBIN and self.rounds:
            raise BadSetup("a round robin that has begun takes nobody in", hint="ask the organiser")
        return replace(self, players=(*self.players, Player(self._free_name(name or "somebody"))))

    def _free_name(self, name: str) -> str:
        taken = {one.name for one in self.players}
        others = (f"{name[:20]} {number}" for number in count(2))
        return next(free for free in chain((name,), others) if free not in taken)

    def with_presence(self, player: int, is_in: bool) -> Tournament:
        who = replace(self.players[player], is_in=is_in)
        return replace(self, players=put(self.players, player, who))

    def with_round(self, pairings: Round) -> Tournament:
        return replace(self, rounds=(*self.rounds, pairings))

    def with_result(self, place: int, result: Result) -> Tournament:
        """Return it with a result of this round, or raise BadSetup if there is no such match."""
        this = self.rounds[-1] if self.rounds else ()
        if not 0 <= place < len(this) or not this[place].is_match:
            raise BadSetup("this round has no such match", hint="choose one of the list")
        decided = replace(this[place], result=result)
        return replace(self, rounds=(*self.rounds[:-1], put(this, place, decided)))


# --- Standings ------------------------------------------------------------------------------------
#
# Ties are broken as in FIDE's Handbook C.07. Swiss: by Buchholz (the sum of the opponents' points),
# then by Sonneborn-Berger (the points of beaten opponents plus half those of drawn ones). Round
# robin: by Sonneborn-Berger, then by wins. An unplayed round that scored a point counts as played
# against an opponent with the player's own points (article 16.4).


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the standings."""

    place: int  # from 1; players who remain tied share a place
    player: int
    points: int  # half points
    buchholz: int  # half points
    sonneborn: int  # quarter points
    wins: int


def standings(t: Tournament) -> tuple[Row, ...]:
    """Return the standings, best player first."""
    points = [t.points(player) for player in range(len(t.players))]
    rows, worth = [_row(t, player, points) for player in range(len(t.players))], _worth(t)
    worths = sorted(map(worth, rows))
    placed = (replace(row, place=worths.index(worth(row)) + 1) for row in rows)
    return tuple(sorted(placed, key=lambda row: row.place))


def _worth(t: Tournament) -> Callable[[Row], tuple[int, ...]]:
    """Return the sort key of rows, better rows being smaller."""
    if t.system == ROBIN:
        return lambda row: (-row.points, -row.sonneborn, -row.wins)
    return lambda row: (-row.points, -row.buchholz, -row.sonneborn)


def _row(t: Tournament, player: int, points: list[int]) -> Row:
    buchholz = sonneborn = wins = 0
    for one in t.pairings_of(player):
        if one.is_open:
            continue
        mine, other = one.points(player), one.other(player)
        theirs = points[other if one.is_match and other is not None else player]
        buchholz += theirs
        sonneborn += theirs * mine
        wins += mine == WIN and one.is_match
    return Row(0, player, points[player], buchholz, sonneborn, wins)


def half(points: int) -> str:
    """Format half points: `2½`."""
    return f"{points // 2 or '' if points % 2 else points // 2}{'½' * (points % 2)}"


def quarter(points: int) -> str:
    """Format quarter points: `4.25`."""
    return f"{points / 4:g}"
