"""A row of the list of saved matches: how it ended is said whole, who played as far as it goes.

Pure.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from kumite.core.text import listed
from kumite.tui.scenes.lines import fit, shortened, width

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kumite.store.library import Kept
    from kumite.tui.look.glyphs import Look

TO_BE_CONTINUED: Final = "to be continued"
HAS_YEAR: Final = 84  # columns from which the year is said where not all rows have room for it
HAS_TITLE: Final = 66  # columns from which it has room for the whole title of its game
NARROW_TITLE: Final = 12
LEAST: Final = 6  # columns that are left of the players, and of a winner's name
GAP: Final = "  "


def rows(found: Sequence[Kept], columns: int, look: Look) -> list[tuple[str, str]]:
    """Return each match in two parts within so many columns: what was played, and how it ended.

    The ends stand below each other, but for those that leave too little room for the players.
    """
    titles = max((width(one.title) for one in found), default=0)
    titles = titles if columns >= HAS_TITLE else min(titles, NARROW_TITLE)
    longest = max(
        (width(one.players) + width(ended(one, columns, look)) for one in found), default=0
    )
    is_roomy = len("2026-07-01") + titles + longest + 3 * len(GAP) <= columns
    date = "%Y-%m-%d" if is_roomy or columns >= HAS_YEAR else "%m-%d"
    heads = [
        f"{one.when.strftime(date)}{GAP}{shortened(one.title, titles, look)}{GAP}" for one in found
    ]
    room = columns - max(map(width, heads), default=0)
    ends = [ended(one, room - LEAST - len(GAP), look) for one in found]
    usual = max((width(end) for end in ends if width(end) <= room * 2 // 3), default=0)
    parts = zip(found, heads, ends, strict=True)
    return [(_played(one, head, room, usual, end, look), end) for one, head, end in parts]


def _played(one: Kept, head: str, room: int, usual: int, end: str, look: Look) -> str:
    """Return what stands before the end of a match: if they have no room, not even the players."""
    left = room - width(end) - len(GAP)
    if left < LEAST:
        return shortened(head.rstrip(), width(head) + min(-len(GAP), left), look) + GAP
    players = shortened(one.players, min(left, max(width(one.players), room - usual - 2)), look)
    return f"{head}{players}{GAP}"


def ended(one: Kept, columns: int, look: Look) -> str:
    """Return how a match ended and how long it was, with shorter names of winners if it must be."""
    more = ["LAN"] * (not one.is_local) + ["damaged"] * bool(one.damage)
    names = one.winners.split("\n") if one.winners else []
    broadest = max(map(width, names), default=0)
    for columns_each in range(broadest, min(LEAST, broadest) - 1, -1):
        cut = [shortened(name, columns_each, look).rstrip() for name in names]
        result = f"{listed(cut)} won" if cut else one.result
        said = ", ".join((TO_BE_CONTINUED if one.is_unfinished else result, one.length, *more))
        if width(said) <= columns:
            break
    return said


def place(path: Path, columns: int, look: Look) -> str:
    """Return where a file lies, in so many columns: of a long path the folders are cut."""
    if width(str(path)) <= columns:
        return str(path)
    end = f"{look.more}{os.sep}{path.name}"
    return fit(str(path.parent), max(0, columns - width(end))).rstrip() + end
