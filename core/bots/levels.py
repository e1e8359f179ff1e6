"""The bots by name, and the eight levels.

`easy`, `medium` and `strong` are the levels 2, 5 and 8; `strong:500` is a level with a number of
simulations. `random` and `simple` work for any game. Levels use the module `model` in the game's
folder `bot`; a game without one is searched with its own rules. See docs/bots.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from kumite.core.bots.base import (
    BEST,
    Bot,
    BotModel,
    Budget,
    Choice,
    Compiler,
    Line,
    Position,
    Skill,
    Watch,
    best_of,
    drawn_for,
    never,
    noticed,
)
from kumite.core.bots.simple import at_random, one_step_ahead, two_steps_ahead
from kumite.core.errors import BadSetup
from kumite.core.game import Game
from kumite.core.games import NAMES
from kumite.core.lazy_modules import Modules
from kumite.core.plugins import Plugins

if TYPE_CHECKING:
    from random import Random


MODELS: Final[Mapping[str, BotModel]] = Modules("kumite.core.games", "bot.model", NAMES)
SKILLS: Final = (  # for a game without a model
    *(Skill(), Skill(), Skill(100, slips=2 / 3, sharp=3), Skill(100, slips=1 / 3, sharp=3)),
    *(Skill(100, sharp=3), Skill(270), Skill(740), Skill(2000)),
)


def model_of(game_id: str) -> BotModel | None:
    """Return the model of a game, with compiled loops if available; None without a model."""
    return Compiler.models.get(game_id) or MODELS.get(game_id)


def mixes(game: Game[Any]) -> bool:
    model = model_of(game.ID)
    return model is not None and model.MIXES


@dataclass(frozen=True, slots=True)
class Level:
    """One of the eight levels; the game's model defines its strength (`Skill`)."""

    number: int

    @property
    def thinks(self) -> bool:
        """True if the level searches at all; the lower levels choose at a glance."""
        return self.number > GLANCING

    def skill(self, game_id: str) -> Skill:
        model = model_of(game_id)
        return (model.LEVELS if model else SKILLS)[self.number - 1]

    def choose(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return a legal step, without a search if there is only one."""
        if len(position.legal) == 1:
            return Choice(position.legal[0])
        skill, model = self.skill(position.game.ID), model_of(position.game.ID)
        seen = noticed(position, model, skill.overlooks) if model and skill.overlooks else position
        if skill.beginner and drawn_for(position, "beginner") < skill.lapses:
            return skill.beginner(seen, rng)
        if not skill.simulations or (skill.slips and drawn_for(position, "glance") < skill.slips):
            return self.glance(seen, rng, budget)
        if skill.learner:
            choice = skill.learner(position, rng, self.budget(position, budget))
            return choice or self.glance(seen, rng, budget)
        whole = replace(position, seen=seen.seen)  # searches and solutions need all legal steps
        lines = _lines(whole, rng, self.budget(position, budget))
        if skill.overlooks:
            lines = [line for line in lines if line.step in seen.legal]
        if not lines:
            return self.glance(seen, rng, budget)
        weights = [line.share**skill.sharp for line in lines] if skill.sharp != BEST else []
        if not any(weights):  # also if the likely steps are overlooked
            return best_of(lines)
        (line,) = rng.choices(lines, weights)
        return Choice(line.step, line.value, tuple(lines))

    def glance(self, position: Position, rng: Random, budget: Budget) -> Choice:
        model = model_of(position.game.ID)
        if model:
            return model.easy(position, rng)
        look = one_step_ahead if self.number == 1 else two_steps_ahead
        return look(position, rng, budget)

    def budget(self, position: Position, budget: Budget) -> Budget:
        """Return the budget of a search; an explicit number of simulations is kept.

        Otherwise the level uses its default number, except that the last level runs until it is
        stopped.
        """
        is_open = budget.stop is never and budget.watch is None
        if budget.simulations is None and (is_open or self is not LEVELS[TIMED]):
            return replace(budget, simulations=self.skill(position.game.ID).simulations)
        return budget


TIMED: Final = "8"  # the only level that runs until it is stopped
GLANCING: Final = 2  # the first levels, which never search
LEVELS: Final[Mapping[str, Level]] = {str(number): Level(number) for number in range(1, 9)}
NAMED: Final[Mapping[str, str]] = {"easy": "2", "medium": "5", "strong": "8"}
LISTED: Final = ("1", "easy", "3", "4", "medium", "6", "7", "strong")
"""The levels as offered to players, weakest first, each with one name."""
BOTS: Final[Mapping[str, Bot]] = {
    "random": at_random,
    "simple": one_step_ahead,
    **{name: level.choose for name, level in LEVELS.items()},
    **{name: LEVELS[level].choose for name, level in NAMED.items()},
}


def _unfit(name: str, bot: object) -> str:
    """Return why an object is no bot of this name, or ""."""
    if name in BOTS:
        return "kumite has a bot of this name"
    return "" if callable(bot) else "it is no function"


PLUGINS: Final = Plugins["Bot"]("kumite.bots", _unfit)


def _lines(position: Position, rng: Random, budget: Budget) -> Sequence[Line]:
    """Search with the game's model, or with the rules themselves if there is none."""
    game = position.game
    if model := model_of(game.ID):
        return model.think(position, rng, budget)
    if game.SECRETS is None:
        from kumite.core.bots.search import plain  # late: games with a model never need it

        return plain.think(position, rng, budget)
    return ()


def usual(name: str, game_id: str) -> int:
    """Return the default number of simulations of a bot; 0 if it does not search."""
    level, simulations = parts_of(name)
    return simulations or (LEVELS[level].skill(game_id).simulations if level in LEVELS else 0)


def is_timed(name: str) -> bool:
    """Return whether a bot runs until it is stopped instead of counting simulations."""
    return NAMED.get(name, name) == TIMED


def grow(
    name: str,
    position: Position,
    new_rng: Callable[[], Random],
    watch: Watch,
    stop: Callable[[], bool] = never,
) -> None:
    """Search until the last stage of `watch`, or until `stop`; `watch` reports at each stage.

    The report after N simulations is what the bot would choose with a budget of N.
    """
    while watch.stages:
        watch.begin()
        choice = find(name)(position, new_rng(), Budget(None, stop, watch))
        if stop():
            return
        watch.end(choice)


def parts_of(name: str) -> tuple[str, int | None]:
    """Split a bot's name into its level, or other name, and its number of simulations.

    Raises:
        BadSetup: there is no such bot.
    """
    bot, colon, number = name.partition(":")
    if bot not in BOTS and bot not in PLUGINS:
        known = (*LISTED, "random", *PLUGINS)
        raise BadSetup(f"no bot {name!r}", hint=f"bots: {', '.join(known)}")
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
    try:
        parts_of(name)
    except BadSetup:
        return False
    return True


def find(name: str) -> Bot:
    """Return the bot with this name; `strong:500` limits it to 500 simulations for each step.

    Raises:
        BadSetup: there is no such bot; the hint lists the names.
    """
    _, simulations = parts_of(name)
    word = name.partition(":")[0]
    bot = BOTS[word] if word in BOTS else PLUGINS[word]
    if simulations is None:
        return bot

    def limited(position: Position, rng: Random, budget: Budget) -> Choice:
        return bot(position, rng, replace(budget, simulations=budget.simulations or simulations))

    return limited
