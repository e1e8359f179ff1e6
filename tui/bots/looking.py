"""Questions to a bot about what a step leads to, and conclusions from the answers.

Each look is a generator that yields questions and is sent judgements, so this module stays
pure; judging.py runs the bots.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, NamedTuple

from kumite.core.game import Seat, Step
from kumite.core.match import Match
from kumite.store.evaluations import Judged
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import Question, question, sides_of, worth_at_end

MOST_REST: Final = 8  # further steps of a turn that are looked at


class Answer(NamedTuple):
    """The best step of another seat in a position."""

    match: Match
    seat: Seat
    step: Step
    plan: tuple[Step, ...] = ()  # all steps of the turn, if it wins in it


class Worth(NamedTuple):
    """The value of a step and the best answer to it."""

    value: float | None
    answer: Answer | None = None


def worth_after(match: Match, seat: Seat, step: Step) -> Generator[Question, Judged, Worth]:
    """Find the value of a step for the seat that makes it, in games without secrets.

    Unknown with more than two sides, if an opponent acts next: it can only judge its own chances.
    """
    setup, after = match.setup, _unforced(match.play(seat, step))
    if (end := worth_at_end(after, seat)) is not None:
        return Worth(end)
    asked = advice.asked_seat(after, None)
    if asked is None:
        return Worth(None)
    judged = yield question(after, asked)
    is_same = setup.side_of(asked) == setup.side_of(seat)
    answer = None if is_same else Answer(after, asked, judged.step, judged.plan)
    if judged.value is None or (not is_same and sides_of(match) > 2):
        return Worth(None, answer)
    return Worth(judged.value if is_same else 1 - judged.value, answer)


class Outlook(NamedTuple):
    """The consequences of a step: the rest of the turn, and the best answer to it."""

    rest: tuple[Step, ...] = ()  # the best further steps of the same side
    answer: Answer | None = None  # None: nobody answers, or it is unknown


def outlook(match: Match, seat: Seat, step: Step) -> Generator[Question, Judged, Outlook]:
    """Find the consequences of a step; unknown in games with secrets."""
    if match.game.SECRETS is not None:
        return Outlook()
    side, after = match.setup.side_of(seat), match.play(seat, step)
    rest: list[Step] = []
    while len(rest) <= MOST_REST:
        asked = advice.asked_seat(after, None)
        if asked is None:
            break
        legal = after.legal(asked)
        best, plan = legal[0], tuple[Step, ...]()
        if len(legal) > 1:
            judged = yield question(after, asked)
            best, plan = judged.step, judged.plan
        if match.setup.side_of(asked) != side:
            return Outlook(tuple(rest), Answer(after, asked, best, plan))
        rest.append(best)
        after = after.play(asked, best)
    return Outlook(tuple(rest))


def _unforced(match: Match) -> Match:
    """Return the next position with a choice, or the end."""
    while match.actors and len(legal := match.legal(match.actors[0])) == 1:
        match = match.play(match.actors[0], legal[0])
    return match
