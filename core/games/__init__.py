"""The games, one folder each, named after the game's id. Register a new game here.

The module `rules` of each folder implements `core.game.Game` and imports only core and the standard
library. Games of other packages come after ours in GAMES (core/plugins.py).
Begin with kuzushi/rules.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from kumite.core.errors import BadNotation, BadSetup
from kumite.core.game import Game
from kumite.core.lazy_modules import Modules
from kumite.core.plugins import Plugins

NAMES: Final = ("kitsu", "kitsune", "kumo", "kuzushi", "kiriai")


def _unfit(name: str, game: Any) -> str:
    """Return why an object is no game that could be played under this name, or ""."""
    if name in NAMES:
        return "kumite has a game of this name"
    lacking = [one for one in vars(Game) if not one.startswith("_") and not hasattr(game, one)]
    if lacking:
        return f"it has no {', '.join(lacking)}"
    return "" if name == game.ID else f"it calls itself {game.ID!r}"


class _Games(Mapping[str, Game[Any]]):
    """The games by id: our own, then plug-ins, which are loaded at the first unknown id."""

    def __init__(self) -> None:
        self._ours = Modules[Game[Any]]("kumite.core.games", "rules", NAMES)

    def __getitem__(self, name: str) -> Game[Any]:
        return self._ours[name] if name in self._ours else PLUGINS[name]

    def __contains__(self, name: object) -> bool:
        return name in self._ours or name in PLUGINS

    def __iter__(self) -> Iterator[str]:
        return chain(self._ours, PLUGINS)

    def __len__(self) -> int:
        return sum(1 for _ in self)


PLUGINS: Final = Plugins[Game[Any]]("kumite.games", _unfit)
GAMES: Final[Mapping[str, Game[Any]]] = _Games()


def package_of(game_id: str) -> str:
    """Return name and version of the package that brings this game; "" for ours."""
    return "" if game_id in NAMES else PLUGINS.package(game_id)


def find(game_id: str) -> Game[Any]:
    """Return the game with this id.

    Raises:
        BadSetup: there is no such game; the hint lists them.
    """
    if game_id not in GAMES:
        raise BadSetup(f"no game {game_id!r}", hint=f"games: {', '.join(GAMES)}")
    return GAMES[game_id]


def titled(text: str) -> str:
    """Return the id of the game that `text` names: id or title, or a part of one title only.

    Signs and capitals do not count; "" if no game is meant, or several may be.
    """
    said = _letters(text)
    names = {one: (_letters(one), _letters(GAMES[one].TITLE)) for one in GAMES}
    whole = [one for one, of in names.items() if said in of]
    parts = [one for one, of in names.items() if len(said) > 2 and any(said in it for it in of)]
    found = whole or parts
    return found[0] if len(found) == 1 else ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower().replace("&", "and")))


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
