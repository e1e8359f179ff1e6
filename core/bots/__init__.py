"""Players that are programs. A bot is given a view and cannot cheat.

    bot(position, rng, budget) -> Choice

`BOTS` is the only place to register one. `random` and `simple` know no game; `easy`, `medium` and
`strong` ask the game's brain, the module of its name in this folder (docs/bots.md tells how each of
them thinks).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.core.bots import simple
from kumite.core.errors import BadSetup
from kumite.core.games import NAMES
from kumite.core.registry import Modules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from random import Random

    from kumite.core.bots.kiriai import model as kiriai
    from kumite.core.bots.kitsu import model as kitsu
    from kumite.core.bots.kitsune import model as kitsune
    from kumite.core.bots.kumo import model as kumo
    from kumite.core.bots.kuzushi import model as kuzushi
    from kumite.core.game import Game, Seat, Step
    from kumite.core.match import Played


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
    """A step that was thought about: how good it is, and how much of the thought it got."""

    step: Step
    value: float  # expected score of the seat to act: 1 a win, 0 a loss
    share: float  # of the visits; where a mixture is played, its probability


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot would play, what it expects, and the steps it compared, the best first."""

    step: Step
    value: float | None = None  # as in Line; None: it has no opinion
    lines: tuple[Line, ...] = ()


def never() -> bool:
    """Say that nothing interrupts."""
    return False


class Watch:
    """Looks at a thought on its way, at one stage after the other.

    A search that can be looked at says how (`Budget.show`) and goes on from stage to stage. One
    that cannot ends at the next stage: `grow` begins it anew for the one after that.
    """

    def __init__(
        self,
        stages: Iterable[float],
        tell: Callable[[float, Choice], None],
        clock: Callable[[], float] | None = None,
        begun: float | None = None,
    ) -> None:
        """Look after so many seconds of `clock`, from `begun` on; without one, simulations."""
        self.stages = deque(stages)  # to come, each longer than the one before
        self.tell = tell
        self._clock = clock
        self._begun = begun
        self._lines: Callable[[], Sequence[Line]] | None = None
        self._has_cut = False  # the thought: else it ended by itself

    def begin(self) -> None:
        """Begin a thought."""
        if self._begun is None and self._clock is not None:
            self._begun = self._clock()
        self._lines, self._has_cut = None, False

    def end(self, choice: Choice) -> None:
        """Tell what a thought has come to; one that ended by itself would find nothing more."""
        self.tell(self.stages.popleft(), choice)
        if not self._has_cut:
            self.stages.clear()
        self._begun = None

    def show(self, lines: Callable[[], Sequence[Line]]) -> None:
        """Take how a search can be looked at."""
        self._lines = lines

    def is_over(self, done: int) -> bool:
        """Look if it is time to; return whether the thought is to end."""
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


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think: a number of simulations, or until the caller says stop.

    A simulation is one playout, or one position that is valued; every bot asks before each. With
    neither, a level takes its usual number.
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

    def show(self, lines: Callable[[], Sequence[Line]]) -> None:
        """Say how one can see what has been found so far, while the search goes on."""
        if self.watch is not None:
            self.watch.show(lines)


class Bot(Protocol):
    """A player that is a program."""

    def __call__(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return one of `position.legal`; the same for the same `rng` and simulations."""


class BotModel(Protocol):
    """What a game's module here gives: how it is thought about."""

    @property
    def SIMULATIONS(self) -> Mapping[str, int]:
        """The usual simulations of the levels `medium` and `strong` (near 1 s)."""

    @property
    def MIXES(self) -> bool:
        """Whether its lines are a lottery to draw a step from, not a ranking (`Line.share`)."""

    def easy(self, position: Position, rng: Random) -> Choice:
        """Choose at a glance, in a moment that needs no budget."""

    def think(self, position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
        """Return the steps compared, the best first; interrupted before it began: ()."""


MODELS: Final[Mapping[str, BotModel]] = Modules("kumite.core.bots", "model", NAMES)
SHARP: Final = 3.0  # of `medium`: 1 would play in proportion to the visits
SIMULATIONS: Final = {"medium": 100, "strong": 2000}  # of a game without a brain
if TYPE_CHECKING:  # the type checker holds each module against the interface
    _CHECKED: tuple[BotModel, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)


def mixes(game: Game[Any]) -> bool:
    """Return whether a game is played by lot: what is compared is a mixture to draw from."""
    brain = MODELS.get(game.ID)
    return brain is not None and brain.MIXES


def _easy(position: Position, rng: Random, budget: Budget) -> Choice:
    if len(position.legal) == 1:
        return Choice(position.legal[0])
    brain = MODELS.get(position.game.ID)
    return brain.easy(position, rng) if brain else simple.one_step_ahead(position, rng, budget)


def _medium(position: Position, rng: Random, budget: Budget) -> Choice:
    """Think a little, and choose among the steps in proportion to how much each was looked at."""
    lines = _lines(position, rng, _limited(position, budget, "medium"))
    if not lines:
        return _easy(position, rng, budget)
    weights = [line.share**SHARP for line in lines]
    (line,) = rng.choices(lines, weights)
    return Choice(line.step, line.value, tuple(lines))


def _strong(position: Position, rng: Random, budget: Budget) -> Choice:
    lines = _lines(position, rng, _limited(position, budget, "strong"))
    return best_of(lines) if lines else _easy(position, rng, budget)


def best_of(lines: Sequence[Line]) -> Choice:
    """Return the choice of the best line."""
    return Choice(lines[0].step, lines[0].value, tuple(lines))


def _lines(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Let the game's brain think; a game without one is searched by its own rules."""
    game = position.game
    if len(position.legal) == 1:
        return ()
    if game.ID in MODELS:
        return MODELS[game.ID].think(position, rng, budget)
    if game.SECRETS is None:
        from kumite.core.bots.search import plain  # late: no table of a known game needs it

        return plain.think(position, rng, budget)
    return ()


def usual(level: str, game_id: str) -> int:
    """Return the simulations that a level takes if nothing is said; 0: it needs none."""
    brain = MODELS.get(game_id)
    return (brain.SIMULATIONS if brain else SIMULATIONS).get(level, 0)


def _limited(position: Position, budget: Budget, level: str) -> Budget:
    """Return the budget with the level's usual number, where the caller leaves it open.

    `medium` takes no more than that however much time there is, but a number that is given.
    """
    is_open = budget.stop is never and budget.watch is None
    if budget.simulations is None and (is_open or level not in TIMED):
        return replace(budget, simulations=usual(level, position.game.ID))
    return budget


def grow(
    level: str,
    position: Position,
    new_rng: Callable[[], Random],
    watch: Watch,
    stop: Callable[[], bool] = never,
) -> None:
    """Think until the last stage of `watch`, or until `stop`; `watch` tells what was found.

    At a stage of so many simulations that is what `level` would choose with so many.
    """
    while watch.stages:
        watch.begin()
        choice = find(level)(position, new_rng(), Budget(None, stop, watch))
        if stop():
            return
        watch.end(choice)


BOTS: Final[Mapping[str, Bot]] = {
    "random": simple.at_random,
    "simple": simple.one_step_ahead,
    "easy": _easy,
    "medium": _medium,
    "strong": _strong,
}
TIMED: Final = frozenset({"strong"})  # who thinks as long as it may; the others: as much as usual


def find(name: str) -> Bot:
    """Return the bot of that name.

    Raises:
        BadSetup: there is none; the hint lists them.
    """
    if name not in BOTS:
        raise BadSetup(f"no bot {name!r}", hint=f"bots: {', '.join(BOTS)}")
    return BOTS[name]
