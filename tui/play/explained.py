"""Explanations of a step: its merit, what follows, what is wrong with others. Pure functions.

Used by hints, the tutor and reviews.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots import Choice, Line, mixes
from kumite.core.game import CHANCE, Seat, Step
from kumite.core.match import Match
from kumite.core.players import named
from kumite.core.text import listed
from kumite.tui import scenes
from kumite.tui.bots import advice
from kumite.tui.play import narration
from kumite.tui.scenes.lines import capital

if TYPE_CHECKING:
    from kumite.tui.bots.judging import Blunder
    from kumite.tui.bots.looking import Answer, Outlook

MOST_OF_LOTTERY: Final = 4  # steps of a lottery that are listed
MOST_OF_TURN: Final = 4  # remaining steps of a turn that are listed; more would fill the screen
SEEN_THROUGH: Final = "one plan every time would be easy to foresee, so draw one of these by lot:"
THEN: Final = "Then"  # heading of the further steps of the turn
NOTHING: Final = "nothing is gained at once"
DETAILS: Final = re.compile("[,;]")  # end what a step does; its effects follow


class Point(NamedTuple):
    """One paragraph of a hint, with its heading."""

    head: str
    text: str


def merit(
    match: Match, seat: Seat, step: Step, names: Sequence[str], you: Seat | None = None
) -> str:
    """Return the immediate merit of a step, addressed to the seat `you`."""
    return named(scenes.maker(match).why_good(match.state, seat, step), names, you)


def feared(answer: Answer, names: Sequence[str], you: Seat | None = None) -> str:
    """Return the best answer of another seat: `bob lays f5: it brings 2 flags`."""
    called = partial(narration.step_name, answer.match, names=names)
    who, step = names[answer.seat], called(answer.step)
    if len(answer.plan) > 1:
        return f"{who} wins in that turn: {step}, {advice.planned(answer.plan, called)}"
    said = narration.narrated(answer.match.play(answer.seat, answer.step), names)
    does = DETAILS.split(said)[0] or f"{who} plays {step}"  # the reason says what it brings
    good = merit(answer.match, answer.seat, answer.step, names, you)
    return f"{does}{': ' * bool(good)}{good}"


def flaws(
    match: Match,
    seat: Seat,
    step: Step,
    better: Step,
    answer: Answer | None,
    names: Sequence[str],
    called: str = "it",
    you: Seat | None = None,
) -> list[str]:
    """Return what is wrong with a step: what it does worse than `better`, and the best answer."""
    bad = named(scenes.maker(match).why_bad(match.state, seat, step, better), names, you)
    found = [f"{called} {bad}"] if bad else []
    if answer is None:
        return found
    after = match.play(seat, step)
    between = answer.match.steps()[after.number :]
    side_of = match.setup.side_of
    if any(one.actor == CHANCE or side_of(one.actor) != side_of(seat) for one in between):
        return found  # something is forced before it
    # Without them the answer may not be understood: where its piece comes from, for example.
    rest = _named(after, [one.step for one in between], names)
    if rest is None:
        return found
    first = f"if {called} is followed by {rest}" if rest else f"after {called}"
    return [*found, f"{first}, {feared(answer, names, you)}"]


def warning(match: Match, seat: Seat, blunder: Blunder, names: Sequence[str]) -> list[str]:
    """Return the tutor's words about a step: what it would cost, but not which is better."""
    order = named(scenes.maker(match).order(match.state, seat, blunder.step), names)
    is_lost = blunder.left == 0.0
    left = "you lose" if is_lost else f"your chance is {advice.percent(blunder.left)}"
    had = f"{'your chance is ' * is_lost}{advice.percent(blunder.had)} with the best step"
    if blunder.had == 1.0:
        had = f"you can win {'in this turn' if blunder.wins else 'by force'}"
    said = [f"it may be a blunder: {left} with it, and {had}."]
    found = flaws(match, seat, blunder.step, blunder.better, blunder.ahead.answer, names, you=seat)
    said += [f"{one}." for one in found]
    return [f"The tutor: {order}?", *(capital(one, names) for one in said)]


def _named(match: Match, steps: Sequence[Step], names: Sequence[str]) -> str | None:
    """Return the names of steps of one side but those that end something; None if too many."""
    said, makes = [], scenes.maker(match)
    for step in steps:
        actor = Seat(int(match.actors[0]))
        if step != makes.ending(match.state, actor):
            said.append(narration.step_name(match, step, names))
        match = match.play(actor, step)
    return listed(said) if len(said) <= MOST_OF_TURN else None


def points(
    seen: Match, seat: Seat, choice: Choice, outlooks: Mapping[Step, Outlook], names: Sequence[str]
) -> list[Point]:
    """Return the paragraphs of a hint; `outlooks` has its step and the alternative."""
    if mixes(seen.game):
        return _lottery(seen, seat, choice, names)
    found = [Point("Why", _because(seen, seat, choice, names))]
    ahead = outlooks.get(choice.step)
    rest = choice.plan[1:] or (ahead.rest if ahead is not None else ())
    if rest:
        after = seen.play(seat, choice.step)
        told = narration.run_of(after, seat, rest[:MOST_OF_TURN], names, is_known=True)
        more = " ..." if len(rest) > MOST_OF_TURN else "."
        found.append(Point(THEN, f"{capital(told, names)}{more}"))
    if ahead is not None and ahead.answer is not None and not choice.plan:
        found.append(Point("The best answer", f"{feared(ahead.answer, names, seat)}."))
    other = advice.alternative(choice, is_mixed=False)
    if other is not None:
        found.append(_instead(seen, seat, choice.step, other, outlooks.get(other.step), names))
    return found


def _because(seen: Match, seat: Seat, choice: Choice, names: Sequence[str]) -> str:
    called = partial(narration.step_name, seen, names=names)
    how = advice.how_found(choice, called)
    if choice.plan:
        how = f"{advice.briefly(choice)}{how_won(seen, seat, choice.plan)}"
    good = merit(seen, seat, choice.step, names, seat)
    return f"{capital(advice.because(good, how, choice.plan), names)}."


def how_won(match: Match, seat: Seat, plan: Sequence[Step]) -> str:
    """Return how a turn wins, as `, four Foxes taken`; "" if that is not known."""
    for step in plan:
        if seat in match.actors:
            match = match.play(seat, step)
    if match.outcome is None:
        return ""
    return f", {scenes.maker(match).reason(match.state, match.outcome.reason)}"


def _instead(
    seen: Match, seat: Seat, best: Step, line: Line, ahead: Outlook | None, names: Sequence[str]
) -> Point:
    good = merit(seen, seat, line.step, names, seat)
    bad = flaws(seen, seat, line.step, best, ahead and ahead.answer, names, you=seat)
    said = [advice.yours(line.value), *filter(None, [good]), *bad[-1 if good else 0 :]]
    called = narration.step_name(seen, line.step, names)
    return Point(f"Instead {called}", f"{capital('; '.join(said), names)}.")


def _lottery(seen: Match, seat: Seat, choice: Choice, names: Sequence[str]) -> list[Point]:
    """Explain a mixed choice: why it is mixed, and each step's probability and merit."""
    lines = advice.ranked(choice, is_mixed=True)
    found = [Point("Chance decides", SEEN_THROUGH)] * (len(lines) > 1)
    for line in lines[:MOST_OF_LOTTERY]:
        called = narration.step_name(seen, line.step, names)
        good = merit(seen, seat, line.step, names, seat) or NOTHING
        found.append(Point(f"{advice.percent(line.share)} {called}", f"{capital(good, names)}."))
    value = advice.worth(choice, is_mixed=True)
    if value is not None:
        said = capital(advice.yours(value), names)
        found.append(Point("Together", f"{said} if both play by these chances; a draw is half."))
    return found
