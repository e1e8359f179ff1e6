"""Evaluations that are shipped would answer in the place of tests' own bots."""

from __future__ import annotations

import pytest

from kumite.tui.bots import first_looks


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_looks, "LATEST", -1)
