"""Find puzzles in matches: positions with exactly one best step, with proof.

`PUZZLES` in the module `puzzles` of a game's folder in tui/games says how; games without it have no
puzzles. All are for two players, and rely on no estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final, Protocol

from kumite.core import bots
from kumite.core.game import Seat, Step
from kumite.core.games import NAMES
from kumite.core.lazy_modules import Modules
from kumite.core.match import Match
from kumite.tui.puzzles.model import HARDEST, HOLD, Puzzle, puzzle

if TYPE_CHECKING:

    class Module(Protocol):
        """The module `puzzles` of a game."""

        PUZZLES: Puzzles


LEVELS: Final = range(1, HARDEST)  # of bots that try the puzzle
TRIES: Final = 3  # per level
MOST_STEPS: Final = 40  # of a defending turn, which need not be the shortest
THOUGHT: Final = 3000  # simulations per step, at most


@dataclass(frozen=True, slots=True)
class Puzzles:
    """How the puzzles of a game are found and worded."""

    finders: Mapping[str, Callable[[Match], Iterator[Puzzle]]]  # by goal
    tasks: Mapping[str, str]  # by goal; `{other}` is the name of the other player
    known: Callable[[Puzzle, Sequence[str]], str] | None = None  # additional information
    against: Callable[[Puzzle, Step, Sequence[str]], str] | None = None
    """The proved refutation of a wrong step; without it, a bot is asked."""
    difficulty: Callable[[Puzzle], int] | None = None
    """1 to HARDEST; without it, bots try the puzzle."""
    mirrored: Callable[[str], Iterable[str]] = lambda answer: (answer,)
    """Return an answer, its steps joined by spaces, in all the ways in which a board may lie."""


MODULES: Final[Mapping[str, Module]] = Modules("kumite.tui.games", "puzzles", NAMES)


def puzzles_of(game_id: str) -> Puzzles:
    """Return how the puzzles of a game are found and worded; raise KeyError if it has none."""
    return MODULES[game_id].PUZZLES


def task(one: Puzzle, names: Sequence[str]) -> str:
    ways = puzzles_of(one.game.ID)
    said = f"You are {names[one.seat]}. {ways.tasks[one.goal].format(other=names[1 - one.seat])}"
    if ways.known:
        said += f" {ways.known(one, names)}"
    if one.goal == HOLD and len(one.answer) == 1:
        said += " One step does it."
    return said


def found_in(match: Match) -> Iterator[Puzzle]:
    """Yield the puzzles of a match, with the weakest level that solves each."""
    if match.setup.seats == 2 and match.by is None and match.game.ID in MODULES:
        for finder in puzzles_of(match.game.ID).finders.values():
            for one in finder(match):
                yield measured(one)


def puzzle_of(match: Match, goal: str, way: Sequence[Step]) -> Puzzle:
    """Return the puzzle of a match's position, at the highest difficulty until measured."""
    return puzzle(match.game, match.state, goal, way, HARDEST)


# --- Difficulty -------------------------------------------------------------------------------


def measured(one: Puzzle) -> Puzzle:
    """Count the levels that miss the answer: the weakest that finds it may do so by chance."""
    if (reader := puzzles_of(one.game.ID).difficulty) is not None:
        level = reader(one)
    else:
        tries = [(level, Random(f"{one.id} {n}")) for level in LEVELS for n in range(TRIES)]
        level = HARDEST - round(sum(_finds(level, one, rng) for level, rng in tries) / TRIES)
    return puzzle(one.game, one.start.state, one.goal, one.answer, level)


def _finds(level: int, one: Puzzle, rng: Random) -> bool:
    """Return True if a level reaches the goal, step by step, from its seat's view."""
    match, game, name = one.start, one.game, str(level)
    thought = min(THOUGHT, bots.usual(name, game.ID)) or None
    for _ in range(MOST_STEPS) if one.goal == HOLD else one.answer:
        match = match.play(one.seat, choose(match, one.seat, name, thought, rng))
        if one.is_solved(match):
            return True
        if match.actors != (one.seat,):
            return False
    return False


def choose(match: Match, seat: Seat, name: str, thought: int | None, rng: Random) -> Step:
    return bots.find(name)(bots.Position.of(match, seat), rng, bots.Budget(thought)).step
