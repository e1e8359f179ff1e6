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
        (Trace(), Trace(reached=NAME), Trace(changed=NAME)),
        ({}, {"chosen": NAME}, TARGET, {**TARGET, "captures": NAME}),
    )
]
STEPS = (5, 40, 120)  # of the matches


def pieces(game_id: str) -> list[Cell]:
    """Return occupied squares of some matches, in which each kind of piece has all that it may.

    That is every owner, badge, sign and mat with every piece, and every frontier with some.
    """
    found, known = [], set()
    for seats, (seed, steps) in product(GAMES[game_id].SEATS, enumerate(STEPS)):
        match = walk(short_setup(game_id, seats), seed, steps)
        board = maker_of(game_id).scene(match.state, NAMES[:seats], LETTERS, None).board
        taken = [cell for row in board.rows for cell in row if cell.sprite]
        for cell, badge in product(taken, ("", "*")):
            one = replace(cell, name="c4", ground="field-a", badge=badge, badge_role="mover")
            own = {(one.sprite, value) for value in (one.owner, badge, one.sign, one.mat)}
            if not own | {one.frontier} <= known:
                found.append(one)
                known |= own | {one.frontier}
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
@pytest.mark.parametrize("game_id", ["kitsu", "kumo", "kuzushi"])  # the others have no board
def test_no_mark_covers_a_part_of_a_piece(game_id: str, brush: Brush) -> None:
    covered = set()
    for cell, size in product(pieces(game_id), SIZES):
        bare = replace(cell, badge="", frontier="")
        alone = {
            has_mat: square(replace(bare, mat=bare.mat if has_mat else ""), Marks(), brush, *size)
            for has_mat in (False, True)
        }
        for marks in MARKED:
            before = alone[not (marks.chosen or marks.captures)]
            after = square(cell, marks.of("c4", "1→"), brush, *size)
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
