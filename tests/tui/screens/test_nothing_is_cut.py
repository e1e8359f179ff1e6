"""In every size, with the longest names: no line is cut off by its widget, boards fill their room.

What a scene itself shortens ends with a sign that says so; what a widget cuts, nobody would know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.drawing import grid
from kumite.tui.drawing.places import PADDING, beside_board
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import Line, line_width, plain
from kumite.tui.screens.base import fits
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.chooser import Chooser
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.painted import Painted
from tests.support.apps import frame, running, screen_of, uncovered, until
from tests.support.frames import middle_of
from tests.support.random_matches import walk
from tests.support.spread import spread
from tests.tui.screens.test_screens import SCREENS

if TYPE_CHECKING:
    from textual.pilot import Pilot
    from textual.screen import Screen
    from textual.strip import Strip


SIZES = [(60, 20), (72, 22), (80, 23), (80, 24), (100, 30), (120, 36), (160, 50), (220, 60)]
NAMES = tuple(f"Wolfgang Amadeus Mozart {n}"[-24:] for n in range(1, 7))  # as long as they may be
TABLES = [(game_id, seats) for game_id, game in GAMES.items() for seats in game.SEATS]
FULL = 0.85  # of the rows between title and hint that a board fills at least
AROUND = 3  # rows: title, hint, keys

FULL_TABLES = [(game_id, max(game.SEATS)) for game_id, game in GAMES.items()]


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return what widgets have cut off since they were drawn last, by their ids."""
    found: dict[str, str] = {}
    whole = Painted.strip

    def strip(self: Painted, line: Line) -> Strip:
        text = plain(line).rstrip()
        if line_width(((text, ""),)) > self.size.width > 0:
            found[str(self.id)] = f"{self.size.width} columns for {text!r}"
        return whole(self, line)

    monkeypatch.setattr(Painted, "strip", strip)
    return found


def lower_than_they_should_be(screen: Screen[None]) -> dict[str, str]:
    """Return the panels that lack rows for what they say."""
    found = {}
    for lines in screen.query(Lines):
        if lines.id not in ("seats", "facts", "title") or not lines.is_on_screen:
            continue
        size = lines.size
        needed = lines.get_content_height(None, None, size.width)
        if size.height < needed and size.height:
            found[str(lines.id)] = f"{size.height} rows for {needed}"
    return found


async def look_around(pilot: Pilot[None]) -> None:
    """Go to some choices, make one: so that what is said of them is seen."""
    await pilot.pause()
    for key in ("enter", "n", "n", "enter", "n", "tab", "right"):
        await pilot.press(key)
        await pilot.pause()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "seats", "size", "glyphs"),
    spread(FULL_TABLES, SIZES, ("letters", "ascii"), each=4),
)
async def test_of_a_table_no_line_is_cut_off_and_all_that_can_be_chosen_is_there(
    game_id: str, seats: int, size: tuple[int, int], glyphs: str, cut: dict[str, str]
) -> None:
    """Also of a hand in words, which stands below all that is said of a table without pictures."""
    match = middle_of(game_id, seats, 30 if size in SIZES[::3] else 12)
    table = LocalTable(match, NAMES[:seats], None)
    async with running(lambda: TableScreen(table), glyphs=glyphs, size=size) as (kumite, pilot):
        await pilot.pause()
        cut.clear()  # what was drawn before it was known how large the window is
        await uncovered(pilot)
        if match.actors:
            await until(pilot, lambda: isinstance(kumite.focused, Chooser), "something to choose")
        await pilot.pause()
        for chooser in kumite.screen.query(Chooser):
            if not (chooser.display and match.actors):
                continue
            needed = chooser.get_content_height(kumite.size, kumite.size, chooser.size.width)
            assert chooser.size.height >= needed > 0
            assert kumite.screen.query_one("#middle").region.contains_region(chooser.region)
        await look_around(pilot)
        assert not lower_than_they_should_be(kumite.screen)
        board = kumite.screen.query_one(BoardWidget)
        if board.display:
            assert board.size.width >= board.get_content_width(size, size)  # type: ignore[arg-type]
            assert board.size.height >= board.get_content_height(size, size, 0)  # type: ignore[arg-type]
    assert not cut


@pytest.mark.parametrize("size", SIZES[3::3], ids=str)  # a replay needs 80x24
@pytest.mark.parametrize("game_id", GAMES)
async def test_no_line_of_a_replay_is_cut_off(
    game_id: str, size: tuple[int, int], cut: dict[str, str]
) -> None:
    seats = max(GAMES[game_id].SEATS)
    setup = Setup.of(find(game_id), seats)
    log = read(log_text(Header("ab", setup, NAMES[:seats]), walk(setup, 1)))
    async with running(lambda: ReplayScreen(log), size=size) as (kumite, pilot):
        assert fits(ReplayScreen.SMALLEST, kumite.size)
        await pilot.pause()
        cut.clear()
        for key in ("right", "down", "down", "t", "end", "left"):
            await pilot.press(key)
            await pilot.pause()
            assert not lower_than_they_should_be(kumite.screen)
    assert not cut


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size"),
    spread([name for name in SCREENS if not name.startswith("table")], SIZES[::3]),
)
async def test_no_line_of_a_screen_is_cut_off(
    name: str, size: tuple[int, int], cut: dict[str, str]
) -> None:
    async with running(SCREENS[name], size=size) as (kumite, pilot):
        await pilot.pause()
        cut.clear()
        kumite.screen.refresh(repaint=True, layout=True)
        for widget in kumite.screen.query(Painted):
            widget.refresh()
        await pilot.pause()
        await pilot.press("down", "f1")
        await pilot.pause()
    assert not cut


@pytest.mark.parametrize(
    ("game_id", "seats"), [one for one in TABLES if one[0] in ("kitsu", "kumo", "kuzushi")]
)
def test_a_board_fills_the_rows_that_there_are(game_id: str, seats: int) -> None:
    for steps in (0, 30, 60):
        match = middle_of(game_id, seats, steps)
        board = scenes.maker(match).scene(match.state, NAMES[:seats], LETTERS, None, ()).board
        for columns, height in SIZES[3:]:
            rows = height - AROUND
            field = beside_board(board, columns, rows).field
            filled = grid.fitting(board, field.width - PADDING, rows).rows(board)
            ranks = len(board.rows)
            # Eleven ranks, while a board for six is ten high but for one, are too many for two rows
            # each at 80x24.
            assert filled >= FULL * rows or (ranks, columns) == (11, 80), (ranks, filled, rows)


def test_a_name_that_is_too_long_says_that_it_is_cut() -> None:
    for game_id, seats in TABLES:
        match = Match.begin(Setup.of(find(game_id), seats))
        screen = TableScreen(LocalTable(match, NAMES[:seats], None))
        scene = screen.model.makes.scene(match.state, NAMES[:seats], LETTERS, None, ())
        said = " ".join(plain(line) for line in scene.seats)
        for name in NAMES[:seats]:
            assert name in said or LETTERS.more in said


@pytest.mark.parametrize("game_id", GAMES)
async def test_large_print_shows_a_table_of_two_by_words_and_signs(
    game_id: str, cut: dict[str, str]
) -> None:
    """In 40 columns, 15 rows: the board or cards, whose turn it is, all that can be chosen."""
    table = LocalTable(middle_of(game_id, 2, 12), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table), size=(40, 15)) as (kumite, pilot):
        await uncovered(pilot)
        await until(pilot, lambda: isinstance(kumite.focused, Chooser), "something to choose")
        await pilot.pause()
        cut.clear()
        screen = screen_of(kumite, TableScreen)
        choice = screen.model.choice
        assert choice is not None
        shown = frame(kumite)
        title, said = shown.split("\n")[0], shown.split("\n")[-2]
        assert "turn" in title
        assert said.strip().startswith("Enter: ")
        board, chips = screen.model.scene.board, screen.field.tray._chips
        for part in choice.targets:
            chip = next((one for one in chips if one.name == part), None)
            assert chip is not None or board.place(part) is not None, part
            assert chip is None or chip.text.rstrip(" ↻↺") in shown, part
        if board.rows:
            area = screen.field.board
            assert area.size.height >= area.get_content_height(kumite.size, kumite.size, 0)
        for key in ("n", "tab", "right", "question_mark"):
            await pilot.press(key)
            await pilot.pause()
        assert type(kumite.screen).__name__ == "RulesScreen"
        assert set(cut) <= {"tray"}, cut  # an arrow after the words that say the same
