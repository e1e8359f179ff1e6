"""Terminal input, from bytes to text, whatever the bytes and their packets.

Pastes are extracted whole, and mouse reports of the oldest kind (X10: three bytes of any value) are
converted to the newer, textual kind. Invalid UTF-8 becomes U+FFFD.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from typing import Final, NamedTuple

PASTE: Final = b"\x1b[200~"
PASTED: Final = b"\x1b[201~"
MOUSE: Final = b"\x1b[M"
REPORT: Final = 3  # bytes of an X10 mouse report: buttons, column, row, each + 32
LEAST: Final = 32
MOST_PASTED: Final = 10_000  # bytes; a name, a remark or a step is never longer
PASTING: Final = 1.0  # s without a byte that end an unterminated paste
_BEGINS: Final = re.compile(re.escape(PASTE) + b"|" + re.escape(MOUSE))
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]+")


class Paste(NamedTuple):
    """A pasted text."""

    text: str


class Incoming:
    """Converts bytes to text for the parser, and pastes."""

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")(errors="replace").decode
        self._tail = b""  # already emitted, but a possible beginning of PASTE or MOUSE
        self._report: bytes | None = None  # the part of a mouse report received so far
        self._paste: bytearray | None = None  # the part of a paste received so far
        self._last = 0.0  # when the last byte came

    def feed(self, data: bytes, now: float) -> list[str | Paste]:
        """Return the text and pastes of bytes that came at `now`."""
        self._last = now
        found: list[str | Paste] = []
        while data:
            if self._paste is not None:
                data = self._take_paste(data, found)
            elif self._report is not None:
                data = self._take_report(data, found)
            else:
                data = self._take_text(data, found)
        return [one for one in found if one]

    def tick(self, now: float) -> list[str | Paste]:
        """Return a paste whose end never came."""
        found: list[str | Paste] = []
        if self._paste is not None and now >= self._last + PASTING:
            self._paste += self._tail
            self._end_paste(found)
        return found

    def _take_text(self, data: bytes, found: list[str | Paste]) -> bytes:
        given, whole = len(self._tail), self._tail + data
        begins = _BEGINS.search(whole)
        if begins is None:
            self._tail = _beginning(whole)
            found.append(self._decode(data))
            return b""
        self._tail = b""
        if begins[0] == PASTE:
            self._paste = bytearray()
            found.append(self._decode(whole[given : begins.end()]))
        else:
            self._report = b""
            found.append(self._decode(whole[given : begins.end() - 1]))  # `ESC [`, and more comes
        return whole[begins.end() :]

    def _take_report(self, data: bytes, found: list[str | Paste]) -> bytes:
        assert self._report is not None
        wanted = REPORT - len(self._report)
        self._report += data[:wanted]
        if len(self._report) == REPORT:
            buttons, column, row = (max(byte - LEAST, 0) for byte in self._report)
            is_up = buttons & 3 == 3 and not buttons & 32
            found.append(f"<{buttons & ~3 if is_up else buttons};{column};{row}{'Mm'[is_up]}")
            self._report = None
        return data[wanted:]

    def _take_paste(self, data: bytes, found: list[str | Paste]) -> bytes:
        assert self._paste is not None
        whole = self._tail + data
        at = whole.find(PASTED)
        if at < 0:
            kept = len(PASTED) - 1
            self._paste += whole[:-kept][: MOST_PASTED - len(self._paste)]
            self._tail = whole[-kept:]
            return b""
        self._paste += whole[:at]
        self._end_paste(found)
        return whole[at + len(PASTED) :]

    def _end_paste(self, found: list[str | Paste]) -> None:
        assert self._paste is not None
        text = bytes(self._paste[:MOST_PASTED]).decode("utf-8", errors="replace")
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        found += (Paste(_UNSEEN.sub("", lines)), PASTED.decode())  # the parser expects the end
        self._paste, self._tail = None, b""


def _beginning(data: bytes) -> bytes:
    """Return the end of `data` that may be the beginning of PASTE or MOUSE."""
    lengths = range(min(len(data), len(PASTE) - 1), 0, -1)
    ends = (data[-length:] for length in lengths)
    return next((end for end in ends if PASTE.startswith(end) or MOUSE.startswith(end)), b"")
