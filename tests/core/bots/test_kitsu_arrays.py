"""Kitsu! on arrays, for a compiler, run as the plain Python that it is: rules and values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kumite.core.bots.fast import SMALL, zeros
from kumite.core.bots.kitsu import kernel, near
from kumite.core.bots.kitsu.model import GAME
from kumite.core.bots.search.ways import OUT
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.games.kitsu import rules as kitsu
from tests.support.random_matches import setups, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.games.kitsu.position import State

every_setup = pytest.mark.parametrize(
    "setup", [*setups(find("kitsu"))], ids=lambda one: f"{one.options}"
)


def states(setup: Setup, seed: int) -> Iterator[State]:
    """Yield the positions of a random match, the end among them."""
    for match in walk(setup, seed, longest=300).line():
        yield match.state


@every_setup
def test_moves_on_arrays_are_those_of_the_rules_in_their_order(setup: Setup) -> None:
    moves = zeros(SMALL, kernel.MOST)
    for state in states(setup, 3):
        place = kernel.place_of(state)
        count = kernel.options(place, moves)
        steps = tuple(map(kernel.step_of, moves[:count]))
        assert steps == kitsu.legal(state, state.seat)
        for move, step in list(zip(moves, steps, strict=False))[:: 1 + count // 8]:
            after = list(place)
            kernel.play(after, move)
            assert after == kernel.place_of(kitsu.apply(state, state.seat, step))


@every_setup
def test_values_and_hopes_on_arrays_are_those_of_the_game(setup: Setup) -> None:
    chain = near.chain_of()
    for state in states(setup, 4):
        place = kernel.place_of(state)
        for side in (0, 1):
            assert near.value(place, side) == GAME.value(state, side)
        if state.reason:
            continue
        has_end = bool(GAME.finish(state))
        assert near.can_finish(place, chain) == has_end, kitsu.text(state)
        if not has_end:
            hope = GAME.hope(state)
            assert near.hope(place) == (OUT if hope is None else hope)


def test_a_fox_is_followed_to_the_end_where_what_it_has_seen_has_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(near, "SLOTS", 2)
    chain, found = near.chain_of(), [0, 0]
    for state in states(Setup.of(find("kitsu"), 2, {"adjacent": 8}), 2):
        if not state.reason:
            has_end = bool(GAME.finish(state))
            assert near.can_finish(kernel.place_of(state), chain) == has_end
            found[has_end] += 1
    assert min(found) > 10
