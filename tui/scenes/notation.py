"""The notation of a game's steps, for players who type them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from kumite.core.game import Game
from kumite.tui.scenes.about import about_game
from kumite.tui.scenes.lines import Line

WIDE: Final = 14  # columns of an example


def spelled(game: Game[Any], step: str, names: Sequence[str]) -> str:
    """Return a step as displayed, with a player's name for a seat number: `lead:ann`."""
    before = about_game(game).seat_after
    return (
        re.sub(rf"({before})(\d)$", lambda it: it[1] + names[int(it[2])], step) if before else step
    )


def unspelled(game: Game[Any], text: str, names: Sequence[str]) -> str:
    """Return a typed text with seat numbers for names: `lead:2`."""
    before = about_game(game).seat_after
    for seat, name in sorted(enumerate(names), key=lambda one: -len(one[1])) if before else ():
        typed = rf"({before}){re.escape(name)}(?!\S)"
        text = re.sub(typed, rf"\g<1>{seat}", text, flags=re.IGNORECASE)
    return text


def form_lines(game: Game[Any], legal: tuple[str, ...]) -> tuple[Line, ...]:
    lines: list[Line] = [(("How steps are written", "title"),), ()]
    for example, does in about_game(game).forms:
        lines.append(((f"  {example:<{WIDE}} ", "key"), (does, "")))
    several = "You can type several steps of one turn in one line, separated by spaces."
    lines += [(), ((several, "quiet"),), (), (("Possible now", "title"),), ()]
    return (*lines, ((" ".join(legal) or "nothing", ""),))
