"""Commands save matches and settings in a folder of each test's own."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of saved matches, which does not exist yet."""
    for kind in ("config", "state"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path))
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path / "logs"))
    return tmp_path / "logs"
