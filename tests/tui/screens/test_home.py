"""The home screen by keys: games, what is unfinished, tables on the LAN, two keys to a match."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from threading import Event

import pytest
from click.testing import CliRunner
from textual.pilot import Pilot
from textual.screen import Screen

from kumite.cli.main import main
from kumite.core.errors import BadSetup
from kumite.core.game import SPECTATOR, Seat, Seats, Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header, log_text
from kumite.core.match import Match
from kumite.net.transport.discovery import Vanished
from kumite.store import log_files, practice
from kumite.store.library import Library
from kumite.tui import settings
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.home import Home
from kumite.tui.play import openings
from kumite.tui.play.kept import ago, unfinished_parts
from kumite.tui.play.local_table import LocalTable
from kumite.tui.play.suggestion import ENOUGH
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.lessons import LessonsScreen
from kumite.tui.screens.lobby import LobbyScreen
from kumite.tui.screens.open_list import JoinScreen
from kumite.tui.screens.reading import RulesScreen
from kumite.tui.screens.record import RecordScreen
from kumite.tui.screens.saved import SavedScreen
from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.screens.setup import HostScreen, NewScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.tournaments import TournamentsScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.form import Form
from tests.support import plugins
from tests.support.apps import app, frame, running, screen_of, shown, until, words
from tests.support.fake_peer import (
    FakeFinder,
    FakePeer,
    found,
    host_is_back,
    keeping,
    seat_at_table,
)
from tests.support.random_matches import short_setup, walk
from tests.support.waiting import PATIENCE, wait_for

SETUP = Setup.of(find("kuzushi"))
SIZES = [(60, 20), (72, 22), (80, 23), (80, 24), (100, 30), (120, 36), (160, 50), (220, 60)]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumite.tui.screens.home.LOOK_AFTER", 0.001)


def home_of(kumite: KumiteApp) -> Home:
    screen = screen_of(kumite, HomeScreen)
    return screen.menu.home


def begun(names: tuple[str, str]) -> LocalTable:
    """Return a table at which the second player has made a step."""
    table = LocalTable.begin(SETUP, names)
    table.play(1, "f7")
    return table


def named(kumite: KumiteApp, name: str) -> KumiteApp:
    kumite.use(Settings(glyphs="letters", name=name))
    return kumite


# --- The first start --------------------------------------------------------------------------


async def test_the_first_start_asks_for_a_name_once_and_remembers_it() -> None:
    kumite = app(lambda: HomeScreen(asks_name=True))
    kumite.use(Settings(glyphs="letters"))
    async with kumite.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        assert "Your name" in frame(kumite)
        await pilot.press(*"cmd:ada", "enter")
        assert (settings.read().settings.name, kumite.settings.name) == ("cmd ada", "cmd ada")
        assert "Your name" not in frame(kumite)
        assert "Kitsu!: 2 players" in shown(kumite, "hint")
        await pilot.press("enter", "escape")
        await pilot.pause()
        assert "Your name" not in frame(kumite)


@pytest.mark.parametrize("key", ["enter", "escape"])
async def test_a_name_that_is_not_given_is_the_login_name_for_good(key: str) -> None:
    kumite = app(lambda: HomeScreen(asks_name=True))
    kumite.use(Settings(glyphs="letters"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(key)
        assert settings.read().settings.name == settings.own_name(Settings())


async def test_whoever_has_played_is_not_asked_for_a_name() -> None:
    begun(("ada", "bob")).close()
    kumite = app(lambda: HomeScreen(asks_name=True))
    kumite.use(Settings(glyphs="letters"))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Your name" not in frame(kumite)


@pytest.mark.parametrize(
    ("args", "kind"),
    [
        ("join 7-torii-lantern", LobbyScreen),
        ("join", JoinScreen),
        ("watch 7-torii-lantern", LobbyScreen),
        ("host kuzushi", LobbyScreen),
    ],
)
async def test_who_goes_to_a_table_from_the_shell_without_a_name_is_asked_for_it_once(
    args: str, kind: type[Screen[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(("ada", "bob")).close()  # as a match from the shell asks for none
    opened: list[Callable[[], Screen[None]]] = []
    monkeypatch.setattr("kumite.cli.app_start.open_app", lambda _, screen: opened.append(screen))
    monkeypatch.setattr("kumite.net.transport.discovery.Finder", FakeFinder)
    monkeypatch.setattr("kumite.net.transport.invites.SEARCH", 0.0)
    monkeypatch.setattr(openings, "hosting", lambda *_: FakePeer().opened)
    done = CliRunner().invoke(main, args.split())
    assert done.exit_code == 0, done.output
    async with running(opened[0]) as (kumite, pilot):
        assert "Your name" in frame(kumite)
        await pilot.press(*"eva", "enter")
        await pilot.pause()
        assert isinstance(kumite.screen, kind)
        assert settings.read().settings.name == "eva"
    CliRunner().invoke(main, args.split())
    assert isinstance(opened[1](), kind)


# --- Two keys to a match ----------------------------------------------------------------------


async def test_enter_twice_plays_the_first_game_against_an_easy_bot() -> None:
    async with running(named(app(), "ada")) as (kumite, pilot):
        await pilot.press("enter", "enter")
        assert screen_of(kumite, TableScreen).table.names == ("ada", "bot:easy")
        assert next(iter(GAMES)) == kumite.screen.table.match.game.ID


async def test_the_level_that_was_chosen_last_is_offered_again_and_other_settings_stay() -> None:
    settings.keep(theme="light")
    async with running(named(app(), "ada")) as (kumite, pilot):
        await pilot.press("b", "down", "down", "down", "down", "right", "right", "right")
        assert "bot medium" in frame(kumite)
        await pilot.press(*["up"] * 4, "enter")
        assert screen_of(kumite, TableScreen).table.names == ("ada", "bot:medium")
    assert settings.read().settings.level == "medium"
    assert settings.read().settings.theme == "light"
    kumite = app()
    kumite.use(settings.read().settings)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.press("b", "enter")
        assert screen_of(kumite, TableScreen).table.names[1] == "bot:medium"


async def test_a_level_that_cannot_be_kept_delays_no_match(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file where the folder should be")
    async with running(named(app(), "ada")) as (kumite, pilot):
        await pilot.press("b", "down", "down", "down", "down", "right", *["up"] * 4, "enter")
        assert isinstance(kumite.screen, TableScreen)


# --- The cursor -------------------------------------------------------------------------------


async def test_arrows_go_over_the_games_and_down_and_back_to_the_one_that_is_meant() -> None:
    async with running() as (kumite, pilot):
        games = list(GAMES)
        await pilot.press("right", "right")
        assert (home_of(kumite).at, home_of(kumite).game) == (f"game {games[2]}", games[2])
        assert "Kumo Hogosha: 2 or 4 players" in shown(kumite, "hint")
        await pilot.press("down", "down", "left", "left", "left")
        assert (home_of(kumite).at, home_of(kumite).game) == ("play", games[2])
        await pilot.press("down", "right")
        assert home_of(kumite).at == "learn"
        await pilot.press("up", "up", "up")
        assert home_of(kumite).at == f"game {games[2]}"
        await pilot.press(*["right"] * len(games))
        assert home_of(kumite).at == f"game {games[-1]}"


@pytest.mark.parametrize("size", SIZES[::2], ids=str)
async def test_everything_is_reached_by_tab_in_every_size(size: tuple[int, int]) -> None:
    begun(("bot:easy", "ada")).close()
    finders: list[FakeFinder] = []
    async with running(lambda: HomeScreen(keeping(finders)), size=size) as (kumite, pilot):
        await until(pilot, lambda: bool(finders), "nobody looks")
        finders[0].deliver(found("a", "ada"))
        await pilot.pause()
        keys = set(kumite.screen.query_one("#menu").drawn.places)
        assert len(keys) >= 14
        seen = set()
        for _ in keys:
            await pilot.press("tab")
            seen.add(home_of(kumite).at)
        assert seen == keys


async def test_letters_lead_from_anywhere_with_the_game_that_is_meant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kumite.net.transport.discovery.Finder", FakeFinder)
    letters = {
        "p": NewScreen,
        "b": NewScreen,
        "h": HostScreen,
        "j": JoinScreen,
        "t": TournamentsScreen,
        "l": LessonsScreen,
        "s": SavedScreen,
        "r": RulesScreen,
        "o": SettingsScreen,
    }
    async with running() as (kumite, pilot):
        await pilot.press("right", "right", "down")
        for key, screen in letters.items():
            await pilot.press(key)
            assert isinstance(kumite.screen, screen)
            assert "Kumo" in frame(kumite) or key not in "pbhlr"
            await pilot.press("escape")
            assert isinstance(kumite.screen, HomeScreen)


async def test_one_click_enters_and_on_a_tile_the_first_selects_its_game() -> None:
    """On a phone the first tap on an entry, or on a table in a list, only marked it."""
    async with running() as (kumite, pilot):
        places = kumite.screen.query_one("#menu").drawn.places

        async def click(key: str) -> None:
            await pilot.click("#menu", offset=(places[key].x + 4, places[key].y))

        await click("game kumo")
        assert home_of(kumite).game == "kumo"
        await click("play")
        assert kumite.screen.query_one(Form).values["game"] == "kumo"
        await pilot.click("#form", offset=(4, 0))  # the button
        assert isinstance(kumite.screen, TableScreen)


# --- What is unfinished -----------------------------------------------------------------------


async def test_what_is_unfinished_comes_first_and_enter_goes_on_with_it() -> None:
    begun(("bot:medium", "ada")).close()
    async with running(named(app(), "ada")) as (kumite, pilot):
        assert "> c continue   Kuzushi against bot medium, 1 step, just now" in frame(kumite)
        assert home_of(kumite).game == "kuzushi"  # the one that was played last is meant
        await pilot.press("enter")
        assert isinstance(kumite.screen, TableScreen)
        steps = [one.step for one in kumite.screen.table.match.steps()]
        assert steps[0] == "f7"  # the bot may have answered by now


async def test_a_newcomer_is_offered_the_first_steps_of_the_first_game() -> None:
    async with running() as (kumite, pilot):
        assert "continue" not in frame(kumite)
        assert "c next   learn Kitsu!, its first steps, task by task" in frame(kumite)
        await pilot.press("right", "right", "right")
        assert "c next   learn Kuzushi, its first steps, task by task" in frame(kumite)
        await pilot.press("r", "q")  # nor does it change by looking elsewhere
        assert "c next   learn Kuzushi, its first steps, task by task" in frame(kumite)
        await pilot.press("c")
        assert screen_of(kumite, LessonsScreen).game_id == "kuzushi"
        await pilot.press("q")
        await pilot.press("left", "left", "left")
        await pilot.press("c")
        assert screen_of(kumite, LessonsScreen).game_id == "kitsu"


async def test_whoever_has_beaten_a_level_often_enough_is_offered_the_next(tmp_path: Path) -> None:
    match = walk(SETUP, next(seed for seed in range(99) if winner_of(seed) == 1))
    for number in range(ENOUGH):
        header = Header(f"ab{number}{number}", SETUP, ("bot:easy", "ada"))
        path = tmp_path / f"2026-01-0{number + 1}-120000-x.kumite"
        path.write_text(log_text(header, match), encoding="utf-8")
    async with running(named(app(), "ada")) as (kumite, pilot):
        said = "c next   Kuzushi against bot 3, bot easy is beaten 3 times"
        assert said in frame(kumite)
        assert home_of(kumite).at == "game kuzushi"
        await pilot.press("left")
        assert "c next   learn Kumo" in frame(kumite)  # of the marked game
        await pilot.press("right")
        assert said in frame(kumite)
        await pilot.press("c")
        assert screen_of(kumite, TableScreen).table.names == ("ada", "bot:3")


def winner_of(seed: int) -> int:
    outcome = walk(SETUP, seed).outcome
    return outcome.winners[0]


async def test_the_first_offer_is_gone_when_all_that_was_known_is_gone(tmp_path: Path) -> None:
    begun(("bot:medium", "ada")).close()
    async with running(named(app(), "ada")) as (kumite, pilot):
        assert home_of(kumite).at == "continue"
        await pilot.press("s")
        for log in tmp_path.glob("*.kumite"):
            log.unlink()
        await pilot.press("escape")
        assert "c next   learn Kuzushi" in frame(kumite)  # which is marked


@pytest.mark.parametrize("names", [("ada", "bob"), ("ada", "bot:easy")])
async def test_a_table_that_was_opened_and_left_is_nothing_to_continue(
    names: tuple[str, str],
) -> None:
    table = LocalTable.begin(SETUP, names)
    if names[1].startswith("bot:"):
        table.play(1, "f7")  # a step of a bot is nothing that anybody would miss
    table.close()
    async with running() as (kumite, _):
        assert "continue" not in frame(kumite)


async def test_bots_among_themselves_can_be_continued() -> None:
    begun(("bot:easy", "bot:easy")).close()
    async with running() as (kumite, _):
        assert "continue" in frame(kumite)


@pytest.mark.parametrize("own", [frozenset({Seat(1)}), SPECTATOR])
async def test_a_seat_at_a_table_of_others_can_be_continued_even_before_the_first_step(
    own: Seats,
) -> None:
    setup = Setup.of(GAMES["kiriai"])
    extra = ("table 2b26cf5dc622b058-1.table",)
    header = Header("ab12", setup, ("ada", "bob"), own, extra=extra)
    path = log_files.folder() / "2026-05-06-070809-kiriai-ab12.kumite"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(log_text(header, Match.begin(setup).seen_by(own)), "utf-8")
    table = log_files.table_of(path, header)
    table.write_bytes(b"")
    async with running() as (kumite, _):
        assert ("c continue" in frame(kumite)) == bool(own)  # who looked on has nothing to continue


async def test_a_log_that_is_gone_is_said_and_the_screen_stays() -> None:
    table = begun(("ada", "bob"))
    table.close()
    assert table.file is None
    async with running() as (kumite, pilot):
        for path in Library().path("x").parent.glob("*.kumite"):
            path.unlink()
        await pilot.press("c")
        assert isinstance(kumite.screen, HomeScreen)
        assert shown(kumite, "hint")


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (timedelta(seconds=5), "just now"),
        (timedelta(minutes=1, seconds=9), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=3), "3 hours ago"),
        (timedelta(hours=20), "yesterday"),
        (timedelta(days=3), "3 days ago"),
        (timedelta(days=30), "on 2026-04-11"),
    ],
)
def test_how_long_ago_it_was_is_said_in_words(before: timedelta, said: str) -> None:
    now = datetime(2026, 5, 11, 16, 30).astimezone()
    assert ago(now - before, now) == said


@pytest.mark.parametrize(
    ("names", "own", "said"),
    [
        (("ada", "bot:easy"), "ada", "Kuzushi against bot easy"),
        (("bob", "ada", "bot:easy"), "ada", "Kuzushi against bob and bot easy"),
        (("ada", "bob"), "cid", "Kuzushi: ada and bob"),
        (("ada",) * 2, "ada", "Kuzushi: ada 1 and ada 2"),
        (("bob", "ada", "cid", "dan"), "ada", "Kumo Hogosha with dan against bob and cid"),
    ],
)
def test_against_whom_it_was_is_said(
    tmp_path: Path, names: tuple[str, ...], own: str, said: str
) -> None:
    game = "kumo" if "Kumo" in said else "kuzushi"
    setup = Setup.of(find(game), len(names))
    path = tmp_path / "a.kumite"
    path.write_text(log_text(Header("ab", setup, names), walk(setup, 1, longest=3)), "utf-8")
    os.utime(path, (time.time() - 200,) * 2)
    library = Library()
    library.read()
    (kept_,) = library.all()
    assert unfinished_parts(kept_, own, datetime.now(tz=UTC)) == (said, "3 steps", "3 minutes ago")


# --- Tables on the LAN ------------------------------------------------------------------------


async def looking(pilot: Pilot[None], finders: list[FakeFinder], number: int = 1) -> FakeFinder:
    """Wait until that many finders have begun; return the last."""
    await until(
        pilot,
        lambda: len(finders) == number and "start" in finders[-1].calls,
        "nobody looks for tables",
    )
    return finders[-1]


async def test_tables_appear_while_one_looks_and_are_joined_from_here() -> None:
    finders: list[FakeFinder] = []
    async with running(lambda: HomeScreen(keeping(finders)), size=(160, 50)) as (kumite, pilot):
        finder = await looking(pilot, finders)
        assert "No table is open at the moment." in frame(kumite)
        finder.deliver(found("a", "ada", 2))
        finder.deliver(found("x", "", protocol=99))
        await pilot.pause()
        lines = words(kumite)
        assert "ada Kuzushi, 2 free seats" in lines
        assert "another version update to join" in lines
        assert "join (1 open)" in lines  # nobody can join the other one
        finder.deliver(Vanished("x"))
        await pilot.pause()
        assert "another version" not in frame(kumite)
        while home_of(kumite).at != "table a":
            await pilot.press("tab")
        assert "192.168.1.20 port 4000" in shown(kumite, "hint")
        await pilot.press("enter")
        assert isinstance(kumite.screen, LobbyScreen)
        assert "Joining ada's table of Kuzushi" in frame(kumite)


async def test_the_table_under_the_cursor_stays_in_sight() -> None:
    finders: list[FakeFinder] = []
    async with running(lambda: HomeScreen(keeping(finders)), size=(160, 50)) as (kumite, pilot):
        finder = await looking(pilot, finders)
        for name in ("abe", "bob", "cid", "dan", "eve", "fay", "gil"):
            finder.deliver(found(name, name, 2))
        await pilot.pause()
        while home_of(kumite).at != "table bob":
            await pilot.press("tab")
        finder.deliver(found("bob", "bob", 0))  # it sinks below the free ones
        await pilot.pause()
        assert "> bob Kuzushi, full" in words(kumite)


async def test_a_table_that_waits_for_its_player_is_on_the_home_screen_too() -> None:
    seat_at_table()
    made: list[FakeFinder] = []
    finder = lambda *way, **_: made.append(FakeFinder(*way)) or made[-1]  # noqa: E731
    async with running(lambda: HomeScreen(finder), size=(160, 50)) as (kumite, pilot):
        await until(pilot, lambda: len(made) == 2 and made[1].calls == ["start"], "no search")
        made[1].deliver(host_is_back())
        await pilot.pause()
        assert "ada Kumo Hogosha, waits for you" in words(kumite)
        while not home_of(kumite).at.startswith("table "):
            await pilot.press("tab")
        said = "Enter leads back to your seat: 192.168.1.20 port 4000."
        assert shown(kumite, "hint") == said


async def test_a_table_of_another_version_says_why_it_cannot_be_joined() -> None:
    finders: list[FakeFinder] = []
    async with running(lambda: HomeScreen(keeping(finders)), size=(160, 50)) as (kumite, pilot):
        (await looking(pilot, finders)).deliver(found("x", "", protocol=99))
        await pilot.pause()
        while home_of(kumite).at != "table x":
            await pilot.press("tab")
        await pilot.press("enter")
        assert isinstance(kumite.screen, HomeScreen)
        assert "both need the same version" in shown(kumite, "hint")
        finders[0].deliver(Vanished("x"))
        await pilot.pause()
        assert home_of(kumite).at == "join"  # the cursor is never on what is gone


async def test_it_is_looked_for_tables_only_while_the_home_screen_is_shown() -> None:
    finders: list[FakeFinder] = []
    async with running(lambda: HomeScreen(keeping(finders))) as (kumite, pilot):
        first = await looking(pilot, finders)
        first.deliver(found("f", "full", 0))
        await pilot.pause()
        assert "join (" not in frame(kumite)
        first.deliver(found("a", "ada"))
        await pilot.pause()
        assert "join (1 open)" in frame(kumite)
        await pilot.press("s")
        await until(pilot, lambda: first.calls == ["start", "close"], "it goes on looking")
        first.deliver(found("b", "bob"))
        await pilot.press("escape")
        second = await looking(pilot, finders, 2)
        assert "open)" not in frame(kumite)  # what was heard before may be gone
        first.deliver(found("c", "cid"))
        await pilot.pause()
        assert "open)" not in frame(kumite)
        await pilot.press("q")
    wait_for(lambda: "close" in second.calls, "another thread to close it")


async def test_where_nothing_can_be_found_nothing_is_said() -> None:
    tried: list[str] = []

    class Deaf(FakeFinder):
        def start(self) -> None:
            tried.append("start")
            raise BadSetup("tables cannot be found here")

    async with running(lambda: HomeScreen(Deaf)) as (kumite, pilot):
        hint = shown(kumite, "hint")
        await until(pilot, lambda: bool(tried), "nobody looks for tables")
        await pilot.pause()
        assert shown(kumite, "hint") == hint
        assert "cannot" not in frame(kumite)


async def test_a_finder_that_takes_long_blocks_no_key() -> None:
    has_begun, may_end, ends = Event(), Event(), list[bool]()

    class Slow(FakeFinder):
        def start(self) -> None:
            has_begun.set()
            ends.append(may_end.wait(PATIENCE))

    async with running(lambda: HomeScreen(Slow)) as (kumite, pilot):
        await until(pilot, has_begun.is_set, "nobody looks for tables")
        await pilot.press("right")
        assert home_of(kumite).at.startswith("game ")
        assert ends == []  # it has not been waited for
        may_end.set()


@pytest.mark.parametrize("is_wanted", [True, False])
async def test_no_sockets_are_opened_in_tests_or_if_the_settings_say_so(
    is_wanted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setattr("kumite.tui.screens.lookout.lan_finder", made.append)
    kumite = app()
    kumite.use(Settings(lan=is_wanted))
    async with kumite.run_test(size=(80, 24)) as pilot:
        if not is_wanted:
            monkeypatch.setattr(type(kumite), "is_headless", False)
        screen = screen_of(kumite, HomeScreen)
        screen._look_out()
        await pilot.pause(0.05)
        assert made == []


async def test_who_comes_back_from_a_screen_finds_the_menu_where_it_was_left() -> None:
    async with running() as (kumite, pilot):
        await pilot.press("right", "right", "down", "down", "right")
        at, game = home_of(kumite).at, home_of(kumite).game
        assert at not in ("play", f"game {game}")
        await pilot.press("enter")
        assert not isinstance(kumite.screen, HomeScreen)
        await pilot.press("q")
        assert (home_of(kumite).at, home_of(kumite).game) == (at, game)


# --- A game of another package in the app -----------------------------------------------------


async def test_a_game_of_another_package_has_a_tile_at_home_and_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plugins.template(tmp_path / "site", monkeypatch)
    async with running(HomeScreen) as (kumite, pilot):
        await pilot.pause()
        home = screen_of(kumite, HomeScreen)
        before = home.menu.drawn.lines
        await pilot.press("right", "right", "right", "right", "right")
        assert home.menu.home.game == "ishi"
        text = frame(kumite)
        for said in ("six duels", "Kiri-ai", "Ishi", "2 players"):
            assert said in text
        assert "Two players take stones in turn." in text
        seal = [ink for line in before for _, ink in line if "red" in ink and "white" in ink]
        assert seal  # a letter in place of a crest
        for key in ("l", "z", "r", "p"):
            await pilot.press(key)
            await pilot.pause()
            assert isinstance(kumite.screen, HomeScreen) == (key in "lz"), key
            assert ("Ishi has no lessons and no puzzles." in frame(kumite)) == (key in "lz")
            if key == "r":
                assert "Take one, two or three stones" in frame(kumite)
                await pilot.press("q")
        await pilot.press("down", "left", "right")  # it is chosen among the others
        assert "Ishi" in frame(kumite)
        await pilot.press("up", "enter")
        assert screen_of(kumite, TableScreen).table.match.game.ID == "ishi"
        assert "ishi 12 12 seat=0" in frame(kumite)
        for key, left, seat in (("3", 9, 1), ("1", 8, 0)):  # both at this keyboard
            await pilot.press("colon", key, "enter")
            await pilot.pause()
            assert f"ishi 12 {left} seat={seat}" in frame(kumite)


# --- The record on the screen, by keys from home ----------------------------------------------


@pytest.mark.parametrize("look", ["ascii", "letters"])
async def test_y_leads_from_home_to_the_record_and_back(look: str, tmp_path: Path) -> None:
    match = walk(short_setup("kuzushi"), 1)
    for number, played in ((1, match), (2, match.back(3))):
        text = log_text(Header(f"ab{number}", match.setup, ("ada", "bot:easy")), played)
        path = tmp_path / f"2026-01-0{number}-120000-x.kumite"
        path.write_text(text, encoding="utf-8")
    kept = practice.Practice()
    for one, grade in (("a", 5), ("b", 5), ("c", 1)):
        kept = kept.answered(one, grade, date.today())
    practice.save(kept)
    async with running(KumiteApp(Settings(glyphs=look, name="ada"), HomeScreen)) as (kumite, pilot):
        await pilot.press("y")
        await pilot.pause()
        assert isinstance(kumite.screen, RecordScreen)
        for said in (
            "1 match:",
            "bot easy",
            "Not counted: 1 match without an end.",
            "3 puzzles tried, 2 solved at the first try",
            "0 in a row; 2 at best",
        ):
            assert said in frame(kumite)
        assert look != "ascii" or frame(kumite).isascii()
        await pilot.press("escape")
        assert isinstance(kumite.screen, HomeScreen)
    done = CliRunner().invoke(main, ["record"])
    assert "3 puzzles tried, 2 solved at the first try" in done.output
    assert "puzzles" not in CliRunner().invoke(main, ["record", "kumo"]).output


async def test_without_a_match_it_says_how_to_begin() -> None:
    async with running(HomeScreen) as (kumite, pilot):
        await pilot.press("y")
        await pilot.pause()
        assert "No match of yours yet" in frame(kumite)
        await pilot.press("q", "q")  # the last of several q does not leave kumite
        assert "q again leaves kumite" in frame(kumite)
        await pilot.press("q")
        assert kumite._exit


async def test_arrows_change_the_game_from_a_row_with_nothing_beside_it() -> None:
    async with running() as (kumite, pilot):
        await pilot.press("down")
        assert home_of(kumite).at == "continue"
        await pilot.press("right")
        assert home_of(kumite).at == "game kitsune"
        await pilot.press("down", "left")
        assert home_of(kumite).game == "kitsu"
