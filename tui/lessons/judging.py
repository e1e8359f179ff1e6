"""A task of a lesson, and how a learner's attempt is judged.

A task is done when its goal is reached. Otherwise the feedback is that of the first matching
mistake, or the goal's own. Below are predicates shared by several games; a game's own ones are in
tui/games/NAME/lessons.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from kumite.core.game import Seat, Step

if TYPE_CHECKING:
    from kumite.core.match import Match

S = TypeVar("S")  # a position of the game

YOU: Final = Seat(0)  # the learner, in every lesson

Predicate: TypeAlias = "Callable[[Attempt[Any]], bool]"
Reason: TypeAlias = "str | Callable[[Attempt[Any]], str]"
Count: TypeAlias = "Callable[[Any], int]"  # counts something in a position


@dataclass(frozen=True, slots=True)
class Attempt(Generic[S]):
    """The learner's attempt: a match that begins at the task's position."""

    match: Match
    seat: Seat

    @property
    def before(self) -> S:
        position: S = self.match.back(0).state
        return position

    @property
    def now(self) -> S:
        position: S = self.match.state
        return position

    @property
    def steps(self) -> tuple[Step, ...]:
        return tuple(played.step for played in self.match.steps())

    def gain(self, count: Count) -> int:
        return count(self.now) - count(self.before)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A common wrong answer, and its feedback."""

    made: Predicate
    feedback: Reason


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal, with feedback for failure: of the first matching mistake, or `why_not`."""

    reached: Predicate
    why_not: Reason
    mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One prepared position and what to do in it.

    `text` explains and sets the task in one to four lines of at most 76 columns; `hint` helps,
    `praise` says what was learnt.
    """

    title: str
    text: str
    position: str  # canonical text; the seats other than `seat` do not act
    goal: Goal
    hint: str
    praise: str
    solution: tuple[str, ...]  # steps of `seat` (and chance): for tests, and to show the learner
    seat: Seat = YOU
    names: tuple[str, ...] = ()  # of the seats, if the text calls them by other ones
    hidden: frozenset[str] = frozenset()  # not explained yet: parts of steps, and of the scene

    def is_done(self, match: Match) -> bool:
        return match.number > 0 and self.goal.reached(Attempt(match, self.seat))

    def why_not(self, match: Match) -> str:
        """Return the feedback for a match that has not reached the goal."""
        tried: Attempt[Any] = Attempt(match, self.seat)
        made = (mistake.feedback for mistake in self.goal.mistakes if mistake.made(tried))
        reason = next(made, self.goal.why_not)
        return reason if isinstance(reason, str) else reason(tried)


# --- Predicates -------------------------------------------------------------------------------


def won(tried: Attempt[Any]) -> bool:
    end = tried.match.outcome
    return end is not None and tried.seat in end.winners


def played(*prefixes: str) -> Predicate:
    return lambda tried: any(step.startswith(prefixes) for step in tried.steps)


def last_played(prefix: str) -> Predicate:
    return lambda tried: tried.steps[-1].startswith(prefix)


def grew(count: Count) -> Predicate:
    return lambda tried: tried.gain(count) > 0


def kept(count: Count) -> Predicate:
    return lambda tried: tried.gain(count) == 0


def both(one: Predicate, other: Predicate) -> Predicate:
    return lambda tried: one(tried) and other(tried)
