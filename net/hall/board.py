"""What everybody in the hall sees: what is played, who is here, who meets whom, what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadData, BadSetup
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.tournament.event import ROBIN, SWISS, Pairing, Player, Result, Tournament
from kumite.net.wire import hall

if TYPE_CHECKING:
    from kumite.core.game import Value
    from kumite.net.hall.records import HallKept
    from kumite.net.wire.fields import Clock

SEATS: Final = 2
FIRST_TICKET: Final = 1  # a player's ticket, to come back with, is their number and this


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played, and how it is called."""

    name: str
    setup: Setup
    clock: Clock | None

    @staticmethod
    def of(
        name: str,
        game: str,
        rules: int,
        options: tuple[tuple[str, Value], ...],
        clock: tuple[int, ...],
    ) -> Terms:
        """Return the terms that a message or a file says.

        Raises:
            BadSetup: this kumite cannot play them.
        """
        found = find(game)
        if rules != found.RULES:
            raise BadSetup(
                f"{found.TITLE} is played by rules {rules} there, here by {found.RULES}",
                hint="use the same version of kumite",
            )
        base = (clock[0], clock[1], clock[2]) if clock else None
        return Terms(name, Setup.of(found, SEATS, dict(options)), base)


@dataclass(frozen=True, slots=True)
class Board:
    """How the tournament stands."""

    tournament: Tournament
    here: frozenset[int]  # players whose terminals are
    states: tuple[int, ...]  # of the pairings of this round, see net/wire/hall.py
    me: int | None = None  # which player we are; None: the organiser

    @property
    def round(self) -> int:
        """Return the number of this round, from 0; -1 before the first."""
        return len(self.tournament.rounds) - 1

    def has_both(self, pairing: Pairing) -> bool:
        """Return whether all who meet are here."""
        return all(one is None or one in self.here for one in (pairing.first, pairing.second))

    @property
    def my_place(self) -> int | None:
        """Return the place of our match in this round, None without one that is to be decided."""
        place = None if self.me is None else self.tournament.pairing_of(self.me)
        if place is None or self.states[place] == hall.DECIDED:
            return None
        return place


def packed(board: Board) -> hall.Hall:
    """Return a board as a message."""
    t = board.tournament
    return hall.Hall(
        board.me or 0,
        t.length,
        tuple(
            (one.name, int(one.is_in), int(number in board.here))
            for number, one in enumerate(t.players)
        ),
        packed_rounds(t),
        board.states,
    )


def packed_rounds(t: Tournament) -> tuple[tuple[tuple[int, int, int, int], ...], ...]:
    """Return the rounds of a tournament as plain values."""
    return tuple(
        tuple(
            (
                one.first,
                hall.NOBODY if one.second is None else one.second,
                int(one.result),
                int(one.is_played),
            )
            for one in pairings
        )
        for pairings in t.rounds
    )


def unpacked(message: hall.Hall, system: str) -> Board:
    """Return the board of a message.

    Raises:
        BadData: it is none.
    """
    players = tuple((name, is_in) for name, is_in, _ in message.players)
    t = tournament(system, message.length, players, message.rounds)
    here = frozenset(number for number, one in enumerate(message.players) if one[2])
    count = len(t.rounds[-1]) if t.rounds else 0
    if message.me >= len(t.players) or len(message.states) != count:
        raise BadData("a hall that does not fit together")
    return Board(t, here, message.states, message.me)


def kept_tournament(kept: HallKept) -> Tournament:
    """Return the tournament that was kept.

    Raises:
        BadData: it is none.
    """
    players = tuple((name, is_in) for name, is_in, _ in kept.players)
    return tournament(kept.system, kept.length, players, kept.rounds)


def tournament(
    system: str,
    length: int,
    players: tuple[tuple[str, int], ...],
    rounds: tuple[tuple[tuple[int, int, int, int], ...], ...],
) -> Tournament:
    """Return the tournament of plain values.

    Raises:
        BadData: they are none.
    """
    if system not in (SWISS, ROBIN):
        raise BadData("a tournament of no system that is known")
    made = []
    for pairings in rounds:
        seen = [number for first, second, *_ in pairings for number in (first, second)]
        real = [number for number in seen if number != hall.NOBODY]
        if len(set(real)) != len(real) or any(number >= len(players) for number in real):
            raise BadData("a round that pairs somebody twice, or nobody that is known")
        made.append(
            tuple(
                Pairing(first, None if second == hall.NOBODY else second, Result(result), bool(met))
                for first, second, result, met in pairings
            )
        )
    who = tuple(Player(name, bool(is_in)) for name, is_in in players)
    return Tournament(system, length, who, tuple(made))
