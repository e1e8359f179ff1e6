"""Figures of how a match stands, as the module `tally` of each game gives them."""

from __future__ import annotations

from typing import NamedTuple


class Bar(NamedTuple):
    """So many of something, of so many at most."""

    what: str
    number: int
    most: int


class Tally(NamedTuple):
    """How one side stands."""

    seats: tuple[int, ...]  # whose it is
    label: str  # what the side is called besides its players; mostly empty
    bars: tuple[Bar, ...]
    score: int  # by which sides are compared, as far as one can; 0 for all: one cannot
    color: int | None = None  # of which seat it has the colour; None: of the first of its own
