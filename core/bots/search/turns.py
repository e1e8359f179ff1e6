"""Search for games with long turns: beam search for whole turns, then the opponent's answers.

A beam expands the best partial turns level by level until every line has ended the turn. The best
turns are then ranked by the opponent's best answer, also found by a beam. For some games the top
turns are searched one turn deeper, to one's own best reply. While budget remains, the passes repeat
with wider beams.

Beams drop weak-looking positions and with them the quiet beginnings of wins. Therefore a hunt first
looks for a win within the turn, and, for each turn compared, for a win within the opponent's.

The best answer to one turn is often the best answer to the next. So good answers are tried first,
and a turn that one of them makes no better than the best so far is not searched further (the killer
heuristic). It then counts as slightly worse than the best, since its true value is unknown.

Beams and hunts are in loops.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from math import exp
from typing import TYPE_CHECKING, Final

from kumite.core.bots.base import Budget, Choice, Line, Position
from kumite.core.bots.fast import Ints, give_back
from kumite.core.bots.search.frontier import OVER, WIN
from kumite.core.bots.search.loops import Spent, Turn, TurnGame, TurnSearch
from kumite.core.game import Step

if TYPE_CHECKING:
    from random import Random

    from kumite.core.bots.chances import Fit


@dataclass(frozen=True, slots=True)
class Pass:
    """The widths of one pass."""

    width: int  # beam width for own turns
    turns: int  # number of turns, not counting lost ones, that are answered
    answer: int  # beam width for answers
    replies: int = 0  # answers to the best turns that are replied to
    reply: int = 1  # beam width for replies
    hunt: int = 0  # positions of the hunt for a win within the turn
    fear: int = 0  # positions of the hunt for the opponent's win, for each turn compared


LOST: Final = 1 - WIN  # values up to here mean that the opponent wins next turn
THREAT: Final = 24.0  # value of a win next turn; not proof, since not every answer is searched
SPARE: Final = 10  # turns kept for each one answered, as most may be lost
LESS: Final = 1e-6  # penalty of a turn that is known to be no better than the best
HIDDEN: Final = 1e-6  # bonus per position that the opponent's win took to find
UNIT: Final = 6  # of values; corresponds to about one unit of log odds
COLD: Final = 0.6  # a step this much below the best gets a share smaller by the factor e
KILLERS: Final = 4  # number of answers that are tried first


class Killers:
    """Turns that refuted others, most recently successful first."""

    def __init__(self, search: TurnSearch) -> None:
        self._search = search
        self._turns: list[tuple[int, ...]] = []

    def add(self, moves: tuple[int, ...]) -> None:
        if moves in self._turns:
            self._turns.remove(moves)
        self._turns.insert(0, moves)
        del self._turns[KILLERS:]

    def value(self, place: Ints, least: float) -> float | None:
        """Return the value of the first killer turn worth at least `least` here, or None."""
        for moves in self._turns:
            value = self._search.follow(place, moves)
            if value is not None and value >= least:
                self.add(moves)
                return value
        return None


class Thought:
    """The state of one search: its best turn so far and a winning plan."""

    def __init__(self, search: TurnSearch) -> None:
        self.search = search
        self.best: Turn | None = None
        self.plan: tuple[Step, ...] = ()  # steps of a win within the turn
        self.values: dict[Step, float] = {}  # by step, of the last whole pass
        self.new: dict[Step, float] = {}  # of the pass under way
        self._answers, self._replies = Killers(search), Killers(search)

    def so_far(self) -> dict[Step, float]:
        """Return the values by step if the search ends here; {} before the first result."""
        new, best = self.new, max(self.new.values(), default=-WIN)
        if best <= LOST:  # the previous best is lost: prefer any other turn compared then
            return self.values | new
        if len(new) < 2:
            return self.values
        return self._lost() | new

    def end_pass(self) -> None:
        self.values, self.new = self._lost() | self.new, {}

    def _lost(self) -> dict[Step, float]:
        return {step: value for step, value in self.values.items() if value <= LOST}

    def answered(self, turn: Turn, side: int, wide: Pass, best: float) -> float:
        """Return the value of a turn after the best answer, and the best reply to that.

        A turn that an answer makes no better than `best` is not searched further. Its true value
        may be far lower, so the result is below `best`.
        """
        search, after = self.search, turn.place
        if search.side(after) in (OVER, side):  # the match is over, or a teammate moves next
            return turn.value
        known = self._answers.value(after, -best)
        if known is not None:
            return min(-known, best - LESS)
        feared = search.hunt(after, wide.fear)
        if feared.is_won:
            self._answers.add(feared.moves)
            return HIDDEN * feared.made - WIN
        answers = list(search.turns(after, wide.answer, max(1, wide.replies)))
        if not answers:
            return turn.value
        self._answers.add(answers[0].moves)
        value = -answers[0].value
        if not wide.replies or not value > LOST or value <= best:
            return value
        worst = WIN
        for answer in answers:
            worst = min(worst, self._replied(answer, side, wide, worst))
            if worst <= best:
                break
        return worst

    def _replied(self, answer: Turn, side: int, wide: Pass, worst: float) -> float:
        """Return the value for `side` after the best reply to an answer, cut off at `worst`."""
        then = answer.place
        if self.search.side(then) != side:
            return -answer.value
        if worst < WIN and self._replies.value(then, worst) is not None:
            return worst
        reply = next(self.search.turns(then, wide.reply, 1))
        self._replies.add(reply.moves)
        return min(reply.value, THREAT)


def glance(
    model: TurnGame, position: Position, rng: Random, quiet: tuple[Step, ...] = ()
) -> Choice:
    """Choose the step with the best immediate evaluation: of several one of `quiet`, else any."""
    side, rules = int(position.seat) % 2, model.rules
    room, values = rules.room_of(), {}
    for step in position.legal:
        place = rules.place_of(model.game.apply(position.view, position.seat, step))
        values[step] = rules.glance(place, side, room)
    best = max(values.values())
    found = [step for step, value in values.items() if value == best]
    return Choice(rng.choice([step for step in found if step in quiet] or found))


def think(
    model: TurnGame,
    position: Position,
    rng: Random,
    budget: Budget,
    passes: Sequence[Pass],
    fit: Fit,
) -> list[Line]:
    """Return the first steps of the best turns, best first; `fit` converts values to chances."""
    search = TurnSearch(model, position.view, rng, budget)
    try:
        return compare(search, passes, fit)
    finally:
        give_back(rng, search.stream)


def compare(search: TurnSearch, passes: Sequence[Pass], fit: Fit) -> list[Line]:
    thought = Thought(search)

    def lines() -> list[Line]:
        return _lines(thought.so_far(), thought.plan, fit)

    search.budget.show(lines)
    with suppress(Spent):
        for one in passes:
            _pass(thought, one)
            if max(thought.values.values()) >= WIN:
                break
    return lines()


def _pass(thought: Thought, wide: Pass) -> None:
    search = thought.search
    side = search.side(search.root)
    hunt = search.hunt(search.root, wide.hunt)
    if hunt.is_won:
        thought.plan = search.win(hunt.moves)
        thought.values = {thought.plan[0]: WIN}
        return
    turns = search.turns(search.root, wide.width, SPARE * wide.turns)
    first = [*islice(turns, 1)]
    if first and first[0].value >= WIN:
        thought.values = {search.step_of(first[0].moves[0]): WIN}
        return
    best, safe = -WIN - 1, 0
    for turn in _with_best(thought, chain(first, turns)):
        value = thought.answered(turn, side, wide, best)
        step = search.step_of(turn.moves[0])
        thought.new[step] = max(value, thought.new.get(step, -WIN))
        if value > best:
            best, thought.best = value, turn
        safe += value > LOST
        if safe == wide.turns:
            break
    thought.end_pass()


def _with_best(thought: Thought, turns: Iterable[Turn]) -> Iterator[Turn]:
    """Yield the best turn so far first, so that an interrupted pass never loses it."""
    best, key_of = thought.best, thought.search.key
    if best is None:
        yield from turns
        return
    yield best
    key = key_of(best.place)
    yield from (turn for turn in turns if key_of(turn.place) != key)


def _lines(values: dict[Step, float], plan: tuple[Step, ...], fit: Fit) -> list[Line]:
    """Return the lines, best first; shares decrease exponentially with the gap to the best."""
    if not values:
        return []
    best = max(values.values())
    weights = {step: exp((value - best) / COLD) for step, value in values.items()}
    whole = sum(weights.values())
    order = sorted(values, key=lambda step: (-values[step], step))
    return [
        Line(
            step,
            chance_of(values[step], fit),
            weights[step] / whole,
            plan if step in plan[:1] else (),
        )
        for step in order
    ]


def chance_of(value: float, fit: Fit) -> float:
    """Return the win probability of a value: 1 for a found win, otherwise less than 1."""
    return 1.0 if value >= WIN else fit.of_odds(value / UNIT)
