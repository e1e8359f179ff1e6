"""The home screen as a picture: what is dropped in small windows, and shapes without colours."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kumite.core.games import GAMES, NAMES
from kumite.tui.drawing import home, landscape
from kumite.tui.drawing.home import CONTINUE, GAME, TABLE, Entry, Home, beside, drawn
from kumite.tui.drawing.lettering import LETTERS as FONT
from kumite.tui.drawing.lettering import large
from kumite.tui.drawing.panel import panel
from kumite.tui.drawing.pixels import Brush, lay, lit_blocks, sky, written_over
from kumite.tui.drawing.places import Place
from kumite.tui.look import glyphs
from kumite.tui.look.sprites import Picture, Skin
from kumite.tui.scenes.about import About, about
from kumite.tui.scenes.lines import line_width, plain
from kumite.tui.screens.home import ENTRIES

SIZES = [(60, 18), (72, 20), (80, 21), (80, 22), (100, 28), (120, 34), (160, 48), (220, 58)]
FULL, PLAIN, TEXT = Brush(Skin()), Brush(Skin(), False, "ABCDEF"), Brush(None)
BRUSHES = {"full": FULL, "sixteen": Brush(Skin(), False), "mono": PLAIN, "ascii": TEXT}
KEYS = {*(f"{GAME}{game}" for game in NAMES), *(entry.key for entry in ENTRIES)}
HOME = Home(NAMES, "kumo", f"{GAME}kumo", (), ENTRIES)
UNFINISHED = ("Kumo Hogosha against bot medium", "step 18", "over the LAN", "yesterday")


def text(home_: Home, size: tuple[int, int], brush: Brush = FULL) -> str:
    look = glyphs.LETTERS if brush.skin else glyphs.ASCII
    return "\n".join(plain(line).rstrip() for line in drawn(home_, brush, look, *size).lines)


@pytest.mark.parametrize("size", [size for size in SIZES if size[0] > 60], ids=str)
def test_every_tile_says_how_long_its_game_takes(size: tuple[int, int]) -> None:
    said = text(HOME, size)
    assert len(re.findall(r"\b\d+ min\b", said)) == len(NAMES)


# --- The whole --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", BRUSHES)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("unfinished", [(), UNFINISHED], ids=["new", "unfinished"])
def test_it_fills_every_window_and_all_can_be_chosen(
    size: tuple[int, int], kind: str, unfinished: tuple[str, ...]
) -> None:
    look = glyphs.ASCII if kind == "ascii" else glyphs.LETTERS
    tables = (Entry(f"{TABLE}a", "", "ada", "Kuzushi, 1 free seat"),)
    made = drawn(replace(HOME, unfinished=unfinished, tables=tables), BRUSHES[kind], look, *size)
    columns, rows = size
    assert len(made.lines) <= rows
    assert all(line_width(line) <= columns for line in made.lines)
    assert set(made.places) >= KEYS | ({CONTINUE} if unfinished else set())
    taken: set[tuple[int, int]] = set()
    for place in made.places.values():
        cells = {
            (x, y)
            for x in range(place.x, place.x + place.width)
            for y in range(place.y, place.y + place.height)
        }
        assert not cells & taken
        assert all(0 <= x < columns and 0 <= y < len(made.lines) for x, y in cells)
        taken |= cells
    said = "\n".join(map(plain, made.lines))
    for game in NAMES:
        assert about(game).name in said
    for entry in ENTRIES:
        assert f"{entry.letter} {entry.label}" in said


def test_the_landscape_goes_first_then_the_pictures_of_the_games() -> None:
    spacious, shorter, small = text(HOME, (80, 22)), text(HOME, (80, 17)), text(HOME, (60, 18))
    assert home.TITLE not in spacious
    assert "▀" in shorter
    assert home.TITLE in shorter
    assert "▀" not in small
    assert home.TITLE in small
    assert "2, 4 or 6 players" in small


def test_what_is_unfinished_loses_its_details_before_its_name_where_it_is_narrow() -> None:
    wide = text(replace(HOME, unfinished=UNFINISHED), (100, 28))
    narrow = text(replace(HOME, unfinished=UNFINISHED), (60, 18))
    assert "continue   Kumo Hogosha against bot medium, step 18, over the LAN, yesterday" in wide
    assert "continue   Kumo Hogosha against bot medium, yesterday" in narrow


def test_large_windows_have_panels_with_the_tables_on_the_lan() -> None:
    tables = tuple(Entry(f"{TABLE}{n}", "", f"host {n}", "Kuzushi, full") for n in range(9))
    assert "No table is open" in text(replace(HOME, is_looking=True), (160, 48))
    assert "No table is open" not in text(HOME, (160, 48))  # nobody has looked
    said = text(replace(HOME, tables=tables), (160, 48))
    assert "Open tables" in said
    assert [f"host {n}" in said for n in range(9)] == [True] * 6 + [False] * 3


def test_the_tile_under_the_cursor_has_a_frame_and_no_other() -> None:
    lines = drawn(HOME, FULL, glyphs.LETTERS, 80, 22)
    place = lines.places[f"{GAME}kumo"]
    row = plain(lines.lines[place.y])
    assert row[place.x] == "┏"
    assert row[place.x + place.width - 1] == "┓"
    assert "\n".join(map(plain, lines.lines)).count("┏") == 1
    for brush in BRUSHES.values():
        elsewhere = text(replace(HOME, at="rules"), (80, 22), brush)
        assert "┏" not in elsewhere
        if brush.skin:
            assert elsewhere.count("▶") == 1  # the game that is meant
    assert "> r rules" in elsewhere


@pytest.mark.parametrize("kind", ["full", "sixteen", "mono"])
@pytest.mark.parametrize("size", [(80, 22), (120, 34), (120, 40), (160, 48)], ids=str)
def test_six_games_have_tiles_in_which_no_word_is_cut(size: tuple[int, int], kind: str) -> None:
    more = replace(HOME, games=(*NAMES[:5], "kumo"), at="rules", game="kuzushi")
    said = text(more, size, BRUSHES[kind])
    assert "six duels in" in said.replace("▀", " ")  # of the landscape behind it
    for game in map(about, more.games):
        assert re.search(rf"(^|[^\w]){re.escape(game.name)}($|[^\w])", said, re.MULTILINE)
    assert said.count(about("kumo").name) == 2
    assert about("kuzushi").sentence.split()[-1] in said  # it is read below, or on its tile
    whole = drawn(more, BRUSHES[kind], glyphs.LETTERS, *size).places[f"{GAME}kuzushi"]
    assert whole.height > 1


# --- The cursor -------------------------------------------------------------------------------


def test_a_step_leads_to_the_nearest_in_its_direction() -> None:
    places = {
        "a": Place(0, 0, 10, 5),
        "b": Place(12, 0, 10, 5),
        "wide": Place(0, 6, 30, 1),
        "c": Place(0, 8, 10, 1),
        "d": Place(12, 8, 10, 1),
    }
    for at, step, to in (
        ("a", (1, 0), "b"),
        ("b", (1, 0), "b"),
        ("b", (-1, 0), "a"),
        ("a", (0, 1), "wide"),
        ("b", (0, 1), "wide"),
        ("wide", (0, 1), "c"),
        ("c", (0, -1), "wide"),
        ("d", (-1, 0), "c"),
        ("c", (0, 1), "c"),
    ):
        assert beside(places, at, *step) == to, (at, step)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_everything_is_reached_with_arrows_from_everywhere(size: tuple[int, int]) -> None:
    tables = tuple(Entry(f"{TABLE}{n}", "", f"host {n}", "Kuzushi, full") for n in range(3))
    shown = replace(HOME, unfinished=UNFINISHED, tables=tables)
    places = drawn(shown, FULL, glyphs.LETTERS, *size).places
    for start in places:
        reached, new = {start}, [start]
        while new:
            at = new.pop()
            for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if (to := beside(places, at, *step)) not in reached:
                    reached.add(to)
                    new.append(to)
        assert reached == set(places), start


# --- Landscape and pixels ---------------------------------------------------------------------


@pytest.mark.parametrize("rows", [7, 9, 12, 15, 18, 24])
@pytest.mark.parametrize("columns", [72, 80, 120, 160, 220])
def test_the_landscape_has_no_holes_and_everything_in_it(columns: int, rows: int) -> None:
    picture = landscape.landscape(FULL, columns, rows)
    assert (picture.width, picture.height) == (columns, 2 * rows)
    assert all(len(row) == columns and all(row) for row in picture.rows)
    colors = {color for row in picture.rows for color in row}
    assert {"paper", "red", "orange", "white", "shadow", "stage-1"} <= colors
    bare = landscape.landscape(FULL, columns, rows, has_name=False)
    assert sum(row.count("paper") for row in bare.rows) == 0
    lines = landscape.landscape_rows(FULL, columns, rows)
    assert len(lines) == rows
    assert all(line_width(line) == columns for line in lines)
    below = picture.rows[2 * landscape.below_name(rows)]
    assert "paper" not in below


@pytest.mark.parametrize("rows", range(8, 25))
@pytest.mark.parametrize("columns", [40, 60, 71])
def test_nothing_lies_behind_the_line_under_the_title_of_a_narrow_window(
    columns: int, rows: int
) -> None:
    picture, clear = landscape.landscape(FULL, columns, rows), sky(columns, 2 * rows)
    row = landscape.below_name(rows)
    assert picture.rows[2 * row : 2 * row + 2] == clear.rows[2 * row : 2 * row + 2]


def test_without_sprites_or_room_there_is_no_landscape() -> None:
    assert landscape.landscape_rows(TEXT, 80, 7) == ()
    assert landscape.landscape_rows(FULL, 80, 6) == ()
    assert landscape.banner_rows(TEXT, "Host", 120, 7) == ()


def test_a_banner_has_a_title_in_its_middle() -> None:
    lines = landscape.banner_rows(FULL, "Host a table", 120, 7)
    (titled,) = [line for line in lines if "Host" in plain(line)]
    text_ = plain(titled)
    assert abs(text_.index("Host") - (120 - len("Host a table")) / 2) < 1
    assert line_width(titled) == 120


def test_light_and_dark_is_told_by_shapes_alone() -> None:
    rows = (("white", "ink", "white", "hair"), ("white", "white", "ink", "stage-1"))
    (line,) = lit_blocks(Picture(rows), 4, 1)
    assert plain(line) == "█▄▀ "
    (line,) = lit_blocks(Picture(rows), 4, 1, "foreground")
    assert {ink for cell, ink in line if cell.strip()} == {"foreground/"}
    (line,) = lit_blocks(Picture(rows), 4, 1, "", frozenset({"white"}))
    assert plain(line).strip() == ""
    for size in SIZES:  # no cell of the whole picture needs two colours
        for row in drawn(HOME, PLAIN, glyphs.LETTERS, *size).lines:
            for cell, ink in row:
                if set(cell) & set("▀▄█"):
                    assert ink.endswith(("/", "/background"))


def test_what_lies_outside_is_cut_off_and_words_keep_what_is_below_them() -> None:
    canvas = [list(row) for row in sky(3, 2).rows]
    lay(canvas, Picture((("red", ""), ("red", "gold"))), 2, 1)
    assert canvas == [["stage-1"] * 3, ["stage-4", "stage-4", "red"]]
    row = written_over((("▀▀", "a/b"), ("  ", "/c")), "x y", "gold", 1)
    assert row == (("▀", "a/b"), ("x", "gold/b!"), (" ", "/c"), ("y", "gold/c!"))


# --- Letters and panels -----------------------------------------------------------------------


def test_codes_can_be_written_in_large_letters() -> None:
    from kumite.net.crypto.words import WORDS

    assert {letter for word in WORDS for letter in word} | set("0123456789-") <= set(FONT)
    assert len(set(FONT.values())) == len(FONT)  # no two look the same
    lines = large("7-torii-lantern", "title")
    assert len(lines) == 3
    assert len({line_width(line) for line in lines}) == 1
    assert large("Ä", "title") == ()


def test_a_panel_has_its_title_in_its_edge_and_its_size() -> None:
    lines = panel("Title", [(("one", ""),), (("a very long line", ""),)], 12, 5, glyphs.LETTERS)
    assert [plain(line) for line in lines] == [
        "┌─ Title ──┐",
        "│ one      │",
        "│ a very l │",
        "│          │",
        "└──────────┘",
    ]
    ascii_ = panel("T", [], 8, 2, glyphs.ASCII)
    assert [plain(line) for line in ascii_] == ["+- T --+", "+------+"]
    wide = panel("武蔵坊弁慶", [(("武蔵坊弁慶", ""),)], 12, 3, glyphs.LETTERS)
    assert {line_width(line) for line in wide} == {12}


# --- What is said of the games ----------------------------------------------------------------


@pytest.mark.parametrize("game_id", NAMES)
def test_every_game_is_introduced_as_its_rules_say(game_id: str) -> None:
    said = about(game_id)
    assert said.seats == GAMES[game_id].SEATS
    assert len(said.name) <= 12
    assert said.minutes > 0
    assert 20 < len(said.sentence) <= 74


def test_how_many_play_is_said_in_words() -> None:
    for seats, short, words in (
        ((2,), "2", "2 players"),
        ((2, 4), "2/4", "2 or 4 players"),
        ((2, 4, 6), "2/4/6", "2, 4 or 6 players"),
        ((2, 3, 4), "2-4", "2 to 4 players"),
    ):
        assert (About("", seats).players, About("", seats).players_in_words) == (short, words)
