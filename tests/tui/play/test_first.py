"""Who begins: by lot, as they sit, and in a rematch the loser."""

from __future__ import annotations

from runpy import run_path

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import End, outcome_end
from kumite.tui.play import first
from kumite.tui.scenes.about import about
from tests.support.apps import frame, running
from tests.support.random_matches import walk

NAMES = ("ann", "ben", "cy", "dee")


def test_a_lot_gives_every_order() -> None:
    by_lot = run_path(first.__file__)["by_lot"]  # the tests have another in its place
    drawn = {by_lot(NAMES[:3]) for _ in range(300)}
    assert len(drawn) == 6
    assert all(sorted(one) == sorted(NAMES[:3]) for one in drawn)


@pytest.mark.parametrize("seed", range(4))
def test_in_kuzushi_the_lowest_score_begins_a_rematch(seed: int) -> None:
    match = walk(Setup.of(find("kuzushi"), 4, {"board": "small"}), seed)
    lowest = first.loser(match, None)
    scores = [match.state.score(seat) for seat in range(4)]
    won = outcome_end(match)
    assert won is not None
    assert lowest is not None
    assert scores[lowest] == min(scores)
    assert (
        next(iter(first.may_begin(match, None, NAMES).values())) == f"{NAMES[lowest]}, who has lost"
    )
    assert first.moved(NAMES, lowest)[0] == NAMES[lowest]


def test_who_gave_up_has_lost_and_after_a_draw_nobody() -> None:
    match = walk(Setup.of(find("kitsu"), 2), 1, 3)
    assert first.loser(match, End("resigned", (Seat(1),))) == 1
    assert first.loser(match, End("agreed")) is None
    assert first.may_begin(match, End("agreed"), NAMES) == {1: "ben: the seats move on by one"}
    assert first.may_begin(match, End("resigned", (Seat(1),)), NAMES) == {1: "ben, who has lost"}


@pytest.mark.parametrize("game_id", GAMES)
async def test_the_set_up_says_what_each_side_is_and_who_begins(game_id: str) -> None:
    from kumite.tui.screens.setup import NewScreen
    from kumite.tui.widgets.form import Form

    async with running(lambda: NewScreen(game_id)) as (kumite, pilot):
        found, form = about(game_id), kumite.screen.query_one(Form)
        assert ("Who begins" in frame(kumite)) == found.has_first
        if found.has_first:
            assert "drawn by lot" in frame(kumite)
            form.go("begins")
            await pilot.press("right")
        assert f"   {found.roles[0]}" in frame(kumite)
        assert "Seat 1" in frame(kumite)
