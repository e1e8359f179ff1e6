"""Pages to read: nothing is cut off at any width, and places that break are found."""

from __future__ import annotations

import pytest

from kumite.tui.screens.reading import RulesScreen
from kumite.tui.widgets.pager import Pager
from tests.support.apps import app, frame


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
async def test_the_rules_open_at_their_chapter_and_stay_there_when_resized(
    size: tuple[int, int],
) -> None:
    kumite = app(lambda: RulesScreen("kitsu", "Kitsu!", "Your turn"))
    async with kumite.run_test(size=size) as pilot:
        assert frame(kumite).split("\n")[1].strip() == "Your turn"
        await pilot.resize_terminal(72, 22)
        assert frame(kumite).split("\n")[1].strip() == "Your turn"
        assert "The same piece may move" in " ".join(frame(kumite).split())


async def test_a_place_that_is_broken_in_two_is_found_once() -> None:
    kumite = app(lambda: RulesScreen("kitsu", "Kitsu!"))
    async with kumite.run_test(size=(60, 20)) as pilot:
        pager = kumite.screen.query_one(Pager)
        pager.search("Whoever ends a move turns over its neighbours")
        assert pager.find(0) == (1, 1)
        pager.search("samurai")
        assert pager.find(0)[1] > 5
        await pilot.press("slash", *"nowhere", "enter")
        assert "'nowhere' is not on this page" in frame(kumite)
