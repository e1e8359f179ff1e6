"""What a scene is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Span = tuple[str, str]
"""A piece of text and its role (a name that themes give a colour; empty: plain)."""
Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a board: what is chosen by its name, drawn as a glyph in a role.

    A place without a name is none: it is drawn, but the cursor does not stop there.
    """

    name: str
    glyph: str
    role: str
    aim: str = ""  # what it shows instead while it can be chosen; empty: the same


@dataclass(frozen=True, slots=True)
class Board:
    """A grid of cells, the top row first, with a label for each column and row."""

    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Span, ...]  # labels from left to right
    ranks: tuple[Span, ...]  # labels from the top
    home: str  # where the cursor stands at first
    points_at_pieces: bool = False  # whether pieces that can be chosen are marked, too

    def place(self, name: str) -> tuple[int, int] | None:
        """Return (column, row) of the cell of that name."""
        for y, row in enumerate(self.rows):
            for x, cell in enumerate(row):
                if cell.name == name:
                    return x, y
        return None


NO_BOARD = Board((), (), (), "")


@dataclass(frozen=True, slots=True)
class Chip:
    """Something beside the board that can be chosen by its name: a card in the hand, a turn."""

    name: str
    text: str
    role: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as somebody sees it.

    `picture` stands in the place of the board in games without one, else below it. `tray` holds
    what lies before the one who looks, whether it can be chosen now or not; whatever else can be
    chosen and is no cell of the board is put behind it.
    """

    board: Board
    seats: tuple[Line, ...]
    facts: tuple[Line, ...]
    picture: tuple[Line, ...] = ()
    tray: tuple[Chip, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """What stays on the table until it has been seen, because the next thing would wipe it away."""

    view: Any
    said: str


def plain(line: Line) -> str:
    """Return a line without its roles."""
    return "".join(text for text, _ in line)


def scene_text(scene: Scene) -> str:
    """Return a scene as plain text: for pipes, logs and tests."""
    board = scene.board
    wide = max((len(cell.glyph) for row in board.rows for cell in row), default=1)
    lines = [
        f"{label:>2} " + " ".join(f"{cell.glyph:{wide}}" for cell in row).rstrip()
        for (label, _), row in zip(board.ranks, board.rows, strict=True)
    ]
    if board.columns:
        lines.append("   " + " ".join(f"{label:{wide}}" for label, _ in board.columns).rstrip())
    tray = "  ".join(f"[{chip.text}]" for chip in scene.tray)
    parts = (
        lines,
        [plain(line).rstrip() for line in scene.picture],
        [tray] if tray else [],
        [plain(line).rstrip() for line in scene.seats],
        [plain(line).rstrip() for line in scene.facts],
    )
    return "\n\n".join("\n".join(part) for part in parts if part)
