"""The only safe plan of Kiri-ai: whatever the other plans and holds, nothing of it hits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kiriai.action import SPECIALS, action
from kumite.core.games.kiriai.state import DEFEAT, SPACES, plans

if TYPE_CHECKING:
    from kumite.core.game import Step
    from kumite.core.games.kiriai.state import State

RED, BLUE = 0, 1


def is_open(state: State) -> bool:
    """Return whether both are to plan, and one more hit would be the end of red."""
    return (
        state.phase == "plan"
        and not any(side.secret for side in state.sides)
        and state.sides[RED].wounds == DEFEAT - 1
    )


def theirs(state: State) -> list[Step]:
    """List all that blue can plan, with any special that red cannot know it does not hold."""
    blue = state.sides[BLUE]
    if blue.spent:
        return list(plans(blue.aside, ""))
    others = [card for card in SPECIALS if card != state.sides[RED].special]
    return sorted({plan for card in others for plan in plans(blue.aside, card)})


def mine(state: State) -> tuple[Step, ...]:
    """List all that red can plan."""
    red = state.sides[RED]
    return plans(red.aside, "" if red.spent else red.special)


def threats(state: State, plan: Step) -> list[Step]:
    """List the plans of blue by which red is hit for the last time, if it plans so."""
    return [other for other in theirs(state) if _is_lost(state, plan, other)]


def answer_to(state: State, plan: Step) -> Step | None:
    """Return a plan of blue by which red is hit for the last time, None if there is none."""
    return next(iter(threats(state, plan)), None)


def only_safe(state: State) -> Step | None:
    """Return the only plan of red after which blue cannot win in this round, if there is one."""
    safe = [plan for plan in mine(state) if not threats(state, plan)]
    return safe[0] if len(safe) == 1 else None


def _is_lost(state: State, red: Step, blue: Step) -> bool:
    """Return whether red is hit for the last time in a round."""
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
