"""The parts of `core.game.Game` that games without chance and secrets have in common."""

from __future__ import annotations

from collections.abc import Mapping
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
