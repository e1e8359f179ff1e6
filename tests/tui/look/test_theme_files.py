"""Theme files, and what can be told apart in them: by contrast, by eyes of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, product
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import settings as drawn
from hypothesis import strategies as st
from rich.color import Color, ColorSystem, blend_rgb

from kumite.cli import app_start, doctor
from kumite.cli.main import main
from kumite.core.errors import KumiteError
from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.match import Match
from kumite.tui import settings
from kumite.tui.app import KumiteApp
from kumite.tui.drawing.cards import Lying, card_rows
from kumite.tui.drawing.grid import BoardMarks, glyphs
from kumite.tui.drawing.pixels import SKY, Brush, brush_for, first_of
from kumite.tui.drawing.squares import UNMARKED, square
from kumite.tui.look import colors, theme
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import SEAT, Skin
from kumite.tui.play.local_table import LocalTable
from kumite.tui.scenes import maker_of
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Cell
from kumite.tui.scenes.pictures import Card
from kumite.tui.screens import key_map
from kumite.tui.screens.home import HomeScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings
from kumite.tui.widgets.board import BoardWidget
from tests.support.apps import until
from tests.support.contrast import (
    COLOURED,
    DEPTHS,
    FAINT_SEATS,
    FEW,
    PIECE,
    SIXTEEN,
    TEXT,
    Depth,
    Rgb,
    every_role,
    one_of_sixteen,
    ratio,
)
from tests.support.random_matches import short_setup, walk
from tests.support.scene_laws import NAMES


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
        ("[depth-16]\nkey = 16", 2, "a whole number from 0 to 15"),
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
    told = [*doctor.themes()]
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
    found, told = app_start._usable(chosen, {})
    assert (found.theme, found.glyphs) == ("auto", "auto")
    assert "there is no theme 'pink'; there are contrast, dark" in told[0]
    assert "there is no glyphs 'runes'" in told[1]
    assert app_start._usable(chosen, {"theme": "pink", "glyphs": "runes"}) == (chosen, ())


def test_a_theme_asked_for_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumite.cli.app_start.require_terminal", lambda: None)
    done = CliRunner().invoke(main, ["--theme", "pink"])
    assert done.exit_code == 2
    assert "no theme 'pink'" in done.output


# --- Contrast ---------------------------------------------------------------------------------


if TYPE_CHECKING:
    from rich.color_triplet import ColorTriplet

    Paint = Callable[[str], Rgb]

MARK, FAINT = 3.0, 2.5  # least ratio of brightness to what is below; of dots where nothing lies
GROUND = 1.5  # and of two grounds that say different things
COLOURED_GROUND = 20  # by how much a season's parts of colour differ at least, of 255
COLOURFUL = 50  # by how much more a rounded colour's parts may differ, of 255
FAR = {"seats": 55, "seasons": 40, "shut": 27, "paper": 36}  # least distance of colours, of 441
SEASONS = ("spring", "summer", "autumn", "winter")
CHECKS = (*SEASONS, *(f"{name}-shut" for name in SEASONS), "arena", "edge-0", "edge-1")
LAST = (*SEASONS, "shut", "arena", "edge-0", "edge-1", "field", "land")
GROUNDS = (
    *(f"{name}-{which}" for name in (*CHECKS, "field", "land") for which in "ab"),
    *(f"{name}-last" for name in LAST),
    *(f"seat-{seat}-{below}" for seat in range(6) for below in ("dim", "flag")),
)
MARKS = ("cursor", "target-mark", "last", "changed")
PAPERS = ("background", "ground", "surface")
STANDS: dict[tuple[str, ...], tuple[str, ...]] = {  # pieces, and all that they can stand on
    ("seat-0", "seat-1"): (
        *(f"{name}{shut}-{which}" for name in SEASONS for shut in ("", "-shut") for which in "ab"),
        "chosen",
        "capture",
    ),
    ("paper",): ("mat-0", "mat-1"),
    ("stone",): tuple(
        f"{name}-{which}" for name in ("arena", "edge-0", "edge-1") for which in "ab"
    ),
    ("contested",): ("field-a", "field-b", "land-a", "land-b"),
    **{(f"seat-{seat}",): (f"seat-{seat}-dim", f"seat-{seat}-flag") for seat in range(6)},
}
NOT_READ = {
    "fits",
    "kuzushi.outside",
    *(f"kitsu.{name}" for name in SEASONS),
}  # signs of squares on which nothing lies
BY_SHAPE = {"mono", "sixteen"}  # themes in which signs and words tell what colours cannot

themes = pytest.mark.parametrize("name", colors.names())
depths = pytest.mark.parametrize("is_full", [True, False], ids=["full", "256"])


def paint(name: str, *, is_full: bool) -> Paint:
    """Return what makes a colour of a theme of its name, as a terminal of that depth shows it.

    A woven ground has one dot of its own to three of the first ground of its pair.
    """
    palette = colors.read(name, is_full=is_full)
    woven = brush_for(Skin(), LETTERS, palette).woven

    def shown(color: str) -> ColorTriplet:
        found = Color.parse(palette.color(color))
        dots = (found if is_full else found.downgrade(ColorSystem.EIGHT_BIT)).get_truecolor()
        return blend_rgb(shown(first_of(color)), dots, 0.25) if color in woven else dots

    return shown


def too_low(of: Paint, pairs: Iterable[tuple[str, str]], least: float) -> dict[str, float]:
    found = {f"{ink} on {paper}": ratio(of(ink), of(paper)) for ink, paper in pairs}
    return {said: round(value, 2) for said, value in found.items() if value < least}


def too_near(of: Paint, pairs: Iterable[tuple[str, str]], least: float) -> dict[str, int]:
    def distance(one: str, other: str) -> float:
        return sum((a - b) ** 2 for a, b in zip(of(one), of(other), strict=True)) ** 0.5

    found = {f"{one}, {other}": distance(one, other) for one, other in pairs}
    return {said: round(value) for said, value in found.items() if value < least}


def texts(name: str) -> list[tuple[str, str]]:
    """Return all that is read in a theme, each ink with what it is written on."""
    read = {role: found for role, found in every_role().items() if role not in NOT_READ}
    pairs = [
        (ink, one) for ink, paper, _ in read.values() for one in ((paper,) if paper else PAPERS)
    ]
    if name not in BY_SHAPE:
        pairs += [("note", "paper"), ("foreground", "paper-dim"), ("quiet", "felt")]
    unlit = [one for one in GROUNDS if not one.endswith("-last")]
    pairs += [("last", one) for one in unlit]  # numbers of paths
    pairs += [("foreground", one) for one in unlit if one.startswith(SEASONS)]  # their names
    return pairs


@themes
@depths
def test_what_is_written_can_be_read(name: str, is_full: bool) -> None:
    assert not too_low(paint(name, is_full=is_full), texts(name), TEXT)


@themes
@depths
def test_the_bar_over_a_card_is_seen_between_the_card_and_the_ground(
    name: str, is_full: bool
) -> None:
    """It was as light as the paper below it, without an edge."""
    of = paint(name, is_full=is_full)
    assert not too_low(of, [("ink", "paper")], PIECE)
    assert max(ratio(of(one), of("background")) for one in ("cursor", "ink")) >= PIECE


def test_a_theme_can_name_each_of_the_sixteen_colours(own: Callable[[str], Path]) -> None:
    for number in range(16):
        own(f"[depth-16]\nkey = {number}\n")
        found = Color.parse(colors.read("mine", is_full=False, is_few=True).color("key"))
        assert found.downgrade(ColorSystem.STANDARD).number == number


@pytest.mark.parametrize("terminal", SIXTEEN)
@pytest.mark.parametrize("name", FEW)
def test_what_is_written_can_be_read_in_sixteen_colours(name: str, terminal: str) -> None:
    palette = colors.read(name, is_full=False, is_few=True)

    def of(color: str) -> Rgb:
        return one_of_sixteen(palette.color(color), terminal)

    faint, pairs = FAINT_SEATS.get(name, set()), texts(name)
    assert not too_low(of, [one for one in pairs if not faint & {*one}], TEXT)
    assert not too_low(of, pairs, PIECE)
    assert len({of(f"seat-{seat}") for seat in range(6)}) == 6 or palette.has_signs
    css = theme.load(name, is_few=True)
    assert css.variables["title"] == palette.color("title")
    assert css.background == palette.color("background")


@themes
def test_signs_of_squares_on_which_nothing_lies_are_seen(name: str) -> None:
    found = {role: every_role()[role] for role in NOT_READ}
    pairs = [
        (ink, one)
        for ink, paper, _ in found.values()
        for one in ((paper,) if paper else PAPERS[:2])
    ]
    assert not too_low(paint(name, is_full=True), pairs, FAINT)


def test_the_theme_without_colours_has_none_in_what_is_written() -> None:
    of = paint("mono", is_full=True)
    names = {name for ink, paper, _ in every_role().values() for name in (ink, paper) if name}
    assert [name for name in (*names, "blue", "orange") if len({*of(name)}) > 1] == []


def test_the_contrast_is_counted_as_others_do() -> None:
    assert ratio((0, 0, 0), (255, 255, 255)) == 21
    assert round(ratio((0x77, 0x77, 0x77), (255, 255, 255)), 2) == 4.48


@themes
@depths
def test_marks_are_seen_on_every_ground(name: str, is_full: bool) -> None:
    pairs = [(mark, ground) for mark in MARKS for ground in GROUNDS]
    framed = [("chosen-edge", "chosen"), ("capture-edge", "capture")]
    assert not too_low(paint(name, is_full=is_full), pairs + framed, MARK)


def test_of_sixteen_colours_those_count_that_are_shown() -> None:
    """The nearest of the sixteen to #808080 is the light grey, on which no white arrow is seen."""
    palette = colors.read("sixteen")

    def of(color: str) -> ColorTriplet:
        return Color.parse(palette.color(color)).downgrade(ColorSystem.STANDARD).get_truecolor()

    assert not too_low(of, [("last", f"{one}-last") for one in LAST], MARK)


@depths
@pytest.mark.parametrize("name", sorted(set(colors.names()) - BY_SHAPE))
def test_whose_a_piece_is_and_which_season_is_open_is_seen_by_colour(
    name: str, is_full: bool
) -> None:
    of = paint(name, is_full=is_full)
    seats = combinations([f"seat-{seat}" for seat in range(6)], 2)
    assert not too_near(of, seats, FAR["seats"])
    assert not too_near(of, combinations([f"{one}-a" for one in SEASONS], 2), FAR["seasons"])
    assert not too_near(of, [(f"{one}-a", f"{one}-shut-a") for one in SEASONS], FAR["shut"])


@depths
@pytest.mark.parametrize("name", sorted(set(colors.names()) - {"mono"}))
def test_pieces_stand_out_from_all_that_they_can_stand_on(name: str, is_full: bool) -> None:
    pairs = [(one, ground) for some in STANDS for one in some for ground in STANDS[some]]
    assert not too_low(paint(name, is_full=is_full), pairs, PIECE)


@depths
@pytest.mark.parametrize("name", sorted(set(colors.names()) - BY_SHAPE))
def test_grounds_differ_in_brightness_and_pattern(name: str, is_full: bool) -> None:
    """What is shut is no checkerboard; what the last step left or reached is none either."""
    of = paint(name, is_full=is_full)
    shut = [(f"{one}-{which}", f"{one}-shut-{which}") for one in SEASONS for which in "ab"]
    last = [
        (f"{one}-last", f"{one}-{which}" if one != "shut" else f"spring-shut-{which}")
        for one in LAST
        for which in "ab"
    ]
    land = [("frontier", f"seat-{seat}-{on}") for seat in range(6) for on in ("dim", "flag")]
    land += [("frontier", mark) for mark in MARKS]  # it is none of them
    assert not too_low(of, shut + last + land, GROUND)
    assert not too_near(of, [("frontier", "field-last")], FAR["seasons"])
    assert all(of(f"{one}-shut-a") == of(f"{one}-shut-b") for one in SEASONS)
    assert of("arena-a") != of("arena-b")
    open_ = [of(f"{one}-{which}") for one in SEASONS for which in "ab"]
    assert len(set(open_)) == 2 * len(SEASONS)
    assert min(max(one) - min(one) for one in open_) >= COLOURED_GROUND  # autumn was grey


@depths
@pytest.mark.parametrize("name", sorted(set(colors.names()) - BY_SHAPE))
def test_squares_of_the_arena_differ_less_than_the_arena_and_its_edges(
    name: str, is_full: bool
) -> None:
    of = paint(name, is_full=is_full)
    squares = [f"arena-{which}" for which in "ab"]
    edges = [f"edge-{side}-{which}" for side in (0, 1) for which in "ab"]
    (apart,) = too_near(of, [(squares[0], squares[1])], 1000).values()
    assert not too_near(of, product(squares, edges), apart)


@pytest.mark.parametrize(
    ("name", "has_colors", "has_many", "drawn"),
    [
        ("auto", True, True, "dark"),
        ("auto", True, False, "sixteen"),
        ("dark", True, False, "sixteen"),
        *(
            (name, False, has_many, "mono")
            for name in ("auto", *colors.names(), "mine")
            for has_many in (False, True)
        ),
        ("contrast", True, True, "contrast"),
        ("contrast", True, False, "sixteen"),  # rounded it would have red pieces on red
        ("light", True, False, "light"),
    ],
)
def test_a_theme_is_drawn_in_the_colours_that_there_are(
    name: str, has_colors: bool, has_many: bool, drawn: str
) -> None:
    assert colors.fitting(name, has_colors=has_colors, has_many=has_many) == drawn


def test_in_sixteen_colours_the_rows_along_two_camps_have_the_colours_of_their_sides() -> None:
    palette = colors.read("sixteen")

    def shown(color: str) -> int | None:
        return Color.parse(palette.color(color)).downgrade(ColorSystem.STANDARD).number

    edges = [{shown(f"edge-{side}-{which}") for which in "ab"} for side in (0, 1)]
    assert edges == [{shown("camp-0")}, {shown("camp-1")}]
    grounds = ("arena-a", "edge-0-a", "edge-1-a", "mat-0", "mat-1")
    assert len({shown(one) for one in grounds}) == len(grounds)


@pytest.mark.parametrize("name", COLOURED)
def test_in_256_colours_skies_and_bridges_are_no_bars_of_bright_colours(name: str) -> None:
    full, few = (paint(name, is_full=is_full) for is_full in (True, False))
    bright = {
        color: found
        for color in (*SKY, "bridge", "bridge-dark")
        for found in [[max(of(color)) - min(of(color)) for of in (full, few)]]
        if found[1] > found[0] + COLOURFUL
    }
    assert bright == {}


@themes
@depths
def test_a_card_has_edges_where_no_line_shows_them(name: str, is_full: bool) -> None:
    of = paint(name, is_full=is_full)
    pairs = [("paper", "background"), ("paper", "felt"), ("paper", "paper-dim")]
    assert not too_near(of, pairs, FAR["paper"])


@pytest.mark.parametrize("terminal", SIXTEEN)
@pytest.mark.parametrize("name", FEW)
def test_a_card_differs_from_what_it_lies_on_in_sixteen_colours(name: str, terminal: str) -> None:
    """A hand was white on white in the light theme."""
    palette = colors.read(name, is_full=False, is_few=True)
    brush = brush_for(Skin(), LETTERS, palette, has_many=False)
    lowest = card_rows(Card(rank="4"), Lying(), brush, (9, 6))[-2]
    edge = lowest[0][1].partition("/")[0] if lowest[0][0] == "▌" else ""
    grounds = {"background", "felt", *(("paper", "paper-dim") if edge else ())}
    shown = (edge,) if edge else ("paper", "paper-dim")

    def of(color: str) -> Rgb:
        return one_of_sixteen(palette.color(color), terminal)

    assert not too_low(of, product(shown, grounds), GROUND)


# --- Eyes that do not see all colours ---------------------------------------------------------


# Matrices: Machado, Oliveira, Fernandes: A Physiologically-based Model for Simulation of Color
# Vision Deficiency (IEEE TVCG 15, 2009), severity 1.0, for linear RGB. Difference: CIEDE2000, as
# in Sharma, Wu, Dalal: The CIEDE2000 Color-Difference Formula (2005).
Lab = tuple[float, float, float]
SEEN_BY = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
TO_XYZ = (  # of sRGB, D65; divided by the white point
    (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
)


def seen(color: Rgb, vision: str) -> Lab:
    """Return a colour as somebody with that vision sees it, in CIELAB."""
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in _parts(color)]
    linear = [min(1.0, max(0.0, x)) for x in _times(SEEN_BY[vision], linear)]
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in _times(TO_XYZ, linear)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _parts(color: Rgb) -> list[float]:
    return [one / 255 for one in color]


def _times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def difference(one: Lab, other: Lab) -> float:
    """Return ΔE2000 of two colours; 1 is just visible, 12 is seen at a glance."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean_c = (hypot(a1, b1) + hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    c1, c2 = hypot(stretch * a1, b1), hypot(stretch * a2, b2)
    h1, h2 = (
        degrees(atan2(b, stretch * a)) % 360 if hypot(a, b) else 0.0
        for a, b in ((a1, b1), (a2, b2))
    )
    apart = h2 - h1
    if c1 * c2 == 0:
        apart, middle = 0.0, h1 + h2
    elif abs(apart) <= 180:
        middle = (h1 + h2) / 2
    else:
        apart -= 360 if apart > 0 else -360
        middle = (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2
    light, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    hues = 2 * sqrt(c1 * c2) * sin(radians(apart / 2))
    weight = (
        1
        - 0.17 * cos(radians(middle - 30))
        + 0.24 * cos(radians(2 * middle))
        + 0.32 * cos(radians(3 * middle + 6))
        - 0.20 * cos(radians(4 * middle - 63))
    )
    by_light = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / sqrt(20 + (light - 50) ** 2))
    by_chroma = (c2 - c1) / (1 + 0.045 * chroma)
    by_hue = hues / (1 + 0.015 * chroma * weight)
    turned = -2 * sqrt(chroma**7 / (chroma**7 + 25**7))
    turned *= sin(radians(60 * exp(-(((middle - 275) / 25) ** 2))))
    return sqrt(by_light**2 + by_chroma**2 + by_hue**2 + turned * by_chroma * by_hue)


FAR_ENOUGH = 12  # least ΔE2000 of two colours that no sign tells apart
SIZES = ((20, 10), (8, 4), (5, 2), (4, 2), (3, 1))
SEATS = [(one, seats) for one, game in GAMES.items() for seats in game.SEATS]
APART = [("edge-0-a", "edge-1-a"), ("camp-0", "camp-1"), ("mat-0", "mat-1")]  # of two sides
many_colours = pytest.mark.parametrize(
    "depth",
    [one for one in DEPTHS if one.theme in COLOURED],
    ids=lambda one: f"{one.theme}-{one.system.name}",
)


def owned(game_id: str, seats: int) -> dict[int, Cell]:
    """Return a piece of each owner, in the order of seats."""
    found: dict[int, Cell] = {}
    for steps in (12, 40):
        match = walk(short_setup(game_id, seats), 1, steps)
        board = maker_of(game_id).scene(match.state, NAMES[:seats], LETTERS, None).board
        found |= {cell.owner: cell for row in board.rows for cell in row if cell.owner is not None}
    return dict(sorted(found.items()))


def signs(cell: Cell, brush: Brush, size: tuple[int, int]) -> set[str]:
    """Return the signs of seats on a square."""
    rows = square(cell, UNMARKED, brush, *size) or glyphs(cell, BoardMarks(), *size)
    return {one for row in rows for one in plain(row)} & {*LETTERS.solid, *LETTERS.hollow}


def confused(depth: Depth, one: str, other: str) -> list[str]:
    """Return for whom two colours look alike."""
    pair = [depth.rgb(depth.palette.color(name)) for name in (one, other)]
    return [
        vision
        for vision in SEEN_BY
        if difference(*(seen(color, vision) for color in pair)) < FAR_ENOUGH
    ]


@many_colours
@pytest.mark.parametrize(("game_id", "seats"), SEATS)
def test_whose_a_piece_is_is_told_by_colour_or_sign(game_id: str, seats: int, depth: Depth) -> None:
    brush = brush_for(Skin(), LETTERS, depth.palette, has_many=depth.has_many)
    cells = owned(game_id, seats)
    assert not cells or len(cells) == (2 if game_id == "kumo" else seats)
    alike = {}
    for (one, other), size in product(combinations(cells.values(), 2), SIZES):
        if signs(one, brush, size) != signs(other, brush, size):
            continue
        assert len(cells) == 2  # of more, each has a sign
        colours = (cell.mat or f"{SEAT}-{cell.owner}" for cell in (one, other))
        if found := confused(depth, *colours):
            alike[one.owner, other.owner, size] = found
    assert alike == {}


@many_colours
def test_grounds_that_have_no_sign_are_told_by_their_colours(depth: Depth) -> None:
    assert {pair: found for pair in APART if (found := confused(depth, *pair))} == {}


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.0, 2.0), (50.0, 0.0, 0.0), 2.3669),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_difference_of_colours_is_that_of_its_authors_table(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert difference(one, other) == pytest.approx(expected, abs=1e-4)


def test_greys_look_the_same_to_everybody() -> None:
    for vision in SEEN_BY:
        light, *colour = seen((128, 128, 128), vision)
        assert light == pytest.approx(53.585, abs=0.01)
        assert colour == pytest.approx([0, 0], abs=0.02)
