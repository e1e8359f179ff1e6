"""Puzzles in words: what is to be done and known, and what is against a step that is not it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.puzzles import duels, rounds
from kumite.tui.puzzles.defences import Defences
from kumite.tui.puzzles.making import MODELS
from kumite.tui.puzzles.model import DEFEND, FORCE, HOLD, TRICK, TURN
from kumite.tui.scenes.kitsune.picture import word
from kumite.tui.scenes.kitsune.scene import step_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from kumite.core.game import Step
    from kumite.tui.puzzles.model import Puzzle

TASKS: Final[Mapping[tuple[str, str], str]] = {
    ("kitsu", TURN): "Win in this turn.",
    ("kumo", TURN): "Win in this turn.",
    (
        "kitsu",
        HOLD,
    ): "Find the only defence: {other} wins in the next turn unless this one stops it.",
    (
        "kumo",
        HOLD,
    ): "Find the only defence: {other} wins in the next turn unless this one stops it.",
    ("kuzushi", FORCE): "Find the only step that wins by force. After any other step the win can "
    "be taken from you.",
    ("kitsune", TRICK): "Find the only card that wins this round by force.",
    ("kitsune", DEFEND): "Find the only defence: after any other card {other} wins this round by "
    "force.",
    ("kiriai", DEFEND): "Find the only defence: one more hit, and you have lost. One plan alone "
    "is safe, whatever {other} plans.",
}
LOST: Final = {  # what comes of the other's answer
    FORCE: "the win is gone",
    TRICK: "this round can no longer be won by force",
    DEFEND: "this round is lost",
}


def task(one: Puzzle, names: Sequence[str]) -> str:
    """Return who is to do what, and what there is to know."""
    other = names[1 - one.seat]
    said = f"You are {names[one.seat]}. {TASKS[one.game.ID, one.goal].format(other=other)}"
    if one.game.ID == "kitsune":
        held = ", ".join(map(word, rounds.held(one.start.state, one.seat)))
        said += f" All cards are out, so {other} holds {held or 'none'}."
    if one.goal == HOLD and len(one.answer) == 1:
        said += " One step does it."
    return said


def _against_card(one: Puzzle, step: Step, names: Sequence[str]) -> str:
    follows, lost = rounds.what_follows(one.start.state, step), LOST[one.goal]
    own = ", then ".join(step_name(step) for seat, step in follows if seat == one.seat)
    answers = [step_name(step) for seat, step in follows if seat != one.seat]
    if answers:
        head = f"Even if you go on with {own}," if own else "Then"
        return f"{head} {names[1 - one.seat]} may play {answers[0]}, and {lost}."
    return f"After {step_name(step)} {lost}{' at once' * (not own)}."


def _against_plan(one: Puzzle, step: Step, names: Sequence[str]) -> str:
    answer = duels.answer_to(one.start.state, step)
    assert answer is not None  # else it would be safe
    first, second = answer.split(",")
    return f"If {names[1 - one.seat]} plans {first}, then {second}, you are hit and have lost."


def win_after(one: Puzzle, end: object) -> Sequence[Step]:
    """Return how the other wins after a turn that is not the only defence.

    Whoever has proved the puzzle has found a win here, at worst among those against other turns.
    """
    known = Defences(one.game, MODELS[one.game.ID])
    try:
        return known.win_after(end)
    except rounds.TooLong:
        known.safe(one.start.state)
        return known.win_after(end)


def is_out_of_reach(one: Puzzle, state: object) -> bool:
    """Return whether it is proved that the rest of a turn cannot win; where it is not, False."""
    try:
        return not Defences(one.game, MODELS[one.game.ID]).win_after(state)
    except rounds.TooLong:
        return False


AGAINST: Final[Mapping[str, Callable[[Puzzle, Step, Sequence[str]], str]]] = {
    "kitsune": _against_card,
    "kiriai": _against_plan,
}
"""By game, what is certain to be against a step; of other games a bot is asked."""
