"""In every size, with the longest names: no line is cut off by its widget, boards fill their room.

What a scene itself shortens ends with a sign that says so; what a widget cuts, nobody would know.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from itertools import pairwise, product
from typing import cast

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.tui import scenes
from kumite.tui.app import KumiteApp
from kumite.tui.drawing import grid
from kumite.tui.drawing.chart import chart
from kumite.tui.drawing.pixels import cells_of
from kumite.tui.drawing.places import FRAMED, PADDING, beside_board
from kumite.tui.look.glyphs import ASCII, LETTERS, Look
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import Line, line_width, plain
from kumite.tui.screens.base import fits
from kumite.tui.screens.lessons import LessonScreen
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import SIZED, Settings
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.field import Tabletop
from kumite.tui.widgets.lines import Lines
from kumite.tui.widgets.painted import Chooser, Painted
from kumite.tui.widgets.tray import TrayWidget
from tests.support.apps import app, frame, running, screen_of, shown, uncovered, until
from tests.support.frames import middle_of
from tests.support.random_matches import short_setup, walk
from tests.support.spread import spread
from tests.tui.screens.test_curve import replayed, sinking
from tests.tui.screens.test_screens import SCREENS

UPRIGHT = (85, 74)  # a phone
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
    spread(FULL_TABLES, [*SIZES, UPRIGHT], ("letters", "ascii"), each=4),
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
            assert board.size.width >= board.get_content_width(size, size)
            assert board.size.height >= board.get_content_height(size, size, 0)
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
    ("name", "size"), spread([name for name in SCREENS if not name.startswith("table")], SIZES[::3])
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


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
async def test_in_an_upright_window_the_panels_stand_below_a_board_of_all_columns(
    game_id: str,
) -> None:
    table = LocalTable(middle_of(game_id, 2, 12), NAMES[:2], None)
    async with running(lambda: TableScreen(table), size=UPRIGHT) as (kumite, pilot):
        board, side = kumite.screen.query_one(BoardWidget), kumite.screen.query_one("#side")
        await until(pilot, lambda: bool(side.region.area), "the panels")
        assert side.region.y >= board.region.bottom
        assert side.size.width == UPRIGHT[0] - 2
        assert board.size.width >= 0.8 * UPRIGHT[0]
        for panel in ("#seats", "#facts", "#log"):
            assert side.region.contains_region(kumite.screen.query_one(panel).region)
        await pilot.resize_terminal(160, 50)
        assert side.region.x >= board.region.right
        assert side.region.y < board.region.bottom


PHONES = [(50, 43), (59, 55), (60, 46)]  # of 390x844 pixels, with small letters
BOARDS = [one for one in TABLES if one[0] in ("kitsu", "kumo", "kuzushi")]


async def no_rank_is_lost(
    game_id: str, seats: int, sizes: Iterable[tuple[int, int]], **settings: str
) -> None:
    table = LocalTable(middle_of(game_id, seats, 12), NAMES[:seats], None)
    lost = []
    async with running(lambda: TableScreen(table), size=(80, 24)) as (kumite, pilot):
        kumite.use(Settings(**settings))
        board = kumite.screen.query_one(BoardWidget)
        for size in sizes:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            field = screen_of(kumite, TableScreen).field
            needed = board.get_content_height(kumite.size, kumite.size, 0)
            is_whole = field.region.contains_region(board.region) and board.size.height >= needed
            if not is_whole or kumite.size != size:
                lost.append(size)
    assert not lost


@pytest.mark.parametrize("size", SIZED)
async def test_small_letters_on_a_phone_show_all_ranks(size: str) -> None:
    """Rows of text around the board pushed its lowest squares out of its place."""
    await no_rank_is_lost("kuzushi", 3, PHONES, size=size)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "seats"), BOARDS)
async def test_each_rank_of_a_board_is_seen_in_each_size(game_id: str, seats: int) -> None:
    sizes = product(range(60, 91, 5), range(20, 61, 4))
    await no_rank_is_lost(game_id, seats, [*PHONES, *sizes])


# --- The width of hands and stages ------------------------------------------------------------


LARGE_ENOUGH = SIZES[3:]
USED = 0.85  # of the columns of their place, from the first that is drawn on to the last
# Game, seats, steps; used by the hand, by what lies on the table; of fewer cards, why no more.
FULL_HANDS = [
    (*one, USED, USED) for one in (("kitsune", 2, 35), ("kitsune", 4, 35), ("kiriai", 2, 0))
]
FEWER = [
    # Each has laid one card down: its place in the hand stays free, so that no other card moves,
    # and nothing but these cards lies on the table.
    ("kitsune", 4, 20, 0.7, 0.75),
    # Seven cards, but some are alike: those lie on each other, and the places at the right stay
    # free for a hand of other cards.
    ("kitsune", 6, 40, 0.7, USED),
    # What was played last may not be played again: two of eight cards are missing.
    ("kiriai", 2, 12, 0.65, USED),
]


def used(widget: Painted, kumite: KumiteApp) -> float:
    """Return the part of a widget's columns between the first and the last that is drawn on."""
    papers = {kumite.palette.color(one).lower() for one in ("paper", "paper-dim")}
    drawn = []
    for row in range(widget.size.height):
        x = 0
        for text, style, _ in widget.render_line(row):
            on = style.bgcolor.name if style is not None and style.bgcolor is not None else ""
            is_paper = on.lower() in papers
            drawn += [x + at for at, one in enumerate(text) if is_paper or one != " "]
            x += len(text)
    return (max(drawn) + 1 - min(drawn)) / widget.size.width


async def uses(match: Match) -> AsyncIterator[tuple[tuple[int, int], float, float]]:
    """Yield how much of their width a hand and what lies on the table use, in each size."""
    table = LocalTable(match, NAMES[: match.setup.seats], None)
    async with running(lambda: TableScreen(table), size=LARGE_ENOUGH[0]) as (kumite, pilot):
        await uncovered(pilot)
        for size in LARGE_ENOUGH:
            await pilot.resize_terminal(*size)
            await pilot.pause()
            screen = kumite.screen
            hand, top = screen.query_one(TrayWidget), screen.query_one(Tabletop)
            assert hand.display
            assert top.display
            yield size, used(hand, kumite), used(top, kumite)


@pytest.mark.parametrize(("game_id", "seats", "steps", "by_hand", "by_top"), [*FULL_HANDS, *FEWER])
async def test_hands_and_tables_use_the_width_as_far_as_their_cards_go(
    game_id: str, seats: int, steps: int, by_hand: float, by_top: float
) -> None:
    async for size, hand, top in uses(middle_of(game_id, seats, steps)):
        assert hand >= by_hand, size
        assert top >= by_top, size


# --- Panels beside a table --------------------------------------------------------------------


LONG = ("Maximilian-Leopold", "Anastasia-Alexandra")
BELOW = [(FRAMED[0] - 1, FRAMED[1]), (FRAMED[0], FRAMED[1] - 1)]


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


async def test_in_a_replay_the_values_are_hills_six_rows_high() -> None:
    async with replayed(middle_of("kuzushi", 2, 10), sinking, FRAMED) as curve:
        kumite, pilot, _, screen = curve
        await pilot.pause()
        assert "─ value to" not in frame(kumite)
        await curve.ask()
        await pilot.pause()
        assert "┌─ value to ada ─" in frame(kumite)
        panel = screen.query_one("#value", Lines)
        rows = [panel.render_line(row).text for row in range(panel.size.height)]
        *rows, below = rows
        assert len(rows) == 6
        assert [row[:5].strip() for row in rows] == ["won", "", "", "50 %", "", "lost"]
        assert below.startswith("     ↑ step 0, ada ")
        rows = [row[5:] for row in rows]
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
            log = kumite.screen.query_one("#log").region  # which tells what has been
            rows = enumerate(text.split("\n"))
            now = "\n".join(row[: log.x if log.y <= y < log.bottom else None] for y, row in rows)
            assert len(re.findall(r"istance \d|ound \d+ of", now)) == 2
            assert "wounds" not in text
            below = text[text.index("♥") :].split("\n")
            assert "set aside: " in below[1]
            rows = text.split("\n")[log.y : log.bottom]
            told = " ".join(row[log.x :].strip("│ ") for row in rows)
            assert below[2].split("│")[0].strip()
            assert below[2].split("│")[0].strip() not in told


@pytest.mark.parametrize(
    ("game_id", "steps"),
    [("kitsu", 40), ("kitsune", 40), ("kumo", 40), ("kuzushi", 12), ("kiriai", 12)],
)
async def test_a_tall_window_draws_the_course_of_a_match_and_a_short_log(
    game_id: str, steps: int
) -> None:
    match = walk(short_setup(game_id, 2), 1, steps)
    for size, has_chart in (((160, 50), True), (BELOW[0], False)):
        kumite = app(lambda: TableScreen(LocalTable(match, ("ada", "bob"), None)))
        async with kumite.run_test(size=size) as pilot:
            await pilot.pause()
            cast("TableScreen", kumite.screen).redraw()
            await pilot.pause()
            assert bool(kumite.screen.query_one("#chart").region) == has_chart
            if has_chart and game_id == "kiriai":  # whose field has five spaces
                assert shown(kumite, "chart").split()[0] == "5"
            assert not has_chart or kumite.screen.query_one("#log").size.height == 8
            await pilot.resize_terminal(*FRAMED)
            cast("TableScreen", kumite.screen).redraw()
            await pilot.pause()
            assert kumite.screen.query_one("#chart").size.height >= 3
            assert 3 <= kumite.screen.query_one("#log").size.height <= 8


@pytest.mark.parametrize(("game_id", "steps"), [("kumo", 0), ("kumo", 60), ("kuzushi", 12)])
async def test_four_players_have_the_course_of_the_match_in_the_smallest_frames(
    game_id: str, steps: int
) -> None:
    table = LocalTable(walk(short_setup(game_id, 4), 1, steps), NAMES[:4], None)
    async with running(lambda: TableScreen(table), FRAMED) as (kumite, pilot):
        await pilot.pause()
        panel, log = (kumite.screen.query_one(name) for name in ("#chart", "#log"))
        assert panel.region.height >= 4
        assert panel.region.bottom <= log.region.y
        assert log.size.height >= 2
        assert f"step {steps}" in shown(kumite, "chart") or panel.size.height == 2


@pytest.mark.parametrize("size", [(160, 50), (220, 60)])
@pytest.mark.parametrize("game_id", ["kitsu", "kuzushi"])
async def test_a_large_window_has_large_portraits_and_panels_down_to_its_lower_edge(
    game_id: str, size: tuple[int, int]
) -> None:
    table = LocalTable(walk(short_setup(game_id, 2), 1, 12), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table), size) as (kumite, pilot):
        await pilot.pause()
        side = kumite.screen.query_one("#side")
        panels = sorted((one.region for one in side.children if one.region), key=lambda one: one.y)
        assert all(above.bottom <= below.y for above, below in pairwise(panels))
        assert size[1] - panels[-1].bottom <= 6
        assert kumite.screen.query_one("#log").size.height == 8
        assert kumite.screen.query_one("#seats").size.height >= 9


def test_a_chart_ends_at_the_last_scores_and_keeps_its_scale() -> None:
    scores = [(0, [0, 1, 4]), (1, [0, 2, 2])]
    rows = chart(scores, 46, 5, LETTERS)
    inks = [cells_of(row)[9][1] for row in rows[:-1]]
    assert ["seat-0" in ink for ink in inks] == [False, False, True, False]  # 4 of 8
    assert ["seat-1" in ink for ink in inks] == [False, False, False, True]  # 2 of 8
    text = [plain(row) for row in rows]  # a scale, who has how many now, and since which step
    assert [row[:4].strip() for row in text[:-1]] == ["8", "", "", "0"]
    assert ["● 4" in text[2], "■ 2" in text[3]] == [True, True]
    assert text[-1] == "    step 2"
    equal = chart([(0, [0, 3]), (1, [0, 3])], 46, 5, LETTERS)
    assert "●■ 3" in "".join(map(plain, equal))


@pytest.mark.parametrize("look", [LETTERS, ASCII])
@pytest.mark.parametrize(("sides", "signs"), [(6, ""), (4, ""), (2, "●■")])
def test_lines_that_would_hide_each_other_are_a_bar_for_each_side(
    look: Look, sides: int, signs: str
) -> None:
    scores = [(seat, [0, 5, 5 + seat]) for seat in range(sides)]
    *rows, below = chart(scores, 46, 9, look, signs)
    assert "behind" in plain(below)
    each = 8 // sides
    for place, group in enumerate(rows[at : at + each] for at in range(0, sides * each, each)):
        seat = sides - 1 - place  # the best first
        assert plain(group[-1]).endswith(f" {look.solid[seat]} {5 + seat}")
        inks = {ink.partition("/")[0] for row in group for text, ink in row if text.strip()}
        assert inks <= {f"seat-{seat}", "foreground"}
        first, last = ([plain(row)[x] for row in group] for x in (4, 8))
        assert (first == last) == (place == 0)  # all begin with the same


def test_where_two_lines_meet_both_are_seen() -> None:
    rows = chart([(0, [0, 3, 3, 3]), (1, [0, 3, 3, 3])], 46, 5, LETTERS)
    inks = {ink for row in rows for _, both in cells_of(row)[8:12] for ink in both.split("/")}
    assert {"seat-0", "seat-1"} <= inks


def test_a_chart_of_rounds_has_a_level_and_a_dot_for_each_that_was_won() -> None:
    rows = [
        plain(row)
        for row in chart([(1, [0, 9, 12, 16]), (3, [0, 5, 0, 12])], 46, 6, LETTERS, whole=12)
    ]
    assert [row[:4].strip() for row in rows[:-1]] == ["●●", "", "●", "", "0"]
    assert ["■ ●4" in rows[2], "◆ ●" in rows[3]] == [True, True]


def test_a_chart_begins_where_somebody_stands() -> None:
    nobody = chart([(0, [-1]), (1, [-1])], 46, 5, LETTERS)
    assert not any("seat" in ink for row in nobody for _, ink in row)
    assert "".join(map(plain, nobody)).split()[0] == "8"
    rows = chart([(0, [-1] * 8 + [1, 2]), (1, [-1] * 8 + [5, 5])], 46, 5, LETTERS)
    room = (46 - 14) // 2
    inks = {ink for row in rows[:-1] for _, ink in cells_of(row)[4 : 4 + room]}
    assert not any("seat" in ink for ink in inks)
    assert "seat-1" in "".join(ink for _, ink in cells_of(rows[1])[4 + room :])
