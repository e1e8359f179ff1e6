"""The end of a game of two seats without secrets, played out to the last move in every way.

What comes out is no estimate: who wins if both play their best. It takes a budget that grows by
several times with each move that is left, so a search tries it when the end is near, and goes on
as ever where it comes to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from kumite.core.bots.search.uct import OVER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

S = TypeVar("S")
M = TypeVar("M", covariant=True)


class EndingGame(Protocol[S, M]):
    """A game for two without secrets, as an exact search asks it."""

    def mover(self, state: S) -> int:
        """Return the seat to act, 0 or 1, or OVER."""

    def following(self, state: S) -> Sequence[tuple[M, S]]:
        """List the moves with the positions after them, the promising ones first."""

    def result(self, state: S) -> float:
        """Return the score of seat 0 at the end: 1 a win, 0 a loss, and what is shared half."""


class Ending(Generic[S, M]):
    """What positions near the end are worth, each looked at once."""

    def __init__(self, game: EndingGame[S, M], spend: Callable[[], None]) -> None:
        """Call `spend` before each position; what it raises ends the search."""
        self.game, self._spend = game, spend
        self._known: dict[S, tuple[float, float]] = {}  # the least and the most it can be worth

    def worths(self, state: S) -> list[tuple[M, float]]:
        """Return every move with what it is worth to the mover, 0 to 1, in the game's order."""
        mover, found = self.game.mover(state), []
        for move, after in self.game.following(state):
            worth = self._worth(after, 0.0, 1.0)
            found.append((move, 1 - worth if mover else worth))
        return found

    def _worth(self, state: S, least: float, most: float) -> float:
        """Return what a position is worth to seat 0; outside of the bounds, a bound of it."""
        self._spend()
        game = self.game
        mover = game.mover(state)
        if mover == OVER:
            return game.result(state)
        low, high = self._known.get(state, (0.0, 1.0))
        if low >= most or low == high:
            return low
        if high <= least:
            return high
        least, most = max(least, low), min(most, high)
        best = 1.0 if mover else 0.0
        begun = least, most
        for _, after in game.following(state):
            worth = self._worth(after, least, most)
            if mover:
                best = min(best, worth)
                most = min(most, best)
            else:
                best = max(best, worth)
                least = max(least, best)
            if least >= most:
                break
        self._known[state] = (
            low if best <= begun[0] else best,
            high if best >= begun[1] else best,
        )
        return best
