"""One match of an arena, which has the same steps on every machine.

The randomness of match n depends only on the seed and n, and for a bot also on its name and seat.
Random openings are the same for all matches of a cycle, so each is played from all seats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from itertools import combinations, permutations
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypeAlias

from kumite.core import bots, log
from kumite.core.errors import BadSetup, KumiteError
from kumite.core.game import CHANCE, Seat, Setup, Step, Value
from kumite.core.games import find
from kumite.core.match import Match
from kumite.core.players import BOT, COMMAND
from kumite.tui.bots import kernels, programs
from kumite.tui.play.local_seats import Follower

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from kumite.tui.bots.service import BotService

Seating: TypeAlias = tuple[int, ...]
"""The bot of each seat, by its index."""
MOST: Final = 12  # bots; with more, a cycle for six seats would have a million matches
FAILED: Final = "failed"  # the reason if a program answered late, illegally or not at all
OPENINGS: Final = 50  # attempts to find an opening that does not end the match


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of an arena, as plain values; its matches depend on nothing else."""

    game: str
    rules: int
    seats: int
    options: tuple[tuple[str, Value], ...]
    bots: tuple[str, ...]
    names: tuple[str, ...]  # as in the results, numbered if a bot plays against itself
    seed: int
    brains: str  # digest of the bots' code, see digest_of_brains
    opening: int = 0  # random steps before the bots start

    @staticmethod
    def of(setup: Setup, names: tuple[str, ...], seed: int, opening: int = 0) -> Plan:
        """Check the bots and return the plan.

        Raises:
            KumiteError: a bot or program does not exist, their number is wrong, or no match lasts
                beyond the opening.
        """
        for name in names:
            find_parts = programs.parts_of if name.startswith(COMMAND) else bots.parts_of
            find_parts(name)
        cycle(setup, len(names))
        options = tuple(sorted(setup.options.items()))
        game, brains = setup.game, digest_of_brains()
        told = _told_apart(programs.called(names)[0])
        plan = Plan(game.ID, game.RULES, setup.seats, options, names, told, seed, brains, opening)
        opened(plan, 0)
        return plan

    @property
    def setup(self) -> Setup:
        return Setup.of(find(self.game), self.seats, dict(self.options))

    def digest(self, number: int | None = None) -> str:
        """Return 16 hex digits that identify this plan or one of its matches."""
        return blake2b(repr((self, number)).encode(), digest_size=8).hexdigest()


def _told_apart(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names, with a number appended to repeated ones."""
    return tuple(
        f"{name} {names[: number + 1].count(name)}" if name in names[:number] else name
        for number, name in enumerate(names)
    )


@cache
def digest_of_brains() -> str:
    """Return a digest of the code and data of all bots and games, which determine the results."""
    digest = blake2b(digest_size=8)
    for package in ("kumite.core.bots", "kumite.core.games"):
        for name, content in sorted(_sources(files(package))):
            digest.update(f"{package}/{name}".encode() + b"\0" + content)
    return digest.hexdigest()


def _sources(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    """Yield the path and content of every file in a folder that affects the matches."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from ((f"{one.name}/{name}", content) for name, content in _sources(one))
        elif one.name.endswith((".py", ".table", ".book")):
            yield one.name, one.read_bytes()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a match; tuples are by seat."""

    number: int
    seating: Seating
    winners: tuple[int, ...]
    reason: str
    steps: int
    digest: str  # of the match, in hex; the same for the same steps
    choices: tuple[int, ...]  # number of unforced steps
    seconds: tuple[float, ...]  # thinking time, the only field that is not reproducible
    why: str = ""  # how a program failed


@dataclass(frozen=True, slots=True)
class Job:
    """A match to play, possibly in another process."""

    plan: Plan
    number: int
    seating: Seating
    has_log: bool = False


def play(job: Job) -> tuple[Result, str]:
    """Play a match; return the result, and the log (empty unless requested).

    Raises:
        KumiteError: the bots on this machine differ from those of the plan.
    """
    plan = job.plan
    if plan.brains != digest_of_brains():
        raise KumiteError(
            "the bots of this machine are not those that began the arena",
            hint="install the same kumite on every machine",
        )
    kernels.load_for(plan.game, plan.bots)
    players = [
        Player(plan.bots[who], Random(f"{plan.bots[who]} {seat} {plan.seed} {job.number}"))
        for seat, who in enumerate(job.seating)
    ]
    try:
        match, failed = _played(opened(plan, job.number), players, job)
    finally:
        for player in players:
            player.close()
    if failed is None:
        assert match.outcome is not None
        winners, reason = tuple(map(int, match.outcome.winners)), match.outcome.reason
    else:
        loser = job.seating[failed.seat]
        winners = tuple(seat for seat, who in enumerate(job.seating) if who != loser)
        reason = FAILED
    result = Result(
        job.number,
        job.seating,
        winners,
        reason,
        match.number,
        match.digest.hex(),
        tuple(player.choices for player in players),
        tuple(round(player.seconds, 4) for player in players),
        failed.why if failed else "",
    )
    return result, _log(job, match, failed) if job.has_log else ""


def opened(plan: Plan, number: int) -> Match:
    """Return the opening position of a match, the same for all matches of a cycle.

    Raises:
        KumiteError: no match lasts that many steps.
    """
    rng = Random(f"opening {plan.seed} {number // len(cycle(plan.setup, len(plan.bots)))}")
    for _ in range(OPENINGS):
        match, left = Match.begin(plan.setup), plan.opening
        while left and (actors := match.actors):
            if actors[0] == CHANCE:
                match = match.play(actors[0], match.draw(rng))
            else:
                match, left = match.play(actors[0], rng.choice(match.legal(actors[0]))), left - 1
        if match.actors:
            return match
    raise KumiteError(
        f"{plan.opening} steps by chance leave no match to play", hint="name fewer with --opening"
    )


@dataclass(frozen=True, slots=True)
class _Failed:
    """The failure of a program, which loses its match."""

    seat: Seat
    why: str


def _played(match: Match, players: list[Player], job: Job) -> tuple[Match, _Failed | None]:
    """Play until the match ends or a program fails."""
    chance = Random(f"chance {job.plan.seed} {job.number}")
    while actors := match.actors:
        actor = actors[0]
        if actor == CHANCE:
            match = match.play(actor, match.draw(chance))
            continue
        try:
            step = players[actor].choose(match, actor)
        except programs.BadAnswer as error:
            return match, _Failed(actor, str(error))
        match = match.play(actor, step)
    return match, None


class Player:
    """A bot in its seat, with its total thinking time."""

    def __init__(self, name: str, rng: Random) -> None:
        """`name`: a level, or `cmd:PROGRAM`."""
        self._name = name
        self._rng, self._follower = rng, Follower()
        self._bots: BotService | None = None
        if name.startswith(COMMAND):
            from kumite.tui.bots.service import BotService  # late: it imports asyncio

            self._bots = BotService()
        self.choices, self.seconds = 0, 0.0

    def close(self) -> None:
        """Terminate the bot's process, if it has one."""
        if self._bots is not None:
            self._bots.close()

    def _think(self, position: bots.Position) -> Step:
        if self._bots is not None:
            return self._bots.now(self._name, position)
        return bots.find(self._name)(position, self._rng, bots.Budget()).step

    def choose(self, match: Match, seat: Seat) -> Step:
        """Return the bot's step; a forced step takes no thinking time.

        Raises:
            BadAnswer: a program failed.
        """
        legal = match.legal(seat)
        if len(legal) == 1:
            return legal[0]
        game, own = match.game, frozenset({seat})
        seen = self._follower.follow(match, own).steps() if game.SECRETS else match.steps()
        position = bots.Position(game, game.view(match.state, own), seat, seen, legal)
        begun = perf_counter()
        step = self._think(position)
        self.seconds += perf_counter() - begun
        self.choices += 1
        return step


def _named(plan: Plan, who: int) -> str:
    """Return a bot's name in logs: `bot:3`, as at a table, since `3` would be a player."""
    bot = plan.bots[who]
    return plan.names[who] if bot.startswith(COMMAND) else f"{BOT}{bot}"


def _log(job: Job, match: Match, failed: _Failed | None) -> str:
    names = tuple(_named(job.plan, who) for who in job.seating)
    header = log.Header(job.plan.digest(job.number), match.setup, names)
    if failed is None:
        return log.log_text(header, match)
    writer, end = log.Writer(), log.End("left", (failed.seat,))
    text = writer.header(header) + writer.steps(match, 0)
    return text + writer.lines(f"note {failed.why}", log.end_text(end))


# --- Who plays whom -------------------------------------------------------------------------------


def cycle(setup: Setup, bots: int) -> list[Seating]:
    """Return a cycle of seatings: every pairing and every order of seats occurs equally often.

    Match n has seating n, modulo the length; partial cycles are balanced, too. Partners
    are played by the same bot. Without teams, the bots at a table get equally many seats, or differ
    by one.

    Raises:
        BadSetup: there are too few or too many bots.
    """
    if bots < 2:
        raise BadSetup(
            "an arena needs two bots at least", hint="kumite arena kuzushi strong medium"
        )
    if bots > MOST:
        raise BadSetup(f"{bots} bots are too many", hint=f"at most {MOST} in one arena")
    places = 2 if setup.game.TEAMS else setup.seats
    found = _pairs(bots) if places == 2 else _tables(bots, places)
    return [tuple(one[seat % places] for seat in range(setup.seats)) for one in found]


def _pairs(bots: int) -> list[Seating]:
    """Return all ordered pairs, each followed by its reverse, with the bots evenly spread."""
    found: list[Seating] = []
    for distance in range(1, bots // 2 + 1):
        for first in range(bots if 2 * distance < bots else distance):
            second = (first + distance) % bots
            found += [(first, second), (second, first)]
    return found


def _tables(bots: int, seats: int) -> list[Seating]:
    """Return all seatings of all tables, grouped by rotation.

    The groups are shuffled deterministically, so that the first matches cover all bots.
    """
    rounds = [one for table in _companies(bots, seats) for one in _rounds(table)]
    Random(f"{bots} {seats}").shuffle(rounds)
    return [seating for one in rounds for seating in one]


def _companies(bots: int, seats: int) -> Iterator[Seating]:
    """Yield the combinations of bots at a table, with the seats shared as evenly as possible."""
    each, more = divmod(seats, bots)
    for some in combinations(range(bots), more):
        yield tuple(sorted([*range(bots)] * each + [*some]))


def _rounds(table: Seating) -> list[list[Seating]]:
    """Return the distinct orders of a table, grouped by rotation."""
    left = dict.fromkeys(permutations(table))
    found = []
    while left:
        first = next(iter(left))
        turned = dict.fromkeys(first[by:] + first[:by] for by in range(len(first)))
        for one in turned:
            del left[one]
        found.append(list(turned))
    return found
