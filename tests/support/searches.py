"""What bots find in four games, for holding compiled loops against plain Python.

python -m tests.support.searches prints it as JSON: whether it was compiled, and what was found.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from kumite.core import bots
from kumite.core.bots.base import Compiler
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.bots import kernels
from tests.core.bots.test_bots import position
from tests.support.random_matches import setups, walk

SIMULATIONS = {
    "kitsu": 700,
    "kitsune": 300,
    "kumo": 700,
    "kuzushi": 130,
}  # in Kuzushi 60 in the tree, and 60 exact ones
STAGES = (7, 63, 64, 65)  # simulations: about those that compiled loops make together
LATE = 8  # positions of two seats near the end, where it is searched exactly


def positions() -> Iterator[bots.Position]:
    """Yield positions of these games with something to choose."""
    turns = (*kitsu_positions(), *kumo_positions())
    for where in (*kuzushi_positions(), *turns, *kitsune_positions()):
        if len(where.legal) > 1:
            yield where


def kuzushi_positions() -> Iterator[bots.Position]:
    """Yield some positions of a random match of every set-up."""
    for setup in setups(find("kuzushi")):
        line = [match for match in walk(setup, 5).line() if match.actors]
        late = line[-LATE:] if setup.seats == 2 else []
        for match in [*line[:: len(line) // 2], *late]:
            yield asked(match)


def kitsu_positions() -> Iterator[bots.Position]:
    """Yield positions of a random match and of one between bots, of every set-up."""
    for setup in setups(find("kitsu")):
        yield from turn_positions(setup, 8)


def kumo_positions() -> Iterator[bots.Position]:
    """Yield the same of those set-ups that change what is legal."""
    for seats in (2, 4):
        for block in ("turn", "hold"):
            yield from turn_positions(Setup.of(find("kumo"), seats, {"block": block}), 16)


def turn_positions(setup: Setup, every: int) -> Iterator[bots.Position]:
    """Yield one of `every` positions of a random match, and the first of one between bots."""
    for match in walk(setup, 5, longest=240).line()[::every]:
        if match.actors:
            yield asked(match)
    match, rng = Match.begin(setup), Random(6)
    for _ in range(60):
        where = asked(match)
        yield where
        match = match.play(where.seat, bots.find("medium:50")(where, rng, bots.Budget()).step)
        if not match.actors:
            break


def kitsune_positions() -> Iterator[bots.Position]:
    """Yield positions of a random match of every set-up; of several who act, the first is asked."""
    for setup in setups(find("kitsune")):
        for match in walk(setup, 5).line()[::30]:
            if match.actors and match.actors != (CHANCE,):
                yield asked(match)


def asked(match: Match[Any]) -> bots.Position:
    return position(match, Seat(int(match.actors[0])))


def found(where: bots.Position) -> list[Any]:
    """Return what two levels choose, what is told at stages, and what chance gives next."""
    told: list[Any] = []
    watch = bots.Watch(STAGES, lambda stage, choice: told.append([stage, said(choice)]))
    bots.grow("strong", where, lambda: Random(2), watch)
    rng = Random(1)
    for level in ("strong", "medium", "easy"):
        budget = bots.Budget(SIMULATIONS[where.game.ID])
        told.append(said(bots.find(level)(where, rng, budget)))
    return [*told, rng.random()]


def said(choice: bots.Choice) -> list[Any]:
    """Return a choice as JSON has it; floats stay what they are."""
    lines = [[line.step, line.value, line.share, list(line.plan)] for line in choice.lines]
    return [choice.step, choice.value, lines]


if __name__ == "__main__":
    why_not = kernels.load()
    print(json.dumps([why_not, sorted(Compiler.models), [found(where) for where in positions()]]))
