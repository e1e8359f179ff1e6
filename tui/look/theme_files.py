"""Theme files: validated before use; invalid entries are reported and ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any, Final, NamedTuple

from kumite.core.games import NAMES
from kumite.store import toml_files

COLORS: Final = ("app", "roles", "grounds", "sprites")  # tables of colours as `#rrggbb`
OPEN: Final = "sprites"  # where a theme may name colours of its own, for skins of its own
GAMES: Final = "games"  # the table with one for each game, of the colours that differ in it
NUMBERS, FEW = "depth-256", "depth-16"  # tables of numbers of a terminal's colours
DEPTHS: Final = {NUMBERS: 255, FEW: 15}  # the highest number of each
SWITCHES: Final = ("dark", "pictures", "signs")
MOST_TOLD: Final = 20
Allowed = str | tuple[str, ...]  # the allowed values, or the known names for an unknown one
Bad = tuple[str, str, Allowed]  # table ("": top level), name
_HEX: Final = re.compile("#(?:[0-9a-fA-F]{3}){1,2}")


class Checked(NamedTuple):
    """A theme file: its valid entries, and the errors of the others."""

    switches: Mapping[str, bool]
    colors: Mapping[str, Mapping[str, str]]  # `#rrggbb`, by table and name
    numbers: Mapping[str, Mapping[str, int]]  # by table and name
    games: Mapping[str, Mapping[str, str]]  # `#rrggbb`, by game and name
    wrong: tuple[str, ...]  # file and line, what was found, what is allowed


@cache
def read(path: Path) -> Checked:
    """Return a shipped theme, the reference for others."""
    return check(path, None)


def check(path: Path, ours: Checked | None) -> Checked:
    """Return the valid entries of a file; `ours` has the known names (None: any)."""
    file = toml_files.read(path)
    if file.wrong:
        return Checked({}, {}, {}, {}, (f"{file.wrong}; the theme dark is used",))
    said, bad = file.said, list(_top(file.said))
    tables = {one: said[one] for one in (*COLORS, *DEPTHS) if isinstance(said.get(one), dict)}
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
    numbers: dict[str, Mapping[str, int]] = {}
    for depth, most in DEPTHS.items():
        found = dict(_bad_numbers(tables.get(depth, {}), every, most))
        bad += ((depth, name, allowed) for name, allowed in found.items())
        numbers[depth] = {n: one for n, one in tables.get(depth, {}).items() if n not in found}
    games: dict[str, Mapping[str, str]] = {}
    own = said.get(GAMES)
    for game_id, table in own.items() if isinstance(own, dict) else ():
        if game_id not in NAMES or not isinstance(table, dict):
            bad.append((GAMES, game_id, "a table of colours" if game_id in NAMES else NAMES))
            continue
        found = dict(_bad_colors(table, tuple(sorted(every))))
        bad += ((f"{GAMES}.{game_id}", name, allowed) for name, allowed in found.items())
        games[game_id] = {n: _long(value) for n, value in table.items() if n not in found}
    switches = {name: said[name] for name in SWITCHES if type(said.get(name)) is bool}
    return Checked(switches, colors, numbers, games, _told(path, file, bad))


def _told(path: Path, file: toml_files.Read, bad: list[Bad]) -> tuple[str, ...]:
    told = []
    for table, name, allowed in bad[:MOST_TOLD]:
        value = reduce(getitem, (*filter(None, table.split(".")), name), file.said)
        place = toml_files.where(path, file.text, table, name)
        why = allowed if isinstance(allowed, str) else _unknown(name, allowed)
        told.append(f"{place}: {name} = {toml_files.shown(value)} is not used: {why}")
    if len(bad) > MOST_TOLD:
        told.append(f"{path}: {len(bad) - MOST_TOLD} more are not used")
    return tuple(told)


def _top(said: Mapping[str, Any]) -> Iterator[Bad]:
    """Yield the errors at top level, and of tables that are none."""
    for name, value in said.items():
        if name in (*COLORS, GAMES, *DEPTHS):
            if not isinstance(value, dict):
                yield "", name, f"[{name}] is a table of colours"
        elif name in SWITCHES:
            if type(value) is not bool:
                yield "", name, "true or false"
        elif name != "title":
            yield "", name, ("title", *SWITCHES, *COLORS, GAMES, *DEPTHS)
        elif type(value) is not str:
            yield "", name, "a text"


def _bad_colors(table: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[tuple[str, Allowed]]:
    for name, value in table.items():
        if known and name not in known:
            yield name, known
        elif type(value) is not str or not _HEX.fullmatch(value):
            yield name, "a colour is written #e6dfca, as red, green and blue"


def _bad_numbers(
    table: Mapping[str, Any], known: set[str], most: int
) -> Iterator[tuple[str, Allowed]]:
    for name, value in table.items():
        if name not in known:
            yield name, tuple(sorted(known))
        elif type(value) is not int or not 0 <= value <= most:
            yield name, f"a whole number from 0 to {most}"


def _unknown(name: str, known: tuple[str, ...]) -> str:
    near = get_close_matches(name[:40], known, n=1)
    meant = f"; did you mean {near[0]}?" if near else f"; names: {', '.join(known[:40])}"
    return f"unknown name{meant}"


def _long(color: str) -> str:
    return color if len(color) == 7 else "#" + "".join(2 * one for one in color[1:])
