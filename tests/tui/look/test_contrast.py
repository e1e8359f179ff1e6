"""What must be told apart can be: in every theme, in full colour and in 256 colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest
from rich.color import Color, ColorSystem

from kumite.tui.look import colors
from tests.support.contrast import PIECE, TEXT, every_role, ratio

if TYPE_CHECKING:
    from rich.color_triplet import ColorTriplet

    Paint = Callable[[str], ColorTriplet]

MARK, FAINT = 3.0, 2.5  # least ratio of brightness to what is below; of dots where nothing lies
GROUND = 1.5  # and of two grounds that say different things
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
    """Return what makes a colour of a theme of its name, as a terminal of that depth shows it."""
    palette = colors.read(name, is_full=is_full)

    def shown(color: str) -> ColorTriplet:
        found = Color.parse(palette.color(color))
        return (found if is_full else found.downgrade(ColorSystem.EIGHT_BIT)).get_truecolor()

    return shown


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
    if name not in BY_SHAPE:
        pairs += [("note", "paper"), ("foreground", "paper-dim"), ("quiet", "felt")]
    unlit = [one for one in GROUNDS if not one.endswith("-last")]
    pairs += [("last", one) for one in unlit]  # numbers of paths
    pairs += [("foreground", one) for one in unlit if one.startswith(SEASONS)]  # their names
    assert not too_low(paint(name, is_full=is_full), pairs, TEXT)


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
    assert not too_low(of, shut + last, GROUND)
    assert all(of(f"{one}-shut-a") == of(f"{one}-shut-b") for one in SEASONS)
    assert of("arena-a") != of("arena-b")
    if is_full:  # 256 colours have one dark green
        assert all(of(f"{one}-a") != of(f"{one}-b") for one in SEASONS)


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
        ("auto", False, False, "mono"),
        ("contrast", True, True, "contrast"),
        ("contrast", True, False, "sixteen"),  # rounded it would have red pieces on red
        ("contrast", False, False, "contrast"),
        ("light", True, False, "light"),
    ],
)
def test_a_theme_is_drawn_in_the_colours_that_there_are(
    name: str, has_colors: bool, has_many: bool, drawn: str
) -> None:
    assert colors.fitting(name, has_colors=has_colors, has_many=has_many) == drawn


@themes
@depths
def test_a_card_has_edges_where_no_line_shows_them(name: str, is_full: bool) -> None:
    of = paint(name, is_full=is_full)
    pairs = [("paper", "background"), ("paper", "felt"), ("paper", "paper-dim")]
    assert not too_near(of, pairs, FAR["paper"])
