"""Terminal titles, bells and notices, to get the player's attention, and a question; pure.

Texts may come from others (names, talk), so control characters and separators are removed.
"""

from __future__ import annotations

import re
from typing import Final

from kumite.core.text import clean
from kumite.tui.look.colors import UNCOLORED

BELL: Final = "\a"
KEEP_TITLE, GIVE_BACK_TITLE = "\x1b[22;2t", "\x1b[23;2t"  # push and pop the title stack
LONGEST: Final = 80  # characters
DUMB: Final = UNCOLORED | {"", "dumb", "unknown", "linux", "cons25", "emacs"}  # terminals, by TERM
FULL: Final = re.compile(r".*-direct|xterm-(kitty|ghostty)|alacritty|foot|wezterm|contour")
# DECRQSS: how is a colour shown that was just set? XTGETTCAP: is there the capability RGB?
ASK_DEPTH: Final = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\\x1bP+q524742\x1b\\"
FULL_ANSWER: Final = re.compile(r".*\b48[:;]2[:;](\d*[:;])?1[:;]2[:;]3(?!\d).*|524742.*")


def is_supported(term: str) -> bool:
    """Return True if a terminal of that name supports OSC sequences instead of printing them."""
    return term not in DUMB


def answers(term: str) -> bool:
    """Return True if a terminal may be asked, and does not hand the question on to another one."""
    return is_supported(term) and not term.startswith(("screen", "tmux"))


def has_full_colour(term: str) -> bool:
    return FULL.fullmatch(term) is not None


def title(text: str) -> str:
    return f"\x1b]2;{_sound(text)}{BELL}"


def notice(heading: str, text: str) -> str:
    """Return a desktop notice in both known formats; terminals ignore the other one."""
    heading, text = _sound(heading), _sound(text)
    return f"\x1b]9;{heading}: {text}{BELL}\x1b]777;notify;{heading};{text}{BELL}"


def _sound(text: str) -> str:
    return clean(text, LONGEST).replace(";", ",")
