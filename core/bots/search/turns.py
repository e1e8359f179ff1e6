"""Search for games whose turns are many steps: whole turns found by a beam, then answered.

A beam makes all steps from the best positions of a turn so far and keeps the best of what comes,
until every line of play has ended the turn. The best turns are then compared by the best turn that
the opponent finds against them, also by a beam. If a game asks for it, the turns that look best are
looked at one turn further: what is left of them after one's own best reply to those answers. While
there is budget, all is done again wider.

Beams drop what looks poor, and so the quiet beginnings of wins. Therefore a hunt (hunt.py) first
looks for a win in the turn, and against each turn that is compared, for one in the opponent's.

What answers one turn best often answers the next one too. So answers that were good are tried
first, and a turn that one of them makes no better than the best so far is not looked at further
(the killer heuristic). It counts as worse then, since nobody knows how much worse it is.

Both loops are a `Search`, so that a game can have them compiled (compiled.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from math import exp
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from kumite.core.bots.base import Choice, Line
from kumite.core.bots.search.hunt import OVER, Hunt, HuntGame, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from kumite.core.bots.base import Budget, Position
    from kumite.core.bots.chances import Fit
    from kumite.core.bots.search.hunt import Way
    from kumite.core.game import Step


@dataclass(frozen=True, slots=True)
class Pass:
    """How wide to look once."""

    width: int  # positions that the beam of one's own turns keeps
    turns: int  # turns that are answered and not lost
    answer: int  # positions that the beam of answers keeps
    replies: int = 0  # answers to the best turns that are replied to
    reply: int = 1  # positions that the beam of replies keeps
    hunt: int = 0  # positions in all among which a win in the turn is hunted for
    fear: int = 0  # the same, for the opponent's win against each turn that is compared


WIN: Final = 1000.0  # more than any value
LOST: Final = 1 - WIN  # values from here down are of turns that the opponent wins after
THREAT: Final = 24.0  # of a win in one's next turn: no proof, for not every answer is looked at
SPARE: Final = 10  # turns for each of these, as many may be lost
LESS: Final = 1e-6  # by which a turn counts as worse if it is known to be no better than the best
HIDDEN: Final = 1e-6  # by a position that the opponent's win took to find, such a turn is better
UNIT: Final = 6  # of values; such a difference is about one of log odds
COLD: Final = 0.6  # values that make a step e times less likely to be shared
KILLERS: Final = 4  # answers that are tried first


class Turn(NamedTuple):
    """A whole turn; moves and positions are what the search has them as."""

    value: float  # of the position after it, for the side whose turn it was
    moves: tuple[Any, ...]
    place: Any  # the position after it


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
    def moves(self) -> tuple[Any, ...]:
        """The moves to the win, if one has been found, but those that the game finds itself."""

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

    def turns(self, state: Any, width: int, most: int) -> Iterator[Turn]:
        """Find whole turns; yield so many, the best first, but none that is known to be lost.

        They are found at once. Those from where the search began can be asked for until others
        are found there, all others until anything else is.
        """

    def follow(self, state: Any, moves: tuple[Any, ...]) -> float | None:
        """Return the value of the turn of these moves; None if they are none, or no whole turn."""

    def step_of(self, move: Any) -> Step:
        """Return the step that a move is."""


class PlainSearch:
    """The loops in plain Python; they count how many positions have been valued."""

    def __init__(self, game: TurnGame, rng: Random, budget: Budget) -> None:
        self.game, self.rng, self.budget, self.done = game, rng, budget, 0
        self.is_over = False
        self.side, self.key = game.side, game.key
        self._hunts: dict[object, Hunt] = {}
        self._lost: set[object] = set()  # positions from which whoever has the turn wins in it

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
        hunt = self._hunts[key]
        hunt.go_on(most, self._spend)
        if hunt.is_won:
            self._lost.add(key)
        return hunt

    def turns(self, state: Any, width: int, most: int) -> Iterator[Turn]:
        """See `Search.turns`."""
        game = self.game
        side, turn = game.side(state), game.turn(state)
        beam: list[tuple[float, Way, Any]] = []
        ended: dict[object, tuple[float, Way, Any]] = {}
        frontier: list[tuple[Way, Any]] = [(None, state)]
        while frontier:
            beam, seen = [], set()
            for way, position in frontier:
                for step in self._legal(position):
                    after = game.after(position, step)
                    key = game.key(after)
                    if key in seen or key in ended:
                        continue
                    seen.add(key)
                    value = self._value(after, side)
                    if game.side(after) == side and game.turn(after) == turn:
                        beam.append((value, (way, step), after))
                    elif value < WIN:
                        ended[key] = (value, (way, step), after)
                    else:
                        return iter([Turn(value, steps_of((way, step)), after)])
            beam.sort(key=lambda one: -one[0])
            frontier = [(way, position) for _, way, position in beam[:width]]
        best = sorted(ended.items(), key=lambda one: -one[1][0])
        found = (
            Turn(value, steps_of(way), after)
            for key, (value, way, after) in best
            if key not in self._lost
        )
        return islice(found, most)

    def follow(self, state: Any, moves: tuple[Step, ...]) -> float | None:
        """See `Search.follow`."""
        self._spend()
        game, after = self.game, state
        side, turn = game.side(state), game.turn(state)
        for step in moves:
            has_ended = game.side(after) != side or game.turn(after) != turn
            if has_ended or step not in game.legal(after):
                return None
            after = game.after(after, step)
        if game.side(after) != side or game.turn(after) != turn:
            value = game.value(after, side)
        elif game.finish(after):
            value = WIN
        else:
            return None
        if value >= WIN:
            self._lost.add(game.key(state))
        return value

    def step_of(self, move: Step) -> Step:
        """Return it: in plain Python the moves are the steps."""
        return move

    def _legal(self, state: Any) -> Sequence[Step]:
        """List the steps, beginning anywhere: of equal ones a beam keeps those that come first."""
        steps = self.game.legal(state)
        begin = int(self.rng.random() * len(steps))
        return (*steps[begin:], *steps[:begin])


class Killers:
    """Turns that were good against others, those first that were so last."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._turns: list[tuple[Any, ...]] = []

    def add(self, moves: tuple[Any, ...]) -> None:
        """Try this one first from now on."""
        if moves in self._turns:
            self._turns.remove(moves)
        self._turns.insert(0, moves)
        del self._turns[KILLERS:]

    def value(self, state: Any, least: float) -> float | None:
        """Return what one of them is worth here, if that is at least so much; None: none is."""
        for moves in self._turns:
            value = self._search.follow(state, moves)
            if value is not None and value >= least:
                self.add(moves)
                return value
        return None


class Thought:
    """One search for a choice, and the best that it has found so far."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.best: Turn | None = None
        self.plan: tuple[Step, ...] = ()  # a win in the turn
        self._answers, self._replies = Killers(search), Killers(search)

    def answered(self, turn: Turn, side: int, wide: Pass, best: float) -> float:
        """Return the value of a turn after the best answer to it, and the best reply to that.

        A turn that an answer makes no better than the `best` so far is not looked at further: it
        may be far worse, and so must not seem as good.
        """
        search, after = self.search, turn.place
        if search.side(after) in (OVER, side):  # over, or a team mate goes on
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
        """Return the value of an answer after the best reply to it, or `worst`: it is no worse."""
        then = answer.place
        if self.search.side(then) != side:
            return -answer.value
        if worst < WIN and self._replies.value(then, worst) is not None:
            return worst
        reply = next(self.search.turns(then, wide.reply, 1))
        self._replies.add(reply.moves)
        return min(reply.value, THREAT)


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
    """Look once with beams of one width; interrupted before there is something new: `before`."""
    search = thought.search
    side = search.side(state)
    hunt = search.hunt(state, wide.hunt)
    if hunt.is_won:
        thought.plan = hunt.win
        return {hunt.win[0]: WIN}
    turns = search.turns(state, wide.width, SPARE * wide.turns)
    first = [*islice(turns, 1)]
    if first and first[0].value >= WIN:
        return {search.step_of(first[0].moves[0]): WIN}
    values: dict[Step, float] = {}
    best, safe = -WIN - 1, 0
    try:
        for turn in _with_best(thought, chain(first, turns)):
            value = thought.answered(turn, side, wide, best)
            step = search.step_of(turn.moves[0])
            values[step] = max(value, values.get(step, -WIN))
            if value > best:
                best, thought.best = value, turn
            safe += value > LOST
            if safe == wide.turns:
                break
    except Spent:
        if (len(values) < 2 and best > LOST) or not values:
            raise
        search.is_over = True
        if best <= LOST:  # what seemed best before is lost: anything else that was looked at then
            return before | values
    lost = {step: value for step, value in before.items() if value <= LOST}
    return lost | values


def _with_best(thought: Thought, turns: Iterable[Turn]) -> Iterator[Turn]:
    """Yield the best turn so far, then others: an interrupted pass knows no less than before."""
    best, key_of = thought.best, thought.search.key
    if best is None:
        yield from turns
        return
    yield best
    key = key_of(best.place)
    yield from (turn for turn in turns if key_of(turn.place) != key)


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
