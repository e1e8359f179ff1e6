"""Every table in every size, theme and glyph set: a digest of each, so that nothing changes unseen.

What has changed is seen in the pages of test_screen_goldens, or on the screen itself. The check
takes one theme and one glyph set a size; `make long`, and the writing of the files, take all.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from itertools import product
from typing import TYPE_CHECKING

import pytest

from kumite.core.games import GAMES
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from tests.support.apps import uncovered, until
from tests.support.goldens import check, kept
from tests.tui.screens.test_nothing_is_cut import middle_of
from tests.tui.screens.test_screen_goldens import NAMES, rested

if TYPE_CHECKING:
    from textual.pilot import Pilot

SIZES = [(60, 20), (72, 22), (80, 23), (80, 24), (100, 30), (120, 36), (160, 50), (220, 60)]
THEMES = ("dark", "light", "contrast", "sixteen", "mono")
GLYPHS = ("letters", "kanji", "ascii")
STEPS = 25  # both clans, sides or hands are well mixed
TABLES = [(game_id, seats) for game_id, game in GAMES.items() for seats in game.SEATS]
Look = tuple[tuple[int, int], str, str]  # size, theme, glyphs
ALL: list[Look] = list(product(SIZES, THEMES, GLYPHS))
SOME: list[Look] = [(size, THEMES[n % 5], GLYPHS[n % 3]) for n, size in enumerate(SIZES)]


async def digests(pilot: Pilot[None], looks: list[Look]) -> dict[str, str]:
    """Return a digest of text and colours of each look, by its name."""
    found = {}
    app = pilot.app
    assert isinstance(app, KumiteApp)
    for size, theme, glyphs in looks:
        if app.size != size:
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: app.screen._compositor.size == size, "the new size")  # noqa: B023
        app.use(Settings(theme=theme, glyphs=glyphs))
        seen = (await rested(pilot)).encode()
        name = f"{size[0]}x{size[1]} {theme} {glyphs}"
        found[name] = blake2b(seen, digest_size=8).hexdigest()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("looks", [SOME, pytest.param(ALL, marks=pytest.mark.long)], ids=len)
@pytest.mark.parametrize(("game_id", "seats"), TABLES)
async def test_a_table_looks_as_it_did(game_id: str, seats: int, looks: list[Look]) -> None:
    match = middle_of(game_id, seats, STEPS)
    app = KumiteApp(Settings(), lambda: TableScreen(LocalTable(match, NAMES[:seats], None)))
    name = f"looks/{game_id}-{seats}"
    async with app.run_test(size=SIZES[0]) as pilot:
        await uncovered(pilot)
        if os.environ.get("KUMITE_GOLDENS") == "write":
            found = await digests(pilot, ALL)
            check(name, "\n".join(f"{look} {digest}" for look, digest in found.items()))
        found = await digests(pilot, looks)
    known = dict(line.rsplit(" ", 1) for line in kept(name).splitlines())
    assert found == {look: known.get(look) for look in found}
