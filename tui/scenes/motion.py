"""Motion: the effect of a step as a few consecutive pictures; pure.

A game's `frames` derive from the scenes before and after a step in the same view, so no frame
reveals more. The scene after the step is shown last, and not included.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from kumite.tui.scenes.model import Board, Cell, Scene

SLIDE: Final = 0.07  # s on each square of a path
ARRIVED: Final = 0.12  # s after a move, before its effects elsewhere
GONE: Final = 0.2  # s after a piece went over an edge
CHANGE: Final = 0.09  # s for each change without movement
WAY: Final = 5  # squares shown of a path
CHANGES: Final = 6  # pictures of changes; more are grouped


class Frame(NamedTuple):
    """A picture and its duration."""

    scene: Scene
    seconds: float
    is_spare: bool = False  # skipped with few colours, where the connection is often slow too
    said: str = ""  # who does what, for the status line


def board_frames(
    before: Scene,
    after: Scene,
    moves: Mapping[str, str] | None = None,
    *,
    is_chain: bool = False,
) -> tuple[Frame, ...]:
    """Return how pieces move to their new squares; then the other changes in order.

    `moves` are the new squares by the old ones; None: they are guessed. In a chain, pieces that
    follow others wait until their squares are free.
    """
    old, new = _cells(before.board), _cells(after.board)
    changed = [name for name in new if _what(old.get(name)) != _what(new[name])]
    moves = _moves(old, new, changed) if moves is None else moves
    touched = dict.fromkeys((*changed, *moves, *moves.values()))
    shown = {name: _as_before(old.get(name), new[name]) for name in touched}
    gone = after.board.outside
    after = replace(after, board=replace(after.board, edges=before.board.edges))  # no result yet
    frames = [Frame(after_with(after, shown), ARRIVED if gone else SLIDE)]
    if gone and changed:
        name = gone.square(after.board).name
        shown[name] = without_piece(new[name], new[name].ground)
        frames.append(Frame(after_with(after, shown), GONE))
    for wave in _waves(moves) if is_chain else [moves] * bool(moves):
        taken = {name for name in new if shown.get(name, new[name]).sprite} | {*moves.values()}
        ways = {}
        for source, goal in wave.items():
            ways[source] = _way(after.board, source, goal, taken)
            taken |= {*ways[source]}
        last = max(map(len, ways.values())) - 1
        for at in range(1, last + 1):
            cells = dict(shown)
            for source in wave:
                cells[source] = without_piece(new[source], old[source].ground)
            for source, way in ways.items():
                name = way[min(at, len(way) - 1)]
                cells[name] = _with_moving(cells.get(name, new[name]), old[source])
            is_spare = at % 2 == 0 and at < last
            frames.append(Frame(after_with(after, cells), SLIDE, is_spare))
        left = {
            source: cells[source] if source in moves.values() else new[source] for source in wave
        }
        shown |= left | {goal: new[goal] for goal in wave.values()}
    if moves:
        struck = {
            goal: replace(new[goal], ground="capture")
            for goal in moves.values()
            if goal in old and old[goal].owner is not None and goal not in moves
        }
        frames.append(Frame(after_with(after, shown | struck), ARRIVED))
    rest = [name for name in changed if name not in moves and name not in moves.values()]
    together = -(-len(rest) // CHANGES) or 1
    for first in range(0, len(rest), together):
        shown |= {name: new[name] for name in rest[first : first + together]}
        is_spare = first + together < len(rest)
        frames.append(Frame(after_with(after, shown), CHANGE, is_spare))
    return tuple(frames) if changed else ()


def _waves(moves: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    left = dict(moves)
    while left:
        wave = {source: goal for source, goal in left.items() if goal not in left} or left
        yield wave
        left = {source: goal for source, goal in left.items() if source not in wave}


def after_with(after: Scene, cells: Mapping[str, Cell]) -> Scene:
    rows = tuple(tuple(cells.get(cell.name, cell) for cell in row) for row in after.board.rows)
    board, gone = replace(after.board, rows=rows), after.board.outside
    if gone is not None and gone.square(board).sprite == gone.cell.sprite:  # not yet
        board = replace(board, outside=None)
    return replace(after, board=board)


def _cells(board: Board) -> dict[str, Cell]:
    return {cell.name: cell for row in board.rows for cell in row if cell.name}


def _what(cell: Cell | None) -> tuple[str, int | None]:
    return (cell.sprite, cell.owner) if cell and cell.sprite else ("", None)


def _as_before(old: Cell | None, new: Cell) -> Cell:
    return old if old is not None else without_piece(new, new.ground)


def without_piece(cell: Cell, ground: str) -> Cell:
    if not cell.sprite:
        return replace(cell, ground=ground)
    nothing = Cell("", " ", cell.role, badge_role=cell.badge_role)
    return replace(with_piece(cell, nothing), ground=ground)


def with_piece(cell: Cell, piece: Cell) -> Cell:
    return replace(
        cell,
        sprite=piece.sprite,
        owner=piece.owner,
        glyph=piece.glyph,
        role=piece.role,
        mark=piece.mark,
        badge=piece.badge,
        badge_role=piece.badge_role,
        sign=piece.sign,
        mat=piece.mat,
    )


def _with_moving(cell: Cell, piece: Cell) -> Cell:
    """Return a square to which a piece has come: in the air above another one."""
    moving = with_piece(cell, piece)
    return replace(cell, over=moving) if cell.sprite else moving


def _moves(
    old: Mapping[str, Cell], new: Mapping[str, Cell], changed: Iterable[str]
) -> dict[str, str]:
    """Return where pieces went, by their old squares: of the same kind, else of the same owner."""
    left = [name for name in changed if name in old and old[name].sprite]
    came = [name for name in changed if new[name].sprite]
    moves: dict[str, str] = {}
    for is_same_kind in (True, False):
        for goal in came:
            if goal in moves.values():
                continue
            source = next(
                (
                    name
                    for name in left
                    if name not in moves
                    and name != goal
                    and old[name].owner == new[goal].owner
                    and _what(new[name]) != _what(old[name])
                    and (old[name].sprite == new[goal].sprite or not is_same_kind)
                ),
                None,
            )
            if source is not None:
                moves[source] = goal
    return moves


def _way(board: Board, source: str, goal: str, taken: Collection[str]) -> list[str]:
    """Return the squares of a move: the free ones in between, if they are in a line.

    On an occupied square the piece would hide another one. A leap goes along the longer side, over
    whatever is there, and then aside.
    """
    start, end = board.place(source), board.place(goal)
    assert start is not None
    assert end is not None
    across, down = end[0] - start[0], end[1] - start[1]
    far = max(abs(across), abs(down))
    is_leap = bool(across and down and abs(across) != abs(down))
    if is_leap:
        across, down = (across, 0) if abs(across) == far else (0, down)
    squares = [
        board.rows[start[1] + down * step // far][start[0] + across * step // far].name
        for step in range(1, far + is_leap)
    ]
    between = [name for name in squares if name and (is_leap or name not in taken)]
    spread = between[:: -(-len(between) // WAY) or 1]
    return [source, *spread, goal]
