"""A position of Kuzushi in words: how far the board goes, and whose cards lie where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kumite.core.games.kuzushi.rules import State, squares_of
from kumite.tui.scenes.kuzushi.scene import contested
from kumite.tui.scenes.sentences import counted, joined, on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kumite.core.game import Seat


def position(view: State, names: Sequence[str], you: Seat | None) -> Iterator[str]:
    """Yield the board's size, a sentence for each seat, and the squares that are contested."""
    grid = view.grid
    left, right, low, high = grid.box(view.cards)
    corners = f"{_square(left, low)} to {_square(right, high)}"
    yield (
        f"The board goes from {corners}: {right - left + 1} by {high - low + 1}, "
        f"at most {view.limit} by {view.limit}."
    )
    for seat, name in enumerate(names):
        yield f"{name}: " + joined(
            (
                f"score {view.score(seat)}",
                f"{counted(view.hand(seat), 'card')} left",
                on("the city", [grid.names[grid.city]]) if seat == 0 else "",
                on("bases", _names(view, view.bases[seat])),
                on("flags", _names(view, view.flags[seat])),
            )
        )
    if fight := contested(view):
        yield f"Contested: {', '.join(_names(view, fight))}."


def _square(file: int, rank: int) -> str:
    return f"{chr(ord('a') + file)}{rank + 1}"


def _names(view: State, squares: int) -> list[str]:
    return [view.grid.names[square] for square in squares_of(squares)]
