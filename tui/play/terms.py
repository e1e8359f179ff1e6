"""Tables, terms and clocks in words, and what happens if players leave. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadSetup
from kumite.core.game import SPECTATOR, Seat, Seats, Setup
from kumite.core.gone import BOT, FEWEST, FORFEIT, WAIT

if TYPE_CHECKING:
    from kumite.core.series import Series
    from kumite.net.transport.discovery import Announced
    from kumite.net.wire.fields import Clock

USUAL_AWAY: Final = 60  # default s of free time away in a match
LONGEST: Final = 24 * 3600  # s; longest setting
LOW: Final = 20_000  # ms
GONE: Final = {WAIT: "wait for them", BOT: "a bot plays on", FORFEIT: "they forfeit"}
"""What happens to the seats of a player who is gone, as options in a form."""

PRICE: Final = "all others but one (two at least) can read a hand if they cheat together"
"""The risk of letting a bot play on in games with hands; see docs/gone.md."""

_IF_GONE: Final = "If all others say that a player is gone for good,"


def terms(setup: Setup, clock: Sequence[int] | None, best_of: int = 1) -> str:
    """Return the game, the number of players, the options and the clock, if there is one."""
    away = [f"{clock[2]} s away are free"] if clock else []
    series = [f"best of {best_of}"] * (best_of > 1)
    said = ", ".join([*options_and_clock(setup, clock or ()), *away, *series])
    return f"{setup.game.TITLE} for {setup.seats}: {said}"


def table_of(table: Announced) -> str:
    name = table.name or "somebody"
    return f"the tournament {name}" if table.is_tournament else f"{name}'s table of {table.title}"


def options_said(setup: Setup) -> list[str]:
    """Return the options that matter for this number of seats, in words."""
    options = (one for one in setup.game.OPTIONS if one.matters(setup.seats))
    return [one.said(setup.options[one.name]) for one in options]


def options_and_clock(setup: Setup, clock: Sequence[int]) -> list[str]:
    return [
        *options_said(setup),
        f"{clock[0] // 60} min + {clock[1]} s a step" if clock else "no clock",
    ]


def score_text(series: Series, setup: Setup, names: Sequence[str]) -> str:
    """Return the matches won by each side: `best of 3: ada 1, bob 0, 1 drawn`.

    Of more sides than two nobody wins as well when one of them gives up.
    """
    sides: dict[int, list[int]] = {}
    for seat in map(Seat, range(setup.seats)):
        sides.setdefault(setup.side_of(seat), []).append(seat)
    won = series.won or (0,) * setup.seats
    called = {seats[0]: " and ".join(names[seat] for seat in seats) for seats in sides.values()}
    counts = [f"{who} {won[seat]}" for seat, who in called.items()]
    none = f"{series.drawn} drawn" if len(called) == 2 else f"nobody {series.drawn}"
    said = ", ".join([*counts, *[none] * bool(series.drawn)])
    if not series.is_decided:
        return f"best of {series.best_of}: {said}" if series.best_of > 1 else said
    best = max(called, key=lambda first: won[first])
    have = "have" if " and " in called[best] else "has"
    return f"{said}; {called[best]} {have} won the best of {series.best_of}"


def if_gone(setup: Setup, gone: str) -> str:
    """Return what happens to seats of players who are gone, and the risk; "" if all wait."""
    if gone == WAIT or setup.seats < FEWEST:
        return ""
    if gone == FORFEIT:
        return f"{_IF_GONE} that player forfeits"
    is_dear = gone == BOT and setup.game.SECRETS is not None
    return f"{_IF_GONE} a bot plays on" + f". Price: {PRICE}" * is_dear


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
        """True if a clock is so low that it must stand out."""
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

    Raise BadSetup if the text is not a clock.
    """
    if text.strip().lower() in ("", "none"):
        return None
    given = [part.strip() for part in text.split("+")]
    numbers = [*given, "0"] if len(given) == 1 else given
    numbers = [*numbers, str(USUAL_AWAY)] if len(numbers) == 2 else numbers
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
