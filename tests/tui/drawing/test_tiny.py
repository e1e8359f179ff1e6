"""Pictures in rooms of any size, down to none: a window may be made so small for a moment.

Nobody has to be able to read them there, but each has to come to an end.
"""

from __future__ import annotations

import re
from itertools import product

import pytest

from kumite.core.games import GAMES, NAMES
from kumite.tui import scenes
from kumite.tui.drawing.cards import SIZES as CARDS
from kumite.tui.drawing.cards import Lying, card_rows
from kumite.tui.drawing.cover import Handover, cover_rows
from kumite.tui.drawing.end_card import card_lines
from kumite.tui.drawing.grid import BoardMarks, board_rows, fitting
from kumite.tui.drawing.home import GAME, Home, drawn
from kumite.tui.drawing.pixels import QUADRANTS, Brush
from kumite.tui.drawing.tabletop import miniature, tabletop_rows
from kumite.tui.look.glyphs import ASCII, LETTERS, Look
from kumite.tui.look.sprites import Skin
from kumite.tui.play.course import ending
from kumite.tui.scenes import Scene
from kumite.tui.scenes.lines import line_width, plain
from kumite.tui.scenes.pictures import Card
from kumite.tui.screens.home import ENTRIES
from tests.support.frames import middle_of

SIZES = [(columns, rows) for columns in range(0, 61, 2) for rows in (0, 1, 2, 5, 11, 18, 25)]
NAMED_TILES = [f"{GAME}{name}" for name in NAMES]
NAMED = ("ada", "武蔵坊弁慶")

every_look = pytest.mark.parametrize("look", [LETTERS, ASCII], ids=["letters", "ascii"])


def brush(look: Look) -> Brush:
    return Brush(Skin() if look.is_drawn else None)


@every_look
@pytest.mark.parametrize("game_id", GAMES)
def test_the_card_of_the_end_fits_or_is_not_there(game_id: str, look: Look) -> None:
    said = ending(middle_of(game_id, 2, 100_000), None, NAMED)
    said = said._replace(facts=(*said.facts, ("turning point", "an end " * 40), ("", "x" * 300)))
    for columns, rows in SIZES:
        found = card_lines(said, brush(look), look, columns, rows)
        assert len(found) <= rows
        assert all(line_width(line) <= columns for line in found), (columns, rows)
    assert found, "there is one in the largest room"


@every_look
def test_the_cover_fills_its_room(look: Look) -> None:
    for is_open in (False, True):
        handover = Handover(1, "武蔵坊弁慶 and somebody else", "2", is_open)
        for columns, rows in SIZES:
            assert len(cover_rows(handover, look, columns, rows)) == rows


@every_look
def test_home_is_drawn(look: Look) -> None:
    home = Home(NAMES, "kumo", "game:kumo", ("Kumo against bot medium", "step 18"), ENTRIES)
    for columns, rows in SIZES:
        assert drawn(home, brush(look), look, columns, rows).places.keys() >= set(NAMED_TILES)


def scene_of(game_id: str, look: Look) -> Scene:
    match = middle_of(game_id, 2)
    return scenes.maker(match).scene(match.state, NAMED, look, None, ())


@every_look
@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_a_board_is_drawn(game_id: str, look: Look) -> None:
    board = scene_of(game_id, look).board
    for columns, rows in SIZES:
        size = fitting(board, columns, rows)
        assert len(board_rows(board, BoardMarks(), brush(look), size)) == size.rows(board)


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_a_miniature_shows_pieces_not_letters(game_id: str) -> None:
    """Beside lists at 80x24 boards were F, S and k on plates."""
    scene = scene_of(game_id, LETTERS)
    cells = [cell for row in scene.board.rows for cell in row if cell.sprite]
    letters = {cell.glyph for cell in cells}
    drawn = miniature(scene, brush(LETTERS), 30, 17)
    assert {line_width(line) for line in drawn} == {30}
    assert not {sign for line in drawn[1:-1] for sign in plain(line)} & letters
    assert any(sign in QUADRANTS.strip() for line in drawn for sign in plain(line))
    part = scene.board.part_at(1, 2, 4, 3)
    assert [part.place(cell.name) for cell in scene.board.rows[2][1:5]] == [
        (x, 0) for x in range(4)
    ]
    whole = miniature(scene, brush(LETTERS), 120, 50)
    assert all(label in "".join(map(plain, whole)) for label, _ in scene.board.columns)


def test_a_miniature_of_cards_has_no_words() -> None:
    """They were `Whit` and `pla`, over `Ypl… 2`."""
    drawn = miniature(scene_of("kitsune", LETTERS), brush(LETTERS), 30, 17)
    text = " ".join(map(plain, drawn))
    assert set(re.findall(r"[A-Za-z…]+", text)) <= {"Y", "Z"}
    assert "Y" in text


@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
def test_a_table_without_a_board_is_drawn(game_id: str) -> None:
    """Only where pieces are pictures: else it is lines of text."""
    scene = scene_of(game_id, LETTERS)
    for columns, rows in SIZES:
        assert tabletop_rows(scene, brush(LETTERS), columns, rows)


def test_the_back_of_a_card_has_a_border_at_both_sides_in_few_colours() -> None:
    back = Card("kitsune-back", is_back=True)
    for brush, size in product((Brush(Skin(), False), Brush(Skin(), False, "AB")), CARDS[:4]):
        for row in card_rows(back, Lying(), brush, size):
            assert plain(row)[0] == plain(row)[-1] == " "
