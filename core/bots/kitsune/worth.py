"""What a position of Kitsune is worth: the markers, the tokens held and the rounds won."""

from __future__ import annotations

from functools import lru_cache
from math import tanh
from typing import TYPE_CHECKING, Final

from kumite.core.games.kitsune import rules as kitsune

if TYPE_CHECKING:
    from kumite.core.games.kitsune.state import State

TOKEN: Final = 1  # spaces that a token in hand is worth


def value(state: State) -> float:
    """Return the score that Zenko can expect, 0 to 1."""
    table, standing = state.table, state.standing
    outcome = kitsune.outcome(state)
    if outcome:
        return 0.5 if not outcome.winners else float(outcome.winners[0] % 2 == 0)
    zenko, yako = standing.marks
    for seat, token in enumerate(standing.held):
        if token:
            zenko, yako = (zenko, yako + TOKEN) if seat % 2 else (zenko + TOKEN, yako)
    now = this_round(zenko, yako, table.track)
    wins = standing.wins
    return now * match(wins[0] + 1, wins[1], table.wins) + (1 - now) * match(
        wins[0], wins[1] + 1, table.wins
    )


def this_round(zenko: int, yako: int, track: int) -> float:
    """Return how likely Zenko wins the round, as the markers stand with what tokens are worth."""
    near = track - max(zenko, yako)
    return 0.5 + 0.5 * tanh((zenko - yako) / (2.0 + near))


@lru_cache(maxsize=64)
def match(zenko: int, yako: int, needed: int) -> float:
    """Return how likely Zenko wins the match if each round from now on is even."""
    if zenko >= needed or yako >= needed:
        return float(zenko >= needed)
    return (match(zenko + 1, yako, needed) + match(zenko, yako + 1, needed)) / 2
