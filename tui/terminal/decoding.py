"""Terminal input, from bytes to text, whatever the bytes and their packets.

Pastes and answers to DECRQSS and XTGETTCAP are extracted whole, and mouse reports of the oldest
kind (X10: three bytes of any value) are converted to the newer, textual kind. Invalid UTF-8 becomes
U+FFFD.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Callable
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
        self._take: Callable[[bytes, list[Piece]], bytes] = self._take_text  # what has begun
        self._held = b""  # the part of a paste, mouse report or answer received so far
        self._tail = b""  # already emitted, but a possible beginning of one of _STARTS
        self._last = 0.0  # when the last byte came

    def feed(self, data: bytes, now: float) -> list[Piece]:
        """Return the text, pastes and answers of bytes that came at `now`."""
        self._last = now
        found: list[Piece] = []
        while data:
            data = self._take(data, found)
        return [one for one in found if one]

    def tick(self, now: float) -> list[Piece]:
        """Return a paste whose end never came; forget such an answer."""
        found: list[Piece] = []
        if now >= self._last + PASTING and self._take == self._take_paste:
            self._held += self._tail
            self._end_paste(found)
        elif now >= self._last + PASTING and self._take == self._take_answer:
            self._take = self._take_text
        return found

    def _take_text(self, data: bytes, found: list[Piece]) -> bytes:
        given, whole = len(self._tail), self._tail + data
        begins = _BEGINS.search(whole)
        if begins is None:
            self._tail = _beginning(whole)
            found.append(self._decode(data))
            return b""
        self._held = self._tail = b""
        takes = {PASTE: self._take_paste, MOUSE: self._take_report}
        self._take = takes.get(begins[0], self._take_answer)
        end = begins.end() - (begins[0] == MOUSE)  # `ESC [`, and more comes
        found.append(self._decode(whole[given:end]))
        return whole[begins.end() :]

    def _take_report(self, data: bytes, found: list[Piece]) -> bytes:
        wanted = REPORT - len(self._held)
        self._held += data[:wanted]
        if len(self._held) == REPORT:
            buttons, column, row = (max(byte - LEAST, 0) for byte in self._held)
            is_up = buttons & 3 == 3 and not buttons & 32
            found.append(f"<{buttons & ~3 if is_up else buttons};{column};{row}{'Mm'[is_up]}")
            self._take = self._take_text
        return data[wanted:]

    def _take_answer(self, data: bytes, found: list[Piece]) -> bytes:
        text, end, rest = (self._held + data).partition(ANSWERED)
        self._held = text[-MOST_ANSWERED:]
        if end:
            self._take = self._take_text
            found.append(Answer(text.decode("ascii", errors="replace")))
        return rest

    def _take_paste(self, data: bytes, found: list[Piece]) -> bytes:
        whole = self._tail + data
        at = whole.find(PASTED)
        if at < 0:
            kept = len(PASTED) - 1
            self._held += whole[:-kept][: MOST_PASTED - len(self._held)]
            self._tail = whole[-kept:]
            return b""
        self._held += whole[:at]
        self._end_paste(found)
        return whole[at + len(PASTED) :]

    def _end_paste(self, found: list[Piece]) -> None:
        text = self._held[:MOST_PASTED].decode("utf-8", errors="replace")
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        found += (Paste(_UNSEEN.sub("", lines)), PASTED.decode())  # the parser expects the end
        self._take, self._tail = self._take_text, b""


def _beginning(data: bytes) -> bytes:
    """Return the end of `data` that may be the beginning of one of _STARTS."""
    lengths = range(min(len(data), len(PASTE) - 1), 0, -1)
    ends = (data[-length:] for length in lengths)
    return next((end for end in ends if any(one.startswith(end) for one in _STARTS)), b"")
