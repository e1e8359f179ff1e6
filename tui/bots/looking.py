"""What a step leads to: what is asked of a bot about it, and what comes of the answers.

Everything that looks at a step is a generator: it yields what is to be asked and is sent what was
judged, so that it is pure, and who thinks is in judging.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.game import Seat
from kumite.tui.bots import advice
from kumite.tui.bots.evaluation import EVEN

if TYPE_CHECKING:
    from collections.abc import Generator

    from kumite.core.bots import Position
    from kumite.core.game import Step
    from kumite.core.match import Match
    from kumite.store.evaluations import Judged

MOST_REST: Final = 8  # steps of the rest of a turn that are looked at


class Question(NamedTuple):
    """A position that is to be looked at, and the name under which the answer is kept."""

    key: str
    position: Position
    seed: str


def question(match: Match, seat: Seat) -> Question:
    """Return the question what a seat should do at the end of a match as it sees it."""
    digest = match.digest.hex()
    key = f"{match.number}-{digest[:16]}-{seat}"
    return Question(key, advice.position_of(match, seat), digest)


class Worth(NamedTuple):
    """What a step turned out to be worth, and what is to be feared after it."""

    value: float | None
    answer: tuple[Seat, Step] | None = None


def worth_after(match: Match, seat: Seat, step: Step) -> Generator[Question, Judged, Worth]:
    """Find out what a step is worth to who makes it; nothing is hidden from them.

    With more than two sides the next to act can only say what it is worth to themselves.
    """
    setup, after = match.setup, _unforced(match.play(seat, step))
    if (end := worth_at_end(after, seat)) is not None:
        return Worth(end)
    asked = advice.asked_seat(after, None)
    if asked is None:
        return Worth(None)
    judged = yield question(after, asked)
    is_same = setup.side_of(asked) == setup.side_of(seat)
    if judged.value is None or (not is_same and sides_of(match) > 2):
        return Worth(None)
    value = judged.value if is_same else 1 - judged.value
    return Worth(value, None if is_same else (asked, judged.step))


def worth_at_end(match: Match, seat: Seat) -> float | None:
    """Return what the end of a match is worth to a seat: 1, 0 or its share; None before it."""
    if match.outcome is None:
        return None
    side_of = match.setup.side_of
    sides = {side_of(winner) for winner in match.outcome.winners}
    if not sides:
        return EVEN
    return 1 / len(sides) if side_of(seat) in sides else 0.0


class Answer(NamedTuple):
    """What another seat does best in a position."""

    match: Match
    seat: Seat
    step: Step


class Outlook(NamedTuple):
    """What a step leads to: how the turn goes on, and what is to be feared at its end."""

    rest: tuple[Step, ...] = ()  # the best steps of the same side after it
    answer: Answer | None = None  # None: nobody can answer, or nobody knows how


def outlook(match: Match, seat: Seat, step: Step) -> Generator[Question, Judged, Outlook]:
    """Find out what a step leads to; where seats have secrets nobody here knows."""
    if match.game.SECRETS is not None:
        return Outlook()
    side, after = match.setup.side_of(seat), match.play(seat, step)
    rest: list[Step] = []
    while len(rest) <= MOST_REST:
        asked = advice.asked_seat(after, None)
        if asked is None:
            break
        legal = after.legal(asked)
        best = legal[0] if len(legal) == 1 else (yield question(after, asked)).step
        if match.setup.side_of(asked) != side:
            return Outlook(tuple(rest), Answer(after, asked, best))
        rest.append(best)
        after = after.play(asked, best)
    return Outlook(tuple(rest))


def _unforced(match: Match) -> Match:
    """Return the next position in which there is a choice, or the end."""
    while match.actors and len(legal := match.legal(match.actors[0])) == 1:
        match = match.play(match.actors[0], legal[0])
    return match


def sides_of(match: Match) -> int:
    """Return how many sides play."""
    return len({match.setup.side_of(Seat(seat)) for seat in range(match.setup.seats)})
