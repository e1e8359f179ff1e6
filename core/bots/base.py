"""What a bot is asked, what it answers and how long it may think; and what a game gives for it.

Nothing here knows a game, a level or a search: all of them are made of these types.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from kumite.core.game import Game, Seat, Step
    from kumite.core.match import Played


UNSURE: Final = 0.01  # what is left to doubt where nothing is proven
BEST: Final = inf  # of `Skill.sharp`: it chooses the best step


@dataclass(frozen=True, slots=True)
class Position:
    """What a bot is asked about: its view, and how it came about."""

    game: Game[Any]
    view: Any
    seat: Seat
    seen: Sequence[Played]  # the steps so far as this seat saw them
    legal: tuple[Step, ...]  # what it may play, never empty


@dataclass(frozen=True, slots=True)
class Line:
    """A step that was thought about: how good it is, and how much of the search it got."""

    step: Step
    value: float  # the chance of the seat to act to win; 1 and 0 only if that is certain
    share: float  # of the visits; where a mixture is played, its probability
    plan: tuple[Step, ...] = ()  # the rest of the turn, this step first, if it wins in it


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot would play, what it expects, and the steps it compared, the best first."""

    step: Step
    value: float | None = None  # as in Line; None: it has no opinion
    lines: tuple[Line, ...] = ()
    left: float | None = None  # of who may leave the solution: what chance it gives up at most

    @property
    def plan(self) -> tuple[Step, ...]:
        """Return the rest of the turn if it wins the match, the step first; else ()."""
        return next((line.plan for line in self.lines if line.step == self.step), ())


def chance(score: float) -> float:
    """Return an expected score as a chance to win: what is not proven is never certain."""
    return min(1 - UNSURE, max(UNSURE, score))


def noticed(position: Position, rng: Random, missed: Callable[[Step], float]) -> Position:
    """Return the position with those steps alone that somebody sees who overlooks some.

    `missed` says how likely a step is overlooked; at least one is seen.
    """
    seen = tuple([step for step in position.legal if rng.random() >= missed(step)])
    return replace(position, legal=seen or (rng.choice(position.legal),))


def best_of(lines: Sequence[Line]) -> Choice:
    """Return the choice of the best line."""
    return Choice(lines[0].step, lines[0].value, tuple(lines))


def never() -> bool:
    """Say that nothing interrupts."""
    return False


class Watch:
    """Reports what a search has found so far, at one stage after another.

    A search that can show its lines says how (`Budget.show`) and goes on from stage to stage. One
    that cannot is ended at each stage, and `grow` begins it anew for the next.
    """

    def __init__(
        self,
        stages: Iterable[float],
        tell: Callable[[float, Choice], None],
        clock: Callable[[], float] | None = None,
        begun: float | None = None,
    ) -> None:
        """Report at `stages`: seconds of `clock` since `begun`, or simulations without a clock."""
        self.stages = deque(stages)  # to come, ascending
        self.tell = tell
        self._clock = clock
        self._begun = begun
        self._lines: Callable[[], Sequence[Line]] | None = None
        self._has_cut = False  # whether the search was ended here, and not by itself

    def begin(self) -> None:
        """Note that a search begins."""
        if self._begun is None and self._clock is not None:
            self._begun = self._clock()
        self._lines, self._has_cut = None, False

    def end(self, choice: Choice) -> None:
        """Report how a search ended; one that ended by itself would find nothing more."""
        self.tell(self.stages.popleft(), choice)
        if not self._has_cut:
            self.stages.clear()
        self._begun = None

    def show(self, lines: Callable[[], Sequence[Line]]) -> None:
        """Keep how to ask the running search for its lines."""
        self._lines = lines

    def is_over(self, done: int) -> bool:
        """Report if a stage is reached; return whether the search is to end."""
        so_far = done if self._clock is None else self._clock() - (self._begun or 0.0)
        if so_far < self.stages[0]:
            return False
        if self._lines is None or len(self.stages) == 1:
            self._has_cut = True
            return True
        stage, lines = self.stages.popleft(), self._lines()
        if lines:
            self.tell(stage, best_of(lines))
        return False

    def spare(self, done: int, most: int) -> int:
        """Return how many may be done, so many at most, before a stage that counts them."""
        return most if self._clock is not None else min(most, ceil(self.stages[0] - done))


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: a number of simulations, or until the caller stops it.

    A simulation is one playout, or one position that is valued; every bot asks before each. With
    neither, a level takes its usual number of simulations.
    """

    simulations: int | None = None
    stop: Callable[[], bool] = never
    watch: Watch | None = None

    def is_spent(self, done: int) -> bool:
        """Return whether no more may be done after `done` simulations."""
        return (
            (self.simulations is not None and done >= self.simulations)
            or self.stop()
            or (self.watch is not None and self.watch.is_over(done))
        )

    def spare(self, done: int, most: int) -> int:
        """Return how many more may be done before it is asked again, so many at most; 0: none."""
        if self.is_spent(done):
            return 0
        if self.simulations is not None:
            most = min(most, self.simulations - done)
        return most if self.watch is None else self.watch.spare(done, most)

    def show(self, lines: Callable[[], Sequence[Line]]) -> None:
        """Tell whoever watches how to ask for the lines found so far."""
        if self.watch is not None:
            self.watch.show(lines)


@dataclass(frozen=True, slots=True)
class Skill:
    """What a level makes of a game: how long it thinks, and how often it does not look so far."""

    simulations: int = 0  # of a thought, if the caller names no number; 0: it only glances
    lapses: float = 0.0  # how often it sees no more than a beginner does
    slips: float = 0.0  # of the other times, how often it trusts a glance although it could think
    sharp: float = BEST  # it draws steps by this power of how much they were looked at
    learner: Callable[[Position, Random, Budget], Choice | None] | None = None
    """What it chooses by instead of `think`: it learns from the steps of the match."""


class Bot(Protocol):
    """A player that is a program."""

    def __call__(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return one of `position.legal`; the same for the same `rng` and simulations."""


class BotModel(Protocol):
    """How a game is thought about; the module `model` in its folder satisfies it."""

    @property
    def LEVELS(self) -> Sequence[Skill]:
        """The eight levels, from the weakest on; the last one's simulations take near 1 s."""

    @property
    def MIXES(self) -> bool:
        """Whether its lines are a lottery to draw a step from, not a ranking (`Line.share`)."""

    def beginner(self, position: Position, rng: Random) -> Choice:
        """Choose as children do: take what is to be taken, of what one sees (`noticed`)."""

    def easy(self, position: Position, rng: Random) -> Choice:
        """Choose at a glance, in a moment that needs no budget."""

    def think(self, position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
        """Return the steps compared, the best first; interrupted before it began: ()."""
