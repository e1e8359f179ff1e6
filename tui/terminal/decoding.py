"""Terminal input, from bytes to text, whatever the bytes and their packets.

Pastes and answers to DECRQSS and XTGETTCAP are extracted whole, and mouse reports of the oldest
kind (X10: three bytes of any value) are converted to the newer, textual kind. Invalid UTF-8 becomes
U+FFFD.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from typing import Final, NamedTuple, TypeAlias

PASTE: Final = b"\x1b[200~"
PASTED: Final = b"\x1b[201~"
MOUSE: Final = b"\x1b[M"
REPORT: Final = 3  # bytes of an X10 mouse report: buttons, column, row, each + 32
LEAST: Final = 32
ANSWERS: Final = (b"\x1bP1$r", b"\x1bP0$r", b"\x1bP1+r", b"\x1bP0+r")
ANSWERED: Final = b"\x1b\\"
MOST_ANSWERED: Final = 200  # bytes
MOST_PASTED: Final = 10_000  # bytes; a name, a remark or a step is never longer
PASTING: Final = 1.0  # s without a byte that end an unterminated paste
_STARTS: Final = (PASTE, MOUSE, *ANSWERS)
_BEGINS: Final = re.compile(b"|".join(map(re.escape, _STARTS)))
_UNSEEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]+")


class Paste(NamedTuple):
    """A pasted text."""

    text: str


class Answer(NamedTuple):
    """What a terminal has answered, after its first five bytes."""

    text: str


Piece: TypeAlias = str | Paste | Answer


class Incoming:
    """Converts bytes to text for the parser, pastes and answers."""

    def __init__(self) -> None:
        self._decode = getincrementaldecoder("utf-8")(errors="replace").decode
        self._tail = b""  # already emitted, but a possible beginning of one of _STARTS
        self._report: bytes | None = None  # the part of a mouse report received so far
        self._paste: bytearray | None = None  # the part of a paste received so far
        self._answer: bytes | None = None  # the part of an answer received so far
        self._last = 0.0  # when the last byte came

    def feed(self, data: bytes, now: float) -> list[Piece]:
        """Return the text, pastes and answers of bytes that came at `now`."""
        self._last = now
        found: list[Piece] = []
        while data:
            if self._paste is not None:
                data = self._take_paste(data, found)
            elif self._report is not None:
                data = self._take_report(data, found)
            elif self._answer is not None:
                data = self._take_answer(data, found)
            else:
                data = self._take_text(data, found)
        return [one for one in found if one]

    def tick(self, now: float) -> list[Piece]:
        """Return a paste whose end never came; forget such an answer."""
        found: list[Piece] = []
        if now >= self._last + PASTING:
            self._answer = None
        if self._paste is not None and now >= self._last + PASTING:
            self._paste += self._tail
            self._end_paste(found)
        return found

    def _take_text(self, data: bytes, found: list[Piece]) -> bytes:
        given, whole = len(self._tail), self._tail + data
        begins = _BEGINS.search(whole)
        if begins is None:
            self._tail = _beginning(whole)
            found.append(self._decode(data))
            return b""
        self._tail = b""
        if begins[0] != MOUSE:
            self._paste, self._answer = (bytearray(), None) if begins[0] == PASTE else (None, b"")
            found.append(self._decode(whole[given : begins.end()]))
        else:
            self._report = b""
            found.append(self._decode(whole[given : begins.end() - 1]))  # `ESC [`, and more comes
        return whole[begins.end() :]

    def _take_report(self, data: bytes, found: list[Piece]) -> bytes:
        assert self._report is not None
        wanted = REPORT - len(self._report)
        self._report += data[:wanted]
        if len(self._report) == REPORT:
            buttons, column, row = (max(byte - LEAST, 0) for byte in self._report)
            is_up = buttons & 3 == 3 and not buttons & 32
            found.append(f"<{buttons & ~3 if is_up else buttons};{column};{row}{'Mm'[is_up]}")
            self._report = None
        return data[wanted:]

    def _take_answer(self, data: bytes, found: list[Piece]) -> bytes:
        assert self._answer is not None
        text, end, rest = (self._answer + data).partition(ANSWERED)
        self._answer = None if end else text[-MOST_ANSWERED:]
        if end:
            found.append(Answer(text.decode("ascii", errors="replace")))
        return rest

    def _take_paste(self, data: bytes, found: list[Piece]) -> bytes:
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

    def _end_paste(self, found: list[Piece]) -> None:
        assert self._paste is not None
        text = bytes(self._paste[:MOST_PASTED]).decode("utf-8", errors="replace")
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        found += (Paste(_UNSEEN.sub("", lines)), PASTED.decode())  # the parser expects the end
        self._paste, self._tail = None, b""


def _beginning(data: bytes) -> bytes:
    """Return the end of `data` that may be the beginning of one of _STARTS."""
    lengths = range(min(len(data), len(PASTE) - 1), 0, -1)
    ends = (data[-length:] for length in lengths)
    return next((end for end in ends if any(one.startswith(end) for one in _STARTS)), b"")
