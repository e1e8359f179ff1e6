"""What must be told apart can be: in every theme, in full colour and in 256 colours."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from rich.color import Color, ColorSystem

from kumite.tui.look import colors
from tests.support.contrast import every_role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.color_triplet import ColorTriplet

    Paint = Callable[[str], ColorTriplet]

TEXT, MARK, PIECE = 4.5, 3.0, 1.6  # least ratio of brightness to what is below
FAR = {"seats": 55, "seasons": 40, "shut": 27, "paper": 36}  # least distance of colours, of 441
SEASONS = ("spring", "summer", "autumn", "winter")
CHECKS = (*SEASONS, *(f"{name}-shut" for name in SEASONS), "arena", "edge-0", "edge-1")
LAST = (*SEASONS, "shut", "arena", "edge-0", "edge-1", "field", "land")
GROUNDS = (
    *(f"{name}-{which}" for name in (*CHECKS, "field", "land") for which in "ab"),
    *(f"{name}-last" for name in LAST),
    *(f"seat-{seat}-dim" for seat in range(6)),
)
MARKS = ("cursor", "target-mark", "last", "changed")
PAPERS = ("background", "ground", "surface")
NOT_READ = {
    "fits",
    "kuzushi.outside",
    *(f"kitsu.{name}" for name in SEASONS),
}  # signs of squares on which nothing lies
BY_SHAPE = {"mono", "sixteen"}  # themes in which signs and words tell what colours cannot

themes = pytest.mark.parametrize("name", colors.names())
depths = pytest.mark.parametrize("is_full", [True, False], ids=["full", "256"])


def paint(name: str, *, is_full: bool) -> Paint:
    """Return what makes a colour of a theme of its name, as a terminal of that depth shows it."""
    palette = colors.read(name, is_full=is_full)

    def shown(color: str) -> ColorTriplet:
        found = Color.parse(palette.color(color))
        return (found if is_full else found.downgrade(ColorSystem.EIGHT_BIT)).get_truecolor()

    return shown


def luminance(color: ColorTriplet) -> float:
    red, green, blue = (
        x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in color.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def ratio(one: ColorTriplet, other: ColorTriplet) -> float:
    """Return the contrast as WCAG 2 counts it, 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def too_low(of: Paint, pairs: Iterable[tuple[str, str]], least: float) -> dict[str, float]:
    found = {f"{ink} on {paper}": ratio(of(ink), of(paper)) for ink, paper in pairs}
    return {said: round(value, 2) for said, value in found.items() if value < least}


def too_near(of: Paint, pairs: Iterable[tuple[str, str]], least: float) -> dict[str, int]:
    def distance(one: str, other: str) -> float:
        return sum((a - b) ** 2 for a, b in zip(of(one), of(other), strict=True)) ** 0.5

    found = {f"{one}, {other}": distance(one, other) for one, other in pairs}
    return {said: round(value) for said, value in found.items() if value < least}


@themes
@depths
def test_what_is_written_can_be_read(name: str, is_full: bool) -> None:
    read = {role: found for role, found in every_role().items() if role not in NOT_READ}
    pairs = [
        (ink, one) for ink, paper, _ in read.values() for one in ((paper,) if paper else PAPERS)
    ]
    assert not too_low(paint(name, is_full=is_full), pairs, TEXT)


@themes
@depths
def test_marks_are_seen_on_every_ground(name: str, is_full: bool) -> None:
    pairs = [(mark, ground) for mark in MARKS for ground in GROUNDS]
    framed = [("chosen-edge", "chosen"), ("capture-edge", "capture")]
    assert not too_low(paint(name, is_full=is_full), pairs + framed, MARK)


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
    pieces = [
        (f"seat-{seat}", f"{one}-{which}") for seat in (0, 1) for one in CHECKS for which in "ab"
    ]
    assert not too_low(of, pieces, PIECE)


@themes
@depths
def test_a_card_has_edges_where_no_line_shows_them(name: str, is_full: bool) -> None:
    of = paint(name, is_full=is_full)
    pairs = [("paper", "background"), ("paper", "felt"), ("paper", "paper-dim")]
    assert not too_near(of, pairs, FAR["paper"])
