"""Programs that guests have in place of the app, where only the server is looked at."""

from __future__ import annotations

from collections.abc import Callable

import pytest

IDLE = "print('play here, Enter choose', flush=True); import time; time.sleep(600)"


@pytest.fixture
def let_run(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function by which guests have a program in Python, with arguments."""

    def run(code: str, *args: str) -> None:
        monkeypatch.setattr("kumite.serve.process.command.__defaults__", (("-c", code, *args),))

    return run


@pytest.fixture
def idle_app(let_run: Callable[..., None]) -> None:
    """Give guests a program that only says what the home screen does: the app takes a second."""
    let_run(IDLE)
