"""Modules of the games, each imported on first use, so a table loads only its own game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar, cast

M = TypeVar("M")


class Modules(Mapping[str, M]):
    """A mapping from name to the module `package.name.part`, omitting names without one.

    So a game is registered once, in `core.games.NAMES`; its other modules are found by path.
    """

    def __init__(self, package: str, part: str, names: Iterable[str]) -> None:
        """Name the modules (without `part`: `package.name`); import nothing yet."""
        self._package = package
        self._part = part
        self._names = tuple(names)

    def _place(self, name: str) -> str:
        return ".".join(filter(None, (self._package, name, self._part)))

    def __getitem__(self, name: str) -> M:
        if name not in self:
            raise KeyError(name)
        return cast("M", import_module(self._place(name)))

    def __contains__(self, name: object) -> bool:
        return name in self._names and _exists(self._place(str(name)))

    def __iter__(self) -> Iterator[str]:
        return (name for name in self._names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


@cache
def _exists(place: str) -> bool:
    """Return True if the module exists; this imports only its parent packages."""
    try:
        return find_spec(place) is not None
    except ModuleNotFoundError:
        return False
