"""How many bytes a guest's apps may write, however many of them there are; pure."""

from __future__ import annotations

from typing import Final

BURST: Final = 2.0  # s of output that may come at once


class Allowance:
    """So many bytes a second, by a clock that goes only forward."""

    def __init__(self, speed: float, now: float) -> None:
        self._speed, self._saved, self._since = speed, BURST * speed, now

    def take(self, count: int, now: float) -> float:
        """Note that so many bytes were written; return for how many s to wait before the next."""
        earned = (now - self._since) * self._speed
        self._saved = min(BURST * self._speed, self._saved + earned) - count
        self._since = now
        return max(0.0, -self._saved / self._speed)
