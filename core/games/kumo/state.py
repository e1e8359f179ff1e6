"""The arena, the Kumotori and the positions of Kumo Hogosha, used by rules.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KUMOTORI: Final = 6  # per side
BASIC: Final = 5  # actions per turn with 2 seats
MOST: Final = 8  # maximum with imprisoned foes
SHARED: Final = 8  # actions shared by two teammates with 4 seats (A19)
SHARE: Final = (3, 5)  # minimum and maximum for one of them
TEAM_PRISON: Final = 2  # capacity of a prison with 4 seats (A20)
LIMITS: Final = (40, 100, 200, 400)  # numbers of turns after which a match can be drawn (A21)

# --- Geometry ---------------------------------------------------------------------------------

SIZE: Final = 9  # A1
SQUARES: Final = tuple(f"{file}{rank}" for file in "abcdefghi" for rank in range(1, SIZE + 1))
"""Names by square. A square is `file * 9 + rank`, both from 0, so squares sort by name."""
ALL: Final = range(SIZE * SIZE)

WEST, SOUTH, NORTH, EAST = range(4)  # directions, edges and camps, as seen by seat 0 (A3)
DIRECTIONS: Final = ("west", "south", "north", "east")
CAMPS: Final = {2: (SOUTH, NORTH), 4: (SOUTH, WEST, NORTH, EAST)}  # by seats and seat (A2)

LINES: Final = tuple(
    (
        tuple(range(square - SIZE, -1, -SIZE)),
        tuple(range(square - 1, square - square % SIZE - 1, -1)),
        tuple(range(square + 1, square - square % SIZE + SIZE)),
        tuple(range(square + SIZE, SIZE * SIZE, SIZE)),
    )
    for square in ALL
)
"""By square and direction: the squares from the one next to it to the edge; () at that edge."""
NEAR: Final = tuple(tuple(line[0] for line in lines if line) for lines in LINES)
"""By square: the adjacent ones, ascending."""
HEADING: Final = {-SIZE: WEST, -1: SOUTH, 1: NORTH, SIZE: EAST}  # by difference of squares
ROWS: Final = (slice(0, SIZE), slice(0, None, SIZE), slice(SIZE - 1, None, SIZE), slice(72, 81))
"""By camp: the closest row, ascending."""


def own_edges(seats: int, side: int) -> tuple[int, ...]:
    """Return the edges that face a camp of `side`; its foe's are `own_edges(seats, 1 - side)`."""
    return CAMPS[seats][side::2]


def in_ring(square: int, stone: int) -> bool:
    """Return whether the square touches the stone by a side or a corner."""
    return max(abs(square // SIZE - stone // SIZE), abs(square % SIZE - stone % SIZE)) == 1


def turn_cw(arena: bytes) -> bytes:
    """Return the arena after a quarter turn clockwise: (x, y) moves to (y, 10 - x)."""
    return b"".join([arena[72 + rank :: -SIZE] for rank in range(SIZE)])


def turn_ccw(arena: bytes) -> bytes:
    """Return the arena after a quarter turn counter-clockwise: (x, y) moves to (10 - y, x)."""
    return b"".join([arena[rank::SIZE] for rank in range(SIZE - 1, -1, -1)])


# --- What stands on a square ------------------------------------------------------------------

STANCES: Final = ("run", "jump", "grab", "throw", "block", "kumo")
RUN, JUMP, GRAB, THROW, BLOCK, KUMO = range(6)
FIRM: Final = (GRAB, THROW, BLOCK)  # they cannot walk (A9)

# An arena is one byte a square: free, a lone Kumotori (1 to 12), a pinned one with its blocker of
# the other side on top (13 to 24), or the stone. Nothing else can share a space (A7, A14).
FREE: Final = 0
PINNED: Final = 12  # added by a blocker on top to the byte of the one below
STONE: Final = 25


def lone(side: int, stance: int) -> int:
    """Return the byte of a Kumotori that stands alone."""
    return 1 + 6 * side + stance


_ONE: Final = tuple(((side, stance),) for side in (0, 1) for stance in range(6))
_TWO: Final = tuple((*below, (1 - below[0][0], BLOCK)) for below in _ONE)
PIECES: Final[tuple[tuple[tuple[int, int], ...], ...]] = ((), *_ONE, *_TWO, ())
"""By byte: (side, stance) of the Kumotori on that square, bottom first."""
NOBODY: Final = 2  # the side of a square without Kumotori
UPPER: Final = tuple(pieces[-1][0] if pieces else NOBODY for pieces in PIECES)
"""By byte: the side of the upper Kumotori, which alone can be grabbed or thrown (A15)."""
OWN: Final = tuple(
    bytes(byte < len(UPPER) and UPPER[byte] == side for byte in range(256)) for side in (0, 1)
)
"""By side, for bytes.translate: squares whose upper Kumotori, which alone can move, is theirs."""
LIFTED: Final = tuple(lone(*pieces[-1]) if pieces else FREE for pieces in PIECES)
"""By byte: the byte of the upper Kumotori standing alone."""

# By side, as tables for bytes.translate: able Kumotori (A15), blockers; and free squares.
ABLE: Final = tuple(
    bytes(lone(side, RUN) <= byte <= lone(side, KUMO) for byte in range(256)) for side in (0, 1)
)
BLOCKERS: Final = tuple(
    bytes(lone(1 - side, RUN) <= byte - PINNED <= lone(1 - side, KUMO) for byte in range(256))
    for side in (0, 1)
)
IS_FREE: Final = bytes(byte == FREE for byte in range(256))


# --- State ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State:
    """A position. The arena's total rotation is not part of it (A3)."""

    hold: bool  # option block=hold (A16)
    limit: int  # number of the last turn (A21)
    arena: bytes  # by square, see above
    boards: tuple[int, ...]  # by seat: own Kumotori waiting
    prisons: tuple[int, ...]  # by side: foes it holds
    turn: int  # 1, 2, …
    used: int  # actions of this turn
    turned: tuple[bool, ...]  # by side: whether the arena was turned in this turn (4 seats: round)
    spent: tuple[int, ...]  # by side: actions of its first player in this round; 0 with 2 seats
    drawn: bool  # the last turn has ended

    @property
    def seat(self) -> int:
        """Return the seat to move; at the end, the seat that moved last."""
        return (self.turn - 1) % len(self.boards)

    @property
    def stone(self) -> int:
        """Return the stone's square, or -1 if it has left the arena."""
        return self.arena.find(STONE)

    def on(self, name: str) -> tuple[tuple[int, str], ...]:
        """Return (side, stance) of each Kumotori on the named square, bottom first."""
        pieces = PIECES[self.arena[SQUARES.index(name)]]
        return tuple((side, STANCES[stance]) for side, stance in pieces)

    @property
    def least(self) -> int:
        """Return the minimum number of actions in this turn (A4, A19)."""
        if len(self.boards) == 2:
            return BASIC
        seat = self.seat
        return SHARE[0] if seat < 2 else SHARED - self.spent[seat & 1]

    def most(self, captured: int = 0) -> int:
        """Return the most actions in this turn, with `captured` more prisoners (A6, A19)."""
        seat = self.seat
        prisoners = self.prisons[seat & 1] + captured
        if len(self.boards) == 2:
            return min(BASIC + prisoners, MOST)
        return SHARE[1] if seat < 2 else min(SHARED + prisoners - self.spent[seat & 1], SHARE[1])

    @property
    def must_turn(self) -> bool:
        """Return whether the arena must still be turned in this turn (A5, A19)."""
        seat = self.seat
        return not self.turned[seat & 1] and (len(self.boards) == 2 or seat >= 2)


def is_over(state: State) -> bool:
    """Return whether the match is over: the stone has left, or the last turn has ended."""
    return state.drawn or STONE not in state.arena
