"""The bots by name, and the levels: what `easy`, `medium` and `strong` make of a game's model.

`random` and `simple` know no game; the levels ask the module `model` in the game's folder, and a
game without one is searched by its own rules (docs/bots.md tells how each of them thinks).
"""

from __future__ import annotations

from dataclasses import replace
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


def _easy(position: Position, rng: Random, budget: Budget) -> Choice:
    """Choose at a glance; with one legal step there is nothing to look at."""
    if len(position.legal) == 1:
        return Choice(position.legal[0])
    model = MODELS.get(position.game.ID)
    return model.easy(position, rng) if model else one_step_ahead(position, rng, budget)


def _medium(position: Position, rng: Random, budget: Budget) -> Choice:
    """Think a little, then draw a step: the more it was looked at, the likelier."""
    lines = _lines(position, rng, _budget_of("medium", position, budget))
    if not lines:
        return _easy(position, rng, budget)
    weights = [line.share**SHARP for line in lines]
    (line,) = rng.choices(lines, weights)
    return Choice(line.step, line.value, tuple(lines))


def _strong(position: Position, rng: Random, budget: Budget) -> Choice:
    """Think as long as the budget lets it, and choose the best step."""
    lines = _lines(position, rng, _budget_of("strong", position, budget))
    return best_of(lines) if lines else _easy(position, rng, budget)


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


def usual(level: str, game_id: str) -> int:
    """Return how many simulations a level takes if the caller names no number; 0: none."""
    model = MODELS.get(game_id)
    return (model.SIMULATIONS if model else SIMULATIONS).get(level, 0)


def _budget_of(level: str, position: Position, budget: Budget) -> Budget:
    """Return the budget that a level thinks with: a number of simulations that was named stands.

    If none was, a level takes its usual number; only one of `TIMED` goes on until it is stopped.
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
    """Think until the last stage of `watch`, or until `stop`; `watch` reports at each stage.

    What it reports after N simulations is what `level` would choose with a budget of N.
    """
    while watch.stages:
        watch.begin()
        choice = find(level)(position, new_rng(), Budget(None, stop, watch))
        if stop():
            return
        watch.end(choice)


BOTS: Final[Mapping[str, Bot]] = {
    "random": at_random,
    "simple": one_step_ahead,
    "easy": _easy,
    "medium": _medium,
    "strong": _strong,
}
TIMED: Final = frozenset(
    {"strong"}
)  # think until they are stopped; the others take their usual number


def find(name: str) -> Bot:
    """Return the bot of that name.

    Raises:
        BadSetup: there is none; the hint lists them.
    """
    if name not in BOTS:
        raise BadSetup(f"no bot {name!r}", hint=f"bots: {', '.join(BOTS)}")
    return BOTS[name]
