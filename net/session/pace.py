"""How fast somebody may do something: so much at once, then so much a second; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_KNOWN: Final = 512  # whose pace is remembered


@dataclass(frozen=True, slots=True)
class Pace:
    """So much at once, then so much a second."""

    at_once: int
    a_second: float


@dataclass(frozen=True, slots=True)
class Paces:
    """Until when each has used up what they may do: (what, who, time in s); a value."""

    used: tuple[tuple[str, str, float], ...] = ()

    def after(self, what: str, who: str, now: float, pace: Pace) -> Paces | None:
        """Return the paces after one thing more that somebody does; None if that is too fast."""
        until, others = now, []
        for one in self.used:
            if one[:2] == (what, who):
                until = max(until, one[2])
            elif one[2] > now:
                others.append(one)
        until += 1 / pace.a_second
        if until > now + pace.at_once / pace.a_second + 1e-6:
            return None
        others.sort(key=lambda one: one[2])  # who is free soonest is forgotten first
        return Paces((*others[1 - MAX_KNOWN :], (what, who, until)))
