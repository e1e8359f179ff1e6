"""Titles and bells in what an app writes: a page does not learn of them from its terminal. Pure."""

from __future__ import annotations

import re
from typing import Final

LONGEST: Final = 200  # characters of a title
HELD: Final = 4 << 10  # bytes of an order that has not ended yet
FOUND: Final = re.compile(rb"\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|(\x07)")
BEGUN: Final = re.compile(rb"\x1b(?:\][^\x07\x1b]*\x1b?)?\Z")
TITLES: Final = (b"0;", b"2;")

Sign = tuple[str, ...]  # ("bell",) or ("title", TEXT)


class Signs:
    """Looks at bytes as they come, in whatever pieces."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[Sign]:
        """Return the signs that end in these bytes."""
        data = self._rest + data
        begun = BEGUN.search(data)
        self._rest = data[begun.start() :][:HELD] if begun else b""
        found: list[Sign] = []
        for order, bell in FOUND.findall(data[: begun.start()] if begun else data):
            if bell:
                found.append(("bell",))
            elif order[:2] in TITLES:
                found.append(("title", order[2:].decode("utf-8", "replace")[:LONGEST]))
        return found
