"""Search for games whose turns are many steps: whole turns found by a beam, then answered.

A beam makes all steps from the best positions of a turn so far and keeps the best of what comes,
until every line of play has ended the turn. The best turns are then compared by the best turn that
the opponent finds against them, also by a beam. If a game asks for it, the turns that look best are
looked at one turn further: what is left of them after one's own best reply to those answers. While
there is budget, all is done again wider.

Beams drop what looks poor, and so the quiet beginnings of wins. Therefore a hunt (hunt.py) first
looks for a win in the turn, and against each turn that is compared, for one in the opponent's.

Both loops are a `Search`, so that a game can have them compiled (compiled.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import exp
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from kumite.core.bots.base import Choice, Line
from kumite.core.bots.search.hunt import Hunt, HuntGame

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.bots.chances import Fit
    from kumite.core.game import Step


@dataclass(frozen=True, slots=True)
class Pass:
    """How wide to look once."""

    width: int  # positions that the beam of one's own turns keeps
    turns: int  # turns that are answered
    answer: int  # positions that the beam of answers keeps
    replies: int = 0  # answers to the best turns that are replied to
    reply: int = 1  # positions that the beam of replies keeps
    hunt: int = 0  # positions in all among which a win in the turn is hunted for
    fear: int = 0  # the same, for the opponent's win against each turn that is compared


WIN: Final = 1000.0  # more than any value
LOST: Final = 1 - WIN  # values from here down are of turns that the opponent wins after
HIDDEN: Final = 1e-6  # by a position that the opponent's win took to find, such a turn is better
UNIT: Final = 6  # of values; such a difference is about one of log odds
COLD: Final = 0.6  # values that make a step e times less likely to be shared


Found: TypeAlias = tuple[float, "Step", Any]  # value, first step and position of a turn


class TurnGame(HuntGame, Protocol):
    """A game of two sides without secrets, as a turn search asks it."""

    def value(self, state: Any, side: int) -> float:
        """Return how good the position is for a side, a won one WIN, a lost one -WIN."""


class Spent(Exception):
    """The budget is spent: leave at once, with what there is."""


class Hunted(Protocol):
    """What a hunt has come to."""

    @property
    def is_won(self) -> bool:
        """Whether a win has been found."""

    @property
    def made(self) -> int:
        """How many positions it took so far."""

    @property
    def win(self) -> tuple[Step, ...]:
        """The rest of the turn, if a win has been found from where the search began."""


class Search(Protocol):
    """The loops of one search; `PlainSearch`, or a game's `CompiledSearch`, finds the same."""

    is_over: bool  # set it, and the next position that is to be valued is one too many

    def side(self, state: Any) -> int:
        """Return 0 or 1, whose side has the turn; OVER at the end."""

    def key(self, state: Any) -> object:
        """Return what two positions have in common that need not both be looked at."""

    def hunt(self, state: Any, most: int) -> Hunted:
        """Return the hunt for a win from here, gone on with to so many positions in all."""

    def turns(self, state: Any, width: int, most: int) -> Sequence[Found]:
        """Return so many of the best whole turns, the best first, but none known to be lost."""


class PlainSearch:
    """The loops in plain Python; they count how many positions have been valued."""

    def __init__(self, game: TurnGame, rng: Random, budget: Budget) -> None:
        self.game, self.rng, self.budget, self.done = game, rng, budget, 0
        self.is_over = False
        self.side, self.key = game.side, game.key
        self._hunts: dict[object, Hunt] = {}

    def _spend(self) -> None:
        if self.is_over or self.budget.is_spent(self.done):
            raise Spent
        self.done += 1

    def _value(self, state: Any, side: int) -> float:
        self._spend()
        return self.game.value(state, side)

    def hunt(self, state: Any, most: int) -> Hunt:
        """See `Search.hunt`."""
        key = self.game.key(state)
        if key not in self._hunts:
            self._hunts[key] = Hunt(self.game, state)
        self._hunts[key].go_on(most, self._spend)
        return self._hunts[key]

    def _is_lost(self, found: Found) -> bool:
        """Return whether an answer that wins is known against a turn."""
        hunt = self._hunts.get(self.game.key(found[2]))
        return hunt is not None and hunt.is_won

    def turns(self, state: Any, width: int, most: int) -> list[Found]:
        """See `Search.turns`."""
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
        found_all = sorted(ended.values(), key=lambda one: -one[0])
        return list(islice((one for one in found_all if not self._is_lost(one)), most))

    def _legal(self, state: Any) -> Sequence[Step]:
        """List the steps, beginning anywhere: of equal ones a beam keeps those that come first."""
        steps = self.game.legal(state)
        begin = int(self.rng.random() * len(steps))
        return (*steps[begin:], *steps[:begin])


class Thought:
    """One search for a choice, and the best that it has found so far."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.best: Found | None = None
        self.plan: tuple[Step, ...] = ()  # a win in the turn

    def answered(self, found: Found, side: int, wide: Pass, best: float) -> float:
        """Return the value of a turn after the best answer to it, and the best reply to that.

        A turn that an answer makes no better than the `best` so far is not looked at further.
        """
        value, _, after = found
        search = self.search
        if search.side(after) in (-1, side):  # over, or a team mate goes on
            return value
        feared = search.hunt(after, wide.fear)
        if feared.is_won:
            return HIDDEN * feared.made - WIN
        answers = search.turns(after, wide.answer, max(1, wide.replies))
        value = -answers[0][0] if answers else value
        if not wide.replies or not value > LOST or value <= best:
            return value
        worst = WIN
        for answer, _, then in answers:
            mine = search.side(then) == side
            worst = min(worst, search.turns(then, wide.reply, 1)[0][0] if mine else -answer)
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
    passes: Sequence[Pass],
    fit: Fit,
) -> list[Line]:
    """Return the first steps of the best turns, the best first; `fit` makes chances of values."""
    return compare(PlainSearch(game, rng, budget), position.view, passes, fit)


def compare(search: Search, state: Any, passes: Sequence[Pass], fit: Fit) -> list[Line]:
    """Return the same by any search."""
    thought = Thought(search)
    best: dict[Step, float] = {}
    try:
        for one in passes:
            best = _pass(thought, state, one, best)
            if max(best.values()) >= WIN:
                break
    except Spent:
        pass
    return _lines(best, thought.plan, fit)


def _pass(thought: Thought, state: Any, wide: Pass, before: dict[Step, float]) -> dict[Step, float]:
    """Look once with beams of one width; interrupted before the second answer: `before`."""
    search = thought.search
    side = search.side(state)
    hunt = search.hunt(state, wide.hunt)
    if hunt.is_won:
        thought.plan = hunt.win
        return {hunt.win[0]: WIN}
    turns = search.turns(state, wide.width, wide.turns)
    if turns and turns[0][0] >= WIN:
        return {turns[0][1]: WIN}
    if thought.best:  # so an interrupted pass knows no less than the one before
        key = search.key(thought.best[2])
        turns = [thought.best, *(one for one in turns if search.key(one[2]) != key)]
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
        search.is_over = True
    lost = {step: value for step, value in before.items() if value <= LOST}
    return lost | values


def _lines(values: dict[Step, float], plan: tuple[Step, ...], fit: Fit) -> list[Line]:
    """Return the lines, the best first; shares fall with the distance to the best."""
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
    """Return the chance to win at this value: 1 if a win is found, else never quite."""
    return 1.0 if value >= WIN else fit.of_odds(value / UNIT)
