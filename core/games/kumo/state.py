"""The arena, the Kumotori, the position of Kumo Hogosha, its steps, its text and its bytes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kumite.core.errors import BadData, BadNotation
from kumite.core.game import Outcome, Packed, Seat, Step, read_lines, same_text

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
WHO: Final = ("runner", "jumper", "grabber", "thrower", "blocker", "kumo")  # in a stance
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
LIFTED: Final = tuple(lone(*pieces[-1]) if pieces else FREE for pieces in PIECES)
"""By byte: the byte of the upper Kumotori standing alone."""


# --- State ------------------------------------------------------------------------------------


@dataclass(frozen=True)
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


def outcome(state: State) -> Outcome | None:
    """Return the winners: the side that pushed the stone out (A18), or nobody (A21)."""
    if state.drawn:
        return Outcome((), "limit")
    if STONE in state.arena:
        return None
    seats = len(state.boards)
    return Outcome(tuple(map(Seat, range(state.seat & 1, seats, 2))), "stone")


# --- Steps: one form per kind, for reading and writing ------------------------------------------

PRISON: Final = -1  # the goal `x`
_GOALS: Final = (*SQUARES, "x")  # PRISON (-1) is the index of the last one
_SQ: Final = ("([a-i][1-9])", SQUARES)
_STANCE: Final = (f"({'|'.join(STANCES)})", STANCES)
_GOAL: Final = ("([a-i][1-9]|x)", _GOALS)
_FORMS: Final = {  # by kind: the text, and its placeholders as patterns and as names
    "cw": ("cw", ()),
    "ccw": ("ccw", ()),
    "place": ("+{}={}", (_SQ, _STANCE)),
    "change": ("{}={}", (_SQ, _STANCE)),
    "walk": ("{}-{}", (_SQ, _SQ)),
    "run": ("run:{}-{}", (_SQ, _SQ)),
    "jump": ("jump:{}-{}", (_SQ, _SQ)),
    "grab": ("grab:{}:{}-{}", (_SQ, _SQ, _GOAL)),
    "throw": ("throw:{}:{}-{}", (_SQ, _SQ, _GOAL)),
    "block": ("block:{}-{}", (_SQ, _SQ)),
    "push": ("push:{}+{}", (_SQ, _SQ)),
    "pull": ("pull:{}+{}", (_SQ, _SQ)),
    "off": ("off:{}-{}", (_SQ, _SQ)),
    "free": ("free", ()),
    "done": ("done", ()),
}
PATTERNS: Final = {
    kind: form.replace("+", r"\+").format(*(pattern for pattern, _ in gaps))
    for kind, (form, gaps) in _FORMS.items()
}
_ARGS: Final = {name: square for square, name in enumerate(SQUARES)}
_ARGS.update({name: stance for stance, name in enumerate(STANCES)}, x=PRISON)


@lru_cache(maxsize=8192)  # about the number of possible steps
def parse_step(step: str) -> tuple[str, tuple[int, ...]]:
    """Return the kind of a step, a key of `_FORMS`, and its squares, stance or goal, in order.

    Raises:
        BadNotation: it has none of the forms.
    """
    for kind, pattern in PATTERNS.items():
        if found := re.fullmatch(pattern, step):
            return kind, tuple(_ARGS[group] for group in found.groups())
    raise BadNotation(f"kumo: {step[:40]!r} is no step")


@cache  # one object per step
def step_text(kind: str, args: tuple[int, ...]) -> Step:
    """Return the notation of a step; the inverse of `parse_step`."""
    form, gaps = _FORMS[kind]
    return Step(form.format(*(names[arg] for (_, names), arg in zip(gaps, args, strict=True))))


# --- Text -------------------------------------------------------------------------------------

_TEXTS: Final = tuple(
    " ".join(f"{side}{STANCES[stance]}" for side, stance in pieces) for pieces in PIECES
)
"""By byte: the text of the Kumotori on a square, bottom first; may be empty."""


def text(state: State) -> str:
    """Return the position as text: its numbers, then a line for each occupied square.

    `d4 1run 0block` is a runner of side 1 on d4, with a blocker of side 0 on top.
    """
    block = "hold" if state.hold else "turn"
    lines = [
        f"kumo seats={len(state.boards)} block={block} limit={state.limit}",
        f"turn {state.turn} seat {state.seat} used {state.used}",
        " ".join(map(str, ("spent", *state.spent))),
        " ".join(("turned", *("yes" if one else "no" for one in state.turned))),
        " ".join(map(str, ("boards", *state.boards))),
        " ".join(map(str, ("prisons", *state.prisons))),
        f"stone {SQUARES[state.stone] if STONE in state.arena else 'out'}",
    ]
    lines += [
        f"{SQUARES[at]} {_TEXTS[byte]}" for at, byte in enumerate(state.arena) if _TEXTS[byte]
    ]
    if end := outcome(state):
        lines.append(f"over {end.reason} {','.join(map(str, end.winners)) or '-'}")
    return "\n".join(lines)


_HEAD: Final = (  # the first lines: pattern and example
    (
        f"kumo seats=([24]) block=(turn|hold) limit=({'|'.join(map(str, LIMITS))})",
        "kumo seats=2 block=turn limit=200",
    ),
    (r"turn ([0-9]{1,3}) seat ([0-3]) used ([0-8])", "turn 1 seat 0 used 0"),
    (r"spent ([0-9]) ([0-9])", "spent 0 0"),
    (r"turned (yes|no) (yes|no)", "turned no no"),
    (r"boards ([0-9]) ([0-9])(?: ([0-9]) ([0-9]))?", "boards 6 6"),
    (r"prisons ([0-9]) ([0-9])", "prisons 0 0"),
    (r"stone (out|[a-i][1-9])", "stone e5"),
)


def parse(said: str) -> State:
    found = read_lines("kumo", said, *_HEAD)
    (_, block, limit), (turn, _, used), spent, turned, boards, prisons, (stone,) = found
    lines = [line.rstrip() for line in said.strip("\n").split("\n")]
    state = State(
        hold=block == "hold",
        limit=int(limit),
        arena=_parse_arena(lines, stone),
        boards=tuple(map(int, filter(None, boards))),
        prisons=tuple(map(int, prisons)),
        turn=int(turn),
        used=int(used),
        turned=tuple(one == "yes" for one in turned),
        spent=tuple(map(int, spent)),
        drawn=lines[-1] == "over limit -",
    )
    if wrong := _mistake(state):
        number, wanted = wrong
        raise _bad_line(number, lines[number], wanted)
    same_text("kumo", said, text(state))
    return state


def _parse_arena(lines: list[str], stone: str) -> bytes:
    arena = bytearray(SIZE * SIZE)
    if stone != "out":
        arena[SQUARES.index(stone)] = STONE
    for number, line in enumerate(lines[len(_HEAD) :], start=len(_HEAD)):
        name, _, pieces = line.partition(" ")
        if name != "over":
            if name not in SQUARES or not pieces or pieces not in _TEXTS:
                raise _bad_line(number, line, "a line like `d4 1run` or `d4 1run 0block`")
            if arena[SQUARES.index(name)] != FREE:
                raise _bad_line(number, line, f"nothing more on {name}")
            arena[SQUARES.index(name)] = _TEXTS.index(pieces)
    return bytes(arena)


def _bad_line(number: int, line: str, wanted: str) -> BadNotation:
    return BadNotation(
        f"kumo: line {number + 1} of the position is {line!r}", hint=f"expected {wanted}"
    )


def _is_shaped(state: State) -> bool:
    """Return whether all fields have valid lengths and values."""
    pairs = (state.prisons, state.turned, state.spent)
    return (
        state.limit in LIMITS
        and len(state.boards) in CAMPS
        and all(len(pair) == 2 for pair in pairs)
        and len(state.arena) == SIZE * SIZE
        and max(state.arena) <= STONE
        and state.arena.count(STONE) <= 1
        and min(state.used, *state.boards, *state.prisons, *state.spent) >= 0
    )


def _mistake(state: State) -> tuple[int, str] | None:
    """Return the first impossible line of the text, from 0, and what is expected there."""
    seats, seat, is_out = len(state.boards), state.seat, STONE not in state.arena
    if not 1 <= state.turn <= state.limit:
        return 1, f"a turn from 1 to {state.limit}"
    for side in (0, 1):
        is_between = seats == 4 and side < seat <= side + 2  # its first player has finished
        low, high = SHARE if is_between else (0, 0)
        if not low <= state.spent[side] <= high:
            return 2, f"for side {side} a number from {low} to {high}"
        if state.turned[side] and not (is_between or (side == seat % 2 and state.used)):
            return 3, f"for side {side} `no`, as it has not acted"
        pieces = [one for byte in state.arena for one in PIECES[byte] if one[0] == side]
        count = len(pieces) + sum(state.boards[side::2]) + state.prisons[1 - side]
        if count != KUMOTORI:
            return 4, f"{KUMOTORI} Kumotori of side {side} in all, not {count}"
    if max(state.boards) > 2 * KUMOTORI // seats:
        return 4, f"at most {2 * KUMOTORI // seats} Kumotori on a board"
    if seats == 4 and max(state.prisons) > TEAM_PRISON:
        return 5, f"at most {TEAM_PRISON} Kumotori in a prison"
    if is_out:
        low, high = 1, state.most()
    elif state.drawn:
        low, high = state.least, state.most()
    else:
        low, high = 0, state.most() - 1
    if not low <= state.used <= high:
        return 1, f"from {low} to {high} actions used"
    if state.drawn and (is_out or state.turn != state.limit or state.must_turn):
        return 1, f"turn {state.limit} and a turned arena, as the match is drawn"
    return None


# --- Bytes ------------------------------------------------------------------------------------


def pack(state: State) -> Packed:
    """Return (hold, limit, arena, boards, prisons, turn, used, turned, spent, drawn)."""
    return (
        int(state.hold),
        state.limit,
        state.arena,
        state.boards,
        state.prisons,
        state.turn,
        state.used,
        tuple(map(int, state.turned)),
        state.spent,
        int(state.drawn),
    )


def unpack(packed: Packed) -> State:
    """Return the position from its packed form."""
    match packed:
        case (
            int(hold),
            int(limit),
            bytes(arena),
            tuple(boards),
            tuple(prisons),
            int(turn),
            int(used),
            tuple(turned),
            tuple(spent),
            int(drawn),
        ):
            state = State(
                hold=bool(hold),
                limit=limit,
                arena=arena,
                boards=_unpack_ints(boards),
                prisons=_unpack_ints(prisons),
                turn=turn,
                used=used,
                turned=tuple(map(bool, turned)),
                spent=_unpack_ints(spent),
                drawn=bool(drawn),
            )
            if _is_shaped(state) and not _mistake(state) and pack(state) == packed:
                return state
    raise BadData("no packed position of kumo")


def _unpack_ints(packed: tuple[Packed, ...]) -> tuple[int, ...]:
    return tuple(one if isinstance(one, int) else -1 for one in packed)
