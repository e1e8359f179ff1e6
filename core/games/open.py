"""The parts of `core.game.Game` that games without chance and secrets have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from kumite.core.game import Actor, Seats, Step

if TYPE_CHECKING:
    from fractions import Fraction


S = TypeVar("S")


def odds(state: object) -> Mapping[Step, Fraction]:
    """Return {}: there is no chance."""
    return {}


def view(state: S, by: Seats) -> S:
    """Return the position unchanged: nothing is hidden."""
    return state


def seen(state: object, actor: Actor, step: Step, by: Seats) -> Step:
    """Return the step unchanged: nothing is hidden."""
    return step


def examples(legal: Sequence[Step], forms: Mapping[str, str]) -> str:
    """Return one of the legal steps for each form, a pattern: `a move: a5-c3; end: end`."""
    found = ((said, (one for one in legal if re.search(form, one))) for said, form in forms.items())
    return "; ".join(f"{said}: {step}" for said, steps in found if (step := next(steps, "")))
