"""The settings of a server: where it listens, who may come in, and limits of their use.

They are in `serve.toml` in the configuration folder; the command line overrides it. Unlike the app,
a server refuses to start with settings that it does not understand.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

from platformdirs import user_config_path

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.store import toml_files

SSH: Final = "2222"
WEB: Final = "2280"


class BadSettings(KumiteError):
    """An invalid settings or key file of a server."""

    code = codes.BAD_SETTINGS


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings, named as in the file."""

    ssh: str = ""  # [ADDRESS:]PORT; empty: no ssh
    web: str = ""  # the same for browsers
    site: str = ""  # public URL if browsers reach it through a proxy: https://kumite.example
    tables: str = ""  # address on which guests' tables listen; empty: the server's own on the LAN
    code: str = ""  # required from guests; empty: none
    keys: str = ""  # file of the allowed ssh keys; empty: any key, or none
    guests: int = 50  # at the same time
    per_address: int = 8  # connections from one address
    idle: int = 30  # minutes without input, after which a guest's app ends
    folder: int = 20  # MB of saved matches for each guest; the oldest are deleted
    kept: int = 1000  # guests whose folders are kept
    speed: int = 256  # kB/s of output by a guest's app
    memory: int = 1024  # MB for each process of a guest
    thoughts: int = os.cpu_count() or 1  # bots thinking at once; others wait for their turn


LEAST: Final = {
    **dict.fromkeys(("guests", "per_address", "idle", "folder", "thoughts"), 1),
    "kept": 0,
    "speed": 8,
    "memory": 256,  # with less memory the app does not start
}
MOST: Final = 1_000_000


def path() -> Path:
    """Return the path of the settings file, which need not exist."""
    return user_config_path("kumite", appauthor=False) / "serve.toml"


def read(file: Path, said: Mapping[str, Any], *, is_named: bool = False) -> Settings:
    """Return the settings of the file, overridden by those on the command line (`said`).

    Raises:
        BadSettings: one is invalid, or a file that `is_named` is missing: without it, the server
            might be open without its code.
    """
    text, written, why = toml_files.read(file)
    if is_named and not os.path.lexists(file):
        why = f"{file}: No such file or directory"
    if why:
        raise BadSettings(why)
    together = {**written, **said}
    for name, value in together.items():
        if why := _wrong(name, value):
            where = toml_files.where(file, text, "", name) if name in written else f"--{name}"
            raise BadSettings(f"{where}: {name} = {toml_files.shown(value)}: {why}")
    if together.get("web") and together.get("keys"):
        raise BadSettings("web and keys: a browser has no ssh key. Use code instead of keys")
    if not (together.get("ssh") or together.get("web")):
        usual = {"ssh": SSH, "web": "" if together.get("keys") else WEB}
        together = {**usual, **together}
    return replace(Settings(), **together)


def _wrong(name: str, value: object) -> str:
    known = {one.name: type(one.default) for one in fields(Settings)}
    if name not in known:
        return f"there is no such setting; there are {', '.join(known)}"
    if type(value) is not known[name]:
        return "a number is wanted" if known[name] is int else 'a text is wanted, such as "2222"'
    if isinstance(value, int) and not LEAST[name] <= value <= MOST:
        return f"a number from {LEAST[name]} to {MOST} is wanted"
    return ""
