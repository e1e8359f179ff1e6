"""Figures of the players beside their names and pieces."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from kumite.core.games import GAMES
from kumite.tui.drawing.pixels import Brush, cells_of
from kumite.tui.drawing.shelves import seat_lines
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import Scene, maker_of
from kumite.tui.scenes.lines import Line, line_width, plain
from kumite.tui.scenes.model import Portrait, Shelf
from tests.support.random_matches import short_setup, walk

NAMES = ("ada", "bot easy 1", "bot easy 2", "bot easy 3")
PANELS = {"kitsu": (42, 31), "kitsune": (28, 31), "kumo": (42, 31), "kuzushi": (42, 31)}
MANY = Brush(Skin())
FEW = Brush(Skin(), has_pictures=False)


def scene_of(game_id: str, seats: int) -> Scene:
    match = walk(short_setup(game_id, seats), 1, 5)
    return maker_of(game_id).scene(match.state, NAMES[:seats], LETTERS, None)


def owners_in(line: Line) -> set[int]:
    """Return whose colours the figure at the left of a line has."""
    inks = " ".join(ink for _, ink in cells_of(line)[:6])
    return {int(seat) for seat in re.findall(r"seat-(\d)", inks)}


TABLES = [(name, seats) for name in PANELS for seats in GAMES[name].SEATS if seats < 5]


@pytest.mark.parametrize(("game_id", "seats"), TABLES)
def test_each_player_has_a_figure_in_the_colour_of_their_pieces(game_id: str, seats: int) -> None:
    shown = scene_of(game_id, seats)
    owners = [one.owner for one in shown.shelves if isinstance(one, Portrait)]
    assert len(owners) == seats
    columns, rows = PANELS[game_id]
    lines = seat_lines(shown, MANY, columns, rows, has_portraits=True)
    assert 2 * len(lines) <= rows
    drawn = [owners_in(line) for line in lines]
    assert sum(map(bool, drawn)) >= 3 * seats
    assert all(len(one) <= 1 for one in drawn)
    for name, owner in zip(NAMES, owners, strict=False):  # each beside their own
        (at,) = [at for at, line in enumerate(lines) if name in plain(line).split("  with")[0]]
        assert drawn[at] == drawn[at + 1] == {owner}
        assert {owner} in (drawn[at - 1], drawn[at + 2])  # alone it is in the middle


@pytest.mark.parametrize("brush", [MANY, FEW], ids=["many", "few"])
@pytest.mark.parametrize("game_id", PANELS)
def test_where_figures_have_no_room_the_rest_of_the_panel_is_as_without(
    game_id: str, brush: Brush
) -> None:
    shown = scene_of(game_id, 2)
    bare = seat_lines(shown, brush, 30, 27)
    assert not any("seat-" in ink for line in bare for _, ink in cells_of(line)[:1])
    narrow = min(map(line_width, bare)) - 1
    assert seat_lines(shown, brush, narrow, 27, has_portraits=True) == seat_lines(
        shown, brush, narrow, 27
    )
    broad = seat_lines(shown, brush, 42, 31, has_portraits=True)
    assert broad != seat_lines(shown, brush, 42, 31)


@pytest.mark.parametrize("brush", [MANY, FEW], ids=["many", "few"])
def test_captured_pieces_stand_apart_beside_a_figure(brush: Brush) -> None:
    """Three helmets looked like one long bar."""
    shown = scene_of("kitsu", 2)
    full = [
        one._replace(bars=tuple(bar._replace(number=4) for bar in one.bars))
        if isinstance(one, Shelf)
        else one
        for one in shown.shelves
    ]
    shown = replace(shown, shelves=tuple(full))
    lines = seat_lines(shown, brush, *PANELS["kitsu"], has_portraits=True)
    beside = [plain(line)[7:] for line in lines]
    assert [len(re.findall(r"\S{3} ", line)) for line in beside if "▟" in line] == [8, 8]
    assert owners_in(lines[0])  # the figure stays
