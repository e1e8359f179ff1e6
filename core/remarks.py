"""Remarks: players' comments on positions of a saved match, as lines of its log.

    remark 17 a slip: f6 was free ~…

The last remark on a step counts; an empty one deletes it. Taking a step back deletes the remarks
on it. Malformed remarks are ignored, like any line of an unknown kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.core.text import clean

if TYPE_CHECKING:
    from kumite.core.log import Entry

KIND: Final = "remark"
LONGEST: Final = 200  # characters


def remark_text(number: int, said: str) -> str:
    """Return the line for a remark on the position after step `number`; empty deletes it.

    Raises:
        KumiteError: it is too long.
    """
    said = clean(said)
    if len(said) > LONGEST:
        raise KumiteError(
            f"the remark has {len(said)} characters", hint=f"shorten it to at most {LONGEST}"
        )
    return f"{KIND} {number} {said}".rstrip()


def remarks(entries: Iterable[Entry]) -> Mapping[int, str]:
    """Return the current remarks by step number, ascending."""
    found: dict[int, str] = {}
    steps = 0
    for entry in entries:
        if entry.kind == "step":
            steps += 1
        elif entry.kind == "back":
            steps = int(entry.rest)
            found = {number: said for number, said in found.items() if number <= steps}
        elif entry.kind == KIND:
            number, _, said = entry.rest.partition(" ")
            if re.fullmatch("0|[1-9][0-9]{0,8}", number) and int(number) <= steps:
                found[int(number)] = clean(said, LONGEST)
    return {number: said for number, said in sorted(found.items()) if said}
