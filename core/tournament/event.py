"""A tournament as a value: its players, its rounds, and what came of each pairing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final, TypeAlias, TypeVar

from kumite.core.errors import BadSetup

T = TypeVar("T")

SWISS, ROBIN = "swiss", "robin"
FEWEST: Final = 3  # players
MOST: Final = 32
MOST_ROUNDS: Final = 16  # Swiss ones that can be asked for


class Result(IntEnum):
    """What came of a pairing."""

    OPEN = 0
    FIRST = 1  # the player with the first seat has won
    SECOND = 2
    DRAW = 3
    NEITHER = 4  # not played, and nobody's fault alone


WIN: Final = 2
"""What a win counts, in half points."""
POINTS: Final = {
    Result.OPEN: (0, 0),
    Result.FIRST: (WIN, 0),
    Result.SECOND: (0, WIN),
    Result.DRAW: (1, 1),
    Result.NEITHER: (0, 0),
}
"""Half points of both."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who takes part; known by their place in the list."""

    name: str
    is_in: bool = True  # whether they are paired in rounds to come


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two players who meet, by number; without a second one, the first has a bye."""

    first: int
    second: int | None
    result: Result = Result.OPEN
    is_played: bool = True  # else one of them was not there, and it counts as a bye

    @property
    def is_match(self) -> bool:
        """Whether two players sit down for it."""
        return self.second is not None and self.is_played

    @property
    def is_open(self) -> bool:
        """Whether it still has to be decided."""
        return self.result is Result.OPEN

    def has(self, player: int) -> bool:
        """Return whether a player is one of the two."""
        return player in (self.first, self.second)

    def other(self, player: int) -> int | None:
        """Return whom a player meets; None of a bye."""
        return self.second if player == self.first else self.first

    def points(self, player: int) -> int:
        """Return what it brings a player, in half points."""
        return POINTS[self.result][player != self.first]


Round: TypeAlias = tuple[Pairing, ...]


@dataclass(frozen=True, slots=True)
class Tournament:
    """Its players in the order in which they came, and its rounds so far, the last may go on."""

    system: str = SWISS
    length: int = 0  # rounds; 0: as many as so many players need
    players: tuple[Player, ...] = ()
    rounds: tuple[Round, ...] = ()

    @property
    def is_running(self) -> bool:
        """Whether a round is being played."""
        return bool(self.rounds) and any(one.is_open for one in self.rounds[-1])

    @property
    def is_over(self) -> bool:
        """Whether all rounds have been played."""
        return bool(self.rounds) and not self.is_running and len(self.rounds) >= self.planned

    @property
    def present(self) -> tuple[int, ...]:
        """Return the players that take part in rounds to come."""
        return tuple(number for number, one in enumerate(self.players) if one.is_in)

    @property
    def planned(self) -> int:
        """Return how many rounds there are.

        Swiss: enough for one player to win all of theirs and nobody else, unless told otherwise,
        and never more than half as many as there are players: with those, everybody can meet
        somebody new (Dirac's theorem). Round robin: until everybody has met everybody.
        """
        count = len(self.players)
        even = count + count % 2
        if self.system == ROBIN:
            return max(0, even - 1)
        return min(self.length or (max(2, count) - 1).bit_length(), even // 2)

    def has_met(self, one: int, other: int | None) -> int:
        """Return how often two have met; with None, how often one has had a bye."""
        return sum(
            pairing.other(one) == other if pairing.is_played else other is None
            for pairings in self.rounds
            for pairing in pairings
            if pairing.has(one)
        )

    def seats(self, player: int) -> tuple[int, ...]:
        """Return 1 for each match in which a player had the first seat, -1 for each other."""
        return tuple(
            1 if pairing.first == player else -1
            for pairings in self.rounds
            for pairing in pairings
            if pairing.is_match and pairing.has(player)
        )

    def points(self, player: int) -> int:
        """Return what a player has, in half points."""
        return sum(
            pairing.points(player)
            for pairings in self.rounds
            for pairing in pairings
            if pairing.has(player)
        )

    def pairing_of(self, player: int) -> int | None:
        """Return the place in this round of a player's pairing, None without one."""
        if not self.rounds:
            return None
        return next((at for at, one in enumerate(self.rounds[-1]) if one.has(player)), None)

    # --- what changes -------------------------------------------------------------------------

    def with_player(self, name: str) -> Tournament:
        """Return it with one player more, under a name that nobody else has.

        Raises:
            BadSetup: there is no place left.
        """
        if len(self.players) >= MOST:
            raise BadSetup(f"a tournament has places for {MOST}", hint="ask the organiser")
        if self.system == ROBIN and self.rounds:
            raise BadSetup("a round robin that has begun takes nobody in", hint="ask the organiser")
        return replace(self, players=(*self.players, Player(self._free_name(name or "somebody"))))

    def _free_name(self, name: str) -> str:
        taken = {one.name for one in self.players}
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name[:20]} {number}"
        return free

    def with_presence(self, player: int, is_in: bool) -> Tournament:
        """Return it with a player who takes part in rounds to come, or does not any longer."""
        who = replace(self.players[player], is_in=is_in)
        return replace(self, players=_put(self.players, player, who))

    def with_round(self, pairings: Round) -> Tournament:
        """Return it with its next round."""
        return replace(self, rounds=(*self.rounds, pairings))

    def with_result(self, place: int, result: Result) -> Tournament:
        """Return it with the result of a match of this round.

        Raises:
            BadSetup: there is no such match.
        """
        this = self.rounds[-1] if self.rounds else ()
        if not 0 <= place < len(this) or not this[place].is_match:
            raise BadSetup("this round has no such match", hint="choose one of the list")
        decided = replace(this[place], result=result)
        return replace(self, rounds=(*self.rounds[:-1], _put(this, place, decided)))


def _put(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])
