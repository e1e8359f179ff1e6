"""Texts from elsewhere (names, talk, logs, messages) made safe to show; names in a row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# By fixed ranges, not by the character tables of this Python: two terminals must clean alike, or
# their logs would differ.
_BREAKS: Final = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029]+")
# Soft hyphen, marks and overrides of the writing direction, invisible characters, variation
# selectors (terminals disagree on the width of what they change), half characters.
_UNSEEN: Final = re.compile(
    "[\xad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\udfff"
    "\ufe00-\ufe0f\ufeff\ufff0-\ufffb\U000e0000-\U000e0fff]+"
)


def clean(text: str, limit: int | None = None) -> str:
    """Return `text` on one line, safe to show in a terminal, at most `limit` characters long."""
    return _BREAKS.sub(" ", _UNSEEN.sub("", text)).strip(" ")[:limit].strip(" ")


# As `clean`, but for line feeds and tabs, which a text of several lines may have.
_HARMFUL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_STEERING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    """Return `text` with U+FFFD for all that could steer a terminal, or turn what is read around.

    Nothing is left out: two files whose names differ are told apart.
    """
    return _STEERING.sub("\ufffd", _HARMFUL.sub("\ufffd", text))


def listed(names: Sequence[str], last: str = " and ") -> str:
    """Return names as a sentence has them: `ada`, `ada and bob`, `ada, bob and cyd`.

    `last` stands before the last one.
    """
    return last.join(filter(None, (", ".join(names[:-1]), *names[-1:])))
