"""Squares and pixels: every size is filled; marks can be told apart, also without colours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, groupby, product

import pytest

from kumite.core.game import Seat, Setup
from kumite.core.games import GAMES
from kumite.tui.drawing.grid import RANKS, SIZES, BoardMarks, Geometry, board_rows, glyphs
from kumite.tui.drawing.pixels import Brush, brush_for, cells_of, half_blocks, quadrants
from kumite.tui.drawing.squares import BARS, PICTURE, SHAPE, Marks, _over, square
from kumite.tui.look import colors
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Picture, Skin, owned, parse
from kumite.tui.scenes.lines import Line, plain, width
from kumite.tui.scenes.maker import maker_of
from kumite.tui.scenes.model import (
    BAD,
    GOOD,
    NO_BORDERS,
    PUT,
    RAISED,
    TURNED,
    Board,
    Borders,
    Cell,
    Fallen,
    Trace,
    Verdict,
)
from tests.support.random_matches import walk

EMPTY = Cell("c4", "·", "fits", "+", ground="summer-a")
TAKEN = Cell("c4", "F", "base-0", sprite="fox", owner=0, ground="summer-a")
SKIN = Skin()
SAID = {
    "cursor": Marks(is_under_cursor=True),
    "chosen": Marks(is_chosen=True),
    "target": Marks(is_target=True),
    "capture": Marks(is_target=True, is_capture=True),
    "left": Marks(was_left=True),
    "reached": Marks(was_reached=True),
    "changed": Marks(way=TURNED),
    "put": Marks(was_reached=True, way=PUT),
    "raised": Marks(way=RAISED),
    "played": Marks(sign=("×", BAD)),
    "better": Marks(sign=("✓", GOOD)),
    "taken": Marks(was_reached=True, fallen=Fallen("fox", 1)),
}
BITS = len(Marks._fields) - 4  # marks that are there or not
BRUSHES = {"pictures": Brush(SKIN), "shapes": Brush(SKIN, has_pictures=False)}
BORDERS = Borders((1,), (1,), "│", "▁")
NINE = "a3 b3 c3/a2 b2 c2/a1 b1 c1"


every_high_size = pytest.mark.parametrize("size", [size for size in SIZES if size[1] > 1], ids=str)
every_size_of_pictures = pytest.mark.parametrize(
    "size", [size for size in SIZES if size >= PICTURE], ids=str
)
every_brush = pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)


def rows_of(cell: Cell, marks: Marks, brush: Brush, size: tuple[int, int]) -> tuple[Line, ...]:
    rows = square(cell, marks, brush, *size)
    assert rows is not None
    return rows


def text_of(rows: Iterable[Line]) -> str:
    return "".join(map(plain, rows))


def colors_in(rows: Iterable[Line]) -> set[str]:
    return {color for row in rows for _, ink in row for color in re.split("[/!]", ink)}


def board_of(
    rows: str, taken: str = "", piece: Cell = TAKEN, borders: Borders = NO_BORDERS
) -> Board:
    """Return a square board with these names of cells in each row, and pieces on those `taken`."""
    cells = tuple(
        tuple(replace(piece if name in taken.split() else EMPTY, name=name) for name in row.split())
        for row in rows.split("/")
    )
    labels = (("", "label"),) * len(cells)
    return Board(cells, labels, labels, "", borders=borders)


@pytest.mark.parametrize("size", SIZES, ids=str)
@every_brush
@pytest.mark.parametrize("cell", [EMPTY, TAKEN], ids=["empty", "taken"])
def test_every_mark_in_every_size_fills_its_square(
    size: tuple[int, int], brush: Brush, cell: Cell
) -> None:
    signs = ("", ""), SAID["played"].sign
    for *bits, sign in product(*((False, True),) * BITS, signs):
        rows = square(cell, Marks(*bits, sign=sign), brush, *size)
        assert (rows is None) == (size[1] < 2)
        assert rows is None or [width(plain(row)) for row in rows] == [size[0]] * size[1]


def drawn(cell: Cell, marks: Marks, brush: Brush, size: tuple[int, int]) -> tuple[object, ...]:
    """Return what is seen of a square where all that is light is white and all else black."""
    rows = rows_of(cell, marks, brush, size)
    dark = {"summer-a", "summer-last", "capture", "background", "", "red", "leaf-dark"}
    seen = []
    for row in rows:
        for text, ink in row:
            fore, _, back = ink.partition("/")
            # half blocks show two colours at once; a sign shows its shape on its ground
            seen.append((text, fore not in dark, back not in dark))
    return tuple(seen)


def on_plate(size: tuple[int, int]) -> str:
    """Return the ink of a sign in the second player's colour, on a plate where there is air."""
    return "background/seat-1!" if size > SHAPE else "seat-1/summer-a!"


ON_EMPTY = {"cursor", "chosen", "target", "left", "taken", "played", "better"}


@every_high_size
@every_brush
@pytest.mark.parametrize(
    ("cell", "names"), [(TAKEN, SAID.keys() - {"left"}), (EMPTY, ON_EMPTY)], ids=["taken", "empty"]
)
def test_marks_of_a_square_differ_by_shape_alone(
    size: tuple[int, int], brush: Brush, cell: Cell, names: set[str]
) -> None:
    looks = {name: drawn(cell, SAID[name], brush, size) for name in names}
    looks["nothing"] = drawn(cell, Marks(), brush, size)
    for one, other in combinations(looks, 2):
        assert looks[one] != looks[other], (one, other)


@every_high_size
@every_brush
def test_where_something_went_away_no_mark_stands_in_the_middle(
    size: tuple[int, int], brush: Brush
) -> None:
    """There it would be taken for a place that one can go to: the corners have it."""
    corner, upper = min(3, (size[0] - 1) // 2), size[1] // 2

    def is_in_the_middle(marks: Marks, ink: str) -> bool:
        rows = rows_of(EMPTY, marks, brush, size)
        cells = [[role.split("/") for text, role in row for _ in text] for row in rows]
        ends = [row[corner:-corner] for row in cells]
        middle = (
            ends
            if brush.has_pictures and size[0] >= PICTURE[0]
            else [*(row[:-corner] for row in cells[:upper]), *cells[upper:]]
        )
        return any(ink in role for row in middle for role in row)

    assert is_in_the_middle(SAID["target"], "target-mark")
    assert not is_in_the_middle(SAID["left"], "last")


NAME = frozenset({"c4"})
ON_BOARDS = {
    "nothing": BoardMarks(),
    "cursor": BoardMarks(cursor="c4"),
    "chosen": BoardMarks(chosen=NAME),
    "target": BoardMarks(targets=NAME),
    "capture": BoardMarks(targets=NAME, captures=NAME),
    "left": BoardMarks(trace=Trace(left=NAME)),
    "reached": BoardMarks(trace=Trace(reached=NAME)),
    "changed": BoardMarks(trace=Trace(changed={"c4": TURNED})),
    "played": BoardMarks(verdict=Verdict(played=NAME, signs="×✓")),
    "better": BoardMarks(verdict=Verdict(better=NAME, signs="×✓")),
}
SIGNED = [
    TAKEN,
    Cell("c4", "B", "base-0", mark="r", sprite="fox", owner=0),  # with somebody pinned
    Cell("c4", "▲侍", "base-0", sprite="samurai", owner=0),  # a kanji behind the mark of a seat
    Cell("c4", "▲雲", "base-0", mark="*", sprite="kumo-kumo", owner=0),
    Cell("c4", "←↓", "label", "+"),  # a corner of the arena
    Cell("c4", "×", "contested"),
]


@pytest.mark.parametrize("size", [(2, 1), (3, 1), (4, 1), (4, 2), (6, 3)], ids=str)
@pytest.mark.parametrize("cell", SIGNED, ids=lambda cell: cell.glyph + cell.mark)
def test_where_there_are_only_characters_marks_differ_as_well(
    size: tuple[int, int], cell: Cell
) -> None:
    if width(cell.glyph[-1:]) == size[0]:
        return  # a kanji fills two columns, whatever is said of it
    shown = [marks for name, marks in ON_BOARDS.items() if cell.sprite or name != "changed"]
    looks = [tuple(map(plain, glyphs(cell, marks, *size))) for marks in shown]
    assert len(set(looks)) == len(looks)
    assert all(width(row) == size[0] for rows in looks for row in rows)


@every_high_size
@every_brush
@pytest.mark.parametrize("cell", [EMPTY, TAKEN], ids=["empty", "taken"])
def test_what_can_be_done_is_seen_also_where_something_was_done(
    size: tuple[int, int], brush: Brush, cell: Cell
) -> None:
    for was in ("left", "reached", "changed"):
        before = SAID[was]
        for can in ("chosen", "target", "capture"):
            bits = map(any, zip(before[:BITS], SAID[can][:BITS], strict=True))
            both = Marks(*bits, way=before.way)
            if cell is TAKEN or can != "capture":
                assert drawn(cell, both, brush, size) != drawn(cell, before, brush, size), (
                    was,
                    can,
                )


@pytest.mark.parametrize("size", SIZES[:-1], ids=str)
@pytest.mark.parametrize("brush", [*BRUSHES.values(), Brush(SKIN, False, "AB")])
@pytest.mark.parametrize("badge", ["", "*"])
def test_a_flipped_piece_that_can_move_shows_both(
    size: tuple[int, int], brush: Brush, badge: str
) -> None:
    cell = replace(TAKEN, badge=badge, badge_role="mover")
    marks = Marks(is_target=True, way=TURNED)
    board_marks = BoardMarks(targets=NAME, trace=Trace(changed={"c4": TURNED}))
    rows = square(cell, marks, brush, *size) or glyphs(cell, board_marks, *size, "", brush)
    assert TURNED in text_of(rows)
    if size[1] > 1:
        is_full = size == (4, 2) and brush.signs  # its owner's sign takes the tick's place
        assert ("target-mark" in str(rows)) != bool(is_full)
        rows = rows_of(cell, marks._replace(is_under_cursor=True), brush, size)
        assert TURNED in text_of(rows)


@every_high_size
def test_without_colours_enough_an_empty_square_can_be_seen(size: tuple[int, int]) -> None:
    lit = Cell("c4", "▘", "kitsu.summer", ground="summer-a")
    brushes = (BRUSHES["pictures"], BRUSHES["shapes"], Brush(SKIN, False, "AB"))
    for brush, sign in zip(brushes, ("", "▘", "▘"), strict=True):
        rows = rows_of(lit, Marks(), brush, size)
        assert text_of(rows).strip() == sign


@every_high_size
@every_brush
def test_who_is_pinned_below_a_piece_is_said_in_its_corner(
    size: tuple[int, int], brush: Brush
) -> None:
    pinned = Cell(
        "c4", "B", "base-0", "", "r", "kumo-block", 0, "arena-a", badge="r", badge_role="base-1"
    )
    for name in ("target", "reached", "changed"):
        rows = rows_of(pinned, SAID[name], brush, size)
        assert [width(plain(row)) for row in rows] == [size[0]] * size[1]
        ink = "base-1" if size > SHAPE else "seat-1/arena-a!"
        assert ("r", ink) in [span for row in rows[-2:] for span in row]


@every_high_size
@every_brush
def test_a_mat_is_the_owners_colour_whatever_is_marked(size: tuple[int, int], brush: Brush) -> None:
    cell = replace(TAKEN, sprite="kumo-kumo", mat="mat-0", ground="arena-a")

    def grounds(marks: Marks) -> set[str]:
        rows = rows_of(cell, marks, brush, size)
        return {name for row in rows for _, ink in row for name in ink.split("/")}

    assert grounds(Marks()) >= {"mat-0", "paper"}
    assert not grounds(Marks()) & {"seat-0", "seat-0-light"}
    assert grounds(SAID["reached"]) >= {"mat-0", "arena-last"}
    for name in ("chosen", "capture"):
        assert grounds(SAID[name]) >= {"mat-0", "paper", f"{name}-edge"}


@every_brush
def test_the_last_turn_lights_the_margin_of_a_piece_only(brush: Brush) -> None:
    for size in ((20, 10), (8, 4), (7, 3), (5, 2)):
        rows = rows_of(TAKEN, SAID["reached"], brush, size)
        cells = [[ink.split("/")[1] for text, ink in row for _ in text] for row in rows]
        assert all(row[0] == row[-1] == "summer-last" for row in cells[1:-1] or cells)
        assert "summer-last" not in {ground for row in cells[1:-1] for ground in row[1:-1]}


@every_high_size
def test_without_colours_a_sign_says_whose_a_piece_is_also_under_the_cursor(
    size: tuple[int, int],
) -> None:
    brush = Brush(SKIN, has_pictures=False, signs="AB")
    for marks in SAID.values():
        for seat in (0, 1):
            rows = rows_of(replace(TAKEN, owner=seat), marks, brush, size)
            assert plain(rows[-1]).endswith("AB"[seat])
            assert width(plain(rows[-1])) == size[0]


@every_high_size
def test_pieces_of_a_game_differ_by_shape_alone_in_every_size(size: tuple[int, int]) -> None:
    stances = ("block", "grab", "jump", "kumo", "run", "throw", "stone")
    brush = Brush(SKIN, has_pictures=False, signs="AAAAAA")
    for game in (
        ("base", "city", "flag", ""),
        ("samurai", "fox", ""),
        (*(f"kumo-{one}" for one in stances), ""),
    ):
        looks = []
        for name in game:
            rows = rows_of(replace(TAKEN, sprite=name), Marks(), brush, size)
            looks.append([plain(row)[:-1] for row in rows])
        for one, other in combinations(looks, 2):
            pairs = zip("".join(one), "".join(other), strict=True)
            assert sum(a != b for a, b in pairs) >= size[1], (one, other)


def test_half_blocks_show_two_pixels_a_cell_and_quadrants_four_in_two_colours() -> None:
    picture = Picture((("red", ""), ("gold", "gold"), ("", "red")))
    assert half_blocks(picture, "g", 2, 2) == (
        (("▀", "g/red"), (" ", "/g")),
        (("▀", "gold/g"), ("▀", "gold/red")),
    )
    shape = owned(parse("[4x2 shape]\n#..#\n.##.\n").shapes[0], 0)
    assert quadrants(shape, "g", 2, 1) == ((("▚▞", "seat-0/g"),),)  # two of one ink are joined
    text = "r = red\nk = ink\nshape = gold\n[6x2 shape]\n##r.##\nrrr##k\n"
    shape = parse(text).shapes[0]  # a third colour gives way
    assert quadrants(shape, "g", 3, 1) == ((("▀", "gold/red"), ("▙", "red/g"), ("▛", "gold/ink")),)
    assert quadrants(shape, "g", 3, 1, "seat") == ((("█▙▛", "seat/g"),),)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("theme", ["mono", "sixteen", "dark"])
def test_parts_of_a_board_have_borders_where_no_grounds_tell_them_apart(
    size: tuple[int, int], theme: str
) -> None:
    """In `mono` nothing said where a season ends, and crossing that is the game."""
    board = board_of("/".join(["a b c d"] * 4), borders=BORDERS)
    brush = brush_for(SKIN, LETTERS, colors.read(theme))
    geometry = Geometry(*size, 1)
    rows = [plain(row) for row in board_rows(board, BoardMarks(), brush, geometry)][:-1]
    assert any("▁" in row for row in rows) == (theme != "dark")
    if theme != "dark":
        assert "▁" in rows[2 * size[1] - 1]
        assert all(row[RANKS + 2 * size[0] - 1] == "│" for row in rows if "▁" not in row)


def test_a_border_is_straight_with_a_gap_where_a_sign_is() -> None:
    """It stepped aside by a column there."""
    board = board_of("/".join(["a b c d"] * 4), "b", replace(TAKEN, badge="●"), BORDERS)
    brush = brush_for(SKIN, LETTERS, colors.read("mono"))
    rows = [plain(row) for row in board_rows(board, BoardMarks(), brush, Geometry(5, 2, 1))]
    found = {at for row in rows for at, sign in enumerate(row) if sign == "│"}
    assert found == {RANKS + 2 * 5 - 1}
    assert any("●" in row and "│" not in row for row in rows)


@pytest.mark.parametrize("size", [(5, 2), (6, 3), (8, 4), (20, 10)], ids=str)
def test_without_colours_a_chosen_piece_is_dark_on_its_light_ground(size: tuple[int, int]) -> None:
    palette = colors.read("mono")
    brush = brush_for(SKIN, LETTERS, palette)
    rows = rows_of(TAKEN, Marks(is_chosen=True, is_under_cursor=True), brush, size)
    for text, ink in (span for row in rows for span in row):
        pen = palette.pen(ink)
        assert text.isspace() or (pen.ink, pen.paper) == ("#000000", "#e0e0e0"), (text, ink)


@every_size_of_pictures
@pytest.mark.parametrize("mark", ["left", "reached"])
def test_the_last_turn_marks_all_corners_of_a_square_alike(
    size: tuple[int, int], mark: str
) -> None:
    """A corner alone looked like dirt on the picture."""
    over = _over(SAID[mark], is_taken=mark != "left", width=size[0], height=2 * size[1])
    assert any(map(any, over.rows))
    assert over.rows == over.rows[::-1] == tuple(row[::-1] for row in over.rows)


def test_a_flag_that_would_rise_is_an_outline_and_one_that_would_fall_is_struck_through() -> None:
    match = walk(Setup.of(GAMES["kuzushi"], 2), 1, 15)
    seat = Seat(int(match.actors[0]))
    makes = maker_of("kuzushi")
    scene = makes.scene(match.state, ("ada", "bob"), LETTERS, seat)
    raised = fallen = 0
    for step in match.legal(seat):
        after = match.play(seat, step).state
        for name, ghost in makes.ghosts(match.state, seat, step, scene).items():
            at = 1 << match.state.grid.names.index(name)
            rises = ghost.sprite == "flag-rising"
            raised, fallen = raised + rises, fallen + (not rises)
            assert rises or (ghost.sprite, ghost.badge) == ("flag-falling", "↓")
            for size in [] if rises else [size for size in SIZES if size[1] > 1]:
                rows = square(ghost, Marks(), BRUSHES["pictures"], *size)
                struck = [any("target-mark" in ink for _, ink in row) for row in rows or ()]
                assert sum(struck) * 2 >= size[1], size
            assert ghost.owner is not None
            assert bool(after.flags[ghost.owner] & at) == rises
            assert bool(match.state.flags[ghost.owner] & at) != rises
    assert raised
    assert fallen


@pytest.mark.parametrize("room", [(6, 4), (8, 6), (16, 12)])
def test_the_silhouette_of_a_flag_that_would_rise_is_dotted(room: tuple[int, int]) -> None:
    """As a line it looked like a flag with a hole."""
    shape = Brush(SKIN).shape("flag-rising", *room)
    assert shape
    runs = [len(list(run)) for row in shape.rows for ink, run in groupby(row) if ink]
    assert runs
    assert max(runs) <= shape.width / 3


@pytest.mark.parametrize(
    ("size", "edges", "said"), [((4, 2), 0, "Su→"), ((8, 4), 0, "Summer →"), ((8, 4), 2, "")]
)
@every_brush
def test_each_season_is_named_on_its_outermost_free_square(
    size: tuple[int, int], edges: int, said: str, brush: Brush
) -> None:
    match = walk(Setup.of(GAMES["kitsu"], 2), 1, 9)
    board = maker_of("kitsu").scene(match.state, ("ada", "bob"), LETTERS, None).board
    noted = [cell for row in board.rows for cell in row if cell.notes]
    assert len(noted) == 4
    assert not any(cell.sprite for cell in noted)
    summer = next(cell for cell in noted if "Summer →" in cell.notes)
    for cursor in ("", summer.name):
        rows = board_rows(board, BoardMarks(cursor), brush, Geometry(*size, 1, edges))
        text = " ".join(map(plain, rows[edges : len(rows) - 1 - edges]))
        shown = [one for one in summer.notes if one in text]
        assert shown == ([] if cursor or not said else [said])


def test_a_path_is_dots_to_an_arrow_at_its_goal_and_numbered_where_there_are_several() -> None:
    """From a3 across b2 to c1, then a leap from c1 across c2 and c3 to b3; a3 is taken by now."""
    paths = ("a3", "c1"), ("c1", "b3")
    marks = BoardMarks(trace=Trace(frozenset({"c1"}), frozenset({"b3"}), paths=paths))
    dots = {"b2": "·◢", "c1": "2·↑", "c2": "·↑", "c3": "·↑", "b3": "◤"}
    assert marks.ways(board_of(NINE, "b3")) == {"a3": "1·◢", **dots}
    one = BoardMarks(trace=Trace(frozenset({"c1"}), frozenset({"b3"}), paths=paths[1:]))
    assert one.ways(board_of(NINE, "b3"))["c1"] == "·↑"


@every_brush
def test_dots_are_seen_in_all_squares_and_the_arrow_beside_the_piece(brush: Brush) -> None:
    trace = Trace(frozenset({"a3"}), frozenset({"c1"}), paths=(("a3", "c1"),))
    board = board_of(NINE, "c1")
    for size in ((3, 1), (4, 2), (7, 3), (8, 4), (16, 8)):
        rows = board_rows(board, BoardMarks(trace=trace), brush, Geometry(*size, 1))
        assert text_of(rows).count("◢") == 1
        middle = [cells_of(row)[3 + size[0] : 3 + 2 * size[0]] for row in rows]
        drawn = [cell for row in middle[size[1] : 2 * size[1]] for cell in row]
        assert any("·" in sign or "last" in re.split("[/!]", ink) for sign, ink in drawn), size
    bare = board_rows(board, BoardMarks(trace=trace), Brush(None), Geometry(3, 1, 1))
    assert "," in plain(bare[0])  # ASCII has no such arrows


@every_brush
def test_the_last_dot_of_a_path_to_a_captor_has_the_head_of_an_arrow(brush: Brush) -> None:
    """The captor has another sign, so that the direction could only be guessed."""
    taken, ways = {"c1": Fallen("fox", 1)}, ("a3", "b3", "c3", "a1", "a2", "c2", "b1")
    for start, arrow in zip(ways, "◢→↓→↓↓→", strict=True):
        trace = Trace(frozenset({start}), frozenset({"c1"}), paths=((start, "c1"),), taken=taken)
        ways_now = BoardMarks(trace=trace).ways(board_of(NINE, "c1"))
        assert [one for one in ways_now.values() if "··" in one] == [f"··{arrow}"]
    for way, size in product("←→↑↓◤◥◣◢", ((5, 2), (7, 3), (8, 4), (16, 8))):
        plain_dots, head = (
            rows_of(EMPTY, Marks(way=f"{dots}{way}"), brush, size) for dots in ("·", "··")
        )
        assert head != plain_dots
        assert size[1] > 2 or text_of(head).count(way) == 1


def test_a_piece_that_an_earlier_step_has_moved_bears_an_arrow() -> None:
    board = board_of(NINE, "a1 b1 c1")
    paths = ("a3", "c1"), ("b3", "b1")
    marks = BoardMarks(trace=Trace(frozenset({"b3"}), frozenset({"b1"}), paths=paths))
    found = {"a3": "1·◢", "b2": "·◢", "c1": "◢", "b3": "2·↓", "b1": "↓"}
    assert marks.ways(board) == found
    assert text_of(board_rows(board, marks, BRUSHES["shapes"], Geometry(4, 2, 1))).count("↓") == 1


@pytest.mark.parametrize("size", [(4, 2), (5, 2), (8, 4), (12, 6)], ids=str)
def test_without_colours_every_second_seat_has_another_body_and_the_last_step_is_hatched(
    size: tuple[int, int],
) -> None:
    brush = brush_for(SKIN, LETTERS, colors.read("mono"))

    def shown(cell: Cell, marks: Marks) -> str:
        return text_of(rows_of(cell, marks, brush, size))

    one, other = (shown(replace(TAKEN, owner=seat), Marks()) for seat in (0, 1))
    assert one.replace("█", "▒").translate({ord("●"): "■"}) == other
    assert ("█" in one) == ("▒" in other)
    sides = 1 if size[0] == 4 else 2  # with room beside a piece
    bars = "".join(one for one in shown(TAKEN, Marks(was_reached=True)) if one in "▐▌")
    assert len(bars) >= sides * size[1] - 1  # the owner's sign is in one of them
    left = shown(EMPTY, Marks(was_left=True, way="→"))
    assert left.count("╱") == 2 * size[1]
    assert "╱" not in one


@every_high_size
@every_brush
def test_a_captured_piece_has_a_cross_in_its_colour_and_stays_pale_where_nobody_stands(
    size: tuple[int, int], brush: Brush
) -> None:
    for cell in (TAKEN, EMPTY):
        rows = rows_of(cell, SAID["taken"], brush, size)
        crosses = [ink for row in rows for text, ink in row if "×" in text]
        assert crosses == [on_plate(size)]
    assert "seat-1" in colors_in(rows)
    assert rows != rows_of(replace(TAKEN, owner=1), SAID["taken"], brush, size)


@every_high_size
@every_brush
def test_the_kind_of_a_captured_piece_stands_below_its_cross(
    size: tuple[int, int], brush: Brush
) -> None:
    for kind in "SF":
        marks = Marks(was_reached=True, fallen=Fallen("fox", 1, kind))
        rows = rows_of(TAKEN, marks, brush, size)
        ends = [cells_of(row)[-1] for row in rows[:2]]
        assert ends == [("×", on_plate(size)), (kind, on_plate(size))]
        rows = rows_of(EMPTY, marks._replace(was_left=True, was_reached=False), brush, size)
        text = text_of(rows)
        is_picture = brush.has_pictures and size >= PICTURE
        assert (kind in text, "░" in text) == (not is_picture, not is_picture)
        assert is_picture or "summer-last" not in str(rows)  # only the piece is faint


@every_size_of_pictures
def test_the_outline_of_a_captured_piece_stays_behind_its_captor(size: tuple[int, int]) -> None:
    """In its owner's colour, larger than the captor, with the ground between its pixels.

    No corners besides: so many marks looked like a broken piece.
    """
    alone = colors_in(rows_of(TAKEN, Marks(was_reached=True), BRUSHES["pictures"], size))
    for sprite in ("fox", "samurai"):
        marks = Marks(was_reached=True, fallen=Fallen(sprite, 1))
        rows = rows_of(TAKEN, marks, BRUSHES["pictures"], size)
        assert (alone | {"seat-1"}) - {"last"} <= colors_in(row[:-1] for row in rows)
        assert "last" not in colors_in(row[:-1] for row in rows)
        upper = [ink.split("/")[0] for text, ink in cells_of(rows[0]) if text == "▀"]
        assert 1 <= upper.count("seat-1") < size[0] // 2  # above the captor
    chosen = rows_of(TAKEN, marks._replace(is_chosen=True), BRUSHES["pictures"], size)
    assert "seat-1" not in colors_in(chosen)


@every_size_of_pictures
def test_a_flag_that_fell_looks_unlike_one_that_would_rise(size: tuple[int, int]) -> None:
    """What is gone falls apart; an outline, of whole lines, is only what would be gained."""
    rows = rows_of(EMPTY, Marks(fallen=Fallen("flag", 1)), BRUSHES["pictures"], size)[1:-1]
    cells = [cells_of(row) for row in rows]
    for row in cells:
        both = [ink for text, ink in row if text == "▀" and ink.count("seat-1") == 2]
        assert not both  # no two pixels of it one above the other


@pytest.mark.parametrize("way", "◤◥◣◢")
@pytest.mark.parametrize("size", [(5, 2), (4, 2)], ids=str)
def test_dots_in_two_rows_show_which_diagonal_they_go_along(
    way: str, size: tuple[int, int]
) -> None:
    rows = rows_of(EMPTY, Marks(was_left=True, way=f"·{way}"), BRUSHES["pictures"], size)
    upper, lower = (plain(row).index("·") for row in rows)
    assert (upper < lower) == (way in "◤◢")


@every_high_size
@every_brush
def test_the_square_that_a_piece_has_left_has_dots_and_one_where_one_can_go_there(
    size: tuple[int, int], brush: Brush
) -> None:
    def lit(marks: Marks) -> int:
        rows = rows_of(EMPTY, marks, brush, size)
        return sum("last" in re.split("[/!]", ink) for row in rows for _, ink in cells_of(row))

    small = Marks(was_left=True, is_target=True, way="·◤")
    assert lit(small) == 1
    assert lit(small._replace(is_target=False)) >= (2 if size[1] == 2 else 3)
    assert "2" in text_of(rows_of(EMPTY, Marks(was_left=True, way="2·→"), brush, size))


@every_high_size
@every_brush
@pytest.mark.parametrize("way", ["", "·◤", "→"])
def test_the_square_that_a_piece_has_left_is_lit_as_a_whole(
    size: tuple[int, int], brush: Brush, way: str
) -> None:
    rows = rows_of(EMPTY, Marks(was_left=True, way=way), brush, size)
    assert "summer-last" in colors_in(rows)
    assert "summer-a" not in colors_in(rows)


@every_brush
@pytest.mark.parametrize("size", [size for size in SIZES if size > (4, 2)], ids=str)
def test_the_cross_of_a_captured_piece_is_seen_under_the_cursor(
    size: tuple[int, int], brush: Brush
) -> None:
    marks = Marks(is_under_cursor=True, was_reached=True, fallen=Fallen("fox", 1))
    rows = rows_of(TAKEN, marks, brush, size)
    assert cells_of(rows[0])[-1] == ("×", "background/seat-1!")
    assert "cursor" in colors_in(rows[-1:])


def test_where_a_captor_moves_on_its_badge_leaves_room_for_the_cross() -> None:
    captor = replace(TAKEN, badge="*", badge_role="mover")
    brush = brush_for(SKIN, LETTERS, colors.read("mono"))
    rows = rows_of(captor, SAID["taken"], brush, (4, 2))
    assert [plain(row)[-1] for row in rows] == ["×", "●"]


@every_high_size
@every_brush
def test_where_a_piece_has_fallen_nothing_else_is_said(size: tuple[int, int], brush: Brush) -> None:
    fought = replace(EMPTY, notes=("contested", "!"))
    marks = Marks(is_target=True, was_left=True, fallen=Fallen("flag", 1))
    alone = rows_of(EMPTY, marks, brush, size)
    assert rows_of(fought, marks, brush, size) == alone
    assert rows_of(EMPTY, marks._replace(way="2·↓"), brush, size) == alone


@every_high_size
def test_of_three_and_more_seats_a_silhouette_bears_its_owners_sign(size: tuple[int, int]) -> None:
    flag = Cell("c4", "□", "flag-1", sprite="flag", owner=1, ground="seat-1-flag", sign="■")
    for brush in (BRUSHES["shapes"], Brush(SKIN, False, "●■")):
        for cell in (flag, replace(flag, sprite="base"), replace(flag, sprite="city")):
            rows = [cells_of(row) for row in rows_of(cell, Marks(), brush, size)]
            (ink,) = [ink for row in rows for text, ink in row if text == "■"]
            assert ink in ("seat-1-flag/seat-1!", "seat-1/seat-1-flag")  # or beside it
            assert cell.sprite != "flag" or ink.endswith("!")


def test_in_one_row_the_last_step_is_between_bars_on_a_lit_ground() -> None:
    row = glyphs(TAKEN, BoardMarks(trace=Trace(reached=NAME)), 3, 1, "", BRUSHES["pictures"])[0]
    assert plain(row)[::2] == "".join(BARS)
    assert {ink for text, ink in row if text in BARS} == {"last/summer-last!"}


def test_in_one_row_the_last_step_is_seen_beside_a_plate() -> None:
    """In the plate's own ink it would look like a plate that is less wide."""
    reached = BoardMarks(trace=Trace(reached=NAME))
    for marks, said in ((reached, "▌F▐"), (replace(reached, targets=NAME), ">F▐")):
        row = glyphs(TAKEN, marks, 3, 1, "", BRUSHES["shapes"])[0]
        assert plain(row) == said
        assert [ink for text, ink in row if text != "F"] == ["last/!", "last/!"]
    wide = glyphs(TAKEN, reached, 5, 2)[0]  # the plate stays whole between the ends
    assert wide == (("{", "last/!"), (" F ", "base-0"), ("}", "last/!"))
    left = BoardMarks(trace=Trace(left=NAME))
    assert glyphs(EMPTY, left, 3, 1, "→", BRUSHES["shapes"])[0] == ((" → ", "last/!"),)


def test_in_one_row_a_captured_piece_is_a_cross_on_its_owners_colour() -> None:
    marks = BoardMarks(trace=Trace(taken={"c4": Fallen("fox", 1)}))
    for brush, cross in ((BRUSHES["shapes"], "×"), (Brush(), "x")):
        for targets, said in ((frozenset(), f" {cross} "), (NAME, f" +{cross}")):
            shown = replace(marks, targets=targets)
            row = glyphs(EMPTY, shown, 3, 1, "", brush)[0]
            assert plain(row).replace(">", " ") == said
            assert dict(row).get(cross, row[0][1]) == "background/seat-1!"


@every_high_size
@every_brush
def test_a_place_where_a_piece_has_fallen_can_be_seen_to_be_a_target(
    size: tuple[int, int], brush: Brush
) -> None:
    rows = rows_of(EMPTY, Marks(is_target=True, fallen=Fallen("fox", 1)), brush, size)
    inks = {ink for row in rows for _, ink in row}
    assert {on_plate(size)} < inks
    assert any("target-mark" in ink for ink in inks)
    assert "seat-1" not in str(rows[1:])  # its ghost looked like a flag to turn


@every_size_of_pictures
def test_what_can_be_chosen_has_marks_that_grow_with_its_square(size: tuple[int, int]) -> None:
    for is_taken, least in ((True, 2 / 5), (False, 1 / 9)):
        over = _over(Marks(is_target=True), is_taken, size[0], 2 * size[1])
        lit = [row.count("target-mark") for row in over.rows]
        assert sum(map(bool, lit)) >= least * 2 * size[1]
        assert set(lit) == {0, 2} if is_taken else lit.count(max(lit)) == max(lit)


@every_brush
def test_in_the_smallest_silhouettes_marks_leave_air_before_the_next_piece(brush: Brush) -> None:
    for name, sign in (("target", "◂"), ("reached", "▌")):
        ends = [cells_of(row)[-1][0] for row in rows_of(TAKEN, SAID[name], brush, (4, 2))]
        assert set(ends) <= {sign, " "}


def test_a_piece_that_has_just_come_and_can_be_chosen_has_ticks_on_its_own_ground() -> None:
    marks = Marks(is_target=True, was_reached=True)
    for size in ((5, 2), (10, 5)):
        rows = rows_of(TAKEN, marks, BRUSHES["shapes"], size)
        ticks = [ink for row in rows for text, ink in row if "◀" in text]
        assert set(ticks) == {"target-mark/summer-a"}
