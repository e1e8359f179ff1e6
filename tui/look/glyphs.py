"""Glyph sets, chosen by the terminal's abilities.

Things differ by glyph and not only by colour. Every glyph is one cell wide in all compared
terminals, except those configured to show ambiguous ones in two; kanji always take two.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from kumite.core.errors import BadSetup


@dataclass(frozen=True, slots=True)
class Look:
    """One set of glyphs."""

    name: str
    solid: str  # by seat: the mark of a strong piece
    hollow: str  # by seat: the mark of a weak one
    single: str  # what there is one of: a city, a stone, a gate
    free: str  # nothing lies here
    target: str  # may be chosen
    contested: str
    pointer: str  # before the selected line
    arrows: str  # left, right, up, down
    turns: tuple[str, str]  # to the right, to the left
    line: str  # horizontal
    times: str
    quarters: str  # by their place they say which quarter of a board it is, clockwise
    faint: str  # the same, where less is to be seen
    border: str  # between parts of a board: upright, level
    heights: str  # of a curve, the lowest first
    verdict: str = "×✓"  # of two compared steps: the played one, the better one
    more: str = "…"  # at the end of a shortened name
    frame: str = "┌─┐│└┘"  # of a panel
    thick: str = "┏━┓┃┗┛"  # of the item under the cursor
    dot: str = " · "  # between two facts
    punctuation: tuple[tuple[str, str], ...] = ()  # replacements of characters in sentences
    is_drawn: bool = True  # draw pieces as pictures or silhouettes, where there is room
    counts_cards: bool = False  # list cards that nobody may look through
    has_kanji: bool = False  # scenes may write a game term as one kanji, two cells wide

    def turned(self) -> Look:
        left, right, up, down = tuple(self.arrows)
        half = len(self.quarters) // 2
        return replace(
            self,
            arrows=f"{right}{left}{down}{up}",
            quarters=self.quarters[half:] + self.quarters[:half],
            faint=self.faint[half:] + self.faint[:half],
        )

    def sign(self, kanji: str, letter: str) -> str:
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
    quarters="▖▘▝▗",
    faint=",'`.",
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
    quarters=';"^:',
    faint=",'`.",
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
    """Return the set of that name, or one that this terminal can certainly show."""
    if name is not None and name != "auto":
        if name not in LOOKS:
            raise BadSetup(f"no glyph set {name!r}", hint=f"glyphs: auto, {', '.join(LOOKS)}")
        return LOOKS[name]
    return LETTERS if _shows_unicode() and _language() not in _WIDE else ASCII


def hoped(name: str | None = None) -> Look | None:
    """Return the set that `auto` selects once the terminal has shown `PROBE` at the right width.

    None: no probe is needed. In Chinese, Japanese and Korean locales, terminals may show the
    ambiguous glyphs of all sets but `ascii` two cells wide.
    """
    if name not in (None, "auto") or not _shows_unicode():
        return None
    return _WIDE.get(_language())


PROBE: Final = (("●", 1), ("侍", 2))  # glyphs to test, with their expected widths
_WIDE: Final[Mapping[str, Look]] = {"ja": KANJI, "zh": LETTERS, "ko": LETTERS}


def _shows_unicode() -> bool:
    encoding = (getattr(sys.__stderr__, "encoding", None) or "").lower().replace("-", "")
    # The Linux console's font lacks these shapes.
    return encoding == "utf8" and os.environ.get("TERM", "") != "linux"


def _language() -> str:
    """Return the language of the locale's characters, like `ja`."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    return next(filter(None, names), "").partition("_")[0].partition(".")[0].lower()
