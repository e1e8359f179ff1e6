"""What a person has played, and how well: counted from the list of saved matches, kept nowhere.

A match counts if exactly one seat of it has a name of theirs, it was decided, nobody took back or
asked a bot, and it is no branch. Everything is made anew from the logs each time: a log that is
deleted takes its match along.

A rating goes by Glicko-2, by game: a match is a rating period, each opponent in it a result. Bots
stand where the arena has put them; of people nothing is known but that they play.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.players import BOT, is_person
from kumite.core.rating import Rating, Result, aged, rated
from kumite.core.results import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from kumite.store.library import Kept

A_DAY: Final = 86_400  # s; a deviation grows by the days without a match
SOMEBODY: Final = Rating(1500, 200)  # a person of whom only the name is known
LONGEST: Final = 6 * 3600  # s that a match is taken to last at most; a longer one was put aside

# Why a match of one's own does not count.
UNFINISHED: Final = "unfinished"
UNDECIDED: Final = "undecided"  # it has ended, and nobody can say how it went
HELPED: Final = "helped"
BRANCHED: Final = "branched"
DAMAGED: Final = "damaged"
ALONE: Final = "alone"  # several seats have a name of the person's
NOBODY: Final = "nobody"  # people have played it to its end, none of them with such a name


class Played(NamedTuple):
    """A match that counts, from the seat of the person."""

    kept: Kept
    setup: Setup
    seat: Seat
    names: tuple[str, ...]  # by seat
    won: frozenset[Seat]

    @property
    def others(self) -> tuple[Seat, ...]:
        """Return the seats of the other sides."""
        mine = self.setup.side_of(self.seat)
        seats = map(Seat, range(self.setup.seats))
        return tuple(seat for seat in seats if self.setup.side_of(seat) != mine)

    @property
    def points(self) -> float:
        """Return 1 for a win, 0 for a loss, and the share of it where several have won."""
        if not self.won:
            return 0.5
        sides = {self.setup.side_of(seat) for seat in self.won}
        return (self.seat in self.won) / len(sides)

    @property
    def opening(self) -> str:
        """Return the first turn of the person, as the game writes it; empty where it is unknown."""
        steps: list[str] = []
        for line in self.kept.first.split("\n"):
            actor, _, step = line.partition(" ")
            if actor == str(self.seat):
                steps.append(step)
            elif steps:
                break
        return " ".join(steps)

    def seconds(self, begun: datetime) -> float:
        """Return how long it took, from then to its last line, as the file tells."""
        took = self.kept.changed / 1e9 - begun.timestamp()
        return min(max(took, 0.0), LONGEST)


@dataclass(slots=True)
class Tally:
    """Matches, and what came of them."""

    won: int = 0
    shared: int = 0
    lost: int = 0
    points: float = 0.0
    seconds: float = 0.0

    @property
    def matches(self) -> int:
        """Return how many there are."""
        return self.won + self.shared + self.lost

    def add(self, points: float, seconds: float) -> None:
        """Count a match: what it brought, and how long it took."""
        self.won += points == 1
        self.lost += points == 0
        self.shared += 0 < points < 1
        self.points += points
        self.seconds += seconds


class Rated(NamedTuple):
    """A rating as it was after a match."""

    when: datetime
    rating: Rating


@dataclass(slots=True)
class Course:
    """What a person has done in one game."""

    all: Tally = field(default_factory=Tally)
    opponents: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    seats: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    openings: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    ratings: list[Rated] = field(default_factory=list)
    streak: int = 0  # wins in a row now; losses below 0
    longest: int = 0  # wins in a row

    @property
    def rating(self) -> Rating:
        """Return the rating after the last match."""
        return self.ratings[-1].rating if self.ratings else Rating()

    def add(self, played: Played, anchors: Mapping[str, Rating]) -> None:
        """Count a match, which is later than all before it."""
        when, others = played.kept.when, played.others
        points, seconds = played.points, played.seconds(when)
        names = [_opponent(played.names[seat]) for seat in others]
        tallies = [self.all, self.seats[played.seat], *map(self.opponents.__getitem__, {*names})]
        if opening := played.opening:
            tallies.append(self.openings[opening])
        for tally in tallies:
            tally.add(points, seconds)
        step = (points == 1) - (points == 0)
        self.streak = self.streak + step if step * self.streak > 0 else step
        self.longest = max(self.longest, self.streak)
        results = [
            Result(anchors.get(name, SOMEBODY), score(played.setup, played.won, played.seat, other))
            for name, other in zip(names, others, strict=True)
        ]
        self.ratings.append(Rated(when, rated(self._rating_at(when), results)))

    def _rating_at(self, when: datetime) -> Rating:
        """Return the rating before a match: less certain, the longer nothing was played."""
        if not self.ratings:
            return Rating()
        last, before = self.ratings[-1]
        return aged(before, (when - last).total_seconds() / A_DAY)


class Record(NamedTuple):
    """What a person has played, by game, and how many matches of theirs do not count, by why."""

    courses: dict[str, Course]
    left_out: Counter[str]


def record(
    kept: Iterable[Kept], names: Iterable[str], anchors: Mapping[str, Mapping[str, Rating]]
) -> dict[str, Course]:
    """Return by game what the person of these names has played; copies of a match count once.

    `anchors` has the ratings of bots by game, then by name: `bot:easy`.
    """
    return whole_record(kept, names, anchors).courses


def whole_record(
    kept: Iterable[Kept], names: Iterable[str], anchors: Mapping[str, Mapping[str, Rating]]
) -> Record:
    """Return the record, and what is left out of it."""
    mine = frozenset(name.casefold() for name in names if name)
    courses: dict[str, Course] = defaultdict(Course)
    others: Counter[str] = Counter()
    seen: set[tuple[object, ...]] = set()
    # A log's name begins with the time at which its match began.
    for one in sorted(kept, key=lambda one: one.name):
        players = one.names.casefold().split("\n")
        seats = [Seat(seat) for seat, name in enumerate(players) if name in mine]
        if one.game not in GAMES or not (seats or _is_of_people(one)):
            continue
        why = _why_left_out(one, seats)
        match = (one.game, one.match_id, one.names, one.number, one.first, why)
        # `kumite open --save` keeps one that was sent back a second time
        if match in seen:
            continue
        seen.add(match)
        if why:
            others[why] += 1
        elif (played := _played(one, seats[0])) is not None:
            courses[one.game].add(played, anchors.get(one.game, {}))
    return Record(dict(courses), others)


def _is_of_people(kept: Kept) -> bool:
    """Return whether people have played a match to its end."""
    return bool(kept.won) and any(map(is_person, kept.names.split("\n")))


def _why_left_out(kept: Kept, mine: Sequence[Seat]) -> str:
    """Return why a match does not count, empty if it does."""
    if len(mine) != 1:
        return ALONE if mine else NOBODY
    if kept.damage:
        return DAMAGED
    if not kept.won:
        return UNFINISHED if kept.is_unfinished else UNDECIDED
    return BRANCHED if kept.branched else HELPED if kept.is_helped else ""


def _played(kept: Kept, mine: Seat) -> Played | None:
    """Return a match from the seat of the person; None if its game has no such number of seats."""
    names = tuple(kept.names.split("\n"))
    won = () if kept.won == "-" else tuple(Seat(int(seat)) for seat in kept.won.split(","))
    setup = _setup(kept.game, len(names))
    return Played(kept, setup, mine, names, frozenset(won)) if setup else None


@cache
def _setup(game_id: str, seats: int) -> Setup | None:
    """Return a set-up of so many seats; who plays for which side depends on nothing else."""
    game = GAMES[game_id]
    return Setup.of(game, seats) if seats in game.SEATS else None


def _opponent(name: str) -> str:
    """Return a name under which matches are counted: of a bot its level, however long it thinks."""
    return BOT + name.removeprefix(BOT).partition(":")[0] if name.startswith(BOT) else name
