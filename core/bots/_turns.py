"""Search for games whose turns are many steps: whole turns found by a beam, then answered.

A beam makes all steps from the best positions of a turn so far and keeps the best of what comes,
until every line of play has ended the turn. The best turns are then compared by the best turn that
the opponent finds against them, also by a beam. While there is budget, all is done again wider.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Any, Final, Protocol

from core.bots import Choice, Line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from core.bots import Budget, Position
    from core.game import Step

WIDTHS: Final = (1, 3, 6, 12, 24, 48)  # positions that a beam keeps, pass by pass
TURNS: Final = (1, 4, 6, 10, 16, 24)  # turns that are answered
WIN: Final = 1000.0  # more than any value
COLD: Final = 0.6  # values that make a step e times less likely to be shared


class Rules(Protocol):
    """A game of two sides without secrets, as a turn search needs it."""

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
    """One choice: the rules, whose it is, and how many positions have been valued."""

    def __init__(self, rules: Rules, rng: Random, budget: Budget) -> None:
        self.rules, self.rng, self.budget, self.done = rules, rng, budget, 0
        self.is_over = False

    def _value(self, state: Any, side: int) -> float:
        if self.is_over or self.budget.is_spent(self.done):
            raise Spent
        self.done += 1
        return self.rules.value(state, side)

    def turns(self, state: Any, width: int) -> list[tuple[float, Step, Any]]:
        """Return the best whole turns from here: value, first step and position, best first."""
        rules = self.rules
        side, turn = rules.side(state), rules.turn(state)
        beam: list[tuple[float, Step, Any]] = []
        ended: dict[object, tuple[float, Step, Any]] = {}
        frontier: list[tuple[Step | None, Any]] = [(None, state)]
        while frontier:
            beam, seen = [], set()
            for first, position in frontier:
                for step in self._legal(position):
                    after = rules.after(position, step)
                    key = rules.key(after)
                    if key in seen or key in ended:
                        continue
                    seen.add(key)
                    found = (self._value(after, side), first or step, after)
                    if rules.side(after) == side and rules.turn(after) == turn:
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
        steps = self.rules.legal(state)
        begin = int(self.rng.random() * len(steps))
        return (*steps[begin:], *steps[:begin])

    def answered(self, found: tuple[float, Step, Any], side: int, width: int) -> float:
        """Return the value of a turn after the best answer to it."""
        value, _, after = found
        if self.rules.side(after) in (-1, side):  # over, or a team mate goes on
            return value
        answers = self.turns(after, width)
        return -answers[0][0] if answers else value


def glance(rules: Rules, position: Position, rng: Random) -> Choice:
    """Choose the step with the best value right after it, ties at random."""
    side = int(position.seat) % 2
    values = {step: rules.value(rules.after(position.view, step), side) for step in position.legal}
    best = max(values.values())
    return Choice(rng.choice([step for step, value in values.items() if value == best]))


def think(rules: Rules, position: Position, rng: Random, budget: Budget, passes: int) -> list[Line]:
    """Return the first steps of the best turns, the best first; at most so many passes."""
    thought = Thought(rules, rng, budget)
    best: dict[Step, float] = {}
    state = position.view
    side = rules.side(state)
    try:
        for width, count in list(zip(WIDTHS, TURNS, strict=True))[:passes]:
            best = _pass(thought, state, side, width, count, best)
            if max(best.values()) >= WIN:
                break
    except Spent:
        pass
    return _lines(best)


def _pass(
    thought: Thought, state: Any, side: int, width: int, count: int, before: dict[Step, float]
) -> dict[Step, float]:
    """Look once with beams of one width; interrupted before the first answer: `before`."""
    turns = thought.turns(state, width)
    if turns[0][0] >= WIN:
        return {turns[0][1]: WIN}
    values: dict[Step, float] = {}
    try:
        for found in turns[:count]:
            value = thought.answered(found, side, max(1, width // 2))
            values[found[1]] = max(value, values.get(found[1], -WIN))
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
