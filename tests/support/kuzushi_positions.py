"""Positions and random matches of Kuzushi for tests, and the worked examples of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from kumite.core.game import Seat, Setup, Step
from kumite.core.games.kuzushi import rules as kuzushi
from tests.support.places import DATA

EXAMPLES = DATA / "kuzushi_examples.txt"
SETUPS = [(seats, board) for seats in (2, 3, 4, 5, 6) for board in ("normal", "small")]
every_setup = pytest.mark.parametrize(("seats", "board"), SETUPS)


E3 = """kuzushi seats=2 board=normal
seat 1
 8  .  . 1f  .
 7  .  . 1B 1f
 6 0f 0B 0C  .
 5  . 0f  .  .
    d  e  f  g"""


def begin(seats: int = 2, board: str = "normal") -> kuzushi.State:
    setup = Setup.of(kuzushi, seats, {"board": board})
    return kuzushi.start(setup.seats, setup.options)


def play(state: kuzushi.State, *steps: str) -> kuzushi.State:
    for step in steps:
        assert kuzushi.actors(state) == (state.turn,)
        state = kuzushi.apply(state, state.turn, Step(step))
    return state


def legal(state: kuzushi.State) -> list[str]:
    return list(kuzushi.legal(state, state.turn))


def drawn(state: kuzushi.State) -> list[str]:
    """Return the diagram of a position, with its file letters, without the lines about it."""
    return [line for line in kuzushi.text(state).split("\n")[2:] if not line.startswith("over")]


def at(
    *rows: str, seats: int = 2, board: str = "normal", turn: int = 0, corner: str = "f6"
) -> kuzushi.State:
    """Return the position of the cards in `rows` (the top one first); `corner` is bottom left.

    It need not be one that can be played to, so it is not read by `parse`.
    """
    state = begin(seats, board)
    cards: dict[str, list[int]] = {"B": [0] * seats, "f": [0] * seats}
    first = state.grid.names.index(corner)
    for up, row in enumerate(reversed(rows)):
        for right, cell in enumerate(row.split()):
            square = first + up * 2 * state.limit + right
            if cell[-1] in cards:
                cards[cell[-1]][int(cell[0])] |= 1 << square
            else:
                assert (cell == "0C") == (square == state.grid.city)
    return kuzushi.State(state.limit, Seat(turn), tuple(cards["B"]), tuple(cards["f"]))


def gain(state: kuzushi.State, step: str) -> int:
    return kuzushi.apply(state, state.turn, Step(step)).score(state.turn)


@cache
def line(seats: int, board: str, seed: int) -> list[tuple[str, kuzushi.State]]:
    """Return a match as steps with the positions they lead to; ("", start) comes first.

    Every other match is greedy now and then, so that hands run out and boards fill up.
    """
    rng = Random(f"kuzushi {seats} {board} {seed}")
    greed = rng.random() if seed % 2 else 0.0
    state = begin(seats, board)
    played = [("", state)]
    while steps := legal(state):
        if rng.random() < greed:
            best = max(gain(state, step) for step in steps)
            steps = [step for step in steps if gain(state, step) == best]
        step = rng.choice(steps)
        state = play(state, step)
        played.append((step, state))
    return played


SEEDS = range(4)


def lines() -> Iterator[list[tuple[str, kuzushi.State]]]:
    for seats, board in SETUPS:
        for seed in SEEDS:
            yield line(seats, board, seed)


def examples() -> dict[str, list[str]]:
    return {
        part.split("\n")[0]: part.rstrip("\n").split("\n")[1:]
        for part in EXAMPLES.read_text(encoding="utf-8").split("=== ")[1:]
    }


def played_in(example: str) -> kuzushi.State:
    head = examples()[example][0]
    setup, _, steps = head.partition(":")
    seats, board = setup.split(" seats, ")
    return play(begin(int(seats), board), *steps.split())
