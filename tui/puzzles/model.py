"""What a puzzle is, its line of text, and the shipped ones.

A line is the goal, the difficulty and a match as `kumite open` reads it: it begins at the position
of the puzzle, and its steps are the answer. Lines that begin with # are remarks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Setup
from kumite.core.games import NAMES, find
from kumite.core.log import Header
from kumite.core.log.sharing import BadShared, opened, shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from kumite.core.game import Game, Step
    from kumite.core.match import Match

TURN: Final = "turn"  # win in this turn
HOLD: Final = "hold"  # the only turn after which the other cannot win in the next
FORCE: Final = "force"  # the only step after which the win cannot be taken away
TRICK: Final = "trick"  # the only card after which the round cannot be taken away
DEFEND: Final = "defend"  # the only step after which the other cannot win this round by force
GOALS: Final = {
    TURN: "Win in this turn.",
    HOLD: "Find the only defence.",
    FORCE: "Find the only step that wins by force.",
    TRICK: "Find the only card that wins this round by force.",
    DEFEND: "Find the only defence.",
}
HARDEST: Final = 9  # difficulties are the levels of bots that see it, and this for none
DIFFICULTIES: Final = {2: "easy", 5: "medium", 8: "hard", HARDEST: "very hard"}  # by highest level
TURNS: Final = frozenset({TURN, HOLD})  # what whole turns do, in any order of their steps
FOLDER: Final = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, what is to be done in it, and the steps that do it."""

    id: str  # of its position: the same wherever it comes from
    goal: str
    level: int  # the weakest bot that finds it, 1 to HARDEST
    position: str  # canonical text
    answer: tuple[Step, ...]
    start: Match

    @property
    def game(self) -> Game[Any]:
        """Return its game."""
        return self.start.game

    @property
    def difficulty(self) -> str:
        """Return how hard it is, in a word for those who do not know the levels of bots."""
        return next(word for highest, word in DIFFICULTIES.items() if self.level <= highest)

    @property
    def seat(self) -> Seat:
        """Return whose turn it is."""
        return Seat(int(self.start.actors[0]))

    @property
    def held(self) -> Any:
        """Return the position to which the answer leads: every turn that comes to it is one."""
        match = self.start
        for step in self.answer:
            match = match.play(self.seat, step)
        return match.state

    def is_solved(self, match: Match) -> bool:
        """Return whether a match from its start does what is to be done."""
        steps = match.steps()
        if self.goal == HOLD:
            return self.seat not in match.actors and match.state == self.held
        if self.goal != TURN:
            return bool(steps) and steps[0].step == self.answer[0]
        outcome = match.outcome
        return outcome is not None and self.seat in outcome.winners


def puzzle(game: Game[Any], state: object, goal: str, answer: Sequence[Step], level: int) -> Puzzle:
    """Return the puzzle of a position of which nothing is hidden."""
    text = game.text(state)
    setup = Setup.of(game, *game.setup_of(state))
    name = blake2b(text.encode(), digest_size=8, person=b"kumite-puzzle").hexdigest()
    return Puzzle(
        name, goal, level, text, tuple(answer), Header(name, setup, position=text).begin()
    )


def line_of(one: Puzzle) -> str:
    """Return a puzzle as a line of text."""
    match = one.start
    for step in one.answer:
        match = match.play(one.seat, step)
    header = Header(one.id, match.setup, position=one.position)
    return f"{one.goal} {one.level} {shared(header, match)}"


def is_line(text: str) -> bool:
    """Return whether a text is meant to be the line of a puzzle: it begins with a goal."""
    return text.strip().partition(" ")[0] in GOALS


def parsed(line: str) -> Puzzle:
    """Return the puzzle of a line.

    Raises:
        BadShared: it is none.
    """
    goal, _, rest = line.strip().partition(" ")
    level, _, said = rest.partition(" ")
    if goal not in GOALS or level not in map(str, range(1, HARDEST + 1)):
        raise BadShared("the line holds no puzzle", hint="its goal, its difficulty, kumite:1:…")
    match = opened(said).match
    steps = match.steps()
    start = match.back(0)
    if not steps or {played.actor for played in steps} != {start.actors[0]}:
        raise BadShared("the line holds no puzzle", hint="its steps are the answer of one seat")
    answer = [played.step for played in steps]
    found = puzzle(match.game, start.state, goal, answer, int(level))
    if not found.is_solved(match):
        raise BadShared("the line holds no puzzle", hint="its steps do not do what is to be done")
    return found


def read(text: str) -> list[Puzzle]:
    """Return the puzzles of a file; lines that are none are left out."""
    found = []
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            try:
                found.append(parsed(line))
            except KumiteError:
                continue
    return found


@cache
def shipped(game_id: str) -> tuple[Puzzle, ...]:
    """Return the puzzles that come with the program, the easiest first; () of some games."""
    path = FOLDER / f"{find(game_id).ID}.txt"
    if not path.is_file():
        return ()
    return tuple(sorted(read(path.read_text("utf-8")), key=lambda one: (one.level, one.id)))


def games() -> tuple[str, ...]:
    """Return the games of which there are puzzles."""
    return tuple(name for name in NAMES if (FOLDER / f"{name}.txt").is_file())


def daily(day: date, some: Iterable[Puzzle] | None = None) -> Puzzle | None:
    """Return the puzzle of a day: the same for everybody who has the same puzzles."""
    every = [one for name in games() for one in shipped(name)] if some is None else list(some)
    if not every:
        return None
    drawn = blake2b(day.isoformat().encode(), digest_size=8, person=b"kumite-daily").digest()
    return sorted(every, key=lambda one: one.id)[int.from_bytes(drawn, "big") % len(every)]
