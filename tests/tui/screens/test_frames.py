"""Whole tables as they were looked at: each game in each class of sizes and depth of colours.

Two frames of a game show pixels, each in another size: so a pixel that changes is seen in one.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from kumite.core.games import GAMES
from kumite.core.match import Match
from kumite.tui.app import KumiteApp
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from tests.support.apps import uncovered
from tests.support.frames import middle_of, rested, without_pixels
from tests.support.goldens import FOLDER, check

NAMES = ("ada", "武蔵坊弁慶", "cyd", "dan", "eve", "fay")
STEPS = {  # after which both clans, sides or hands are well mixed
    ("kitsu", 2): 9,
    ("kitsune", 2): 38,
    ("kitsune", 6): 40,
    ("kumo", 2): 12,
    ("kumo", 4): 17,
    ("kuzushi", 2): 16,
    ("kuzushi", 6): 30,
    ("kiriai", 2): 12,
}
MOST = 80  # files: as many as one looks through


class Frame(NamedTuple):
    """How a table is shown."""

    size: tuple[int, int]
    theme: str
    glyphs: str
    depth: str = "truecolor"
    seats: int = 0  # of `GAMES[…].SEATS`, which one
    has_pixels: bool = False

    @property
    def said(self) -> str:
        return f"{self.size[0]}-{self.theme}-{self.glyphs}-{self.depth}"


FRAMES = (
    Frame((60, 20), "sixteen", "letters", "standard", -1),
    Frame((72, 22), "contrast", "ascii", "256"),
    Frame((80, 24), "dark", "letters", has_pixels=True),
    Frame((80, 24), "mono", "kanji", "256", -1),
    Frame((120, 40), "dark", "letters", seats=-1, has_pixels=True),
    Frame((160, 50), "light", "letters", "256"),
)


def the_middle(game_id: str, place: int) -> Match:
    seats = GAMES[game_id].SEATS[place]
    return middle_of(game_id, seats, STEPS[game_id, seats])


@pytest.mark.golden
@pytest.mark.parametrize("frame", FRAMES, ids=lambda one: one.said)
@pytest.mark.parametrize("game_id", GAMES)
async def test_a_table_looks_as_it_did(
    game_id: str, frame: Frame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of a match, with the cursor moved on."""
    monkeypatch.setattr("textual.constants.COLOR_SYSTEM", frame.depth)
    if not frame.has_pixels:
        without_pixels(monkeypatch)
    match = the_middle(game_id, frame.seats)
    table = LocalTable(match, NAMES[: match.setup.seats], None)
    settings = Settings(theme=frame.theme, glyphs=frame.glyphs)
    app = KumiteApp(settings, lambda: TableScreen(table))
    async with app.run_test(size=frame.size) as pilot:
        await uncovered(pilot)
        await pilot.press("n")
        text = await rested(pilot)
    check(f"tables/{game_id}-{frame.said}", text)


def test_there_are_no_more_frames_than_one_looks_through() -> None:
    assert 0 < len(list(FOLDER.rglob("*.txt"))) <= MOST
