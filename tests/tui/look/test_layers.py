"""No mark covers a piece: in random matches of all games, in every size, whatever is marked."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from kumite.core.games import GAMES
from kumite.tui.drawing.grid import SIZES, BoardMarks, glyphs
from kumite.tui.drawing.pixels import cells_of
from kumite.tui.drawing.squares import Brush, Marks, square
from kumite.tui.look.glyphs import LETTERS
from kumite.tui.look.sprites import Skin
from kumite.tui.scenes import maker_of
from kumite.tui.scenes.lines import Span, plain
from kumite.tui.scenes.model import Cell, Trace
from tests.support.random_matches import short_setup, walk
from tests.support.scene_laws import NAMES

SKIN = Skin()
BRUSHES = {
    "pictures": Brush(SKIN),
    "shapes": Brush(SKIN, has_pictures=False),
    "signs": Brush(SKIN, has_pictures=False, signs="ABCDEF"),
}
NAME = frozenset({"c4"})
TARGET = {"targets": NAME}
MARKED = [
    BoardMarks(cursor=cursor, trace=trace, **marks)
    for cursor, trace, marks in product(
        ("", "c4"),
        (Trace(), Trace(reached=NAME, taken=NAME), Trace(changed=NAME)),
        ({}, {"chosen": NAME}, TARGET, {**TARGET, "captures": NAME}),
    )
]
STEPS = (5, 40, 120)  # of the matches


def pieces(game_id: str, seats: int) -> set[Cell]:
    """Return the occupied squares of some matches, each kind once."""
    found = set()
    for seed, steps in enumerate(STEPS):
        match = walk(short_setup(game_id, seats), seed, steps)
        board = maker_of(game_id).scene(match.state, NAMES[:seats], LETTERS, None).board
        taken = [cell for row in board.rows for cell in row if cell.sprite]
        found |= {
            replace(cell, name="c4", ground="field-a", badge=badge, badge_role="mover")
            for cell in taken
            for badge in ("", "*")
        }
    return found


def is_hidden(before: Span, after: Span, brush: Brush) -> bool:
    """Return whether a cell has lost a part of the piece: a half block's colour, or a shape."""
    (sign, ink), (other, now) = before, after
    if brush.signs:  # then a chosen piece has another colour
        return sign not in (" ", other)
    halves, halves_now = (one.split("/") for one in (ink, now))
    if {sign, other} <= {" ", "▀"}:
        grounds = ("field-a", "mat-0", "mat-1")
        was, shown = (
            (inks if one == "▀" else (inks[1], inks[1]))
            for one, inks in ((sign, halves), (other, halves_now))
        )
        return any(a != b and a not in grounds for a, b in zip(was, shown, strict=True))
    return sign not in (" ", other)


@pytest.mark.parametrize("brush", BRUSHES.values(), ids=BRUSHES)
@pytest.mark.parametrize(
    ("game_id", "seats"), [(one, seats) for one, game in GAMES.items() for seats in game.SEATS]
)
def test_no_mark_covers_a_part_of_a_piece(game_id: str, seats: int, brush: Brush) -> None:
    covered = set()
    for cell, size, marks in product(pieces(game_id, seats), SIZES, MARKED):
        has_mat = not (marks.chosen or marks.captures)
        bare = replace(cell, badge="", frontier="", mat=cell.mat if has_mat else "")
        alone = square(bare, Marks(), brush, *size)
        marked = square(cell, marks.of("c4", "1→"), brush, *size)
        if alone is None or marked is None:
            if cell.glyph[-1] not in "".join(map(plain, glyphs(cell, marks, *size))):
                covered.add((cell.sprite, size, MARKED.index(marks)))
            continue
        for row, row_now in zip(alone, marked, strict=True):
            spans = zip(cells_of(row), cells_of(row_now), strict=True)
            if any(is_hidden(before, after, brush) for before, after in spans):
                covered.add((cell.sprite, size, MARKED.index(marks)))
    assert covered == set()
