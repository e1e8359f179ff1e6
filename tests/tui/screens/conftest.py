"""What screens have done."""

from __future__ import annotations

import pytest

from kumite.tui.app import KumiteApp


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what apps copy to the clipboard."""
    texts: list[str] = []
    monkeypatch.setattr(KumiteApp, "copy_to_clipboard", lambda _, text: texts.append(text))
    return texts
