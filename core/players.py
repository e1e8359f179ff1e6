"""How the name of a seat says who plays it: a person, a bot, or another program. Pure."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_uppercase
from typing import Final

BOT: Final = "bot:"  # before the level of a bot
COMMAND: Final = "cmd:"  # before the command line of a program


def is_person(name: str) -> bool:
    """Return whether a seat of that name is played by a person."""
    return not name.startswith((BOT, COMMAND))


def as_person(name: str) -> str:
    """Return a name as a person may have it: `bot easy`, whom no bot would play for."""
    return name if is_person(name) else name.replace(":", " ", 1)


@lru_cache(maxsize=64)
def shown_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names as people read them, told apart: `bob 1` and `bob 2`, `bot 2 A` and `B`."""
    said = tuple(
        f"bot {name.removeprefix(BOT)}" if name.startswith(BOT) else name for name in names
    )
    return tuple(
        f"{name} {_mark(name, said[:seat].count(name))}" if said.count(name) > 1 else name
        for seat, name in enumerate(said)
    )


def _mark(name: str, before: int) -> str:
    """Return what tells a name from those before it: no number behind a number."""
    return ascii_uppercase[before] if name[-1:].isdigit() else str(before + 1)
