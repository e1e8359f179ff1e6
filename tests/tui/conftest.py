"""Evaluations that are shipped would answer in the place of tests' own bots."""

from __future__ import annotations

import pytest

from kumite.tui.bots import first_looks


@pytest.fixture(autouse=True)
def nothing_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_looks, "LATEST", -1)


@pytest.fixture(autouse=True)
def cursor_that_never_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """No screen depends on how long a test took: what a step would change is not drawn."""
    monkeypatch.setattr("kumite.tui.screens.shown_table.REST", 600.0)
