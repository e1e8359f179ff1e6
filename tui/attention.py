"""What a terminal is told so that somebody looks at it: its title, a bell, a notice. Pure.

What is said may come from others (names, talk): nothing in it may be taken for an order to the
terminal, nor end the one that it stands in.
"""

from __future__ import annotations

from typing import Final

from kumite.core.text import clean
from kumite.tui.look.colors import UNCOLORED

BELL: Final = "\a"
KEEP_TITLE, GIVE_BACK_TITLE = "\x1b[22;2t", "\x1b[23;2t"  # on the terminal's own stack of them
LONGEST: Final = 80  # characters
DUMB: Final = UNCOLORED | {"", "dumb", "unknown", "linux", "cons25", "emacs"}  # terminals, by TERM


def listens(term: str) -> bool:
    """Return whether a terminal of that name can be told anything: others would show it as text."""
    return term not in DUMB


def title(text: str) -> str:
    """Return what gives a window that title."""
    return f"\x1b]2;{_sound(text)}{BELL}"


def notice(heading: str, text: str) -> str:
    """Return what shows a notice on the desktop, in both of the ways that terminals know.

    Each knows one of them, and passes over the other.
    """
    heading, text = _sound(heading), _sound(text)
    return f"\x1b]9;{heading}: {text}{BELL}\x1b]777;notify;{heading};{text}{BELL}"


def _sound(text: str) -> str:
    """Return a text without anything that a terminal takes for an order, and without `;`."""
    return clean(text, LONGEST).replace(";", ",")
