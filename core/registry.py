"""Modules by name, imported when they are first asked for: a table of one game loads one game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar, cast

M = TypeVar("M")


class Modules(Mapping[str, M]):
    """The modules `package.name` of some names, in that order."""

    def __init__(self, package: str, *names: str) -> None:
        """Name the modules; nothing is imported yet."""
        self._package = package
        self._names = names

    def __getitem__(self, name: str) -> M:
        """Return a module, or raise KeyError if it is not one of the names."""
        if name not in self._names:
            raise KeyError(name)
        return cast("M", import_module(f"{self._package}.{name}"))

    def __contains__(self, name: object) -> bool:
        """Say whether there is a module of that name, without importing it."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._names)
