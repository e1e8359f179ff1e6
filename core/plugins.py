"""Games and bots of other installed packages (docs/plugins.md), read when first asked for.

A package names them as entry points. One that cannot be used is reported once and left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar, cast

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")


class Plugins(Mapping[str, T], Generic[T]):
    """What packages offer in a group of entry points, by name; `refuse` says why one is unfit."""

    warn: ClassVar[Callable[[str], object]] = staticmethod(lambda _: None)
    """Told of each plug-in that is left out."""

    def __init__(self, group: str, refuse: Callable[[str, Any], str]) -> None:
        self._group = group
        self._refuse = refuse
        self._loaded: dict[str, T | None] = {}

    @cached_property
    def _entries(self) -> Mapping[str, EntryPoint]:
        from importlib.metadata import entry_points  # takes 10 ms that a start does not need

        found: dict[str, EntryPoint] = {}
        for one in entry_points(group=self._group):
            if one.name in found:
                self._leave_out(one, f"{_package(found[one.name])} has it, too")
            else:
                found[one.name] = one
        return found

    def package(self, name: str) -> str:
        """Return name and version of the package that offers this, or ""."""
        return _package(self._entries[name]) if name in self else ""

    def __getitem__(self, name: str) -> T:
        if name not in self:
            raise KeyError(name)
        return cast("T", self._loaded[name])

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str) or not re.fullmatch("[a-z][a-z0-9]{0,30}", name):
            return False  # an option of a command line, the name of a player
        if name in self._entries and name not in self._loaded:
            self._loaded[name] = self._load(self._entries[name])
        return self._loaded.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        return (name for name in sorted(self._entries) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _load(self, entry: EntryPoint) -> T | None:
        try:
            found = entry.load()
            reason = self._refuse(entry.name, found)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
        if not reason:
            return cast("T", found)
        self._leave_out(entry, reason)
        return None

    def _leave_out(self, entry: EntryPoint, reason: str) -> None:
        kind = self._group.rpartition(".")[2].removesuffix("s")
        said = f"The {kind} {entry.name} of the package {_package(entry)} is left out: {reason}"
        Plugins.warn(said)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else ""
