"""Descriptions of the games for the home screen and logs, without importing their rules.

A game's description is `ABOUT` of its folder in tui/games; the default is its title and seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Protocol

from kumite.core.game import Game
from kumite.core.games import GAMES, NAMES
from kumite.core.lazy_modules import Modules
from kumite.tui.scenes.lines import fit

if TYPE_CHECKING:

    class Module(Protocol):
        """The folder of a game in tui/games."""

        ABOUT: About


@dataclass(frozen=True, slots=True)
class About:
    """A short description of a game."""

    name: str  # at most 12 columns, to fit on a tile
    seats: tuple[int, ...]
    minutes: int = 0  # typical duration; 0: unknown
    sentence: str = ""
    goal: str = ""  # how it is won, in at most 31 columns
    aim: str = ""  # the same in a sentence or two
    roles: tuple[str, ...] = ()  # of the first seats, in the set-up
    trophy: str = ""  # the sprite of the winner's picture
    has_first: bool = False  # whether the first seat begins, so that it matters who sits there
    forms: tuple[tuple[str, str], ...] = ()  # an example of each form of a step, and what it does
    seat_after: str = (
        ""  # the pattern of what stands before a seat's number in a step; "": none has one
    )

    @property
    def players(self) -> str:
        """The number of players in figures: `2`, `2/4/6`, `2-6`."""
        if self._is_range:
            return f"{self.seats[0]}-{self.seats[-1]}"
        return "/".join(map(str, self.seats))

    @property
    def players_in_words(self) -> str:
        """The number of players: `2 players`, `2, 4 or 6 players`, `2 to 6 players`."""
        first, *more = map(str, self.seats)
        if self._is_range:
            return f"{first} to {more[-1]} players"
        early = ", ".join((first, *more[:-1]))
        return f"{early} or {more[-1]} players" if more else f"{first} players"

    @property
    def _is_range(self) -> bool:
        first, last = self.seats[0], self.seats[-1]
        return len(self.seats) > 2 and self.seats == tuple(range(first, last + 1))


LONGEST: Final = 12  # columns of a name on a tile
FOLDERS: Final[Mapping[str, Module]] = Modules("kumite.tui.games", "", NAMES)


@cache
def about(game_id: str) -> About:
    """Return the description of a registered game, without loading its rules."""
    return FOLDERS[game_id].ABOUT if game_id in FOLDERS else about_game(GAMES[game_id])


def about_game(game: Game[Any]) -> About:
    """Return the description of a game; of another package's, the first line of its docstring."""
    if game.ID in FOLDERS:
        return FOLDERS[game.ID].ABOUT
    sentence = (game.__doc__ or "").strip().partition("\n")[0]
    return About(fit(game.TITLE, LONGEST).strip(), game.SEATS, sentence=sentence)
