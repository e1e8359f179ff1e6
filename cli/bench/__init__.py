"""Speed as ratios: `kumite bench`, and Mini-Kuzushi, the sixth game, which lives outside core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kumite.cli.bench import mk6
from kumite.core.games import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Game

ALL_GAMES: Final[Mapping[str, Game[Any]]] = {**GAMES, mk6.ID: mk6}
