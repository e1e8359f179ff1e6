"""Players that are programs, `bot(position, rng, budget) -> Choice`; given a view, none can cheat.

base.py has the types, levels.py the bots by name (register one there), simple.py two that know no
game, search/ the searches, fast.py what can be compiled. A game's own folder has its `model`, which
the levels ask. All of it imports core and the standard library. Begin reading with base.py, then
kuzushi/game.py and model.py.
"""

from kumite.core.bots.base import (
    Bot,
    BotModel,
    Budget,
    Choice,
    Line,
    Position,
    Watch,
    best_of,
    never,
)
from kumite.core.bots.levels import (
    BOTS,
    LEVELS,
    LISTED,
    MODELS,
    find,
    grow,
    is_bot,
    is_timed,
    mixes,
    parts_of,
    usual,
)

__all__ = [
    "BOTS",
    "LEVELS",
    "LISTED",
    "MODELS",
    "Bot",
    "BotModel",
    "Budget",
    "Choice",
    "Line",
    "Position",
    "Watch",
    "best_of",
    "find",
    "grow",
    "is_bot",
    "is_timed",
    "mixes",
    "never",
    "parts_of",
    "usual",
]
