"""The end card and the review of a match tell the same."""

from __future__ import annotations

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.store import log_files
from kumite.tui.bots.evaluation import simulations_of
from kumite.tui.bots.judging import Judge, look_back
from kumite.tui.play import course, reviewed
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.replaying import Replay
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.review import ReviewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.valued import COSTLIEST, NO_COSTLY, on_card
from tests.support.apps import frame, screen_of, until
from tests.support.fake_player import FakePlayer, thinking
from tests.support.random_matches import short_setup, walk
from tests.tui.screens.test_review_screen import judged, written


@pytest.mark.parametrize("game_id", sorted(GAMES))
async def test_the_end_card_never_contradicts_a_review_that_was_made(game_id: str) -> None:
    """The score had one side `ahead since step 22`, while the review blamed a later step."""
    match = walk(short_setup(game_id, min(GAMES[game_id].SEATS)), 3)
    assert match.outcome is not None
    names = ("ada", "bob", "cid")[: match.setup.seats]
    path = log_files.folder() / "x.kumite"
    path.write_text(log_text(Header("ab12", match.setup, names), match), encoding="utf-8")
    replay = Replay(log_files.load(path))
    ending = replay.ending
    assert ending is not None
    assert on_card(ending, "ab12", path, replay.eyes.key) == ending  # facts of the score

    review = reviewed.of_replay(replay, simulations_of(replay.line[-1]))
    mind = FakePlayer()
    judge = Judge(mind, "ab12")  # type: ignore[arg-type]
    for values in review.values:
        for number in values.left[:1]:  # a hint or the tutor has judged one position
            await judge.look(values.question(number), review.simulations)
    judge.save()
    assert on_card(ending, "ab12", path, replay.eyes.key) == ending

    await look_back(judge, review)
    facts = on_card(ending, "ab12", path, replay.eyes.key).facts
    assert not {course.AHEAD, course.EVENT} & dict(facts).keys()
    worst = max(review.turnings, key=lambda one: one.lost, default=None)
    told = (COSTLIEST, worst.said(replay.names)) if worst else NO_COSTLY
    assert facts[-1] == told
    assert [one for one in ending.facts if one[0] == "length"] == [*facts[:-1]]


async def test_whoever_comes_back_from_a_review_sees_its_costliest_choice_on_the_card() -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 1)
    path, mind = written(match), FakePlayer(judged(match))
    async with thinking(lambda: TableScreen(LocalTable.resume(path)), mind, (120, 36)) as opened:
        kumite, pilot, _ = opened
        assert COSTLIEST not in frame(kumite)
        await pilot.press("o")
        screen = screen_of(kumite, ReviewScreen)
        await until(pilot, lambda: not screen._is_thinking, "the end of the review")
        await pilot.press("q")
        await until(pilot, lambda: COSTLIEST in frame(kumite), "the table's card")
        assert course.AHEAD not in frame(kumite)
        await pilot.press("p", "end")
        assert isinstance(kumite.screen, ReplayScreen)
        await until(pilot, lambda: COSTLIEST in frame(kumite), "the replay's card")
