"""Have a bot judge the positions of a match, and cache the results: for reviews, hints, the tutor.

A review judges every position, first briefly, and looks again at choices that seem costly.
Where a game's loops are compiled, the time stays the same and the number of simulations grows.
Whatever asks a bot raises KumiteError if that fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple, TypeVar

from kumite.core.bots import Choice, mixes, usual
from kumite.core.game import Seat, Step
from kumite.core.match import Match
from kumite.store import evaluations
from kumite.store.evaluations import Judged, longer
from kumite.tui.bots import kernels
from kumite.tui.bots.advice import LEVEL, alternative, choice_of, ranked, without_figures
from kumite.tui.bots.evaluation import Question, Values, judgement, key_of, question, simulations_of
from kumite.tui.bots.first_looks import shipped
from kumite.tui.bots.looking import Outlook, Worth, outlook, worth_after
from kumite.tui.bots.review import GRADES, LEAST, Review
from kumite.tui.bots.service import BotService

T = TypeVar("T")
KEEP: Final = 20  # positions between saves
BLUNDER: Final = GRADES[0][0]  # loss of winning chance
BRIEF: Final = 5  # divisor of the simulations for a brief look
GLANCE: Final = 40  # divisor of those of plain Python for a first look at a whole match
HINT: Final = 2.0  # s of thought for a hint,
LONGEST: Final = 4.0  # s if the best step is not clear by then
PART: Final = 3  # what follows a hint is searched with 1/PART of the simulations of `strong`


def simulations_a_second(game_id: str) -> int:
    """Return the approximate number of simulations a second on this machine."""
    return kernels.times_as_fast(game_id) * usual(LEVEL, game_id)


def simulations_here(match: Match) -> int:
    return kernels.times_as_fast(match.game.ID) * simulations_of(match)


class Judge:
    """The one evaluation of each position of a match, for all that ask; longer ones stay."""

    def __init__(self, player: BotService, match_id: str = "") -> None:
        """Use and keep the evaluations of `match_id`; "" keeps none beyond this judge."""
        self.player, self.match_id = player, match_id
        self.kept: dict[str, Judged] = {}
        self._best: dict[str, Judged] = {}  # those kept, or better by what their seats reached
        self._after: dict[str, dict[str, Step]] = {}  # the later positions of each, and the steps
        self.load()

    def load(self) -> None:
        """Load the evaluations saved by other programs since."""
        if self.match_id:
            for key, judged in evaluations.load(self.match_id).items():
                self._add(key, judged)

    def save(self) -> None:
        if self.match_id:
            evaluations.save(self.match_id, self.kept)

    def known(self, asked: Question) -> Judged | None:
        """Return the longest evaluation so far, kept or shipped; None if there is none."""
        if (first := shipped(asked.position)) is not None:
            self._add(asked.key, replace(first, origins=asked.origins))
        return self.best(asked.key)

    def best(self, key: str) -> Judged | None:
        """Return the longest evaluation of a position, raised by where its seat's steps led."""
        return self._best.get(key)

    def add(self, asked: Question, choice: Choice, simulations: int) -> Judged:
        """Add a bot's choice; return the longest evaluation."""
        position = asked.position
        is_mixed = mixes(position.game)
        judged = judgement(choice, position.seat, simulations, is_mixed=is_mixed)
        self._add(asked.key, replace(judged, origins=asked.origins))
        return self.known(asked) or judged

    def advised(self, match: Match, seat: Seat, choice: Choice) -> Choice:
        """Return a choice as it is shown as a hint, and keep that its step was advised.

        Of a mixed choice a person is advised the likeliest step, not one drawn by lot.
        """
        if mixes(match.game) and choice.lines:
            choice = replace(choice, step=ranked(choice, is_mixed=True)[0].step)
        asked = question(match, seat)
        if (judged := self.known(asked)) is not None:
            kept = self.kept.get(asked.key, judged)
            self._add(asked.key, replace(kept, advised=choice.step))
            self.save()
        return without_figures(match, choice)

    async def look(
        self,
        asked: Question,
        simulations: int,
        seconds: float | None = None,
        early: float | None = None,
    ) -> Judged:
        """Return an evaluation of at least this length; `seconds` and `early` may cut it short."""
        known = self.known(asked)
        if known is not None and known.looked >= simulations:
            return known
        choice = await self.player.choose(
            LEVEL,
            asked.position,
            seed=asked.seed,
            simulations=simulations,
            seconds=seconds,
            early=early,
        )
        return self.add(asked, choice, simulations)

    async def answered(self, looking: Generator[Question, Judged, T], simulations: int) -> T:
        """Run a generator of questions with evaluations of at least this length."""
        try:
            asked = next(looking)
            while True:
                asked = looking.send(await self.look(asked, simulations))
        except StopIteration as end:
            found: T = end.value
            return found

    def _add(self, key: str, judged: Judged) -> None:
        self.kept[key] = longer(judged, self.kept.get(key))
        for before, step in self.kept[key].origins:
            self._after.setdefault(before, {})[key] = step
        changed = [key]
        for at in changed:
            if (found := self.kept.get(at)) is None:
                continue
            for later, step in self._after.get(at, {}).items():
                found = found.after(step, self._best[later])
            if found != self._best.get(at):
                self._best[at] = found
                changed += [before for before, _ in found.origins]


async def hint(judge: Judge, match: Match, seat: Seat, a_second: int = 0) -> Choice:
    """Return the step to advise a seat in a position seen by it, after HINT seconds if it is clear.

    Otherwise after LONGEST seconds; `a_second` is the number of simulations a second, if known.
    """
    asked, a_second = question(match, seat), a_second or simulations_a_second(match.game.ID)
    if mixes(match.game):  # solved: as soon found as recalled, and drawn anew
        return await judge.player.choose(LEVEL, asked.position, seed=asked.seed, seconds=HINT)
    known = judge.known(asked)
    if known is None or known.looked < round(HINT * a_second):
        known = await judge.look(asked, round(LONGEST * a_second), LONGEST, HINT)
    return choice_of(known)


async def look_ahead(judge: Judge, match: Match, seat: Seat, choice: Choice) -> dict[Step, Outlook]:
    """Return what follows a hint's step, and the best of the others."""
    other = alternative(choice, is_mixed=mixes(match.game))
    simulations = max(1, usual(LEVEL, match.game.ID) // PART)
    return {
        step: await judge.answered(outlook(match, seat, step), simulations)
        for step in (choice.step, *([] if other is None else [other.step]))
    }


def recall(review: Review, judge: Judge) -> None:
    """Load the kept evaluations, however short; if all are long, the second looks, too."""
    for values in review.values:
        for number in values.left:
            if (found := judge.known(values.question(number))) is not None:
                values.judged[number] = found
    review.learn()
    if review.done < review.count:
        return

    def answer(asked: Question) -> Judged:
        known = judge.known(asked)
        if known is None or known.looked < review.simulations:
            raise LookupError(asked.key)
        return known

    for at in review.suspects:
        with suppress(LookupError):  # not looked at yet
            follow(review.look(at), answer)


async def look_back(judge: Judge, review: Review, tell: Callable[[], None] = lambda: None) -> None:
    """Judge all positions of a review, and look again at its suspects.

    Each of several looks at all is longer, and begins with what seems costly, so that there is soon
    something to read. `tell` is called after each. On cancellation, results so far are kept.
    """
    recall(review, judge)
    _learn(judge, review)
    looks = lengths(review)
    try:
        for number, length in enumerate(looks, 1):
            review.take(length)
            review.stage = f" (look {number} of {len(looks)})" * (len(looks) > 1)
            if number > 1:
                tell()  # else the last count of the shorter look would stay
            await _look_again(judge, review, tell, LEAST)
            while order := _in_order(review):  # again where compiled loops were not there yet
                for fresh, (values, number) in enumerate(order, 1):
                    values.judged[number] = await judge.look(values.question(number), length)
                    _learn(judge, review)
                    if fresh % KEEP == 0:
                        judge.save()
                    tell()
                    await _look_again(judge, review, tell, LEAST)
        while review.unseen:
            await _look_again(judge, review, tell)
            _learn(judge, review)
        review.again.clear()  # what was found last may have raised what was looked at first
        recall(review, judge)
    finally:
        _learn(judge, review)
        review.take(review.simulations)
        judge.save()


def _learn(judge: Judge, review: Review) -> None:
    """Take over what positions are worth by now: a later one can have raised earlier ones."""
    for values in review.values:
        for number, judged in values.judged.items():
            key = key_of(values.line[number], values.asked[number])
            values.judged[number] = judge.best(key) or judged
    review.learn()


def lengths(review: Review) -> list[int]:
    """Return the simulations of each look: a glance, what plain Python has time for, and all.

    No shorter ones if all is known, or of a solved game, which takes no longer at once.
    """
    game, whole = review.match.game, review.simulations
    plain = whole // kernels.times_as_fast(game.ID)
    brief = [] if mixes(game) or review.done == review.count else [plain // GLANCE, plain]
    return sorted({one for one in (*brief, whole) if one})


def _in_order(review: Review) -> list[tuple[Values, int]]:
    """Return the positions still to be judged, before and after the costliest choices first."""
    places = [review.chosen[at].number + more for at in review.suspects for more in (0, 1)]
    rank = {number: at for at, number in reversed([*enumerate(places)])}
    left = [(values, number) for values in review.values for number in values.left]
    left = left[::-1] if review.briefly else left  # short looks see most near the end
    return sorted(left, key=lambda one: rank.get(one[1], len(places)))


async def _look_again(
    judge: Judge, review: Review, tell: Callable[[], None], least: float = 0.0
) -> None:
    """Look again at the suspects that seem to have cost at least this much.

    Not before both positions beside them have been judged: the smaller loss counts.
    """
    open_ = {number for values in review.values for number in values.left}
    places = {at: review.chosen[at].number for at in review.unseen}
    due = [at for at, number in places.items() if not open_ & {number, number + 1}]
    for at in [at for at in due if review.chosen[at].lost >= least]:
        await judge.answered(review.look(at), review.length)
        tell()


def follow(looking: Generator[Question, Judged, T], answer: Callable[[Question], Judged]) -> T:
    """Run a generator of questions with immediate answers, and return its result."""
    try:
        asked = next(looking)
        while True:
            asked = looking.send(answer(asked))
    except StopIteration as end:
        found: T = end.value
        return found


def look_back_at_all(review: Review, match_id: str, tell: Callable[[], None]) -> None:
    """Run a whole review, for programs without an event loop."""

    async def working() -> None:
        service = BotService()
        try:
            await look_back(Judge(service, match_id), review, tell)
        finally:
            service.close()

    asyncio.run(working())


# --- The tutor --------------------------------------------------------------------------------


class Blunder(NamedTuple):
    """The cost of a step: the winning chances without it and with it."""

    step: Step
    better: Step
    had: float
    left: float
    wins: bool = False  # whether the match can be won in this turn
    ahead: Outlook = Outlook()  # what follows the step


class Tutor:
    """Checks whether a step about to be made is a blunder, for the seat that has to choose.

    It judges each position in advance, so that most steps need no wait. A step that seems costly is
    looked at again, first briefly, then for as long as a turning point in a review.
    """

    def __init__(self, judge: Judge, match: Match, seat: Seat) -> None:
        self._judge, self._match, self._seat = judge, match, seat
        self._simulations = max(1, usual(LEVEL, match.game.ID))
        self._judged: Judged | None = None
        self._judging = asyncio.Lock()

    async def prepare(self) -> Judged:
        """Judge the position, once; concurrent callers wait for the result."""
        async with self._judging:
            if self._judged is None:
                asked = question(self._match, self._seat)
                self._judged = await self._judge.look(asked, self._simulations)
                self._judge.save()
            return self._judged

    def is_fine(self, step: Step) -> bool:
        """True if a step is already known to cost little."""
        judged = self._judged
        if judged is None:
            return False
        if judged.value is None or step in (judged.step, judged.advised):
            return True
        worth = judged.worth(step)
        return worth is not None and judged.value - worth < BLUNDER

    async def blunder(self, step: Step) -> Blunder | None:
        """Return the cost of a step if it is a blunder; None if it is not or that is unknown."""
        judged = await self.prepare()
        if self.is_fine(step) or judged.value is None:
            return None
        had, left = judged.value, judged.worth(step)
        long, brief = self._simulations, max(1, self._simulations // BRIEF)
        if self._match.game.SECRETS is None:
            short = await self._worth(step, brief)
            if short.value is not None and had - short.value < BLUNDER:
                return None
            after = await self._worth(step, long)
            better = await self._worth(judged.step, long)
            if after.value is not None and better.value is not None:
                had, left = better.value, after.value
        if left is None or had - left < BLUNDER:
            return None
        ahead = await self._judge.answered(outlook(self._match, self._seat, step), brief)
        return Blunder(step, judged.step, had, left, bool(judged.plan), ahead)

    async def _worth(self, step: Step, simulations: int) -> Worth:
        looking = worth_after(self._match, self._seat, step)
        return await self._judge.answered(looking, simulations)
