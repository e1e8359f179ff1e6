"""A bot's advice for people: whom to ask about a position, its value, and why a step is good.

A bot is only asked to play a seat that is to act, with that seat's view. Pure functions;
service.py runs the bots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from kumite.core import bots
from kumite.core.bots import Choice, Line
from kumite.core.game import CHANCE, Seat, Seats, Step

if TYPE_CHECKING:
    from kumite.core.match import Match
    from kumite.store.evaluations import Judged

    Called = Callable[[Step], str]

LEVEL: Final = "strong"  # the level asked
LEAST_SHARE: Final = 0.005  # probability below which a step of a mixed choice is left out
MOST_PLANNED: Final = 3  # steps of a winning turn listed in a hint
GLANCED: Final = "the best as far as a bot sees"  # for a hint without figures
ABOUT: Final = 0.05  # of winning chance: less is no error in a review, and searches differ by it
BOUND: Final = 1e-5  # so close to the best is what was only shown to be no better
STEADY: Final = 0.03  # of winning chance: a result that changes by more is not settled
MOST_EVEN: Final = 2  # steps listed that are about even


def asked_seat(match: Match, eyes: Seats | None) -> Seat | None:
    """Return the seat to ask about the current position: the first of `eyes` whose turn it is.

    With `eyes` None, any seat. None if nobody or only chance acts, or if the match lacks the
    seat's view.
    """
    own = [eyes, match.by] if match.game.SECRETS is not None else []
    known = [seats for seats in own if seats is not None]
    asked = (Seat(int(actor)) for actor in match.actors if actor != CHANCE)
    return next((seat for seat in asked if all(seat in seats for seats in known)), None)


def choice_of(judged: Judged) -> Choice:
    """Return an evaluation as the choice that it was made of."""
    plan, shares = judged.plan, judged.shares or (1.0,) * len(judged.compared)
    lines = tuple(
        bots.Line(step, value, share, plan if step in plan[:1] else ())
        for (step, value), share in zip(judged.compared, shares, strict=True)
    )
    return bots.Choice(judged.step, judged.value, lines, looked=judged.looked)


def is_clear(choice: Choice, before: Choice) -> bool:
    """Return whether a longer search is not worth a wait, as `choice` is what was found `before`.

    If all others, or all, seem to lose, it may yet find a defence, or a reply to the only one.
    """
    value, had = choice.value or 0.0, before.value or 0.0
    is_same = choice.step == before.step and abs(value - had) <= STEADY
    is_open = any(one.value > bots.UNSURE for one in choice.lines[1:])
    return value == 1.0 or (is_same and is_open)


def worth(choice: Choice, *, is_mixed: bool) -> float | None:
    """Return the expected score of the seat to act, 0 to 1; None if the bot has no estimate.

    A mixed choice is worth the weighted mean of its steps, whichever is drawn.
    """
    whole = sum(line.share for line in choice.lines)
    if is_mixed and whole:
        return sum(line.share * line.value for line in choice.lines) / whole
    return choice.value


def ranked(choice: Choice, *, is_mixed: bool) -> tuple[Line, ...]:
    """Return the compared steps, best first; mixed ones by probability, without the rarest."""
    if not is_mixed:
        return choice.lines
    lines = [line for line in choice.lines if line.share >= LEAST_SHARE]
    return tuple(sorted(lines, key=lambda line: (-line.share, line.step)))


def alternative(choice: Choice, *, is_mixed: bool) -> Line | None:
    """Return the best of the other steps; None if there is none or the choice is mixed."""
    others = (line for line in choice.lines if line.step != choice.step)
    return None if is_mixed else next(others, None)


def percent(value: float) -> str:
    return f"{round(100 * value)} %"


def standing(value: float) -> str:
    """Return a value as `62 %`, or `won` or `lost` if it is certain."""
    return {1.0: "won", 0.0: "lost"}.get(value, percent(value))


def valued(value: float) -> str:
    said = standing(value)
    return f"{said} to win" if said.endswith("%") else said


def to_win(value: float, plan: Sequence[Step] = ()) -> str:
    """Return a value as `62 % to win`, or that it is certain; `plan` wins in this turn."""
    return _certain(value, plan) or f"{percent(value)} to win"


def yours(value: float, plan: Sequence[Step] = ()) -> str:
    """Return a value of the player who asks: `your chance 62 %`, or that the result is certain."""
    return _certain(value, plan) or f"your chance {percent(value)}"


def _certain(value: float, plan: Sequence[Step]) -> str:
    if plan:
        return "wins in this turn"
    return {1.0: "wins by force", 0.0: "loses by force"}.get(value, "")


def planned(plan: Sequence[Step], called: Called = str) -> str:
    """Return the steps of a winning turn after the first: `then c7-d7, c8 and c7 pushing`."""
    rest = [called(step) for step in plan[1:]]
    more = [f"{len(rest) - MOST_PLANNED} more"] * (len(rest) > MOST_PLANNED)
    return f"then {', '.join([*rest[:MOST_PLANNED], *more])}" if rest else ""


def without_figures(match: Match, choice: Choice) -> Choice:
    """Return a choice without values that are no winning chances, but random playouts."""
    return choice if match.game.ID in bots.MODELS else bots.Choice(choice.step)


def how_found(choice: Choice, called: Called = str) -> str:
    """Return how a hint was found: `best of 7 looked at: your chance 62 %, next e6 with 55 %`.

    If the result is certain, return that and the rest of the winning turn. `called` returns the
    name of a step. Not for mixed choices.
    """
    lines, value = choice.lines, choice.value
    if value is None or not lines:
        return GLANCED
    if value == 0.0:
        return "every step loses by force"
    if value == 1.0:
        said = yours(value, choice.plan)
        return ", ".join(filter(None, (said, planned(choice.plan, called))))
    if choice.step != lines[0].step:
        return f"{yours(value)}; {called(lines[0].step)} has {percent(lines[0].value)}"
    if len(lines) == 1:
        return yours(value)
    even = [line for line in lines[1:] if BOUND < abs(value - line.value) <= ABOUT]
    if even:
        some = ", ".join(called(line.step) for line in even[:MOST_EVEN])
        more = f" and {len(even) - MOST_EVEN} more" if len(even) > MOST_EVEN else ""
        return f"{yours(value)}; several are about even: also {some}{more}"
    is_best = value >= lines[1].value  # a search prefers the step it has explored most
    how = f"best of {len(lines)} looked at" if is_best else f"looked at longest of {len(lines)}"
    following = next((line for line in lines[1:] if abs(value - line.value) > BOUND), None)
    after = f"{called(following.step)} with {percent(following.value)}" if following else ""
    return f"{how}: {yours(value)}{', next ' * bool(after)}{after}"


def because(merit: str, how: str, plan: Sequence[Step]) -> str:
    """Join a hint's merit and how it was found, without saying twice that the turn wins."""
    if plan:
        return merit if merit and len(plan) == 1 else how
    return "; ".join(filter(None, (merit, how)))


def briefly(choice: Choice) -> str:
    """Return the value of a hint, if there is no room for more: `your chance 62 %`."""
    if choice.value is None:
        return GLANCED
    return yours(choice.value, choice.plan)


def why_nobody(match: Match) -> str:
    if not match.actors:
        return "The match is over."
    if match.actors == (CHANCE,):
        return "There is nothing to choose: chance is next, or what is hidden is shown."
    return "A spectator does not know enough to judge for the seat to act."
