"""Whose bots may think: so many at once, tables before analyses, in fair turns; pure.

A house has few processors and many guests. A guest's app asks for a turn before each thought, and
thinks while it has place 0 of the queue; with any other place it waits, also in the middle of a
thought, which then goes on later. Times are seconds of any clock that goes only forward.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from kumite.store.house import DONE, LOOK, PLAY

if TYPE_CHECKING:
    from collections.abc import Callable

SLICE: Final = 2.0  # s that a thought has at least before it gives way to its like
LONG: Final = 10.0  # s after which an analysis that waits counts for as much as a table


@dataclass(eq=False, slots=True)
class Thinker:
    """An app whose bots may want to think: one thought at a time."""

    who: str  # the guest's; they may be here several times
    tell: Callable[[int, int], object]  # of which thought, and its place
    number: int = 0  # of its thought
    wish: str = DONE
    since: float = 0.0  # when it began to wait, or to think
    is_thinking: bool = False
    was_long: bool = False  # it thinks now because it had waited for long
    told: int = -1  # its place, as it knows it


@dataclass(slots=True)
class Turns:
    """The queue of one house (mutable)."""

    most: int  # thoughts at once
    here: list[Thinker] = field(default_factory=list)
    _last: dict[str, float] = field(default_factory=dict)  # when a guest's last turn began

    def join(self, thinker: Thinker) -> None:
        """Let an app ask for turns."""
        self.here.append(thinker)

    def leave(self, thinker: Thinker) -> None:
        """Forget an app that has ended."""
        self.here.remove(thinker)
        if not any(one.who == thinker.who for one in self.here):
            self._last.pop(thinker.who, None)

    def hear(self, thinker: Thinker, number: int, wish: str, now: float) -> None:
        """Note what an app wants: to think for a table, to analyse, or nothing any more."""
        thinker.number, thinker.wish, thinker.told = number, wish, -1
        thinker.is_thinking, thinker.since = False, now

    def settle(self, now: float) -> float | None:
        """Hand out turns, and tell all apps their places; return in how many s to do it again."""
        while waiting := self._waiting(now):
            first, thinking = waiting[0], [one for one in self.here if one.is_thinking]
            if len(thinking) >= self.most:
                given_up = self._gives_way(first, thinking, now)
                if given_up is None:
                    break
                given_up.is_thinking, given_up.since = False, now
            first.was_long = self._is_long(first, now)
            first.is_thinking, first.since = True, now
            self._last[first.who] = now
        for place, one in enumerate(waiting, 1):
            self._tell(one, place)
        for one in self.here:
            if one.is_thinking:
                self._tell(one, 0)
        return self._until_next(waiting, now) if waiting else None

    # --- who is first -----------------------------------------------------------------------------

    def _waiting(self, now: float) -> list[Thinker]:
        """Return who waits, in the order of their turns: least has who had one last."""

        def rank(one: Thinker) -> tuple[bool, int, float, float]:
            count = sum(other.is_thinking for other in self.here if other.who == one.who)
            return (not self._counts(one, now), count, self._last.get(one.who, 0.0), one.since)

        return sorted((o for o in self.here if o.wish != DONE and not o.is_thinking), key=rank)

    def _counts(self, one: Thinker, now: float) -> bool:
        """Return whether it comes before analyses."""
        if one.wish == PLAY:
            return True
        if one.is_thinking:
            return one.was_long and now - one.since < SLICE
        return self._is_long(one, now)

    @staticmethod
    def _is_long(one: Thinker, now: float) -> bool:
        return one.wish == LOOK and now - one.since >= LONG

    def _gives_way(self, first: Thinker, thinking: list[Thinker], now: float) -> Thinker | None:
        """Return who gives way to the first in the queue: an analysis, else who thinks longest."""
        counts = self._counts(first, now)
        able = [
            one
            for one in thinking
            if (counts and not self._counts(one, now))
            or (counts == self._counts(one, now) and now - one.since >= SLICE)
        ]
        return min(able, key=lambda one: (self._counts(one, now), one.since), default=None)

    def _until_next(self, waiting: list[Thinker], now: float) -> float:
        ends = [one.since + SLICE for one in self.here if one.is_thinking]
        ends += [one.since + LONG for one in waiting if one.wish == LOOK]
        return max(0.0, min((end for end in ends if end > now), default=now + SLICE) - now)

    @staticmethod
    def _tell(one: Thinker, place: int) -> None:
        if one.told != place:
            one.told = place
            one.tell(one.number, place)
