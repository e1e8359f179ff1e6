"""What the scores of a search come to: chances to win, fitted to how matches between bots ended.

A score ranks steps; how often it wins is another question, and the answer differs from game to game
and with the seats. tools/chances.py plays the matches, fits the numbers and prints how true they
are (docs/measured.md has that table).
"""

from __future__ import annotations

from math import exp, log, log2
from typing import TYPE_CHECKING, Final, NamedTuple

from kumite.core.bots.base import UNSURE, chance

if TYPE_CHECKING:
    from collections.abc import Mapping

FARTHEST: Final = 50.0  # log odds; more is as good as certain


class Fit(NamedTuple):
    """A line through the log odds (Platt's scaling); both sides count from an even chance."""

    slope: float = 1.0
    shift: float = 0.0  # of whoever is to act

    def chance(self, score: float, even: float = 0.5) -> float:
        """Return the chance to win of a score from 0 to 1; nothing here is ever quite certain."""
        return self.of_odds(_odds(chance(score)) - _odds(even), even)

    def of_odds(self, odds: float, even: float = 0.5) -> float:
        """Return the same of log odds, counted from those of an even chance."""
        found = self.slope * odds + self.shift + _odds(even)
        return chance(1 / (1 + exp(-max(-FARTHEST, min(FARTHEST, found)))))

    def score(self, worth: float, even: float = 0.5) -> float | None:
        """Return which score this chance was of; None: it is not known, or certain."""
        if not UNSURE < worth < 1 - UNSURE or not self.slope:
            return None
        odds = (_odds(worth) - _odds(even) - self.shift) / self.slope
        return 1 / (1 + exp(-max(-FARTHEST, min(FARTHEST, odds + _odds(even)))))


def _odds(share: float) -> float:
    return log(share / (1 - share))


FITTED: Final[Mapping[str, Mapping[int, Fit]]] = {
    "kiriai": {2: Fit(0.82, 0.57)},  # where the other's special is hidden
    "kitsu": {2: Fit(0.84, 0.28)},
    "kitsune": {2: Fit(1.04, -0.06), 4: Fit(0.9, -0.14)},
    "kumo": {2: Fit(0.25, -0.09)},
    "kuzushi": {2: Fit(1.65, -0.44), 4: Fit(1.25, -0.46)},
}
"""By game and seats, as `python -m kumite.tools.chances show tests/data/chances.jsonl.gz` says."""
FLATTER: Final[Mapping[tuple[str, int], tuple[int, float]]] = {("kuzushi", 2): (12000, 0.12)}
"""By game and seats, with how many simulations the fit's scores were found, and by what part of
itself its line is too steep for each time that they are doubled: the scores of a long thought are
nearer to 0 and 1, while matches end as before. Of the others it is not measured, and no part."""


def fit_of(game_id: str, seats: int, simulations: int = 0) -> Fit:
    """Return the fit of a game, for scores that were found with so many simulations.

    If there is none for so many seats, it is that of the nearest number.
    """
    fits = FITTED.get(game_id, {})
    if not fits:
        return Fit()
    fit = fits[min(fits, key=lambda one: (abs(one - seats), one))]
    usual, part = FLATTER.get((game_id, seats), (1, 0.0))
    flat = 1 + part * max(0.0, log2(max(1, simulations) / usual))
    return Fit(fit.slope / flat, fit.shift / flat)
