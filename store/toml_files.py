"""Hand-written TOML files: size-limited reading, and the line of each error."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, Final, NamedTuple

from kumite.store.whole_files import read_text, reason

MOST: Final = 1 << 20  # bytes
DEEPEST: Final = 50  # parts of a dotted key
_APART: Final = re.compile(r"[^\w \t\"'.-]+")  # between keys
_DOT: Final = re.compile(r"(?<!\.)\.(?!\.)")
_TABLE: Final = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?")
_KEY: Final = re.compile(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"))*)\s*=""")


class Read(NamedTuple):
    """A file as read."""

    text: str
    said: dict[str, Any]
    wrong: str = ""  # why it cannot be read; then the others are empty


def read(path: Path) -> Read:
    """Return the content of a file without raising; a missing one is empty."""
    try:
        text = read_text(path, MOST)
        if any(len(_DOT.findall(part)) > DEEPEST for part in _APART.split(text)):
            raise RecursionError  # parsing would take hours
        return Read(text, tomllib.loads(text))
    except FileNotFoundError:
        return Read("", {})
    except RecursionError:
        return Read("", {}, f"{path}: lists or tables are nested too deeply")
    except (OSError, ValueError) as error:
        return Read("", {}, f"{path}: {reason(error)}")


def where(path: Path, text: str, table: str, name: str) -> str:
    """Return `FILE:LINE` of the key `name` in a table ("": top level), or just the file."""
    number = _line(text, ".".join(filter(None, (table, name))))
    return f"{path}:{number}" if number else str(path)


def _line(text: str, wanted: str) -> int:
    table = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := _TABLE.fullmatch(line):
            table = _plain(found[1]) + "."
            if table == f"{wanted}.":
                return number
        elif (found := _KEY.match(line)) and f"{table}{_plain(found[1])}" == wanted:
            return number
    return 0


def _plain(key: str) -> str:
    return re.sub(r"\s*\.\s*", ".", re.sub("[\"']", "", key))


def shown(value: object) -> str:
    """Return a value as written in TOML, shortened."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "a list"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
