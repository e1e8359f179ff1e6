"""Words that the positions of all games are told with. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number of things: `1 card`, `2 cards`."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


def joined(parts: Iterable[str]) -> str:
    """Return what is said of somebody as one sentence."""
    return "; ".join(filter(None, parts)) + "."


def on(what: str, squares: Iterable[str]) -> str:
    """Return where something stands, `bases on e4, f5`; nothing if it stands nowhere."""
    places = ", ".join(squares)
    return f"{what} on {places}" if places else ""
