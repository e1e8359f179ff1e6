"""How a match stands, in figures that can be drawn: who has how much of what.

It is the module `tally` in the folder of a game's scene; a game without one has no figures. All of
it sees views only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.core.games import NAMES
from kumite.core.registry import Modules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kumite.core.match import Match
    from kumite.tui.scenes.figures import Tally
    from kumite.tui.scenes.kiriai import tally as kiriai
    from kumite.tui.scenes.kitsu import tally as kitsu
    from kumite.tui.scenes.kitsune import tally as kitsune
    from kumite.tui.scenes.kumo import tally as kumo
    from kumite.tui.scenes.kuzushi import tally as kuzushi

    # The type checker holds each module against the interface; nothing imports them here.
    _CHECKED: tuple[Tallies, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)


class Tallies(Protocol):
    """What the module of a game gives."""

    def tallies(self, view: Any) -> tuple[Tally, ...]:
        """Return how each side stands, in the order of their first seats."""


_MODULES: Final[Mapping[str, Tallies]] = Modules("kumite.tui.scenes", "tally", NAMES)


def tallies(match: Match) -> tuple[Tally, ...]:
    """Return how each side of a match stands; () in a game that has no such figures."""
    game = match.game.ID
    return _MODULES[game].tallies(match.state) if game in _MODULES else ()


def colors_of(match: Match) -> Mapping[int, int]:
    """Return the seat in whose colour each seat is told of: mostly its own, or its side's."""
    sides = {
        seat: one.seats[0] if one.color is None else one.color
        for one in tallies(match)
        for seat in one.seats
    }
    return {seat: sides.get(seat, seat) for seat in range(match.setup.seats)}


def turning_point(line: Sequence[Match], winners: Sequence[int]) -> int | None:
    """Return the number of the step with which the winners went ahead for good.

    None: nobody won, they were ahead from the start, or one cannot tell.
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
