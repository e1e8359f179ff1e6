"""How the steps of Kuzushi are written."""

from __future__ import annotations

from typing import Final

FORMS: Final = (
    ("g7", "lay a base on g7"),
    ("g7+", "turn your own flag on g7 into a base"),
)
