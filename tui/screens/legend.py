"""What the marks on a board mean, each beside a square that has it."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from kumite.tui.drawing.grid import BoardMarks, glyphs
from kumite.tui.drawing.squares import square
from kumite.tui.scenes.model import Trace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.tui.drawing.squares import Brush
    from kumite.tui.scenes import Line, Scene
    from kumite.tui.scenes.model import Cell

SIZE: Final = (5, 2)  # of a square in cells


def marks(scene: Scene, brush: Brush) -> tuple[Line, ...]:
    """Return every mark with what it means; nothing where there is no board to mark."""
    cells = [cell for row in scene.board.rows for cell in row if cell.name]
    empty = next((cell for cell in cells if cell.ground and not cell.sprite), None)
    taken = next((cell for cell in cells if cell.owner is not None), empty)
    if empty is None or taken is None:
        return ()
    lines: list[Line] = [(), (("Marks", "title"),), ()]
    for cell, said, words in _all(empty, taken):
        drawn = square(cell, said.of(cell.name), brush, *SIZE) or glyphs(cell, said, *SIZE)
        for row, text in zip_longest(drawn, (words,), fillvalue=""):
            lines.append((("  ", ""), *row, ("  ", ""), (text, "")))
        lines.append(())
    return tuple(lines)


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
