"""Bots for Kiri-ai, which is solved: book.py has the first rounds, table.py the values after them.

model.py has the levels, solved.py the solution of a position, habits.py a model of the opponent's
habits. They import core and the standard library. The data files kiriai.book and kiriai.table are
made by tools/solve_kiriai.py. Begin with model.py, then solved.py and table.py.
"""

from typing import Final

from kumite.core.bots.chances import Fit, Measured

MEASURED: Final = Measured(
    steps=(89, 132, 70, 70, 17, 70, 44),
    fits={2: Fit(0.82, 0.57)},  # if the opponent's special is hidden
)
