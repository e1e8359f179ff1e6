"""The bots by name, and the eight levels: what each of them makes of a game's model.

`easy`, `medium` and `strong` are names of the levels 2, 5 and 8; `strong:500` is a level with a
number of simulations. `random` and `simple` know no game. The levels ask the module `model` in the
game's folder, and a game without one is searched by its own rules (docs/bots.md tells more).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from kumite.core.bots.base import Budget, Choice, best_of, never
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
SHARP: Final = 3.0  # of `medium`: 1 would play in proportion to the visits
SIMULATIONS: Final = {"medium": 100, "strong": 2000}  # of a game without a model
if TYPE_CHECKING:  # the type checker holds each module against the interface
    _CHECKED: tuple[BotModel, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)


def mixes(game: Game[Any]) -> bool:
    """Return whether a game's lines are a mixture to draw a step from, not a ranking."""
    model = MODELS.get(game.ID)
    return model is not None and model.MIXES


@dataclass(frozen=True, slots=True)
class Level:
    """How well a level plays: how far it looks, how often it does not, what it chooses then."""

    thinks: float | None = None  # from `medium` (0) to `strong` (1), see `usual`; None: a glance
    slips: float = 0.0  # how often it trusts a glance although it could think
    is_beginner: bool = False  # it takes what is to be taken, of what it sees
    is_strict: bool = False  # it chooses the best; else it draws by how much a step was looked at

    def choose(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return one of the legal steps; with only one there is nothing to look at."""
        if len(position.legal) == 1:
            return Choice(position.legal[0])
        if self.thinks is None or (self.slips and rng.random() < self.slips):
            return self.glance(position, rng, budget)
        lines = _lines(position, rng, self.budget(position, budget))
        if not lines:
            return self.glance(position, rng, budget)
        if self.is_strict:
            return best_of(lines)
        (line,) = rng.choices(lines, [line.share**SHARP for line in lines])
        return Choice(line.step, line.value, tuple(lines))

    def glance(self, position: Position, rng: Random, budget: Budget) -> Choice:
        """Return what looks best at once."""
        model = MODELS.get(position.game.ID)
        if model is None:
            return one_step_ahead(position, rng, budget)
        return model.beginner(position, rng) if self.is_beginner else model.easy(position, rng)

    def usual(self, game_id: str) -> int:
        """Return how many simulations it takes if the caller names no number; 0: none."""
        if self.thinks is None:
            return 0
        model = MODELS.get(game_id)
        of = model.SIMULATIONS if model else SIMULATIONS
        few, many = of["medium"], of["strong"]
        return max(1, round(float(few * (many / few) ** self.thinks)))

    def budget(self, position: Position, budget: Budget) -> Budget:
        """Return the budget that it thinks with: a number of simulations that was named stands.

        If none was, it takes its usual number; only the last level goes on until it is stopped.
        """
        is_open = budget.stop is never and budget.watch is None
        if budget.simulations is None and (is_open or self is not LEVELS[TIMED]):
            return replace(budget, simulations=self.usual(position.game.ID))
        return budget


TIMED: Final = "8"  # the one level that thinks until it is stopped
LEVELS: Final[Mapping[str, Level]] = {
    "1": Level(is_beginner=True),
    "2": Level(),
    "3": Level(-1.0, slips=0.5),
    "4": Level(-0.5, slips=0.2),
    "5": Level(0.0),
    "6": Level(1 / 3, is_strict=True),
    "7": Level(2 / 3, is_strict=True),
    TIMED: Level(1.0, is_strict=True),
}
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
    return simulations or (LEVELS[level].usual(game_id) if level in LEVELS else 0)


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
    if level not in LEVELS or LEVELS[level].thinks is None or not is_number or not int(number):
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
