"""A game of another package in the app: chosen in the set-up, played, and explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kumite.tui.screens.reading import RulesScreen
from kumite.tui.screens.setup import NewScreen
from kumite.tui.screens.table import TableScreen
from tests.support import plugins
from tests.support.apps import app, frame

if TYPE_CHECKING:
    import pytest


async def test_a_game_of_another_package_is_chosen_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugins.template(tmp_path / "site", monkeypatch)
    kumite = app(lambda: NewScreen("kuzushi"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("down", "right", "right")
        assert "Ishi" in frame(kumite)
        await pilot.press("up", "enter")
        assert isinstance(kumite.screen, TableScreen)
        assert kumite.screen.table.match.game.ID == "ishi"
        assert "ishi 12 12 seat=0" in frame(kumite)
        kumite.push_screen(RulesScreen("ishi", "Ishi"))
        await pilot.pause()
        assert "Take one, two or three stones" in frame(kumite)
