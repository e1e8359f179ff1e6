"""Search for games whose turns are many steps: whole turns found by a beam, then answered.

A beam makes all steps from the best positions of a turn so far and keeps the best of what comes,
until every line of play has ended the turn. The best turns are then compared by the best turn that
the opponent finds against them, also by a beam. If a game asks for it, the turns that look best are
looked at one turn further: what is left of them after one's own best reply to those answers. While
there is budget, all is done again wider.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from kumite.core.bots.base import Choice, Line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.game import Step


@dataclass(frozen=True, slots=True)
class Pass:
    """How wide to look once."""

    width: int  # positions that the beam of one's own turns keeps
    turns: int  # turns that are answered
    answer: int  # positions that the beam of answers keeps
    replies: int = 0  # answers to the best turns that are replied to
    reply: int = 1  # positions that the beam of replies keeps


PASSES: Final = (
    Pass(1, 1, 1),
    Pass(3, 4, 1),
    Pass(6, 6, 3),
    Pass(12, 10, 6),
    Pass(24, 16, 12),
    Pass(48, 24, 24),
)
WIN: Final = 1000.0  # more than any value
COLD: Final = 0.6  # values that make a step e times less likely to be shared


Found: TypeAlias = tuple[float, "Step", Any]  # value, first step and position of a turn


class TurnGame(Protocol):
    """A game of two sides without secrets, as a turn search asks it."""

    def side(self, state: Any) -> int:
        """Return 0 or 1, whose side has the turn; -1 at the end."""

    def turn(self, state: Any) -> object:
        """Return what differs from turn to turn."""

    def legal(self, state: Any) -> Sequence[Step]:
        """List the steps of who is to act."""

    def after(self, state: Any, step: Step) -> Any:
        """Return the position after a legal step."""

    def value(self, state: Any, side: int) -> float:
        """Return how good the position is for a side, a won one WIN, a lost one -WIN."""

    def key(self, state: Any) -> object:
        """Return what two positions have in common that need not both be looked at."""


class Spent(Exception):
    """The budget is spent: leave at once, with what there is."""


class Thought:
    """One search for a choice: its game and budget, and how many positions it has valued."""

    def __init__(self, game: TurnGame, rng: Random, budget: Budget) -> None:
        self.game, self.rng, self.budget, self.done = game, rng, budget, 0
        self.is_over = False
        self.best: Found | None = None

    def _value(self, state: Any, side: int) -> float:
        if self.is_over or self.budget.is_spent(self.done):
            raise Spent
        self.done += 1
        return self.game.value(state, side)

    def turns(self, state: Any, width: int) -> list[Found]:
        """Return the best whole turns from here: value, first step and position, best first."""
        game = self.game
        side, turn = game.side(state), game.turn(state)
        beam: list[Found] = []
        ended: dict[object, Found] = {}
        frontier: list[tuple[Step | None, Any]] = [(None, state)]
        while frontier:
            beam, seen = [], set()
            for first, position in frontier:
                for step in self._legal(position):
                    after = game.after(position, step)
                    key = game.key(after)
                    if key in seen or key in ended:
                        continue
                    seen.add(key)
                    found = (self._value(after, side), first or step, after)
                    if game.side(after) == side and game.turn(after) == turn:
                        beam.append(found)
                    else:
                        ended[key] = found
                        if found[0] >= WIN:
                            return [found]
            beam.sort(key=lambda one: -one[0])
            frontier = [(first, position) for _, first, position in beam[:width]]
        return sorted(ended.values(), key=lambda one: -one[0])

    def _legal(self, state: Any) -> Sequence[Step]:
        """List the steps, beginning anywhere: of equal ones a beam keeps those that come first."""
        steps = self.game.legal(state)
        begin = int(self.rng.random() * len(steps))
        return (*steps[begin:], *steps[:begin])

    def answered(self, found: Found, side: int, wide: Pass, best: float) -> float:
        """Return the value of a turn after the best answer to it, and the best reply to that.

        A turn that an answer makes no better than the `best` so far is not looked at further.
        """
        value, _, after = found
        if self.game.side(after) in (-1, side):  # over, or a team mate goes on
            return value
        answers = self.turns(after, wide.answer)
        value = -answers[0][0] if answers else value
        if not wide.replies or not value > -WIN or value <= best:
            return value
        worst = WIN
        for answer, _, then in answers[: wide.replies]:
            mine = self.game.side(then) == side
            worst = min(worst, self.turns(then, wide.reply)[0][0] if mine else -answer)
            if worst <= best:
                break
        return worst


def glance(game: TurnGame, position: Position, rng: Random) -> Choice:
    """Choose the step with the best value right after it, ties at random."""
    side = int(position.seat) % 2
    values = {step: game.value(game.after(position.view, step), side) for step in position.legal}
    best = max(values.values())
    return Choice(rng.choice([step for step, value in values.items() if value == best]))


def think(
    game: TurnGame,
    position: Position,
    rng: Random,
    budget: Budget,
    passes: Sequence[Pass] = PASSES,
) -> list[Line]:
    """Return the first steps of the best turns, the best first."""
    thought = Thought(game, rng, budget)
    best: dict[Step, float] = {}
    state = position.view
    side = game.side(state)
    try:
        for one in passes:
            best = _pass(thought, state, side, one, best)
            if max(best.values()) >= WIN:
                break
    except Spent:
        pass
    return _lines(best)


def _pass(
    thought: Thought, state: Any, side: int, wide: Pass, before: dict[Step, float]
) -> dict[Step, float]:
    """Look once with beams of one width; interrupted before the second answer: `before`."""
    turns = thought.turns(state, wide.width)
    if turns[0][0] >= WIN:
        return {turns[0][1]: WIN}
    turns = turns[: wide.turns]
    if wide.replies and thought.best:  # so an interrupted pass knows no less than the one before
        key = thought.game.key(thought.best[2])
        turns = [thought.best, *(one for one in turns if thought.game.key(one[2]) != key)]
    values: dict[Step, float] = {}
    best = -WIN - 1
    try:
        for found in turns:
            value = thought.answered(found, side, wide, best)
            values[found[1]] = max(value, values.get(found[1], -WIN))
            if value > best:
                best, thought.best = value, found
    except Spent:
        if len(values) < 2:
            raise
        thought.is_over = True
    return values or before


def _lines(values: dict[Step, float]) -> list[Line]:
    """Return the lines, the best first; shares fall with the distance to the best."""
    if not values:
        return []
    best = max(values.values())
    weights = {step: exp((value - best) / COLD) for step, value in values.items()}
    whole = sum(weights.values())
    order = sorted(values, key=lambda step: (-values[step], step))
    return [Line(step, score(values[step]), weights[step] / whole) for step in order]


def score(value: float) -> float:
    """Return the score that one can expect at this value, 0 to 1."""
    return 1 / (1 + exp(-max(-50.0, min(50.0, value / 6))))
