"""Every screen: it fits, its keys are described, help explains it, and one can leave it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.screen import Screen

from kumite.core.game import SPECTATOR, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header, log_text, read
from kumite.core.match import Match
from kumite.store import log_files
from kumite.tui import scenes, settings
from kumite.tui.app import KumiteApp
from kumite.tui.export.rules_page import rules_text
from kumite.tui.lessons import LESSONS
from kumite.tui.look import colors, glyphs, sprites
from kumite.tui.play.local_table import LocalTable, default_names
from kumite.tui.play.replaying import Replay
from kumite.tui.puzzles.model import shipped
from kumite.tui.scenes.lines import plain
from kumite.tui.screens.analysis import AnalysisScreen
from kumite.tui.screens.base import KumiteScreen
from kumite.tui.screens.form_screen import BannerFormScreen
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.lessons import LessonScreen, LessonsScreen
from kumite.tui.screens.lobby import HOST, LobbyScreen
from kumite.tui.screens.open_list import JoinScreen
from kumite.tui.screens.puzzles import PuzzleScreen, PuzzlesScreen
from kumite.tui.screens.reading import HelpScreen, Pager, RulesScreen
from kumite.tui.screens.replay import ReplayScreen
from kumite.tui.screens.review import ReviewScreen
from kumite.tui.screens.saved import SEARCH, SavedScreen
from kumite.tui.screens.settings import KeysScreen, SettingsScreen
from kumite.tui.screens.setup import HostScreen, NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.tournament import TournamentHostScreen, TournamentPlayerScreen
from kumite.tui.screens.tournaments import NewTournamentScreen, TournamentsScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.board import BoardWidget
from kumite.tui.widgets.form import Form
from kumite.tui.widgets.lines import Lines
from tests.support.apps import (
    app,
    frame,
    listed,
    running,
    screen_of,
    settled,
    shown,
    uncovered,
    until,
    words,
)
from tests.support.fake_peer import FakeFinder, FakePeer, FakePlan, FakeTournamentPeer
from tests.support.frames import middle_of
from tests.support.random_matches import walk
from tests.support.spread import spread

SETUP = Setup.of(find("kuzushi"))


def replay_screen() -> ReplayScreen:
    return ReplayScreen(read(log_text(Header("ab", SETUP, ("ada", "bob")), walk(SETUP, 1))))


def review_screen() -> ReviewScreen:
    """Return a review in which there is nobody to ask."""
    match = walk(Setup.of(find("kiriai")), 1).seen_by(SPECTATOR)
    header = Header("ab", match.setup, ("ada", "bob"), SPECTATOR)
    return ReviewScreen(Replay(read(log_text(header, match))))


def a_table(game_id: str, seats: int) -> TableScreen:
    match = Match.begin(Setup.of(find(game_id), seats))
    return TableScreen(LocalTable(match, default_names(seats), None))


SCREENS: dict[str, Callable[[], Screen[None]]] = {
    "home": HomeScreen,
    "new": NewScreen,
    "host": HostScreen,
    "join": lambda: JoinScreen("ada", FakeFinder),
    "tournaments": lambda: TournamentsScreen("kumo", FakeFinder),
    "organise": NewTournamentScreen,
    "saved": SavedScreen,
    "rules": lambda: RulesScreen("kuzushi", "Kuzushi"),
    "help": lambda: HelpScreen(()),
    **{
        f"table {game_id} {seats}": lambda game_id=game_id, seats=seats: a_table(game_id, seats)
        for game_id in GAMES
        for seats in GAMES[game_id].SEATS
    },
    **{f"lesson {game_id}": lambda game_id=game_id: LessonScreen(game_id) for game_id in LESSONS},
    "settings": SettingsScreen,
    "keys": KeysScreen,
    "replay": replay_screen,
    "analysis": lambda: AnalysisScreen(walk(SETUP, 1), None, ("ada", "bob")),
    "review": review_screen,
    "puzzles": PuzzlesScreen,
    "puzzle": lambda: PuzzleScreen(shipped("kuzushi")[0]),
    "organiser": lambda: TournamentHostScreen(FakePlan(FakeTournamentPeer())),
    "player": lambda: TournamentPlayerScreen(("127.0.0.1",), 4000, "", "ada"),
    "lobby": lambda: LobbyScreen(HOST, "A table", lambda _: FakePeer().opened),
}


async def test_a_capital_letter_is_told_of_the_small_one() -> None:
    async with running(SCREENS["table kuzushi 2"]) as (kumite, pilot):
        await pilot.press("A")
        assert shown(kumite, "hint") == "A does nothing now   small a: analyse"
        await pilot.press("b")
        assert shown(kumite, "hint") == "b does nothing now   F1 shows the keys"
        await pilot.press("right")
        assert "does nothing" not in shown(kumite, "hint")


def check_fits(screen: KumiteScreen, size: tuple[int, int]) -> None:
    """Check that all of a screen is within the window, and which keys it names."""
    for _, binding, _, _ in screen.active_bindings.values():
        assert binding.description or binding.system, binding
    assert any(description in ("back", "quit", "leave") for _, description in screen.keys_now())
    lines = frame(screen.app).split("\n")
    assert len(lines) == size[1]
    assert any(key in lines[-1] for key in ("? help", "F1 help", "? rules, help"))
    for widget in screen.query("*"):
        assert widget.region.right <= size[0]
        assert widget.region.bottom <= size[1]


# One of each, and of tables and lessons one with a board and one with cards.
KINDS = [
    *(name for name in SCREENS if not name.startswith(("table", "lesson"))),
    *("table kuzushi 2", "table kitsune 2", "lesson kumo", "lesson kitsune"),
]


@pytest.mark.parametrize("name", SCREENS)
async def test_every_screen_fits_answers_any_key_has_help_and_goes_at_any_time(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(SCREENS[name]) as (kumite, pilot):
        await pilot.pause()
        screen = screen_of(kumite, KumiteScreen)
        check_fits(screen, (80, 24))

        if not screen.is_writing:
            await pilot.press("@")
            assert re.search(r"@ does nothing now +(\?|F1) shows the keys", shown(kumite, "hint"))
        if name != "help":
            assert screen.HELP
            expected = [screen.called(one) for one in screen.bound_now()]
            await settled(screen)
            await pilot.press("f1")
            assert isinstance(kumite.screen, HelpScreen)
            text = "\n".join(map(plain, kumite.screen.lines))
            assert all(description in text for description in expected)
            await pilot.press("q")
            assert kumite.screen is screen

        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        check_fits(screen, (120, 40))

        # What waits for the next picture finds none of the parts of a screen that has gone.
        waiting: list[Callable[[], None]] = []
        monkeypatch.setattr(screen, "call_after_refresh", waiting.append)
        KumiteScreen.on_resize(screen)
        assert waiting
        await screen.remove_children()
        for callback in waiting:
            callback()


def table_with_a_step(setup: Setup, names: tuple[str, ...]) -> LocalTable:
    table = LocalTable.begin(setup, names)
    seat = table.match.actors[0]
    table.play(seat, table.match.legal(seat)[0])
    return table


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
async def test_of_saved_matches_the_end_and_the_name_of_the_file_are_whole(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "a_folder_with_a_long_name" / "and_another_one_with_a_long_name_in_it"
    monkeypatch.setenv("KUMITE_LOGS", str(folder))
    names = ("Ada", "Bea", "bot:easy", "Dan")
    table_with_a_step(Setup.of(GAMES["kuzushi"], 4), names).close()
    seen = Setup.of(GAMES["kitsune"], 4)
    match = walk(seen, 1)
    text = log_text(Header("ab", seen, names, SPECTATOR), match.seen_by(SPECTATOR))
    name = "2026-07-01-120000-kitsune-abcdef.kumite"
    (folder / name).write_text(text, encoding="utf-8")
    async with running(SavedScreen, size=(100, 30)) as (kumite, pilot):
        await pilot.resize_terminal(*size)
        await pilot.press("down")
        await pilot.pause()
        said = frame(kumite)
        assert "to be continued, 1 step" in said
        assert any(row.endswith(f" won, {match.number} steps, LAN") for row in listed(kumite))
        assert "bot:easy" not in said
        assert name in words(kumite, "hint")
        await pilot.press("slash")
        assert "Words of a game, a name, a date; not finished" in words(kumite, "hint")


@pytest.mark.parametrize(("size", "has_lengths"), [((80, 24), False), ((100, 30), True)])
async def test_a_slim_picture_stands_beside_saved_matches_while_all_words_are_whole(
    size: tuple[int, int], has_lengths: bool
) -> None:
    def save(name: str, game_id: str, names: tuple[str, ...]) -> int:
        match = walk(Setup.of(find(game_id), len(names)), 1)
        text = log_text(Header("ab", match.setup, names), match)
        (log_files.folder() / name).write_text(text, encoding="utf-8")
        return match.number

    steps = save("2026-07-02-120000-kitsu-abcdef.kumite", "kitsu", ("Augusta", "bot 3"))
    save("2026-07-01-120000-kuzushi-abcdef.kumite", "kuzushi", ("Augusta", "bot easy"))
    async with running(SavedScreen, size=size) as (kumite, pilot):
        await until(pilot, lambda: bool(shown(kumite, "preview")), "no picture")
        rows = [row for row in listed(kumite) if "Augusta – bot" in row]
        assert len(rows) == 2
        assert not [
            row for row in rows if "…" in row or not row.endswith(("won", "draw", "steps"))
        ], rows
        assert all(("steps" in row) == has_lengths for row in rows)
        said = words(kumite, "hint") + " ".join(rows)
        assert said.count(f"{steps} steps") == 1
    save(
        "2026-07-03-120000-kuzushi-abcdef.kumite",
        "kuzushi",
        ("Augusta", "Bea", "Cleopatra", "bot easy"),
    )
    async with running(SavedScreen, size=size) as (kumite, pilot):
        await pilot.pause()
        assert kumite.screen.query_one("#preview").display == has_lengths  # there is room for it


async def test_the_first_and_the_last_row_of_a_list_are_its_ends() -> None:
    for match in (1, 2):
        table_with_a_step(Setup.of(GAMES["kuzushi"]), (f"ada{match}", "bob")).close()
    async with running(SavedScreen) as (kumite, pilot):
        form = kumite.screen.query_one(Form)
        await pilot.press(*["down"] * 5)
        last = form.row.key
        await pilot.press("down")
        assert form.row.key == last != SEARCH
        await pilot.press(*["up"] * 5)
        assert form.row.key == SEARCH


async def test_nothing_saved_is_said() -> None:
    async with running(SavedScreen, size=(120, 36)) as (kumite, pilot):
        await pilot.press("enter", "p", "down")
        assert "Nothing has been played yet." in frame(kumite)
        await until(pilot, lambda: bool(shown(kumite, "preview")), "a picture, also of nothing")


async def test_beside_saved_matches_is_the_last_position_of_the_marked_one(tmp_path: Path) -> None:
    played = {}
    for day, game_id in ((1, "kiriai"), (2, "kitsu"), (3, "kuzushi")):
        match = walk(Setup.of(find(game_id)), 1)
        match = match.back(1) if game_id == "kiriai" else match
        text = log_text(Header("ab", match.setup, ("ada", "bob")), match)
        name = f"2026-07-0{day}-120000-{game_id}-abcdef.kumite"
        (log_files.folder() / name).write_text(text, encoding="utf-8")
        played[name] = read(text)
    async with running(SavedScreen, size=(120, 36)) as (kumite, pilot):
        screen = screen_of(kumite, SavedScreen)
        preview = screen.query_one("#preview")
        seen = [""]
        for _ in played:
            await until(
                pilot, lambda: shown(kumite, "preview") not in seen, "the picture of this row"
            )
            seen.append(shown(kumite, "preview"))
            assert preview.region.x >= screen.form.region.right
            assert preview.region.bottom <= screen.query_one("#hint").region.y
            row = screen.form.row
            log = played[row.key]
            is_over = "kiriai" not in row.key  # what is hidden in the others must not be seen here
            replay = Replay(log, "" if is_over else "spectator")
            assert screen.pictured(row) == replay.scene(replay.last, kumite.look)
            await until(pilot, lambda: "won, " in frame(kumite), "the results")
            await pilot.press("down")
        (log_files.folder() / row.key).unlink()
        assert screen.pictured(row).board == scenes.NO_BOARD


async def test_replay_goes_forward_back_to_numbers_turns_start_and_end() -> None:
    screen = replay_screen()
    last = screen.replay.last
    async with running(lambda: screen) as (kumite, pilot):
        for keys, at in (
            (("right", "right", "right"), 3),
            (("left",), 2),
            (("end",), last),
            (("right",), last),
            (("home", "left"), 0),
            (("2",), 1),  # seat 1 acts first
            (("2",), 3),
            (("1",), 4),
            (("g", "1", "0", "enter"), 10),
            (("g", "9", "9", "9", "enter"), 10),
            (("pageup",), 0),
            (("down", "down"), 2),
            (("up",), 1),
            (("end", "right_curly_bracket"), last),
        ):
            await pilot.press(*keys)
            assert screen.at == at, keys
        await pilot.press("home")
        assert f"step 0 of {last}" in shown(kumite, "title")
        await pilot.press("right")
        assert shown(kumite, "hint").startswith("bob lays")
        await pilot.press("end")
        assert "The board is full" in frame(kumite)  # the card of the end


async def test_replay_plays_by_itself_and_stops() -> None:
    screen = replay_screen()
    async with running(lambda: screen) as (_, pilot):
        await pilot.press("plus", "plus", "plus", "space")
        await until(pilot, lambda: screen.at >= 3, "it does not play")
        await pilot.press("space")
        at = screen.at
        await pilot.pause(0.3)
        assert screen.at == at


async def test_a_damaged_log_replays_up_to_the_damage() -> None:
    text = log_text(Header("ab", SETUP, ("ada", "bob")), walk(SETUP, 1))
    lines = text.splitlines(keepends=True)
    lines[12] = lines[12].replace("step", "stop")
    async with running(lambda: ReplayScreen(read("".join(lines)))) as (kumite, pilot):
        await pilot.press("end")
        assert "damaged from here on: line 13" in shown(kumite, "hint")


def new_table() -> TableScreen:
    return TableScreen(LocalTable(Match.begin(SETUP), ("ada", "bob"), None))


async def test_every_theme_draws_a_table() -> None:
    async with running(new_table) as (kumite, pilot):
        await pilot.press("n", "enter")
        for name in colors.names():
            kumite.use(Settings(theme=name))
            await pilot.pause()
            styles = kumite.screen.query_one(BoardWidget)
            base, flag = styles.role_style("base-1"), styles.role_style("flag-1")
            assert base.bgcolor != flag.bgcolor, name


async def test_settings_are_seen_at_once_and_kept() -> None:
    async with running(new_table) as (kumite, pilot):
        table = kumite.screen.query_one(BoardWidget)
        before = table.role_style("base-1")
        kumite.push_screen(SettingsScreen())
        await pilot.pause()
        await pilot.press("right", *["down"] * 4, *"ada", "q")
        assert kumite.settings.theme != "dark"
        assert settings.read().settings.name == "adaq"  # in a text, keys are letters
        await pilot.press("escape", "escape")  # the first one ends the text
        assert table.role_style("base-1") != before


@pytest.fixture
def mine() -> Path:
    """Return the folder of a skin of one's own, `mine`."""
    folder = sprites.users_folder() / "mine"
    folder.mkdir(parents=True)
    return folder


async def test_a_skin_is_drawn_at_once_and_what_is_wrong_with_it_is_told(mine: Path) -> None:
    (mine / "city.txt").write_text("q = violet\n\n[8x8]\n" + 8 * "qqqqqqqq\n")
    (mine / "base.txt").write_text("r = seat\n\n[2x2]\nrr\nrrr\n")
    async with running(new_table, size=(200, 100)) as (kumite, pilot):
        violet = kumite.palette.color("violet")
        before = painted(kumite, violet)
        kumite.push_screen(SettingsScreen())
        await pilot.pause()
        await pilot.press("down", "right")
        assert "base.txt:5: 3 pixels instead of 2" in words(kumite, "hint")
        assert settings.read().settings.skin == "mine"
        await pilot.press("escape")
        assert painted(kumite, violet) > before + 20


def painted(kumite: KumiteApp, color: str) -> int:
    """Return how many cells show a colour."""
    return sum(
        len(segment.text)
        for strip in kumite.screen._compositor.render_strips()
        for segment in strip
        if segment.style and color in str(segment.style)
    )


async def test_a_broken_skin_does_not_keep_the_app_from_opening(mine: Path) -> None:
    (mine / "city.txt").write_text("q = golden\n")
    (mine / "town.txt").write_text("")
    kumite = KumiteApp(Settings(skin="mine"), new_table)
    async with kumite.run_test(size=(120, 40), notifications=True) as pilot:
        await pilot.pause()
        said = [one.message for one in kumite._notifications]
        assert len(said) == 1
        assert said[0].startswith("mine/city.txt:1: no theme has a colour 'golden' (and 1 more)")
    gone = KumiteApp(Settings(skin="gone"), new_table)
    async with gone.run_test(size=(120, 40), notifications=True):
        assert "no skin 'gone'" in str(gone.broken[0])


async def test_a_number_and_a_switch_of_the_settings_are_changed_and_kept() -> None:
    settings.keep(think=0.25)  # written by hand: not one of those offered
    kumite = app(SettingsScreen)
    kumite.use(settings.read().settings)
    async with kumite.run_test(size=(80, 24)) as pilot:
        form = kumite.screen.query_one(Form)
        while form.row.key != "think":
            await pilot.press("down")
        assert "Seconds that the bot `strong` may think" in frame(kumite)
        assert "0.25" in frame(kumite)
        for value in (0.5, 1.0):
            await pilot.press("right")
            assert kumite.settings.think == settings.read().settings.think == value
        for name in ("audit", "watchers"):  # what a LAN table may do
            while form.row.key != name:
                await pilot.press("down")
            for is_on in (False, True):
                await pilot.press("right")
                assert getattr(kumite.settings, name) is is_on
                assert getattr(settings.read().settings, name) is is_on


async def test_keys_can_be_changed_in_the_settings() -> None:
    table = new_table()
    kumite = KumiteApp(Settings(keys={"board.up": "w", "board.choose": "x"}), lambda: table)
    async with kumite.run_test(size=(80, 24)) as pilot:
        there = table.field.pointed
        await pilot.press("w")
        assert table.field.pointed != there
        await pilot.press("n", "x")
        assert table.table.match.number == 1


async def test_a_small_window_gets_a_calm_word_and_the_table_comes_back() -> None:
    async with running(new_table, size=(39, 30)) as (kumite, pilot):
        for size in ((39, 30), (39, 15), (80, 14)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert "kumite needs a larger window" in frame(kumite)
            assert "score" not in frame(kumite)
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            assert "kumite needs" not in frame(kumite)
            assert "score" in frame(kumite)


@pytest.mark.parametrize(("game_id", "begins_small"), spread(GAMES, (False, True)))
async def test_a_window_that_was_too_small_takes_no_keys_and_gives_the_keyboard_back(
    game_id: str, begins_small: bool
) -> None:
    table = LocalTable(Match.begin(Setup.of(GAMES[game_id], 2)), ("ada", "bob"), None)
    kumite = app(lambda: TableScreen(table))
    async with kumite.run_test(size=(40, 12) if begins_small else (80, 24)) as pilot:
        if not begins_small:
            await pilot.resize_terminal(40, 12)
        await pilot.pause()
        await pilot.press("n", "enter", "q", "u", "g", "question_mark")
        before = table.match.number
        for size in ((80, 24), (60, 20), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
        screen = screen_of(kumite, TableScreen)
        await uncovered(pilot)
        await pilot.press("n", "enter")
        choice = screen.model.choice
        assert table.match.number > before or (choice is not None and choice.chosen)


@pytest.mark.parametrize("kind", glyphs.LOOKS)
def test_glyphs_tell_roles_apart_without_colour(kind: str) -> None:
    chosen = glyphs.choose(kind)
    marks = [*chosen.solid, *chosen.hollow, chosen.single, chosen.free, chosen.target]
    marks.append(chosen.contested)
    assert len(set(marks)) == len(marks)
    assert kind != "ascii" or "".join(marks).isascii()


@pytest.mark.parametrize(("game_id", "size"), spread(GAMES, ((80, 24), (120, 40))))
async def test_the_rules_open_where_it_matters_and_lead_to_the_keys(
    game_id: str, size: tuple[int, int]
) -> None:
    match = middle_of(game_id, GAMES[game_id].SEATS[0], 20)  # in a first turn they open at the top
    screen = TableScreen(LocalTable(match, default_names(match.setup.seats), None))
    async with running(lambda: screen, size=size) as (kumite, pilot):
        chapter = screen.model.makes.chapter(screen.model.seen.state)
        await settled(screen)
        await pilot.press("question_mark")
        assert isinstance(kumite.screen, RulesScreen)
        lines = frame(kumite).split("\n")
        assert any(chapter in line for line in lines)
        last_word = plain(kumite.screen.lines[-1]).split()[-1]
        first = kumite.screen.query_one(Pager).render_line(0).text
        assert chapter in first or last_word in "\n".join(lines[2:-2])
        await pilot.press("question_mark")
        assert isinstance(kumite.screen, HelpScreen)
        assert "part by part" in frame(kumite)
        await pilot.press("q", "q")
        assert kumite.screen is screen


@pytest.mark.parametrize("game_id", GAMES)
def test_every_position_has_its_chapter_in_the_rules(game_id: str) -> None:
    headings = {line[3:] for line in rules_text(game_id).splitlines() if line.startswith("## ")}
    found = set()
    for seats in GAMES[game_id].SEATS:
        for match in walk(Setup.of(find(game_id), seats), 1).line():
            found.add(scenes.maker(match).chapter(match.state))
    assert found <= headings
    assert {"Your turn", "How it ends"} <= found


@pytest.mark.parametrize("key", ["q", "escape"])
@pytest.mark.parametrize("name", ["rules", "settings", "puzzles", "saved"])
async def test_a_screen_that_a_command_opened_leads_back_to_the_shell(name: str, key: str) -> None:
    async with running(SCREENS[name]) as (kumite, pilot):
        await pilot.press(key)
        assert kumite._exit
    async with running(HomeScreen) as (kumite, pilot):
        kumite.opening = None
        await kumite.push_screen(SCREENS[name]())
        await pilot.press(key)
        assert isinstance(kumite.screen, HomeScreen)
        assert not kumite._exit


async def test_the_rules_can_be_searched() -> None:
    async with running(SCREENS["rules"]) as (kumite, pilot):
        first = frame(kumite).split("\n")[1]
        await pilot.press("slash", *"HOUSE dec", "enter")
        assert "## House decisions" in rules_text("kuzushi")
        assert "House decisions" in frame(kumite)
        assert "'HOUSE dec': line 1 of 1" in shown(kumite, "hint")
        await pilot.press("home")
        assert frame(kumite).split("\n")[1] == first
        await pilot.press("n")
        assert "House decisions" in frame(kumite)
        await pilot.press("slash", *"flag", "enter", "n", "N", "N")
        assert "'flag': line " in shown(kumite, "hint")
        await pilot.press("slash", *"zzz", "enter")
        assert shown(kumite, "hint") == "'zzz' is not on this page"
        await pilot.press("slash", "escape", "escape")
        assert kumite._exit


def test_every_game_has_a_rules_page_that_fits_80_columns() -> None:
    for game_id in GAMES:
        assert max(map(len, rules_text(game_id).splitlines())) <= 80


async def test_no_picture_is_drawn_beside_a_form_that_goes() -> None:
    async with running(SavedScreen, (120, 40)) as (kumite, pilot):
        screen = screen_of(kumite, SavedScreen)
        screen.on_resize()
        await screen.query("*").remove()
        await pilot.pause()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 36)])
@pytest.mark.parametrize(
    "make", [SettingsScreen, SavedScreen, PuzzlesScreen, lambda: LessonsScreen("kitsu")]
)
async def test_no_list_is_bare(make: Callable[[], BannerFormScreen], size: tuple[int, int]) -> None:
    """At every size there are a sky and a frame, and rows for the list; a picture from 72 on."""
    async with running(make, size=size) as (kumite, pilot):
        await pilot.pause()
        screen = screen_of(kumite, BannerFormScreen)
        assert screen.form.size.height >= 12
        assert screen.form.styles.border_top[0] == "round"
        assert shown(kumite, "banner").count("▀") > size[0]
        assert screen.query_one("#preview").display == (size[0] >= 72)


async def test_the_table_beside_the_settings_changes_with_the_theme_in_a_standard_window() -> None:
    async with running(SettingsScreen, size=(80, 24)) as (kumite, pilot):
        await until(pilot, lambda: bool(shown(kumite, "preview")), "no table beside the settings")
        preview = kumite.screen.query_one("#preview", Lines)
        before = [list(preview.render_line(y)) for y in range(preview.size.height)]
        await pilot.press("right")
        await pilot.pause(0.3)
        assert [list(preview.render_line(y)) for y in range(preview.size.height)] != before
