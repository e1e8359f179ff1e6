"""A screen whose glyphs are changed shows what it would show if it had been opened with them."""

from __future__ import annotations

from collections.abc import Callable
from difflib import unified_diff
from typing import TYPE_CHECKING

import pytest

from kumite.core.games import GAMES
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from tests.support.apps import app, running
from tests.support.frames import middle_of
from tests.support.spread import spread
from tests.tui.screens.test_resizing import rested
from tests.tui.screens.test_screens import KINDS, SCREENS

if TYPE_CHECKING:
    from textual.screen import Screen


SMALL = (80, 24)
OTHER = ("help", "rules", "settings")  # lines that they were given; what was set


async def compare(opening: Callable[[], Screen[None]], size: tuple[int, int]) -> None:
    opened = {}
    for glyphs in ("letters", "ascii"):
        async with app(opening, glyphs).run_test(size=size) as pilot:
            opened[glyphs] = await rested(pilot)
    async with running(opening, glyphs="letters", size=size) as (kumite, pilot):
        await rested(pilot)
        for glyphs in ("ascii", "letters"):
            kumite.use(Settings(glyphs=glyphs))
            shown = await rested(pilot)
            lines = unified_diff(opened[glyphs].split("\n"), shown.split("\n"), "opened", n=0)
            assert opened[glyphs] == shown, "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [name for name in KINDS if not name.startswith("table") and name not in OTHER]
)
async def test_every_screen(name: str) -> None:
    await compare(SCREENS[name], SMALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "steps", "size"),
    [(one, *case) for one, case in spread(GAMES, ((25, (120, 36)), (1000, SMALL)))],
)
async def test_a_table(game_id: str, steps: int, size: tuple[int, int]) -> None:
    seats = max(GAMES[game_id].SEATS)
    match = middle_of(game_id, seats, steps)
    await compare(lambda: TableScreen(LocalTable(match, tuple("abcdef"[:seats]), None)), size)
