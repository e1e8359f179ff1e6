"""Bots for Kuzushi: kernel.py has playouts, the search and exact endings; model.py decides.

They import core.bots.base, core.bots.search and the game. Begin with `think` in model.py.
"""

from typing import Final

from kumite.core.bots.chances import Fit, Measured

MEASURED: Final = Measured(
    steps=(186, 161, 123, 150, 108, 147, 143),
    fits={2: Fit(1.65, -0.44), 4: Fit(1.25, -0.46)},
    flatter={2: (12000, 0.12)},
)
