"""Make text from outside (names, talk, logs, messages) safe to show; join names into a sentence."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from typing import Final

# Fixed ranges, independent of this Python's Unicode tables: two terminals must clean texts alike,
# or their logs would differ.
_BREAKS: Final = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029]+")
# Soft hyphen, bidirectional controls, invisible characters, variation selectors (terminals disagree
# on the resulting width), lone surrogates.
_UNSEEN: Final = re.compile(
    "[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]+"
)


def clean(text: str, limit: int | None = None) -> str:
    """Return `text` on one line, safe to show in a terminal, at most `limit` characters long."""
    return _BREAKS.sub(" ", _UNSEEN.sub("", text)).strip(" ")[:limit].strip(" ")


# As in `clean`, but multi-line texts keep line feeds and tabs.
_HARMFUL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_STEERING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(line: str) -> str:
    """Replace control and bidirectional characters of `line` with U+FFFD.

    Nothing is removed, so different file names stay different. Line ends, which could forge a line,
    are replaced too.
    """
    return harmless_text(line).replace("\n", "\ufffd")


def broken_at_words(line: str, width: int) -> str:
    """Break a line where a terminal would cut through a word; a reader would read its halves."""
    if width <= 0 or len(line) <= width:
        return line
    return textwrap.fill(
        line, width, break_long_words=False, break_on_hyphens=False, replace_whitespace=False
    )


def harmless_text(text: str) -> str:
    """As `harmless`, for a text of several lines."""
    return _STEERING.sub("\ufffd", _HARMFUL.sub("\ufffd", text))


def escaped(made: str) -> str:
    """Return JSON with control and bidirectional characters escaped; its value stays the same."""
    return _STEERING.sub(_escape, _HARMFUL.sub(_escape, made))


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def listed(names: Sequence[str], last: str = " and ") -> str:
    """Join names into a sentence: `ada`, `ada and bob`, `ada, bob and cyd`.

    `last` separates the last two.
    """
    return last.join(filter(None, (", ".join(names[:-1]), *names[-1:])))
