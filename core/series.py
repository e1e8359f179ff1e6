"""The score of several matches at one table, which may be a best of 3 or 5; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from kumite.core.game import Setup
from kumite.core.log import End
from kumite.core.results import winners

LENGTHS: Final = (1, 3, 5)


@dataclass(frozen=True, slots=True)
class Series:
    """The matches won before this one, by seat (empty before the first), and those drawn.

    Without a limit (`best_of` 1) they are counted as long as the table is open.
    """

    best_of: int = 1
    won: tuple[int, ...] = ()
    drawn: int = 0

    @property
    def is_decided(self) -> bool:
        """True if a seat has won more than half of the series."""
        return self.best_of > 1 and max(self.won, default=0) > self.best_of // 2

    def after(self, setup: Setup, end: End | None) -> Series:
        """Return the score with a match that has ended; `end` is None if it was broken off."""
        won = winners(setup, end) if end is not None else ()
        before = self.won or (0,) * setup.seats
        counts = tuple(count + (seat in won) for seat, count in enumerate(before))
        return replace(self, won=counts, drawn=self.drawn + (not won))

    def next(self, begins: int, *, is_other: bool = False) -> Series:
        """Return the score for the next match, in which seat `begins` of this one is the first.

        It starts anew after the last match of a series. `is_other`: another game or other sides
        end the series, and its score.
        """
        if is_other:
            return SINGLE
        if self.is_decided:
            return Series(self.best_of)
        return replace(self, won=(*self.won[begins:], *self.won[:begins]))


SINGLE: Final = Series()
