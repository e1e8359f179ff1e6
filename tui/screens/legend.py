"""The legend of a table: every sign and mark, drawn as on the board, with its meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.grid import BoardMarks, glyphs
from kumite.tui.drawing.squares import PICTURE, square
from kumite.tui.scenes.lines import line_width
from kumite.tui.scenes.lines import width as width_of
from kumite.tui.scenes.model import Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes import Line, Scene, Sign
    from kumite.tui.scenes.model import Cell

SIZE: Final = (5, 2)  # columns and rows of a square if the board has no room for pictures


def legend(
    scene: Scene, signs: Iterable[Sign], brush: Brush, size: tuple[int, int]
) -> tuple[Line, ...]:
    """Return every sign and mark with its meaning.

    `size` is that of the board's squares in cells; signs are pictures here if they are there.
    """
    has_room = size[0] >= PICTURE[0] and size[1] >= PICTURE[1]
    drawn = PICTURE if brush.has_pictures and has_room else SIZE
    found = [(_drawn(cell, BoardMarks(), brush, drawn), said) for cell, said, _ in signs]
    told = _listed("On this table", found)
    return (*told, *_listed("Marks", [*_marks(scene, brush, drawn)]))


def _drawn(cell: Cell, marks: BoardMarks, brush: Brush, size: tuple[int, int]) -> tuple[Line, ...]:
    """Draw a square as on the board, or, for a sign without a square, its glyph in one row."""
    if not cell.ground:
        return glyphs(cell, marks, width_of(cell.glyph), 1)
    return square(cell, marks.of(cell.name), brush, *size) or glyphs(cell, marks, SIZE[0], 1)


def _listed(title: str, found: list[tuple[tuple[Line, ...], str]]) -> Iterator[Line]:
    """Yield a title, then each drawing with its meaning beside it; nothing if `found` is empty."""
    if not found:
        return
    yield from ((), ((title, "title"),), ())
    wide = max(line_width(rows[0]) for rows, _ in found)
    for rows, words in found:
        for number, row in enumerate(rows):
            gap = " " * (wide - line_width(row) + 2)
            yield (("  ", ""), *row, (gap, ""), ("" if number else words, ""))
        if len(rows) > 1:
            yield ()


def _marks(
    scene: Scene, brush: Brush, size: tuple[int, int]
) -> Iterator[tuple[tuple[Line, ...], str]]:
    """Yield every mark, drawn on a square of this board; nothing if the game has no board."""
    cells = [cell for row in scene.board.rows for cell in row if cell.name]
    empty = next((cell for cell in cells if cell.ground and not cell.sprite), None)
    taken = next((cell for cell in cells if cell.owner is not None), empty)
    if empty is None or taken is None:
        return
    for cell, marks, said in _all(empty, taken):
        yield _drawn(cell, marks, brush, size), said


def _all(empty: Cell, taken: Cell) -> Iterator[tuple[Cell, BoardMarks, str]]:
    on, there = frozenset({empty.name}), frozenset({taken.name})
    yield taken, BoardMarks(cursor=taken.name), "where you are"
    yield taken, BoardMarks(chosen=there), "chosen: the first part of a step"
    yield empty, BoardMarks(targets=on), "can be chosen"
    yield taken, BoardMarks(targets=there), "can be chosen, and somebody is there"
    yield taken, BoardMarks(targets=there, captures=there), "can be chosen, and takes what is there"
    yield empty, BoardMarks(trace=Trace(left=on)), "the last turn began here"
    yield taken, BoardMarks(trace=Trace(reached=there)), "the last turn ended here"
    yield taken, BoardMarks(trace=Trace(changed=there)), "the last turn changed what is here"
