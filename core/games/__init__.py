"""The games, one folder each, named after the game's id. Register a new game here.

The module `rules` of each folder implements `core.game.Game` and imports only core and the standard
library. Begin with kuzushi/rules.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import BadNotation, BadSetup
from kumite.core.lazy_modules import Modules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Game


NAMES: Final = ("kitsu", "kitsune", "kumo", "kuzushi", "kiriai")
GAMES: Final[Mapping[str, Game[Any]]] = Modules("kumite.core.games", "rules", NAMES)


def find(game_id: str, games: Mapping[str, Game[Any]] = GAMES) -> Game[Any]:
    """Return the game with this id.

    Raises:
        BadSetup: there is no such game; the hint lists them.
    """
    if game_id not in games:
        raise BadSetup(f"no game {game_id!r}", hint=f"games: {', '.join(games)}")
    return games[game_id]


def parse_position(text: str, games: Mapping[str, Game[Any]] = GAMES) -> tuple[Game[Any], object]:
    """Return the game and the position described by a canonical text.

    The text need not name its game, so every game tries to parse it. If all fail and the text names
    a game, the error is that game's.

    Raises:
        BadNotation: no game can parse it.
    """
    complaints: list[tuple[bool, BadNotation]] = []
    for game in games.values():
        try:
            return game, game.parse(text)
        except BadNotation as error:
            complaints.append((text.split(maxsplit=1)[:1] == [game.ID], error))
    named = [error for is_named, error in complaints if is_named]
    if named:
        raise named[0]
    raise BadNotation(
        "no game reads this as a position", hint=f"a text as `view` prints it: {', '.join(games)}"
    )
