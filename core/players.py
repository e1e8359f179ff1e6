"""How the name of a seat says who plays it: a person, a bot, or another program. Pure."""

from __future__ import annotations

from typing import Final

BOT: Final = "bot:"  # before the level of a bot
COMMAND: Final = "cmd:"  # before the command line of a program


def is_person(name: str) -> bool:
    """Return whether a seat of that name is played by a person."""
    return not name.startswith((BOT, COMMAND))


def as_person(name: str) -> str:
    """Return a name as a person may have it: `bot easy`, whom no bot would play for."""
    return name if is_person(name) else name.replace(":", " ", 1)
