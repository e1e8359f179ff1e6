"""Mini-Kuzushi, a sixth game that only tests know: proof that one module is a game.

Six by six squares, two seats, no city, no card limit. A step names a square, `00` to `35`
(row * 6 + column): empty with a card beside (any square on the empty board), or one's own flag. It
becomes a base of the actor; each neighbour that is no base becomes a flag of whoever has more bases
beside it, or empty. Over when no square is empty; more cards win.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from kumite.cli.bench.plain_integers import ALL, AROUND, LEFT, NEAR, RIGHT, SIZE, SQUARES
from kumite.core.errors import BadData, BadNotation, IllegalStep
from kumite.core.game import (
    Actor,
    Game,
    Option,
    Options,
    Outcome,
    Packed,
    Seat,
    Seats,
    Step,
    same_text,
)
from kumite.core.games import GAMES, NAMES
from kumite.core.lazy_modules import Modules

ID: Final = "mk6"
TITLE: Final = "Mini-Kuzushi"
RULES: Final = 1
SEATS: Final = (2,)
TEAMS: Final = False
OPTIONS: Final[tuple[Option, ...]] = ()
SECRETS: Final = None

ALL_GAMES: Final[Mapping[str, Game[Any]]] = {**GAMES, ID: sys.modules[__name__]}


class _Found(Modules[Game[Any]]):
    """Our games, and this one for logs and tables that name it; no list of games has it."""

    def __getitem__(self, name: str) -> Game[Any]:
        return ALL_GAMES[ID] if name == ID else super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        return name == ID or super().__contains__(name)


GAMES._ours = _Found("kumite.core.games", "rules", NAMES)

_STEPS: Final = tuple(Step(f"{square:02}") for square in range(SQUARES))
_SQUARE: Final = {step: square for square, step in enumerate(_STEPS)}
_CHUNK: Final = (
    12  # bits that are turned into texts at once: three look-ups list any set of squares
)


def _chunk_texts(first: int) -> tuple[tuple[Step, ...], ...]:
    texts: list[tuple[Step, ...]] = [()]
    for bits in range(1, 1 << _CHUNK):  # what lies under the highest bit is listed already
        high = bits.bit_length() - 1
        texts.append((*texts[bits ^ 1 << high], _STEPS[first + high]))
    return tuple(texts)


_LOW, _MIDDLE, _HIGH = (_chunk_texts(first) for first in range(0, SQUARES, _CHUNK))
_MASK: Final = (1 << _CHUNK) - 1


@dataclass(frozen=True, slots=True)
class State:
    """A position: four sets of squares, and the seat to act (after the end: that would have)."""

    bases0: int
    bases1: int
    flags0: int
    flags1: int
    turn: Seat


def start(seats: int, options: Options) -> State:
    """Return the empty board."""
    return State(0, 0, 0, 0, Seat(0))


def setup_of(state: State) -> tuple[int, Options]:
    """Return two seats and no options."""
    return 2, {}


def actors(state: State) -> tuple[Actor, ...]:
    """Name the seat to act; nobody once no square is empty."""
    full = state.bases0 | state.bases1 | state.flags0 | state.flags1 == ALL
    return () if full else (state.turn,)


def _squares(state: State) -> int:
    """Return the set of squares that the seat to act may name."""
    own_flags = state.flags1 if state.turn else state.flags0
    cards = state.bases0 | state.bases1 | state.flags0 | state.flags1
    if not cards or cards == ALL:
        return ALL ^ cards
    beside = cards << SIZE | cards >> SIZE | (cards & ~RIGHT) << 1 | (cards & ~LEFT) >> 1
    return beside & ALL & ~cards | own_flags


def legal(state: State, actor: Actor) -> tuple[Step, ...]:
    """List the squares `actor` may name, ascending."""
    if actor != state.turn:
        return ()
    squares = _squares(state)
    return _LOW[squares & _MASK] + _MIDDLE[squares >> 12 & _MASK] + _HIGH[squares >> 24]


def apply(state: State, actor: Actor, step: Step) -> State:
    """Return the position after the square became a base of `actor`."""
    square = _SQUARE.get(step, SQUARES)
    if actor != state.turn or not _squares(state) >> square & 1:
        raise _refusal(state, actor, step)
    if actor:
        mine, theirs, my_flags, their_flags = (
            state.bases1, state.bases0, state.flags1, state.flags0,
        )  # fmt: skip
    else:
        mine, theirs, my_flags, their_flags = (
            state.bases0, state.bases1, state.flags0, state.flags1,
        )  # fmt: skip
    mine |= 1 << square
    my_flags &= ~mine
    bases = mine | theirs
    for neighbour in AROUND[square]:
        bit = 1 << neighbour
        if not bases & bit:
            near = NEAR[neighbour]
            more = (near & mine).bit_count() - (near & theirs).bit_count()
            my_flags = my_flags | bit if more > 0 else my_flags & ~bit
            if more >= 0:  # the actor's base can only take flags from the other
                their_flags &= ~bit
    if actor:
        return State(theirs, mine, their_flags, my_flags, Seat(0))
    return State(mine, theirs, my_flags, their_flags, Seat(1))


def why(state: State, actor: Actor, step: Step) -> str:
    """Say why `step` is not legal; empty if it is."""
    if step in legal(state, actor):
        return ""
    if step not in _SQUARE:
        return f"{step} is no square from 00 to 35"
    if actor != state.turn:
        return f"it is the turn of seat {state.turn}"
    return f"{step} is neither your flag nor an empty square with a card beside"


def _refusal(state: State, actor: Actor, step: Step) -> IllegalStep | BadNotation:
    kind = IllegalStep if step in _SQUARE else BadNotation
    return kind(f"{ID}: {why(state, actor, step)}", hint="a square: row * 6 + column, two digits")


def odds(state: State) -> Mapping[Step, Fraction]:
    """Return {}: nothing is left to chance."""
    return {}


def outcome(state: State) -> Outcome | None:
    """Return who has more cards once no square is empty."""
    zero, one = state.bases0 | state.flags0, state.bases1 | state.flags1
    if zero | one != ALL:
        return None
    lead = zero.bit_count() - one.bit_count()
    return Outcome((Seat(int(lead < 0)),) if lead else (), "full")


def view(state: State, by: Seats) -> State:
    """Return the position itself: nothing is hidden."""
    return state


def seen(state: State, actor: Actor, step: Step, by: Seats) -> Step:
    """Return the step itself: nothing is hidden."""
    return step


def pack(state: State) -> Packed:
    """Return the four sets and the turn."""
    return (state.bases0, state.bases1, state.flags0, state.flags1, int(state.turn))


def unpack(packed: Packed) -> State:
    """Return the position that `pack` packed."""
    match packed:
        case (int(b0), int(b1), int(f0), int(f1), 0 | 1 as turn) if (
            min(b0, b1, f0, f1) >= 0
            and b0 | b1 | f0 | f1 <= ALL
            and b0 + b1 + f0 + f1 == b0 | b1 | f0 | f1
        ):
            return State(b0, b1, f0, f1, Seat(turn))
    raise BadData("no packed position of mk6")


_GLYPHS: Final = ".0*1+"  # empty; base and flag of seat 0, of seat 1


def text(state: State) -> str:
    """Return six rows from the top: `0` and `1` bases, `*` and `+` the flags of seats 0 and 1."""
    sets = (0, state.bases0, state.flags0, state.bases1, state.flags1)
    cells = [
        next((glyph for glyph, squares in zip(_GLYPHS, sets, strict=True) if squares >> s & 1), ".")
        for s in range(SQUARES)
    ]
    rows = ["".join(cells[first : first + SIZE]) for first in range(SQUARES - SIZE, -1, -SIZE)]
    return "\n".join([f"{ID} seat={state.turn}", *rows])


def parse(said: str) -> State:
    """Return the position whose text is `said`."""
    head, *rows = said.strip("\n").split("\n")
    cells = "".join(reversed([row.strip() for row in rows]) if rows else "")
    if head.rstrip() not in (f"{ID} seat=0", f"{ID} seat=1") or len(cells) != SQUARES:
        raise BadNotation(f"{ID}: a position is `{ID} seat=0` and six rows of six squares")
    sets = [sum(1 << s for s, cell in enumerate(cells) if cell == glyph) for glyph in _GLYPHS]
    state = State(sets[1], sets[3], sets[2], sets[4], Seat(int(head.rstrip()[-1])))
    same_text(ID, said, text(state))
    return state
