"""An app that ends while a screen opens just ends: Textual lays nothing out any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.apps import app
from tests.tui.screens.test_screens import SCREENS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))


@pytest.mark.parametrize("name", SCREENS)
async def test_the_app_ends_while_a_screen_opens(name: str) -> None:
    kumite = app(SCREENS["home"])
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        opening = SCREENS[name]()
        kumite.exit()
        await kumite.push_screen(opening)
        assert not opening.children, "this test has to come between"
    assert kumite.return_code == 0
