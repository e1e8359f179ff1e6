"""Kuzushi: lay bases on a growing board; the squares that they dominate carry your flags.

Rules: docs/rules/kuzushi.md (decisions A1 to A14, facts F1 to F6). Notation: `g7` lays a base,
`g7+` turns one's own flag on g7 into a base. No chance, nothing hidden, one actor at a time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Final

from kumite.core.errors import BadData, BadNotation, IllegalStep
from kumite.core.game import (
    Actor,
    Option,
    Options,
    Outcome,
    Packed,
    Seat,
    Step,
    read_lines,
    same_text,
)
from kumite.core.games.open import examples
from kumite.core.games.open import odds as odds
from kumite.core.games.open import seen as seen
from kumite.core.games.open import view as view

ID: Final = "kuzushi"
TITLE: Final = "Kuzushi"
RULES: Final = 1
SEATS: Final = (2, 3, 4, 5, 6)
TEAMS: Final = False
OPTIONS: Final = (
    Option(
        "board",
        "normal",
        ("normal", "small"),
        "the board's limit: seats + 4, or seats + 3",
        "Board",
        ("normal", "small: a shorter match"),
    ),
)
SECRETS: Final = None  # no hidden information and no chance

CARDS: Final = 19  # per hand, besides the city (A3)
_MARGIN: Final = {"normal": 4, "small": 3}  # the limit is the number of seats plus this (A7)


# --- Geometry ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Grid:
    """The virtual grid of a board limited to `limit` squares: 2 * limit - 1 files and ranks.

    A square is `rank * 2 * limit + file`, both from 0 (a1 is 0). The spare file at the end of each
    rank keeps shifts by one square from wrapping into the next rank. A set of squares is an int
    with these bits.
    """

    limit: int
    names: tuple[str, ...]  # by square; empty in the spare file
    steps: Mapping[str, tuple[int, bool]]  # by step: its square, and whether it is a flip
    around: tuple[tuple[int, ...], ...]  # by square: neighbours up, right, down, left
    near: tuple[int, ...]  # by square: the neighbours as a set
    files: tuple[int, ...]  # by file: its squares
    ranks: tuple[int, ...]  # by rank: its squares
    board: int  # every square of the grid
    city: int  # the middle square

    def window(self, cards: int) -> int:
        """Return all squares with which the bounding box of `cards` stays within the limit."""
        left, right, low, high = self.box(cards)
        reach = self.limit - 1
        stride, size = 2 * self.limit, 2 * self.limit - 1
        bottom, top = max(0, high - reach), min(size - 1, low + reach)
        first, last = max(0, right - reach), min(size - 1, left + reach)
        row = (1 << (last + 1)) - (1 << first)
        return row * _repeated(stride, top - bottom + 1) << bottom * stride

    def box(self, cards: int) -> tuple[int, int, int, int]:
        """Return first and last file, lowest and highest rank of the squares in `cards`."""
        stride = 2 * self.limit
        low = ((cards & -cards).bit_length() - 1) // stride
        high = (cards.bit_length() - 1) // stride
        row, count = cards >> low * stride, high - low + 1
        while count > 1:  # OR the upper half of the ranks onto the lower half
            half = (count + 1) // 2
            row = row & ((1 << half * stride) - 1) | row >> half * stride
            count = half
        return (row & -row).bit_length() - 1, row.bit_length() - 1, low, high


@cache
def _repeated(stride: int, count: int) -> int:
    """Return a number with `count` bits `stride` apart; multiplying by it copies a rank."""
    return sum(1 << stride * i for i in range(count))


@cache
def grid(limit: int) -> Grid:
    size, stride = 2 * limit - 1, 2 * limit
    squares = {(f, r): r * stride + f for r in range(size) for f in range(size)}
    names = [""] * (stride * size)
    around: list[tuple[int, ...]] = [()] * (stride * size)
    for (f, r), square in squares.items():
        names[square] = f"{chr(ord('a') + f)}{r + 1}"
        beside = ((f, r + 1), (f + 1, r), (f, r - 1), (f - 1, r))
        around[square] = tuple(squares[place] for place in beside if place in squares)
    steps = {names[square]: (square, False) for square in squares.values()}
    steps |= {f"{names[square]}+": (square, True) for square in squares.values()}
    return Grid(
        limit,
        tuple(names),
        steps,
        tuple(around),
        tuple(sum(1 << n for n in neighbours) for neighbours in around),
        tuple(sum(1 << squares[f, r] for r in range(size)) for f in range(size)),
        tuple(sum(1 << squares[f, r] for f in range(size)) for r in range(size)),
        sum(1 << square for square in squares.values()),
        squares[limit - 1, limit - 1],
    )


def squares_of(cards: int) -> Iterator[int]:
    """Yield the squares of a set, ascending."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


# --- State ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class State:
    """A position. The city of seat 0 always lies on the grid's middle square (A1)."""

    limit: int  # the board is at most this many files wide and ranks high
    turn: Seat  # the seat to act; at the end, the seat that acted last
    bases: tuple[int, ...]  # by seat: set of squares
    flags: tuple[int, ...]  # by seat: set of squares

    @property
    def grid(self) -> Grid:
        return grid(self.limit)

    @property
    def cards(self) -> int:
        """Return the set of all squares with a card."""
        cards = 1 << self.grid.city
        for cards_of_seat in self.bases + self.flags:
            cards |= cards_of_seat
        return cards

    def hand(self, seat: int) -> int:
        return CARDS - self.bases[seat].bit_count() - self.flags[seat].bit_count()

    def score(self, seat: int) -> int:
        """Return how many cards of `seat` lie on the table, including the city."""
        return CARDS - self.hand(seat) + (seat == 0)


def start(seats: int, options: Options) -> State:
    """Return the start: seat 0 has laid the city as its first turn (A1)."""
    none = (0,) * seats
    return State(seats + _MARGIN[str(options["board"])], Seat(1), none, none)


def setup_of(state: State) -> tuple[int, Options]:
    seats = len(state.bases)
    board = next(name for name, margin in _MARGIN.items() if seats + margin == state.limit)
    return seats, {"board": board}


# --- Turn and steps ---------------------------------------------------------------------------


def actors(state: State) -> tuple[Actor, ...]:
    """Return the seat to act, or () when the match is over."""
    return () if _end(state) else (state.turn,)


def legal(state: State, actor: Actor) -> tuple[Step, ...]:
    """Return the squares where `actor` may lay a base, and its flags to turn over (A5, A6)."""
    if actor != state.turn or _end(state):
        return ()
    names = state.grid.names
    steps = [names[square] for square in squares_of(places(state))]
    steps += [names[square] + "+" for square in squares_of(state.flags[actor])]
    steps.sort()
    return tuple(map(Step, steps))


def places(state: State) -> int:
    """Return the empty squares within the limit that are adjacent to any card (A6)."""
    cards, stride = state.cards, 2 * state.limit
    beside = cards << stride | cards >> stride | cards << 1 | cards >> 1
    return beside & ~cards & state.grid.window(cards)


def apply(state: State, actor: Actor, step: Step) -> State:
    """Return the position after a base is laid or a flag turned over, neighbours included."""
    square, is_flip = state.grid.steps.get(step, (-1, False))
    seat = int(state.turn)
    if square < 0 or actor != seat or _end(state):
        raise _refusal(state, actor, step)
    if not (state.flags[seat] if is_flip else places(state)) >> square & 1:
        raise _refusal(state, actor, step)
    bases, flags = list(state.bases), list(state.flags)
    bases[seat] |= 1 << square
    flags[seat] &= ~(1 << square)
    _mark(state, seat, square, bases, flags)
    after = State(state.limit, state.turn, tuple(bases), tuple(flags))
    if _end(after):
        return after
    turn = seat + 1 if seat + 1 < len(bases) else 0
    return State(state.limit, Seat(turn), after.bases, after.flags)


def _mark(state: State, seat: int, square: int, bases: list[int], flags: list[int]) -> None:
    """Re-evaluate the four neighbours of the new base: up, right, down, left (A8, A9).

    The window of the board with the new base is used throughout: flags laid on the way do not
    change it for the remaining neighbours (F4).
    """
    grid = state.grid
    solid = 1 << grid.city
    for of_seat in bases:
        solid |= of_seat
    cards = solid
    for of_seat in flags:
        cards |= of_seat
    window = grid.window(cards)
    for neighbour in grid.around[square]:
        bit = 1 << neighbour
        if bit & solid or not bit & (cards | window):
            continue
        holder = _holder(grid.near[neighbour], bases)
        for owner in range(len(flags)):
            if owner != holder:
                flags[owner] &= ~bit
        # By F2 only the actor can gain flags; its hand may become empty meanwhile (A9).
        if holder == seat and not flags[seat] & bit:
            in_hand = CARDS - bases[seat].bit_count() - flags[seat].bit_count()
            if in_hand:
                flags[seat] |= bit


def _holder(near: int, bases: list[int]) -> int:
    """Return the seat with strictly more bases in `near` than every other (A4), or -1."""
    holder, most = -1, 0
    for seat, of_seat in enumerate(bases):
        count = (near & of_seat).bit_count()
        if count > most:
            holder, most = seat, count
        elif count == most:
            holder = -1
    return holder


def why(state: State, actor: Actor, step: Step) -> str:
    """Return why `step` is illegal, in terms of the rules; empty if it is legal."""
    if step in legal(state, actor):
        return ""
    if _end(state):
        return "the match is over"
    if actor != state.turn:
        return f"it is the turn of seat {state.turn}"
    if step not in state.grid.steps:
        last = state.grid.names[state.grid.city * 2]
        return f"{step} is no square from a1 to {last}, with + to turn a flag over"
    square, is_flip = state.grid.steps[step]
    return _why_here(state, int(state.turn), square, is_flip)


def _why_here(state: State, seat: int, square: int, is_flip: bool) -> str:
    name, bit = state.grid.names[square], 1 << square
    if square == state.grid.city:
        return f"the city lies on {name} for good"
    for owner, (bases, flags) in enumerate(zip(state.bases, state.flags, strict=True)):
        if bases & bit:
            return f"a base of seat {owner} lies on {name}; bases stay for good"
        if flags & bit and owner != seat:
            return f"the flag on {name} is seat {owner}'s; only one's own may be turned over"
        if flags & bit:
            return f"your own flag lies on {name}: turn it over with {name}+"
    if is_flip:
        return f"no flag lies on {name}"
    cards = state.cards
    if not state.grid.window(cards) & bit:
        return f"with {name} the board would be more than {state.limit} squares wide or high"
    return f"no card lies next to {name}"


def _refusal(state: State, actor: Actor, step: Step) -> IllegalStep | BadNotation:
    kind = IllegalStep if step in state.grid.steps else BadNotation
    return kind(f"{ID}: {why(state, actor, step)}", hint=examples(legal(state, actor), _FORMS))


_FORMS: Final = {"a base": r"\d$", "your flag turned over": r"\+$"}


# --- End and outcome --------------------------------------------------------------------------


def _end(state: State) -> str:
    """Return `full` (A11), `cards` (A10), or an empty string while the match is in progress.

    By F2 only the hand of the seat that has just acted can become empty, and that seat remains
    `turn`.
    """
    table = 1 + sum(map(int.bit_count, state.bases)) + sum(map(int.bit_count, state.flags))
    if table == state.limit * state.limit:
        return "full"
    return "cards" if state.hand(state.turn) == 0 else ""


def outcome(state: State) -> Outcome | None:
    """Return the winners: the highest score, then the largest island, else shared (A12)."""
    reason = _end(state)
    if not reason:
        return None
    scores = [state.score(seat) for seat in range(len(state.bases))]
    best = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if len(best) > 1:
        islands = {seat: island(state, seat) for seat in best}
        best = [seat for seat in best if islands[seat] == max(islands.values())]
        reason += "-shared" if len(best) > 1 else "-island"
    return Outcome(tuple(map(Seat, best)), reason)


def island(state: State, seat: int) -> int:
    """Return the size of the largest connected group of cards of `seat`, including the city."""
    left = state.bases[seat] | state.flags[seat] | ((1 << state.grid.city) if seat == 0 else 0)
    stride, largest = 2 * state.limit, 0
    while left:
        group, grown = 0, left & -left
        while grown != group:
            group = grown
            grown |= (group << stride | group >> stride | group << 1 | group >> 1) & left
        largest = max(largest, group.bit_count())
        left &= ~group
    return largest


# --- Bytes and text ---------------------------------------------------------------------------


def pack(state: State) -> Packed:
    """Return (limit, turn, bases, flags), the sets of squares as little-endian bytes."""
    size = (state.grid.board.bit_length() + 7) // 8
    bases = tuple(of_seat.to_bytes(size, "little") for of_seat in state.bases)
    flags = tuple(of_seat.to_bytes(size, "little") for of_seat in state.flags)
    return (state.limit, int(state.turn), bases, flags)


def unpack(packed: Packed) -> State:
    """Return the position from its packed form."""
    match packed:
        case (int(limit), int(turn), tuple(bases), tuple(flags)) if limit in range(5, 11):
            state = State(limit, Seat(turn), _unpack_sets(bases), _unpack_sets(flags))
            with suppress(BadNotation):
                _check(state)
                if pack(state) == packed:
                    return state
    raise BadData("no packed position of kuzushi")


def _unpack_sets(packed: tuple[Packed, ...]) -> tuple[int, ...]:
    return tuple(int.from_bytes(one, "little") if isinstance(one, bytes) else 0 for one in packed)


_CELL: Final = re.compile(r"\.|0C|[0-5][Bf]")


def text(state: State) -> str:
    """Return the position as text: the bounding box, with `1B` for bases and `1f` for flags."""
    seats, options = setup_of(state)
    grid, cards = state.grid, state.cards
    left, right, low, high = grid.box(cards)
    lines = [f"{ID} seats={seats} board={options['board']}", f"seat {state.turn}"]
    for rank in range(high, low - 1, -1):
        cells = [_cell(state, rank * 2 * state.limit + file) for file in range(left, right + 1)]
        lines.append(f"{rank + 1:2} " + " ".join(f"{cell:>2}" for cell in cells))
    files = "  ".join(chr(ord("a") + file) for file in range(left, right + 1))
    lines.append(f"    {files}")
    if end := outcome(state):
        lines.append(f"over {end.reason} {','.join(map(str, end.winners))}")
    return "\n".join(lines)


def _cell(state: State, square: int) -> str:
    if square == state.grid.city:
        return "0C"
    for seat, (bases, flags) in enumerate(zip(state.bases, state.flags, strict=True)):
        if bases >> square & 1:
            return f"{seat}B"
        if flags >> square & 1:
            return f"{seat}f"
    return "."


def parse(said: str) -> State:
    head = (rf"{ID} seats=([2-6]) board=(normal|small)", f"{ID} seats=2 board=normal")
    ((number, board),) = read_lines(ID, said, head)
    seats = int(number)
    seat = (rf"seat ([0-{seats - 1}])", f"seat {seats - 1}")
    _, (turn,) = read_lines(ID, said, head, seat)
    drawn = [
        (at, line.split())
        for at, line in enumerate(said.strip("\n").split("\n")[2:], 3)
        if not line.startswith("over ")
    ]
    limit = seats + _MARGIN[board]
    state = State(limit, Seat(int(turn)), *_parse_box(drawn, seats, grid(limit)))
    _check(state)
    same_text(ID, said, text(state))
    return state


def _parse_box(
    drawn: list[tuple[int, list[str]]], seats: int, grid: Grid
) -> tuple[tuple[int, ...], ...]:
    """Return bases and flags of a drawn box: lines `RANK CELL…` from the top, then the files.

    Each line is given as its number in the text and its words.
    """
    sets: dict[str, list[int]] = {"B": [0] * seats, "f": [0] * seats}
    over = "012345"[seats:]  # owners who do not play
    *rows, (_, files) = drawn or [(3, [])]
    for number, row in rows:
        for file, cell in zip(files, row[1:], strict=False):
            square, _ = grid.steps.get(f"{file}{row[0]}", (-1, False))
            is_misplaced = (cell == "0C") != (square == grid.city)
            if square < 0 or is_misplaced or not _CELL.fullmatch(cell) or cell[0] in over:
                raise BadNotation(
                    f"{ID}: line {number} of the position: no {cell!r} can lie on {file}{row[0]}"
                )
            if cell[-1] in sets:
                sets[cell[-1]][int(cell[0])] |= 1 << square
    return tuple(sets["B"]), tuple(sets["f"])


def _check(state: State) -> None:
    """Raise BadNotation if the cards overlap, exceed the limit, or are too many."""
    seats, city = len(state.bases), 1 << state.grid.city
    sets = (city, *state.bases, *state.flags)
    left, right, low, high = state.grid.box(state.cards)
    if (
        seats not in SEATS
        or not 0 <= state.turn < seats
        or len(state.flags) != seats
        or state.limit - seats not in _MARGIN.values()
        or sum(map(int.bit_count, sets)) != state.cards.bit_count()
        or state.cards & ~state.grid.board
        or max(right - left, high - low) >= state.limit
        or min(map(state.hand, range(seats))) < 0
    ):
        raise BadNotation(
            f"{ID}: these cards cannot lie so",
            hint=f"each seat has {CARDS} cards; the board is at most {state.limit} wide and high",
        )
