"""Bots: functions `bot(position, rng, budget) -> Choice` that choose a step from a seat's view.

base.py has the types, levels.py the bots by name (register a new one there), simple.py two bots
that work for any game, search/ the searches, and fast.py the helpers for compiled loops. Knowledge
about a game is in its folder `bot`, whose module `model` the levels call. This package imports only
core and the standard library. Begin with base.py, then core/games/kuzushi/bot.
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
    model_of,
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
    "model_of",
    "never",
    "parts_of",
    "usual",
]
