"""Bots for Kitsune: worlds.py samples the hidden cards, model.py searches over the samples.

kernel.py has the rules on arrays and the evaluation. They import core.bots.base, core.bots.search
and the game. Begin with model.py.
"""

from typing import Final

from kumite.core.bots.chances import Fit, Measured

MEASURED: Final = Measured(
    steps=(95, 147, 147, 134, 161, 147, 182), fits={2: Fit(1.04, -0.06), 4: Fit(0.9, -0.14)}
)
