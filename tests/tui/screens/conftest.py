"""Each test of a screen has folders of its own: its matches are in `tmp_path` itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumite.tui.app import KumiteApp


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    for kind in ("config", "data", "state"):
        monkeypatch.setenv(f"XDG_{kind.upper()}_HOME", str(tmp_path / kind))


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what apps copy to the clipboard."""
    texts: list[str] = []
    monkeypatch.setattr(KumiteApp, "copy_to_clipboard", lambda _, text: texts.append(text))
    return texts
