"""Text about saved matches: rows of their list, and the unfinished match. Pure functions.

If there is too little room, players' names are cut before results are.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kumite.core.games import GAMES
from kumite.core.text import listed
from kumite.store import guest_mode
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.about import about
from kumite.tui.scenes.lines import fit, shortened, width
from kumite.tui.scenes.sentences import counted

if TYPE_CHECKING:
    from kumite.store.library import Kept

TO_BE_CONTINUED: Final = "to be continued"
HAS_YEAR: Final = 84  # columns from which the year is always shown
HAS_TITLE: Final = 66  # columns from which game titles are shown in full
NARROW_TITLE: Final = 12
LEAST: Final = 6  # least columns for the players, and for a winner's name
GAP: Final = "  "
MINUTE, HOUR, DAY = 60, 3600, 86400  # s
A_WEEK: Final = 7  # days; older matches show their date


def rows(
    found: Sequence[Kept], columns: int, look: Look, *, is_short: bool = False
) -> list[tuple[str, str]]:
    """Return each match as two parts that fit `columns`: what was played, and how it ended.

    The second parts are aligned, except where that leaves too little room for the players. Short
    ones leave out the length.
    """
    named = [_title(one, columns) for one in found]
    titles = max(map(width, named), default=0)
    titles = titles if columns >= HAS_TITLE else min(titles, NARROW_TITLE)
    longest = max(
        (width(one.players) + width(ended(one, columns, look, is_short)) for one in found),
        default=0,
    )
    is_roomy = len("2026-07-01") + titles + longest + 3 * len(GAP) <= columns
    date = "%Y-%m-%d" if is_roomy or columns >= HAS_YEAR else "%m-%d"
    heads = [
        f"{one.when.strftime(date)}{GAP}{shortened(name, titles, look)}{GAP}"
        for one, name in zip(found, named, strict=True)
    ]
    room = columns - max(map(width, heads), default=0)
    ends = [ended(one, room - LEAST - len(GAP), look, is_short) for one in found]
    usual = max((width(end) for end in ends if width(end) <= room * 2 // 3), default=0)
    parts = zip(found, heads, ends, strict=True)
    return [(_played(one, head, room, usual, end, look), end) for one, head, end in parts]


def _title(one: Kept, columns: int) -> str:
    return one.title if columns >= HAS_TITLE or one.game not in GAMES else about(one.game).name


def _played(one: Kept, head: str, room: int, usual: int, end: str, look: Look) -> str:
    """Return the part before the result; the players are dropped if they have no room."""
    left = room - width(end) - len(GAP)
    if left < LEAST:
        return shortened(head.rstrip(), width(head) + min(-len(GAP), left), look) + GAP
    players = shortened(one.players, min(left, max(width(one.players), room - usual - 2)), look)
    return f"{head}{players}{GAP}"


def ended(one: Kept, columns: int, look: Look, is_short: bool = False) -> str:
    """Return the result and the length of a match; winners' names are cut if necessary."""
    more = ["LAN"] * (not one.is_local) + ["damaged"] * bool(one.damage)
    names = one.winners.split("\n") if one.winners else []
    broadest = max(map(width, names), default=0)
    for columns_each in range(broadest, min(LEAST, broadest) - 1, -1):
        cut = [shortened(name, columns_each, look).rstrip() for name in names]
        result = f"{listed(cut)} won" if cut else one.result
        said = ", ".join((_state(one, result), *[one.length] * (not is_short), *more))
        if width(said) <= columns:
            break
    # In large print only the heading of the list says it.
    is_said = one.is_unfinished and columns < len(TO_BE_CONTINUED)
    return ", ".join((one.length, *more)) if is_said else said


def _state(one: Kept, result: str) -> str:
    if one.is_watched and one.is_unfinished:
        return "looked on"
    return TO_BE_CONTINUED if one.is_unfinished else result


def place(path: Path, columns: int, look: Look) -> str:
    """Return a path that fits `columns`; folders of a long path are cut."""
    if width(str(path)) <= columns:
        return str(path)
    end = f"{look.more}{os.sep}{path.name}"
    return fit(str(path.parent), max(0, columns - width(end))).rstrip() + end


def unfinished_parts(kept: Kept, own_name: str, now: datetime) -> tuple[str, ...]:
    """Describe a match to resume: `Kitsu! against bot easy`, `34 steps`, `yesterday`."""
    names = kept.players.split(" – ")
    seats = [(at % 2, name) for at, name in enumerate(names) if name != own_name]
    if len(seats) < len(names):
        side, has_teams = names.index(own_name) % 2, kept.game in GAMES and GAMES[kept.game].TEAMS
        mates = [name for parity, name in seats if has_teams and parity == side]
        others = [name for _, name in seats if name not in mates]
        who = f" with {listed(mates)}" * bool(mates) + f" against {listed(others)}" * bool(others)
    else:
        who = f": {listed(names)}"
    changed = datetime.fromtimestamp(kept.changed // 1_000_000_000, tz=UTC).astimezone()
    lan = () if kept.is_local else (guest_mode.suited("over {{the LAN|this server}}"),)
    return (f"{kept.title}{who}", kept.length, *lan, ago(changed, now))


def ago(then: datetime, now: datetime) -> str:
    """Return the time since `then`, such as `3 days ago`; both times have a time zone."""
    seconds = (now - then).total_seconds()
    days = (now.astimezone().date() - then.astimezone().date()).days
    if seconds < MINUTE:
        return "just now"
    if seconds < HOUR:
        return f"{counted(int(seconds // MINUTE), 'minute')} ago"
    if days == 0:
        return f"{counted(int(seconds // HOUR), 'hour')} ago"
    if days == 1:
        return "yesterday"
    return f"{counted(days, 'day')} ago" if days < A_WEEK else f"on {then.astimezone():%Y-%m-%d}"
