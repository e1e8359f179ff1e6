"""Kitsu!: a position, its text and its bytes. The rules are in rules.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from kumite.core.errors import BadData, BadNotation
from kumite.core.game import Packed, Seat, read_lines, same_text
from kumite.core.games.kitsu.board import (
    ALL_SEASONS,
    BESIDE,
    NAMES,
    NOWHERE,
    OPEN,
    SEASONS,
    SQUARES,
    TWINS,
    set_of,
    squares_of,
)

ID: Final = "kitsu"

SAMURAI: Final = 0  # the two kinds, which index the pairs spirit, hand and taken
FOX: Final = 1
KINDS: Final = "sf"
PIECES: Final = 20  # per clan
SPIRITS: Final = 6  # of each kind, in each Spirit Realm at the start (A2)
TO_WIN: Final = 4  # captured pieces of one kind
ADJACENT: Final = (4, 8)  # possible values of the options
LIMITS: Final = (40, 60, 100, 200)
OPENINGS: Final = (1, 4)


# --- State ------------------------------------------------------------------------------------

Pair: TypeAlias = tuple[int, int]
"""Numbers of Samurai and of Foxes."""
_TURNS: Final = (Seat(1), Seat(0))  # by parity; a table, because each step looks this up many times


@dataclass(frozen=True, slots=True)
class Variant:
    """The options of a match."""

    adjacent: int
    limit: int
    opening: int


@dataclass(frozen=True)
class Clan:
    """A seat's pieces. Own pieces that it captured itself are out and not recorded (A6)."""

    board: int  # the set of squares on which its pieces stand
    spirit: Pair
    hand: Pair
    taken: Pair  # opposing pieces that it captured, by the kind they showed (A2)


@dataclass(frozen=True)
class State:
    """A position. The seat and the phase follow from the rest."""

    variant: Variant
    turn: int  # of both seats, from 1
    seasons: tuple[int, ...]  # in which a move may still start; all four before the first move
    at: int  # the moving piece's square, or NOWHERE between moves
    used: int  # friends from which the Fox on `at` has pounced in this move (A10)
    owed: int  # pieces still to be taken from the Spirit Realm
    samurai: int  # squares on which a piece of either clan shows a Samurai
    clans: tuple[Clan, Clan]  # by seat
    reason: str  # why the match is over; empty while it is in progress

    @property
    def seat(self) -> Seat:
        """Return the seat to move; at the end, the seat that moved last."""
        return _TURNS[self.turn % 2]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Return the winner, who always wins in the own turn; () for a draw at the limit."""
        return () if self.reason in ("", "limit") else (self.seat,)

    @property
    def phase(self) -> str:
        """Return `move`, `take`, `pounce`, `dispatch` or `over`."""
        if self.reason:
            return "over"
        if self.owed:
            return "take"
        if self.at == NOWHERE:
            return "move"
        return "dispatch" if self.samurai >> self.at & 1 else "pounce"

    @property
    def pieces(self) -> int:
        """Return the set of all squares with a piece."""
        return self.clans[0].board | self.clans[1].board

    @property
    def beside(self) -> int:
        """Return the set of squares adjacent to the moving piece."""
        return BESIDE[self.variant.adjacent][self.at]

    @property
    def unused(self) -> int:
        """Return the friends adjacent to the moving piece from which it has not pounced."""
        return self.beside & self.clans[self.seat].board & ~self.used

    def dispatches(self) -> Iterator[tuple[int, int]]:
        """Yield each piece beside the moving one with each empty twin of its square (A12)."""
        pieces = self.pieces
        for square in squares_of(self.beside & pieces):
            for twin in TWINS[square]:
                if not pieces >> twin & 1:
                    yield square, twin


# --- Text -------------------------------------------------------------------------------------

_N: Final = r"(\d{1,3})"
_PURSE: Final = rf"spirit s{_N} f{_N} hand s{_N} f{_N} taken s{_N} f{_N}"
_ROW: Final = r"([.SFsf]{8})"
_LINES: Final = (  # pattern and example of each line
    (rf"options adjacent={_N} limit={_N} opening={_N}", "options adjacent=4 limit=100 opening=4"),
    (rf"turn {_N} seat [01] phase \w+", "turn 1 seat 0 phase move"),
    (r"open ([a-z ]+|-)", "open spring summer autumn winter"),
    (rf"at ([a-h][1-8]|-) used ([a-h1-8,]+|-) owed {_N}", "at - used - owed 0"),
    *((rf"seat {n} {_PURSE}", f"seat {n} spirit s6 f6 hand s0 f0 taken s0 f0") for n in (0, 1)),
    *((rf"{rank} {_ROW}", f"{rank} ........") for rank in range(8, 0, -1)),
    (r"outcome (-|\w+)(?: winners [-01])?", "outcome -"),
)
_SHOWN: Final = {"S": (0, SAMURAI), "F": (0, FOX), "s": (1, SAMURAI), "f": (1, FOX)}
_GLYPHS: Final = {piece: glyph for glyph, piece in _SHOWN.items()}


def text(state: State) -> str:
    """Return the position as text; capitals are the Spring clan."""
    variant = state.variant
    seasons = " ".join(SEASONS[season] for season in state.seasons)
    at = "-" if state.at == NOWHERE else NAMES[state.at]
    used = ",".join(NAMES[square] for square in squares_of(state.used)) or "-"
    lines = [
        f"options adjacent={variant.adjacent} limit={variant.limit} opening={variant.opening}",
        f"turn {state.turn} seat {state.seat} phase {state.phase}",
        f"open {seasons or '-'}",
        f"at {at} used {used} owed {state.owed}",
    ]
    for seat, clan in enumerate(state.clans):
        named = {"spirit": clan.spirit, "hand": clan.hand, "taken": clan.taken}
        purses = " ".join(f"{name} s{pair[SAMURAI]} f{pair[FOX]}" for name, pair in named.items())
        lines.append(f"seat {seat} {purses}")
    for rank in range(7, -1, -1):
        row = "".join(_glyph(state, file * 8 + rank) for file in range(8))
        lines.append(f"{rank + 1} {row}")
    winners = "".join(map(str, state.winners)) or "-"
    lines.append(f"outcome {state.reason} winners {winners}" if state.reason else "outcome -")
    return "\n".join(lines)


def _glyph(state: State, square: int) -> str:
    for seat, clan in enumerate(state.clans):
        if clan.board >> square & 1:
            return _GLYPHS[seat, SAMURAI if state.samurai >> square & 1 else FOX]
    return "."


def parse(said: str) -> State:
    found = read_lines(ID, said, *_LINES)
    options, (turn,), (seasons,), (at, used, owed), *purses_and_rows, (reason,) = found
    samurai, boards = _parse_board([row for (row,) in purses_and_rows[2:]])
    spring, autumn = (
        Clan(board, *(_pair(purse[i : i + 2]) for i in (0, 2, 4)))
        for board, purse in zip(boards, purses_and_rows[:2], strict=True)
    )
    state = State(
        Variant(*map(int, options)),
        int(turn),
        tuple(SEASONS.index(name) for name in seasons.split() if name in SEASONS),
        SQUARES.get(at, NOWHERE),
        set_of(SQUARES[name] for name in used.split(",") if name in SQUARES),
        int(owed),
        samurai,
        (spring, autumn),
        reason.strip("-"),
    )
    for number, complaint in _faults(state):
        raise BadNotation(f"{ID}: line {number} of the position {complaint}")
    same_text(ID, said, text(state))
    return state


def _pair(numbers: tuple[str, ...]) -> Pair:
    return int(numbers[SAMURAI]), int(numbers[FOX])


def _parse_board(rows: list[str]) -> tuple[int, list[int]]:
    """Return the set of Samurai and each clan's set of pieces; rank 8 is the first row."""
    samurai, boards = 0, [0, 0]
    for rank, row in zip(range(7, -1, -1), rows, strict=True):
        for file, glyph in enumerate(row):
            if glyph in _SHOWN:
                seat, kind = _SHOWN[glyph]
                boards[seat] |= 1 << file * 8 + rank
                samurai |= (kind == SAMURAI) << file * 8 + rank
    return samurai, boards


# --- Validation -------------------------------------------------------------------------------


def _faults(state: State) -> Iterator[tuple[int, str]]:
    """Yield inconsistencies with their lines of the text; only the first is reliable."""
    variant, edge = state.variant, 1 << 64
    first, second = (clan.board for clan in state.clans)
    if (
        variant.adjacent not in ADJACENT
        or variant.limit not in LIMITS
        or variant.opening not in OPENINGS
    ):
        yield 1, "names a value that an option does not have"
    elif not 1 <= state.turn <= variant.limit:
        yield 2, f"counts a turn outside 1 to {variant.limit}"
    elif not all(0 <= part < edge for part in (state.samurai, state.used, first, second)):
        yield 7, "begins no board of 64 squares"
    elif first & second or state.samurai & ~state.pieces:
        yield 7, "begins a board on which a square has two pieces or a kind without a piece"
    else:
        yield from _faults_of_clans(state)
        yield from _faults_of_end(state) if state.reason else _faults_of_turn(state)


def _faults_of_clans(state: State) -> Iterator[tuple[int, str]]:
    """Yield impossible values of the clans, without checking the totals of pieces.

    The worked examples of the rules do not always have twenty pieces.
    """
    for seat, clan in enumerate(state.clans):
        line = 5 + seat
        most_taken = TO_WIN if state.reason and seat == state.seat else TO_WIN - 1
        if min(*clan.spirit, *clan.hand, *clan.taken) < 0:
            yield line, "counts less than no pieces"
        if max(clan.spirit + clan.hand) > SPIRITS:
            yield line, f"has more than {SPIRITS} of a kind in Spirit Realm or hand"
        if clan.board.bit_count() > PIECES:
            yield line, f"belongs to a clan with more than {PIECES} pieces on the board"
        if max(clan.taken) > most_taken:
            yield line, f"shows a capture too many: {TO_WIN} of a kind have won"
        if not clan.board and (state.reason in ("", "spirits", "limit") or seat == state.seat):
            yield line, "belongs to a clan without a piece on the board"
        if sum(clan.spirit + clan.hand) == 0 and (state.reason != "spirits" or seat != state.seat):
            yield line, "belongs to a clan that has placed all: it has won"


def _faults_of_end(state: State) -> Iterator[tuple[int, str]]:
    own, other = state.clans[state.seat], state.clans[1 - state.seat]
    is_so = {
        "samurai": own.taken[SAMURAI] == TO_WIN > own.taken[FOX],
        "foxes": own.taken[FOX] == TO_WIN > own.taken[SAMURAI],
        "rout": not other.board and max(own.taken) < TO_WIN,
        "spirits": sum(own.spirit + own.hand) == 0 and max(own.taken) < TO_WIN,
        "limit": state.turn == state.variant.limit and max(own.taken) < TO_WIN,
    }
    if not is_so.get(state.reason, False):
        yield 15, "names an end that has not come so"
    if state.seasons or (state.at, state.used, state.owed) != (NOWHERE, 0, 0):
        yield 3, "and the next say that a turn has begun, but the match is over"


def _faults_of_turn(state: State) -> Iterator[tuple[int, str]]:
    own, seasons = state.clans[state.seat], state.seasons
    is_single = state.variant.opening == 1 and state.turn == 1
    if seasons not in (((), ALL_SEASONS) if is_single else OPEN):
        yield 3, "names seasons that cannot be open together, or not in clockwise order"
    elif state.at == NOWHERE:
        if not seasons:
            yield 3, "must name a season, or the turn has ended"
        if state.used or state.owed:
            yield 4, "says that a move is under way, but not where"
    elif state.at not in range(64) or not own.board >> state.at & 1:
        yield 4, f"must name a square with a piece of seat {state.seat}"
    elif seasons == ALL_SEASONS:
        yield 3, "must not name all seasons: a move is under way"
    elif state.used & ~(own.board ^ 1 << state.at):
        yield 4, "names used squares without a friend of the moving piece"
    elif state.used and state.samurai >> state.at & 1:
        yield 4, "names used squares, but a Samurai does not pounce"
    elif not 0 <= state.owed <= min(2, sum(own.spirit)):
        yield 4, "owes more pieces than can be owed"
    elif state.phase == "pounce" and not state.unused:
        yield 4, "names a Fox that cannot pounce"
    elif state.phase == "dispatch" and not any(state.dispatches()):
        yield 4, "names a Samurai that has nothing to send away"


# --- Bytes ------------------------------------------------------------------------------------


def pack(state: State) -> Packed:
    """Return the fields in order, with clans and options as nested tuples."""
    variant = (state.variant.adjacent, state.variant.limit, state.variant.opening)
    clans = tuple((clan.board, clan.spirit, clan.hand, clan.taken) for clan in state.clans)
    where = (state.at, state.used, state.owed)
    return (variant, state.turn, state.seasons, where, state.samurai, clans, state.reason)


def unpack(packed: Packed) -> State:
    """Return the position from its packed form."""
    match packed:
        case (
            (int(adjacent), int(limit), int(opening)),
            int(turn),
            tuple(seasons),
            (int(at), int(used), int(owed)),
            int(samurai),
            (spring, autumn),
            str(reason),
        ):
            state = State(
                Variant(adjacent, limit, opening),
                turn,
                tuple(season for season in seasons if isinstance(season, int)),
                at,
                used,
                owed,
                samurai,
                (_unpack_clan(spring), _unpack_clan(autumn)),
                reason,
            )
            if not any(_faults(state)) and pack(state) == packed:
                return state
    raise BadData(f"no packed position of {ID}")


def _unpack_clan(packed: Packed) -> Clan:
    match packed:
        case (
            int(board),
            (int(spirit_s), int(spirit_f)),
            (int(hand_s), int(hand_f)),
            (int(taken_s), int(taken_f)),
        ):
            return Clan(board, (spirit_s, spirit_f), (hand_s, hand_f), (taken_s, taken_f))
    raise BadData(f"no packed clan of {ID}")
