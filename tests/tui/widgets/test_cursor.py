"""The terminal's cursor, though hidden, stands where text is inserted: input methods draw there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.screens.setup import NewScreen
from tests.support.apps import frame, running, table_app

if TYPE_CHECKING:
    from kumite.tui.app import KumiteApp

SIZES = [(60, 20), (80, 24), (120, 36)]


def behind_cursor(kumite: KumiteApp) -> str:
    """Return the row up to the cursor, which must be the marked one."""
    column, row = kumite.cursor_position
    line = frame(kumite).split("\n")[row]
    assert line[column : column + 1] in "_x"
    return line[:column].strip()


@pytest.mark.parametrize("size", SIZES)
async def test_in_the_line_that_is_typed_into(size: tuple[int, int], tmp_path: Path) -> None:
    async with running(table_app(tmp_path), size=size) as (kumite, pilot):
        await pilot.press("colon", *"e4")
        assert behind_cursor(kumite) == "Step: e4"
        await pilot.press(*"x", "left")
        assert behind_cursor(kumite) == "Step: e4"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", [NewScreen, SettingsScreen])
async def test_in_the_field_of_a_form(size: tuple[int, int], screen: type) -> None:
    async with running(screen, size=size) as (kumite, pilot):
        for _ in range(30):
            await pilot.press("down")
            if kumite.screen.focused is not None and kumite.screen.is_writing:  # type: ignore[attr-defined]
                break
        await pilot.press(*"Aya")
        assert behind_cursor(kumite).endswith("Aya")
