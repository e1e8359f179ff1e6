"""Puzzles of Kiri-ai: find the only plan that is safe whatever the opponent holds and plans."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import log2

from kumite.core.game import Step
from kumite.core.games.kiriai.action import SPECIALS, action
from kumite.core.games.kiriai.state import DEFEAT, SPACES, State, plans
from kumite.core.match import Match
from kumite.tui.puzzles.making import Puzzles, puzzle_of
from kumite.tui.puzzles.model import DEFEND, HARDEST, Puzzle
from kumite.tui.scenes.lines import Names

RED, BLUE = 0, 1
EASIEST, STEEP = 10, 2.5  # plans tried at difficulty 0, and levels for twice as many


def is_open(state: State) -> bool:
    """Return whether both are to plan and red loses with one more hit."""
    return (
        state.phase == "plan"
        and not any(side.secret for side in state.sides)
        and state.sides[RED].wounds == DEFEAT - 1
    )


def theirs(state: State) -> list[Step]:
    """Return all plans of blue, with any special that it may hold as far as red knows."""
    blue = state.sides[BLUE]
    if blue.spent:
        return list(plans(blue.aside, ""))
    others = [card for card in SPECIALS if card != state.sides[RED].special]
    return sorted({plan for card in others for plan in plans(blue.aside, card)})


def mine(state: State) -> tuple[Step, ...]:
    red = state.sides[RED]
    return plans(red.aside, "" if red.spent else red.special)


def threats(state: State, plan: Step) -> list[Step]:
    """Return the plans of blue that defeat this plan of red."""
    return [other for other in theirs(state) if _is_lost(state, plan, other)]


def only_safe(state: State) -> Step | None:
    """Return red's only plan after which blue cannot win in this round, or None."""
    safe = [plan for plan in mine(state) if not threats(state, plan)]
    return safe[0] if len(safe) == 1 else None


def _is_lost(state: State, red: Step, blue: Step) -> bool:
    """Return whether red is defeated in a round with these plans."""
    one, two = state.sides
    spaces, stances = (one.space, two.space), (one.stance, two.stance)
    left = [DEFEAT - side.wounds for side in state.sides]
    for faces in zip(red.split(","), blue.split(","), strict=True):
        spaces, stances, hit = action(spaces, stances, faces, SPACES[state.field])
        if hit >= 0:
            left[hit] -= 1
            if not left[hit]:
                return hit == RED
    return False


def difficulty(one: Puzzle) -> int:
    """Return the logarithm of how many of blue's plans rule out all unsafe plans but one.

    They are drawn at random. Bots do not measure it: they mix plans, and also like to strike.
    """
    state = one.start.state
    most = len(theirs(state))
    odds = [1 - len(threats(state, plan)) / most for plan in mine(state) if plan not in one.answer]
    tried = next(n for n in count(1) if sum(odd**n for odd in odds) <= 1)
    return min(HARDEST, max(1, round(STEEP * log2(tried / EASIEST))))


def in_duels(match: Match) -> Iterator[Puzzle]:
    for one in match.line():
        if one.outcome is None and is_open(one.state):
            step = only_safe(one.state)
            if step is not None:
                yield puzzle_of(one, DEFEND, (step,))


def against(one: Puzzle, step: Step, names: Names) -> str:
    answer = threats(one.start.state, step)[0]  # there is one, or the plan would be safe
    first, second = answer.split(",")
    return f"If {names[1 - one.seat]} plans {first}, then {second}, you are hit and have lost."


PUZZLES = Puzzles(
    finders={DEFEND: in_duels},
    tasks={
        DEFEND: "Find the only defence: one more hit, and you have lost. One plan alone is safe, "
        "whatever {other} plans."
    },
    against=against,
    difficulty=difficulty,
)
