"""Guests before whose server, and not before whose app, something is tried."""

from __future__ import annotations

import pytest

IDLE = "print('play here, Enter choose', flush=True); import time; time.sleep(600)"


@pytest.fixture
def idle_app(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give guests a program that only says what the home screen does: the app takes a second."""
    monkeypatch.setattr("kumite.serve.process.command.__defaults__", (("-c", IDLE),))
