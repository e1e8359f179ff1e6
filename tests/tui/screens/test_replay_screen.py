"""The replay screen: any eyes, parts and turning points, remarks, branches, speed and direction."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.errors import KumiteError
from kumite.core.game import CHANCE, SPECTATOR, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, Writer, log_text, read, sharing, step_text
from kumite.core.match import Match
from kumite.core.origins import origin
from kumite.core.remarks import remarks
from kumite.store import log_files
from kumite.tui.drawing.places import FRAMED
from kumite.tui.drawing.tabletop import is_laid, tabletop_rows
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.tallies import colors_of
from kumite.tui.screens.dialog import Dialog
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.saved import SavedScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.chart import Chart
from kumite.tui.widgets.field import Tabletop
from kumite.tui.widgets.lines import Lines
from tests.support.apps import (
    frame,
    running,
    screen_of,
    settled,
    shown,
    told_in_log,
    until,
    words,
)
from tests.support.fake_player import TABLES
from tests.support.random_matches import short_setup, walk
from tests.support.spread import spread

NAMES = ("ada", "bob", "cyd", "dan", "eve", "fay")


def saved(match: Match, name: str = "x", **more: object) -> Path:
    header = Header("ab12", match.setup, NAMES[: match.setup.seats], **more)
    path = log_files.folder() / f"{name}.kumite"
    path.write_text(log_text(header, match), encoding="utf-8")
    return path


def opened(path: Path) -> ReplayScreen:
    return ReplayScreen(log_files.load(path), path)


def a_match(game_id: str, seats: int | None = None, seed: int = 3) -> Match:
    return walk(Setup.of(GAMES[game_id], seats), seed)


@pytest.mark.parametrize(
    ("game_id", "seats", "size"), spread(TABLES, ((60, 20), (80, 24), (120, 40)))
)
async def test_every_match_fits_and_shows_its_course(
    game_id: str, seats: int, size: tuple[int, int]
) -> None:
    screen = opened(saved(a_match(game_id, seats)))
    async with running(lambda: screen, size=size) as (kumite, pilot):
        for keys in (["t"], ["end", "enter"], ["pageup"], ["up"]):
            await pilot.press(*keys)
            lines = frame(kumite).split("\n")
            scene = screen.replay.scene(screen.at, LETTERS)
            drawn = scene.picture
            if is_laid(scene, kumite.brush):
                top = screen.query_one(Tabletop).size
                drawn = tabletop_rows(
                    told_in_log(kumite, scene), kumite.brush, top.width, top.height
                )
            if screen.query_one(BoardWidget).has_edges:  # they say it, part by part
                drawn = tuple((span,) for line in drawn for span in line)
            for line in drawn:
                said = " ".join(plain(line).split())[:40].strip()
                assert said in words(kumite)
            course = "".join((lines[0], *lines[-4:-1]))
            assert LETTERS.solid[0] in course
            assert f"step {screen.at} of {screen.replay.last}" in lines[0]
            assert lines[-1].lstrip().startswith("→ forward")
            assert all(widget.region.bottom <= size[1] for widget in screen.query("*"))


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
async def test_in_a_large_window_the_board_is_as_large_as_at_a_table(game_id: str) -> None:
    match = walk(short_setup(game_id, 2), 3, 12)
    replay, table = opened(saved(match)), TableScreen(LocalTable(match, NAMES[:2], None))
    sizes = []
    for screen in (table, replay):
        async with running(lambda screen=screen: screen, size=(120, 36)) as (_, pilot):
            if screen is replay:
                await pilot.press("end")
            for window in ((120, 36), (160, 50), (220, 60)):
                await pilot.resize_terminal(*window)
                await pilot.pause()
                board = screen.query_one(BoardWidget)
                sizes.append((window, board.square_size))
    assert sizes[:3] == sizes[3:]


@pytest.mark.parametrize("game_id", GAMES)
async def test_a_large_window_has_the_panels_of_a_table_up_to_the_step_shown(game_id: str) -> None:
    screen = opened(saved(walk(short_setup(game_id, 2), 1, 40)))
    async with running(lambda: screen, size=FRAMED) as (kumite, pilot):
        for window, rows in ((FRAMED, 3), ((160, 50), 8)):
            await pilot.resize_terminal(*window)
            for number in (screen.replay.last - 1, screen.replay.last // 2):
                screen.action_to(number)
                await settled(screen)
                panel, log = screen.query_one(Chart), screen.query_one("#log", Lines)
                assert panel.border_title == screen.replay.makes.COURSE
                assert f"step {number}" in shown(kumite, "chart")
                assert rows <= log.size.height <= 8
                told = screen.replay.told[number].split()
                assert not told or " ".join(told) in words(kumite, "log")
                assert panel.region.bottom <= log.region.y
        await pilot.resize_terminal(80, 24)
        assert not screen.query_one(Chart).region


@pytest.mark.parametrize(("game_id", "seats"), [("kumo", 4), ("kitsune", 6), ("kuzushi", 5)])
async def test_steps_and_talk_have_the_colours_of_the_seats(
    game_id: str, seats: int, tmp_path: Path
) -> None:
    match = walk(short_setup(game_id, seats), 3)
    writer = Writer()
    text = writer.header(Header("ab12", match.setup, NAMES[:seats]))
    lines = [*map(step_text, match.line()[1:]), *(f"say {seat} well" for seat in range(seats))]
    path = tmp_path / "x.kumite"
    path.write_text(text + writer.lines(*lines), encoding="utf-8")
    screen, colors = opened(path), colors_of(match)
    async with running(lambda: screen, size=(120, 40)) as (_, pilot):
        await pilot.press("end", "enter")  # puts the card of the end aside
        await pilot.pause()
        lines = screen.query_one("#log", Lines)._lines
        screen.action_to(screen.at - seats)  # one of each before those
        both = (*lines, *screen.query_one("#log", Lines)._lines)
        heads = {line[0] for line in both if line[0][0].strip(" ▶").isdecimal()}
        assert len(heads) > seats
        for number, role in heads:
            last = screen.replay.line[int(number.strip(" ▶"))].last
            actor = last.actor
            assert role == ("quiet" if actor == CHANCE else f"seat-{colors[Seat(int(actor))]}/")
        said = [role for line in lines for text, role in line if text.startswith("> ")]
        assert said == [f"flag-{colors[seat]}" for seat in range(seats)]


async def test_squares_have_the_names_that_they_have_on_the_board_shown() -> None:
    match = Match.begin(Setup.of(GAMES["kumo"], 2))
    for step in ("+e1=run", "cw", "+d1=kumo", "cw"):
        match = match.play(Seat(0), Step(step))
    screen = opened(saved(match))
    async with running(lambda: screen, size=(120, 40)) as (kumite, pilot):
        for placed in ("e1", "a5", "a5", "e9"):
            await pilot.press("right")
            await pilot.pause()
            assert f"1 ada places a runner on {placed}" in words(kumite, "log")


async def test_the_log_is_full_again_once_the_end_is_left() -> None:
    screen = opened(saved(walk(short_setup("kuzushi", 2), 3)))
    async with running(lambda: screen, size=(120, 40)) as (kumite, pilot):
        await pilot.press("end", "left")
        await until(pilot, lambda: shown(kumite, "log").count("\n") > 5, "the log")


async def test_parts_and_turning_points_are_gone_to() -> None:
    screen = opened(saved(a_match("kitsune")))
    course = screen.replay.course
    async with running(lambda: screen) as (kumite, pilot):
        for keys, at in (
            (("down",), course.next_end(0, 1, 1)),
            (("home", "pagedown"), course.next_end(0, 2, 1)),
            (("home", "right_curly_bracket"), course.next_end(0, 3, 1)),
            (("end", "left_curly_bracket"), course.next_end(screen.replay.last, 3, -1)),
            (("home", "t"), course.next_event(0, 1)),
            (("end", "T"), course.next_event(screen.replay.last, -1)),
        ):
            await pilot.press(*keys)
            assert screen.at == at, keys
        event = course.events[screen.at]
        assert event
        assert f"  {event}" in shown(kumite, "title")
        await pilot.press("home", "T")
        assert "no turning point before" in shown(kumite, "hint")
        assert screen.at == 0


async def test_each_pair_of_eyes_sees_what_it_may() -> None:
    match = a_match("kiriai")
    screen = opened(saved(match))
    async with running(lambda: screen) as (kumite, pilot):
        choice = next(n for n, one in enumerate(match.steps(), start=1) if one.actor == 0)
        await pilot.press("g", *str(choice), "enter")
        open_text = shown(kumite, "hint")
        assert "plans in secret" not in open_text
        for said, is_hidden in (
            ("as ada", False), ("as bob", True), ("as a spectator", True), ("all open", False),
        ):  # fmt: skip
            await pilot.press("e")
            assert said in shown(kumite, "title")
            assert ("in secret" in shown(kumite, "hint")) == is_hidden
        assert shown(kumite, "hint") == open_text
        assert screen.at == choice


async def test_a_lan_log_is_seen_as_its_owner_or_a_spectator() -> None:
    by = frozenset({Seat(1)})
    screen = opened(saved(a_match("kiriai").seen_by(by), by=by))
    async with running(lambda: screen) as (kumite, pilot):
        for said in ("as bob", "as a spectator", "as bob"):
            assert said in shown(kumite, "title")
            await pilot.press("e")


async def test_a_remark_is_written_shown_changed_and_taken_away() -> None:
    path = saved(a_match("kuzushi"))
    before = path.read_bytes()
    screen = opened(path)
    async with running(lambda: screen) as (kumite, pilot):
        await pilot.press("e")
        assert "nothing is hidden in this game" in shown(kumite, "hint")
        await pilot.press("right", "right", "w", *"q: slip", "enter")
        assert remarks(log_files.load(path).entries) == {2: "q: slip"}
        assert shown(kumite, "hint").endswith("! q: slip")
        assert "!" in shown(kumite, "log")
        await pilot.press("right")
        assert "!" in shown(kumite, "course")
        assert "slip" not in shown(kumite, "hint")
        await pilot.press("left", "w", "s", "enter")
        assert remarks(log_files.load(path).entries) == {2: "q: slips"}
        await pilot.press("w", "x", "escape")
        assert remarks(log_files.load(path).entries) == {2: "q: slips"}
        await pilot.press("w", "ctrl+u", "enter")
        assert remarks(log_files.load(path).entries) == {}
        assert path.read_bytes().startswith(before)


async def test_a_remark_that_cannot_be_written_says_why() -> None:
    path = saved(a_match("kuzushi"))
    screen = opened(path)
    async with running(lambda: screen, size=(120, 40)) as (kumite, pilot):
        path.write_bytes(path.read_bytes()[:-4])
        await pilot.press("w", "x", "enter")
        assert "damaged" in shown(kumite, "hint")
        assert "kumite log repair" in shown(kumite, "hint")
    loose = ReplayScreen(
        read(log_text(Header("ab", Setup.of(GAMES["kuzushi"])), a_match("kuzushi")))
    )
    async with running(lambda: loose) as (kumite, pilot):
        await pilot.press("w")
        assert "in no file" in shown(kumite, "hint")


async def test_people_go_on_from_any_position_in_a_log_of_its_own(tmp_path: Path) -> None:
    path = saved(a_match("kuzushi"))
    before = path.read_bytes()
    screen = opened(path)
    async with running(lambda: screen) as (kumite, pilot):
        await pilot.press("right", "right", "right", "b")
        assert isinstance(kumite.screen, Dialog)
        await pilot.press("up", "enter")  # not now
        assert kumite.screen is screen
        await pilot.press("b", "enter")
        table = screen_of(kumite, TableScreen).table
        assert table.match.digest == screen.replay.line[3].digest
        assert table.names == ("ada", "bob")
        await pilot.press("q")
    assert path.read_bytes() == before
    (other,) = (one for one in tmp_path.glob("*.kumite") if one != path)
    assert origin(log_files.load(other).header) == ("ab12", 3)


async def test_one_goes_on_against_a_bot_that_takes_the_other_seat() -> None:
    screen = opened(saved(a_match("kitsu")))
    async with running(lambda: screen) as (kumite, pilot):
        await pilot.press("right", "b", "down", "down", "enter")
        assert screen_of(kumite, TableScreen).table.names == ("bot:medium", "bob")


async def test_nobody_goes_on_where_a_log_hides_something_or_the_match_is_over(
    tmp_path: Path,
) -> None:
    match = a_match("kiriai")
    hidden = opened(saved(match.seen_by(SPECTATOR), by=SPECTATOR))
    over = opened(saved(match, "y"))
    for screen, said in ((hidden, "hides something"), (over, "the match ends there")):
        async with running(lambda screen=screen: screen, size=(120, 40)) as (kumite, pilot):
            await pilot.press("end", "b", "enter")
            assert kumite.screen is screen
            assert said in shown(kumite, "hint")
    assert len(list(tmp_path.glob("*.kumite"))) == 2


async def test_it_plays_backwards_and_stops_at_the_start() -> None:
    screen = opened(saved(a_match("kuzushi")))
    async with running(lambda: screen) as (kumite, pilot):
        await pilot.press("g", "3", "enter", "minus", "minus", "v")  # slow: it is seen to play
        assert "playing back" in shown(kumite, "title")
        await pilot.press(*["plus"] * 5)
        await until(pilot, lambda: screen.at == 0, "the start")
        await until(pilot, lambda: "playing" not in shown(kumite, "title"), "that it stops")
        await pilot.press(*["minus"] * 5, "space")  # from the end then, and slowly
        assert screen.at >= screen.replay.last - 1
        await pilot.press("v")
        assert "playing back" not in shown(kumite, "title")


def test_a_branch_has_a_name_for_each_seat(tmp_path: Path) -> None:
    log = log_files.load(saved(a_match("kuzushi")))
    with pytest.raises(KumiteError, match="3 names for 2 seats"):
        LocalTable.branch(log, 1, ("a", "b", "c"))
    table = LocalTable.branch(log, 1, ("eve", "bot:random"))
    table.close()
    assert table.names == ("eve", "bot:random")
    assert len(list(tmp_path.glob("*.kumite"))) == 2


# --- The list ---------------------------------------------------------------------------------


async def test_a_search_narrows_the_list_as_one_types(tmp_path: Path) -> None:
    saved(a_match("kuzushi"), "2026-01-01-120000-a")
    saved(a_match("kumo").back(3), "2026-01-02-120000-b")
    (tmp_path / "c.kumite").write_text("dear ada\n")
    async with running(SavedScreen) as (kumite, pilot):
        text = frame(kumite)
        assert text.index("Not finished") < text.index("Kumo Hogosha") < text.index("Finished")
        assert "1 cannot be read" in text
        await pilot.press("slash", *"kuz")
        assert "Kumo" not in frame(kumite)
        assert "1 found" in frame(kumite)
        await pilot.press("enter", "enter")
        assert isinstance(kumite.screen, ReplayScreen)
        await pilot.press("q")
        assert "Search             kuz" in frame(kumite)
        await pilot.press("escape")
        assert "Kumo" in frame(kumite)
        await pilot.press("slash", *"zzz")
        assert "Saved matches   nothing found" in frame(kumite)
        await pilot.press("g")  # a letter now
        assert "zzzg" in frame(kumite)
        await pilot.press(*["escape"] * 3)  # ends typing, the search, the list
        assert kumite._exit


async def test_a_finished_match_is_replayed_and_another_one_continued_or_replayed() -> None:
    saved(a_match("kuzushi"), "2026-01-01-120000-a")
    saved(a_match("kumo").back(3), "2026-01-02-120000-b")
    async with running(SavedScreen) as (kumite, pilot):
        assert "ada – bob" in frame(kumite)
        assert "ada – bob    to be continued" in frame(kumite)
        assert "  3 steps  " in shown(kumite, "hint")  # the picture takes the room of lengths
        await pilot.press("p")
        assert "step 3 of 3" in frame(kumite)
        await pilot.press("home")
        assert "step 0 of 3" in frame(kumite)
        await pilot.press("q", "enter")
        assert screen_of(kumite, TableScreen).table.match.number == 3
        await pilot.press("q", "down", "enter")
        assert "step 0 of" in frame(kumite)
        assert "Kuzushi" in frame(kumite)


async def test_many_new_logs_are_opened_while_the_list_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.tui.screens.saved.AT_ONCE", 2)
    for number in range(9):
        saved(a_match("kuzushi"), f"2026-01-0{number + 1}-120000-a")
    async with running(SavedScreen) as (kumite, pilot):
        await until(pilot, lambda: "2026-01-01" in frame(kumite), "the oldest one")
        assert "opening" not in frame(kumite)
    assert (tmp_path / "index.json").exists()


async def test_x_copies_the_match_up_to_here_as_a_line(copied: list[str]) -> None:
    match = a_match("kuzushi")
    async with running(lambda: opened(saved(match))) as (kumite, pilot):
        for at, number in (("home", 0), ("end", match.number)):
            await pilot.press(at, "x")
            assert "Copied. If nothing can be pasted, mark this line" in words(kumite)
            assert "`kumite open` opens it" in words(kumite)
            assert sharing.opened(copied.pop()).match.digest == match.back(number).digest
            await pilot.press("q")


async def test_x_copies_no_cards_of_a_match_that_goes_on(copied: list[str]) -> None:
    screen = opened(saved(a_match("kiriai").back(8)))
    async with running(lambda: screen) as (kumite, pilot):
        await pilot.press("end", "x")
        assert copied == []
        assert "secret" in shown(kumite, "hint")
        while "as a spectator" not in screen.replay.eyes.said:
            await pilot.press("e")
        await pilot.press("end", "x")
        assert sharing.opened(copied[0]).header.by == frozenset()


async def test_a_saved_match_is_deleted_and_brought_back(tmp_path: Path) -> None:
    path = saved(a_match("kuzushi"), "2026-01-01-120000-a")
    async with running(SavedScreen) as (kumite, pilot):
        await until(pilot, lambda: "Kuzushi" in frame(kumite), "the list")
        assert "undo" not in shown(kumite, "keys")
        await pilot.press("d")
        await pilot.pause()
        assert not path.exists()
        assert "Kuzushi" not in frame(kumite)
        assert "Deleted: u brings it back" in frame(kumite)
        await pilot.press("u")
        await pilot.pause()
        assert path.exists()
        assert "Kuzushi" in frame(kumite)
        await pilot.press("u", "d")  # nothing is left to be undone
        assert not path.exists()
    async with running(SavedScreen) as (kumite, pilot):  # later, and in another program
        assert "undo" in shown(kumite, "keys")
        await pilot.press("u")
        await until(pilot, lambda: "Kuzushi" in frame(kumite), "the list")
        await pilot.press("d")
        log_files.empty_bin()  # as by another program
        await pilot.press("u")
        assert "nothing deleted is left" in shown(kumite, "hint")
        saved(a_match("kuzushi"), "2026-01-01-120000-a")
        await pilot.press("q")
    log_files.discard(path)
    assert "1 match deleted for good" in CliRunner().invoke(main, ["log", "empty"]).output
    assert not [*tmp_path.rglob("*.kumite")]


async def test_back_and_leave_are_two_words() -> None:
    screen = opened(saved(a_match("kuzushi")))
    async with running(lambda: screen) as (kumite, pilot):
        await pilot.press("right")
        assert "← back" in shown(kumite, "keys")
        assert "q leave" in shown(kumite, "keys")
