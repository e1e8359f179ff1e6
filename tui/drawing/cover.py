"""The cover between two players at one keyboard; pure.

It is drawn only from a name and a key, so it cannot reveal anything about the table.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from kumite.tui.drawing.lettering import ROWS, large
from kumite.tui.drawing.panel import centred, panel
from kumite.tui.drawing.pixels import joined
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, cut, fit, line_width, wrap

BROADEST: Final = 56  # columns of the panel
MARGIN: Final = 4  # minimum visible columns of cloth beside it
CLOTH: Final = ("╱╲", "╲╱")  # two rows of the weave
PLAIN_CLOTH: Final = ("/\\", "\\/")


class Handover(NamedTuple):
    """The next player at the keyboard."""

    color: int  # the seat whose colour it has
    name: str
    key: str  # that lifts the cover, as displayed
    is_open: bool  # the key works now


@lru_cache(maxsize=4)  # a widget calls it for each line
def cover_rows(handover: Handover, look: Look, columns: int, rows: int) -> tuple[Line, ...]:
    """Return a cover: cloth, and in its middle a card with the player and the key."""
    wide = max(12, min(BROADEST, columns - 2 * MARGIN))
    words = [centred(line, wide - 4) for line in _words(handover, look, wide - 4, rows)]
    high = min(rows, len(words) + 2)
    card = panel("the table is covered", words, wide, high, look)
    top, left = (rows - high) // 2, (columns - wide) // 2
    cloth = [_cloth(handover, look, y, columns) for y in range(rows)]
    for y, line in enumerate(card[:rows]):
        woven = cloth[top + y]
        before, behind = cut(woven, 0, left), cut(woven, left + wide, columns)
        cloth[top + y] = joined([*before, *line, *behind])
    return tuple(cloth)


def _words(handover: Handover, look: Look, columns: int, rows: int) -> list[Line]:
    ink = f"base-{handover.color}"
    has_room = rows >= ROWS + 9 and look.is_drawn
    letters = large(handover.name.lower(), f"seat-{handover.color}") if has_room else ()
    if letters and line_width(letters[0]) <= columns:
        name: list[Line] = list(letters)
    else:
        name = [((f" {fit(handover.name, columns - 2).rstrip()} ", ink),)]
    ask = [((part, ""),) for part in wrap("Nobody else should look at the screen now.", columns)]
    key: Line = (
        ("Press ", "quiet"),
        (handover.key, "title" if handover.is_open else "quiet"),
        (f" when only {handover.name} looks.", "quiet"),
    )
    if line_width(key) > columns:
        key = key[:2]
    air: list[Line] = [()] if rows >= len(name) + len(ask) + 9 else []
    return [*air, (("the keyboard is for", "quiet"),), *air, *name, *air, *ask, *air, key, *air]


def _cloth(handover: Handover, look: Look, y: int, columns: int) -> Line:
    weave = (CLOTH if look.is_drawn else PLAIN_CLOTH)[y % 2]
    return (((weave * (columns // 2 + 1))[:columns], f"seat-{handover.color}-dim/"),)
