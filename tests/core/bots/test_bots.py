"""Bots: legal, reproducible, and with no more to go by than their seat may see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from kumite.cli.engine import Engine
from kumite.cli.main import main
from kumite.core import bots
from kumite.core.errors import BadSetup
from kumite.core.game import CHANCE, Game, Outcome, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from kumite.tui.play.local_table import LocalTable
from tests.support.mk6 import ALL_GAMES
from tests.support.random_matches import walk

every_game = pytest.mark.parametrize("game", ALL_GAMES.values(), ids=ALL_GAMES)
every_bot = pytest.mark.parametrize("name", bots.BOTS)
position = bots.Position.of


def positions(game: Game[Any], count: int = 12) -> Iterator[bots.Position]:
    """Yield positions spread over a random match, each for a seat that is to act."""
    yield from spread(game, count)


@cache
def spread(game: Game[Any], count: int) -> list[bots.Position]:
    match = walk(Setup.of(game), 1, longest=200)
    line = [one for one in match.line() if any(actor != CHANCE for actor in one.actors)]
    some = line[:: max(1, len(line) // count)]
    return [position(one, actor) for one in some for actor in one.actors if actor != CHANCE]


@pytest.mark.slow
@every_bot
@every_game
def test_a_bot_plays_legal_steps_and_the_same_again(name: str, game: Game[Any]) -> None:
    bot, asked = bots.find(name), 0
    for where in positions(game, 6):
        choice = bot(where, Random(1), bots.Budget(30))
        assert choice.step in where.legal
        assert bot(where, Random(1), bots.Budget(30)) == choice
        asked += 1
    assert asked >= 5


@every_game
def test_the_random_bot_plays_everything(game: Game[Any]) -> None:
    where = next(one for one in positions(game) if 3 <= len(one.legal) <= 300)
    rng, bot = Random(2), bots.find("random")
    played = [bot(where, rng, bots.Budget()).step for _ in range(40 * len(where.legal))]
    assert set(played) == set(where.legal)
    assert max(map(played.count, where.legal)) < 100


def test_the_simple_bot_wins_when_it_can_and_does_not_end_a_match_it_loses() -> None:
    bot, won = bots.find("simple"), 0
    for seed in range(60):
        match = walk(Setup.of(kuzushi, 2, {"board": "small"}), seed)
        for one in match.line()[-8:-1]:
            (seat,) = one.actors
            assert seat != CHANCE
            ends = {step: one.play(seat, step).outcome for step in one.legal(seat)}
            wins = {step for step, end in ends.items() if end and seat in end.winners}
            goes_on = {step for step, end in ends.items() if end is None}
            step = bot(position(one, seat), Random(seed), bots.Budget()).step
            if wins:
                assert step in wins
                won += 1
            elif goes_on:
                assert step in goes_on
    assert won > 10


def test_the_simple_bot_leaves_the_fewest_choices() -> None:
    for where in positions(kuzushi):
        choices = {}
        for step in where.legal:
            after = kuzushi.apply(where.view, where.seat, step)
            choices[step] = len(kuzushi.legal(after, after.turn))
            if kuzushi.outcome(after):
                break
        else:
            step = bots.find("simple")(where, Random(3), bots.Budget()).step
            assert choices[step] == min(choices.values())


def test_a_bot_that_does_not_exist_is_named_with_those_that_do() -> None:
    with pytest.raises(BadSetup, match="no bot 'nobody'") as caught:
        bots.find("nobody")
    assert caught.value.hint == "bots: 1, easy, 3, 4, medium, 6, 7, strong, random"


# --- What a bot is given ----------------------------------------------------------------------


class Spy:
    """Play at random, and keep what was asked."""

    def __init__(self) -> None:
        self.asked: list[bots.Position] = []

    def __call__(self, where: bots.Position, rng: Random, budget: bots.Budget) -> bots.Choice:
        self.asked.append(where)
        return bots.Choice(rng.choice(where.legal))


def check_asked(asked: list[bots.Position], match: Match) -> None:
    """Check that each question held exactly what its seat knew when it was to act."""
    for where in asked:
        own = frozenset({where.seat})
        then = match.back(len(where.seen))
        assert where.seat in then.actors
        assert where.view == then.game.view(then.state, own)
        assert where.view == then.game.view(where.view, own)
        assert list(where.seen) == list(then.seen_by(own).steps())
        assert where.legal == then.legal(where.seat)


class Here:
    """A mind that thinks in this process."""

    def __init__(self, spy: Spy) -> None:
        self.spy = spy

    async def choose(
        self,
        who: str,
        position: bots.Position,
        *,
        seed: int | str,
        simulations: int | None = None,
        seconds: float | None = None,
    ) -> bots.Choice:
        return self.spy(position, Random(seed), bots.Budget(simulations))


@every_game
async def test_a_bot_at_the_table_sees_what_its_seat_sees(game: Game[Any]) -> None:
    spy = Spy()
    mind = Here(spy)
    setup = Setup.of(game)
    count = 0
    while count < 6:  # a duel may be over after two rounds
        table = LocalTable(Match.begin(setup), ["bot:simple"] * setup.seats, None)
        while (seat := table.bot_to_act()) is not None and table.match.number < 60:
            table.play(seat, await table.think(seat, mind, 1.0))
        assert spy.asked
        check_asked(spy.asked, table.match)
        count += len(spy.asked)
        spy.asked.clear()


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_bot_asked_by_the_engine_sees_what_its_seat_sees(
    game: Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    spy = Spy()
    monkeypatch.setitem(bots.BOTS, "simple", spy)
    match = walk(Setup.of(game), 4, longest=60)
    everybody = frozenset(map(Seat, range(match.setup.seats)))
    for one in match.line():
        for actor in one.actors:
            if actor != CHANCE:
                for seats in (None, frozenset({actor}), everybody):
                    engine = Engine(one if seats is None else one.seen_by(seats))
                    answer = engine.answer(f'{{"do":"choose","seat":{actor},"seed":1}}')
                    assert answer["ok"], answer
    assert len(spy.asked) >= 60
    check_asked(spy.asked, match)


def test_the_bots_of_a_demo_see_what_their_seats_see(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setitem(bots.BOTS, "simple", spy)
    assert CliRunner().invoke(main, ["demo", "kiriai", "--seed", "1"]).exit_code == 0
    assert len(spy.asked) >= 6
    assert any("?" in where.game.text(where.view) for where in spy.asked)
    for where in spy.asked:
        own = frozenset({where.seat})
        assert where.view == where.game.view(where.view, own)
        for played in where.seen:
            other = played.actor not in (where.seat, CHANCE)
            assert not other or "," not in played.step or played.step == "?,?"  # a plan is secret


# --- Looking ahead without a model ------------------------------------------------------------


def heap_of(left: int) -> bots.Position:
    """Return a heap from which each takes one to three; who takes the last one has won."""
    game = SimpleNamespace(
        ID="heap",
        actors=lambda state: (Seat(state[1]),) if state[0] else (),
        legal=lambda state, _: tuple(Step(str(n)) for n in range(1, min(3, state[0]) + 1)),
        apply=lambda state, _, step: (state[0] - int(step), 1 - state[1]),
        setup_of=lambda _: (2, {}),
        outcome=lambda state: None if state[0] else Outcome((Seat(1 - state[1]),), "last"),
    )
    return bots.Position(game, (left, 0), Seat(0), (), game.legal((left, 0), Seat(0)))


@pytest.mark.parametrize(("left", "steps"), [(3, {"3"}), (2, {"2"}), (5, {"1"}), (6, {"1", "2"})])
def test_a_glance_takes_a_win_and_lets_nobody_win_in_the_next_step(
    left: int, steps: set[str]
) -> None:
    found = {bots.find("easy")(heap_of(left), Random(n), bots.Budget()).step for n in range(20)}
    assert found == steps


def test_a_look_at_one_step_does_not_see_the_answer() -> None:
    assert bots.find("simple")(heap_of(5), Random(1), bots.Budget()).step == "3"


def test_where_every_step_loses_one_is_made() -> None:
    assert bots.find("easy")(heap_of(4), Random(1), bots.Budget()).step in ("1", "2", "3")


def test_too_many_answers_are_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kumite.core.bots.simple.FEARED", 0)
    assert bots.find("easy")(heap_of(5), Random(1), bots.Budget()).step == "3"
