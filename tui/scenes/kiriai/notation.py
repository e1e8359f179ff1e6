"""How the steps of Kiri-ai are written."""

from __future__ import annotations

from typing import Final

FORMS: Final = (
    ("charge,high", "plan two cards, the first and the second"),
    ("3,earth", "choose where to start, and in which stance"),
)
