"""A match looked back at: what each choice cost, how well each player chose, where it turned.

Every position is judged by `strong`, the longer the fewer there are (evaluation.py). A choice has
cost what the best step promised more, by the same search, or by what the next position turned out
to be worth; where both are known, the smaller: two searches differ by more than many errors cost.
What seems to have cost most is looked at again, from the positions after what was played and after
what was better. Pure; who thinks is in judging.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from kumite.core.game import CHANCE, HOLE, Seat
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import Values, simulations_of
from kumite.tui.bots.looking import Worth, question, sides_of, worth_after, worth_at_end

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping, Sequence

    from kumite.core.game import Seats, Step
    from kumite.core.match import Match
    from kumite.store.evaluations import Judged
    from kumite.tui.bots.looking import Question

T = TypeVar("T", float, float | None)
GOOD: Final = "good"
GRADES: Final = ((0.2, "blunder"), (0.1, "mistake"), (0.05, "inaccuracy"))  # from this loss on
STEEP: Final = 4.0  # a choice that cost a tenth of the chances counts e ** -0.4, so 67 %
AGAIN: Final = 40  # choices that are looked at again, those that seem to have cost most
SEEMS: Final = 0.01  # where both searches see less, nothing is looked at again
KEPT: Final = 0.8  # of such a loss: what seems to cost most among many does so by chance as well
TOLD: Final = 3  # turning points
MARKED: Final = 0.1  # what a choice has cost that a curve is marked with
LEAST: Final = 0.05  # a smaller loss is none


def grade(lost: float) -> str:
    """Return the word for a choice that has cost so much of the chance to win."""
    return next((word for least, word in GRADES if lost >= least), GOOD)


def accuracy(lost: Iterable[float]) -> float | None:
    """Return how well somebody chose, 0 to 1: the mean over their choices of what each counts.

    A choice that cost nothing counts 1, others less and less; None: there was nothing to choose.
    """
    counted = [exp(-STEEP * one) for one in lost]
    return sum(counted) / len(counted) if counted else None


class Chosen(NamedTuple):
    """A choice: made by a seat at position `number`, and what it has cost of the chance to win."""

    number: int
    seat: Seat
    step: Step
    lost: float
    most: float  # and what it has cost by that of two searches that sees more


@dataclass(frozen=True, slots=True)
class Turning:
    """A choice with which a match turned, looked at again, and what was better."""

    number: int  # of the position in which it was made
    seat: Seat
    step: Step
    better: Step
    had: float  # the chance to win after what was better
    left: float  # and after what was played
    plan: tuple[Step, ...] = ()  # the rest of the turn, if what was better wins in it
    answer: tuple[Seat, Step] | None = None  # what is to be feared after what was played
    compared: tuple[tuple[Step, float], ...] = ()  # steps and their values before it

    @property
    def lost(self) -> float:
        """Return what it has cost."""
        return max(0.0, self.had - self.left)

    @property
    def told(self) -> Turning:
        """Return what is told of it: KEPT of the loss, unless that is certain."""
        if {self.had, self.left} & {0.0, 1.0}:
            return self
        return replace(self, left=self.had - KEPT * self.lost)

    def said(self, names: Sequence[str]) -> str:
        """Return it in words: `step 23 cost ada 31 %`."""
        return f"step {self.number + 1} cost {names[self.seat]} {advice.percent(self.lost)}"


class Review:
    """What the choices of a match have cost, as far as its positions have been judged."""

    def __init__(
        self,
        match: Match,
        eyes: Seats | None,
        people: Seats,
        simulations: int | None = None,
        values: Values | None = None,
    ) -> None:
        """Look back at `match` from `eyes` (None: at each choice as who made it saw it).

        Turning points are told of the choices of `people`; of everybody's if there are none.
        `simulations` are those for each position. With `values`, which have their own, it is the
        choices that these know of, and no others.
        """
        self.match = match
        game = match.game
        self.has_secrets = game.SECRETS is not None
        everybody = frozenset(map(Seat, range(match.setup.seats)))
        self.told = people or everybody
        # Each of several who choose at once is asked, so each for themselves.
        alone = [frozenset({seat}) for seat in sorted(everybody if eyes is None else eyes)]
        whose = alone if self.has_secrets else [None]
        if values is None:
            self.simulations = simulations or simulations_of(match)
            self.values = tuple(Values(match, own, self.simulations) for own in whose)
        else:
            self.simulations, self.values = values.simulations, (values,)
        self.again: dict[int, Turning] = {}  # by the place in `chosen` of what was looked at again

    # --- every choice ---------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """Return how many positions are to be judged."""
        return sum(len(values.asked) for values in self.values)

    @property
    def done(self) -> int:
        """Return how many have been."""
        return sum(len(values.judged) for values in self.values)

    @cached_property
    def chosen(self) -> tuple[Chosen, ...]:
        """Return the choices of which it is known what they cost, in the order of the match.

        To be asked when all positions are judged; whoever had one legal step has not chosen.
        """
        return tuple(sorted(found for values in self.values for found in _chosen(values)))

    @cached_property
    def suspects(self) -> tuple[int, ...]:
        """Return the places in `chosen` of what is to be looked at again, the costliest first."""
        found = [
            at for at, one in enumerate(self.chosen) if one.seat in self.told and one.most >= SEEMS
        ]
        costs = {at: self.chosen[at].lost + self.chosen[at].most for at in found}
        return tuple(sorted(found, key=lambda at: -costs[at])[:AGAIN])

    # --- looking again --------------------------------------------------------------------------

    def look(self, at: int) -> Generator[Question, Judged, None]:
        """Look again at a choice: yield what is to be asked, and be sent the answers."""
        chosen = self.chosen[at]
        match = self.seen(chosen.number, chosen.seat)
        judged = yield question(match, chosen.seat)
        if judged.value is None or judged.step == chosen.step:
            self.again[at] = Turning(chosen.number, chosen.seat, chosen.step, chosen.step, 0, 0)
            return
        had, left, answer = judged.value, judged.worth(chosen.step), None
        if not self.has_secrets:
            after = yield from worth_after(match, chosen.seat, chosen.step)
            better = yield from worth_after(match, chosen.seat, judged.step)
            if after.value is not None and better.value is not None:
                had, left = better.value, after.value
            answer = after.answer
        else:
            had = _sure(match, chosen.seat, judged.step, had)
            left = _sure(match, chosen.seat, chosen.step, left)
        if left is None:
            left = max(0.0, had - chosen.lost)
        self.again[at] = Turning(
            chosen.number,
            chosen.seat,
            chosen.step,
            judged.step,
            had,
            left,
            judged.plan,
            answer,
            judged.compared,
        )

    def seen(self, number: int, seat: Seat) -> Match:
        """Return the match up to a position as a seat saw it."""
        own = frozenset({seat})
        is_theirs = not self.has_secrets or self.match.by == own
        return (self.match if is_theirs else self.match.seen_by(own)).back(number)

    def trial(self, turning: Turning, step: Step) -> Generator[Question, Judged, Worth]:
        """Find out what another step would have been worth in place of a turning point."""
        compared = dict(turning.compared).get(step)
        match = self.seen(turning.number, turning.seat)
        if self.has_secrets:
            return Worth(_sure(match, turning.seat, step, compared))
        found = yield from worth_after(match, turning.seat, step)
        return found if found.value is not None else Worth(compared)

    # --- what it comes to -----------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return whose choices are looked at."""
        return tuple(sorted({seat for values in self.values for seat in values.asked.values()}))

    @property
    def is_over(self) -> bool:
        """Return whether all has been looked at, also again."""
        return self.done == self.count and len(self.again) == len(self.suspects)

    def losses(self, seat: Seat) -> list[float]:
        """Return what each choice of a seat has cost; what was looked at again, by that."""
        return [
            self.again[at].told.lost if at in self.again else one.lost
            for at, one in enumerate(self.chosen)
            if one.seat == seat
        ]

    @property
    def turnings(self) -> tuple[Turning, ...]:
        """Return the choices that have cost most, in the order of the match."""
        costly = sorted(
            (one for one in self._looked if one.lost >= LEAST), key=lambda one: -one.lost
        )
        return tuple(sorted(costly[:TOLD], key=lambda one: one.number))

    @property
    def marks(self) -> tuple[Turning, ...]:
        """Return all that have cost much, for a curve, in the order of the match."""
        return tuple(one for one in self._looked if one.lost >= MARKED)

    @property
    def _looked(self) -> list[Turning]:
        """Return what was looked at again, in the order of the match."""
        looked = sorted((one.told for one in self.again.values()), key=lambda one: one.number)
        return [self._mended(one, looked[at + 1 :]) for at, one in enumerate(looked)]

    def _mended(self, turning: Turning, later: Iterable[Turning]) -> Turning:
        """Return a turning point that knows of what was still possible later in its turn."""
        line, left = self.match.line(), turning.left
        for one in later:
            if all(match.actors == (turning.seat,) for match in line[turning.number : one.number]):
                left = max(left, one.had) if one.seat == turning.seat else left
        return replace(turning, left=left)


def _sure(match: Match, seat: Seat, step: Step, judged: T) -> float | T:
    """Return what a step is worth if it ends the match, else what a bot judged by guessing."""
    end = worth_at_end(match.play(seat, step), seat)
    return judged if end is None else end


def _chosen(values: Values) -> Iterable[Chosen]:
    """Yield the choices made in the positions that these values know."""
    known = values.known()
    for number, seat in values.asked.items():
        step = _step_of(values.line[number + 1 :], seat)
        if number not in values.judged or step is None:
            continue
        losses = _losses(values, number, step, known)
        if losses:
            yield Chosen(number, seat, step, min(losses), max(losses))


def _step_of(line: Sequence[Match], seat: Seat) -> Step | None:
    """Return the next step of a seat, None if there is none, or it is not known."""
    for match in line:
        if match.last is not None and match.last.actor == seat:
            return None if HOLE in match.last.step else match.last.step
        if match.last is not None and match.last.actor == CHANCE:
            return None
    return None


def _losses(values: Values, number: int, step: Step, known: Mapping[int, float]) -> list[float]:
    """Return what a step has cost by each search that knows; none if nobody does."""
    judged = values.judged[number]
    if judged.value is None:
        return []
    if step == judged.step:
        return [0.0]
    worths = judged.worth(step), _worth_next(values, number, known)
    return [max(0.0, judged.value - one) for one in worths if one is not None]


def _worth_next(values: Values, number: int, known: Mapping[int, float]) -> float | None:
    """Return what the next position is worth to who has led there, if that is known."""
    worth, setup = known.get(number + 1), values.match.setup
    if worth is None:
        return None
    if setup.side_of(values.asked[number]) == setup.side_of(values.subject):
        return worth
    return 1 - worth if sides_of(values.match) == 2 else None
