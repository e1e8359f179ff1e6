"""Kitsune's loops for a compiler, run as the plain Python that they are: they find the same."""

from __future__ import annotations

from itertools import cycle
from random import Random
from typing import TYPE_CHECKING

import pytest

from kumite.core.bots.base import Budget
from kumite.core.bots.chances import Fit
from kumite.core.bots.fast import LARGE, SMALL, Compiler, zeros
from kumite.core.bots.kitsune import compiled, dealt, kernel, tricks, worth
from kumite.core.bots.kitsune.model import known_at, plain
from kumite.core.bots.kitsune.worlds import Hand, Known, world
from kumite.core.bots.search import ismcts, stream
from kumite.core.game import CHANCE, Seat, Setup
from kumite.core.games import find
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.state import ALL_CARDS, KINDS, outside
from tests.core.bots.test_bots import position
from tests.support.random_matches import setups, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kumite.core.bots.base import Position
    from kumite.core.game import Actor

every_setup = pytest.mark.parametrize(
    "setup", [*setups(find("kitsune"))], ids=lambda one: f"{one.seats}-{one.options}"
)
every_number_of_seats = pytest.mark.parametrize("seats", kitsune.SEATS)


def number_of(actor: Actor) -> int:
    return kernel.ODDS if actor == CHANCE else int(actor)


@every_setup
def test_moves_on_arrays_are_those_of_the_rules_in_their_order(setup: Setup) -> None:
    moves = zeros(SMALL, kernel.MOST)
    for seed in range(3):
        for match in walk(setup, seed).line():
            rules, place = kernel.rules_of(match.state.table), kernel.place_of(match.state)
            acting = map(number_of, match.actors[:1] or (kernel.NO_ACTOR,))
            assert [kernel.actor_of(rules, place)] == [*acting]
            assert kernel.deck_of(rules, place) == ALL_CARDS[setup.seats] - outside(
                match.state.cards
            )
            for actor in match.actors:
                if actor != CHANCE or match.state.phase == "lead":
                    count = kernel.options(rules, place, number_of(actor), moves)
                    steps = tuple(map(kernel.step_of, moves[:count]))
                    assert steps == match.legal(actor), kitsune.text(match.state)


@every_setup
def test_a_match_on_arrays_is_that_of_the_rules_to_its_end(setup: Setup) -> None:
    """What chance does is drawn on the arrays, all else of the same lists."""
    rng, drawn = Random(1), stream.stream_of(Random(2))
    state, moves, acts = kitsune.start(setup.seats, setup.options), zeros(SMALL, kernel.MOST), set()
    rules, place = kernel.rules_of(state.table), kernel.place_of(state)
    while actors := kitsune.actors(state):
        actor = rng.choice(actors)
        if actor == CHANCE and state.phase != "lead":
            move = kernel.chance(rules, place, drawn)
        else:
            move = rng.choice(moves[: kernel.options(rules, place, number_of(actor), moves)])
        acts.add(move >> 12)
        tricks.play(rules, place, number_of(actor), move)
        state = kitsune.apply(state, actor, kernel.step_of(move))
        assert place == kernel.place_of(state), kitsune.text(state)
        worths = compiled.worth_of(state.table)
        assert compiled.value(rules, worths, place) == worth.value(state)
    assert acts >= {kernel.LEADING, kernel.DEALING, kernel.PLAYING, kernel.TAKING}


@every_number_of_seats
def test_what_chance_deals_is_dealt_as_often_as_there_are_copies(seats: int) -> None:
    match = walk(Setup.of(kitsune, seats), 1, longest=4)
    rules, place = kernel.rules_of(match.state.table), kernel.place_of(match.state)
    drawn, times, found = stream.stream_of(Random(1)), 6000, dict.fromkeys(match.odds(), 0)
    for _ in range(times):
        found[kernel.step_of(kernel.chance(rules, place, drawn))] += 1
    for step, odds in match.odds().items():
        assert abs(found[step] / times - odds) < 0.025


def asked(setup: Setup, seed: int, stride: int) -> Iterator[Position]:
    """Yield what the seats are asked in a random match."""
    for match in walk(setup, seed).line()[::stride]:
        for actor in match.actors:
            if actor != CHANCE:
                yield position(match, actor)


def check_worlds(where: Position, knowledge: Known, count: int) -> None:
    """Check that so many worlds are dealt alike, and as much is drawn."""
    one, other = Random(3), stream.stream_of(Random(3))
    given, room = dealt.given_of(where.view, knowledge), dealt.room_of()
    place = zeros(LARGE, kernel.WORDS)
    for _ in range(count):
        dealt.deal(given, place, other, room)
        found = world(where.view, knowledge, one)
        assert place == kernel.place_of(found), kitsune.text(where.view)
    assert stream.draw(other) == one.random()


@every_setup
def test_worlds_on_arrays_are_dealt_alike(setup: Setup) -> None:
    for where in asked(setup, 2, 5):
        check_worlds(where, known_at(where), 4)


@every_number_of_seats
def test_worlds_are_dealt_alike_where_another_has_recalled_a_card(seats: int) -> None:
    times = 0
    for seed in range(12):
        for match in walk(Setup.of(kitsune, seats), seed).line():
            if match.state.phase == "play" and match.state.cards.recalled:
                where = position(match, Seat(int(match.actors[0])))
                times += match.state.cards.recalled[0] != where.seat
                check_worlds(where, known_at(where), 3)
    assert times > 10


@every_number_of_seats
def test_worlds_are_dealt_alike_where_what_is_known_cannot_be(seats: int) -> None:
    where = next(asked(Setup.of(kitsune, seats), 1, 9))
    hands = {other: Hand([KINDS["b6"]] * 2, {1: 3, 0: 2}) for other in range(seats)}
    check_worlds(where, Known(hands), 5)
    for hand in hands.values():
        hand.held.clear()
    check_worlds(where, Known(hands), 20)


@every_setup
def test_lines_are_the_same_and_as_much_is_drawn(setup: Setup) -> None:
    assert not Compiler.ready
    few = [where for where in asked(setup, 6, 7) if len(where.legal) > 1]
    for where, simulations in zip(few[::3], cycle((1, 63, 64, 65, 300, 2, 130)), strict=False):
        check_lines(where, simulations)


def check_lines(where: Position, simulations: int) -> None:
    one, other, budget = Random(simulations), Random(simulations), Budget(simulations)
    knowledge = known_at(where)
    lines = plain(where, knowledge, one, budget, Fit())
    assert compiled.think(where, knowledge, other, budget, Fit()) == lines, where.view
    assert other.random() == one.random()


def test_a_long_search_explores_more_and_a_tree_grows_beyond_its_first_size() -> None:
    where = next(one for one in asked(Setup.of(kitsune, 2), 1, 1) if len(one.legal) > 3)
    check_lines(where, 2600)
    tree = compiled.tree_of(where, known_at(where))
    tree.simulate(Random(1), lambda done: done >= 2600, 0)
    assert tree.tree.size[0] > 1024


def test_a_thought_ends_when_it_has_looked_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    where = next(one for one in asked(Setup.of(kitsune, 4), 1, 1) if len(one.legal) > 3)
    knowledge, budget, never = known_at(where), Budget(150), Budget()
    lines = plain(where, knowledge, Random(1), budget, Fit())
    monkeypatch.setattr(ismcts, "ENOUGH", 150)
    assert plain(where, knowledge, Random(1), never, Fit()) == lines
    assert compiled.think(where, knowledge, Random(1), never, Fit()) == lines
