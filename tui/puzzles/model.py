"""A puzzle, its line of text, and the shipped ones.

A line is the goal, the difficulty and a match in the format of `kumite open`, which begins at the
puzzle's position and whose steps are the answer. Lines that begin with # are comments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import KumiteError
from kumite.core.game import Game, Seat, Setup, Step
from kumite.core.games import NAMES, find
from kumite.core.log import Header
from kumite.core.log.sharing import BadShared, opened, shared
from kumite.core.match import Match

if TYPE_CHECKING:
    from datetime import date


TURN: Final = "turn"  # win in this turn
HOLD: Final = "hold"  # the only turn that prevents a win in the opponent's next turn
FORCE: Final = "force"  # the only step that keeps a forced win
TRICK: Final = "trick"  # the only card that wins the round by force
DEFEND: Final = "defend"  # the only step that prevents a forced win of this round
GOALS: Final = {
    TURN: "Win in this turn.",
    HOLD: "Find the only defence.",
    FORCE: "Find the only step that wins by force.",
    TRICK: "Find the only card that wins this round by force.",
    DEFEND: "Find the only defence.",
}
GONE: Final = {  # the consequence of a wrong step
    FORCE: "the win is gone",
    TRICK: "this round can no longer be won by force",
    DEFEND: "this round is lost",
}
HARDEST: Final = 9  # difficulty: one more than the number of bot levels that miss the answer
DIFFICULTIES: Final = {2: "easy", 5: "medium", 8: "hard", HARDEST: "very hard"}  # by highest level
TURNS: Final = frozenset({TURN, HOLD})  # goals of whole turns, in any order of steps
FOLDER: Final = Path(__file__).resolve().parent


class TooLong(Exception):
    """The search for a proof exceeded its limit."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, a goal, and the steps that reach it."""

    id: str  # a hash of its position
    goal: str
    level: int  # its difficulty, 1 to HARDEST
    position: str  # canonical text
    answer: tuple[Step, ...]
    start: Match

    @property
    def game(self) -> Game[Any]:
        return self.start.game

    @property
    def difficulty(self) -> str:
        return next(word for highest, word in DIFFICULTIES.items() if self.level <= highest)

    @property
    def seat(self) -> Seat:
        return Seat(int(self.start.actors[0]))

    @property
    def end(self) -> Match:
        """The match after the answer."""
        match = self.start
        for step in self.answer:
            match = match.play(self.seat, step)
        return match

    @property
    def held(self) -> Any:
        """The position after the answer; any turn that leads to it is right."""
        return self.end.state

    def is_solved(self, match: Match) -> bool:
        steps = match.steps()
        if self.goal == HOLD:
            return self.seat not in match.actors and match.state == self.held
        if self.goal != TURN:
            return bool(steps) and steps[0].step == self.answer[0]
        outcome = match.outcome
        return outcome is not None and self.seat in outcome.winners


def puzzle(game: Game[Any], state: object, goal: str, answer: Sequence[Step], level: int) -> Puzzle:
    text = game.text(state)
    setup = Setup.of(game, *game.setup_of(state))
    name = blake2b(text.encode(), digest_size=8, person=b"kumite-puzzle").hexdigest()
    return Puzzle(
        name, goal, level, text, tuple(answer), Header(name, setup, position=text).begin()
    )


def line_of(one: Puzzle) -> str:
    header = Header(one.id, one.start.setup, position=one.position)
    return f"{one.goal} {one.level} {shared(header, one.end)}"


def is_line(text: str) -> bool:
    return text.strip().partition(" ")[0] in GOALS


def parsed(line: str) -> Puzzle:
    """Parse the line of a puzzle; raise BadShared if malformed, or if the answer is wrong."""
    goal, _, rest = line.strip().partition(" ")
    level, _, said = rest.partition(" ")
    if goal not in GOALS or level not in map(str, range(1, HARDEST + 1)):
        raise BadShared("the line is not a puzzle", hint="expected: goal, difficulty, kumite:1:…")
    match = opened(said).match
    steps = match.steps()
    start = match.back(0)
    if not steps or {played.actor for played in steps} != {start.actors[0]}:
        raise BadShared("the line is not a puzzle", hint="its steps must be one seat's answer")
    answer = [played.step for played in steps]
    found = puzzle(match.game, start.state, goal, answer, int(level))
    if not found.is_solved(match):
        raise BadShared("the line is not a puzzle", hint="its steps do not reach the goal")
    return found


def read(text: str) -> list[Puzzle]:
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
    """Return the shipped puzzles of a game, the easiest first."""
    path = FOLDER / f"{find(game_id).ID}.txt"
    if not path.is_file():
        return ()
    return tuple(sorted(read(path.read_text("utf-8")), key=lambda one: (one.level, one.id)))


def games() -> tuple[str, ...]:
    return tuple(name for name in NAMES if (FOLDER / f"{name}.txt").is_file())


def daily(day: date) -> Puzzle:
    """Return the puzzle of a day: the same for all players with the same shipped puzzles."""
    every = sorted((one for name in games() for one in shipped(name)), key=lambda one: one.id)
    drawn = blake2b(day.isoformat().encode(), digest_size=8, person=b"kumite-daily").digest()
    return every[int.from_bytes(drawn, "big") % len(every)]
