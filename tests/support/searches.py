"""What bots find in Kuzushi, for holding compiled loops against plain Python.

python -m tests.support.searches prints it as JSON: whether it was compiled, and what was found.
"""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

from kumite.core import bots
from kumite.core.bots.fast import is_ready
from kumite.core.game import Seat
from kumite.core.games import find
from kumite.tui.bots import kernels
from tests.core.bots.test_bots import position
from tests.support.random_matches import setups, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

SIMULATIONS = 130  # with 60 in the tree, and an exact search for 60
STAGES = (7, 63, 64, 65)  # simulations: about those that compiled loops make together
LATE = 8  # positions of two seats near the end, where it is searched exactly


def positions() -> Iterator[bots.Position]:
    """Yield some positions of a random match of every set-up."""
    for setup in setups(find("kuzushi")):
        line = [match for match in walk(setup, 5).line() if match.actors]
        late = line[-LATE:] if setup.seats == 2 else []
        for match in [*line[:: len(line) // 2], *late]:
            where = position(match, Seat(int(match.actors[0])))
            if len(where.legal) > 1:
                yield where


def found(where: bots.Position) -> list[Any]:
    """Return what two levels choose, what is told at stages, and what chance gives next."""
    told: list[Any] = []
    watch = bots.Watch(STAGES, lambda stage, choice: told.append([stage, said(choice)]))
    bots.grow("strong", where, lambda: Random(2), watch)
    rng = Random(1)
    for level in ("strong", "medium"):
        told.append(said(bots.find(level)(where, rng, bots.Budget(SIMULATIONS))))
    return [*told, rng.random()]


def said(choice: bots.Choice) -> list[Any]:
    """Return a choice as JSON has it; floats stay what they are."""
    lines = [[line.step, line.value, line.share, list(line.plan)] for line in choice.lines]
    return [choice.step, choice.value, lines]


if __name__ == "__main__":
    why_not = kernels.load()
    print(json.dumps([why_not, is_ready(), [found(where) for where in positions()]]))
