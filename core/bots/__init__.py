"""Bots: functions `bot(position, rng, budget) -> Choice` that choose a step from a seat's view.

base.py has the types, levels.py the bots by name (register a new one there), simple.py two bots
that work for any game, search/ the searches, and fast.py the helpers for compiled loops. Knowledge
about a game is in its folder `bot`, whose module `model` the levels call. This package imports only
core and the standard library. Begin with base.py, then core/games/kuzushi/bot.
"""

from kumite.core.bots.base import UNSURE as UNSURE
from kumite.core.bots.base import Bot as Bot
from kumite.core.bots.base import BotModel as BotModel
from kumite.core.bots.base import Budget as Budget
from kumite.core.bots.base import Choice as Choice
from kumite.core.bots.base import Line as Line
from kumite.core.bots.base import Position as Position
from kumite.core.bots.base import Watch as Watch
from kumite.core.bots.base import best_of as best_of
from kumite.core.bots.base import never as never
from kumite.core.bots.levels import BOTS as BOTS
from kumite.core.bots.levels import LEVELS as LEVELS
from kumite.core.bots.levels import LISTED as LISTED
from kumite.core.bots.levels import MODELS as MODELS
from kumite.core.bots.levels import find as find
from kumite.core.bots.levels import grow as grow
from kumite.core.bots.levels import is_bot as is_bot
from kumite.core.bots.levels import is_timed as is_timed
from kumite.core.bots.levels import mixes as mixes
from kumite.core.bots.levels import model_of as model_of
from kumite.core.bots.levels import parts_of as parts_of
from kumite.core.bots.levels import usual as usual
