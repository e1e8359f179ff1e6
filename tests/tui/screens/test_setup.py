"""Set-up by keys: the button first, people and bots seat by seat, options in words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.players import shown_name
from kumite.tui.app import KumiteApp
from kumite.tui.play import preferences
from kumite.tui.play.local_seats import TUTORED
from kumite.tui.play.local_table import default_names
from kumite.tui.scenes.about import about
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.lobby import LobbyScreen
from kumite.tui.screens.settings import SettingsScreen
from kumite.tui.screens.setup import BOT_WORDS, HostScreen, NewScreen, SetupScreen, setup_of
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.form import Form
from tests.support.apps import app, frame, running, screen_of, shown, words
from tests.support.spread import spread

SIZES = [(60, 20), (80, 24), (120, 36), (220, 60)]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return with what each table of the LAN was opened; none really is."""
    made: list[Any] = []
    monkeypatch.setattr(
        LobbyScreen, "hosting", classmethod(lambda _, *args: made.append(args) or HomeScreen())
    )
    return made


def named(kumite: KumiteApp, name: str) -> KumiteApp:
    kumite.use(Settings(glyphs="letters", name=name))
    return kumite


def form_of(kumite: KumiteApp) -> Form:
    return kumite.screen.query_one(Form)


async def test_a_match_is_set_up_and_begun_by_keys() -> None:
    async with running(named(app(lambda: NewScreen("kuzushi")), "ada")) as (kumite, pilot):
        await pilot.press("down", "down", "right", "right")  # 4 players
        await pilot.press("down", "ctrl+u", *"q?j ann")
        assert "q?j ann_" in frame(kumite)  # in a text, keys are letters
        said = words(kumite, "hint")
        assert "From bot 1, the weakest, to bot strong." in said
        await pilot.press("down", "ctrl+u", *"bot medium")
        await pilot.press("down", "down", "down", "down", "right")  # a small board
        assert "< small: a shorter match >" in frame(kumite)
        await pilot.press("down", "down", "enter")  # past the tutor and the end is the button again
        table = screen_of(kumite, TableScreen).table
        assert table.match.setup == Setup.of(find("kuzushi"), 4, {"board": "small"})
        assert table.names == ("q?j ann", "bot:medium", "player 3", "player 4")


@pytest.mark.parametrize("game_id", GAMES)
async def test_enter_begins_at_once_with_the_first_person_called_as_in_the_settings(
    game_id: str,
) -> None:
    for against_bots in (False, True):
        kumite = named(app(lambda b=against_bots: NewScreen(game_id, against_bots=b)), "ada")
        async with kumite.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter")
            table = screen_of(kumite, TableScreen).table
            assert table.match.setup == Setup.of(find(game_id))
            seats = table.match.setup.seats
            others = ("bot:easy",) * (seats - 1) if against_bots else default_names(seats)[1:]
            assert table.names == ("ada", *others)


async def test_against_the_weakest_bots_the_tutor_is_on_until_it_is_sent_away() -> None:
    """As in the match that a lesson leads to."""
    async with running(lambda: NewScreen("kuzushi", against_bots=True)) as (kumite, pilot):
        form = form_of(kumite)
        tutor = lambda: form.values["tutor"]  # noqa: E731
        assert (form.values["name 1"], tutor()) == ("bot:easy", "yes")
        form.go("name 1")
        await pilot.press("right")
        assert (form.values["name 1"], tutor()) == ("bot:3", "no")
        await pilot.press("left", "left")
        assert (form.values["name 1"], tutor()) == ("bot:1", "yes")
        form.go("tutor")
        await pilot.press("right")
        form.go("name 1")
        await pilot.press("right")
        assert tutor() == "no"


def test_the_settings_say_against_which_bots_the_tutor_is_on_without_being_wanted() -> None:
    """They said `no`, and the set-up against a weak bot `yes`."""
    _, said = preferences.WORDED["tutor"]
    (named,) = re.findall(r"`no`: only against (bot \w+) and (bot \w+)\.", said)
    assert {shown_name(one) for one in TUTORED} == {*named}


async def test_a_wrong_name_of_a_bot_is_refused_in_words() -> None:
    async with running(lambda: NewScreen("kuzushi")) as (kumite, pilot):
        await pilot.press("down", "down", "down", "ctrl+u", *"bot:nobody", *["up"] * 3, "enter")
        assert isinstance(kumite.screen, NewScreen)
        assert "no bot 'nobody'" in frame(kumite)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "size", "kind"), spread(GAMES, SIZES, (NewScreen, HostScreen), each=2)
)
async def test_seats_are_counted_from_1_and_options_said_in_words(
    game_id: str, kind: type[SetupScreen], size: tuple[int, int]
) -> None:
    game, most = GAMES[game_id], max(GAMES[game_id].SEATS)
    kumite = named(app(lambda: kind(game_id)), "a rather long name of 30 cells")
    async with kumite.run_test(size=size) as pilot:
        form = form_of(kumite)
        while form.row.value != str(most):
            if form.row.key != "seats":
                form.go("seats")
            await pilot.press("right")
        said, rows = set(), set[str]()
        form.go("go")
        while form.row.key not in rows:  # once round
            rows.add(form.row.key)
            await pilot.press("down")
            line = frame(kumite)
            said |= {row.strip(" │>") for row in line.split("\n")}
            for widget in kumite.screen.query("*"):
                assert widget.region.right <= size[0]
        text = "\n".join(said)
        assert "Seat 0" not in text
        text = text.replace("Player ", "Seat ")  # where a lot gives the seats
        assert all(f"Seat {number}" in text for number in range(1, most + 1))
        assert f"{most} players" in text
        for option in game.OPTIONS:
            assert (f"option {option.name}" in rows) == option.matters(most)
            if not option.matters(most):
                continue
            usual = option.words[option.allowed.index(option.default)]
            assert f"{option.title:<17}" in text
            assert usual in text


async def test_the_usual_value_of_an_option_comes_first_and_all_are_reached() -> None:
    async with running(lambda: NewScreen("kitsu")) as (kumite, pilot):
        form = form_of(kumite)
        form.go("option opening")
        option = next(one for one in find("kitsu").OPTIONS if one.name == "opening")
        assert form.row.choices[0] == str(option.default)
        seen = []
        for _ in option.allowed:
            seen.append(setup_of(form.values).options["opening"])
            await pilot.press("right")
        assert sorted(seen) == sorted(option.allowed)
        assert setup_of(form.values).options["opening"] == option.default


@pytest.mark.parametrize("game_id", GAMES)
def test_every_value_of_every_option_has_words_of_its_own(game_id: str) -> None:
    for option in GAMES[game_id].OPTIONS:
        assert option.title
        assert len(option.title) <= 16
        assert len(set(option.words)) == len(option.allowed) == len(option.words)
        assert max(map(len, option.words)) <= 22  # with its arrows beside the picture of the game


async def test_another_game_brings_its_own_picture_seats_and_options() -> None:
    async with running(lambda: NewScreen("kitsu")) as (kumite, pilot):
        assert "Samurai slide" in shown(kumite, "about")
        await pilot.press("down", "right", "right")
        assert form_of(kumite).values["game"] == "kumo"
        text = words(kumite)
        assert "2 or 4 players" in text
        assert "A blocker" in text
        assert "First turn" not in text
        await pilot.resize_terminal(70, 24)  # the picture goes, not the form
        await pilot.pause()
        assert "2 or 4 players" not in frame(kumite)
        assert "A blocker" in frame(kumite)


async def test_a_table_on_the_lan_is_opened_with_what_was_chosen(opened: list[Any]) -> None:
    async with running(named(app(lambda: HostScreen("kuzushi")), "ada")) as (kumite, pilot):
        assert "free for others" in frame(kumite)
        form = form_of(kumite)
        form.go("seats")
        await pilot.press("right")
        form.go("player 2")
        await pilot.press("right")
        assert f"< {BOT_WORDS[0]} >" in frame(kumite)
        form.go("clock")
        await pilot.press("right")
        assert "< 3 min + 2 s a step >" in frame(kumite)
        form.go("away")
        assert "< 1 min >" in frame(kumite)
        await pilot.press("right")
        assert "< 3 min >" in frame(kumite)
        form.go("best_of")
        await pilot.press("right")
        assert "< best of 3 >" in frame(kumite)
        form.go("go")
        await pilot.press("enter")
    ((table, name, _),) = opened
    assert name == "ada"
    assert table.names[0] == "ada"
    assert table.names[2] == "bot:1"
    assert table.seats == {0, 2}
    assert table.clock == (180, 2, 180)
    assert table.series.best_of == 3


@pytest.mark.parametrize("kind", [NewScreen, HostScreen])
async def test_the_line_below_is_about_the_game_that_is_chosen(kind: type[SetupScreen]) -> None:
    async with running(lambda: kind("kuzushi")) as (kumite, pilot):
        form_of(kumite).go("game")
        for _ in GAMES:
            await pilot.press("right")
            game = form_of(kumite).values["game"]
            assert about(game).sentence in words(kumite, "hint")


async def test_without_a_clock_nothing_is_said_of_time_away() -> None:
    async with running(lambda: HostScreen("kuzushi")) as (kumite, pilot):
        form = form_of(kumite)
        assert "Time away" not in frame(kumite)
        form.go("clock")
        await pilot.press("right")
        assert "Time away" in frame(kumite)
        await pilot.press("left")
        assert "Time away" not in frame(kumite)
        assert form.row.key == "clock"


async def test_a_match_whose_log_cannot_be_written_is_not_begun_and_one_reads_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    monkeypatch.setenv("KUMITE_LOGS", str(no_folder))
    kumite = named(app(lambda: NewScreen("kuzushi")), "ada")
    async with kumite.run_test(size=(160, 50)) as pilot:
        await pilot.press("enter")
        assert isinstance(kumite.screen, NewScreen)
        assert "cannot write" in frame(kumite)
    assert no_folder.read_text() == ""


async def test_a_table_for_three_or_more_asks_what_becomes_of_who_is_gone(
    opened: list[Any],
) -> None:
    async with running(lambda: HostScreen("kitsune")) as (kumite, pilot):
        form = form_of(kumite)
        assert "Gone for good" not in frame(kumite)
        form.go("seats")
        await pilot.press("right")
        form.go("gone")
        await pilot.pause()
        assert "< wait for them >" in frame(kumite)
        assert "If all others say that a player does not come back, the table still" in words(
            kumite
        )
        await pilot.press("right")
        assert "< a bot plays on >" in frame(kumite)
        said = "all others but one (two at least) can read a hand if they cheat together."
        assert said in words(kumite), "the price of a bot only where a bot is chosen"
        await pilot.press("right")
        assert "does not come back, that player loses; for three terminals or more." in words(
            kumite
        )
        await pilot.press("left")
        form.go("go")
        await pilot.press("enter")
    ((table, _, _),) = opened
    assert table.gone == "bot"


async def test_the_bar_says_what_enter_and_the_arrows_do_to_a_value() -> None:
    async with running(SettingsScreen) as (kumite, pilot):
        assert "Enter next   ← → change" in shown(kumite, "keys")
        await pilot.press("up")  # Done
        assert "Enter choose" in shown(kumite, "keys")
        await pilot.press("down", "right")
        assert "Enter next" in shown(kumite, "keys")


@pytest.mark.parametrize("kind", [NewScreen, HostScreen])
@pytest.mark.parametrize("size", SIZES)
async def test_of_a_bot_the_line_below_tells_which_level_it_is(
    kind: type[SetupScreen], size: tuple[int, int]
) -> None:
    """The levels read 1, easy, 3, 4, medium: nobody could tell that easy is the second."""
    async with running(lambda: kind("kuzushi"), size) as (kumite, pilot):
        form = screen_of(kumite, kind).form
        form.go("player 1" if kind is HostScreen else "name 1")
        told = []
        for _ in range(len(BOT_WORDS) + 2):
            await pilot.press("right")
            told.append(" ".join(shown(kumite, "hint").split()).partition(";")[0])
        assert {f"Level {at} of 8" for at in range(1, 9)} < {*told}
