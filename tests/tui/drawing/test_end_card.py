"""The card of the end: what it draws where rows are short."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kumite.core.game import Seat
from kumite.core.games.kumo.rules import State
from kumite.core.log import End
from kumite.tui.drawing.end_card import CARD, card_lines
from kumite.tui.drawing.pixels import Brush
from kumite.tui.games.kumo import scene, words
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Skin
from kumite.tui.play.course import ending
from kumite.tui.scenes.lines import Line, plain
from kumite.tui.scenes.model import Portrait, Shelf
from tests.support.random_matches import short_setup, walk

NAMES = ("ada", "bob")
MANY = Brush(Skin())
INSIDE_80 = 21  # rows of a window of 24


def card(game_id: str, columns: int, rows: int = INSIDE_80) -> list[Line]:
    match = walk(short_setup(game_id, 2), 1, 20)
    found = ending(match, End("resigned", (Seat(1),)), NAMES)
    assert found is not None
    found = found._replace(facts=found.facts[-1:])  # the length
    return card_lines(found, MANY, LETTERS, columns, rows)


@pytest.mark.parametrize(("game_id", "columns"), [("kumo", 30), ("kitsu", 34), ("kuzushi", CARD)])
def test_the_winner_has_a_picture_also_where_rows_are_short(game_id: str, columns: int) -> None:
    """Only windows of more rows had one."""
    lines = card(game_id, columns)
    drawn = sum(text.count("▀") for line in lines for text, ink in line if "seat-0-light" in ink)
    assert drawn
    assert all(len(plain(line)) == columns for line in lines)


def test_prisoners_are_silhouettes_as_they_were_in_the_panel() -> None:
    """They were `●○○○○○`."""
    state = walk(short_setup("kumo", 2), 1, 20).state
    assert isinstance(state, State)
    (bar,) = words.tallies(replace(state, prisons=(1, 0)))[0].bars
    assert (bar.sprite, bar.owner) == (words.RESERVE, 1)
    said = "\n".join(map(plain, card("kumo", 30)))
    assert "prisoners" not in said
    assert "○" not in said


def test_an_empty_reserve_has_no_label() -> None:
    state = walk(short_setup("kumo", 2), 1, 20).state
    assert isinstance(state, State)
    for waiting, held, rows_of_players in (
        ((3, 0), (0, 1), ["reserve ●●● caught ·", "reserve · caught ●"]),
        ((0, 0), (0, 1), ["caught ·", "caught ●"]),
        ((0, 0), (0, 0), []),
    ):
        view = replace(state, boards=waiting, prisons=held)
        shelves = scene.scene(view, NAMES, LETTERS, None).shelves
        lines = [one for one in shelves if not isinstance(one, Portrait | Shelf)]
        rows = [" ".join(plain(one).split()) for one in lines]
        assert [row for row in rows if "reserve" in row or "caught" in row] == rows_of_players


@pytest.mark.parametrize("game_id", ["kumo", "kuzushi"])
@pytest.mark.parametrize(("columns", "rows"), [(43, 47), (46, 57)])
def test_on_a_large_screen_the_pictures_fill_the_card(
    game_id: str, columns: int, rows: int
) -> None:
    """A third to a half of it was empty."""
    match = walk(short_setup(game_id, 2), 1, 20)
    found = ending(match, End("resigned", (Seat(1),)), NAMES)
    assert found is not None
    lines = card_lines(found, MANY, LETTERS, columns, rows)
    blank = len(lines) - max(at for at, line in enumerate(lines, 1) if plain(line).strip(" ▌"))
    assert blank <= rows // 3
