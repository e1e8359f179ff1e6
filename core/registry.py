"""A module a game, imported when it is first asked for: a table of one game loads one game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TypeVar, cast

M = TypeVar("M")


class Modules(Mapping[str, M]):
    """The modules `package.name.part` of some names, in that order; names without one are left out.

    So a game is registered once, by its name in `core.games`; what else it has is found by place.
    """

    def __init__(self, package: str, part: str, names: Iterable[str]) -> None:
        """Name the modules (without `part`: `package.name`); nothing is imported yet."""
        self._package = package
        self._part = part
        self._names = tuple(names)

    def _place(self, name: str) -> str:
        return ".".join(filter(None, (self._package, name, self._part)))

    def __getitem__(self, name: str) -> M:
        """Return a module, or raise KeyError if there is none of that name."""
        if name not in self:
            raise KeyError(name)
        return cast("M", import_module(self._place(name)))

    def __contains__(self, name: object) -> bool:
        """Say whether there is a module of that name, without importing it."""
        return name in self._names and _exists(self._place(str(name)))

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names that have a module."""
        return (name for name in self._names if name in self)

    def __len__(self) -> int:
        """Return how many there are."""
        return sum(1 for _ in self)


@cache
def _exists(place: str) -> bool:
    """Return whether there is such a module; only the packages around it are imported."""
    try:
        return find_spec(place) is not None
    except ModuleNotFoundError:
        return False
