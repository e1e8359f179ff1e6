"""The interface of bots: what they are given, what they return, and what a game's model provides.

Nothing here depends on a game, a level or a search.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, inf
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from kumite.core.codec import digest
from kumite.core.game import Game, Seat, Step

if TYPE_CHECKING:
    from random import Random

    from kumite.core.match import Match, Played


UNSURE: Final = 0.01  # margin that keeps unproven chances away from 0 and 1
BEST: Final = inf  # `Skill.sharp` of a level that always chooses the best step
PLAYED: Final = "played"  # of `BotModel.MISSED`: what the steps so far have revealed


@dataclass(frozen=True, slots=True)
class Position:
    """The input of a bot: the view of its seat, the steps it has seen and its legal steps."""

    game: Game[Any]
    view: Any
    seat: Seat
    seen: Sequence[Played]  # the steps so far as this seat saw them
    legal: tuple[Step, ...]  # never empty

    @classmethod
    def of(cls, match: Match, seat: Seat) -> Position:
        """Return the present position of a match as a seat knows it."""
        seen = match.seen_by(frozenset({seat}))
        return cls(match.game, seen.state, seat, seen.steps(), seen.legal(seat))


@dataclass(frozen=True, slots=True)
class Line:
    """A candidate step with its value and its share of the search."""

    step: Step
    value: float  # win probability of the seat to act; 1 and 0 only if proven
    share: float  # of the visits, or the probability if a mixed strategy is played
    plan: tuple[Step, ...] = ()  # the rest of the turn from here on, if it wins


@dataclass(frozen=True, slots=True)
class Choice:
    """The step that a bot chooses, its value, and the candidates it compared, best first."""

    step: Step
    value: float | None = None  # as in Line; None if the bot has no opinion
    lines: tuple[Line, ...] = ()
    left: float | None = None  # the most win probability lost to deviation from the solution
    looked: int = field(default=0, compare=False)  # simulations if time cut them short; 0: all

    @property
    def plan(self) -> tuple[Step, ...]:
        """Return the rest of the turn, this step first, if it wins the match; else ()."""
        return next((line.plan for line in self.lines if line.step == self.step), ())


def chance(score: float) -> float:
    """Convert an expected score to a win probability, clamped away from 0 and 1."""
    return min(1 - UNSURE, max(UNSURE, score))


def drawn_for(position: Position, what: str) -> float:
    """Return a number from 0 to 1, always the same for the same position and `what`."""
    value = (position.game.pack(position.view), int(position.seat), what)
    return int.from_bytes(digest(value)[:4], "big") / 2**32


def noticed(position: Position, model: BotModel, share: float) -> Position:
    """Return the position without the steps whose kind is overlooked there.

    Each kind is overlooked with the probability `share * model.MISSED[kind]`. What is overlooked
    with a small share is with a larger one, too. If that is everything, nothing is overlooked.
    """
    missed = model.MISSED
    kinds = {kind for kind in missed if drawn_for(position, kind) < share * missed[kind]}
    legal = tuple([step for step in position.legal if model.kind(position, step) not in kinds])
    seen = () if PLAYED in kinds else position.seen
    return replace(position, legal=legal or position.legal, seen=seen)


def best_of(lines: Sequence[Line]) -> Choice:
    return Choice(lines[0].step, lines[0].value, tuple(lines))


def never() -> bool:
    return False


class Watch:
    """Reports the intermediate results of a search at a series of stages.

    A search that registers its lines with `Budget.show` runs on through all stages. A search that
    does not is stopped at each stage, and `grow` restarts it for the next one.
    """

    def __init__(
        self,
        stages: Iterable[float],
        tell: Callable[[float, Choice], None],
        clock: Callable[[], float] | None = None,
        begun: float | None = None,
    ) -> None:
        """Report at `stages`: seconds of `clock` since `begun`, or else simulations."""
        self.stages = deque(stages)  # the remaining stages, ascending
        self.tell = tell
        self._clock = clock
        self._begun = begun
        self._lines: Callable[[], Sequence[Line]] | None = None
        self._has_cut = False  # whether this watch stopped the search

    def begin(self) -> None:
        if self._begun is None and self._clock is not None:
            self._begun = self._clock()
        self._lines, self._has_cut = None, False

    def end(self, choice: Choice) -> None:
        """Report the final choice; drop the remaining stages if the search is complete."""
        self.tell(self.stages.popleft(), choice)
        if not self._has_cut:
            self.stages.clear()
        self._begun = None

    def show(self, lines: Callable[[], Sequence[Line]]) -> None:
        self._lines = lines

    def is_over(self, done: int) -> bool:
        """Report if a stage has been reached; return whether the search must stop."""
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
        """Return how many of `most` simulations may run before the next stage."""
        return most if self._clock is not None else min(most, ceil(self.stages[0] - done))


@dataclass(frozen=True, slots=True)
class Budget:
    """A bot's limit: a number of simulations, a stop signal, or both.

    A simulation is one playout or one evaluated position; bots check the budget before each. With
    neither limit, a level uses its default number of simulations.
    """

    simulations: int | None = None
    stop: Callable[[], bool] = never
    watch: Watch | None = None

    def is_spent(self, done: int) -> bool:
        """Return whether the search must stop after `done` simulations."""
        return (
            (self.simulations is not None and done >= self.simulations)
            or self.stop()
            or (self.watch is not None and self.watch.is_over(done))
        )

    def spare(self, done: int, most: int) -> int:
        """Return how many simulations, at most `most`, may run before the next check; 0 to stop."""
        if self.is_spent(done):
            return 0
        if self.simulations is not None:
            most = min(most, self.simulations - done)
        return most if self.watch is None else self.watch.spare(done, most)

    def show(self, lines: Callable[[], Sequence[Line]]) -> None:
        if self.watch is not None:
            self.watch.show(lines)


@dataclass(frozen=True, slots=True)
class Skill:
    """The strength of a level in one game: its search effort and its error rates."""

    simulations: int = 0  # per search, unless the caller names a number; 0: no search
    overlooks: float = 0.0  # share of the model's MISSED at which kinds of steps are overlooked
    lapses: float = 0.0  # share of positions in which it plays like a `beginner`
    slips: float = 0.0  # otherwise, share of those judged at a glance, without a search
    sharp: float = BEST  # steps are drawn with probability proportional to share ** sharp
    beginner: Callable[[Position, Random], Choice] | None = None  # takes what can be taken
    learner: Callable[[Position, Random, Budget], Choice | None] | None = None
    """Used instead of `think` by a level that adapts to the steps of the match."""


class Compiler:
    """The compiler to use while users of fast.py are imported again (tui/bots/kernels.py)."""

    compile: ClassVar[Callable[[Any], Any] | None] = None  # returns a faster version of a function
    numpy: ClassVar[Any] = None
    models: ClassVar[dict[str, Any]] = {}  # models with compiled loops, by game


class Bot(Protocol):
    """A player that is a program."""

    def __call__(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return a step of `position.legal`; deterministic for the same `rng` and simulations."""


class BotModel(Protocol):
    """The interface between a game and its bots; the game's `bot/model.py` implements it."""

    @property
    def LEVELS(self) -> Sequence[Skill]:
        """The eight levels, weakest first; the simulations of the last take about 1 s."""

    @property
    def MIXES(self) -> bool:
        """True if `Line.share` is a mixed strategy to draw from, not a ranking."""

    @property
    def MISSED(self) -> Mapping[str, float]:
        """How often the first level overlooks a kind of steps (or PLAYED), by kind."""

    def kind(self, position: Position, step: Step) -> str:
        """Return the kind of a step that is easily overlooked; "" for any other step."""

    def easy(self, position: Position, rng: Random) -> Choice:
        """Choose without a search; fast enough to need no budget."""

    def think(self, position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
        """Return the compared steps, best first; () if stopped before the search began."""
