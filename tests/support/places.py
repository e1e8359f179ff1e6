"""Where things lie in the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
DATA: Final = ROOT / "tests" / "data"
BOT_EXAMPLES: Final = ROOT / "docs" / "examples"
