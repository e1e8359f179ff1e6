"""The bots by name, and the eight levels: what each of them makes of a position.

`easy`, `medium` and `strong` are names of the levels 2, 5 and 8; `strong:500` is a level with a
number of simulations. `random` and `simple` know no game. The levels ask the module `model` in the
game's folder, and a game without one is searched by its own rules (docs/bots.md tells more).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from kumite.core.bots.base import BEST, Budget, Choice, Skill, best_of, never
from kumite.core.bots.simple import at_random, one_step_ahead
from kumite.core.errors import BadSetup
from kumite.core.games import NAMES
from kumite.core.registry import Modules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

    from kumite.core.bots.base import Bot, BotModel, Line, Position, Watch
    from kumite.core.bots.kiriai import model as kiriai
    from kumite.core.bots.kitsu import model as kitsu
    from kumite.core.bots.kitsune import model as kitsune
    from kumite.core.bots.kumo import model as kumo
    from kumite.core.bots.kuzushi import model as kuzushi
    from kumite.core.game import Game

MODELS: Final[Mapping[str, BotModel]] = Modules("kumite.core.bots", "model", NAMES)
SKILLS: Final = (  # of a game without a model
    *(Skill(), Skill(), Skill(100, slips=2 / 3, sharp=3), Skill(100, slips=1 / 3, sharp=3)),
    *(Skill(100, sharp=3), Skill(270), Skill(740), Skill(2000)),
)
if TYPE_CHECKING:  # the type checker holds each module against the interface
    _CHECKED: tuple[BotModel, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)


def mixes(game: Game[Any]) -> bool:
    """Return whether a game's lines are a mixture to draw a step from, not a ranking."""
    model = MODELS.get(game.ID)
    return model is not None and model.MIXES


@dataclass(frozen=True, slots=True)
class Level:
    """One of the eight; how well it plays a game is in the game's model (`Skill`)."""

    number: int

    @property
    def thinks(self) -> bool:
        """Whether it thinks, in each game and at least now and then; the others only glance."""
        return self.number > GLANCING

    def skill(self, game_id: str) -> Skill:
        """Return what it makes of a game."""
        model = MODELS.get(game_id)
        return (model.LEVELS if model else SKILLS)[self.number - 1]

    def choose(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return one of the legal steps; with only one there is nothing to look at."""
        if len(position.legal) == 1:
            return Choice(position.legal[0])
        skill, model = self.skill(position.game.ID), MODELS.get(position.game.ID)
        if model and skill.lapses and rng.random() < skill.lapses:
            return model.beginner(position, rng)
        if not skill.simulations or (skill.slips and rng.random() < skill.slips):
            return self.glance(position, rng, budget)
        if skill.learner:
            choice = skill.learner(position, rng, self.budget(position, budget))
            return choice or self.glance(position, rng, budget)
        lines = _lines(position, rng, self.budget(position, budget))
        if not lines:
            return self.glance(position, rng, budget)
        if skill.sharp == BEST:
            return best_of(lines)
        (line,) = rng.choices(lines, [line.share**skill.sharp for line in lines])
        return Choice(line.step, line.value, tuple(lines))

    def glance(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return what looks best at once."""
        model = MODELS.get(position.game.ID)
        return model.easy(position, rng) if model else one_step_ahead(position, rng, budget)

    def budget(self, position: Position, budget: Budget) -> Budget:
        """Return the budget that it thinks with: a number of simulations that was named stands.

        If none was, it takes its usual number; only the last level goes on until it is stopped.
        """
        is_open = budget.stop is never and budget.watch is None
        if budget.simulations is None and (is_open or self is not LEVELS[TIMED]):
            return replace(budget, simulations=self.skill(position.game.ID).simulations)
        return budget


TIMED: Final = "8"  # the one level that thinks until it is stopped
GLANCING: Final = 2  # so many levels, the first ones, never think
LEVELS: Final[Mapping[str, Level]] = {str(number): Level(number) for number in range(1, 9)}
NAMED: Final[Mapping[str, str]] = {"easy": "2", "medium": "5", "strong": "8"}
LISTED: Final = ("1", "easy", "3", "4", "medium", "6", "7", "strong")
"""The levels as they are offered, from the weakest on, each by one name."""
BOTS: Final[Mapping[str, Bot]] = {
    "random": at_random,
    "simple": one_step_ahead,
    **{name: level.choose for name, level in LEVELS.items()},
    **{name: LEVELS[level].choose for name, level in NAMED.items()},
}


def _lines(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Let the game's model think; a game without one is searched by its own rules."""
    game = position.game
    if len(position.legal) == 1:
        return ()
    if game.ID in MODELS:
        return MODELS[game.ID].think(position, rng, budget)
    if game.SECRETS is None:
        from kumite.core.bots.search import plain  # late: no table of a known game needs it

        return plain.think(position, rng, budget)
    return ()


def usual(name: str, game_id: str) -> int:
    """Return how many simulations a bot takes if the caller names no number; 0: none."""
    level, simulations = parts_of(name)
    return simulations or (LEVELS[level].skill(game_id).simulations if level in LEVELS else 0)


def is_timed(name: str) -> bool:
    """Return whether a bot thinks until it is stopped; the others take so many simulations."""
    return NAMED.get(name, name) == TIMED


def grow(
    name: str,
    position: Position,
    new_rng: Callable[[], Random],
    watch: Watch,
    stop: Callable[[], bool] = never,
) -> None:
    """Think until the last stage of `watch`, or until `stop`; `watch` reports at each stage.

    What it reports after N simulations is what that bot would choose with a budget of N.
    """
    while watch.stages:
        watch.begin()
        choice = find(name)(position, new_rng(), Budget(None, stop, watch))
        if stop():
            return
        watch.end(choice)


def parts_of(name: str) -> tuple[str, int | None]:
    """Return the number of a level, or a bot's name, and the simulations that its name says.

    Raises:
        BadSetup: there is no such bot.
    """
    bot, colon, number = name.partition(":")
    if bot not in BOTS:
        raise BadSetup(f"no bot {name!r}", hint=f"bots: {', '.join((*LISTED, 'random'))}")
    level = NAMED.get(bot, bot)
    if not colon:
        return level, None
    is_number = number.isascii() and number.isdecimal() and 0 < len(number) < 10
    if level not in LEVELS or not LEVELS[level].thinks or not is_number or not int(number):
        raise BadSetup(
            f"no bot {name!r}", hint="medium:100 or strong:500 sets the simulations of a step"
        )
    return level, int(number)


def is_bot(name: str) -> bool:
    """Return whether there is a bot of that name."""
    try:
        parts_of(name)
    except BadSetup:
        return False
    return True


def find(name: str) -> Bot:
    """Return the bot of that name, `strong:500` with so many simulations for each step.

    Raises:
        BadSetup: there is none; the hint lists them.
    """
    _, simulations = parts_of(name)
    bot = BOTS[name.partition(":")[0]]
    if simulations is None:
        return bot

    def limited(position: Position, rng: Random, budget: Budget) -> Choice:
        return bot(position, rng, replace(budget, simulations=budget.simulations or simulations))

    return limited
