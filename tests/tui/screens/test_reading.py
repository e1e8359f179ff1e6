"""Pages to read: nothing is cut off at any width, and places that break are found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import plain
from kumite.tui.screens import key_map
from kumite.tui.screens.form_screen import COLUMN
from kumite.tui.screens.keys import KeysScreen
from kumite.tui.screens.puzzles import PuzzlesScreen
from kumite.tui.screens.reading import Pager, RulesScreen
from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import KNOWN
from tests.support.apps import app, frame, running, screen_of


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
async def test_the_rules_open_at_their_chapter_and_stay_there_when_resized(
    size: tuple[int, int],
) -> None:
    kumite = app(lambda: RulesScreen("kitsu", "Kitsu!", "Your turn"))
    async with kumite.run_test(size=size) as pilot:
        pager = kumite.screen.query_one(Pager)
        assert pager.render_line(0).text.strip() == "Your turn"
        await pilot.resize_terminal(72, 22)
        assert frame(kumite).split("\n")[1].strip() == "Your turn"
        assert "The same piece may move" in " ".join(frame(kumite).split())


@pytest.mark.parametrize("size", [(120, 36), (220, 60)], ids=str)
async def test_a_page_is_a_framed_column_in_the_middle_of_a_large_screen(
    size: tuple[int, int],
) -> None:
    async with running(lambda: RulesScreen("kitsu", "Kitsu!"), size=size) as (kumite, pilot):
        await pilot.pause()
        page = kumite.screen.query_one(Pager)
        assert page.region.width == COLUMN
        assert page.region.x * 2 + page.region.width == size[0]
        assert page.styles.border_top[0] == "round"
        assert frame(kumite).count("Kitsu!") == 1  # in the landscape, not again on the page
        await pilot.resize_terminal(80, 24)
        assert page.region.x == 0
        assert page.region.width == 80


async def test_a_place_that_is_broken_in_two_is_found_once() -> None:
    async with running(lambda: RulesScreen("kitsu", "Kitsu!"), size=(60, 20)) as (kumite, pilot):
        pager = kumite.screen.query_one(Pager)
        pager.search("Samurai slide and Foxes leap")
        assert pager.find(0) == (1, 1)
        pager.search("samurai")
        assert pager.find(0)[1] > 5
        await pilot.press("slash", *"nowhere", "enter")
        assert "'nowhere' is not on this page" in frame(kumite)


def test_the_page_of_keys_lists_every_id_that_the_settings_know() -> None:
    page = Path(__file__).parents[3] / "docs" / "keys.md"
    listed = re.findall(r"^\| `([a-z_0-9.]+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == sorted(key_map.known())


async def test_the_help_of_a_table_names_keys_and_marks_and_no_ids() -> None:
    table = LocalTable(Match.begin(Setup.of(find("kumo"), 2)), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await pilot.press("n")
        screen = screen_of(kumite, TableScreen)
        text = "\n".join(map(plain, screen.help_lines()))
        assert "n                 next choice" in text
        assert "↑, k              up" in text
        for said in (
            "where you are",
            "chosen",
            "can be chosen",
            "captures",
            "began",
            "ended",
            "changed",
        ):
            assert said in text.partition("Marks")[2]
        for said in ("runner: goes two", "can move the stone", "has pinned", "camp of bob"):
            assert said in text.partition("On this table")[2].partition("Marks")[0]
        assert not [one for one in key_map.known() if one in text]


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=str)
@pytest.mark.parametrize("glyphs", ["letters", "ascii"])
async def test_signs_are_told_as_they_are_drawn_on_the_table(
    glyphs: str, size: tuple[int, int]
) -> None:
    table = LocalTable(Match.begin(Setup.of(find("kitsu"), 2)), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table), glyphs=glyphs, size=size) as (kumite, pilot):
        await pilot.press("n")
        screen = screen_of(kumite, TableScreen)
        lines = list(map(plain, screen.help_lines()))
        said = next(at for at, line in enumerate(lines) if "the middle of its move" in line)
        after = next(at for at in range(said + 1, len(lines)) if lines[at][12:].strip())
        assert any("*" in line[:12] for line in lines[said:after])
        assert after - said == (1 if glyphs == "ascii" else 3 if size[0] == 80 else 5)


async def test_the_screen_of_keys_lists_every_id_that_the_settings_know() -> None:
    async with running(KeysScreen) as (kumite, _):
        screen = screen_of(kumite, KeysScreen)
        assert {row.key for row in screen.rows()} - {""} == set(key_map.known())


def test_the_page_of_settings_lists_all_of_them() -> None:
    page = Path(__file__).parents[3] / "docs" / "settings.md"
    listed = re.findall(r"^\| `([a-z]+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted({*KNOWN} - {"keys"})


async def test_every_setting_can_be_changed_on_the_screen() -> None:
    async with running(SettingsScreen) as (kumite, _):
        screen = screen_of(kumite, SettingsScreen)
        shown = {row.key for row in screen.rows()}
    # The mouse is given for one run, what the home screen remembers is no wish, and there are no
    # lines on a screen.
    assert {*KNOWN} - shown == {"mouse", "level", "brief", "speak"}


async def test_the_help_of_a_list_names_no_keys_for_values_that_it_has_not() -> None:
    """The list of saved matches had keys for `next value`."""
    for screen, has_values in ((PuzzlesScreen, False), (SettingsScreen, True)):
        kumite = app(screen)  # type: ignore[arg-type]
        async with kumite.run_test(size=(80, 50)) as pilot:
            await pilot.press("f1")
            await pilot.pause()
            assert ("next value" in frame(kumite)) == has_values
