"""All keys are shown, and changed where nothing else has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kumite.tui import settings
from kumite.tui.screens.key_map import known
from kumite.tui.screens.keys import KeysScreen, conflicts, keys_of
from kumite.tui.screens.settings import SettingsScreen
from tests.support.apps import frame, running, screen_of, shown

if TYPE_CHECKING:
    from textual.pilot import Pilot


def read() -> dict[str, str]:
    return dict(settings.read().settings.keys)


async def change(pilot: Pilot[None], name: str, key: str) -> None:
    screen = screen_of(pilot.app, KeysScreen)
    screen.form.go(name)
    await pilot.press("enter", key)
    await pilot.pause()


async def test_a_key_is_changed_at_once_kept_and_given_back() -> None:
    settings.path().parent.mkdir(parents=True, exist_ok=True)
    settings.path().write_text('[keys]\n# mine\n"home.play" = "f6"\n', encoding="utf-8")
    async with running(SettingsScreen) as (kumite, pilot):
        screen = screen_of(kumite, SettingsScreen)
        screen.form.go("keys")
        await pilot.press("enter")
        await change(pilot, "table.back", "f9")
        assert "F9" in next(line for line in frame(kumite).split("\n") if "> " in line)
        assert kumite.settings.keys["table.back"] == "f9"
        await change(pilot, "table.back", "escape")  # leaves it as it is
        assert read()["table.back"] == "f9"
        text = settings.path().read_text(encoding="utf-8")
        assert "# mine" in text
        assert '"table.back" = "f9"' in text
        await pilot.press("x")
        await pilot.pause()
        assert "table.back" not in kumite.settings.keys
    assert "table.back" not in read()
    settings.path().unlink()


async def test_a_key_that_is_taken_is_refused_with_its_owner() -> None:
    async with running(KeysScreen) as (kumite, pilot):
        for name, key, other in (
            ("table.back", "i", "hint"),
            ("board.next", "i", "hint"),
            ("table.back", "question_mark", "help"),
        ):
            await change(pilot, name, key)
            assert f"{other})" in shown(kumite, "hint")
            assert name not in kumite.settings.keys
        await change(pilot, "table.back", "f8")  # free at a table
        assert kumite.settings.keys["table.back"] == "f8"
    Path(settings.path()).unlink(missing_ok=True)


def test_every_key_can_be_given_to_what_has_it() -> None:
    for name in known():
        for key in keys_of(name, {}):
            assert conflicts(name, key, {}) == [], (name, key)
