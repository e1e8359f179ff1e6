"""An address as a QR code, in half blocks: a phone reads it from the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import segno

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCKS: Final = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}  # dark is the paper
BORDER: Final = 4  # modules of paper all around, as the standard asks


def picture(text: str) -> list[str]:
    """Return the rows of a QR code, light on dark."""
    code = segno.make(text, error="m", micro=False)
    rows = [tuple(row) for row in code.matrix_iter(border=BORDER)]
    if len(rows) % 2:
        rows.append((0,) * len(rows[0]))
    return ["".join(_row(*pair)) for pair in zip(rows[::2], rows[1::2], strict=True)]


def _row(upper: tuple[int, ...], lower: tuple[int, ...]) -> Iterator[str]:
    for pair in zip(upper, lower, strict=True):
        yield BLOCKS[bool(pair[0]), bool(pair[1])]
