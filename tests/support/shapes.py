"""What looks alike on a terminal: of two colours in a cell either may be the ink."""

from __future__ import annotations

_ALIKE = str.maketrans("▄▟▙▜▛▐▞█", "▀▘▝▖▗▌▚ ")


def shapes(text: str) -> str:
    """Return lines of text, the same for all that look alike, without blanks at their ends."""
    return "\n".join(line.rstrip() for line in text.translate(_ALIKE).split("\n"))
