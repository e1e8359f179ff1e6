"""A review of a match: the cost of each choice, each player's accuracy, and turning points.

Every position is judged by `strong`, with more simulations in shorter matches (evaluation.py).
The cost of a choice is the best step's value minus its own, either by the same search or by the
next position's value. If both are known, the smaller counts: two searches differ by more than
many errors cost. The costliest choices are looked at again, from the positions after the step
played and after the better one. Shorter looks come first: what they blame is provisional. Pure;
judging.py runs the bots.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from math import exp
from typing import Final, NamedTuple, TypeVar

from kumite.core.game import CHANCE, HOLE, Actor, Seat, Seats, Step
from kumite.core.match import Match
from kumite.store.evaluations import Judged
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import (
    Question,
    Values,
    question,
    sides_of,
    simulations_of,
    worth_at_end,
)
from kumite.tui.bots.looking import Answer, Worth, outlook, worth_after

T = TypeVar("T", float, float | None)
GOOD: Final = "good"
GRADES: Final = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))  # by least loss
STEEP: Final = 4.0  # a loss of 0.1 counts e ** -0.4, so 67 %
AGAIN: Final = 40, 8  # choices of people, of bots that are looked at again, the costliest first
SEEMS: Final = 0.01  # loss in either search from which a choice is looked at again
KEPT: Final = 0.8  # fraction of a loss that counts: the largest of many losses are partly chance
TOLD: Final = 3, 2  # turning points of people, of bots
MARKED: Final = 0.1  # least loss that is marked on a curve
LEAST: Final = 0.05  # smaller losses are no errors


def grade(lost: float) -> str:
    return next((word for least, word in GRADES if lost >= least), GOOD)


def accuracy(lost: Iterable[float]) -> float | None:
    """Return the accuracy of choices, 0 to 1: the mean of what each counts; None without any.

    A choice counts 1 if it lost nothing, and exponentially less with its loss.
    """
    counted = [exp(-STEEP * one) for one in lost]
    return sum(counted) / len(counted) if counted else None


class Chosen(NamedTuple):
    """A choice of a seat at position `number`, and what it lost of the winning chance."""

    number: int
    seat: Seat
    step: Step
    lost: float
    most: float  # the larger loss if there are two estimates; `lost` is the smaller
    after: int = 0  # steps of others who chose at once that were logged before this one

    @property
    def place(self) -> tuple[int, Seat]:
        return self.number, self.seat

    @property
    def step_number(self) -> int:
        return self.number + 1 + self.after


@dataclass(frozen=True, slots=True)
class Turning:
    """A costly choice that was looked at again, and the better step."""

    match: Match  # before the choice, as its player saw it
    seat: Seat
    step: Step
    better: Step
    had: float  # winning chance after the better step
    left: float  # and after the step played
    plan: tuple[Step, ...] = ()  # the rest of the turn, if the better step wins in it
    answer: Answer | None = field(default=None, compare=False)  # the best one to the step played
    compared: tuple[tuple[Step, float], ...] = ()  # the compared steps with their values
    after: int = 0  # steps of others who chose at once that were logged before this one
    looked: int = field(default=0, compare=False)  # simulations for each position

    @property
    def place(self) -> tuple[int, Seat]:
        return self.number, self.seat

    @property
    def number(self) -> int:
        return self.match.number

    @property
    def step_number(self) -> int:
        return self.number + 1 + self.after

    @property
    def is_at_once(self) -> bool:
        """True if others chose at the same time."""
        return len(self.match.actors) > 1

    @property
    def lost(self) -> float:
        return max(0.0, self.had - self.left)

    @property
    def told(self) -> Turning:
        """Return the turning point with the loss reduced to KEPT, unless a value is certain."""
        if {self.had, self.left} & {0.0, 1.0}:
            return self
        return replace(self, left=self.had - KEPT * self.lost)

    def said(self, names: Sequence[str]) -> str:
        return f"step {self.step_number} cost {names[self.seat]} {advice.percent(self.lost)}"


Costly = TypeVar("Costly", Chosen, Turning)


class Review:
    """The costs of a match's choices, as far as its positions have been judged."""

    def __init__(
        self,
        match: Match,
        eyes: Seats | None,
        people: Seats,
        simulations: int | None = None,
        values: Values | None = None,
    ) -> None:
        """Review `match` in the view `eyes` (None: each choice in the view of its player).

        Most turning points are choices of `people`, or of all players if that is empty.
        `simulations` is the number for each position. If `values` is given, only its choices
        are reviewed, with its own number.
        """
        self.match = match
        game = match.game
        self.has_secrets = game.SECRETS is not None
        everybody = frozenset(map(Seat, range(match.setup.seats)))
        self.people = people or everybody
        # With secrets, seats that choose at once are each asked about their own choice.
        alone = [frozenset({seat}) for seat in sorted(everybody if eyes is None else eyes)]
        whose = alone if self.has_secrets else [None]
        if values is None:
            self.simulations = simulations or simulations_of(match)
            self.values = tuple(Values(match, own, self.simulations) for own in whose)
        else:
            self.simulations, self.values = values.simulations, (values,)
        self.again: dict[tuple[int, Seat], Turning] = {}  # second looks, by position and seat,
        self.brief: dict[tuple[int, Seat], Turning] = {}  # and shorter ones, which may be mistaken
        self._own: dict[Seat, Match] = {}  # the match as each seat saw it
        self.length = self.simulations
        self.stage = ""  # in words: which of several looks at all is under way

    # --- every choice ---------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return sum(len(values.asked) for values in self.values)

    @property
    def done(self) -> int:
        return self.count - sum(len(values.left) for values in self.values)

    def take(self, simulations: int) -> None:
        """Set the simulations of the present look: what is done, left and unseen depends on it."""
        self.length = simulations
        for values in self.values:
            values.simulations = simulations

    @property
    def briefly(self) -> str:
        return " briefly" * (self.length < self.simulations)

    @cached_property
    def chosen(self) -> tuple[Chosen, ...]:
        """Return the choices with a known cost so far, in the order of the match.

        Positions with one legal step are no choices. `learn` renews it.
        """
        return tuple(sorted(found for values in self.values for found in _chosen(values)))

    @cached_property
    def suspects(self) -> tuple[int, ...]:
        """Return the indices in `chosen` to look at again, costliest first."""
        found = [one for one in self.chosen if one.most >= SEEMS]
        costliest = self._first(sorted(found, key=lambda one: -one.lost - one.most), AGAIN)
        return tuple(map(self.chosen.index, costliest))

    def _first(self, found: Iterable[Costly], most: tuple[int, int]) -> list[Costly]:
        """Return the first choices of people and the first of bots, up to `most` of each."""
        both: tuple[list[Costly], list[Costly]] = [], []
        for one in found:
            both[one.seat not in self.people].append(one)
        return [one for some, count in zip(both, most, strict=True) for one in some[:count]]

    def learn(self) -> None:
        for name in ("chosen", "suspects"):
            self.__dict__.pop(name, None)

    @property
    def unseen(self) -> list[int]:
        """Return the suspects that have not been looked at again at the present length."""
        seen = {place for place, one in self.brief.items() if one.looked >= self.length}
        return [at for at in self.suspects if self.chosen[at].place not in seen | self.again.keys()]

    # --- looking again --------------------------------------------------------------------------

    def look(self, at: int) -> Generator[Question, Judged, None]:
        """Look again at a choice: yields questions and is sent the answers."""
        chosen, length = self.chosen[at], self.length
        found = self.again if length >= self.simulations else self.brief
        match = self.seen(chosen.number, chosen.seat)
        judged = yield question(match, chosen.seat)
        if judged.value is None or chosen.step in (judged.step, judged.advised):
            nothing = Turning(match, chosen.seat, chosen.step, chosen.step, 0, 0, looked=length)
            found[chosen.place] = nothing
            return
        had, left, answer = judged.value, judged.worth(chosen.step), None
        if not self.has_secrets:
            after = yield from worth_after(match, chosen.seat, chosen.step)
            better = yield from worth_after(match, chosen.seat, judged.step)
            if after.value is not None and better.value is not None:
                had, left = better.value, after.value
            answer = after.answer
            if answer is None and left is not None and had - left >= LEAST:
                answer = (yield from outlook(match, chosen.seat, chosen.step)).answer
        else:
            had = _sure(match, chosen.seat, judged.step, had)
            left = _sure(match, chosen.seat, chosen.step, left)
        if left is None:
            left = max(0.0, had - chosen.lost)
        best = judged.step, had, left, judged.plan, answer, judged.compared, chosen.after, length
        found[chosen.place] = Turning(match, chosen.seat, chosen.step, *best)

    def seen(self, number: int, seat: Seat) -> Match:
        if seat not in self._own:
            own = self.match.seen_by(frozenset({seat})) if self.has_secrets else self.match
            self._own[seat] = own
        return self._own[seat].back(number)

    def came_of(self, turning: Turning) -> tuple[Match, ...]:
        """Return the position after the step played; if others chose at once, what was revealed."""
        after = self.seen(self.match.number, turning.seat).line()[turning.number + 1 :]
        chosen = after[len(turning.match.actors) - 1 :]
        revealed = takewhile(lambda one: _actor(one) == CHANCE, chosen[1:])
        return (*revealed,) or chosen[:1] if turning.is_at_once else after[:1]

    def trial(self, turning: Turning, step: Step) -> Generator[Question, Judged, Worth]:
        compared = dict(turning.compared).get(step)
        if self.has_secrets:
            return Worth(_sure(turning.match, turning.seat, step, compared))
        found = yield from worth_after(turning.match, turning.seat, step)
        return found if found.value is not None else Worth(compared)

    # --- what it comes to -----------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(sorted({seat for values in self.values for seat in values.asked.values()}))

    @property
    def is_over(self) -> bool:
        return not (self.briefly or self.unseen) and self.done == self.count

    def losses(self, seat: Seat) -> list[float]:
        """Return the loss of each choice of a seat; second looks take precedence."""
        again = {one.place: one.lost for one in self._looked(self.again)}
        return [again.get(one.place, one.lost) for one in self.chosen if one.seat == seat]

    @property
    def turnings(self) -> tuple[Turning, ...]:
        return self.first([one for one in self.blamed if one.place in self.again])

    @property
    def blamed(self) -> list[Turning]:
        """Return all that is costly as far as has been looked, the costliest first."""
        places = {self.chosen[at].place for at in self.suspects}
        brief = {place: one for place, one in self.brief.items() if place in places}
        looked = self._looked(brief | self.again)
        return sorted((one for one in looked if one.lost >= LEAST), key=lambda one: -one.lost)

    def first(self, costly: Iterable[Turning]) -> tuple[Turning, ...]:
        return tuple(sorted(self._first(costly, TOLD), key=lambda one: one.number))

    @property
    def marks(self) -> tuple[Turning, ...]:
        """Return the costly choices for a curve, in the order of the match."""
        return tuple(one for one in self._looked(self.again) if one.lost >= MARKED)

    def _looked(self, found: Mapping[tuple[int, Seat], Turning]) -> list[Turning]:
        looked = sorted((one.told for one in found.values()), key=lambda one: one.number)
        return [self._mended(one, looked[at + 1 :]) for at, one in enumerate(looked)]

    def _mended(self, turning: Turning, later: Iterable[Turning]) -> Turning:
        """Credit a turning point with what its player could still achieve later in the turn."""
        line, left = self.match.line(), turning.left
        for one in later:
            if all(match.actors == (turning.seat,) for match in line[turning.number : one.number]):
                left = max(left, one.had) if one.seat == turning.seat else left
        return replace(turning, left=left)


def _sure(match: Match, seat: Seat, step: Step, judged: T) -> float | T:
    """Return the exact value of a step that ends the match, else the estimate `judged`."""
    end = worth_at_end(match.play(seat, step), seat)
    return judged if end is None else end


def _chosen(values: Values) -> Iterable[Chosen]:
    known = values.known()
    for number, seat in values.asked.items():
        after, step = _step_of(values.line[number + 1 :], seat)
        if number not in values.judged or step is None:
            continue
        losses = _losses(values, number, step, known)
        if losses:
            yield Chosen(number, seat, step, min(losses), max(losses), after)


def _step_of(line: Sequence[Match], seat: Seat) -> tuple[int, Step | None]:
    """Return the next step of a seat, None if there is none or it is hidden, and its index."""
    for index, match in enumerate(line):
        if match.last is not None and match.last.actor == seat:
            return index, None if HOLE in match.last.step else match.last.step
        if _actor(match) == CHANCE:
            break
    return 0, None


def _actor(match: Match) -> Actor | None:
    return None if match.last is None else match.last.actor


def _losses(values: Values, number: int, step: Step, known: Mapping[int, float]) -> list[float]:
    """Return the loss of a step by each available estimate; [] if there is none."""
    judged = values.judged[number]
    if judged.value is None:
        return []
    if step in (judged.step, judged.advised):
        return [0.0]
    worths = judged.worth(step), _worth_next(values, number, known)
    return [max(0.0, judged.value - one) for one in worths if one is not None]


def _worth_next(values: Values, number: int, known: Mapping[int, float]) -> float | None:
    """Return the value of the next position for the player who led there, if it is known."""
    worth, setup = known.get(number + 1), values.match.setup
    if worth is None:
        return None
    if setup.side_of(values.asked[number]) == setup.side_of(values.subject):
        return worth
    return 1 - worth if sides_of(values.match) == 2 else None
