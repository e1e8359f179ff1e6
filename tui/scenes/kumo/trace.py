"""Steps of Kumo on the arena: what is chosen to make one, and what it leaves to be seen."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from kumite.core.games.kumo.notation import PRISON, parse_step
from kumite.core.games.kumo.state import FREE, SQUARES, STANCES, turn_ccw, turn_cw
from kumite.tui.scenes.model import Trace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Step
    from kumite.core.games.kumo.rules import State

_TURNED: Final = {"cw": turn_cw, "ccw": turn_ccw}


def parts(step: Step, legal: tuple[Step, ...] = ()) -> tuple[str, ...]:
    """Return the one who acts, then what it acts on; a stance, push or pull comes last."""
    kind, args = parse_step(step)
    if not args:
        return (step,)
    if kind in ("place", "change"):
        return SQUARES[args[0]], f"={STANCES[args[1]]}"
    squares = tuple("x" if one == PRISON else SQUARES[one] for one in args)
    return (*squares, kind) if kind in ("push", "pull") else squares


def marks(before: State, step: Step, after: State) -> Trace:
    """Return the squares that a step has left and reached, and those of whom it has pushed.

    A turning changes nothing, and carries all squares along.
    """
    if step in _TURNED:
        return Trace(moves=_carried_squares(step))
    kind, args = parse_step(step)
    touched = {SQUARES.index(one) for one in parts(step) if one in SQUARES}
    if before.stone != after.stone:
        touched |= {square for square in (before.stone, after.stone) if square >= 0}
    else:
        touched = {one for one in touched if before.arena[one] != after.arena[one]}
    left = {one for one in touched if after.arena[one] == FREE}
    onto = {args[-1]} if kind == "block" else set()
    reached = {one for one in touched - left if before.arena[one] == FREE} | onto
    return Trace(_names(left), _names(reached), _names(touched - left - reached))


def _names(squares: set[int]) -> frozenset[str]:
    return frozenset(SQUARES[square] for square in squares)


@cache
def _carried_squares(step: Step) -> Mapping[str, str]:
    """Return where a turning carries each square."""
    turned = _TURNED[step](bytes(range(len(SQUARES))))
    return {SQUARES[old]: SQUARES[new] for new, old in enumerate(turned)}
