"""Themes are checked when they are loaded: what is wrong is told with its line, and not used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import settings as drawn
from hypothesis import strategies as st
from rich.color import Color, ColorSystem

from kumite.cli import doctor, opening
from kumite.cli.main import main
from kumite.core.errors import KumiteError
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.match import Match
from kumite.tui import settings
from kumite.tui.app import KumiteApp
from kumite.tui.look import colors, theme
from kumite.tui.play.local_table import LocalTable
from kumite.tui.screens import key_map
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.board import BoardWidget
from tests.support.apps import until


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], Path]:
    """Return what writes the theme `mine`."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    colors.users_folder().mkdir(parents=True)

    def write(text: str) -> Path:
        path = colors.users_folder() / "mine.toml"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[roles]\nquiett = "#ffffff"', 2, "quiett = '#ffffff' is not used: unknown name"),
        ('[app]\n\nbackground = "notacolor"', 3, "a colour is written #e6dfca"),
        ('[app]\nbackground = "#12345"', 2, "a colour is written #e6dfca"),
        ("[roles]\nkey = 3", 2, "key = 3 is not used: a colour"),
        ("[roles]\nkey = []", 2, "key = a list is not used: a colour"),
        ('[roles.key]\na = "#fff"', 1, "key = a table is not used: a colour"),
        ('roles.key = "red"', 1, "key = 'red' is not used: a colour"),
        ("roles = 3", 1, "roles = 3 is not used: [roles] is a table"),
        ("dark = 1", 1, "dark = 1 is not used: true or false"),
        ('darkk = "x"', 1, "unknown name; did you mean dark?"),
        ("title = 1", 1, "a text"),
        ("[depth-256]\nkey = 256", 2, "a whole number from 0 to 255"),
        ("[depth-256]\nkey = true", 2, "key = true is not used: a whole number"),
        ("[depth-256]\nkeyy = 3", 2, "unknown name; did you mean key?"),
        ('[games.kumo]\nquiett = "#ffffff"', 2, "quiett = '#ffffff' is not used: unknown name"),
        ("[games.kumo]\nkey = 3", 2, "key = 3 is not used: a colour"),
        ('[games.kumoo]\nkey = "#ffffff"', 1, "unknown name; did you mean kumo?"),
        ("[games]\nkumo = 3", 2, "kumo = 3 is not used: a table of colours"),
        ("games = 3", 1, "games = 3 is not used: [games] is a table"),
        ("a = 'x", 0, "(at end of document)"),
        ("x = " + "[" * 100_000, 0, "too deep"),
        ("x" + ".x" * 100_000 + " = 1", 0, "too deep"),
    ],
    ids=lambda one: str(one)[:30],
)  # fmt: skip
async def test_what_is_wrong_is_told_with_its_line_and_the_usual_colour_used(
    own: Callable[[str], Path], text: str, line: int, words: str
) -> None:
    path = own(text)
    found = colors.read("mine")
    assert len(found.wrong) == 1
    assert found.wrong[0].startswith(f"{path}:{line}: " if line else f"{path}: ")
    assert words in found.wrong[0]
    usual = colors.read("dark")
    assert (found.app, found.roles, found.drawn) == (usual.app, usual.roles, usual.drawn)
    kumite = KumiteApp(Settings(theme="mine"), HomeScreen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(kumite._notifications) == 1, "a word")
    assert found.wrong[0] in "".join(map(str, (note.message for note in kumite._notifications)))


def test_what_is_right_beside_it_is_used(own: Callable[[str], Path]) -> None:
    own('\ufeffdark = false\n[roles]\nkey = "#ABC"\nbad = 1\n[sprites]\nmine = "#010203"\n')
    found = colors.read("mine")
    assert (found.is_dark, found.color("key"), found.color("mine")) == (False, "#AABBCC", "#010203")
    assert len(found.wrong) == 1
    assert theme.load("mine").variables["key"] == "#AABBCC"


async def test_a_theme_recolours_one_game_and_no_other(own: Callable[[str], Path]) -> None:
    own('[games.kuzushi]\nseat-0 = "#123456"\nseat-0-dim = "#654321"\nfield-a = "#abc"\n')
    found = {}
    for game_id in ("kuzushi", "kumo"):
        setup = Setup.of(find(game_id))
        table = LocalTable(Match.begin(setup), ("ann", "ben"), None)
        kumite = KumiteApp(Settings(theme="mine"), lambda table=table: TableScreen(table))
        async with kumite.run_test(size=(80, 24)):
            board = kumite.screen.query_one(BoardWidget)
            base, flag = board.role_style("base-0"), board.role_style("flag-0")
            found[game_id] = [one.name for one in (base.bgcolor, flag.color, flag.bgcolor) if one]
    assert found["kuzushi"] == ["#123456", "#123456", "#654321"]
    usual = colors.read("dark")
    seat, dim = usual.color("seat-0"), usual.color("seat-0-dim")
    assert found["kumo"] == [seat, seat, dim]


def test_in_256_colours_a_game_has_its_own_colours_as_well(own: Callable[[str], Path]) -> None:
    own('[games.kuzushi]\nseat-0 = "#123456"\n')
    palette = colors.read("mine", is_full=False)
    assert palette.color("seat-0").startswith("color(")
    assert palette.of("kuzushi").pen("flag-0").ink == "#123456"
    assert palette.of("kuzushi").color("seat-1") == palette.color("seat-1")
    assert palette.of("kumo") is palette


@pytest.mark.parametrize("name", colors.names())
def test_in_256_colours_what_is_drawn_lies_on_the_same_ground_as_the_app(name: str) -> None:
    """Else large letters stand in a box: the app's own ground is rounded, not chosen by hand."""
    ground = colors.read(name, is_full=False).app["background"]
    drawn = colors.read(name, is_full=False).color("background")
    rounded = [Color.parse(one).downgrade(ColorSystem.EIGHT_BIT) for one in (ground, drawn)]
    assert rounded[0].number == rounded[1].number


def test_our_own_themes_have_nothing_wrong() -> None:
    assert colors.wrong() == ()


@given(st.text(alphabet="abk[]=\"#.\n\\'1fe{}, rolesapdth-256ky\x00\ud83e", max_size=120))
@drawn(max_examples=300)
def test_no_text_at_all_costs_a_start(text: str) -> None:
    path = colors.users_folder() / "mine.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    theme.load("mine")
    assert all("\n" not in said for said in colors.read("mine").wrong)


def test_many_mistakes_are_told_in_few_words(own: Callable[[str], Path]) -> None:
    own("[roles]\n" + "".join(f"name{n} = 1\n" for n in range(60_000)))
    found = colors.read("mine")
    assert len(found.wrong) == 21
    assert found.wrong[-1].endswith("59980 more are not used")


@pytest.mark.parametrize("name", ["a\0b", "../../etc/passwd", "", "x" * 300, "\ud800"])
def test_a_name_that_no_file_has_is_no_theme(name: str) -> None:
    with pytest.raises(KumiteError, match="no theme"):
        colors.read(name)


def test_doctor_tells_of_all_themes_and_of_keys(own: Callable[[str], Path]) -> None:
    path = own('[roles]\nquiett = "#ffffff"\n')
    settings.path().write_text('[keys]\n"table.bakc" = "x"\n"screen.help" = "hurz"\n')
    told = [(one.mark, one.text) for one in doctor.themes("themes")]
    assert [mark for mark, _ in told] == [doctor.BAD] * 3
    assert told[0][1].startswith(f"{path}:2: quiett")
    assert "[keys] has no 'table.bakc'; table.back is meant?" in told[1][1]
    assert "[keys] screen.help: there is no key 'hurz'" in told[2][1]


def test_every_id_that_a_help_shows_can_be_changed() -> None:
    assert {"table.back", "screen.help", "board.choose", "app.quit"} <= key_map.known().keys()
    usual = ("x", "N", "f5", "ctrl+r", "pageup", "left_square_bracket", "space", "+", "shift+f1")
    assert key_map.wrong(dict.fromkeys(["table.back"], ",".join(usual))) == ()


async def test_unknown_keys_are_told_when_the_app_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumite.tui.app.STARTED", 0.01)
    kumite = KumiteApp(Settings(keys={"board.upp": "w"}), HomeScreen)
    async with kumite.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: len(kumite._notifications) == 1, "a word")
        (note,) = kumite._notifications
        assert note.message == "settings: [keys] has no 'board.upp'; board.up is meant?"


def test_a_theme_of_the_settings_that_is_gone_costs_no_start_one_asked_for_is_refused() -> None:
    chosen = Settings(theme="pink", glyphs="runes")
    found, told = opening._usable(chosen, {})
    assert (found.theme, found.glyphs) == ("auto", "auto")
    assert "there is no theme 'pink'; there are contrast, dark" in told[0]
    assert "there is no glyphs 'runes'" in told[1]
    assert opening._usable(chosen, {"theme": "pink", "glyphs": "runes"}) == (chosen, ())


def test_a_theme_asked_for_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumite.cli.opening.require_terminal", lambda: None)
    done = CliRunner().invoke(main, ["--theme", "pink"])
    assert done.exit_code == 2
    assert "no theme 'pink'" in done.output
