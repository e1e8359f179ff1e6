"""Seat names: whether a person, a bot or a program plays, and how the name is displayed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import Final

from kumite.core.text import listed

BOT: Final = "bot:"  # before the level of a bot
FOR: Final = f"{BOT}for "  # before the name of a player whom a bot replaces
COMMAND: Final = "cmd:"  # before the command line of an external bot
YOU: Final = "you"  # how sentences call the reader; no player's name
MAX_NAME: Final = 24  # characters of a name on a LAN


def is_person(name: str) -> bool:
    return not name.startswith((BOT, COMMAND))


def as_person(name: str) -> str:
    """Return a name that no longer denotes a bot or program: `bot easy` for `bot:easy`."""
    return name if is_person(name) else name.replace(":", " ", 1)


def bot_name(level: str) -> str:
    """Return what players read for a bot: its level as it was chosen."""
    return f"bot {level}"


def stand_in(name: str) -> str:
    """Return the name of a seat whose player a bot replaces: `bot:for ann`."""
    return name if name.startswith(BOT) else f"{FOR}{name}"[:MAX_NAME].rstrip()


def shown_name(name: str) -> str:
    """Return the display name of a player: `bot easy` for `bot:easy`."""
    return bot_name(name.removeprefix(BOT)) if name.startswith(BOT) else name


@lru_cache(maxsize=64)
def shown_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return display names, numbered if equal: `bob 1` and `bob 2`, `bot 2 A` and `B`."""
    said = tuple(map(shown_name, names))
    return tuple(
        f"{name} {_mark(name, said[:seat].count(name))}" if said.count(name) > 1 else name
        for seat, name in enumerate(said)
    )


def _mark(name: str, before: int) -> str:
    """Return a distinguishing suffix: a letter if the name ends in a digit."""
    return ascii_uppercase[before] if name[-1:].isdigit() else str(before + 1)


def named(text: str, names: Sequence[str], you: int | None = None) -> str:
    """Replace seats in a rules text by players' names: `seat 1`, the second seat, becomes `bob`.

    A side is every second seat: with two seats side 1 is `bob` as well. A seat without a name is
    counted from 1. The seat `you` and its side are addressed: `your Fox`, `hits you`.
    """

    def name(found: re.Match[str]) -> str:
        number, is_side, own = int(found[2]), found[1] == "side", found[3] or ""
        if you is not None and number == (you % 2 if is_side else you):
            return "your" if own else YOU
        who = names[number::2] if is_side else names[number : number + 1]
        return (listed(who) if who else f"{found[1]} {number + 1}") + own

    return re.sub(r"\b(seat|side) (\d)\b('s)?", name, text)
