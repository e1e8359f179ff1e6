"""Positions of Kitsu! for tests, drawn as short texts."""

from __future__ import annotations

from kumite.core.game import Setup, Step
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import NAMES, SQUARES
from kumite.core.games.kitsu.position import State

WORDS = ("options", "turn", "open", "at", "seat0", "seat1")  # that begin the first lines


def start(**options: int) -> State:
    return kitsu.start(2, Setup.of(kitsu, 2, options).options)


def position(pieces: str, **lines: str) -> State:
    """Parse the start with other pieces (`Fd3 sh1`: capitals are seat 0's) and other lines."""
    text = kitsu.text(start()).split("\n")
    for word, line in lines.items():
        old = text[WORDS.index(word)]
        text[WORDS.index(word)] = old[: len(word) + (word[-1].isdigit())] + " " + line
    board = {piece[1:]: piece[0] for piece in pieces.split()}
    assert board.keys() <= SQUARES.keys()
    for rank in range(1, 9):
        row = "".join(board.get(f"{file}{rank}", ".") for file in "abcdefgh")
        text[14 - rank] = f"{rank} {row}"
    return kitsu.parse("\n".join(text))


def pieces(state: State) -> str:
    """Return the board as `position` takes it, sorted by square."""
    rows = {line[0]: line[2:] for line in kitsu.text(state).split("\n")[6:14]}
    shown = [(f"{file}{rank}", rows[rank]["abcdefgh".index(file)]) for file, rank in NAMES]
    return " ".join(f"{glyph}{name}" for name, glyph in shown if glyph != ".")


def legal(state: State) -> tuple[Step, ...]:
    return kitsu.legal(state, state.seat)


def play(state: State, steps: str) -> State:
    for step in steps.split():
        state = kitsu.apply(state, state.seat, Step(step))
    return state


OWES = play(position("Fd3 Fc3 fh1", seat0="spirit s6 f0 hand s0 f0 taken s0 f0"), "d3-c5")
POUNCES = play(position("Fb1 Fc4 sb5 fh1"), "b1-c3")
DISPATCHES = play(position("Sa1 fc4 Sb3 fg4 sd8 fh1"), "a1-c3")

WIN = """\
options adjacent=4 limit=100 opening=4
turn 3 seat 0 phase move
open autumn winter spring
at - used - owed 0
seat 0 spirit s6 f2 hand s0 f4 taken s2 f0
seat 1 spirit s6 f4 hand s0 f1 taken s1 f1
8 ........
7 ........
6 .s......
5 ......f.
4 .....sFf
3 .....fsf
2 ....S...
1 .S.F....
outcome -
"""
"""`g4-h2 d1-f2 f2>xh3 h3>xf4` wins in the turn, and looks poor until it does."""

TURNS_OUT_LOST = (
    """\
options adjacent=4 limit=200 opening=4
turn 14 seat 1 phase pounce
open -
at f3 used - owed 0
seat 0 spirit s4 f5 hand s0 f0 taken s0 f2
seat 1 spirit s3 f3 hand s0 f0 taken s1 f1
8 .S......
7 .f...S..
6 S...S..s
5 .F......
4 f.F...Fs
3 .....fs.
2 .ssfs...
1 F..s...f
outcome -
""",
    """\
options adjacent=4 limit=100 opening=1
turn 3 seat 0 phase pounce
open -
at f3 used e2 owed 0
seat 0 spirit s6 f6 hand s0 f0 taken s3 f1
seat 1 spirit s4 f6 hand s2 f0 taken s1 f1
8 ........
7 ........
6 .SS.....
5 ...F....
4 .....ffs
3 .....FFs
2 ....F...
1 ........
outcome -
""",
)
"""Where 700 positions come upon a turn that looks best, and loses as it is looked at further."""
