"""Laws of how tables look, in every theme, depth of colours, glyph set and class of sizes.

Pieces stand out and differ, marks are seen, signs say one thing each: whatever is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, product
from typing import TYPE_CHECKING

import pytest

from kumite.core.games import GAMES
from kumite.tui.drawing import cards
from kumite.tui.drawing.cards import Lying, card_rows
from kumite.tui.drawing.grid import EMPTY, RANKS, SIZES, BoardMarks, Geometry, glyphs, rank_rows
from kumite.tui.drawing.pixels import QUADRANTS, Brush, brush_for, cells_of
from kumite.tui.drawing.squares import HALF, SHAPE, Marks, square
from kumite.tui.drawing.squares import TARGET as TARGET_SIGN
from kumite.tui.games.kitsune import scene as kitsune
from kumite.tui.look import colors
from kumite.tui.look.colors import Palette
from kumite.tui.look.glyphs import ASCII, KANJI, LETTERS, Look
from kumite.tui.look.roles import role_of
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import Scene, maker_of
from kumite.tui.scenes.lines import Line, Span, plain
from kumite.tui.scenes.model import NO_VERDICT, TURNED, Board, Cell, Fallen, Trace, Verdict
from tests.support.contrast import (
    COLOURED,
    DEPTHS,
    FAINT_SEATS,
    FEW,
    PIECE,
    SIXTEEN,
    TEXT,
    Depth,
    Pixel,
    hue,
    one_of_sixteen,
    ratio,
)
from tests.support.frames import middle_of
from tests.support.random_matches import short_setup, walk
from tests.support.scene_laws import NAMES

if TYPE_CHECKING:
    from kumite.tui.scenes.pictures import Card

LOOKS = (LETTERS, KANJI, ASCII)
SQUARES = ((16, 8), (8, 4), (5, 2), (4, 1), (3, 1))  # one of each class: pictures, silhouettes, …
STEPS = (3, 25, 60)  # after which a table is looked at
PLENTY = 4  # a piece stands out if one of so many pixels does
TURN = 60  # degrees that a hue may differ from theme to theme
SKIN = Skin()
NAME = frozenset({"c4"})
PLAIN = ""  # nothing is said of a square
MARKS = {
    PLAIN: BoardMarks(),
    "target": BoardMarks(targets=NAME),
    "capture": BoardMarks(targets=NAME, captures=NAME),
    "chosen": BoardMarks(chosen=NAME),
    "cursor": BoardMarks(cursor="c4"),
    "reached": BoardMarks(trace=Trace(reached=NAME)),
}

every_depth = pytest.mark.parametrize(
    "depth", DEPTHS, ids=lambda one: f"{one.theme}-{one.system.name}"
)
every_look = pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)


@cache
def scenes(game_id: str, look: Look) -> tuple[Scene, ...]:
    """Return tables as the seat to act sees them, with few and with many seats."""
    found = []
    for seats in {GAMES[game_id].SEATS[0], GAMES[game_id].SEATS[-1]}:
        for steps in STEPS:
            match = middle_of(game_id, seats, steps)
            (seat, *_) = match.actors or (0,)
            view = match.game.view(match.state, frozenset({seat}))
            found.append(maker_of(game_id).scene(view, NAMES[:seats], look, seat))
    return tuple(found)


@cache
def cells(game_id: str, look: Look) -> tuple[Cell, ...]:
    """Return all that a board shows, each kind once, and the signs of the help."""
    match = middle_of(game_id, GAMES[game_id].SEATS[-1], STEPS[1])
    signs = maker_of(game_id).signs(match.state, NAMES[: match.setup.seats], look)
    shown = [cell for scene in scenes(game_id, look) for row in scene.board.rows for cell in row]
    found = [replace(cell, name="c4" if cell.name else "") for cell in shown]
    return tuple(dict.fromkeys([*(sign.cell for sign in signs), *found]))


@cache
def drawn(cell: Cell, mark: str, brush: Brush, size: tuple[int, int]) -> tuple[Line, ...]:
    marks = MARKS[mark]
    found = square(cell, marks.of(cell.name), brush, *size)
    return glyphs(cell, marks, *size) if found is None else found


@cache
def brush_of(look: Look, has_many: bool, has_pictures: bool, has_signs: bool) -> Brush:
    palette = Palette(
        True,
        {},
        {"paper": "white", "background": "black"},
        has_pictures=has_pictures,
        has_signs=has_signs,
    )
    return brush_for(SKIN, look, palette, has_many=has_many)


@cache
def pieces(game_id: str, look: Look) -> dict[tuple[str, int | None], Cell]:
    """Return a square with each piece, by its sprite and owner."""
    return {(one.sprite, one.owner): one for one in cells(game_id, look) if one.sprite}


def hand_and_table(scene: Scene) -> Iterator[Card]:
    yield from (chip.card for chip in scene.tray if chip.card is not None)
    if scene.spread is not None:
        yield from (card for group in scene.spread.groups for card in group.cards)


def seen(
    cell: Cell, mark: str, look: Look, depth: Depth, size: tuple[int, int]
) -> tuple[Pixel, ...]:
    """Return what a terminal shows of a square."""
    palette = depth.palette
    brush = brush_of(look, depth.has_many, palette.has_pictures, palette.has_signs)
    return tuple(depth.pixels(drawn(cell, mark, brush, size)))


@every_depth
def test_every_mark_is_seen_on_all_that_a_board_shows(depth: Depth) -> None:
    unseen = [
        (cell, name, look.name, size)
        for game_id in GAMES
        for look in LOOKS
        for cell in cells(game_id, look)
        if cell.name  # else it is no place to which one can go
        for size in SQUARES
        for plain in [seen(cell, PLAIN, look, depth, size)]
        for name in MARKS.keys() - {PLAIN}
        if name != "capture" or cell.owner is not None
        if seen(cell, name, look, depth, size) == plain
    ]
    assert unseen == []


@every_depth
def test_pieces_of_a_game_differ_from_each_other(depth: Depth) -> None:
    alike = [
        (*pair, look.name, size)
        for game_id in GAMES
        for look in LOOKS
        for size in SQUARES
        for looks in [
            {
                piece: seen(replace(cell, mark="", badge=""), PLAIN, look, depth, size)
                for piece, cell in pieces(game_id, look).items()
            }
        ]
        for pair in combinations(looks, 2)
        if looks[pair[0]] == looks[pair[1]]
    ]
    assert alike == []


@every_depth
def test_pieces_stand_out_from_every_ground_that_they_can_stand_on(depth: Depth) -> None:
    """Or, where a piece has a ground or a mat of its own, from that one."""
    faint = {}
    for game_id in GAMES:
        shown = pieces(game_id, LETTERS)
        grounds = {cell.ground for cell in cells(game_id, LETTERS) if cell.ground}
        has_own = len(
            {cell.ground for cell in shown.values()} & {f"seat-{n}-dim" for n in range(6)}
        )
        for (piece, cell), size in ((one, size) for one in shown.items() for size in SQUARES[:3]):
            for ground in {cell.ground} if has_own else grounds:
                on = depth.rgb(depth.palette.color(cell.mat or ground))
                found = seen(replace(cell, ground=ground), PLAIN, LETTERS, depth, size)
                contrasts = sorted(
                    ratio(color, on)
                    for text, *both in found
                    for color in set(both)
                    if color != on
                    for one in text
                    if one != " "
                )
                contrast = contrasts[-max(1, len(contrasts) // PLENTY)]
                if contrast < PIECE:
                    faint[piece, ground, size] = round(contrast, 2)
    assert faint == {}


@every_depth
@pytest.mark.parametrize("game_id", ["kitsune", "kiriai"])
def test_cards_differ_from_each_other_in_every_size(depth: Depth, game_id: str) -> None:
    brush = brush_for(SKIN, LETTERS, depth.palette, has_many=depth.has_many)
    found = {
        replace(card, copies=1, is_dim=False, name="", owner=0)
        for scene in scenes(game_id, LETTERS)
        for card in hand_and_table(scene)
        if not card.is_back and not card.is_place
    }
    assert len(found) > 6
    for size in cards.SIZES:
        looks = {card: tuple(depth.pixels(card_rows(card, Lying(), brush, size))) for card in found}
        alike = [pair for pair in combinations(found, 2) if looks[pair[0]] == looks[pair[1]]]
        assert alike == []


@every_look
@pytest.mark.parametrize("game_id", GAMES)
def test_each_sign_says_one_thing(game_id: str, look: Look) -> None:
    """A sign that is told twice is one of two that look the same."""
    seats = GAMES[game_id].SEATS[-1]
    match = middle_of(game_id, seats, STEPS[1])
    signs = maker_of(game_id).signs(match.state, NAMES[:seats], look)
    found: dict[tuple[object, ...], set[str]] = {}
    for cell, said, _ in signs:
        kind = (cell.glyph, cell.mark, cell.role, cell.sprite, cell.owner, cell.ground, cell.badge)
        found.setdefault(kind, set()).add(said)
    unclear = {kind: said for kind, said in found.items() if len(said) > 1}
    assert {kind[3] for kind in unclear} <= {"kumo-run"}  # a stance, and whose its wrestlers are


def test_what_can_be_chosen_has_no_players_sign() -> None:
    assert not [look.name for look in LOOKS if {TARGET_SIGN, look.target} & {*look.solid}]


# --- Colours ----------------------------------------------------------------------------------

NAMED = {  # colours whose hue says something, with those that a page of rules names
    *(f"seat-{n}" for n in range(6)),
    *(f"seat-{n}{shade}" for n in range(6) for shade in ("-light", "-dark")),
    *("gain", "loss", "red", "blue", "orange", "gold", "capture", "camp-0", "camp-1"),
}


@pytest.mark.parametrize("name", [*COLOURED, "sixteen"])
def test_a_colour_that_says_something_has_one_hue_in_all_themes(name: str) -> None:
    first = DEPTHS[0]
    changed = {}
    for depth in DEPTHS:
        for color in NAMED & colors.known() if depth.theme == name else ():
            hues = [hue(one.rgb(one.palette.color(color))) for one in (first, depth)]
            if None in hues:
                continue
            apart = abs(hues[0] - hues[1])
            if min(apart, 360 - apart) > TURN:
                changed[color, depth.system.name] = hues
    assert changed == {}


def test_a_terminal_of_sixteen_colours_has_all_that_its_theme_names() -> None:
    shades = (product(("00", full), repeat=3) for full in ("80", "ff"))
    known = {f"#{''.join(parts)}" for parts in chain(*shades)} | {"#c0c0c0"}
    known |= {"#e05050", "#5555ff", "#555555"}  # for Rich bright red, blue and black
    text = (colors.OURS / "sixteen.toml").read_text("utf-8")
    assert set(re.findall(r'"(#\w+)"', text)) <= known


def test_in_sixteen_colours_a_clan_of_kitsune_has_one_colour_on_cards_and_elsewhere() -> None:
    depth = next(one for one in DEPTHS if one.theme == "sixteen")
    own = depth.palette.of("kitsune")
    black, paper = (depth.rgb(own.color(name)) for name in ("background", "paper"))
    for seat, card in (("seat-1", "blue-dark"), ("seat-4", "orange-dark")):
        shown = depth.rgb(own.color(seat))
        assert own.color(card) == own.color(seat)
        assert min(ratio(shown, black), ratio(shown, paper)) > PIECE
    for kind in kitsune.SPECIALS:
        assert kitsune.card(kind).ink not in ("blue-dark", "orange-dark", "red")


@cache
def written(game_id: str, has_signs: bool) -> frozenset[tuple[str, str]]:
    """Return letters and arrows on cards and empty squares, with few colours, and their inks."""
    brush = brush_of(LETTERS, False, False, has_signs)
    rows = [
        row
        for scene in scenes(game_id, LETTERS)
        for card, size in product(set(hand_and_table(scene)), cards.SIZES)
        for row in card_rows(card, Lying(), brush, size)
    ]
    empty = (cell for cell in cells(game_id, LETTERS) if not cell.sprite)
    rows += [
        row
        for cell, mark, size in product(empty, ("", "reached"), SQUARES[1:])
        for row in drawn(cell, mark, brush, size)
    ]
    signs = ((one, ink) for row in rows for text, ink in row for one in text)
    return frozenset(
        ("a" if one.isalnum() else one, ink) for one, ink in signs if one.isalnum() or one in "←↑→↓"
    )


@pytest.mark.parametrize("terminal", SIXTEEN)
@pytest.mark.parametrize("name", FEW)
def test_letters_and_arrows_on_cards_and_squares_are_read_in_sixteen_colours(
    name: str, terminal: str
) -> None:
    """Yellow numbers lay on white cards, and red arrows on red squares."""
    palette = colors.read(name, is_full=False, is_few=True)
    faint = {}
    for game_id in GAMES:
        own = palette.of(game_id)
        # A card that cannot be played, and a clan's colour, which is seen on black and on paper.
        faint_inks = {"paper-dim", *FAINT_SEATS.get(name, ()), *palette.games.get(game_id, ())}
        for sign, role in written(game_id, palette.has_signs):
            ink, paper = (one_of_sixteen(color, terminal) for color in own.pen(role)[:2])
            inks = {*role.strip("!").split("/")} if "/" in role else {*role_of(role)[:2]}
            least = TEXT if sign == "a" and not inks & faint_inks else PIECE
            if ratio(ink, paper) < least:
                faint[game_id, sign, role] = round(ratio(ink, paper), 2)
    assert faint == {}


@every_depth
def test_whose_a_piece_is_is_seen_by_its_colour_or_sign(depth: Depth) -> None:
    shown = {depth.rgb(depth.palette.color(f"seat-{n}")) for n in range(6)}
    assert len(shown) == 6 or depth.palette.has_signs


# --- No mark covers a piece -------------------------------------------------------------------


SKIN = Skin()
BRUSHES = {
    "pictures": Brush(SKIN),
    "shapes": Brush(SKIN, has_pictures=False),
    "signs": Brush(SKIN, has_pictures=False, signs="ABCDEF"),
}
NAME = frozenset({"c4"})
TARGET = {"targets": NAME}
TAKEN = {"c4": Fallen("fox", 1)}
PLAYED_AND_BETTER = (Verdict(played=NAME, signs="×✓"), Verdict(better=NAME, signs="×✓"))
MARKED = [
    BoardMarks(cursor=cursor, trace=trace, verdict=verdict, **marks)
    for cursor, trace, verdict, marks in product(
        ("", "c4"),
        (Trace(), Trace(reached=NAME, taken=TAKEN), Trace(changed={"c4": TURNED})),
        (NO_VERDICT, *PLAYED_AND_BETTER),
        ({}, {"chosen": NAME}, TARGET, {**TARGET, "captures": NAME}),
    )
]
PLAYED = (5, 40, 120)  # of the matches


def kinds_of_pieces(game_id: str) -> list[Cell]:
    """Return occupied squares of some matches, in which each kind of piece has all that it may.

    That is every owner, badge, sign and mat with every piece, and all of them together or one
    without the other.
    """
    found, known = [], set()
    for seats, (seed, steps) in product(GAMES[game_id].SEATS, enumerate(PLAYED)):
        match = walk(short_setup(game_id, seats), seed, steps)
        board = maker_of(game_id).scene(match.state, NAMES[:seats], LETTERS, None).board
        taken = [cell for row in board.rows for cell in row if cell.sprite]
        for cell, badge in product(taken, ("", "*")):
            one = replace(cell, name="c4", ground="field-a", badge=badge, badge_role="mover")
            own = {(one.sprite, value) for value in (one.owner, badge, one.sign, one.mat)}
            own |= {(badge, bool(one.sign), bool(one.mat))}
            if not own <= known:
                found.append(one)
                known |= own
    return found


def is_hidden(before: Span, after: Span, brush: Brush) -> bool:
    """Return whether a cell has lost a part of the piece: a half block's colour, or a shape."""
    (sign, ink), (other, now) = before, after
    if brush.signs:  # then a chosen piece has another colour
        return sign not in (" ", other)
    halves, halves_now = (one.split("/") for one in (ink, now))
    grounds = ("field-a", "mat-0", "mat-1")
    if {*halves} <= {*grounds}:
        return False
    if {sign, other} <= {" ", "▀"}:
        was, shown = (
            (inks if one == "▀" else (inks[1], inks[1]))
            for one, inks in ((sign, halves), (other, halves_now))
        )
        return any(a != b and a not in grounds for a, b in zip(was, shown, strict=True))
    return sign not in (" ", other)


@pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)
@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])  # the others have no board
def test_no_mark_covers_a_part_of_a_piece(game_id: str, brush: Brush) -> None:
    covered = set()
    for cell, size in product(kinds_of_pieces(game_id), SIZES):
        bare = replace(cell, badge="")
        before = square(bare, Marks(), brush, *size)
        for marks in MARKED:
            after = square(cell, marks.of("c4"), brush, *size)
            if before is None or after is None:
                is_seen = cell.glyph[-1] in "".join(map(plain, glyphs(cell, marks, *size)))
            else:
                rows = zip(before, after, strict=True)
                is_seen = not any(
                    is_hidden(*spans, brush)
                    for row, row_now in rows
                    for spans in zip(cells_of(row), cells_of(row_now), strict=True)
                    if spans[0] != spans[1]
                )
            if not is_seen:
                covered.add((cell.sprite, size, MARKED.index(marks)))
    assert covered == set()


LIGHT = {"last", "chosen", "capture"}  # grounds that marks give a square


@pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)
@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_in_the_narrowest_squares_marks_leave_the_air_between_pieces(
    game_id: str, brush: Brush
) -> None:
    """A sign on a plate filled the only free column, and looked like a part of two pieces."""
    filled = set()
    for cell, marks in product(kinds_of_pieces(game_id), MARKED):
        rows = square(cell, marks.of("c4"), brush, *SHAPE)
        assert rows is not None
        for sign, ink in (cells_of(row)[-1] for row in rows):
            paper = ink.removesuffix("!").partition("/")[2]
            if paper not in (cell.ground, cell.mat) and paper.rpartition("-")[2] not in LIGHT:
                filled.add((cell.sprite, MARKED.index(marks), sign, ink))
    assert filled == set()


@pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)
@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_the_cursor_covers_no_part_of_the_piece_before_it(game_id: str, brush: Brush) -> None:
    """In the narrowest squares its left corners are in that one."""
    covered = set()
    for piece, marks in product(kinds_of_pieces(game_id), MARKED[: len(MARKED) // 2]):
        row = piece, replace(piece, name="d4", badge="")
        board = Board((row,), (("", ""),) * 2, (("", ""),), "d4")
        before, after = (
            [cells_of(row)[RANKS + SHAPE[0] - 1][0] for row in rows]
            for name in ("", "d4")
            for marked in [replace(marks, cursor=name)]
            for rows in [rank_rows(board, 0, marked, brush, Geometry(*SHAPE, 1))]
        )
        both = zip(before, after, strict=True)
        covered |= {(sign, now) for sign, now in both if now != sign and sign not in EMPTY}
    assert covered == set()


# --- Pieces -----------------------------------------------------------------------------------

SIZES_OF_PICTURES = [size for size in SIZES if size[1] >= 4]


def pixels_of(cell: Cell, size: tuple[int, int]) -> list[list[str]]:
    """Return the colours of a square of half blocks."""
    rows = square(cell, Marks(), BRUSHES["pictures"], *size)
    assert rows is not None
    found = []
    for row in map(cells_of, rows):
        inks = [(text, *ink.partition("/")[::2]) for text, ink in row]
        assert {text for text, *_ in inks} <= {" ", "▀"}
        found += [[paper if text == " " else ink for text, ink, paper in inks]]
        found += [[paper for _, _, paper in inks]]
    return found


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_a_picture_of_a_piece_has_air_at_each_side(game_id: str) -> None:
    found = set()
    for cell, size in product(kinds_of_pieces(game_id), SIZES_OF_PICTURES):
        rows = pixels_of(replace(cell, badge="", sign=""), size)
        border = {*rows[0], *rows[-1], *(row[0] for row in rows), *(row[-1] for row in rows)}
        if not border <= {cell.ground, cell.mat}:
            found.add((cell.sprite, size))
    assert found == set()


SIZES_OF_SHAPES = [size for size in SIZES if size[0] > SHAPE[0] and SHAPE[1] <= size[1] < 4]


def quarters_of(cell: Cell, size: tuple[int, int], brush: Brush) -> list[list[str]]:
    """Return the colours of a square of quadrants, four for each of its cells."""
    rows = square(cell, Marks(), brush, *size)
    assert rows is not None
    found: list[list[str]] = []
    for row in map(cells_of, rows):
        for first in (0, 2):  # of the bits of a cell, in its upper or its lower half
            found.append([])
            for text, ink in row:
                fore, _, paper = ink.partition("/")
                bits = max(0, QUADRANTS.find(text.replace(HALF, "█")))  # of a sign: its ground
                found[-1] += [fore if bits >> first + one & 1 else paper for one in (0, 1)]
    return found


@pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)
@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_a_silhouette_has_air_at_its_sides_and_above_or_below(game_id: str, brush: Brush) -> None:
    """So that no two neighbours look like one piece."""
    found = set()
    for cell, size in product(kinds_of_pieces(game_id), SIZES_OF_SHAPES):
        rows = quarters_of(replace(cell, badge="", sign=""), size, brush)
        below = {cell.ground, cell.mat}
        has_sides = {row[x] for row in rows for x in (0, -1)} <= below
        if not (has_sides and (set(rows[0]) <= below or set(rows[-1]) <= below)):
            found.add((cell.sprite, size))
    assert found == set()


SIZES_OF_MATS = [size for size in SIZES if size[0] >= SHAPE[0] and size[1] >= SHAPE[1]]


@pytest.mark.parametrize("name", ["pictures", "shapes"])
def test_two_mats_side_by_side_have_ground_between_them(name: str) -> None:
    """Three pieces of one player in a row looked like one bar."""
    fused = set()
    for cell, size in product(kinds_of_pieces("kumo"), SIZES_OF_MATS):
        bare = replace(cell, badge="", sign="")
        is_picture = name == "pictures" and size in SIZES_OF_PICTURES
        rows = pixels_of(bare, size) if is_picture else quarters_of(bare, size, BRUSHES[name])
        if cell.mat and {row[-1] for row in rows} != {cell.ground}:
            fused.add((cell.sprite, size))
        if cell.mat and set(rows[-1]) != {cell.ground}:  # or one above the other
            fused.add((cell.sprite, size))
    assert fused == set()


def test_a_chosen_wrestler_keeps_figure_and_mat_within_a_golden_outline() -> None:
    """It lost its mat, and was the least readable piece on the board."""
    wrestlers = [one for one in kinds_of_pieces("kumo") if one.mat]
    for cell, size in product(wrestlers, SIZES_OF_SHAPES):
        bare = replace(cell, badge="", sign="")
        before, now = (
            square(bare, Marks(is_chosen=it), BRUSHES["pictures"], *size) for it in (False, True)
        )
        assert before is not None
        assert now is not None
        ends = [(row[0], row[-1]) for row in map(cells_of, now)]
        assert all("chosen-edge" in ink for pair in ends for _, ink in pair)
        inner = [[*map(cells_of, rows)] for rows in (before, now)]
        assert [row[1:-1] for row in inner[0][:-1]] == [row[1:-1] for row in inner[1][:-1]]
        assert all("chosen-edge" in ink for _, ink in inner[1][-1])


def mark_at_the_side(span: Span, at: int) -> bool:
    """Return whether a mark of many squares fills the outer half of a cell at that side."""
    sign, (front, _, ground) = span[0], span[1].removesuffix("!").partition("/")
    if at and sign not in QUADRANTS:
        return False  # a sign beside the next square, whose left half column is free
    bits = max(0, QUADRANTS.find(sign))
    outer = 5 if at == 0 else 10
    drawn = {front if bits & outer else "", ground if ~bits & outer else ""}
    return bool(drawn & {"target-mark", "last", "changed"})


@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])
def test_marks_of_squares_side_by_side_do_not_touch_on_a_painted_board(game_id: str) -> None:
    """Of all pieces that can be chosen, and of steps that turned several of them over."""
    touching = set()
    for seed, size in enumerate(SIZES_OF_PICTURES):
        match = walk(short_setup(game_id, GAMES[game_id].SEATS[0]), seed, 40)
        board = maker_of(game_id).scene(match.state, NAMES[:2], LETTERS, None).board
        taken = frozenset(cell.name for row in board.rows for cell in row if cell.sprite)
        traces = Trace(), Trace(reached=taken), Trace(changed=dict.fromkeys(taken, TURNED))
        for trace, targets in product(traces, (frozenset[str](), taken)):
            marks = BoardMarks(targets=targets, trace=trace)
            for cell in (cell for row in board.rows for cell in row if cell.sprite):
                bare = replace(cell, badge="", sign="")
                rows = square(bare, marks.of(cell.name), BRUSHES["pictures"], *size)
                assert rows is not None
                for at, y in product((0, -1), range(size[1])):
                    if mark_at_the_side(cells_of(rows[y])[at], at):
                        touching.add((cell.sprite, size, at, y))
    assert touching == set()


def test_the_city_has_a_golden_roof_at_every_size() -> None:
    cells = [cell for cell in kinds_of_pieces("kuzushi") if cell.sprite == "city"]
    for cell, size in product(cells, [size for size in SIZES if size[1] > 1]):
        rows = square(cell, Marks(), BRUSHES["pictures"], *size)
        assert rows is not None
        assert any("gold" in ink for row in rows for _, ink in row), size


@pytest.mark.parametrize(
    "sprite", ["samurai", "fox", "city", "kumo-block", "kumo-jump", "kumo-kumo"]
)
def test_a_silhouette_seen_from_the_front_is_alike_at_both_sides(sprite: str) -> None:
    """Of three colours in a cell one is lost: Samurai had one eye, and Foxes one tooth."""
    cell = Cell("c4", "S", "base-0", sprite=sprite, owner=0, ground="field-a")
    for size, brush in product(SIZES_OF_SHAPES, BRUSHES.values()):
        for row in quarters_of(cell, size, brush):
            inner = row[2:-2]  # without the sign of the owner
            assert inner == inner[::-1], size


def test_a_sign_of_the_owner_divides_no_roof() -> None:
    cell = Cell("c4", "B", "base-0", sprite="base", owner=0, ground="field-a")
    for size in ((5, 2), (4, 2)):
        bare, signed = (
            square(replace(cell, sign=sign), Marks(), BRUSHES["shapes"], *size)
            for sign in ("", "●")
        )
        assert bare is not None
        assert signed is not None
        assert [row[:-1] for row in map(cells_of, bare)] == [
            row[:-1] for row in map(cells_of, signed)
        ]
