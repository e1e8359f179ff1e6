"""Bot programs of users: the command in a seat's name, and its short name."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Final

from kumite.core import codes
from kumite.core.errors import KumiteError
from kumite.core.players import COMMAND
from kumite.store import guest_mode

LONGEST_NAME: Final = 18  # characters; 24 with prefix and number, the limit on the LAN


class BadAnswer(KumiteError):
    """A bot program cannot be started, has failed, or gave an invalid answer."""

    code = codes.BAD_BOT


def parts_of(who: str) -> list[str]:
    """Return program and arguments of `cmd:PROGRAM ARGS`, quoted as for a shell.

    Raise BadAnswer if there is no such program, and NotForGuests if a server's guest asks.
    """
    guest_mode.refuse("start programs")
    said = who.removeprefix(COMMAND)
    try:
        parts = shlex.split(said)
    except ValueError as error:
        raise BadAnswer(f"{who}: {error}", hint="quote arguments as for a shell") from None
    if not parts or which(parts[0]) is None:
        raise BadAnswer(
            f"there is no program {parts[0] if parts else ''!r}",
            hint=f"{COMMAND}./mybot for a file in this folder that may be executed (chmod +x)",
        )
    return parts


def short_name(who: str) -> str:
    """Return the short name: `cmd:mybot.py` for `cmd:python3 bots/mybot.py --deep`.

    It is that of the first argument that is a file, or else of the program; see `parts_of`.
    """
    parts = parts_of(who)
    own = next((part for part in parts[1:] if os.path.isfile(part)), parts[0])
    return f"{COMMAND}{Path(own).name[:LONGEST_NAME]}"


def called(names: Sequence[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the names with commands shortened to `cmd:mybot`, and the commands by short name.

    Names are logged and sent to other terminals, which must not learn about this disk.
    """
    commands: dict[str, str] = {}
    found = []
    for name in names:
        if not name.startswith(COMMAND):
            found.append(name)
            continue
        short = short_name(name)
        number = 1
        while commands.get(shown := short if number == 1 else f"{short} {number}", name) != name:
            number += 1
        commands[shown] = name
        found.append(shown)
    return tuple(found), commands
