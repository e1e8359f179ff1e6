"""Where things lie in the repository, and modules as syntax trees."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DATA: Final = ROOT / "tests" / "data"
BOT_EXAMPLES: Final = ROOT / "docs" / "examples"


@cache
def parsed(path: Path) -> ast.Module:
    """Parse a module once for all tests that look at the source: all together take seconds."""
    return ast.parse(path.read_text(encoding="utf-8"))
