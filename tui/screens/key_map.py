"""The keys that users can remap in the settings, collected from every binding that has an id."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from string import printable

from textual.binding import Binding
from textual.dom import DOMNode
from textual.keys import Keys, _character_to_key

from kumite.tui import screens, widgets

MODIFIERS = frozenset({"ctrl", "shift", "alt", "super", "hyper", "meta"})


@cache
def known() -> Mapping[str, Binding]:
    """Return all of kumite's bindings by id, sorted by id."""
    for package in (screens, widgets):
        for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            import_module(module.name)
    import_module("kumite.tui.app")
    found = {
        binding.id: binding
        for one in _below(DOMNode)
        for binding in vars(one).get("BINDINGS", ())
        if isinstance(binding, Binding) and binding.id and "." in binding.id
    }
    return dict(sorted(found.items()))


def _below(kind: type[DOMNode]) -> Iterator[type[DOMNode]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


@cache
def key_names() -> frozenset[str]:
    return frozenset(
        {one.value for one in Keys} | {_character_to_key(one) for one in printable if one.strip()}
    )


def wrong(keys: Mapping[str, str]) -> tuple[str, ...]:
    told = []
    for name, said in keys.items():
        if name not in known():
            near = get_close_matches(name[:40], known(), n=1)
            hint = (
                f"; {near[0]} is meant?" if near else "; the row Keys of the settings leads to all"
            )
            told.append(f"[keys] has no {name!r}{hint}")
        for key in said.split(","):
            if not _is_key(key.strip()):
                told.append(
                    f"[keys] {name}: there is no key {key.strip()!r}; such as x, f5, ctrl+r"
                )
    return tuple(told)


def _is_key(text: str) -> bool:
    *modifiers, key = text.split("+") if text != "+" else [text]
    return set(modifiers) <= MODIFIERS and (len(key) == 1 or key in key_names())
