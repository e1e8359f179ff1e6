"""A turn is chosen that was looked at to its end, and turns that lose hide no others."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from kumite.core import bots, games
from kumite.core.bots.chances import Fit
from kumite.core.bots.kitsu import model as kitsu_model
from kumite.core.bots.kumo import model as kumo_model
from kumite.core.bots.search import turns
from kumite.core.game import Setup, Step

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kumite.core.bots.search.turns import TurnGame


class Tree:
    """A game whose positions are the steps that led to them, one letter each.

    Side 0 makes the first step, side 1 all others. `values` are for side 0, 0 where nothing is
    said; what is in it and goes no further is the end of side 1's turn.
    """

    def __init__(self, values: Mapping[str, float]) -> None:
        self.values = values
        self.states = {state[:size] for state in values for size in range(len(state) + 1)}

    def side(self, state: str) -> int:
        if self.has_won(state, 1):
            return -1
        return 0 if not state or not self.legal(state) else 1

    def turn(self, state: str) -> object:
        return self.side(state)

    def legal(self, state: str) -> Sequence[Step]:
        found = sorted(one for one in self.states if one[:-1] == state and one)
        return [Step(one[-1]) for one in found]

    def tries(self, state: str) -> Sequence[Step]:
        return self.legal(state)

    def after(self, state: str, step: Step) -> str:
        return state + step

    def has_won(self, state: str, side: int) -> bool:
        return side == 1 and self.values.get(state) == -turns.WIN

    def key(self, state: str) -> object:
        return state

    def finish(self, state: str) -> tuple[Step, ...]:
        return ()

    def hope(self, state: str) -> float | None:
        return 1.0

    def value(self, state: str, side: int) -> float:
        value = self.values.get(state, 0.0)
        return value if side == 0 else -value


def chosen(game: TurnGame, *passes: turns.Pass) -> Step:
    search = turns.PlainSearch(game, Random(1), bots.Budget())
    return turns.compare(search, "", passes, Fit())[0].step


def test_a_turn_that_an_answer_makes_no_better_than_the_best_is_not_chosen() -> None:
    """What is good against "b" is as good against "a", and nobody looks what else is there."""
    game = Tree({"b": 1, "bx": 0, "a": 0.5, "ax": 0, "ay": -5})
    assert chosen(game, turns.Pass(4, 4, 4)) == "b"


def test_turns_that_lose_leave_room_for_others() -> None:
    lost = {f"{name}x": -turns.WIN for name in "abcdefg"}
    tried = dict.fromkeys("abcdefg", 2.0)
    game = Tree({**tried, **lost, "z": 1, "zx": 0})
    assert chosen(game, turns.Pass(8, 1, 4)) == "z"


QUIET = Tree({"a": 2, "aq": 3, "aqw": -turns.WIN, "ap": 1, "app": 1, "b": 1, "bx": 0})
"""A narrow beam of answers to "a" keeps "p", which looks better, and not the win by "q"."""
BLIND, SEEING = turns.Pass(4, 4, 1), turns.Pass(4, 4, 1, fear=100)


def test_what_was_best_is_left_as_soon_as_it_is_lost() -> None:
    """Also if there is no time left to look at another turn once more."""
    assert chosen(QUIET, BLIND) == "a"
    found = []
    for most in range(8, 60):
        search = turns.PlainSearch(QUIET, Random(1), bots.Budget(most))
        first = turns.compare(search, "", (BLIND, SEEING), Fit())[0].step
        hunt = search.hunt("a", 0)
        assert first == ("b" if hunt.is_won else "a"), most
        found.append(first)
    assert set(found) == {"a", "b"}


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
    for seed in range(60):
        monkeypatch.setattr(Looked, "full", {}, raising=False)
        search = turns.PlainSearch(MODELS[name], Random(seed), bots.Budget())
        lines = turns.compare(search, _walked(name, seed), (WIDE[name],), Fit())
        if Looked.full:  # otherwise a win was seen before anything was compared
            assert Looked.full.get(lines[0].step) == max(Looked.full.values()), seed
            compared += len(lines) > 1
    assert compared >= 5


def test_a_long_thought_of_kumo_does_not_end_by_itself() -> None:
    """The passes of before had all been made after 34,000 positions, however long it might take."""
    setup, many = Setup.of(games.find("kumo")), 60_000
    start = setup.game.start(setup.seats, setup.options)
    search = turns.PlainSearch(kumo_model.GAME, Random(1), bots.Budget(many))
    turns.compare(search, start, kumo_model.PASSES, Fit())
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
