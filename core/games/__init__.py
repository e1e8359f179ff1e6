"""The games, a folder each, named after its id: registered below and nowhere else.

A game is the module `rules` of its folder, which satisfies `core.game.Game`. It imports core and
the standard library; begin reading with kuzushi/rules.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kumite.core.errors import BadNotation, BadSetup
from kumite.core.registry import Modules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kumite.core.game import Game
    from kumite.core.games.kiriai import rules as kiriai
    from kumite.core.games.kitsu import rules as kitsu
    from kumite.core.games.kitsune import rules as kitsune
    from kumite.core.games.kumo import rules as kumo
    from kumite.core.games.kuzushi import rules as kuzushi

    # The type checker holds each module against the interface; nothing imports them here.
    _CHECKED: tuple[Game[Any], ...] = (kitsu, kitsune, kumo, kuzushi, kiriai)

NAMES: Final = ("kitsu", "kitsune", "kumo", "kuzushi", "kiriai")
GAMES: Final[Mapping[str, Game[Any]]] = Modules("kumite.core.games", "rules", NAMES)


def find(game_id: str, games: Mapping[str, Game[Any]] = GAMES) -> Game[Any]:
    """Return the game of that id.

    Raises:
        BadSetup: there is none; the hint lists them.
    """
    if game_id not in games:
        raise BadSetup(f"no game {game_id!r}", hint=f"games: {', '.join(games)}")
    return games[game_id]


def parse_position(text: str, games: Mapping[str, Game[Any]] = GAMES) -> tuple[Game[Any], object]:
    """Return the game and the position that a canonical text states.

    A text need not name its game, so each game is asked; if none reads it, the one named says why.

    Raises:
        BadNotation: no game reads it.
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
