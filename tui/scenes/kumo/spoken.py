"""A position of Kumo Hogosha in words: the stone, both sides' Kumotori, what the turn owes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.core.games.kumo.listing import due
from kumite.core.games.kumo.state import CAMPS, DIRECTIONS, PIECES, SQUARES, is_over
from kumite.core.text import listed
from kumite.tui.scenes.kumo.words import CALLED, ways
from kumite.tui.scenes.sentences import counted, joined, on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Seat
    from kumite.core.games.kumo.rules import State

_SIDES: Final = (0, 1)


def position(view: State, names: Sequence[str], you: Seat | None) -> Iterator[str]:
    """Yield turn and stone, a sentence for each camp and each side, and what is owed."""
    stone = f"the stone is on {SQUARES[view.stone]}" if view.stone >= 0 else "the stone is out"
    yield f"Turn {view.turn} of {view.limit}; {stone}."
    for seat, name in enumerate(names):
        camp = DIRECTIONS[CAMPS[len(names)][seat]]
        waiting = counted(view.boards[seat], "Kumotori", "Kumotori")
        yield f"{name}: camp in the {camp}; {waiting} waiting."
    for side in _SIDES:
        whose = listed(names[side::2])
        held = counted(view.prisons[side], "prisoner")
        can = ", ".join(sorted(ways(view, side)))
        yield f"On the arena for {whose}: " + joined(
            (*_standing(view, side), held, f"can move the stone: {can}" if can else "")
        )
    yield from _duties(view)


def _standing(view: State, side: int) -> Iterator[str]:
    """Yield where the Kumotori of a side stand, by stance; who lies under a blocker, by itself."""
    found: dict[str, list[str]] = {}
    for square, byte in enumerate(view.arena):
        for depth, (owner, stance) in enumerate(PIECES[byte]):
            if owner != side:
                continue
            is_pinned = len(PIECES[byte]) == 2 and depth == 0
            kind = f"pinned {CALLED[stance]}" if is_pinned else CALLED[stance]
            found.setdefault(kind, []).append(SQUARES[square])
    order = [*CALLED, *(f"pinned {name}" for name in CALLED)]
    for kind in order:
        yield on(kind, found.get(kind, ()))


def _duties(view: State) -> Iterator[str]:
    if is_over(view):
        return
    if due(view):
        yield "Blockers that stand on a foe must climb down first."
        return
    owed, most = max(0, view.least - view.used), view.most() - view.used
    turning = "or the mate must turn the arena"
    if view.turned[view.seat & 1]:
        turning = "the arena has been turned"
    elif view.must_turn:
        turning = "the arena must be turned"
    yield f"Left in this turn: {counted(owed, 'action')}, at most {most}; {turning}."
