"""Positions in words, for screen readers and terminals that cannot be drawn on. Pure.

It is the module `spoken` in the folder of a game's scene; a game without one is told by its scene.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.core.games import NAMES
from kumite.core.registry import Modules
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.scenes import maker
from kumite.tui.scenes.model import scene_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kumite.core.game import Seat
    from kumite.core.match import Match
    from kumite.tui.scenes.kiriai import spoken as kiriai
    from kumite.tui.scenes.kitsu import spoken as kitsu
    from kumite.tui.scenes.kitsune import spoken as kitsune
    from kumite.tui.scenes.kumo import spoken as kumo
    from kumite.tui.scenes.kuzushi import spoken as kuzushi

    # The type checker holds each module against the interface; nothing imports them here.
    _CHECKED: tuple[Speaker, ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)


class Speaker(Protocol):
    """The module `spoken` of a game."""

    def position(self, view: Any, names: Sequence[str], you: Seat | None) -> Iterable[str]:
        """Yield what stands where and what is left, in sentences, as the seat `you` knows it."""


_SPEAKERS: Final[Mapping[str, Speaker]] = Modules("kumite.tui.scenes", "spoken", NAMES)


def position(match: Match, names: Sequence[str], you: Seat | None) -> tuple[str, ...]:
    """Return the position of a match in words, as its owner sees it."""
    if match.game.ID in _SPEAKERS:
        return tuple(_SPEAKERS[match.game.ID].position(match.state, names, you))
    scene = maker(match).scene(match.state, names, LOOKS["ascii"], you)
    return tuple(line for line in scene_text(scene).split("\n") if line.strip())
