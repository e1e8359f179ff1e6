"""A player's results and ratings, computed from the saved matches and stored nowhere.

A match counts if exactly one seat has one of the player's names, it was decided, nobody took back
or used a bot, and it is not a branch. Deleting a log removes its match.

Ratings are Glicko-2 per game: each match is a rating period, each opponent in it a result. Bots
have the ratings that the arena measured; human opponents have a fixed one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Final, NamedTuple

from kumite.core.bots.anchors import ANCHORS
from kumite.core.bots.levels import LEVELS, LISTED
from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.core.players import BOT, is_person
from kumite.core.rating import Rating, Result, aged, rated
from kumite.core.results import score
from kumite.store.library import Kept

A_DAY: Final = 86_400  # s
HUMAN: Final = Rating(1500, 200)  # any human opponent
LONGEST: Final = 6 * 3600  # s; a longer match was interrupted

# Reasons why a match does not count.
UNFINISHED: Final = "unfinished"
UNDECIDED: Final = "undecided"  # ended without a result
HELPED: Final = "helped"
BRANCHED: Final = "branched"
DAMAGED: Final = "damaged"
ALONE: Final = "alone"  # several seats have the player's names
NOBODY: Final = "nobody"  # a finished match of people without the player's names


class Played(NamedTuple):
    """A counted match, from the player's seat."""

    kept: Kept
    setup: Setup
    seat: Seat
    names: tuple[str, ...]  # by seat
    won: frozenset[Seat]

    @property
    def others(self) -> tuple[Seat, ...]:
        mine = self.setup.side_of(self.seat)
        seats = map(Seat, range(self.setup.seats))
        return tuple(seat for seat in seats if self.setup.side_of(seat) != mine)

    @property
    def points(self) -> float:
        """1 for a win, 0 for a loss, a fraction if several have won."""
        if not self.won:
            return 0.5
        sides = {self.setup.side_of(seat) for seat in self.won}
        return (self.seat in self.won) / len(sides)

    @property
    def opening(self) -> str:
        """The player's first turn in the game's notation; empty if unknown."""
        steps: list[str] = []
        for line in self.kept.first.split("\n"):
            actor, _, step = line.partition(" ")
            if actor == str(self.seat):
                steps.append(step)
            elif steps:
                break
        return " ".join(steps)

    def seconds(self, begun: datetime) -> float:
        """Return the duration, from `begun` to the file's last change."""
        took = self.kept.changed / 1e9 - begun.timestamp()
        return min(max(took, 0.0), LONGEST)


@dataclass(slots=True)
class Tally:
    """Numbers of matches by result, with points and time."""

    won: int = 0
    shared: int = 0
    lost: int = 0
    points: float = 0.0
    seconds: float = 0.0

    @property
    def matches(self) -> int:
        return self.won + self.shared + self.lost

    def add(self, points: float, seconds: float) -> None:
        self.won += points == 1
        self.lost += points == 0
        self.shared += 0 < points < 1
        self.points += points
        self.seconds += seconds


class Rated(NamedTuple):
    """A rating after a match."""

    when: datetime
    rating: Rating


@dataclass(slots=True)
class Course:
    """A player's results in one game."""

    all: Tally = field(default_factory=Tally)
    opponents: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    seats: dict[int, Tally] = field(default_factory=lambda: defaultdict(Tally))
    openings: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    ratings: list[Rated] = field(default_factory=list)
    streak: int = 0  # wins in a row now; losses below 0
    longest: int = 0  # wins in a row

    @property
    def rating(self) -> Rating:
        return self.ratings[-1].rating if self.ratings else Rating()

    def add(self, played: Played) -> None:
        """Count a match, which is later than all before it."""
        when, others = played.kept.when, played.others
        anchors = ANCHORS.get(played.kept.game, {})
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
            Result(anchors.get(name, HUMAN), score(played.setup, played.won, played.seat, other))
            for name, other in zip(names, others, strict=True)
        ]
        self.ratings.append(Rated(when, rated(self._rating_at(when), results)))

    def _rating_at(self, when: datetime) -> Rating:
        """Return the rating before a match, aged by the days without one."""
        if not self.ratings:
            return Rating()
        last, before = self.ratings[-1]
        return aged(before, (when - last).total_seconds() / A_DAY)


class Record(NamedTuple):
    """A player's results by game, and the numbers of matches that do not count, by reason."""

    courses: dict[str, Course]
    left_out: Counter[str]
    helped: dict[str, Course]  # matches with help: decided, but not rated


def whole_record(kept: Iterable[Kept], names: Iterable[str]) -> Record:
    """Return a player's record."""
    mine = frozenset(name.casefold() for name in names if name)
    courses: dict[str, Course] = defaultdict(Course)
    helped: dict[str, Course] = defaultdict(Course)
    others: Counter[str] = Counter()
    seen: set[tuple[object, ...]] = set()
    # A log's name begins with its start time.
    for one in sorted(kept, key=lambda one: one.name):
        players = one.names.casefold().split("\n")
        seats = [Seat(seat) for seat, name in enumerate(players) if name in mine]
        is_of_people = bool(one.won) and any(map(is_person, one.names.split("\n")))
        is_empty = one.is_unfinished and not one.is_begun
        if one.game not in GAMES or not (seats or is_of_people) or is_empty:
            continue
        why = _why_left_out(one, seats)
        match = (one.game, one.match_id, one.names, one.number, one.first, why)
        # `kumite open --save` may save the same match twice
        if match in seen:
            continue
        seen.add(match)
        if why:
            others[why] += 1
        into = {"": courses, HELPED: helped}.get(why)
        if into is not None and (played := _played(one, seats[0])) is not None:
            into[one.game].add(played)
    return Record(dict(courses), others, dict(helped))


def _why_left_out(kept: Kept, mine: Sequence[Seat]) -> str:
    """Return the reason why a match does not count, empty if it does."""
    if len(mine) != 1:
        return ALONE if mine else NOBODY
    if kept.damage:
        return DAMAGED
    if not kept.won:
        return UNFINISHED if kept.is_unfinished else UNDECIDED
    return BRANCHED if kept.branched else HELPED if kept.is_helped else ""


def _played(kept: Kept, mine: Seat) -> Played | None:
    """Return a match from the player's seat; None if its game has no such number of seats."""
    names = tuple(kept.names.split("\n"))
    won = () if kept.won == "-" else tuple(Seat(int(seat)) for seat in kept.won.split(","))
    setup = _setup(kept.game, len(names))
    return Played(kept, setup, mine, names, frozenset(won)) if setup else None


@cache
def _setup(game_id: str, seats: int) -> Setup | None:
    """Return any setup with this many seats; the sides depend only on the number."""
    game = GAMES[game_id]
    return Setup.of(game, seats) if seats in game.SEATS else None


def _opponent(name: str) -> str:
    """Return the name under which matches are counted: of a bot's level, without its time."""
    if not name.startswith(BOT):
        return name
    level = name.removeprefix(BOT).partition(":")[0]
    return BOT + (LISTED[int(level) - 1] if level in LEVELS else level)
