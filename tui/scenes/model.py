"""What a scene is made of."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.tui.scenes.lines import fit, plain, width

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kumite.core.game import Actor, Step
    from kumite.tui.look.glyphs import Look
    from kumite.tui.scenes.lines import Line, Span
    from kumite.tui.scenes.pictures import Card, Climb, Spread, Stage


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a board: what is chosen by its name, drawn as a glyph in a role.

    A place without a name is none: it is drawn, but the cursor does not stop there.
    """

    name: str
    glyph: str
    role: str
    aim: str = ""  # what it shows instead while it can be chosen; empty: the same
    mark: str = ""  # one character behind the glyph that may be left out where there is no room
    sprite: str = ""  # what stands here, by its name in a skin; empty: nothing
    owner: int | None = None  # the seat whose it is
    ground: str = ""  # what it stands on, by its name in a theme; empty: drawn by characters only
    badge: str = ""  # a letter in the corner of the picture, for what else is here
    badge_role: str = ""


def checkered(family: str, column: int, row: int) -> str:
    """Return the ground of a square of a kind: neighbours differ a little."""
    return f"{family}-{'ab'[(column + row) % 2]}"


@dataclass(frozen=True, slots=True)
class Borders:
    """Lines between parts of a board."""

    columns: tuple[int, ...] = ()  # behind which columns, from 0 at the left
    rows: tuple[int, ...] = ()  # below which rows, from 0 at the top
    upright: str = ""
    level: str = ""


NO_BORDERS: Final = Borders()


@dataclass(frozen=True, slots=True)
class Board:
    """A grid of cells, the top row first, with a label for each column and row."""

    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Span, ...]  # labels from left to right
    ranks: tuple[Span, ...]  # labels from the top
    home: str  # where the cursor stands at first
    points_at_pieces: bool = False  # whether pieces that can be chosen are marked, too
    borders: Borders = NO_BORDERS
    edges: tuple[Line, Line] | tuple[()] = ()  # said above and below it, each part over its files

    @property
    def is_drawn(self) -> bool:
        """Return whether it has grounds: then it is drawn as large as there is room for."""
        return any(cell.ground for row in self.rows for cell in row)

    def turned(self) -> Board:
        """Return the board as it looks from its other side."""
        last, lowest = len(self.columns) - 2, len(self.ranks) - 2
        borders = replace(
            self.borders,
            columns=tuple(last - column for column in self.borders.columns),
            rows=tuple(lowest - row for row in self.borders.rows),
        )
        rows = tuple(row[::-1] for row in self.rows[::-1])
        columns, ranks = self.columns[::-1], self.ranks[::-1]
        return replace(self, rows=rows, columns=columns, ranks=ranks, borders=borders)

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
    card: Card | None = None  # how it looks where there is room for cards
    said: str = ""  # what there is to say of it now; empty: what it is called


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as somebody sees it.

    `picture` stands in the place of the board in games without one, else below it. `tray` holds
    what lies before the viewer, whether it can be chosen now or not; whatever else can be
    chosen and is no cell of the board is put behind it.
    """

    board: Board
    seats: tuple[Line, ...]
    facts: tuple[Line, ...]
    picture: tuple[Line, ...] = ()
    tray: tuple[Chip, ...] = ()
    climb: Climb | None = None  # these three instead of board and picture, where pictures are shown
    stage: Stage | None = None
    spread: Spread | None = None
    where: str = ""  # in the course of the match: `turn 9 of 200`
    due: str = ""  # what the seat to act has to do: `lay a card`
    hue: str = ""  # the role of the seat to act, if it is not the colour of the seat's number
    side: int | None = None  # whose pieces are one's own, as their `owner` says; None: nobody's

    def captures(self, targets: frozenset[str]) -> frozenset[str]:
        """Return those of the squares that can be chosen on which somebody else's piece stands."""
        if self.side is None:
            return frozenset()
        return frozenset(
            cell.name
            for row in self.board.rows
            for cell in row
            if cell.name in targets and cell.owner not in (None, self.side)
        )


@dataclass(frozen=True, slots=True)
class Happening:
    """A step as somebody saw it."""

    before: Any
    actor: Actor
    step: Step
    after: Any


@dataclass(frozen=True, slots=True)
class Trace:
    """The squares on which steps have left something to be seen, by their names."""

    left: frozenset[str] = frozenset()  # from which something went away
    reached: frozenset[str] = frozenset()  # to which it came
    changed: frozenset[str] = frozenset()  # where something has become another because of it
    moves: Mapping[str, str] = field(default_factory=dict)  # where squares are with all on them

    @property
    def squares(self) -> frozenset[str]:
        """Return all of them."""
        return self.left | self.reached | self.changed

    def followed_by(self, step: Trace) -> Trace:
        """Return what there is to be seen after one more step: of a square, what was last."""
        left, reached, changed = (
            frozenset(step.moves.get(name, name) for name in names) - step.squares
            for names in (self.left, self.reached, self.changed)
        )
        return Trace(left | step.left, reached | step.reached, changed | step.changed)


NO_TRACE: Final = Trace()


class Verdict(NamedTuple):
    """Two steps that are compared, by the names of the squares and cards that they choose.

    What both choose is in neither.
    """

    played: frozenset[str] = frozenset()
    better: frozenset[str] = frozenset()
    both: frozenset[str] = frozenset()
    signs: str = "x+"  # of what was played and of what was better

    @staticmethod
    def of(played: tuple[str, ...], better: tuple[str, ...], look: Look) -> Verdict:
        """Compare two steps by their parts; of one whose parts are all the other's, the last."""
        both = frozenset(played) & frozenset(better)
        ways = [frozenset(parts) - both or frozenset(parts[-1:]) for parts in (played, better)]
        return Verdict(ways[0] - ways[1], ways[1], both - ways[0] - ways[1], look.verdict)

    def of_name(self, name: str) -> Span:
        """Return the sign of a square or a card, and the role of what it says; "": it has none."""
        if name in self.better:
            return self.signs[1], GOOD
        return (self.signs[0], BAD) if name in self.played else ("", "")

    def seen_in(self, names: Iterable[str]) -> Verdict:
        """Return what can be seen of it where there are squares and cards of these names."""
        there = frozenset(names)
        return Verdict(self.played & there, self.better & there, self.both & there, self.signs)


NO_VERDICT: Final = Verdict()
BAD, GOOD = "loss", "gain"  # roles of the two steps


@dataclass(frozen=True, slots=True)
class Interlude:
    """What stays on the table until it has been seen, because the next thing would wipe it away."""

    view: Any
    said: str


def no_interlude(before: object, actor: object, step: object, after: object, names: object) -> None:
    """Return nothing: for games in which whatever happens stays on the table."""


class Sign(NamedTuple):
    """What a sign on the table means: a piece, a ground, a mark behind a name."""

    cell: Cell  # where it stands; without a ground it is drawn by characters
    said: str


class Pick(NamedTuple):
    """What it is to choose a part that does not complete a step."""

    order: str  # `choose this Fox`
    kind: str = ""  # what was chosen, beside the name of its square: `Fox`


@dataclass(frozen=True, slots=True)
class Milestone:
    """What a step comes to in the course of its match."""

    ends: int = 0  # it completes this many kinds of part, the smallest first (`PARTS` of the scene)
    event: str = ""  # in a word, if one would look for it in a long match: "capture"


NO_TURNING: Final = Milestone()


def scene_text(scene: Scene) -> str:
    """Return a scene as plain text: for pipes, logs and tests."""
    tray = "  ".join(f"[{chip.text}]" for chip in scene.tray)
    parts = (
        _board_text(scene.board),
        [plain(line).rstrip() for line in scene.picture],
        [tray] if tray else [],
        [plain(line).rstrip() for line in scene.seats],
        [plain(line).rstrip() for line in scene.facts],
    )
    return "\n\n".join("\n".join(part) for part in parts if part)


def _board_text(board: Board) -> list[str]:
    """Return the lines of a board; borders stand as they do on the screen."""
    wide = max((width(cell.glyph + cell.mark) for row in board.rows for cell in row), default=1)
    lines = [
        f"{label:>2} "
        + _joined([cell.glyph + cell.mark for cell in row], wide, board.borders.upright, board)
        for (label, _), row in zip(board.ranks, board.rows, strict=True)
    ]
    for row in reversed(board.borders.rows):
        level = [board.borders.level * wide] * len(board.columns)
        lines.insert(row + 1, "   " + _joined(level, wide, board.borders.upright, board))
    if board.columns:
        labels = [label for label, _ in board.columns]
        lines.append("   " + _joined(labels, wide, " ", board))
    return lines


def _joined(texts: list[str], wide: int, upright: str, board: Board) -> str:
    """Put a row together, with borders behind some of its columns."""
    row = ""
    for column, text in enumerate(texts):
        row += fit(text, wide) + " "
        if column in board.borders.columns:
            row += f"{upright} "
    return row.rstrip()
