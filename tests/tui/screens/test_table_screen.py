"""The table by keys, without a terminal: choosing, typing, taking back, ending, again."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from random import Random
from typing import IO, Final

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games import GAMES, find
from kumite.core.match import Match
from kumite.store import log_files
from kumite.tui.app import KumiteApp
from kumite.tui.play import table_words
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.board import BoardWidget
from tests.support import kumo_positions
from tests.support.apps import (
    app,
    frame,
    play,
    result,
    running,
    screen_of,
    shown,
    table_app,
    until,
    words,
)
from tests.support.random_matches import walk

# Example E17 of the rules: seat 1 wins on a full board.
FULL_BOARD = ["e4", "g4", "g6", "e6", "f5", "g3+", "h6+", "e7+", "d4+"]


def match_of(app: KumiteApp) -> Match:
    assert isinstance(app.screen, TableScreen)
    return app.screen.table.match


def steps_of(app: KumiteApp) -> list[str]:
    return [played.step for played in match_of(app).steps()]


def the_log() -> Path:
    (path,) = log_files.folder().glob("*.kumite")
    return path


async def test_a_step_is_told_before_it_is_made_logged_and_taken_back() -> None:
    async with running(table_app()) as (kumite, pilot):
        assert shown(kumite, "hint") == "Enter: lay a base on f7  score 0 → 4  +3 flags"
        await pilot.press("up")
        assert shown(kumite, "hint") == "no card lies next to f8"
        await pilot.press("enter")
        assert steps_of(kumite) == []
        await pilot.press("down", "enter")
        assert steps_of(kumite) == ["f7"]
        assert "ada's turn" in shown(kumite, "title")
        assert "1 bob lays f7, new flags e7 g7 f8" in words(kumite, "log")
        assert [played.step for played in log_files.load(the_log()).match.steps()] == ["f7"]
        kumite.screen.query_one(BoardWidget).point("e7")
        await pilot.pause()
        assert "flag on e7 is bob's; only one's own may be" in shown(kumite, "hint")
        await pilot.press("enter")
        assert steps_of(kumite) == ["f7"]
        await pilot.press("n", "enter", "u")
        assert steps_of(kumite) == ["f7"]
        await pilot.press("u", "u")
        assert steps_of(kumite) == []
        assert kumite.screen.check_action("take_back", ()) is False
        assert "\nback 0 ~" in the_log().read_text()
        assert log_files.load(the_log()).match.number == 0


async def test_the_line_below_says_what_a_mark_means() -> None:
    table = LocalTable.begin(Setup.of(find("kitsu"), 2), ("ada", "bob"))
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await pilot.press("colon", *"d5xe4", "enter", *":stop", "enter")
        assert match_of(kumite).number == 2
        board = kumite.screen.query_one(BoardWidget)
        for square, said in (
            ("d5", "you have left here"),
            ("e3", "you have changed what is here"),
            ("d7", "nothing to choose here"),
        ):
            board.point(square)
            await pilot.pause()
            assert shown(kumite, "hint").startswith(f"{said}   n: "), square
        taken = "a Samurai was captured here"
        board.point("e4")
        await pilot.pause()
        assert shown(kumite, "hint") == f"Enter: choose this Samurai   {taken}"
        await pilot.press("colon", *"end", "enter", "enter")
        board.point("e4")
        await pilot.pause()
        assert shown(kumite, "hint").startswith(f"{taken}   n: ")


@pytest.mark.parametrize(
    ("columns", "shows", "lacks"), [(80, "u take back", ": type"), (72, ": type", "u take back")]
)
async def test_where_the_line_of_keys_has_no_room_for_both_a_step_is_taken_back_not_typed(
    columns: int, shows: str, lacks: str
) -> None:
    table = LocalTable.begin(Setup.of(find("kitsu"), 2), ("ada", "bob"))
    async with running(lambda: TableScreen(table), size=(columns, 24)) as (kumite, pilot):
        assert ": type" in shown(kumite, "keys")
        await pilot.press("colon", *"d5xe4", "enter")
        keys = shown(kumite, "keys")
        assert shows in keys
        assert lacks not in keys
        assert keys.endswith("? rules, help   q leave")


async def test_the_cursor_goes_from_choice_to_choice_and_begins_a_turn_on_one() -> None:
    async with running(table_app()) as (kumite, pilot):
        board, seen = kumite.screen.query_one(BoardWidget), []
        for _ in range(5):
            await pilot.press("n")
            seen.append(board.cursor_name)
        assert seen == ["e6", "g6", "f5", "f7", "e6"]
        await pilot.press("N")
        assert board.cursor_name == "f7"
        for _ in range(6):
            assert board.cursor_name in board.targets
            assert shown(kumite, "hint").startswith("Enter: ")
            assert f"next of {len(board.targets)}" in shown(kumite, "keys")
            await pilot.press("enter")
        assert len(steps_of(kumite)) == 6


async def test_where_a_shared_table_opens_the_cursor_is_on_a_piece_that_can_move() -> None:
    match = walk(Setup.of(find("kitsu")), 1, 10)
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with running(kumite):
        board = kumite.screen.query_one(BoardWidget)
        assert board.cursor_name in board.targets


POUNCE: Final = "b5xc6 stop g3xe4"  # the last one may go on over c5 or d6


@pytest.mark.parametrize(
    ("steps", "pointed", "hint"),
    [
        ("c5xd6", "c6", "Enter: send this Samurai to another season, then choose one of 3 squares"),
        (POUNCE, "c5", "Enter: Fox e4 pounces to c5  captures Fox 1/4  crosses: 2 to the hand"),
    ],
)
async def test_after_a_capture_the_cursor_is_on_the_next_one_or_on_a_neighbour_to_send(
    steps: str, pointed: str, hint: str
) -> None:
    """It stood on `stop here`, where Enter threw the chance away to send a neighbour."""
    match = Match.begin(Setup.of(find("kitsu")))
    *earlier, last = steps.split()
    for step in earlier:
        match = match.play(*match.actors, Step(step))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with running(kumite) as (_, pilot):
        await pilot.press("colon", *last, "enter")
        field = screen_of(kumite, TableScreen).field
        assert (field.pointed, shown(kumite, "hint")) == (pointed, hint)
        await pilot.press("enter")
        assert steps_of(kumite)[-1] == (last if pointed == "c6" else f"e4>x{pointed}")


CLIMBED: Final = "+e1=kumo e1-e2 e2-e3 e3-e4 cw ccw cw ccw cw ccw +e1=kumo e1-e2 e2-e3"


@pytest.mark.parametrize(
    ("steps", "pointed", "follows"),
    [
        ("push:e4+e3", "e3", "e5"),
        ("push:e4+e3", "e4", "e5"),
        ("pull:e4+e3", "e3", "e3"),
        ("cw", "e3", "c5"),
        ("e3-f3", "a1", "f3"),
    ],
)
async def test_the_cursor_goes_with_the_piece_that_moved(
    steps: str, pointed: str, follows: str
) -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    for step in CLIMBED.split():
        match = match.play(*match.actors, Step(step))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with running(kumite) as (_, pilot):
        board = kumite.screen.query_one(BoardWidget)
        board.point(pointed)
        await pilot.press("colon", *steps, "enter")
        assert board.cursor_name == follows


async def test_after_a_push_the_same_keys_push_again() -> None:
    """The cursor stayed on the partner, where the lesson has the leader."""
    position = kumo_positions.at("e4 0kumo; e3 0kumo; a9 1run")
    match = Match.begin(Setup.of(find("kumo"), 2), position=position)
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with running(kumite) as (_, pilot):
        board = kumite.screen.query_one(BoardWidget)
        board.point("e4")
        for leader in ("e5", "e6"):
            await pilot.press("enter", "down", "enter", "enter")
            assert (board.has_focus, board.cursor_name) == (True, leader)
        assert steps_of(kumite) == ["push:e4+e3", "push:e5+e4"]


async def test_n_reaches_buttons_as_well_and_comes_round() -> None:
    match = Match.begin(Setup.of(find("kumo"), 2))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, TableScreen)
        count = int(re.findall(r"next of (\d+)", shown(kumite, "keys"))[0])
        seen = []
        for _ in range(count):
            await pilot.press("n")
            field = screen.field
            seen.append((field.tray if field.is_at_tray else field.board).cursor_name)
        assert len(set(seen)) == count
        assert {"cw", "ccw"} <= set(seen)
        await pilot.press("n")
        assert field.board.cursor_name == seen[0]
        await pilot.press("tab")
        assert field.is_at_tray
        await pilot.press("escape")  # back to the board: Enter must not choose a button unseen
        assert not field.is_at_tray
        assert "leaves the table" not in shown(kumite, "hint")
        await pilot.press("escape")
        assert "leaves the table" in shown(kumite, "hint")


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_n_reaches_all_that_it_counts(game_id: str, size: tuple[int, int]) -> None:
    """Squares, cards and buttons, also of a part after the first."""
    for seats in GAMES[game_id].SEATS[:2]:
        line = walk(Setup.of(find(game_id), seats), 7).line()
        begun = [one for one in line if one.actors and "*" not in one.actors]
        for match in Random(game_id).sample(begun, min(3, len(begun))):
            names = ["bot:easy"] * seats
            names[int(match.actors[0])] = "ada"
            kumite = app(
                lambda match=match, names=names: TableScreen(LocalTable(match, names, None))
            )
            async with kumite.run_test(size=size) as pilot:
                screen = screen_of(kumite, TableScreen)
                while len(screen.model.targets) > 1:
                    targets, found = screen.model.targets, []
                    assert f"next of {len(targets)}" in shown(kumite, "keys")
                    for _ in targets:
                        await pilot.press("n")
                        found.append(screen.field.pointed)
                    assert set(found) == targets
                    parts = [one for one in found if not screen.model.choice.step_at(one)]
                    if not parts:
                        break
                    screen.field.point(parts[0])
                    await pilot.press("enter")


async def test_steps_are_typed_completed_and_refused_with_a_reason() -> None:
    async with running(table_app()) as (kumite, pilot):
        for step in ("F7", "e6", "g7"):  # a flip needs no plus, but is logged with it
            await pilot.press("colon", *step, "enter")
        assert steps_of(kumite) == ["f7", "e6", "g7+"]
        await pilot.press("u", "u", "u", "colon", "g", "tab", "enter")
        assert steps_of(kumite) == ["g6"]
        await pilot.press("colon", "d", "6", "enter")
        assert "no card lies next to d6" in shown(kumite, "hint")
        await pilot.press("colon", "escape")
        assert steps_of(kumite) == ["g6"]
        assert "lists how" not in shown(kumite, "hint")  # there is nothing to be written
        await pilot.press("escape", "u", "colon", *"f7 d6 g6", "enter")
        assert steps_of(kumite) == ["f7"]  # what stands behind a refused step is not made
        assert "no card lies next to d6" in shown(kumite, "hint")
        assert "Step: d6 g6_" in frame(kumite)  # to be mended, not written anew
        await pilot.press("ctrl+u", *"g6 e6", "enter")
        assert steps_of(kumite) == ["f7", "g6", "e6"]


async def test_the_end_says_who_won_and_why_and_m_plays_again_with_seats_changed() -> None:
    async with running(table_app(board="small")) as (kumite, pilot):
        for step in FULL_BOARD:
            await pilot.press("colon", *step, "enter")
        assert "the end" in shown(kumite, "title")
        assert "▶ ■ bob" in result(kumite)
        assert "The board is full;" in result(kumite)  # the winner's picture stands beside it
        assert "most cards on the" in result(kumite)
        await pilot.press("m")
        assert "ada, who has lost" in frame(kumite)
        await pilot.press("down", "enter")
        assert screen_of(kumite, TableScreen).table.names == ("bob", "ada")
        assert steps_of(kumite) == []
    assert log_files.load(the_log()).end.reason == "full"  # no step was made since


async def test_escape_tells_what_is_kept_and_leaving_goes_home_which_offers_to_go_on() -> None:
    async with running(table_app()) as (kumite, pilot):
        kumite.opening = None  # no command opened the table
        await pilot.press("escape")
        assert "nobody has made a step, so nothing is kept" in shown(kumite, "hint")
        await pilot.press("enter", "escape")
        assert isinstance(kumite.screen, TableScreen)  # escape is never destructive
        assert "the match is saved" in shown(kumite, "hint")
        await pilot.press("r", "q")
        assert "the match is saved" not in shown(kumite, "hint")
        await pilot.press("q")
        assert isinstance(kumite.screen, HomeScreen)
        assert "> c continue   Kuzushi: ada and bob, 1 step, just now" in frame(kumite)
        await pilot.press("enter")
        assert steps_of(kumite) == ["f7"]
        await pilot.press("n", "enter")
        assert len(steps_of(kumite)) == 2


async def test_a_bot_answers() -> None:
    async with running(table_app(seats="ada,bot:simple")) as (kumite, pilot):
        await until(pilot, lambda: match_of(kumite).number == 1, "it does not answer")
        assert match_of(kumite).actors == (Seat(0),)
        await pilot.press("n", "enter", "u", "u")  # it is asked whether it may cost the rating
        assert match_of(kumite).number == 1  # back to the choice of a person, not of the bot


async def test_giving_up_asks_is_in_the_log_and_leaves_nothing_to_take_back() -> None:
    async with running(table_app()) as (kumite, pilot):
        await pilot.press("g", "enter")
        assert "bob's turn" in shown(kumite, "title")
        await pilot.press("g", "down", "enter")
        assert "bob gave up" in result(kumite)
        assert shown(kumite, "hint") == ""  # the keys stand once, in the line below
        assert "rematch" in shown(kumite, "keys")
        assert "take back" not in shown(kumite, "keys")
    log = log_files.load(the_log())
    assert (log.end.kind, log.end.seats) == ("resigned", (Seat(1),))


async def test_the_marks_of_ones_own_turn_are_not_those_of_the_last() -> None:
    table = LocalTable.begin(Setup.of(find("kitsu")), ("ada", "bob"))
    match = table.match
    table.play(match.actors[0], match.legal(match.actors[0])[0])
    assert table.match.actors == match.actors  # the turn continues
    async with running(lambda: TableScreen(table)) as (kumite, _):
        screen = screen_of(kumite, TableScreen)
        cells = (cell.name for row in screen.model.scene.board.rows for cell in row)
        said = {str(table_words.hover(screen.model, name)) for name in cells}
        assert not [one for one in said if "last turn" in one]
        assert [one for one in said if "you have left here" in one]


async def test_mouse_clicks_choose() -> None:
    async with running(table_app()) as (kumite, pilot):
        await pilot.press("up")
        await pilot.click(BoardWidget, offset=(1 + 3 + 2 * 8 + 1, 5))  # f7
        assert kumite.screen.query_one(BoardWidget).cursor_name == "f7"
        await pilot.click(BoardWidget, offset=(1 + 3 + 2 * 8 + 1, 5))
        assert steps_of(kumite) == ["f7"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
async def test_the_whole_board_and_every_player_fit(seats: int) -> None:
    names = ",".join(f"player {n}" for n in range(seats))
    async with running(table_app(seats=names)) as (kumite, pilot):
        await pilot.press("n", "enter")
        screen, sizes = screen_of(kumite, TableScreen), []
        board = screen.query_one(BoardWidget)
        for size in ((80, 24), (120, 40), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            shown_frame = frame(kumite)
            sizes.append(board.size)
            files = [label for label, _ in screen.model.scene.board.columns]
            lines = shown_frame.split("\n")
            assert any(line.split()[: len(files)] == files for line in lines)
            assert all(re.search(rf"player {n}\b", shown_frame) for n in range(seats))
            assert board.size.width == board.get_content_width(kumite.size, kumite.size)
            assert board.size.height == board.get_content_height(kumite.size, kumite.size, 0)
            assert max(map(len, lines)) <= size[0]
        small, large, again = sizes
        assert again == small
        assert large.width > small.width
        assert large.height > small.height


async def test_the_cursor_goes_to_a_choice_when_another_part_of_the_board_is_shown() -> None:
    async with running(table_app()) as (kumite, pilot):
        board, screen = kumite.screen.query_one(BoardWidget), kumite.screen
        assert isinstance(screen, TableScreen)
        places = {board.place("f7")}
        for step in ("f7", "e6", "f8+", "d6+", "f9+", "c6+"):
            board.point("f7")
            play(screen, Step(step))
            await pilot.pause()
            assert board.cursor_name in board.targets
            places.add(board.place("f7"))
        assert len(places) > 1, "nothing has moved"
        assert "a1" not in {cell.name for row in screen.model.scene.board.rows for cell in row}


async def test_a_step_of_the_match_never_leaves_the_screen_behind() -> None:
    async with running(table_app(seats="a,b,c")) as (kumite, pilot):
        for number in range(1, 9):
            await pilot.press("n", "enter")
            match = match_of(kumite)
            assert match.number == number
            text = frame(kumite)
            for seat, name in enumerate("abc"):
                said = re.search(rf"  {name}(?: \(you\))?\n.*? score +(\d+)", text)
                assert int(said[1]) == match.state.score(seat)


class FullDisk:
    """A file on a disk that is full: it keeps what is written for later, and says so."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


async def test_what_finds_the_disk_full_is_told_and_not_done_and_can_be_done_later() -> None:
    async with running(table_app(glyphs="ascii"), size=(160, 50)) as (kumite, pilot):
        screen = screen_of(kumite, TableScreen)
        assert isinstance(screen.table, LocalTable)
        log = screen.table.file
        assert log is not None
        for keys in (["colon", *"f7", "enter"], ["u"], ["g", "down", "enter"]):
            file, seat, before = log._file, screen.model.seat, screen.table.match
            log._file = FullDisk(file)
            await pilot.press(*keys)
            assert "No space left" in frame(kumite)
            assert screen.table.match == before
            assert screen.table.end is None
            assert screen.model.seat == seat
            log._file = file
            await pilot.press(*(["enter"] if "colon" in keys else keys))
            assert screen.table.match != before or screen.table.end
        assert screen.table.match.number == 0
        assert screen.table.end is not None
        path = log.path
    found = log_files.load(path)
    assert found.damage is None
    assert found.match.digest == screen.table.match.digest
    assert found.end == screen.table.end


@pytest.mark.parametrize("is_over_ssh", [False, True])
async def test_the_board_shows_what_a_step_would_change_but_not_over_ssh(
    is_over_ssh: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_over_ssh:
        monkeypatch.setenv("SSH_CONNECTION", "192.0.2.1 40000 192.0.2.2 22")
    table = LocalTable.begin(Setup.of(find("kuzushi")), ("ada", "bob"))
    async with running(lambda: TableScreen(table), size=(120, 36)) as (kumite, pilot):
        await pilot.press("n")
        screen = screen_of(kumite, TableScreen)
        assert screen.field.pointed in screen.model.choice.targets
        assert bool(screen.field.board.ghosts) != is_over_ssh


async def test_below_a_question_stand_the_keys_that_answer_it() -> None:
    async with running(table_app()) as (kumite, pilot):
        below = shown(kumite, "keys")
        await pilot.press("g")
        await pilot.pause()
        assert frame(kumite).split("\n")[-1] == " ↑ ↓ move   Enter choose   Esc back"
        await pilot.press("escape")
        await pilot.pause()
        assert shown(kumite, "keys") == below


async def test_the_key_of_the_prompt_begins_a_refused_line_anew() -> None:
    """After a refused `a1` it was `a1:c2` that was no step, which nobody had typed."""
    async with running(table_app()) as (kumite, pilot):
        await pilot.press("colon", *"z99", "enter")
        assert "Step: z99_" in frame(kumite)
        await pilot.press("colon", *"f7", "enter")
        assert steps_of(kumite) == ["f7"]
        await pilot.press("colon", *"f7:", "enter")
        assert "f7: is no square" in shown(kumite, "hint")  # within a line it is a sign like others


@pytest.mark.parametrize("keys", [["enter"], ["colon", "c", "5", "enter"]])
async def test_after_a_piece_is_chosen_the_cursor_stands_on_it(keys: list[str]) -> None:
    """After typing it stood beside, on a square where the piece would capture its own Fox."""
    match = Match.begin(Setup.of(find("kitsu")))
    kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bot:1"), None)))
    async with running(kumite) as (_, pilot):
        board = kumite.screen.query_one(BoardWidget)
        board.point("c5" if keys == ["enter"] else "d5")
        await pilot.press(*keys)
        assert board.cursor_name == "c5"
        assert shown(kumite, "hint").startswith("Samurai c5 is chosen: choose one of 6 squares")
        await pilot.press("n")
        assert board.cursor_name == "b4"
