"""The score of a match in figures that can be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kumite.tui.scenes.maker import maker
from kumite.tui.scenes.model import Tally

if TYPE_CHECKING:
    from kumite.core.match import Match


def tallies(match: Match) -> tuple[Tally, ...]:
    """Return the score of each side; () in a game without such figures."""
    return maker(match).tallies(match.state)


def scores_over(
    line: Sequence[Match], known: dict[bytes, tuple[Tally, ...]], *, has_course: bool = False
) -> list[tuple[int, list[int]]]:
    """Return the seat whose colour a side has, and its score after each step; [] if all have 0.

    With `has_course`, return what the game draws over time, also if all have 0. `known` keeps the
    tallies by digest, so that a step costs one.
    """
    for match in line:
        if match.digest not in known:
            known[match.digest] = tallies(match)
    stands = [known[match.digest] for match in line]
    found = []
    for side, one in enumerate(stands[-1]):
        color = one.seats[0] if one.color is None else one.color
        own = [stand[side] for stand in stands]
        found.append((color, [one.drawn if has_course else one.score for one in own]))
    return found if has_course or any(any(values) for _, values in found) else []


def whole_of(match: Match) -> int:
    """Return what a won round counts of the score; 0: no rounds are won."""
    return next((one.whole for one in tallies(match)), 0)


def colors_of(match: Match) -> Mapping[int, int]:
    """Return for each seat the seat whose colour it has: mostly its own, or its side's."""
    sides = {
        seat: one.seats[0] if one.color is None else one.color
        for one in tallies(match)
        for seat in one.seats
    }
    return {seat: sides.get(seat, seat) for seat in range(match.setup.seats)}


def turning_point(line: Sequence[Match], winners: Sequence[int]) -> int | None:
    """Return the number of the step with which the winners finally took the lead.

    None: nobody won, they led from the start, or scores are not comparable.
    """
    if not winners:
        return None
    for at in range(len(line) - 1, -1, -1):
        if not _are_ahead(tallies(line[at]), winners):
            return at + 1 if at + 1 < len(line) else None
    return None


def _are_ahead(stand: Sequence[Tally], winners: Sequence[int]) -> bool:
    own = max((one.score for one in stand if set(one.seats) & set(winners)), default=0)
    others = max((one.score for one in stand if not set(one.seats) & set(winners)), default=0)
    return own > others
