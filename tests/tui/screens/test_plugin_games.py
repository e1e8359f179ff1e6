"""A game of another package in the app: chosen in the set-up, played, and explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.reading import RulesScreen
from kumite.tui.screens.setup import NewScreen
from kumite.tui.screens.table import TableScreen
from tests.support import plugins
from tests.support.apps import frame, running, screen_of

if TYPE_CHECKING:
    import pytest


async def test_a_game_of_another_package_has_a_tile_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugins.template(tmp_path / "site", monkeypatch)
    async with running(HomeScreen) as (kumite, pilot):
        await pilot.pause()
        home = screen_of(kumite, HomeScreen)
        before = home.menu.drawn.lines
        await pilot.press("right", "right", "right", "right", "right")
        assert home.menu.home.game == "ishi"
        text = frame(kumite)
        assert "six duels" in text
        assert "Kiri-ai" in text
        assert "Ishi" in text
        assert "2 players" in text
        assert "Two players take stones in turn." in text
        seal = [ink for line in before for _, ink in line if "red" in ink and "white" in ink]
        assert seal  # a letter in place of a crest
        for key in ("l", "z", "r", "p"):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(kumite.screen, HomeScreen) == (key in "lz"), key
            assert ("Ishi has no lessons and no puzzles." in frame(kumite)) == (key in "lz")
            if key == "r":
                assert "Take one, two or three stones" in frame(kumite)
                await pilot.press("q")
        await pilot.press("enter")
        assert isinstance(kumite.screen, TableScreen)
        assert kumite.screen.table.match.game.ID == "ishi"


async def test_a_game_of_another_package_is_chosen_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugins.template(tmp_path / "site", monkeypatch)
    async with running(lambda: NewScreen("kuzushi")) as (kumite, pilot):
        await pilot.press("down", "right", "right")
        assert "Ishi" in frame(kumite)
        await pilot.press("up", "enter")
        assert isinstance(kumite.screen, TableScreen)
        assert kumite.screen.table.match.game.ID == "ishi"
        assert "ishi 12 12 seat=0" in frame(kumite)
        for key, left, seat in (("3", 9, 1), ("1", 8, 0)):  # both at this keyboard
            await pilot.press("colon", key, "enter")
            await pilot.pause()
            assert f"ishi 12 {left} seat={seat}" in frame(kumite)
        kumite.push_screen(RulesScreen("ishi", "Ishi"))
        await pilot.pause()
        assert "Take one, two or three stones" in frame(kumite)
