"""Who does not see all colours can tell apart what has to be told apart."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from kumite.core.games import GAMES
from kumite.tui.drawing.grid import BoardMarks, glyphs
from kumite.tui.drawing.squares import UNMARKED, brush_for, square
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import SEAT, Skin
from kumite.tui.scenes import maker_of
from kumite.tui.scenes.lines import plain
from tests.support.contrast import COLOURED, DEPTHS
from tests.support.random_matches import short_setup, walk
from tests.support.scene_laws import NAMES
from tests.support.vision import SEEN_BY, difference, seen

if TYPE_CHECKING:
    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes.model import Cell
    from tests.support.contrast import Depth

FAR = 12  # least ΔE2000 of two colours that no sign tells apart
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
        vision for vision in SEEN_BY if difference(*(seen(color, vision) for color in pair)) < FAR
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
