"""Predict the opponent's next plan from previous ones, and deviate from the solution accordingly.

Several habits each predict a probability for every plan: the solution itself, glances, repetition,
and answers to my last plan. Bayes' rule weights them by how well they predicted this match, jointly
with the special that the opponent may hold. The response is a restricted Nash response (Johanson,
Zinkevich and Bowling, "Computing Robust Counter-Strategies", 2007): the best strategy against an
opponent who follows these habits with the inferred probability, and otherwise answers optimally. A
round gives up at most `BOUND` against a best response, as far as the table is accurate, and reports
how much (`Choice.left`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.base import Budget, Choice, Position, never
from kumite.core.errors import KumiteError
from kumite.core.game import HOLE, Seat, Step
from kumite.core.games.kiriai.action import SPECIALS
from kumite.core.games.kiriai.bot.solved import drawn, solve
from kumite.core.games.kiriai.bot.table import Matrix, mixture
from kumite.core.games.kiriai.state import State

if TYPE_CHECKING:
    from random import Random


BOUND: Final = 0.05  # win probability that a round may give up
SOLVED: Final = 0.5  # prior probability that the opponent plays the solution
DOUBT: Final = 0.03  # share of each prediction spread over all plans: no habit is perfect
RECENT: Final = 24  # rounds that are considered; few matches have more
GLANCE: Final = 2.0  # number of remembered plans that weigh as much as a glance
GLANCES: Final = (2.0, 6.0, 14.0)  # a plan that scores one more is 2 ** this times as likely
SHARP: Final = 3.0  # exponent of the solution's shares for the sharpened solution


class Round(NamedTuple):
    """A round of this match as I saw it: its position, and both plans once shown."""

    position: Position  # before both plans
    mine: Step = Step("")
    theirs: Step = Step("")


class Asked(NamedTuple):
    """The opponent's decision in a round, assuming a certain special."""

    plans: tuple[Step, ...]
    solved: Sequence[float]  # the strategy of the solution, by plan
    scores: Sequence[float]  # of each plan against all my plans equally, -1 to 1
    answers: Sequence[float]  # the same against my previous plan, if I may repeat it
    where: Hashable  # the distance, and the opponent's stance


class Known(NamedTuple):
    """A finished round: the opponent's decision, and both plans."""

    asked: Asked
    theirs: Step


def choose(position: Position, rng: Random, budget: Budget) -> Choice | None:
    """Choose a plan using the opponent's shown plans; None if interrupted too early."""
    found = solve(position, budget)
    if found is None:
        return None
    matrices, x = found
    left, seen = 0.0, rounds(position)[-RECENT - 1 :]
    if len(seen) > 1 and (expected := foretold(seen, budget)):
        x, left = response(matrices, x, *expected, lambda: budget.is_spent(0))
    lines = drawn(position, matrices, x, rng)
    return Choice(lines[0].step, lines[0].value, tuple(lines), left)


def rounds(position: Position) -> list[Round]:
    """Return the rounds of the match, the last of which is still to be planned.

    Return [] if a start is to be chosen, or if the match did not begin at the start position.
    """
    game, seat, seen = position.game, position.seat, tuple(position.seen)
    state: State = game.start(*game.setup_of(position.view))
    before, first, found = position, ["", ""], []
    try:
        for number, played in enumerate(seen):
            kind, _, faces = played.step.partition(":")
            if kind == "first":
                first = faces.split("/")
            elif kind == "second":
                plans = [Step(",".join(plan)) for plan in zip(first, faces.split("/"), strict=True)]
                found.append(Round(before, plans[seat], plans[1 - seat]))
            state = game.apply(state, played.actor, played.step)
            if state.phase == "plan" and not any(side.secret for side in state.sides):
                before = Position(game, state, seat, seen[: number + 1], game.legal(state, seat))
    except KumiteError:
        return []  # the match began from a loaded position
    is_all = state == position.view and state.phase == "plan"
    return [*found, Round(before)] if is_all else []


@lru_cache(maxsize=128)
def asked(position: Position, special: str, played: Step) -> Asked:
    """Return the opponent's decision in a position of mine, assuming that special.

    `played` is my plan in the previous round; empty in the first.
    """
    game, seat, other = position.game, position.seat, Seat(1 - position.seat)
    sides = list(position.view.sides)
    if not sides[other].spent:
        sides[other] = replace(sides[other], special=special)
    view = replace(position.view, sides=(sides[0], sides[1]))
    legal = game.legal(view, other)
    hidden = Position(game, game.view(view, frozenset({other})), other, position.seen, legal)
    found = solve(hidden, Budget())
    assert found is not None  # no limit, so nothing interrupts it
    matrices, solved = found
    scores = [
        sum(sum(one[row]) for one in matrices) / sum(len(one[row]) for one in matrices)
        for row in range(len(legal))
    ]
    answers: Sequence[float] = scores
    if played in position.legal:
        mine = matrices[0]
        if not sides[seat].spent:
            known = special if not sides[other].spent else sides[other].special
            mine = matrices[[one for one in SPECIALS if one != known].index(sides[seat].special)]
        answers = [row[position.legal.index(played)] for row in mine]
    where = (sides[1].space - sides[0].space, sides[other].stance)
    return Asked(legal, solved, scores, answers, where)


# --- Habits -----------------------------------------------------------------------------------

if TYPE_CHECKING:
    Habit = Callable[[Asked, Sequence[Known]], Sequence[float]]


def _glancing(sharp: float) -> Habit:
    """Return the habit of playing what does well against all my plans."""
    return lambda asked, _: _sharpened(asked.scores, sharp)


def _remembering(
    key: Callable[[Asked, Sequence[Known]], Hashable], part: Callable[[Step], str] = str
) -> Habit:
    """Return the habit of repeating a part of the plans of rounds with the same `key`."""

    def habit(asked: Asked, past: Sequence[Known]) -> Sequence[float]:
        here = key(asked, past)
        alike = Counter(
            part(one.theirs) for at, one in enumerate(past) if key(one.asked, past[:at]) == here
        )
        shares, parts = _sharpened(asked.scores, GLANCES[0]), list(map(part, asked.plans))
        wholes = Counter[str]()
        for share, name in zip(shares, parts, strict=True):
            wholes[name] += share  # type: ignore[assignment]  # a Counter adds any numbers
        return _whole(
            [
                share * (GLANCE + alike[name] / wholes[name])
                for share, name in zip(shares, parts, strict=True)
            ]
        )

    return habit


HABITS: Final[Sequence[Habit]] = (
    lambda asked, _: asked.solved,
    lambda asked, _: _whole([share**SHARP for share in asked.solved]),
    *(_glancing(sharp) for sharp in GLANCES),
    lambda asked, _: _sharpened(asked.answers, GLANCES[1]),  # to my previous plan
    _remembering(lambda _asked, _past: ()),
    _remembering(lambda _asked, _past: (), lambda plan: plan.partition(",")[0]),
    _remembering(lambda asked, _past: asked.where),
    _remembering(lambda _asked, past: past[-1].theirs if past else ""),
)
"""Each predicts a round: a probability for every plan of the opponent."""
PRIORS: Final = (SOLVED, *[(1 - SOLVED) / (len(HABITS) - 1)] * (len(HABITS) - 1))


def foretold(
    seen: Sequence[Round], budget: Budget
) -> tuple[float, Sequence[Sequence[float]]] | None:
    """Return the probability that the opponent plays the solution, and of each plan otherwise.

    The plans are those of each special that the opponent may hold, in the order of the position's
    matrices; everything sums to 1. Return None if interrupted.
    """
    position = seen[-1].position
    theirs = position.view.sides[1 - position.seat].special
    held = position.view.sides[position.seat].special
    weights, chances = [], []
    for card in [one for one in SPECIALS if one != held] if theirs == HOLE else [theirs]:
        known: list[Known] = []
        likely, played = list(PRIORS), Step("")
        for one in seen:
            if budget.is_spent(0):
                return None
            now = asked(one.position, card, played)
            by_habit = [habit(now, known) for habit in HABITS]
            if one.theirs:
                at = now.plans.index(one.theirs)
                likely = [
                    weight * ((1 - DOUBT) * shares[at] + DOUBT / len(shares))
                    for weight, shares in zip(likely, by_habit, strict=True)
                ]
            known.append(Known(now, one.theirs))
            played = one.mine
        weights.append(likely)
        chances.append(
            [sum(map(mul, likely[1:], plan)) for plan in zip(*by_habit[1:], strict=True)]
        )
    whole = sum(map(sum, weights))
    is_solved = sum(likely[0] for likely in weights) / whole
    return is_solved, [[chance / whole for chance in row] for row in chances]


def _sharpened(scores: Sequence[float], sharp: float) -> list[float]:
    best = max(scores)
    return _whole([2.0 ** (sharp * (score - best)) for score in scores])


def _whole(parts: Sequence[float]) -> list[float]:
    whole = sum(parts)
    return [part / whole for part in parts]


# --- The response -----------------------------------------------------------------------------


def response(
    matrices: Sequence[Matrix],
    solved: list[float],
    is_solved: float,
    likely: Sequence[Sequence[float]],
    stop: Callable[[], bool] = never,
) -> tuple[list[float], float]:
    """Return my strategy, and the win probability it gives up against a best response.

    `solved` is the strategy that gives up nothing; for `is_solved` and `likely` see `foretold`.
    """
    hoped = hopes(matrices, likely)
    restricted = [
        [[is_solved * value + hope for value in row] for row, hope in zip(one, hoped, strict=True)]
        for one in matrices
    ]
    x, _ = mixture(restricted, stop=stop)
    if at_least(restricted, x) <= at_least(restricted, solved):
        return solved, 0.0
    least = at_least(matrices, solved)
    left = (least - at_least(matrices, x)) / 2
    if left > BOUND:
        part = BOUND / left  # a blend gives up no more than its parts do
        x = [part * one + (1 - part) * two for one, two in zip(x, solved, strict=True)]
        left = (least - at_least(matrices, x)) / 2
    return x, max(0.0, left)


def hopes(matrices: Sequence[Matrix], likely: Sequence[Sequence[float]]) -> list[float]:
    """Return the expected score of each of my plans against these probabilities."""
    return [
        sum(sum(map(mul, one[row], chances)) for one, chances in zip(matrices, likely, strict=True))
        for row in range(len(matrices[0]))
    ]


def at_least(matrices: Sequence[Matrix], x: Sequence[float]) -> float:
    """Return the score of a strategy against the best responses, -1 to 1."""
    costs = [min(sum(map(mul, column, x)) for column in zip(*one, strict=True)) for one in matrices]
    return float(sum(costs)) / len(matrices)
