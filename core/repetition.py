"""When something that was learnt is to be asked again: SM-2.

Source: P. A. Woźniak, "Application of a computer to improve the results obtained in working with
the SuperMemo method" (1990), https://super-memory.com/english/ol/sm2.htm. What was failed begins
anew, and what is known comes back at growing distances, the shorter the harder it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PASSED: Final = 3  # of the grades 0 to 5: from here on it is known
EASIEST, HARDEST = 2.5, 1.3  # by which a distance grows at first, and at least
FIRST, SECOND = 1, 6  # days


@dataclass(frozen=True, slots=True)
class Memory:
    """How well something is known: how often in a row, and when it is to be asked again."""

    times: int = 0  # that it was known in a row
    ease: float = EASIEST  # by which the distance grows
    days: int = 0  # until it is to be asked again

    def after(self, grade: int) -> Memory:
        """Return the memory after an answer: 5 at once, 3 with trouble, less than 3 not."""
        if grade < PASSED:
            return Memory(0, self.ease, FIRST)
        miss = 5 - grade
        ease = max(HARDEST, self.ease + 0.1 - miss * (0.08 + miss * 0.02))
        if self.times < 2:
            return Memory(self.times + 1, ease, (FIRST, SECOND)[self.times])
        return Memory(self.times + 1, ease, round(self.days * ease))
