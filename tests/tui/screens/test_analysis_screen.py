"""An analysis on screen: it grows and ends, and one goes on from it in several ways."""

from __future__ import annotations

from asyncio import Event
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.bots import Position
from kumite.core.errors import KumiteError
from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, Log, log_text, read
from kumite.core.match import Match
from kumite.core.origins import origin
from kumite.store import log_files
from kumite.tui import scenes
from kumite.tui.screens.analysis import SECONDS, AnalysisScreen
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.form import Form
from tests.support.apps import frame, screen_of, shown, table_app, uncovered, until, words
from tests.support.fake_player import (
    TABLES,
    FakePlayer,
    answering,
    listed,
    middle,
    thinking,
    thought_out,
    unsaved,
)
from tests.support.random_matches import walk
from tests.support.spread import spread

SMALL, LARGE = (80, 24), (120, 40)


def replay_of(match: Match) -> ReplayScreen:
    return ReplayScreen(read(log_text(Header("ab12", match.setup, ("ada", "bob")), match)))


def kept() -> list[Log]:
    """Return the logs that were written, the one that was begun last at the end."""
    paths = log_files.folder().glob("*.kumite")
    return sorted(map(log_files.load, paths), key=lambda log: origin(log.header) is not None)


@pytest.mark.parametrize(("game_id", "seats", "size"), spread(TABLES, (SMALL, LARGE)))
async def test_an_analysis_fits_says_whose_eyes_it_has_and_how_much_it_does_not_list(
    game_id: str, seats: int, size: tuple[int, int]
) -> None:
    match = middle(game_id, seats)
    async with thinking(unsaved(match), size=size, glyphs="ascii") as (kumite, pilot, mind):
        await uncovered(pilot)
        await pilot.press("a")
        assert isinstance(kumite.screen, AnalysisScreen)
        await thought_out(pilot)
        text = frame(kumite)
        assert text.isascii()
        lines = text.split("\n")
        assert len(lines) == size[1]
        name = f"player {mind.asked[0].seat + 1}"
        assert f"{name} to play" in lines[0]
        assert (f"as {name} sees it" in lines[0]) == (match.game.SECRETS is not None)
        called = scenes.maker(match).step_name(mind.asked[0].legal[-1])
        assert called in " ".join(" ".join(listed(kumite)[:2]).split())  # long ones take two rows
        assert all(widget.region.bottom <= size[1] for widget in kumite.screen.query("*"))
        assert all(widget.region.right <= size[0] for widget in kumite.screen.query("*"))
        others = len(match.legal(match.actors[0])) - 5  # so many it was told of
        said = f"{others} others promise less" if others > 1 else "1 other promises less"
        assert (said in text) == (others > 0 and not bots.mixes(match.game))


async def test_the_thought_grows_and_ends_and_the_chosen_step_comes_back_as_a_hint() -> None:
    async with thinking(table_app()) as (kumite, pilot, mind):
        await pilot.press("a")
        await thought_out(pilot)
        assert mind.stages == [SECONDS]
        assert len(mind.asked) == 1  # one thought that goes on
        assert "bob 90 % to win" in shown(kumite, "facts")
        await pilot.press("down")
        assert shown(kumite, "hint").startswith("lay a base on f7  score 0 → 4  +3 flags")
        await pilot.press("enter")
        screen = screen_of(kumite, TableScreen)
        assert screen.table.match.number == 0
        assert screen.field.pointed == "f7"
        assert "your chance 80 %; g6 has 90 %" in words(kumite, "advice")
        await pilot.press("enter")
        assert [one.step for one in screen.table.match.steps()] == ["f7"]
    (path,) = log_files.folder().glob("*.kumite")
    assert "note analysis: seat 1 before step 1 ~" in path.read_text()


async def test_till_it_is_moved_the_cursor_is_on_what_is_best_so_far() -> None:
    class Growing(FakePlayer):
        async def grow(self, who: str, position: Position, **rest: Any) -> None:
            self.asked.append(position)
            self.told = rest["told"]
            await Event().wait()

    async with thinking(table_app(), mind := Growing()) as (kumite, pilot, _):

        async def after(seconds: float, **values: float) -> Step | None:
            """Return what is selected once it has been thought so long."""
            mind.told(seconds, answering(**values)(mind.asked[-1]))
            await pilot.pause()
            return analysis.selected

        await pilot.press("a")
        analysis = screen_of(kumite, AnalysisScreen)
        await until(pilot, lambda: bool(mind.asked), "a thought")
        assert await after(0.5, g6=0.6, f7=0.5) == "g6"
        assert await after(1, f7=0.7, g6=0.6) == "f7"
        await pilot.press("down")
        assert await after(2, g6=0.8, f7=0.7) == "g6"
        assert await after(4, f7=0.9, g6=0.8) == "g6"
        await pilot.press("right_square_bracket", "left_square_bracket")
        await until(pilot, lambda: len(mind.asked) == 3, "another thought")
        assert await after(0.5, g6=0.6, f7=0.5) == "g6"
        assert await after(1, f7=0.7, g6=0.6) == "f7"


@pytest.mark.parametrize(("size", "is_drawn"), [((80, 24), False), ((120, 36), True)])
async def test_an_analysis_draws_the_course_where_its_list_keeps_its_lines(
    size: tuple[int, int], is_drawn: bool
) -> None:
    screen = AnalysisScreen(walk(Setup.of(GAMES["kuzushi"]), 3, 20), None, ("ada", "bob"))
    async with thinking(lambda: screen, size=size) as (_, pilot, _mind):
        await pilot.pause()
        assert bool(screen.query_one("#chart").region) == is_drawn
        assert screen.query_one("#form").size.height >= 7


async def test_one_looks_at_positions_after_a_step_and_comes_back() -> None:
    async with thinking(table_app()) as (kumite, pilot, mind):
        await pilot.press("a")
        await thought_out(pilot)
        await pilot.press("right_square_bracket")
        await until(pilot, lambda: len(mind.asked) == 2, "another thought")
        await thought_out(pilot)
        assert "after step 1  ada to play" in shown(kumite, "title")
        assert [one.step for one in mind.asked[-1].seen] == ["g6"]
        mind.is_stuck = True
        await pilot.press("enter")
        assert "thinking ..." in shown(kumite, "facts")
        assert "after step 2  bob to play" in shown(kumite, "title")
        await pilot.press("left_square_bracket", "left_square_bracket")
        assert mind.interrupted
        assert "after step 0  bob to play" in shown(kumite, "title")
        await pilot.press("escape")
        assert screen_of(kumite, TableScreen).table.match.number == 0
        await until(pilot, lambda: mind.interrupted == 3, "that it stops")


async def test_one_goes_on_from_a_position_that_was_looked_at() -> None:
    async with thinking(table_app()) as (kumite, pilot, mind):
        await pilot.press("enter", "a")  # bob lays f7
        await thought_out(pilot)
        await pilot.press("right_square_bracket")
        mind.is_stuck = True
        await pilot.press("right_square_bracket")
        analysis = screen_of(kumite, AnalysisScreen)
        assert "b play from here" in frame(kumite).split("\n")[-1]
        await pilot.press("b")
        await until(pilot, lambda: mind.interrupted == 1, "that it stops")
        assert "Continue after step 3, in a log of its own" in frame(kumite)
        await pilot.press("up", "enter")  # not now
        assert kumite.screen is analysis
        await pilot.press("b", "enter")
        table = screen_of(kumite, TableScreen).table
        assert table.match.digest == analysis.match.digest
        assert table.names == ("ada", "bob")
        await pilot.press("q")
        assert kumite.screen is analysis
        await pilot.press("escape")
        assert screen_of(kumite, TableScreen).table.match.number == 1
    first, branch = kept()
    assert first.match.number == 1
    assert origin(branch.header) == (first.header.match_id, 1)
    assert branch.match.number == 3
    assert branch.damage is None


async def test_a_position_of_a_replay_is_analysed_and_gone_on_from() -> None:
    match = middle("kitsu", 2)
    screen = replay_of(match)
    async with thinking(lambda: screen) as (kumite, pilot, mind):
        await pilot.press("right", "right", "a")
        await thought_out(pilot)
        assert len(mind.asked[0].seen) == 2
        await pilot.press("enter")
        assert "after step 3" in shown(kumite, "title")
        await until(pilot, lambda: len(mind.asked) == 2, "thoughts")
        assert mind.stages == [SECONDS] * 2
        await pilot.press("q")
        assert kumite.screen is screen
        assert screen.at == 2
        await pilot.press("end", "a")
        assert f"after step {match.number} " in shown(kumite, "title")
        await pilot.press("q", "g", "2", "enter", "a", "right_square_bracket", "b", "enter")
        table = screen_of(kumite, TableScreen).table
        assert table.names == ("ada", "bob")
        assert table.match.number == 3
        assert table.match.back(2).digest == match.back(2).digest
    (branch,) = kept()
    assert origin(branch.header) == ("ab12", 2)


async def test_nobody_goes_on_where_nothing_is_saved_or_the_match_would_be_over() -> None:
    async with thinking(unsaved(middle("kitsu", 2))) as (kumite, pilot, _):
        await pilot.press("a", "b")
        assert isinstance(kumite.screen, AnalysisScreen)
        assert "go on" not in frame(kumite).split("\n")[-1]
    match = walk(Setup.of(GAMES["kuzushi"], 2, {"board": "small"}), 1)
    async with thinking(lambda: replay_of(match)) as (kumite, pilot, _):
        await pilot.press("end", "a", "b", "enter")
        assert "the match ends there" in shown(kumite, "hint")
        assert isinstance(kumite.screen, AnalysisScreen)


async def test_a_thought_that_fails_or_ends_by_itself_says_so() -> None:
    class Quick(FakePlayer):
        async def grow(self, who: str, position: Position, **rest: Any) -> None:
            rest["stages"] = rest["stages"][:1]
            await super().grow(who, position, **rest)

    async with thinking(table_app(), Quick()) as (kumite, pilot, mind):
        mind.error = KumiteError("the bot is ill", hint="look again")
        await pilot.press("a")
        await until(pilot, lambda: "the bot is ill  look again" in frame(kumite), "the error")
        await pilot.press("q")
        assert screen_of(kumite, TableScreen).table.match.number == 0
        mind.error = None
        await pilot.press("a")
        await until(pilot, lambda: "Nothing more to find." in frame(kumite), "the end")


@pytest.mark.parametrize("game_id", GAMES)
async def test_in_a_small_window_the_steps_are_compared_beside_the_table(game_id: str) -> None:
    """The end of a match offered an analysis, which then asked for a larger window."""
    screen = AnalysisScreen(middle(game_id, 2), None, ("ada", "bob"))
    async with thinking(lambda: screen) as (kumite, pilot, _):
        await thought_out(pilot)
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        assert kumite.screen is screen
        assert screen.query_one(Form).size.height >= 4
        assert shown(kumite, "title").startswith("Analysis after step ")
        assert len(shown(kumite, "title")) <= 58


async def test_after_a_secret_choice_nobody_is_asked() -> None:
    match = middle("kiriai", 2)
    match = match.back(next(n for n in range(12, 0, -1) if match.back(n).actors == (0, 1)))
    own = frozenset({Seat(0)})
    screen = AnalysisScreen(match.seen_by(own), own, ("ada", "bob"))
    async with thinking(lambda: screen) as (kumite, pilot, _):
        await thought_out(pilot)
        await pilot.press("enter")
        assert "does not know enough" in words(kumite, "facts")
        assert kumite.screen.query_one(Form).is_empty
        await pilot.press("enter", "left_square_bracket")
        assert "ada to play, as ada sees it" in shown(kumite, "title")
