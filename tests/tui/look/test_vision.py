"""Who does not see all colours can tell apart what has to be told apart."""

from __future__ import annotations

from itertools import combinations, product
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

import pytest

from kumite.core.games import GAMES
from kumite.tui.drawing.grid import BoardMarks, glyphs
from kumite.tui.drawing.squares import UNMARKED, Brush, brush_for, square
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import SEAT, Skin
from kumite.tui.scenes import maker_of
from kumite.tui.scenes.lines import plain
from kumite.tui.scenes.model import Cell
from tests.support.contrast import COLOURED, DEPTHS, Depth, Rgb
from tests.support.random_matches import short_setup, walk
from tests.support.scene_laws import NAMES

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
