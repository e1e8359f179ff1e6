"""The levels of the bots: legal in every set-up, within their budget, quick to stop."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from kumite.cli.arena.playing import Job, Plan, cycle, play
from kumite.cli.arena.report import summary
from kumite.cli.bench.plain_integers import ALL
from kumite.core import bots
from kumite.core.bots.search import plain, turns
from kumite.core.bots.search.loops import TurnSearch
from kumite.core.game import CHANCE, Game, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kumo.bot import model as kumo_bot
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from tests.core.bots.test_bots import heap_of, position, positions
from tests.support import mini_search as mini
from tests.support import mk6
from tests.support.kumo_positions import at
from tests.support.mk6 import ALL_GAMES
from tests.support.random_matches import setups, walk

LEVELS = ("easy", "medium", "strong")
SETUPS = [setup for game in GAMES.values() for setup in setups(game)]
NAMES = [
    f"{s.game.ID}-{s.seats}" + "".join(f"-{value}" for value in s.options.values()) for s in SETUPS
]
every_game = pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)


@pytest.mark.parametrize("setup", SETUPS, ids=NAMES)
def test_every_level_plays_legal_steps_in_every_set_up(setup: Setup) -> None:
    line = [m for m in walk(setup, 11, longest=400).line() if set(m.actors) - {CHANCE}]
    for match in line[:: max(1, len(line) // 3)]:
        where = position(match, Seat(int(match.actors[-1])))
        for level in LEVELS:
            choice = bots.find(level)(where, Random(3), bots.Budget(8))
            assert choice.step in where.legal
            assert {one.step for one in choice.lines} <= set(where.legal)


class Counting:
    """A budget's stop that counts how often it is asked, and says stop from a number on."""

    def __init__(self, most: int) -> None:
        self.most, self.asked = most, 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.asked > self.most


@every_game
@pytest.mark.parametrize("most", [0, 1, 7])
def test_a_bot_told_to_stop_plays_a_legal_step_at_once(game: Game[Any], most: int) -> None:
    for where in positions(game, 3):
        for level in ("medium", "strong"):
            stop = Counting(most)
            step = bots.find(level)(where, Random(1), bots.Budget(None, stop)).step
            assert step in where.legal
            assert stop.asked <= most + 3  # a turn that has been compared is not thrown away


@every_game
def test_no_bot_tries_more_than_its_budget(game: Game[Any]) -> None:
    for where in positions(game, 6):
        for level in ("medium", "strong"):
            stop = Counting(10**9)
            bots.find(level)(where, Random(1), bots.Budget(25, stop))
            assert stop.asked <= 25 + 3


@every_game
def test_lines_are_scores_and_shares_with_the_choice_of_strong_first(game: Game[Any]) -> None:
    seen = 0
    for where in positions(game, 8):
        choice = bots.find("strong")(where, Random(2), bots.Budget(400))
        if choice.lines:
            seen += 1
            assert choice.lines[0].step == choice.step
            assert choice.lines[0].value == choice.value
            assert len({line.step for line in choice.lines}) == len(choice.lines)
            assert all(0 <= line.value <= 1 and 0 <= line.share <= 1 for line in choice.lines)
            assert sum(line.share for line in choice.lines) == pytest.approx(1)
    assert seen >= 3


def test_medium_thinks_no_longer_than_usual_however_much_time_there_is() -> None:
    where = next(one for one in positions(kuzushi) if len(one.legal) > 3)
    usual = bots.usual("medium", "kuzushi")
    stop = Counting(10 * usual)  # who thinks on must end as well
    bots.find("medium")(where, Random(1), bots.Budget(None, stop))
    assert stop.asked <= usual + 1


@every_game
def test_medium_ends_as_usual_also_where_a_thought_may_go_on(game: Game[Any]) -> None:
    usual, where = bots.usual("medium", game.ID), hardest(game)
    told: list[tuple[float, bots.Choice]] = []
    watch = bots.Watch([4 * usual + 4, 5 * usual + 5], lambda *one: told.append(one))
    bots.grow("medium", where, lambda: Random(1), watch)
    alone = bots.find("medium")(where, Random(1), bots.Budget(usual))
    assert told == [(4 * usual + 4, alone)]


def hardest(game: Game[Any]) -> bots.Position:
    return max(positions(game), key=lambda where: len(where.legal))


# --- Thoughts that go on ----------------------------------------------------------------------

STAGES = (3, 40, 41, 150)


class Grown:
    """A thought that is looked at at some numbers of simulations."""

    def __init__(self, where: bots.Position, stages: tuple[float, ...] = STAGES) -> None:
        self.told: list[tuple[float, bots.Choice]] = []
        self.begun = 0  # searches
        self.most = 0  # simulations of one of them
        watch = bots.Watch(stages, lambda *told: self.told.append(told))
        self.watch, is_over = watch, watch.is_over
        watch.is_over = self.counted(is_over)
        bots.grow("strong", where, self.rng, watch)

    def rng(self) -> Random:
        self.begun += 1
        return Random(7)

    def counted(self, is_over: Callable[[int], bool]) -> Callable[[int], bool]:
        def counting(done: int) -> bool:
            self.most = max(self.most, done)
            return is_over(done)

        return counting


@every_game
def test_at_each_stage_a_thought_has_found_what_one_of_that_length_would(game: Game[Any]) -> None:
    for where in positions(game, 5):
        for stage, choice in Grown(where).told:
            assert choice == bots.find("strong")(where, Random(7), bots.Budget(int(stage)))


@pytest.mark.parametrize("name", ["kuzushi", "kitsune", "mk6"])
def test_a_search_by_tree_goes_on_from_stage_to_stage(name: str) -> None:
    grown = Grown(hardest(ALL_GAMES[name]))
    assert [stage for stage, _ in grown.told] == list(STAGES)
    assert grown.begun == 1
    assert grown.most == STAGES[-1]


@pytest.mark.parametrize("name", ["kitsu", "kumo"])
def test_a_search_for_turns_goes_on_too_and_tells_nothing_before_it_has_compared_any(
    name: str,
) -> None:
    where, stages = hardest(ALL_GAMES[name]), (3, 2000, 2001, 9000)
    grown = Grown(where, stages)
    assert [stage for stage, _ in grown.told] == list(stages[1:])
    assert (grown.begun, grown.most) == (1, stages[-1])
    for stage, choice in grown.told:
        assert choice.lines
        assert choice == bots.find("strong")(where, Random(7), bots.Budget(int(stage)))


def test_a_thought_that_has_found_everything_ends() -> None:
    kumo, state = GAMES["kumo"], IN_THREE
    won = bots.Position(kumo, state, Seat(0), (), kumo.legal(state, Seat(0)))
    forced = next(one for one in positions(GAMES["kitsu"], 40) if len(one.legal) == 1)
    for where in (won, forced, hardest(GAMES["kiriai"])):
        grown = Grown(where, (10**8, 2 * 10**8))
        assert [stage for stage, _ in grown.told] == [10**8]
        assert grown.begun == 1


def test_stages_by_the_clock_are_counted_from_the_beginning() -> None:
    now, told = [100.0], []

    def clock() -> float:
        now[0] += 0.25
        return now[0]

    watch = bots.Watch((1.0, 2.0, 4.0), lambda stage, _: told.append((stage, now[0])), clock, 100.0)
    bots.grow("strong", hardest(kuzushi), lambda: Random(1), watch)
    assert told == [(1.0, 101.0), (2.0, 102.0), (4.0, 104.0)]


@every_game
@pytest.mark.parametrize("most", [0, 1, 40])
def test_a_thought_that_goes_on_is_stopped_at_once(game: Game[Any], most: int) -> None:
    stop, told = Counting(most), []
    watch = bots.Watch((10, 10**8), lambda stage, _: told.append(stage))
    bots.grow("strong", hardest(game), lambda: Random(1), watch, stop)
    assert stop.asked <= most + 4
    assert 10**8 not in told or game.ID == "kiriai"


# --- Searches ---------------------------------------------------------------------------------


def test_mini_kuzushi_is_searched_by_its_own_rules() -> None:
    for seed in range(5):
        state, place, rng = mk6.start(2, {}), mini.EMPTY, Random(seed)
        while actors := mk6.actors(state):
            legal, left = mk6.legal(state, actors[0]), mini.choices(place)
            moves = [mini.nth(left, index) for index in range(mini.bits(left))]
            assert [f"{move:02}" for move in moves] == list(legal)
            step = rng.choice(legal)
            state, place = mk6.apply(state, actors[0], step), mini.after(place, int(step))
        assert mini.cards_of(place) == ALL


@pytest.mark.parametrize(("heap", "best"), [(5, 1), (6, 2), (7, 3), (9, 1), (10, 2), (11, 3)])
def test_uct_finds_the_move_that_wins(heap: int, best: int) -> None:
    search = plain.PlainSearch(heap_of(heap))
    assert search.tree.simulate(Random(heap), bots.Budget(1500).is_spent, 0) == 1500
    assert search.lines()[0].step == str(best)
    assert search.tree.tree.visits[0] == 1500


# --- Strength ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_easy_beats_random(game: str) -> None:
    plan = Plan.of(Setup.of(GAMES[game]), ("easy", "random"), 1)
    seatings = cycle(plan.setup, 2)
    results = [play(Job(plan, n, seatings[n % 2]))[0] for n in range(6)]
    assert summary(plan, results)["bots"][0]["score"] >= 0.6


IN_THREE = at(  # two quarters bring the stone before the foe's edge, a push ends the match
    """a1 0block; b1 0grab; b2 0block; b9 1jump; c2 1kumo; d1 0grab; d2 1kumo; e2 0kumo;
    e3 0kumo; e4 1kumo; i6 1block; i7 1block""",
    turn=63, used=0, turned="no no", stone="e1",
)  # fmt: skip


def turn(where: bots.Position, level: str, seed: int, most: int | None = None) -> list[Step]:
    """Return the steps of a whole turn of a game without secrets, as a level plays it."""
    game, state, steps = where.game, where.view, []
    while game.actors(state) == (where.seat,):
        legal = game.legal(state, where.seat)
        asked = bots.Position(game, state, where.seat, (), legal)
        steps.append(bots.find(level)(asked, Random(seed), bots.Budget(most)).step)
        state = game.apply(state, where.seat, steps[-1])
    return steps


@pytest.mark.parametrize("level", ["easy", "medium", "strong"])
def test_kumo_is_won_by_turning_first(level: str) -> None:
    kumo, state = GAMES["kumo"], IN_THREE
    for _ in range(3):
        where = bots.Position(kumo, state, Seat(0), (), kumo.legal(state, Seat(0)))
        step = bots.find(level)(where, Random(1), bots.Budget()).step
        state = kumo.apply(state, Seat(0), step)
    outcome = kumo.outcome(state)
    assert outcome.winners == (0,)


BESIEGED = at(  # however the arena is turned, the pair pushes the stone out, if its lane is open
    "c5 0kumo; d5 0kumo; e2 1kumo; e4 1kumo", turn=6, used=0, turned="no no", stone="b5"
)


def is_pushed_out(where: bots.Position, steps: list[Step]) -> bool:
    """Say whether the foe finds a win in the turn after these steps, with twice a bot's beam."""
    kumo, state = where.game, where.view
    for step in steps:
        state = kumo.apply(state, where.seat, step)
    search = TurnSearch(kumo_bot.GAME, state, Random(0), bots.Budget())
    return next(search.turns(search.root, 12, 1)).value >= turns.WIN


@pytest.mark.slow
@pytest.mark.parametrize("level", ["medium", "strong"])
def test_kumo_is_not_lost_while_the_lane_can_be_shut(level: str) -> None:
    kumo = GAMES["kumo"]
    where = bots.Position(kumo, BESIEGED, Seat(1), (), kumo.legal(BESIEGED, Seat(1)))
    assert all(is_pushed_out(where, turn(where, "random", seed)) for seed in range(4))
    assert is_pushed_out(where, turn(where, "easy", 1))
    assert not is_pushed_out(where, turn(where, level, 1, 7000))


def test_of_equally_good_turns_strong_plays_now_this_one_now_that_one() -> None:
    turns = {tuple(turn(next(positions(GAMES["kumo"])), "strong", n, 1400)) for n in range(8)}
    assert len(turns) > 1


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("simulations", [500, 3000, 9000])  # to an answer, and to a reply to it
def test_kumo_begins_about_even_however_far_one_looks(seats: int, simulations: int) -> None:
    match = Match.begin(Setup.of(GAMES["kumo"], seats))
    budget = bots.Budget(simulations)
    value = bots.find("strong")(position(match, Seat(0)), Random(1), budget).value
    assert value is not None
    assert 0.35 < value < 0.8
