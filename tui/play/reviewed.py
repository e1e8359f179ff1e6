"""A review in words: each player's accuracy and the turning points.

Pure functions, shared by the screen and `kumite log review`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core.game import Seat, Seats, Step
from kumite.core.match import Match
from kumite.core.players import is_person
from kumite.tui.bots import advice
from kumite.tui.bots.looking import Answer, Worth
from kumite.tui.bots.review import GOOD, GRADES, SEEMS, Review, Turning, accuracy, grade
from kumite.tui.play import explained, narration
from kumite.tui.scenes.lines import capital
from kumite.tui.scenes.sentences import counted

if TYPE_CHECKING:
    from kumite.tui.play.replaying import Replay

MOST_OF_REST: Final = 3  # further steps listed of a winning turn; more would not fit the panel
NO_ERRORS: Final = "no errors"
LITTLE: Final = "little by little"  # of losses that are small, and together at least a blunder
UNSEEN: Final = "lost, though no better choice was found"
LATER: Final = "nothing is won or lost at once; it counts in later turns"
NONE_COST: Final = "Nobody has made a choice that cost much"
NOTHING: Final = f"{NONE_COST}."
AGREED: Final = f"{NONE_COST}. The match ended as a draw by agreement."


class Told(NamedTuple):
    """A turning point in words."""

    head: str  # `Step 23: a mistake by ada`
    here: str  # the step played
    better: str  # the better step
    because: str  # the reason in the game's terms
    chances: str  # the values of both steps


def of_replay(replay: Replay, simulations: int | None = None) -> Review:
    """Return the review of a saved match in the view of the replay."""
    people = frozenset(
        Seat(seat) for seat, name in enumerate(replay.log.header.names) if is_person(name)
    )
    eyes = replay.eyes.by
    people = people if eyes is None or not replay.has_secrets else people & eyes
    return Review(replay.line[-1], eyes, people, simulations)


def standing(review: Review, seat: Seat) -> tuple[str, str]:
    """Return a seat's accuracy (`87 %`) and errors (`1 mistake, 2 inaccuracies`)."""
    lost = review.losses(seat)
    well = accuracy(lost)
    errors = Counter(map(grade, lost))
    said = [
        counted(errors[word], word, f"{word[:-1]}ies" if word.endswith("y") else "")
        for _, word in GRADES
        if errors[word]
    ]
    if not said:
        said = [_how_lost(review, seat) if seat in _losers(review.match) else NO_ERRORS]
    return ("?" if well is None else advice.percent(well)), ", ".join(said)


def _how_lost(review: Review, seat: Seat) -> str:
    """Return how a seat lost without an error, with its costliest step."""
    own, lost = (one for one in review.chosen if one.seat == seat), review.losses(seat)
    at = next(
        (one.step_number for one, cost in zip(own, lost, strict=False) if cost == max(lost)), 0
    )
    if (most := max(lost, default=0.0)) < SEEMS:
        return UNSEEN
    little = f" {LITTLE}" * (sum(lost) >= GRADES[0][0])
    return f"lost{little}; step {at} cost most, {advice.percent(most)}"


def _losers(match: Match) -> Seats:
    """Return the seats that lost a finished match; () of a draw."""
    winners = match.outcome.winners if match.outcome is not None else ()
    everybody = frozenset(map(Seat, range(match.setup.seats)))
    return everybody - frozenset(winners) if winners else frozenset()


def told(turning: Turning, names: Sequence[str], *, is_sure: bool = True) -> Told:
    who, what = names[turning.seat], grade(turning.lost)
    what = f"{'an' if what[0] in 'aeiou' else 'a'} {what} by {who}"
    head = f"Step {turning.step_number}: {'perhaps ' * (not is_sure)}{what}"
    here = f"Here {_narrated(turning, turning.step, names)}."
    better = f"Better: {_narrated(turning, turning.better, names)}."
    because = f"Because {'; '.join(_reasons(turning, names))}."
    return Told(head, here, better, because, _chances(turning))


def asked(turning: Turning, names: Sequence[str]) -> str:
    """Return the task of a retry: the step played, its value, and what was possible."""
    here = f"Here {_narrated(turning, turning.step, names)}."
    left = f"{here} That is {advice.valued(turning.left)}"
    if turning.had == 1.0:
        return f"{left}; find the step that wins."
    return f"{left}; find what has {advice.standing(turning.had)}."


def praise(turning: Turning, step: Step, worth: float, names: Sequence[str]) -> str:
    if step == turning.better:
        return f"Yes: {'; '.join(_reasons(turning, names))}. {_chances(turning)}"
    this = narration.step_first(turning.match, step, names)
    better = narration.step_name(turning.match, turning.better, names)
    return f"{this} is as good as {better}: {advice.valued(worth)}."


def why_not(turning: Turning, step: Step, worth: Worth, names: Sequence[str]) -> str:
    said = ["that was played in the match"] * (step == turning.step)
    had, tried = advice.valued(turning.had), narration.step_name(turning.match, step, names)
    if worth.value is not None:
        said.append(f"{advice.valued(worth.value)} with {tried}, and {had} is possible")
    else:
        said.append(f"nobody knows what {tried} is worth; something else is {had}")
    said += _flaws(turning, step, worth.answer, names)
    whole = "; ".join(said)
    return f"{capital(whole)}."


def _narrated(turning: Turning, step: Step, names: Sequence[str]) -> str:
    """Describe a step as logs do: `ada sends bob's Fox e4 to e8`."""
    said = narration.narrated(turning.match.play(turning.seat, step), names)
    return said or f"{names[turning.seat]} plays {step}"


def _reasons(turning: Turning, names: Sequence[str]) -> list[str]:
    """Return why the better step is better: what it gains, and which answer it avoids."""
    match, seat = turning.match, turning.seat
    if turning.plan:
        rest = _rest(turning, names)
        how = explained.how_won(match, seat, turning.plan)
        return [f"it wins in this turn{how}", *[f"then {rest}"] * bool(rest)]
    both = turning.better, turning.step
    better, played = (explained.merit(match, seat, step, names) for step in both)
    found = [better] * (bool(better) and better != played)
    flaws = _flaws(turning, turning.step, turning.answer, names)
    # Not both what it does worse and the answer: that would be too long.
    return found + flaws[-1 if found else 0 :] or [LATER]


def _rest(turning: Turning, names: Sequence[str]) -> str:
    first, *rest = turning.plan
    told = rest[:MOST_OF_REST]
    after = turning.match.play(turning.seat, first)
    more = f"; {len(rest) - len(told)} more" * (len(rest) > len(told))
    return narration.run_of(after, turning.seat, told, names, is_known=True) + more


def _chances(turning: Turning) -> str:
    """Return the values of both steps: `Better: 65 % to win. Played: 46 %.`"""
    return f"Better: {advice.valued(turning.had)}. Played: {advice.standing(turning.left)}."


def _flaws(turning: Turning, step: Step, answer: Answer | None, names: Sequence[str]) -> list[str]:
    if step == turning.better:
        return []
    match, called = turning.match, narration.step_name(turning.match, step, names)
    return explained.flaws(match, turning.seat, step, turning.better, answer, names, called)


def review_text(review: Review, names: Sequence[str]) -> list[str]:
    lines = []
    for seat in review.seats:
        well, errors = standing(review, seat)
        lines.append(f"{names[seat]}: accuracy {well}, {errors}")
    for turning in review.turnings:
        lines += ["", *filter(None, told(turning, names))]
    return lines if review.turnings else [*lines, "", NOTHING]


def review_data(review: Review) -> dict[str, Any]:
    """Return a review as plain values for `--json`."""
    return {
        "players": [
            {
                "seat": seat + 1,
                "accuracy": accuracy(losses := review.losses(seat)),
                "choices": len(losses),
                "errors": {
                    word: count
                    for word, count in Counter(map(grade, losses)).items()
                    if word != GOOD
                },
            }
            for seat in review.seats
        ],
        "turning_points": [
            {
                "step": turning.step_number,
                "seat": turning.seat + 1,
                "played": turning.step,
                "better": turning.better,
                "value_better": turning.had,
                "value_played": turning.left,
                "plan": list(turning.plan),
            }
            for turning in review.turnings
        ],
    }
