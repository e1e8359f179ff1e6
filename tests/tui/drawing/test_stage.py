"""The stage of a duel: planks, figures, paths, cards beside it, words below it."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, combinations_with_replacement, pairwise, permutations, product

import pytest

from kumite.tui.drawing import stage
from kumite.tui.drawing.cards import Lying, card_rows
from kumite.tui.drawing.pixels import SKY, Brush, cells_of
from kumite.tui.drawing.stage import stage_rows
from kumite.tui.look import colors
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Skin, shipped
from kumite.tui.scenes.lines import Elastic, plain, width
from kumite.tui.scenes.pictures import Card, Figure, Group, Spread, Stage

BRUSHES = {"pictures": Brush(Skin()), "characters": Brush(None, has_pictures=False)}
DARK = colors.read("dark")


def widths(rows: tuple[object, ...]) -> set[int]:
    return {width(plain(row)) for row in rows}


@pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)
@pytest.mark.parametrize(("columns", "rows"), [(160, 24), (120, 18), (80, 12), (49, 10)])
def test_a_stage_fills_its_place_and_names_its_planks(
    columns: int, rows: int, brush: Brush
) -> None:
    shown = Stage(
        tuple("12345"),
        (Figure("kiriai-heaven", 0, 1), Figure("kiriai-earth", 1, 3, is_turned=True)),
        frozenset({2}),
    )
    drawn = stage_rows(shown, brush, columns, rows)
    assert len(drawn) == rows
    assert widths(drawn) == {columns}
    assert plain(drawn[-2]).split() == list("12345")
    inks = {ink for row in drawn for _, ink in row}
    assert all(map(DARK.pen, inks))
    sky = " ".join(ink for row in drawn[:-2] for _, ink in row)  # above the planks
    has_robes = "seat-0" in sky and "seat-1" in sky
    assert has_robes == brush.has_pictures


@pytest.mark.parametrize(("columns", "rows"), [(60, 8), (80, 10), (120, 20), (160, 36)])
@pytest.mark.parametrize(("place", "apart"), [*((at, 0) for at in range(5)), (0, 1), (3, 1)])
@pytest.mark.parametrize("pose", ["heaven", "earth", "low", "high", "zantetsu", "wounded"])
def test_of_two_that_are_near_only_the_blades_cross(
    columns: int, rows: int, place: int, apart: int, pose: str
) -> None:
    both = (
        Figure(f"kiriai-{pose}", 0, place),
        Figure("kiriai-earth", 1, place + apart, is_turned=True),
    )

    def robes(seat: int, figures: tuple[Figure, ...]) -> int:
        """Return how many cells show the colours of a seat."""
        shown = stage_rows(Stage(tuple("12345"), figures), BRUSHES["pictures"], columns, rows)
        sky = [row for row in shown if not any("bridge" in ink for _, ink in row)]
        return sum(len(text) for row in sky for text, ink in row if f"seat-{seat}" in ink)

    for figure in both:
        assert robes(figure.seat, both) == robes(figure.seat, (figure,))


@pytest.mark.parametrize(("columns", "rows"), [(60, 12), (80, 12), (120, 24)])
@pytest.mark.parametrize("places", [(0, 0), (0, 1), (1, 1), (2, 2), (3, 4), (4, 4)])
def test_the_moon_stands_where_nobody_does(
    columns: int, rows: int, places: tuple[int, int]
) -> None:
    """A hat before it looked like a mushroom."""

    def moon(figures: tuple[Figure, ...]) -> int:
        shown = stage_rows(Stage(tuple("12345"), figures), BRUSHES["pictures"], columns, rows)
        cells = [ink for row in shown for _, ink in cells_of(row)]
        return sum(ink.count("window") for ink in cells)

    one, other = places
    both = Figure("kiriai-heaven", 0, one), Figure("kiriai-earth", 1, other, is_turned=True)
    assert moon(both) == moon(()) > 0


@pytest.mark.parametrize(("rows", "words"), [(10, 1), (12, 3), (20, 3)])
def test_no_hat_is_cut_off(rows: int, words: int) -> None:
    figures = (Figure("kiriai-heaven", 0, 0), Figure("kiriai-high", 1, 3, is_turned=True))
    one = Stage(tuple("12345"), figures, words=(((), (), ()),) * words)
    drawn = stage_rows(one, BRUSHES["pictures"], 80, rows)
    assert len(drawn) == rows
    sky = [line for line in drawn if "▀" in plain(line)]
    high = stage._figure_height(2 * len(sky), 16)
    assert high <= 2 * len(sky)


def test_a_figure_looks_the_other_way_when_turned() -> None:
    def columns_of(is_turned: bool) -> list[int]:
        """Return the columns in which the robe's colour is seen, from the left edge of a plank."""
        one = Stage(("1",), (Figure("kiriai-high", 0, 0, is_turned),))
        found = []
        for row in stage_rows(one, BRUSHES["pictures"], 61, 10):
            at = 0
            for text, ink in row:
                if "steel" in ink:
                    found.append(at)
                at += len(text)
        return found

    right, left = columns_of(False), columns_of(True)
    assert right
    assert min(right) > 30 - stage.BODY[16]
    assert sorted(60 - at for at in left)[:1] >= sorted(right)[:1]
    assert max(left) < 30 + stage.BODY[16]


POSES = sorted(one for one in shipped() if re.match("kiriai-(?!card)", one))


@pytest.mark.parametrize("high", stage.FIGURES)
@pytest.mark.parametrize("pose", POSES)
def test_without_its_dark_parts_a_figure_is_still_whole(pose: str, high: int) -> None:
    """In 16 colours robes lost their shades as well, and large figures fell apart."""
    figure = Figure(pose, 0, 0)
    in_few, in_many = (
        stage._dressed((figure,), Brush(Skin(), has_pictures), high)[0][1]
        for has_pictures in (False, True)
    )
    few, many = (sum(map(bool, chain(*one.rows))) for one in (in_few, in_many))
    assert few >= 0.8 * many


ROUND = Spread(
    tuple(
        Group(
            (
                Card("kiriai-card-high", title="High", note="× hit", note_role="loss"),
                Card("kiriai-card-approach", title="Approach", note="5 → 4", is_turned=bool(seat)),
            ),
            (("last round", f"flag-{seat}"),),
        )
        for seat in (0, 1)
    )
)


@pytest.mark.parametrize(("columns", "rows"), [(60, 10), (60, 12), (80, 14), (120, 20), (160, 40)])
@pytest.mark.parametrize("signs", ["", "●■"])
def test_both_cards_of_both_sides_stand_beside_a_stage(columns: int, rows: int, signs: str) -> None:
    figures = (Figure("kiriai-heaven", 0, 0), Figure("kiriai-high", 1, 3, is_turned=True))
    one = Stage(tuple("12345"), figures, words=(((), (), ()),))
    drawn = stage_rows(one, Brush(Skin(), not signs, signs), columns, rows, ROUND)
    assert len(drawn) == rows
    assert widths(drawn) == {columns, columns - 1}  # the words end before the last column
    texts = [plain(row) for row in drawn]
    for word in ("last round", "High", "Approach", "× hit", "5 → 4"):
        (row,) = [row for row in texts if word in row]
        assert row.count(word) == 2
        assert row.find(word) < columns // 4 < 3 * columns // 4 < row.rfind(word)
    inks = {ink for row in drawn for text, ink in row if "× hit" in text}
    assert inks == {"background/loss!"}
    edges = {cells[at] for cells in map(cells_of, drawn[: rows // 2]) for at in (0, -1)}
    assert edges == {(" ", "")}  # cards touched the edge of the window, and the panel


def test_what_is_told_below_a_stage_is_as_wide_as_its_place_also_in_kanji() -> None:
    """It was cut by its letters, so that a row was wider than the others."""
    told = replace(ROUND, words=((("武蔵坊弁慶 charges to 3", ""),),))
    assert widths(stage_rows(Stage(tuple("12345")), BRUSHES["pictures"], 60, 20, told)) == {60}


def test_a_card_of_the_right_side_shows_its_picture_turned() -> None:
    for size in ((13, 9), (10, 4)):
        left, right = (
            card_rows(group.cards[1], Lying(), BRUSHES["pictures"], size) for group in ROUND.groups
        )
        assert left[0] == right[0]
        assert left != right


@pytest.mark.parametrize("columns", [30, 49, 80])
def test_the_plank_on_which_a_figure_stands_has_its_colour(columns: int) -> None:
    def seats(one: int, other: int) -> dict[str, list[str]]:
        figures = (
            Figure("kiriai-heaven", 0, one, sign="A"),
            Figure("kiriai-heaven", 1, other, is_turned=True, sign="B"),
        )
        shown = Stage(tuple("12345"), figures, marked=frozenset({one}))
        upper, lower = stage_rows(shown, BRUSHES["pictures"], columns, 12)[-2:]
        row = cells_of(upper)
        starts = [*(at for at, sign in enumerate(plain(lower)) if sign == "▏"), columns]
        planks = [row[start:end] for start, end in pairwise(starts)]
        return {str(at): [ink for _, ink in plank] for at, plank in enumerate(planks, 1)}

    for one, other in ((0, 4), (1, 2), (3, 4), (2, 2)):
        for plank, inks in seats(one, other).items():
            stood = [any(f"seat-{seat}" in ink for ink in inks) for seat in (0, 1)]
            assert stood == [plank == str(one + 1), plank == str(other + 1)]
            if any(stood):  # all of it, but the number of one that can be chosen
                assert sum("seat-" not in ink for ink in inks) <= 1


STAGES = [(58, 24), (82, 20), (88, 38), (140, 40), (38, 10)]
STOOD = [*product(STAGES, ["heaven", "earth", "balanced", "fallen", "heaven high"])]


@pytest.mark.parametrize(("size", "poses"), STOOD[:-1])  # the last is too long
@pytest.mark.parametrize("places", list(combinations_with_replacement(range(5), 2)), ids=str)
def test_figures_stand_on_their_planks_and_on_no_other(
    size: tuple[int, int], places: tuple[int, int], poses: str
) -> None:
    """Near ones were drawn above several planks: both stood on 5, and were seen on 3 to 5."""
    kinds = poses.split()
    figures = tuple(Figure(f"kiriai-{kinds[-n]}", n, at, n > 0) for n, at in enumerate(places))
    *sky, _, lower = stage_rows(Stage(tuple("12345"), figures), BRUSHES["pictures"], *size)
    starts = [*(at for at, sign in enumerate(plain(lower)) if sign == "▏"), size[0]]
    for seat, place in enumerate(places):
        cells = [one for row in sky for one in enumerate(cells_of(row))]
        robes = [at for at, (_, ink) in cells if f"seat-{seat}" in ink.partition("/")[0]]
        assert starts[place] <= (min(robes) + max(robes)) // 2 < starts[place + 1]
    if places[0] == places[1]:
        feet = enumerate(ink for _, ink in cells_of(sky[-1]))
        stood = [at for at, ink in feet if not set(ink.split("/")) <= {"", SKY[-1]}]
        assert starts[place] <= min(stood) < max(stood) < starts[place + 1]


@pytest.mark.parametrize("columns", [30, 49, 80])
def test_signs_beside_the_numbers_tell_who_stands_where_also_on_one_plank(columns: int) -> None:
    def planks(*places: int) -> str:
        figures = tuple(
            Figure("kiriai-heaven", seat, place, is_turned=bool(seat), sign="AB"[seat])
            for seat, place in enumerate(places)
        )
        drawn = stage_rows(Stage(tuple("12345"), figures), BRUSHES["pictures"], columns, 12)
        return plain(drawn[-2])

    for place in range(5):
        assert re.search(f"A{place + 1}B", planks(place, place))
    assert re.search("A2 *3B", planks(1, 2))


def test_dots_lead_from_where_a_figure_stood_to_where_it_stands() -> None:
    came = (
        Figure("kiriai-walk", 0, 1, came_from=0),
        Figure("kiriai-retreat", 1, 4, True, came_from=2),
        Figure("kiriai-earth", 1, 4, True, came_from=4),
    )
    for figure in came:
        for rows in (9, 14):  # dots between the numbers, and in a row of their own
            stood = Stage(tuple("12345"), (figure,))
            planks = plain(stage_rows(stood, BRUSHES["pictures"], 60, rows)[-1])
            begins = LETTERS.hollow[figure.seat]
            is_shown = bool(re.search(f"{begins}.*•.*▶", planks))
            assert is_shown == (figure.came_from != figure.place)
    back = Stage(tuple("12345"), (replace(came[0], place=0, came_from=1),))
    assert re.search("◀.*•.*○", plain(stage_rows(back, BRUSHES["pictures"], 60, 14)[-1]))


@pytest.mark.parametrize("columns", range(40, 80, 3))
def test_a_path_begins_and_ends_on_its_own_planks_however_narrow(columns: int) -> None:
    """From 2 to 4 it began below 3 where two that stand near have wide planks."""

    def planks(*, came: int | None, place: int) -> str:
        figures = (
            Figure("kiriai-walk", 0, place, came_from=came),
            Figure("kiriai-earth", 1, 4, True),
        )
        stood = Stage(tuple("12345"), figures)
        return plain(stage_rows(stood, BRUSHES["pictures"], columns, 14)[-1])

    for came, place in permutations(range(4), 2):
        row = planks(came=came, place=place)
        begun = row.index(LETTERS.hollow[0]), row.index("◀▶"[place > came])
        starts = [at for at, one in enumerate(planks(came=None, place=place)) if one == "▏"]
        assert [sum(start <= at for start in starts) - 1 for at in begun] == [came, place]


def test_what_is_said_below_a_narrow_stage_is_not_cut_without_a_sign() -> None:
    """Whoever has planned is left out before how the other stands; long lists have a row each."""
    who = ((Elastic("me"), ""), (" ▲ heaven ", ""), ("♥♥", ""), (" has planned", "quiet"))
    bot = ((Elastic("bot medium"), ""), (" ▲ heaven ", ""), ("♥♥", ""))
    lacks = ((Elastic("can't play charge, stance"), "quiet"),)
    words = ((who, (("distance 0", "title"),), bot), (lacks, (), lacks))
    first, *rests = map(
        plain, stage_rows(Stage(("1",), words=words), BRUSHES["pictures"], 50, 16)[-3:]
    )
    assert first.rstrip().endswith("bot medium ▲ heaven ♥♥")
    assert "has planned" not in first
    assert [rest.strip() for rest in rests] == [lacks[0][0]] * 2
    wide = stage_rows(Stage(("1",), words=words), BRUSHES["pictures"], 80, 16)[-2:]
    assert "has planned" in plain(wide[0])
    assert "…" not in plain(wide[1])
