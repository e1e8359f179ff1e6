"""Wins in a turn of Kumo Hogosha: what a hunt leaves out cannot win, and what is hard to see.

The wins of tests/data/kumo_wins.jsonl.gz are from matches of `strong` against itself, found by the
hunt of commit fb751d2f, which left out nothing but positions farther from a win; `took` is how many
positions it made.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from kumite.core.bots.search.frontier import OUT
from kumite.core.game import Step
from kumite.core.games.kumo import rules as kumo
from kumite.core.games.kumo.bot import value
from kumite.core.games.kumo.bot.kernel import MOST, place_of, room_of, step_of
from kumite.core.games.kumo.bot.model import GAME
from kumite.core.games.kumo.state import State
from tests.core.bots.test_turn_search import has_win
from tests.support.kumo_positions import at

DATA = Path(__file__).parents[2] / "data" / "kumo_wins.jsonl.gz"


@cache
def known() -> list[tuple[State, tuple[Step, ...], int]]:
    rows = map(json.loads, gzip.decompress(DATA.read_bytes()).splitlines())
    return [(kumo.parse(row["position"]), tuple(row["win"]), row["took"]) for row in rows]


def on_the_way() -> Iterator[tuple[State, tuple[Step, ...]]]:
    """Yield the positions of all wins, each with the steps that are left of it."""
    for start, steps, _ in known():
        state = start
        for number, step in enumerate(steps):
            yield state, steps[number:]
            state = GAME.after(state, step)
        assert GAME.has_won(state, GAME.side(start))


def test_no_way_to_a_win_is_left_out() -> None:
    looked = 0
    for state, rest in on_the_way():
        actions = sum(not step.startswith("off") for step in rest)
        far = value.hope(place_of(state), room_of())
        assert far != OUT, kumo.text(state)
        assert far - value.TAKEN * state.used <= actions + 1e-9, kumo.text(state)
        assert rest[0] in tries(state), kumo.text(state)
        looked += 1
    assert looked > 1000


@pytest.mark.parametrize(
    ("pieces", "prisons", "free"),
    [
        ("d1 0kumo; c1 1run; e1 1run", "0 0", 1),  # d1=grab takes both, and is paid by one
        ("d1 0throw; c1 1run; e1 1run; d2 1run", "0 0", 3),
        ("d1 0throw; c1 1run; e1 1run; d2 1run", "1 0", 2),  # no more than three prisoners
        ("d1 0kumo; c1 1run; e1 1run; d2 1run", "0 0", 2),
        ("a5 0kumo; c1 1run; e1 1run; d2 1run", "0 1", 2),  # somebody waits to be put on d1
        ("a5 0kumo; c1 1run; e1 1run; d2 1run", "0 0", 1),  # nobody is there at once
        ("d4 0grab; c4 1run; e4 1run", "0 0", 0),  # far from every edge
        ("d1 0kumo; c1 1run; e1 1run", "3 0", 0),
    ],
)
def test_foes_are_taken_for_nothing_by_who_is_ready_or_becomes_so_for_several(
    pieces: str, prisons: str, free: int
) -> None:
    state = at(pieces, turn=1, used=1, prisons=prisons, stone="e5")
    state = replace(state, boards=(0, 0))
    assert value.captures(place_of(state), 0, room_of()) == free


def test_what_a_win_cannot_begin_with_leads_to_none() -> None:
    """The last two actions, step by step: nothing that is left out would win."""
    left_out = 0
    for state, rest in on_the_way():
        if len(rest) != 2 or state.most() - state.used != 2:
            continue
        for step in set(GAME.legal(state)) - set(tries(state)):
            left_out += 1
            after = GAME.after(state, step)
            is_on = GAME.side(after) == GAME.side(state) and after.turn == state.turn
            won = has_win("kumo", after) if is_on else GAME.has_won(after, GAME.side(state))
            assert not won, f"{kumo.text(state)}: {step}"
    assert left_out > 1000


def test_wins_that_are_hard_to_see_are_seen() -> None:
    """Half of them within a seventh of the positions that it took before, and fewer."""
    hard = [state for state, _, took in known() if took > 35_000][::4]
    assert len(hard) > 15
    seen = sum(GAME.hunt(state, 5000).is_won for state in hard)
    assert seen > len(hard) / 2


def tries(state: State) -> list[Step]:
    """List the steps that a win in the turn can begin with."""
    place, moves = place_of(state), [0] * MOST
    size = value.tries(place, moves, room_of())
    return [*map(step_of, moves[:size])]
