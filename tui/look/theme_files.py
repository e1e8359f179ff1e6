"""Theme files, checked before anything is drawn with them: what is wrong is told, and not used."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.store import toml_files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

COLORS: Final = ("app", "roles", "grounds", "sprites")  # tables of colours as `#rrggbb`
OPEN: Final = "sprites"  # where a theme may name colours of its own, for skins of its own
NUMBERS: Final = "depth-256"  # the table of numbers of a terminal's 256
SWITCHES: Final = ("dark", "pictures", "signs")
MOST_TOLD: Final = 20
Allowed = str | tuple[str, ...]  # what is allowed; names, where there is none of that name
Bad = tuple[str, str, Allowed]  # table ("": above all), name
_HEX: Final = re.compile("#(?:[0-9a-fA-F]{3}){1,2}")


class Checked(NamedTuple):
    """A theme file: what can be used of it, and what is wrong with the rest."""

    switches: Mapping[str, bool]
    colors: Mapping[str, Mapping[str, str]]  # `#rrggbb`, by table and name
    numbers: Mapping[str, int]
    wrong: tuple[str, ...]  # file and line, what was found, what is allowed


@cache
def read(path: Path) -> Checked:
    """Return a theme of ours, which others are held against."""
    return check(path, None)


def check(path: Path, ours: Checked | None) -> Checked:
    """Return what can be used of a file; `ours` has the names there are (None: all are new)."""
    file = toml_files.read(path)
    if file.wrong:
        return Checked({}, {}, {}, (f"{file.wrong}; the theme dark is used",))
    said, bad = file.said, list(_top(file.said))
    tables = {one: said[one] for one in (*COLORS, NUMBERS) if isinstance(said.get(one), dict)}
    colors: dict[str, Mapping[str, str]] = {}
    for table in COLORS:
        known = () if ours is None or table == OPEN else tuple(ours.colors[table])
        found = dict(_bad_colors(tables.get(table, {}), known))
        bad += ((table, name, allowed) for name, allowed in found.items())
        colors[table] = {
            name: _long(value) for name, value in tables.get(table, {}).items() if name not in found
        }
    every = {name for part in colors.values() for name in part}
    if ours is not None:
        every.update(name for part in ours.colors.values() for name in part)
    found = dict(_bad_numbers(tables.get(NUMBERS, {}), every))
    bad += ((NUMBERS, name, allowed) for name, allowed in found.items())
    numbers = {name: one for name, one in tables.get(NUMBERS, {}).items() if name not in found}
    switches = {name: said[name] for name in SWITCHES if type(said.get(name)) is bool}
    return Checked(switches, colors, numbers, _told(path, file, bad))


def _told(path: Path, file: toml_files.Read, bad: list[Bad]) -> tuple[str, ...]:
    told = []
    for table, name, allowed in bad[:MOST_TOLD]:
        value = file.said[table][name] if table else file.said[name]
        place = toml_files.where(path, file.text, table, name)
        why = allowed if isinstance(allowed, str) else _unknown(name, allowed)
        told.append(f"{place}: {name} = {toml_files.shown(value)} is not used: {why}")
    if len(bad) > MOST_TOLD:
        told.append(f"{path}: {len(bad) - MOST_TOLD} more are not used")
    return tuple(told)


def _top(said: Mapping[str, Any]) -> Iterator[Bad]:
    """Yield what is wrong with what stands above the tables, and with what should be one."""
    for name, value in said.items():
        if name in (*COLORS, NUMBERS):
            if not isinstance(value, dict):
                yield "", name, f"[{name}] is a table of colours"
        elif name in SWITCHES:
            if type(value) is not bool:
                yield "", name, "true or false"
        elif name != "title":
            yield "", name, ("title", *SWITCHES, *COLORS, NUMBERS)
        elif type(value) is not str:
            yield "", name, "a text"


def _bad_colors(table: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[tuple[str, Allowed]]:
    for name, value in table.items():
        if known and name not in known:
            yield name, known
        elif type(value) is not str or not _HEX.fullmatch(value):
            yield name, "a colour is written #e6dfca, as red, green and blue"


def _bad_numbers(table: Mapping[str, Any], known: set[str]) -> Iterator[tuple[str, Allowed]]:
    for name, value in table.items():
        if name not in known:
            yield name, tuple(sorted(known))
        elif type(value) is not int or not 0 <= value <= 255:
            yield name, "a whole number from 0 to 255"


def _unknown(name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name[:40], known, n=1)
    meant = f"; {near[0]} is meant?" if near else f"; there are {', '.join(known[:40])}"
    return f"nothing is called so{meant}"


def _long(color: str) -> str:
    """Return `#rrggbb` of `#rgb`, too."""
    return color if len(color) == 7 else "#" + "".join(2 * one for one in color[1:])
