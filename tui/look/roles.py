"""Roles of text, each with the theme colours that draw it; pure.

A single game's roles are `ROLES` of its folder in tui/games, named after it: `kitsu.spring`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from kumite.core.games import NAMES
from kumite.core.lazy_modules import Modules


class Role(NamedTuple):
    """Names of theme colours for foreground and background ("" is the widget's own)."""

    ink: str
    paper: str = ""
    bold: bool = False


_SEATS: Final = range(6)
ROLES: Final[Mapping[str, Role]] = {
    "": Role("foreground"),
    "quiet": Role("quiet"),
    "title": Role("title", bold=True),
    "key": Role("key", bold=True),
    "gain": Role("gain", bold=True),
    "loss": Role("loss", bold=True),
    "label": Role("target"),
    "fits": Role("fits"),
    "border": Role("quiet"),
    "target": Role("target"),
    "contested": Role("contested", bold=True),
    "cursor": Role("background", "foreground", bold=True),
    "mover": Role("on-seat", "title", bold=True),  # in mid-move
    **{f"base-{n}": Role("on-seat", f"seat-{n}", bold=True) for n in _SEATS},
    **{f"flag-{n}": Role(f"seat-{n}", f"seat-{n}-dim") for n in _SEATS},
}
_FOLDERS: Final[Mapping[str, Any]] = Modules("kumite.tui.games", "", NAMES)


@cache
def role_of(name: str) -> Role:
    """Return a role by name.

    Raises:
        KeyError: there is none of that name.
    """
    game_id, dot, own = name.partition(".")
    return getattr(_FOLDERS[game_id], "ROLES", {})[own] if dot else ROLES[name]
