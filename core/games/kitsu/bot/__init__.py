"""Bots for Kitsu!: kernel.py has the rules on arrays and the evaluation, model.py the levels.

They import core.bots.base, core.bots.search and the game. Begin with `value` in kernel.py.
"""

from typing import Final

from kumite.core.bots.chances import Fit, Measured

MEASURED: Final = Measured(steps=(119, 177, 171, 146, 127, 123, 147), fits={2: Fit(0.84, 0.28)})
