"""What stands beside a table is in frames with titles, where there is room for them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

import pytest

from kumite.core.games import GAMES
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.chart import chart
from kumite.tui.drawing.pixels import cells_of
from kumite.tui.drawing.places import FRAMED
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.lessons import LessonScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.lines import Lines
from tests.support.apps import app, frame, running, uncovered
from tests.support.frames import middle_of
from tests.support.random_matches import short_setup, walk
from tests.tui.screens.test_curve import is_done, minded, opened
from tests.tui.screens.test_nothing_is_cut import NAMES

LONG = ("Maximilian-Leopold", "Anastasia-Alexandra")
BELOW = [(FRAMED[0] - 1, FRAMED[1]), (FRAMED[0], FRAMED[1] - 1)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


def table_of(game_id: str, names: tuple[str, ...]) -> KumiteApp:
    table = LocalTable(middle_of(game_id, len(names), 12), names, None)
    return app(lambda: TableScreen(table))


@pytest.mark.parametrize("game_id", GAMES)
async def test_each_panel_has_a_frame_and_its_title_where_there_is_room(game_id: str) -> None:
    kumite = table_of(game_id, NAMES[: max(GAMES[game_id].SEATS)])
    async with kumite.run_test(size=FRAMED) as pilot:
        await uncovered(pilot)
        await pilot.pause()
        text = frame(kumite)
        rows = text.split("\n")
        for title in ("players", "now", "log"):  # of a duel the words below it name the players
            assert text.count(f"┌─ {title} ─") == (title != "players" or game_id != "kiriai")
        left = next(row for row in rows if "┌─ log ─" in row).index("┌─ log ─")
        assert all(len(row) == FRAMED[0] for row in rows if "─ log ─" in row)
        ends = [row[left] for row in rows[1:] if len(row) > left and row[left] in "┌└"]
        assert "".join(ends) == "┌└" * (len(ends) // 2)  # none without an end, none in another
        for size in BELOW:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert not re.search("─ (players|log) ─", frame(kumite))
        kumite.use(Settings(glyphs="ascii"))
        await pilot.resize_terminal(*FRAMED)
        await pilot.pause()
        assert "+- players -" in frame(kumite)
        assert not set("┌─┐│└┘") & set(frame(kumite))


async def test_a_task_stands_in_the_panel_of_the_facts_and_there_is_no_log() -> None:
    async with running(lambda: LessonScreen("kitsu"), size=FRAMED) as (kumite, pilot):
        await pilot.pause()
        assert "┌─ the task ─" in frame(kumite)
        assert "─ now ─" not in frame(kumite)
        assert "─ log ─" not in frame(kumite)


async def test_in_a_replay_the_values_are_hills_six_rows_high(folder: Path) -> None:
    screen = opened(folder, middle_of("kuzushi", 2, 10))
    kumite, _ = minded(screen)
    async with kumite.run_test(size=FRAMED) as pilot:
        await pilot.pause()
        assert "─ value to" not in frame(kumite)
        await pilot.press("c")
        while not is_done(kumite, screen):
            await pilot.pause(0.05)
        await pilot.pause()
        assert "┌─ value to ada ─" in frame(kumite)
        panel = screen.query_one("#value", Lines)
        rows = [panel.render_line(row).text for row in range(panel.size.height)]
        assert len(rows) == 6
        columns = ["".join(column).strip() for column in zip(*rows, strict=True)]
        heights = {len(column) for column in columns if column}
        assert heights == {2, 3}  # chances of 20 % and of 50 %: the highest row is begun or full
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "─ value to" not in frame(kumite)
        assert screen.query_one("#curve", Lines).display


@pytest.mark.parametrize("game_id", [one for one in GAMES if one != "kiriai"])
async def test_names_in_a_panel_are_whole_where_there_is_room(game_id: str) -> None:
    async with running(table_of(game_id, LONG), size=(160, 50)) as (kumite, pilot):
        await uncovered(pilot)
        await pilot.pause()
        rows = frame(kumite).split("\n")
    players = next(index for index, row in enumerate(rows) if "─ players ─" in row)
    left = rows[players].index("┌─ players")
    panel = [row[left:] for row in rows[players + 1 :]]
    panel = panel[: next(index for index, row in enumerate(panel) if row[0] == "└")]
    for name in LONG:
        assert sum(name in row for row in panel) == 1


async def test_beside_a_duel_names_give_way_and_each_fact_stands_once() -> None:
    async with running(table_of("kiriai", LONG), size=(60, 24)) as (kumite, pilot):
        await uncovered(pilot)
        for size in ((60, 24), (72, 24), (80, 24), (100, 24), (100, 30), (160, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            text = frame(kumite)
            assert text.count("♥") + text.count("♡") == 4
            if size[1] == 24:
                (said,) = [row for row in text.split("\n") if "♥" in row and "distance" in row]
                assert said.count("Heaven") + said.count("Earth") == 2
                assert said.count("♥") + said.count("♡") == 4
                assert all(name[:9] in said for name in LONG)
                continue
            assert len(re.findall(r"istance \d|ound \d+ of", text)) == 2
            assert "wounds" not in text
            below = text[text.index("♥") :].split("\n")[1]
            assert ("can't play" in below) == (size[1] == 50)  # where the cards lie, no words do


async def test_a_tall_window_draws_how_the_score_went_and_a_short_log() -> None:
    match = walk(short_setup("kuzushi", 2), 1, 12)
    for size, has_chart in ((FRAMED, True), (BELOW[0], False)):
        kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
        async with kumite.run_test(size=size) as pilot:
            await pilot.pause()
            cast("TableScreen", kumite.screen).redraw()
            await pilot.pause()
            assert bool(kumite.screen.query_one("#chart").region) == has_chart
            assert not has_chart or kumite.screen.query_one("#log").size.height == 8


def test_a_chart_ends_at_the_last_scores_and_keeps_its_scale() -> None:
    rows = chart([("seat-0", [0, 1, 4]), ("seat-1", [0, 2, 2])], 32, 4)
    inks = [cells_of(row)[5][1] for row in rows]
    assert ["seat-0" in ink for ink in inks] == [False, False, True, False]  # 4 of 8
    assert ["seat-1" in ink for ink in inks] == [False, False, False, True]  # 2 of 8
    assert all("seat" not in cells_of(row)[6][1] for row in rows)  # what is not yet played
