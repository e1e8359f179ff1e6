"""Glyph sets: what stands for a thing on the screen, by what the terminal can show.

Roles differ by glyph and not only by colour. Every glyph here is one cell wide in all terminals
that were compared, except those that are set to show doubtful ones in two; kanji take two in all.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from kumite.core.errors import BadSetup

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Look:
    """One set of glyphs."""

    name: str
    solid: str  # by seat: the mark of a strong piece
    hollow: str  # by seat: the mark of a weak one
    city: str
    free: str  # nothing lies here
    target: str  # may be chosen
    contested: str
    pointer: str  # before the line that is meant
    arrows: str  # left, right, up, down
    turns: tuple[str, str]  # to the right, to the left
    line: str  # horizontal
    times: str
    lit: str  # ground of the four realms of Kitsu!, by season, while the season is open
    unlit: str  # and while it is not; both say by their place where the realm lies
    border: str  # between parts of a board: upright, level
    heights: str  # of a curve, the lowest first
    verdict: str = "×✓"  # of two steps that are compared: what was played, what was better
    more: str = "…"  # at the end of a name that is cut off
    frame: str = "┌─┐│└┘"  # of a panel
    thick: str = "┏━┓┃┗┛"  # of what the cursor is on
    dot: str = " · "  # between two facts
    punctuation: tuple[tuple[str, str], ...] = ()  # what sentences have, and how to write it
    is_drawn: bool = True  # pieces are drawn as pictures or silhouettes, where there is room
    has_kanji: bool = False  # scenes may write a word of their game as one kanji, two cells wide

    def turned(self) -> Look:
        """Return the glyphs for a board that is seen from its other side."""
        left, right, up, down = tuple(self.arrows)
        half = len(self.lit) // 2
        return replace(
            self,
            arrows=f"{right}{left}{down}{up}",
            lit=self.lit[half:] + self.lit[:half],
            unlit=self.unlit[half:] + self.unlit[:half],
        )

    def sign(self, kanji: str, letter: str) -> str:
        """Return how a word is written in one sign."""
        return kanji if self.has_kanji else letter


LETTERS: Final = Look(
    "letters",
    "●■▲◆★▼",
    "○□△◇☆▽",
    "◎",
    "·",
    "+",
    "×",
    "▶",
    "←→↑↓",
    ("↻", "↺"),
    "─",
    "×",
    lit="▖▘▝▗",
    unlit=",'`.",
    border="│▁",
    heights="▁▂▃▄▅▆▇█",
)
KANJI: Final = replace(LETTERS, name="kanji", has_kanji=True)
ASCII: Final = Look(
    "ascii",
    "ABCDEF",
    "abcdef",
    "#",
    ".",
    "+",
    "x",
    ">",
    "<>^v",
    ("", ""),
    "-",
    "x",
    lit=';"^:',
    unlit=",'`.",
    border="|_",
    heights="_.,-=+*#",
    verdict="x+",
    more="~",
    frame="+-+|++",
    thick="#=####",
    dot=", ",
    is_drawn=False,
    punctuation=(("…", ".."), ("–", "-"), ("—", "-"), ("×", "x"), ("✓", "+")),
)

SIDES: Final = "▲△"  # by seat: before a kanji, where letters tell seats apart by their case

LOOKS: Final[Mapping[str, Look]] = {look.name: look for look in (KANJI, LETTERS, ASCII)}


def choose(name: str | None = None) -> Look:
    """Return the set of that name, or what this terminal can show for certain.

    Raises:
        BadSetup: there is none of that name.
    """
    if name is not None and name != "auto":
        if name not in LOOKS:
            raise BadSetup(f"no glyph set {name!r}", hint=f"glyphs: auto, {', '.join(LOOKS)}")
        return LOOKS[name]
    return LETTERS if _shows_unicode() and _language() not in _WIDE else ASCII


def hoped(name: str | None = None) -> Look | None:
    """Return what `auto` takes once the terminal has proved how wide it shows `PROBE`.

    None: there is nothing to ask. Where Chinese, Japanese or Korean is spoken, terminals may be set
    to show the doubtful glyphs of all sets but `ascii` two cells wide.
    """
    if name not in (None, "auto") or not _shows_unicode():
        return None
    return _WIDE.get(_language())


PROBE: Final = (("●", 1), ("侍", 2))  # what a terminal is asked to show, and the cells it may take
_WIDE: Final[Mapping[str, Look]] = {"ja": KANJI, "zh": LETTERS, "ko": LETTERS}


def _shows_unicode() -> bool:
    encoding = (getattr(sys.__stderr__, "encoding", None) or "").lower().replace("-", "")
    # The Linux console's font has no such shapes.
    return encoding == "utf8" and os.environ.get("TERM", "") != "linux"


def _language() -> str:
    """Return the language of the locale's characters, such as `ja`."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next(filter(None, names), "").partition("_")[0].partition(".")[0].lower()
