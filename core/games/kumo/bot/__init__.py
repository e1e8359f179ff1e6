"""Bots for Kumo Hogosha: kernel.py has the rules on arrays, model.py the levels.

value.py evaluates positions for the search in core/bots/search/, and estimates the distance to a
win within the turn. They import core.bots.base, core.bots.search and the game. Begin with model.py.
"""

from typing import Final

from kumite.core.bots.chances import Fit, Measured

MEASURED: Final = Measured(steps=(176, 134, 338, 512, 315, 359, 352), fits={2: Fit(0.25, -0.09)})
