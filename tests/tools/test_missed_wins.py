"""The positions in which it is counted what `strong` misses."""

from __future__ import annotations

from random import Random

import pytest

from kumite.core import bots
from kumite.core.bots import Budget, Choice, Position
from kumite.core.games import GAMES
from kumite.tools import missed_wins


def test_every_second_match_is_of_strong_with_all_its_simulations_the_others_of_low_levels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are played by chance here; who would have thought, and how long, is what counts."""
    asked, plays = set[tuple[str, int | None]](), bots.find("random")

    def named(name: str) -> bots.Bot:
        def choose(position: Position, rng: Random, budget: Budget) -> Choice:
            asked.add((name, budget.simulations))
            return plays(position, rng, budget)

        return choose

    monkeypatch.setattr(bots, "find", named)
    for seed in range(1, 7):
        assert next(missed_wins.positions(GAMES["kitsu"], seed, 6), None) is not None
        strong = {(missed_wins.STRONG, None)}
        low = {(name, 60) for name in missed_wins.PLAYERS}
        assert asked <= low if seed % 2 else asked == strong
        asked.clear()
