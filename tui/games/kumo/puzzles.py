"""Puzzles of Kumo Hogosha: those common to games with long turns, for two players."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kumite.tui.puzzles import turns

_FILES: Final = str.maketrans("abcdefghi", "ihgfedcba")
_RANKS: Final = str.maketrans("123456789", "987654321")
_TURNS: Final = {"cw": "ccw", "ccw": "cw"}


def mirrored(answer: str) -> Iterator[str]:
    """Yield an answer as it is from the other side, and in a mirror."""
    yield answer
    yield _flipped(answer, _FILES | _RANKS, {})
    yield _flipped(answer, _FILES, _TURNS)
    yield _flipped(answer, _RANKS, _TURNS)


def _flipped(answer: str, squares: dict[int, int], turned: dict[str, str]) -> str:
    def flip(found: re.Match[str]) -> str:
        word = found[0]
        return turned.get(word, word) if "w" in word else word.translate(squares)

    return re.sub("c?cw|[a-i][1-9]", flip, answer)


PUZZLES = replace(turns.PUZZLES, mirrored=mirrored)
