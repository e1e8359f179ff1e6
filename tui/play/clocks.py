"""The clocks of a LAN table as displayed; the network layer enforces them. Pure functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadSetup
from kumite.core.game import SPECTATOR

if TYPE_CHECKING:
    from kumite.core.game import Seat, Seats
    from kumite.net.wire.fields import Clock

AWAY: Final = 60  # default s of free time away in a match
LONGEST: Final = 24 * 3600  # s; longest setting
LOW: Final = 20_000  # ms


@dataclass(frozen=True, slots=True)
class Clocks:
    """Time left by seat in ms at the time `since` (s), and the seats whose clocks run from then."""

    left: tuple[int, ...] = ()
    running: Seats = SPECTATOR
    since: float = 0.0

    def at(self, now: float) -> tuple[int, ...]:
        gone = round((now - self.since) * 1000)
        return tuple(
            max(0, ms - gone) if seat in self.running else ms for seat, ms in enumerate(self.left)
        )

    def is_low(self, seat: Seat, now: float) -> bool:
        """Whether a clock is so low that it must stand out."""
        return bool(self.left) and self.at(now)[seat] <= LOW

    def shown(self, seat: Seat, now: float) -> str:
        """Return a clock as `4:31`, rounded up so that `0:00` means time is up."""
        seconds = -(-self.at(now)[seat] // 1000)
        return f"{seconds // 60}:{seconds % 60:02}"

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the text changes, or None if no clock is running."""
        left = [ms for seat, ms in enumerate(self.at(now)) if seat in self.running and ms > 0]
        return min(((ms - 1) % 1000 + 1) / 1000 for ms in left) if left else None


def parse_clock(text: str) -> Clock | None:
    """Parse `10+5` (minutes, s per step) or `10+5+60` (s of free time away); None for `none`.

    Raises:
        BadSetup: the text is not a clock.
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
