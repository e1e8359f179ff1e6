"""Convert search scores to win probabilities, fitted to the results of matches between bots.

A score only ranks steps; the win probability behind it depends on the game and the number of seats.
tools/chances.py plays the matches, fits the parameters and prints the calibration error (see the
table in docs/measured.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log, log2
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.base import UNSURE, chance
from kumite.core.games import NAMES
from kumite.core.lazy_modules import Modules

if TYPE_CHECKING:
    from types import ModuleType

FARTHEST: Final = 50.0  # log odds, beyond which a result counts as certain


class Fit(NamedTuple):
    """A linear calibration of log odds (Platt scaling), both relative to an even chance."""

    slope: float = 1.0
    shift: float = 0.0  # for the seat to act

    def chance(self, score: float, even: float = 0.5) -> float:
        """Return the win probability of a score from 0 to 1, never exactly 0 or 1."""
        return self.of_odds(_odds(chance(score)) - _odds(even), even)

    def of_odds(self, odds: float, even: float = 0.5) -> float:
        """Return the win probability of log odds that are relative to an even chance."""
        found = self.slope * odds + self.shift + _odds(even)
        return chance(1 / (1 + exp(-max(-FARTHEST, min(FARTHEST, found)))))

    def score(self, worth: float, even: float = 0.5) -> float | None:
        """Return the score of a win probability; None if that is certain or not invertible."""
        if not UNSURE < worth < 1 - UNSURE or not self.slope:
            return None
        odds = (_odds(worth) - _odds(even) - self.shift) / self.slope
        return 1 / (1 + exp(-max(-FARTHEST, min(FARTHEST, odds + _odds(even)))))


def _odds(share: float) -> float:
    return log(share / (1 - share))


@dataclass(frozen=True, slots=True)
class Measured:
    """Measured strength and calibration of a game's bots: `MEASURED` in the game's folder `bot`."""

    steps: tuple[int, ...]
    """Elo difference of each level to the one below it, as in docs/measured.md."""
    fits: Mapping[int, Fit]
    """By seats; printed by `python -m kumite.tools.chances show tests/data/chances.jsonl.gz`."""
    flatter: Mapping[int, tuple[int, float]] = field(default_factory=dict)
    """By seats, the number of simulations behind the fit, and how much flatter the line gets with
    each doubling, as a fraction. Longer searches give more extreme scores, while results stay the
    same. Where this was not measured, the line is not adjusted."""


FOLDERS: Final[Mapping[str, ModuleType]] = Modules("kumite.core.games", "bot", NAMES)


def measured(game_id: str) -> Measured | None:
    """Return the measurements of a game's bots, or None if there are none yet."""
    folder = FOLDERS.get(game_id)
    return getattr(folder, "MEASURED", None)


def fit_of(game_id: str, seats: int, simulations: int = 0) -> Fit:
    """Return the calibration of a game for scores found with this number of simulations.

    Without a fit for this number of seats, use that of the nearest number.
    """
    found = measured(game_id)
    if found is None:
        return Fit()
    fit = found.fits[min(found.fits, key=lambda one: (abs(one - seats), one))]
    usual, part = found.flatter.get(seats, (1, 0.0))
    flat = 1 + part * max(0.0, log2(max(1, simulations) / usual))
    return Fit(fit.slope / flat, fit.shift / flat)
