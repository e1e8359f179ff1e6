"""Kumo Hogosha positions as lines of text, and their validation."""

from __future__ import annotations

import re
from typing import Final

from kumite.core.errors import BadNotation
from kumite.core.games.kumo.state import (
    CAMPS,
    FREE,
    KUMOTORI,
    LIMITS,
    PIECES,
    SHARE,
    SIZE,
    SQUARES,
    STANCES,
    STONE,
    TEAM_PRISON,
    State,
)

_TEXTS: Final = tuple(
    " ".join(f"{side}{STANCES[stance]}" for side, stance in pieces) for pieces in PIECES
)
"""By byte: the text of the Kumotori on a square, bottom first; may be empty."""


def position_lines(state: State) -> list[str]:
    """Return the lines of a position, without the outcome."""
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
    return lines


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


def parse_lines(lines: list[str]) -> State:
    """Return the position in these lines; the outcome is not checked.

    Raises:
        BadNotation: a line is wrong or impossible.
    """
    found: list[tuple[str, ...]] = []
    for number, (form, example) in enumerate(_HEAD):
        line = lines[number] if number < len(lines) else ""
        match = re.fullmatch(form, line)
        if not match:
            raise _bad_line(number, line, f"a line like `{example}`")
        found.append(tuple(group for group in match.groups() if group))
    (_, block, limit), (turn, _, used), spent, turned, boards, prisons, (stone,) = found
    state = State(
        hold=block == "hold",
        limit=int(limit),
        arena=_parse_arena(lines, stone),
        boards=tuple(map(int, boards)),
        prisons=tuple(map(int, prisons)),
        turn=int(turn),
        used=int(used),
        turned=tuple(one == "yes" for one in turned),
        spent=tuple(map(int, spent)),
        drawn=lines[-1] == "over limit -",
    )
    if wrong := mistake(state):
        number, wanted = wrong
        raise _bad_line(number, lines[number], wanted)
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


def is_shaped(state: State) -> bool:
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


def mistake(state: State) -> tuple[int, str] | None:
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
