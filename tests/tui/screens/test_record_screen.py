"""The record on the screen, by keys from home."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.log import Header, log_text
from kumite.store import practice
from kumite.tui.app import KumiteApp
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.record import RecordScreen
from kumite.tui.settings import Settings
from tests.support.apps import frame, running
from tests.support.random_matches import short_setup, walk


@pytest.mark.parametrize("look", ["ascii", "letters"])
async def test_y_leads_from_home_to_the_record_and_back(
    look: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    match = walk(short_setup("kuzushi"), 1)
    text = log_text(Header("ab12", match.setup, ("ada", "bot:easy")), match)
    (tmp_path / "2026-01-01-120000-x.kumite").write_text(text, encoding="utf-8")
    begun = log_text(Header("ab13", match.setup, ("ada", "bot:easy")), match.back(3))
    (tmp_path / "2026-01-02-120000-x.kumite").write_text(begun, encoding="utf-8")
    kumite = KumiteApp(Settings(glyphs=look, name="ada"), HomeScreen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("y")
        await pilot.pause()
        assert isinstance(kumite.screen, RecordScreen)
        assert "1 match:" in frame(kumite)
        assert "bot easy" in frame(kumite)
        assert "Not counted: 1 match without an end." in frame(kumite)
        assert look != "ascii" or frame(kumite).isascii()
        await pilot.press("escape")
        assert isinstance(kumite.screen, HomeScreen)


async def test_it_says_how_one_has_fared_with_puzzles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    today, kept = date.today(), practice.Practice()
    for one, grade in (("a", 5), ("b", 5), ("c", 1)):
        kept = kept.answered(one, grade, today)
    practice.save(kept)
    async with running(HomeScreen, size=(60, 20)) as (kumite, pilot):
        await pilot.press("y")
        await pilot.pause()
        assert "3 puzzles: 2 solved at the first try when last asked" in frame(kumite)
        assert "0 in a row; 2 at best" in frame(kumite)
    done = CliRunner().invoke(main, ["record"])
    assert "3 puzzles: 2 solved at the first try" in done.output
    assert "puzzles" not in CliRunner().invoke(main, ["record", "kumo"]).output


async def test_without_a_match_it_says_how_to_begin() -> None:
    async with running(HomeScreen) as (kumite, pilot):
        await pilot.press("y")
        await pilot.pause()
        assert "Nothing to count yet" in frame(kumite)
