"""A match: validates and applies steps, takes them back, branches, and makes views.

A `Match` is a value: `play` returns the next one and leaves this one unchanged, so taking back is
`before`, and a branch is a second `play` on the same match. It plays no step automatically, not
even a forced one; the table or the LAN session does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from kumite.core.codec import digest
from kumite.core.errors import IllegalStep, LocalError, MatchOver, NotToAct
from kumite.core.game import (
    CHANCE,
    HOLE,
    SPECTATOR,
    Actor,
    Game,
    Outcome,
    Packed,
    Seats,
    Setup,
    Step,
)

if TYPE_CHECKING:
    from fractions import Fraction
    from random import Random


FORMAT: Final = 1  # of digests: raised when the hashed data or the method changes


@dataclass(frozen=True, slots=True)
class Played:
    """One step of a match, as the owner of the match saw it."""

    actor: Actor
    step: Step


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A match after `number` steps, as `by` know it (None: complete, nothing hidden).

    `actors` is () when the match is over. `digest` chains everything public so far; `before` is the
    match without its last step (None at the start).
    """

    setup: Setup
    by: Seats | None
    state: Any  # a position of setup.game
    actors: tuple[Actor, ...]
    number: int
    digest: bytes
    last: Played | None
    before: Match | None

    @staticmethod
    def begin(setup: Setup, by: Seats | None = None, position: object | None = None) -> Match:
        """Start a match, from `position` instead of the game's start if given.

        The first digest includes `position`, so matches from different positions never agree by
        chance.
        """
        game = setup.game
        state = game.start(setup.seats, setup.options) if position is None else position
        if by is not None:
            state = game.view(state, by)
        origin: Packed = () if position is None else game.pack(game.view(state, SPECTATOR))
        options = tuple(sorted(setup.options.items()))
        first = digest((FORMAT, game.ID, game.RULES, setup.seats, options, origin))
        return Match(setup, by, state, game.actors(state), 0, first, None, None)

    @property
    def game(self) -> Game[Any]:
        return self.setup.game

    @property
    def outcome(self) -> Outcome | None:
        """The result by the rules, None during the match."""
        return self.game.outcome(self.state)

    def legal(self, actor: Actor) -> tuple[Step, ...]:
        """Return the steps that `actor` may make now, sorted.

        Raises:
            NotToAct: it is not this actor's turn, or the match is over.
            Hidden: the answer depends on another seat's secrets.
        """
        self._check_actor(actor)
        return self.game.legal(self.state, actor)

    def odds(self) -> Mapping[Step, Fraction]:
        """Return the probability of each chance step; {} if chance does not act."""
        return self.game.odds(self.state)

    def draw(self, rng: Random) -> Step:
        """Return a random chance step, distributed by its odds."""
        odds = self.odds()
        steps = sorted(odds)
        return rng.choices(steps, [float(odds[step]) for step in steps])[0]

    def check(self, actor: Actor, step: Step) -> Any:
        """Return the position after one more step, as `by` see it, without a new match.

        Raises:
            MatchOver, NotToAct, IllegalStep, BadNotation: the step cannot be made.
        """
        self._check_actor(actor)
        if self.by is None and HOLE in step:
            raise IllegalStep(
                f"{step} hides something, and this match is complete", hint="give the step in full"
            )
        game = self.game
        state = game.apply(self.state, actor, step)
        if self.by is not None and game.seen(self.state, actor, step, self.by) != step:
            raise IllegalStep(
                f"{step} shows more than the seats of this match may see",
                hint="give the step as they see it, with ? for what is hidden",
            )
        return state

    def play(self, actor: Actor, step: Step) -> Match:
        """Return the match after one more step, written as `by` see it.

        Raises:
            MatchOver, NotToAct, IllegalStep, BadNotation: the step cannot be made.
        """
        game, state = self.game, self.check(actor, step)
        public = game.seen(self.state, actor, step, SPECTATOR)
        number = self.number + 1
        value = (self.digest, number, actor, public, game.pack(game.view(state, SPECTATOR)))
        actors, played = game.actors(state), Played(actor, step)
        return Match(self.setup, self.by, state, actors, number, digest(value), played, self)

    def play_all(self, steps: Iterable[Played]) -> Match:
        match = self
        for played in steps:
            match = match.play(played.actor, played.step)
        return match

    def back(self, number: int) -> Match:
        """Return the match after its first `number` steps."""
        if not 0 <= number <= self.number:
            raise LocalError(f"match of {self.number} steps asked for step {number}")
        match = self
        while match.number > number:
            assert match.before is not None
            match = match.before
        return match

    def line(self) -> tuple[Match, ...]:
        """Return the match after each step, from its start to this one."""
        match: Match | None = self
        found = []
        while match is not None:
            found.append(match)
            match = match.before
        return tuple(reversed(found))

    def steps(self) -> tuple[Played, ...]:
        return tuple(match.last for match in self.line() if match.last is not None)

    def seen_by(self, by: Seats) -> Match:
        """Return the match as `by` have seen it; the digests stay the same."""
        if by == self.by:
            return self
        line = self.line()
        start = line[0]
        view = self.game.view(start.state, by)
        seen = Match(self.setup, by, view, start.actors, 0, start.digest, None, None)
        for before, after in pairwise(line):
            assert after.last is not None
            actor, step = after.last.actor, after.last.step
            seen = seen.play(actor, self.game.seen(before.state, actor, step, by))
        return seen

    def _check_actor(self, actor: Actor) -> None:
        actors = self.actors
        if actor in actors:
            return
        if not actors:
            raise MatchOver("the match is over", hint="take a step back, or start a new match")
        who = "chance" if actor == CHANCE else f"seat {actor}"
        turn = ", ".join("chance" if a == CHANCE else f"seat {a}" for a in actors)
        raise NotToAct(f"it is not {who}'s turn", hint=f"to act: {turn}")


def perft(
    game: Game[Any], state: object, depth: int, watch: Callable[[], object] = lambda: None
) -> tuple[int, ...]:
    """Count the step sequences of length 1 to `depth` from `state`.

    Each distinct chance outcome counts once; of several simultaneous actors the first one acts.
    Returns exactly `depth` numbers, 0 after the end. `watch` is called at every position, and may
    raise.

    Raises:
        Hidden: the answer depends on a hole of the view `state`.
    """
    counts = [0] * depth
    _count(game, state, counts, 0, watch)
    return tuple(counts)


def _count(
    game: Game[Any], state: object, counts: list[int], ply: int, watch: Callable[[], object]
) -> None:
    watch()
    if ply == len(counts):
        return
    actors = game.actors(state)
    if not actors:
        return
    steps = game.legal(state, actors[0])
    counts[ply] += len(steps)
    if ply + 1 < len(counts):  # the last ply needs no positions
        for step in steps:
            _count(game, game.apply(state, actors[0], step), counts, ply + 1, watch)
