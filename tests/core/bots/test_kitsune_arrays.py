"""Kitsune's rules on arrays are those of the rules, and what is found by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from kumite.core.bots.base import Budget, Line, Position, Watch
from kumite.core.bots.fast import SMALL, stream_of, zeros
from kumite.core.bots.search import ismcts
from kumite.core.game import CHANCE, Actor, Seat, Setup
from kumite.core.games import find
from kumite.core.games.kitsune import rules as kitsune
from kumite.core.games.kitsune.bot import kernel
from kumite.core.games.kitsune.bot.kernel import value, worth_of
from kumite.core.games.kitsune.bot.model import easy, think, tree_of
from kumite.core.games.kitsune.state import ALL_CARDS, TRICK, State, outside
from tests.core.bots.test_bots import position
from tests.support.random_matches import setups, walk

if TYPE_CHECKING:
    from kumite.core.match import Match

every_setup = pytest.mark.parametrize(
    "setup", [*setups(find("kitsune"))], ids=lambda one: f"{one.seats}-{one.options}"
)
every_number_of_seats = pytest.mark.parametrize("seats", kitsune.SEATS)


def value_of(state: State) -> float:
    return value(kernel.rules_of(state.table), worth_of(state.table), kernel.place_of(state))


def number_of(actor: Actor) -> int:
    return kernel.ODDS if actor == CHANCE else int(actor)


@every_setup
def test_moves_on_arrays_are_those_of_the_rules(setup: Setup) -> None:
    moves = zeros(SMALL, kernel.MOST)
    for seed in range(3):
        for match in walk(setup, seed).line():
            rules, place = kernel.rules_of(match.state.table), kernel.place_of(match.state)
            is_far = match.state.phase == "lead" or match.state.to_deal > kernel.DRAWN
            acting = () if is_far else match.actors
            expected = number_of(acting[0]) if acting else kernel.NO_ACTOR
            assert kernel.actor_of(rules, place) == expected
            assert kernel.deck_of(rules, place) == ALL_CARDS[setup.seats] - outside(
                match.state.cards
            )
            for actor in match.actors:
                if actor != CHANCE or match.state.phase == "lead":
                    count = kernel.options(rules, place, number_of(actor), moves)
                    steps = sorted(map(kernel.step_of, moves[:count]))
                    assert steps == sorted(match.legal(actor)), kitsune.text(match.state)


@every_setup
def test_a_match_on_arrays_is_that_of_the_rules_to_its_end(setup: Setup) -> None:
    """What chance does is drawn on the arrays, all else of the same lists."""
    acts = {act for seed in range(4) for act in acts_of_match(setup, Random(seed))}
    assert acts >= {kernel.LEADING, kernel.DEALING, kernel.PLAYING, kernel.TAKING}


def acts_of_match(setup: Setup, rng: Random) -> Iterator[int]:
    """Play a match at random by both; yield what is done in it."""
    state, moves = kitsune.start(setup.seats, setup.options), zeros(SMALL, kernel.MOST)
    rules, place = kernel.rules_of(state.table), kernel.place_of(state)
    while actors := kitsune.actors(state):
        actor = rng.choice(actors)
        if actor == CHANCE and state.phase != "lead":
            move = kernel.chance(rules, place, rng)
        else:
            move = rng.choice(moves[: kernel.options(rules, place, number_of(actor), moves)])
        yield move >> 12
        kernel.play(rules, place, number_of(actor), move)
        state = kitsune.apply(state, actor, kernel.step_of(move))
        assert place == kernel.place_of(state), kitsune.text(state)
    outcome = kitsune.outcome(state)
    assert outcome is not None
    winners = {seat % 2 for seat in outcome.winners}
    assert value_of(state) == (0.5 if not winners else float(0 in winners))


@every_number_of_seats
def test_what_chance_deals_is_dealt_as_often_as_there_are_copies(seats: int) -> None:
    match = walk(Setup.of(kitsune, seats), 1, longest=4)
    rules, place = kernel.rules_of(match.state.table), kernel.place_of(match.state)
    drawn, times, found = stream_of(Random(1)), 6000, dict.fromkeys(match.odds(), 0)
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


@every_setup
def test_the_same_draws_find_the_same_and_go_on_from_stage_to_stage(setup: Setup) -> None:
    few = [where for where in asked(setup, 6, 7) if len(where.legal) > 1]
    for where, simulations in zip(few[::6], cycle((1, 63, 64, 65, 300)), strict=False):
        lines = lines_of(where, simulations)
        assert lines_of(where, simulations) == lines
        assert stage_of(where, simulations) == tuple(lines)
        assert {line.step for line in lines} <= {*where.legal}
        assert sum(line.share for line in lines) == pytest.approx(1)


def stage_of(where: Position, simulations: int) -> Sequence[Line]:
    """Return what a longer search tells after so many simulations."""
    told: list[Sequence[Line]] = []
    watch = Watch((simulations, 400), lambda _, choice: told.append(choice.lines))
    think(where, Random(1), Budget(watch=watch))
    return told[0]


def lines_of(where: Position, simulations: int | None) -> Sequence[Line]:
    return think(where, Random(1), Budget(simulations))


def test_a_long_search_explores_more_and_a_tree_grows_beyond_its_first_size() -> None:
    assert [ismcts.exploration(done) for done in (1, 200, 2000, 9000)] == [0.2, 0.2, 0.45, 0.45]
    where = next(one for one in asked(Setup.of(kitsune, 2), 1, 1) if len(one.legal) > 3)
    tree = tree_of(where)
    tree.simulate(Random(1), lambda done: done >= 2600, 0)
    assert tree.tree.size[0] > 1024
    assert {kernel.step_of(move) for move, _, _ in tree.ranked()} == {*where.legal}


def test_a_thought_ends_when_it_has_looked_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    where = next(one for one in asked(Setup.of(kitsune, 4), 1, 1) if len(one.legal) > 3)
    lines = lines_of(where, 150)
    monkeypatch.setattr(ismcts, "ENOUGH", 150)
    assert lines_of(where, None) == lines


@every_number_of_seats
def test_the_last_card_of_a_trick_is_chosen_at_a_glance_by_what_it_brings(seats: int) -> None:
    times = 0
    for seed in range(8):
        for match in walk(Setup.of(kitsune, seats), seed).line():
            trick = match.state.cards.trick
            if match.state.phase != "play" or len(trick) < TRICK[seats] - 1 or has_secret(match):
                continue
            seat = Seat(int(match.actors[0]))
            scores = {step: brought(match.play(seat, step)) for step in match.legal(seat)}
            best = min(scores.values()) if seat % 2 else max(scores.values())
            assert scores[easy(position(match, seat), Random(1)).step] == best
            times += min(scores.values()) < max(scores.values())
    assert times > 5


def has_secret(match: Match[Any]) -> bool:
    """Tell whether it depends on hidden cards what the next card brings."""
    is_shielded = any(laid.boost == "shield" for laid in match.state.cards.trick)
    return is_shielded or any(step[:6] == "recall" for step in match.legal(match.actors[0]))


def brought(match: Match[Any]) -> float:
    """Return the value once the trick is over."""
    while match.state.cards.trick:
        match = match.play(CHANCE, match.legal(CHANCE)[0])
    return value_of(match.state)
