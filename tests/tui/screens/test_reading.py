"""Pages to read: nothing is cut off, they are true about their sources, and keys can be changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.match import Match
from kumite.tui import settings
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.pixels import Brush
from kumite.tui.export.rules_page import chapters, rules_lines, rules_text
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Skin
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes.lines import line_width, plain
from kumite.tui.screens import key_map
from kumite.tui.screens.form_screen import COLUMN
from kumite.tui.screens.key_map import known
from kumite.tui.screens.puzzles import PuzzlesScreen
from kumite.tui.screens.reading import Pager, ReadingScreen, RulesScreen
from kumite.tui.screens.settings import KeysScreen, SettingsScreen, conflicts, keys_of
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import KNOWN, Settings
from tests.support.apps import app, frame, running, screen_of, shown, words


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (200, 60)])
async def test_the_rules_open_at_their_chapter_and_stay_there_when_resized(
    size: tuple[int, int],
) -> None:
    kumite = app(lambda: RulesScreen("kitsu", "Kitsu!", "Your turn"))
    async with kumite.run_test(size=size) as pilot:
        pager = kumite.screen.query_one(Pager)
        assert pager.render_line(0).text.strip() == "Your turn"
        await pilot.resize_terminal(72, 22)
        assert pager.render_line(0).text.strip() == "Your turn"
        assert "The same piece may move" in words(kumite)


@pytest.mark.parametrize("size", [(120, 36), (220, 60)], ids=str)
async def test_a_page_is_a_framed_column_in_the_middle_of_a_large_screen(
    size: tuple[int, int],
) -> None:
    async with running(lambda: RulesScreen("kitsu", "Kitsu!"), size=size) as (kumite, pilot):
        await pilot.pause()
        page = kumite.screen.query_one(Pager)
        assert page.region.width == COLUMN
        assert page.region.x * 2 + page.region.width == size[0]
        assert page.styles.border_top[0] == "round"
        assert frame(kumite).count("Kitsu!") == 1  # in the landscape, not again on the page
        await pilot.resize_terminal(80, 24)
        assert page.region.x == 0
        assert page.region.width == 80
        assert page.styles.border_top[0] == "round"


@pytest.mark.parametrize(("rows", "is_named"), [(16, False), (40, True)])
async def test_the_next_page_is_named_where_there_is_one(rows: int, is_named: bool) -> None:
    lines = tuple(((f"row {row}", ""),) for row in range(rows))
    async with running(lambda: ReadingScreen("Text", lines)) as (kumite, pilot):
        await pilot.pause()
        assert ("next page" in shown(kumite, "keys")) == is_named


async def test_a_place_that_is_broken_in_two_is_found_once() -> None:
    async with running(lambda: RulesScreen("kitsu", "Kitsu!"), size=(60, 20)) as (kumite, pilot):
        pager = kumite.screen.query_one(Pager)
        pager.search("Samurai slide and Foxes leap")
        assert pager.find(0) == (1, 1)
        pager.search("samurai")
        assert pager.find(0)[1] > 5
        await pilot.press("slash", *"nowhere", "enter")
        assert "'nowhere' is not on this page" in frame(kumite)


def test_the_page_of_keys_lists_every_id_that_the_settings_know() -> None:
    page = Path(__file__).parents[3] / "docs" / "keys.md"
    listed = re.findall(r"^\| `([a-z_0-9.]+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert listed == sorted(key_map.known())


async def test_the_help_of_a_table_names_keys_and_marks_and_no_ids() -> None:
    table = LocalTable(Match.begin(Setup.of(find("kumo"), 2)), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await pilot.press("n")
        screen = screen_of(kumite, TableScreen)
        text = "\n".join(map(plain, screen.help_lines()))
        assert "n                 next choice" in text
        assert "↑, k              up" in text
        for said in (
            "where you are",
            "chosen",
            "can be chosen",
            "captures",
            "began",
            "ended",
            "changed",
        ):
            assert said in text.partition("Marks")[2]
        for said in ("runner: goes two", "can move the stone", "has pinned", "camp of bob"):
            assert said in text.partition("On this table")[2].partition("Marks")[0]
        assert not [one for one in key_map.known() if one in text]


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=str)
@pytest.mark.parametrize("glyphs", ["letters", "ascii"])
async def test_signs_are_told_as_they_are_drawn_on_the_table(
    glyphs: str, size: tuple[int, int]
) -> None:
    table = LocalTable(Match.begin(Setup.of(find("kitsu"), 2)), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table), glyphs=glyphs, size=size) as (kumite, pilot):
        await pilot.press("n")
        screen = screen_of(kumite, TableScreen)
        lines = list(map(plain, screen.help_lines()))
        said = next(at for at, line in enumerate(lines) if "the middle of its move" in line)
        after = next(at for at in range(said + 1, len(lines)) if lines[at][12:].strip())
        assert any("*" in line[:12] for line in lines[said:after])
        assert after - said == (1 if glyphs == "ascii" else 3 if size[0] == 80 else 5)


async def test_at_a_table_the_rules_begin_with_what_the_game_is_about_then_with_the_turn() -> None:
    table = LocalTable(Match.begin(Setup.of(find("kuzushi"), 2)), ("ada", "bob"), None)
    async with running(lambda: TableScreen(table)) as (kumite, pilot):
        await pilot.press("question_mark")
        assert screen_of(kumite, RulesScreen).query_one(Pager).scroll_y == 0
        await pilot.press("q", "n", "enter", "n", "enter", "question_mark")
        assert kumite.screen.query_one(Pager).render_line(0).text.strip() == "Your turn"


async def test_the_screen_of_keys_lists_every_id_that_the_settings_know() -> None:
    async with running(KeysScreen) as (kumite, _):
        screen = screen_of(kumite, KeysScreen)
        assert {row.key for row in screen.rows()} - {""} == set(key_map.known())


def test_the_page_of_settings_lists_all_of_them() -> None:
    page = Path(__file__).parents[3] / "docs" / "settings.md"
    listed = re.findall(r"^\| `([a-z]+)` \|", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted({*KNOWN} - {"keys"})


async def test_every_setting_can_be_changed_on_the_screen() -> None:
    async with running(SettingsScreen) as (kumite, _):
        screen = screen_of(kumite, SettingsScreen)
        shown = {row.key for row in screen.rows()}
    # The mouse is given for one run, what the home screen remembers is no wish, and there are no
    # lines on a screen.
    assert {*KNOWN} - shown == {"mouse", "level", "brief", "speak"}


async def test_the_help_of_a_list_names_no_keys_for_values_that_it_has_not() -> None:
    """The list of saved matches had keys for `next value`."""
    for screen, has_values in ((PuzzlesScreen, False), (SettingsScreen, True)):
        async with running(screen, size=(80, 50)) as (kumite, pilot):
            await pilot.press("f1")
            await pilot.pause()
            assert ("next value" in frame(kumite)) == has_values


# --- Rules pages ------------------------------------------------------------------------------


every_game = pytest.mark.parametrize("game_id", GAMES)
CREDITS = {
    "kitsu": ("Griffin Cross",),
    "kitsune": ("Grrre Games", "name no author"),
    "kumo": ("Patrick Gere", "Nico Pirard", "Morning Players"),
    "kuzushi": ("Dave Balmer", "Gobico"),
    "kiriai": ("Kamibayashi", "TITANHEADS", "Mugen Gaming"),
}
SOURCES = {  # what is not in our copies of the printed rules
    "kitsu": "The picture of the board is lost",
    "kitsune": "picture of the **wisdom track** is lost",
    "kumo": "**which we do not have**",
    "kuzushi": "only one **limit** of the board",
    "kiriai": "no pictures of the **fields**",
}
WORDS = {
    "kitsu": ("Spirit Realm", "Seasonal Realms"),
    "kitsune": ("absolute wisdom",),
    "kumo": ("Kumotori", "Simple movement", "Imprison", "counterclockwise"),
    "kuzushi": ("flag", "base", "city", "island"),
    "kiriai": (
        *("Kesa Giri 袈裟", "Zan-Tetsu 斬鉄", "Counterattack 返斬", "High Strike 唐竹"),
        *(
            "Low Strike 斬上",
            "Balanced Strike 水平",
            "Side Strike",
            "**Heaven** (天",
            "**Earth** (地",
        ),
    ),
}


def joined(text: str) -> str:
    return re.sub(r"\s+", " ", text)


@every_game
def test_a_page_names_author_publisher_sources_and_the_words_of_the_box(game_id: str) -> None:
    page = joined(rules_text(game_id))
    assert not [said for said in (*CREDITS[game_id], SOURCES[game_id]) if said not in page]
    assert not [said for said in WORDS[game_id] if said not in page]
    assert not re.search(r"wrestlers? |counter-clockwise", page.replace("wrestlers of the", ""))


@every_game
def test_a_page_says_who_begins_and_explains_moves_before_notation(game_id: str) -> None:
    page = rules_text(game_id)
    begins = page.index("## Who begins")
    assert re.search("alternate|order of the seats|same time", page[begins : begins + 600])
    moves = {"kitsu": "**Slide.**", "kumo": "## The six stances", "kitsune": "## Tokens"}
    assert begins < page.index(moves.get(game_id, "## Your turn")) < page.index("## The steps")


@pytest.mark.parametrize(
    ("game_id", "seats", "options", "has", "lacks"),
    [
        ("kumo", 2, {"limit": "40"}, ("After 40 turns",), ("## Four seats", "block=hold` your")),
        ("kumo", 4, {"block": "hold"}, ("## Four seats", "may stay"), ("First of all, though",)),
        ("kitsu", 2, {"limit": "60"}, ("turn 60 ends",), ("turn 100 ends",)),
        ("kitsune", 6, {"wins": "1"}, ("6 players: five", "1 rounds"), ("2 players: six",)),
        ("kiriai", 2, {"rounds": "20"}, ("round 20 is over",), ("On the advanced field",)),
        ("kiriai", 2, {"field": "advanced"}, ("On the advanced field",), ()),
        ("kuzushi", 3, {"board": "small"}, ("5x5   6x6",), ("6x6   7x7   8x8   9x9  10x10",)),
    ],
)
def test_a_page_follows_the_options_of_the_match(
    game_id: str, seats: int, options: dict[str, str], has: tuple[str, ...], lacks: tuple[str, ...]
) -> None:
    page = rules_text(game_id, Setup.of(find(game_id), seats, options))
    assert not [said for said in has if said not in joined(page) and said not in page]
    assert not [said for said in lacks if said in joined(page)]
    assert not re.search("<!-- (only|end|limit|rounds)", page)
    assert "<!-- only" not in rules_text(game_id)


@every_game
def test_the_sprites_that_a_page_names_are_drawn_above_their_names(game_id: str) -> None:
    named = re.findall(r"<!-- (?:pieces|mats|cards) (.*?) -->", rules_text(game_id), re.DOTALL)
    assert named
    lines = rules_lines(game_id, Brush(Skin()), LETTERS)
    for names in named:
        labels = [name.rpartition("-")[2] for name in names.split()]
        at = next(n for n, line in enumerate(lines) if plain(line).split() == labels)
        assert max(map(line_width, lines[at - 5 : at + 1])) <= 58
        assert sum("▀" in plain(line) for line in lines[at - 5 : at]) >= 3
    for brush in (Brush(None, False), Brush(Skin(), False)):
        text = [plain(line) for line in rules_lines(game_id, brush, LETTERS)]
        assert not [line for line in text if "<!--" in line or line.split() == labels]
    assert not [text for text in chapters(game_id).values() if "<!--" in text]


@pytest.mark.parametrize("glyphs", ["kanji", "ascii"])
@every_game
async def test_within_a_match_its_set_up_and_the_real_board_are_shown(
    game_id: str, glyphs: str
) -> None:
    seats = GAMES[game_id].SEATS[-1]
    names = tuple(f"p{seat}q" for seat in range(seats))
    table = LocalTable.begin(Setup.of(find(game_id), seats), names)
    kumite = KumiteApp(Settings(glyphs=glyphs, motion="off"), lambda: TableScreen(table))
    async with kumite.run_test(size=(60, 20)) as pilot:
        await pilot.pause()
        screen = screen_of(kumite, TableScreen)
        screen.action_rules()
        await pilot.pause()
        page = screen_of(kumite, RulesScreen)
        text = "\n".join(map(plain, page.lines))
        assert "Seats: 1 p0q, 2 p1q" in text
        assert "This match: " in text
        assert not {"<!--", "](", "0C", "1f"} & set(text.split())
        assert "![" not in text
        drawn = [line for line in page.lines if line[:1] == (("  ", ""),)]
        assert drawn, "no board is drawn"
        assert max(map(line_width, drawn)) <= 60


# --- All keys are shown, and changed where nothing else has them ------------------------------


def read() -> dict[str, str]:
    return dict(settings.read().settings.keys)


async def change(pilot: Pilot[None], name: str, key: str) -> None:
    screen = screen_of(pilot.app, KeysScreen)
    screen.form.go(name)
    await pilot.press("enter", key)
    await pilot.pause()


async def test_a_key_is_changed_at_once_kept_and_given_back() -> None:
    settings.path().parent.mkdir(parents=True, exist_ok=True)
    settings.path().write_text('[keys]\n# mine\n"home.play" = "f6"\n', encoding="utf-8")
    async with running(SettingsScreen) as (kumite, pilot):
        screen = screen_of(kumite, SettingsScreen)
        screen.form.go("keys")
        await pilot.press("enter")
        await change(pilot, "table.back", "f9")
        assert "F9" in next(line for line in frame(kumite).split("\n") if "> " in line)
        assert kumite.settings.keys["table.back"] == "f9"
        await change(pilot, "table.back", "escape")  # leaves it as it is
        assert read()["table.back"] == "f9"
        text = settings.path().read_text(encoding="utf-8")
        assert "# mine" in text
        assert '"table.back" = "f9"' in text
        await pilot.press("x")
        await pilot.pause()
        assert "table.back" not in kumite.settings.keys
    assert "table.back" not in read()
    settings.path().unlink()


async def test_a_key_that_is_taken_is_refused_with_its_owner() -> None:
    async with running(KeysScreen) as (kumite, pilot):
        for name, key, other in (
            ("table.back", "i", "hint"),
            ("board.next", "i", "hint"),
            ("table.back", "question_mark", "help"),
        ):
            await change(pilot, name, key)
            assert f"{other})" in shown(kumite, "hint")
            assert name not in kumite.settings.keys
        await change(pilot, "table.back", "f8")  # free at a table
        assert kumite.settings.keys["table.back"] == "f8"
    Path(settings.path()).unlink(missing_ok=True)


def test_every_key_can_be_given_to_what_has_it() -> None:
    for name in known():
        for key in keys_of(name, {}):
            assert conflicts(name, key, {}) == [], (name, key)
