"""The elements of a scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from kumite.core.game import Actor, Step
from kumite.tui.look.glyphs import Look
from kumite.tui.scenes.lines import Line, Span, fit, plain, width

if TYPE_CHECKING:
    from kumite.tui.scenes.pictures import Card, Climb, Spread, Stage


@dataclass(frozen=True, slots=True)
class Cell:
    """One place of a board; without a name the cursor skips it."""

    name: str
    glyph: str
    role: str
    aim: str = ""  # the glyph while it can be chosen; empty: the same
    mark: str = ""  # an optional character after the glyph, omitted if there is no room
    sprite: str = ""  # the piece here, by its name in a skin; empty: none
    owner: int | None = None  # the owner's seat
    ground: str = ""  # the background colour, by its name in a theme; empty: characters only
    badge: str = ""  # a letter in the margin of the picture, for anything else here
    badge_role: str = ""
    sign: str = ""  # of the owner, in the margin, where there are too many for colours alone
    notes: tuple[str, ...] = ()  # a note on an empty square, the longest form first
    mat: str = ""  # the colour below the piece, which is drawn in paper on it; empty: none
    over: Cell | None = None  # this square with a piece that is in the air above it


def checkered(family: str, column: int, row: int) -> str:
    return f"{family}-{'ab'[(column + row) % 2]}"


@dataclass(frozen=True, slots=True)
class Borders:
    """Lines between parts of a board."""

    columns: tuple[int, ...] = ()  # after these columns, from 0 at the left
    rows: tuple[int, ...] = ()  # below these rows, from 0 at the top
    upright: str = ""
    level: str = ""


NO_BORDERS: Final = Borders()


class Outside(NamedTuple):
    """A piece that went over an edge: the upper, lower, left or right one, and in which line."""

    edge: int
    line: int  # the file or the rank, from the left or the top
    cell: Cell

    def square(self, board: Board) -> Cell:
        """Return the last square on its way."""
        across, down = (self.line, -self.edge) if self.edge < 2 else (2 - self.edge, self.line)
        return board.rows[down][across]


@dataclass(frozen=True, slots=True)
class Board:
    """A grid of cells, the top row first, with a label for each column and row."""

    rows: tuple[tuple[Cell, ...], ...]
    columns: tuple[Span, ...]  # labels from left to right
    ranks: tuple[Span, ...]  # labels from the top
    home: str  # the initial place of the cursor
    points_at_pieces: bool = False  # also mark available pieces
    borders: Borders = NO_BORDERS
    edges: tuple[Line, Line] | tuple[()] = ()  # text above and below, each part over its files
    outside: Outside | None = None
    has_own_notes: bool = False  # of squares: the edges do not say the same

    @property
    def is_drawn(self) -> bool:
        """True if it has backgrounds, and so is drawn as large as fits."""
        return any(cell.ground for row in self.rows for cell in row)

    def turned(self) -> Board:
        last, lowest = len(self.columns) - 1, len(self.ranks) - 1
        gone = self.outside
        return replace(
            self,
            rows=tuple(row[::-1] for row in self.rows[::-1]),
            columns=self.columns[::-1],
            ranks=self.ranks[::-1],
            borders=replace(
                self.borders,
                columns=tuple(last - 1 - column for column in self.borders.columns),
                rows=tuple(lowest - 1 - row for row in self.borders.rows),
            ),
            edges=(self.edges[1][::-1], self.edges[0][::-1]) if self.edges else (),
            outside=gone
            and Outside(gone.edge ^ 1, (last if gone.edge < 2 else lowest) - gone.line, gone.cell),
        )

    def part_at(self, x: int, y: int, wide: int, high: int) -> Board:
        """Return `wide` columns and `high` rows from a place on, without any text."""
        return replace(
            self,
            rows=tuple(
                tuple(replace(cell, notes=()) for cell in row[x : x + wide])
                for row in self.rows[y : y + high]
            ),
            columns=self.columns[x : x + wide],
            ranks=self.ranks[y : y + high],
            borders=replace(
                self.borders,
                columns=tuple(at - x for at in self.borders.columns if 0 <= at - x < wide - 1),
                rows=tuple(at - y for at in self.borders.rows if 0 <= at - y < high - 1),
            ),
            edges=(),
            outside=None,
        )

    def place(self, name: str) -> tuple[int, int] | None:
        for y, row in enumerate(self.rows):
            for x, cell in enumerate(row):
                if cell.name == name:
                    return x, y
        return None

    def part(self, name: str) -> str:
        """Return which ninth of the board a square is in, as `upper left`; "" if there is none."""
        x, y = self.place(name) or (-1, -1)
        across, down = 3 * x // len(self.columns or (0,)), 3 * y // len(self.ranks or (0,))
        return "" if x < 0 else f"{HEIGHTS[down]}{SIDES[across]}"


HEIGHTS: Final = ("upper ", "", "lower ")
SIDES: Final = ("left", "middle", "right")
NO_BOARD = Board((), (), (), "")


@dataclass(frozen=True, slots=True)
class Chip:
    """Something beside the board to choose by its name: a card in the hand, an action."""

    name: str
    text: str
    role: str = ""
    card: Card | None = None  # its picture, where there is room for cards
    said: str = ""  # its current description; empty: its name
    sprite: str = ""  # what it is drawn as in a tile


class Bar(NamedTuple):
    """A number of something, with its maximum."""

    what: str
    number: int
    most: int
    sprite: str = ""  # what each is drawn as
    owner: int | None = None  # in whose colour


class Shelf(NamedTuple):
    """Pieces off the board, the kinds side by side."""

    bars: tuple[Bar, ...]
    slots: tuple[int, ...]  # the room of each, in pieces
    is_legend: bool = False  # of the kinds of pieces, by name; left out where there is no room


class Portrait(NamedTuple):
    """A player's figure, beside the lines and shelves that follow it."""

    sprite: str
    owner: int  # in whose colour


NOTES: Final = "notes"  # the words at the edges of a board, below it, and on empty squares


@dataclass(frozen=True, slots=True)
class Scene:
    """A table as a viewer sees it.

    `picture` replaces the board in games without one, else it is below it. `tray` has the viewer's
    cards and chips, available or not; other choices that are not cells of the board are appended to
    it.
    """

    board: Board
    seats: tuple[Line, ...]  # with numbers of what is off the board
    facts: tuple[Line, ...]
    picture: tuple[Line, ...] = ()
    tray: tuple[Chip, ...] = ()
    climb: Climb | None = None  # these three replace board and picture, where pictures are shown
    stage: Stage | None = None
    spread: Spread | None = None
    where: str = ""  # the progress of the match: `turn 9 of 200`
    due: str = ""  # the task of the seat to act: `lay a card`, or `2 actions left`
    side: int | None = None  # the `owner` of the viewer's pieces; None: no one's
    shelves: tuple[Line | Shelf | Portrait, ...] = ()  # instead of `seats`, if pieces have room
    bars: tuple[Line, ...] = ()  # else the heading and the seats' figures, if bars have room
    marks: tuple[Line, ...] = ()  # what the marks of drawn squares mean
    letters: tuple[Line, ...] = ()  # what pieces are called that squares show as letters
    captures_now: bool = True  # whether going to another player's piece captures it

    def without(self, hidden: frozenset[str]) -> Scene:
        """Leave out chips and rows of the players' panel by name, and the board's NOTES."""
        if not hidden:
            return self
        board, picture = self.board, self.picture
        if NOTES in hidden:
            rows = (tuple(replace(cell, notes=()) for cell in row) for row in board.rows)
            board, picture = replace(board, rows=tuple(rows), edges=()), ()

        def is_kept(one: Line | Shelf | Portrait) -> bool:
            return isinstance(one, Shelf | Portrait) or not one or one[0][0].strip() not in hidden

        return replace(
            self,
            board=board,
            picture=picture,
            seats=tuple(filter(is_kept, self.seats)),
            shelves=tuple(filter(is_kept, self.shelves)),
            tray=tuple(chip for chip in self.tray if chip.name not in hidden),
        )

    def captures(self, targets: frozenset[str]) -> frozenset[str]:
        """Return the available squares with another player's piece."""
        if self.side is None or not self.captures_now:
            return frozenset()
        return frozenset(
            cell.name
            for row in self.board.rows
            for cell in row
            if cell.name in targets and cell.owner not in (None, self.side)
        )


@dataclass(frozen=True, slots=True)
class Happening:
    """A step as a viewer saw it."""

    before: Any
    actor: Actor
    step: Step
    after: Any


Past = Sequence[Happening]
"""The last steps before a view, the newest first, as its viewer saw them."""


class Fallen(NamedTuple):
    """A piece that a step has taken off the board."""

    sprite: str
    owner: int
    letter: str = ""  # of its kind, where another piece covers it
    kind: str = ""  # what the letter means


# What happened to a piece on the board, as signs beside it.
PUT: Final = "+"
RAISED: Final = "↑"
TURNED: Final = "↻"
STRUCK: Final = "×"  # a piece was captured here


@dataclass(frozen=True, slots=True)
class Trace:
    """The visible effects of the last steps, by names of squares."""

    left: frozenset[str] = frozenset()  # squares that a piece left
    reached: frozenset[str] = frozenset()  # squares that a piece reached
    changed: Mapping[str, str] = field(default_factory=dict)  # signs of pieces that changed
    moves: Mapping[str, str] = field(default_factory=dict)  # new names of squares and directions
    paths: tuple[tuple[str, str], ...] = ()  # from and to, of each step that moved one piece
    earlier: frozenset[str] = frozenset()  # squares that pieces reached in the steps before
    taken: Mapping[str, Fallen] = field(default_factory=dict)  # what was captured, by its square
    # On squares, of a turn of all of them: a sign, or the square to which an arrow points.
    signs: Mapping[str, str] = field(default_factory=dict)

    @property
    def squares(self) -> frozenset[str]:
        return self.left.union(self.reached, self.changed, self.taken)

    @property
    def is_seen(self) -> bool:
        """True if a step shows on the board."""
        return bool(self.squares or self.signs)

    def followed_by(self, step: Trace) -> Trace:
        """Return the trace after one more step, which alone is marked in full.

        Of earlier steps the paths stay, and what was captured along them, and where pieces went
        without one; arrows turn with all squares.
        """
        if not step.is_seen:
            return self
        now = step.moves.get
        paths = tuple((now(start, start), now(end, end)) for start, end in self.paths)
        earlier = frozenset(now(name, name) for name in self.earlier | self.reached)
        earlier -= step.squares.union(*paths)
        if len(step.left) == len(step.reached) == 1:
            paths += tuple(zip(step.left, step.reached, strict=True))
        taken = {now(name, name): fallen for name, fallen in self.taken.items() if paths}
        turned = {now(one): now(to) for one, to in self.signs.items()} if step.moves else {}
        arrows = {one: to for one, to in turned.items() if one and to}
        return replace(
            step,
            moves={},
            paths=paths,
            earlier=earlier,
            taken=taken | {**step.taken},
            signs={**step.signs, **arrows},
        )

    def without_paths(self) -> Trace:
        """Return the trace with only the ends of its paths, as squares that were reached."""
        ends = {end for _, end in self.paths} - self.squares
        return replace(self, paths=(), signs={}, earlier=self.earlier | ends)


NO_TRACE: Final = Trace()


class Verdict(NamedTuple):
    """Two compared steps, by the names of squares and cards that only one of them chooses."""

    played: frozenset[str] = frozenset()
    better: frozenset[str] = frozenset()
    both: frozenset[str] = frozenset()
    signs: str = "x+"  # of the played and of the better step

    @staticmethod
    def of(played: tuple[str, ...], better: tuple[str, ...], look: Look) -> Verdict:
        """Compare two steps by their parts; a step with no parts of its own keeps its last one."""
        both = frozenset(played) & frozenset(better)
        ways = [frozenset(parts) - both or frozenset(parts[-1:]) for parts in (played, better)]
        return Verdict(ways[0] - ways[1], ways[1], both - ways[0] - ways[1], look.verdict)

    def of_name(self, name: str) -> Span:
        """Return the sign of a square or card and its role; "" if it has none."""
        if name in self.better:
            return self.signs[1], GOOD
        return (self.signs[0], BAD) if name in self.played else ("", "")

    def seen_in(self, names: Iterable[str]) -> Verdict:
        """Return the part of the verdict on these squares and cards."""
        there = frozenset(names)
        return Verdict(self.played & there, self.better & there, self.both & there, self.signs)


NO_VERDICT: Final = Verdict()
BAD, GOOD = "loss", "gain"  # roles of the two steps


@dataclass(frozen=True, slots=True)
class Interlude:
    """A view that is shown until seen, because the next step would erase it."""

    view: Any
    said: str
    then: str = "the match goes on"  # what comes next


class Sign(NamedTuple):
    """The meaning of a sign on the table: a piece, a background, a mark after a name."""

    cell: Cell  # an example; without a ground it is drawn by characters
    said: str
    kind: str = ""  # of a piece, in a word: `Fox`

    @staticmethod
    def of(text: str, role: str, said: str) -> Sign:
        """Return the meaning of a text in some role."""
        return Sign(Cell("", text, role), said)


class Pick(NamedTuple):
    """The description of choosing a part that does not complete a step."""

    order: str  # `choose this Fox`
    kind: str = ""  # the kind of the chosen thing, besides its square: `Fox`
    following: str = ""  # what can be chosen next besides squares and cards: `stances`


@dataclass(frozen=True, slots=True)
class Milestone:
    """The importance of a step in its match."""

    ends: int = 0  # the number of units that it completes, the smallest first (`SceneMaker.PARTS`)
    event: str = ""  # one word, if a viewer might search for it: "capture"


NO_TURNING: Final = Milestone()


class Tally(NamedTuple):
    """The score of one side."""

    seats: tuple[int, ...]
    label: str  # the side's name besides its players; mostly empty
    bars: tuple[Bar, ...]
    score: int  # to compare sides; 0 for all: not comparable
    color: int | None = None  # the seat whose colour it has; None: its first seat's
    course: int | None = None  # what is drawn over time, -1: nothing yet; None: the score
    whole: int = 0  # what a won round counts of the score; 0: no rounds are won
    most: int = 0  # that can be drawn over time; 0: there is no limit

    @property
    def drawn(self) -> int:
        return self.score if self.course is None else self.course


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
    row = ""
    for column, text in enumerate(texts):
        row += fit(text, wide) + " "
        if column in board.borders.columns:
            row += f"{upright} "
    return row.rstrip()
