"""What an operator says of a house: where it listens, who may come in, and how much they may use.

The file `serve.toml` in the configuration folder, in which the command line counts for more.
Unlike the app's settings a house does not open with what it does not understand.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store import toml_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SSH: Final = "2222"
WEB: Final = "2280"


class BadTerms(KumiteError):
    """A file of a house, or a line of it, that cannot be used."""

    code = codes.BAD_SETTINGS


@dataclass(frozen=True, slots=True)
class Terms:
    """All that can be said of a house."""

    ssh: str = ""  # [ADDRESS:]PORT; empty: nobody comes in over ssh
    web: str = ""  # the same for browsers
    site: str = ""  # what browsers open if that leads elsewhere first: https://kumite.example
    tables: str = ""  # the address at which guests' tables listen; empty: the house's on the LAN
    code: str = ""  # a word that a guest is asked for; empty: none
    keys: str = ""  # a file of the only ssh keys that may come in; empty: any key, or none
    guests: int = 50  # at the same time
    per_address: int = 8  # connections from one address
    idle: int = 30  # minutes without a key, then a guest's app ends
    folder: int = 20  # MB of saved matches for each guest; the oldest give way
    kept: int = 1000  # guests whose folders are kept
    speed: int = 256  # kB/s that a guest's app may write
    memory: int = 1024  # MB for each process of a guest
    thoughts: int = os.cpu_count() or 1  # of bots at once; others wait for their turn


LEAST: Final = {
    "guests": 1,
    "per_address": 1,
    "idle": 1,
    "folder": 1,
    "kept": 0,
    "speed": 8,
    "thoughts": 1,
}
LEAST_MEMORY: Final = 256  # MB; with less the app does not start
MOST: Final = 1_000_000


def path() -> Path:
    """Return the file; it need not exist."""
    from platformdirs import user_config_path

    return user_config_path("kumite", appauthor=False) / "serve.toml"


def read(file: Path, said: Mapping[str, Any], *, is_named: bool = False) -> Terms:
    """Return what the file says of a house, and in its stead what the command line has `said`.

    Raises:
        BadTerms: something in it is no such thing, or a file that `is_named` is not there: a house
            without its code would be open to anybody.
    """
    text, written, why = toml_files.read(file)
    if is_named and not file.exists():
        why = f"{file}: No such file or directory"
    if why:
        raise BadTerms(why)
    for name, value in {**written, **said}.items():
        if why := _wrong(name, value):
            where = toml_files.where(file, text, "", name) if name in written else f"--{name}"
            raise BadTerms(f"{where}: {name} = {toml_files.shown(value)}: {why}")
    together = {**written, **said}
    if together.get("web") and together.get("keys"):
        raise BadTerms("web and keys: a browser has no ssh key; with code it is asked for a word")
    return replace(Terms(), **{**_usual_doors(together), **together})


def _usual_doors(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return where a house listens of which neither door was said."""
    if said.get("ssh") or said.get("web"):
        return {}
    usual = {"ssh": SSH, "web": "" if said.get("keys") else WEB}
    return {name: place for name, place in usual.items() if name not in said}


def _wrong(name: str, value: object) -> str:
    """Return what is wrong with what is said; empty: nothing."""
    known = {one.name: type(one.default) for one in fields(Terms)}
    if name not in known:
        return f"there is no such setting; there are {', '.join(known)}"
    if type(value) is not known[name]:
        return "a number is wanted" if known[name] is int else 'a text is wanted, such as "2222"'
    least = LEAST.get(name, LEAST_MEMORY)
    if isinstance(value, int) and not least <= value <= MOST:
        return f"a number from {least} to {MOST} is wanted"
    return ""
