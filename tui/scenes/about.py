"""What the home screen and the top of a log say of each game, without importing its rules.

It is the module `about` in the folder of a game's scene; a game without one is introduced by its
title and seats.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from kumite.core.games import GAMES, NAMES
from kumite.core.registry import Modules

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from kumite.core.game import Game

    class Module(Protocol):
        """The module `about` of a game."""

        ABOUT: About


@dataclass(frozen=True, slots=True)
class About:
    """One game in a few words."""

    name: str  # as short as fits on a tile: 12 columns
    seats: tuple[int, ...]
    minutes: int = 0  # that a match takes people, about; 0: nobody has said
    sentence: str = ""
    aim: str = ""  # how it is won

    @property
    def players(self) -> str:
        """Return how many play, in figures: `2`, `2-6`."""
        first, last = self.seats[0], self.seats[-1]
        return str(first) if first == last else f"{first}-{last}"

    @property
    def players_in_words(self) -> str:
        """Return how many play: `2 players`, `2, 4 or 6 players`, `2 to 6 players`."""
        first, *more = map(str, self.seats)
        if len(more) > 1 and self.seats == tuple(range(self.seats[0], self.seats[-1] + 1)):
            return f"{first} to {more[-1]} players"
        early = ", ".join((first, *more[:-1]))
        return f"{early} or {more[-1]} players" if more else f"{first} players"


_MODULES: Final[Mapping[str, Module]] = Modules("kumite.tui.scenes", "about", NAMES)


@cache
def about(game_id: str) -> About:
    """Return what there is to say of a game that is registered; its rules need not be loaded."""
    return _MODULES[game_id].ABOUT if game_id in _MODULES else about_game(GAMES[game_id])


def about_game(game: Game[Any]) -> About:
    """Return what there is to say of a game, wherever it comes from."""
    return _MODULES[game.ID].ABOUT if game.ID in _MODULES else About(game.TITLE, game.SEATS)
