"""A turn is chosen that was looked at to its end, and turns that lose hide no others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from kumite.core import bots, games
from kumite.core.bots.chances import Fit
from kumite.core.bots.search import turns
from kumite.core.bots.search.loops import TurnGame, TurnSearch
from kumite.core.game import Setup, Step
from kumite.core.games.kitsu.bot import model as kitsu_model
from kumite.core.games.kumo.bot import model as kumo_model


class Tree:
    """A search of a game whose positions are the steps that led to them, one letter each.

    Side 0 makes the first step, side 1 all others. `values` are for side 0, 0 where nothing is
    said; what is in it and goes no further is the end of side 1's turn. Moves are letters.
    """

    root, budget = "", bots.Budget()

    def __init__(self, values: Mapping[str, float], most: int = 1000) -> None:
        self.values, self.most, self.done = values, most, 0
        self.states = {state[:size] for state in values for size in range(len(state) + 1)}
        self.lost: set[str] = set()

    def side(self, state: str) -> int:
        if self.values.get(state) == -turns.WIN:
            return -1
        return 0 if not state or not self.legal(state) else 1

    def legal(self, state: str) -> list[str]:
        return sorted(one[-1] for one in self.states if one[:-1] == state and one)

    def value(self, state: str, side: int) -> float:
        if self.done == self.most:
            raise turns.Spent
        self.done += 1
        return self.values.get(state, 0.0) * (1 if side == 0 else -1)

    def hunt(self, state: str, most: int) -> SimpleNamespace:
        side, left, made = self.side(state), [state] if most else [], 0
        while left and side == 1:
            one = left.pop()
            for move in self.legal(one):
                made += 1
                if self.value(one + move, 1) == turns.WIN:
                    self.lost.add(state)
                    return SimpleNamespace(is_won=True, made=made, moves=tuple(one + move))
                left.append(one + move)
        return SimpleNamespace(is_won=False, made=made, moves=())

    def turns(self, state: str, width: int, most: int) -> Iterator[turns.Turn]:
        side, ended, front = self.side(state), list[turns.Turn](), [state]
        while front:
            made = [one + move for one in front for move in self.legal(one)]
            values = {one: self.value(one, side) for one in made}
            for one in (one for one in made if self.side(one) != side):
                ended.append(turns.Turn(values[one], tuple(one[len(state) :]), one))
            more = [one for one in made if self.side(one) == side]
            front = sorted(more, key=values.__getitem__, reverse=True)[:width]
        ended.sort(key=lambda one: -one.value)
        return islice((one for one in ended if one.place not in self.lost), most)

    def follow(self, state: str, moves: tuple[str, ...]) -> float | None:
        after = state + "".join(moves)
        if after not in self.states or self.side(after) == self.side(state):
            return None
        return self.value(after, self.side(state))

    def key(self, state: str) -> str:
        return state

    def step_of(self, move: str) -> Step:
        return Step(move)


def chosen(values: Mapping[str, float], *passes: turns.Pass, most: int = 1000) -> Step:
    tree: Any = Tree(values, most)
    return turns.compare(tree, passes, Fit())[0].step


def test_a_turn_that_an_answer_makes_no_better_than_the_best_is_not_chosen() -> None:
    """What is good against "b" is as good against "a", and nobody looks what else is there."""
    values = {"b": 1, "bx": 0, "a": 0.5, "ax": 0, "ay": -5}
    assert chosen(values, turns.Pass(4, 4, 4)) == "b"


def test_turns_that_lose_leave_room_for_others() -> None:
    lost = {f"{name}x": -turns.WIN for name in "abcdefg"}
    tried = dict.fromkeys("abcdefg", 2.0)
    values = {**tried, **lost, "z": 1, "zx": 0}
    assert chosen(values, turns.Pass(8, 1, 4)) == "z"


QUIET = {"a": 2, "aq": 3, "aqw": -turns.WIN, "ap": 1, "app": 1, "b": 1, "bx": 0}
"""A narrow beam of answers to "a" keeps "p", which looks better, and not the win by "q"."""
BLIND, SEEING = turns.Pass(4, 4, 1), turns.Pass(4, 4, 1, fear=100)


def test_what_was_best_is_left_as_soon_as_it_is_lost() -> None:
    """Also if there is no time left to look at another turn once more."""
    assert chosen(QUIET, BLIND) == "a"
    found = [chosen(QUIET, BLIND, SEEING, most=most) for most in range(6, 60)]
    assert found[0] == "a"
    assert found == sorted(found)
    assert found[-1] == "b"


MODELS: dict[str, TurnGame] = {"kitsu": kitsu_model.GAME, "kumo": kumo_model.GAME}


class Looked(turns.Thought):
    """Notes what turns are worth that no killer has cut short."""

    full: dict[Any, float]

    def answered(self, turn: turns.Turn, side: int, wide: turns.Pass, best: float) -> float:
        cut = self._answers.value(turn.place, -best) is not None
        value = super().answered(turn, side, wide, best)
        if not cut:
            self.full[turn.moves[0]] = max(value, self.full.get(turn.moves[0], -turns.WIN))
        return value


WIDE = {"kitsu": turns.Pass(6, 12, 2, fear=20), "kumo": turns.Pass(20, 60, 2, fear=20)}


@pytest.mark.parametrize("name", MODELS)
def test_what_is_chosen_is_a_turn_that_was_looked_at_to_its_end(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all that seem worth as much, too: of others it is known that they are no better."""
    monkeypatch.setattr(turns, "Thought", Looked)
    compared = 0
    for seed in range(16):
        monkeypatch.setattr(Looked, "full", {}, raising=False)
        search = TurnSearch(MODELS[name], _walked(name, seed), Random(seed), bots.Budget())
        lines = turns.compare(search, (WIDE[name],), Fit())
        if Looked.full:  # otherwise a win was seen before anything was compared
            steps = {search.step_of(move): value for move, value in Looked.full.items()}
            assert steps.get(lines[0].step) == max(steps.values()), seed
            compared += len(lines) > 1
    assert compared >= 2


def test_a_long_thought_of_kumo_does_not_end_by_itself() -> None:
    """The passes of before had all been made after 34,000 positions, however long it might take."""
    setup, many = Setup.of(games.find("kumo")), 60_000
    start = setup.game.start(setup.seats, setup.options)
    search = TurnSearch(kumo_model.GAME, start, Random(1), bots.Budget(many))
    turns.compare(search, kumo_model.PASSES, Fit())
    assert search.done == many


def _walked(name: str, seed: int) -> Any:
    """Return a position of a match by chance, at the beginning of a turn."""
    setup, rng = Setup.of(games.find(name)), Random(seed)
    game = setup.game
    state = game.start(setup.seats, setup.options)
    wanted = 1 + seed % 3
    while (actors := game.actors(state)) and state.turn < wanted:
        state = game.apply(state, actors[0], rng.choice(game.legal(state, actors[0])))
    return state
