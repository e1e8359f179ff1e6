"""The clocks of a LAN table as they are shown; what counts is decided by the terminals. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadSetup
from kumite.core.game import SPECTATOR

if TYPE_CHECKING:
    from kumite.core.game import Seat, Seats
    from kumite.net.wire.fields import Clock

AWAY: Final = 60  # s of a match that a terminal may be away for nothing, unless it is chosen
LONGEST: Final = 24 * 3600  # s of a clock
LOW: Final = 20_000  # ms


@dataclass(frozen=True, slots=True)
class Clocks:
    """Time left in ms by seat at the moment `since` (s), and whose time runs from then on."""

    left: tuple[int, ...] = ()
    running: Seats = SPECTATOR
    since: float = 0.0

    def at(self, now: float) -> tuple[int, ...]:
        """Return the ms left by seat."""
        gone = round((now - self.since) * 1000)
        return tuple(
            max(0, ms - gone) if seat in self.running else ms for seat, ms in enumerate(self.left)
        )

    def is_low(self, seat: Seat, now: float) -> bool:
        """Return whether a clock has so little time left that it must be seen."""
        return bool(self.left) and self.at(now)[seat] <= LOW

    def shown(self, seat: Seat, now: float) -> str:
        """Return a clock as `4:31`: begun seconds count, so `0:00` is the end."""
        seconds = -(-self.at(now)[seat] // 1000)
        return f"{seconds // 60}:{seconds % 60:02}"

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds another text is to be shown, None if nothing runs."""
        left = [ms for seat, ms in enumerate(self.at(now)) if seat in self.running and ms > 0]
        return min(((ms - 1) % 1000 + 1) / 1000 for ms in left) if left else None


def parse_clock(text: str) -> Clock | None:
    """Return the clock of `10+5` (minutes, s more a step) or `10+5+60` (s away for nothing), too.

    None of `none`.

    Raises:
        BadSetup: it is no clock.
    """
    if text.strip().lower() in ("", "none"):
        return None
    given = [part.strip() for part in text.split("+")]
    numbers = [*given, "0"] if len(given) == 1 else given
    numbers = [*numbers, str(AWAY)] if len(numbers) == 2 else numbers
    is_sound = all(part.isascii() and part.isdecimal() and len(part) < 6 for part in numbers)
    if is_sound and len(numbers) == 3:
        base, step, away = int(numbers[0]) * 60, int(numbers[1]), int(numbers[2])
        if 0 < base <= LONGEST and max(step, away) <= LONGEST:
            return base, step, away
    raise BadSetup(
        f"{text!r} is no clock",
        hint="minutes for each seat + seconds more a step: 10+5; 10+5+60 with 60 seconds that a "
        "terminal may be away for nothing; or none",
    )
