"""Kitsu! on arrays plays by the rules, and sees what one move can win."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from kumite.core.bots.fast import SMALL, zeros
from kumite.core.bots.search.frontier import OUT, WIN
from kumite.core.game import Setup
from kumite.core.games import find
from kumite.core.games.kitsu import rules as kitsu
from kumite.core.games.kitsu.board import NOWHERE
from kumite.core.games.kitsu.bot import kernel
from kumite.core.games.kitsu.bot.model import GAME as MODEL
from kumite.core.games.kitsu.position import State
from tests.support.random_matches import setups, walk

every_setup = pytest.mark.parametrize(
    "setup", [*setups(find("kitsu"))], ids=lambda one: f"{one.options}"
)


def states(setup: Setup, seed: int) -> Iterator[State]:
    """Yield the positions of a random match, the end among them."""
    for match in walk(setup, seed, longest=300).line():
        yield match.state


@every_setup
def test_moves_on_arrays_are_those_of_the_rules_in_their_order(setup: Setup) -> None:
    moves, room = zeros(SMALL, kernel.MOST), kernel.room_of()
    for state in states(setup, 3):
        place = kernel.place_of(state)
        count = kernel.options(place, moves, room)
        steps = tuple(map(kernel.step_of, moves[:count]))
        assert steps == kitsu.legal(state, state.seat)
        for move, step in list(zip(moves, steps, strict=False))[:: 1 + count // 8]:
            after = list(place)
            kernel.play(after, move)
            assert after == kernel.place_of(kitsu.apply(state, state.seat, step))


@every_setup
def test_one_move_wins_where_the_rules_say_so_and_a_hope_is_never_too_small(setup: Setup) -> None:
    room, found = kernel.room_of(), [0, 0]
    for state in islice(states(setup, 4), 0, None, 8):
        if state.reason:
            assert kernel.value(kernel.place_of(state), 0, room) in (0.0, WIN, -WIN)
            continue
        place, wins = kernel.place_of(state), wins_by_one_move(state)
        assert kernel.can_finish(place, room) == wins, kitsu.text(state)
        assert kernel.value(place, 0, room) == -kernel.value(place, 1, room)
        found[wins] += 1
        lacks = MODEL.hunt(state, 400)
        if lacks.is_won and not wins:
            assert kernel.hope(place, room) != OUT, kitsu.text(state)
    assert found[False] > 5


def wins_by_one_move(state: State) -> bool:
    """Say by the rules alone whether one move, or the rest of one, wins by its captures."""
    left, seen, seat = [state], {state}, state.seat
    while left:
        one = left.pop()
        for step in kitsu.legal(one, seat):
            if "x" not in step and "@" in step:
                continue  # a win by the last piece put down is no capture
            after = kitsu.apply(one, seat, step)
            if after.reason and after.winners == (seat,):
                return True
            is_on = not after.reason and after.seat == seat and after.at != NOWHERE
            if is_on and after not in seen:
                seen.add(after)
                left.append(after)
    return False


def test_a_fox_is_followed_to_the_end_where_what_it_has_seen_has_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernel, "SLOTS", 2)
    room, found = kernel.room_of(), [0, 0]
    for state in states(Setup.of(find("kitsu"), 2, {"adjacent": 8}), 2):
        if not state.reason:
            wins = wins_by_one_move(state)
            assert kernel.can_finish(kernel.place_of(state), room) == wins
            found[wins] += 1
    assert min(found) > 10
