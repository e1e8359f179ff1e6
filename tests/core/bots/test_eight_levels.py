"""Eight levels by one scale of names, and bots with a number of simulations."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.bots.base import Skill, noticed
from kumite.core.errors import BadSetup
from kumite.core.game import Game, Seat, Setup, Step
from kumite.core.games import GAMES
from kumite.core.games.kuzushi import rules as kuzushi
from kumite.core.match import Match
from tests.core.bots.test_bots import positions

EIGHT = "12345678"
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@every_game
def test_three_levels_have_names(game: Game[Any]) -> None:
    for where in positions(game, 4):
        for level, name in (("2", "easy"), ("5", "medium"), ("8", "strong")):
            budget = bots.Budget(30)
            by_number = bots.find(level)(where, Random(3), budget)
            assert by_number == bots.find(name)(where, Random(3), budget)


@every_game
def test_a_higher_level_thinks_no_less(game: Game[Any]) -> None:
    usual = [bots.usual(level, game.ID) for level in EIGHT]
    assert usual == sorted(usual)
    assert usual[:2] == [0, 0]
    assert usual[4] == bots.usual("medium", game.ID)
    assert usual[7] == bots.usual("strong", game.ID)


@every_game
def test_a_higher_level_errs_no_more_often(game: Game[Any]) -> None:
    skills = [bots.LEVELS[level].skill(game.ID) for level in EIGHT]
    seen = [1 - skill.lapses for skill in skills]
    thought = [(1 - one.lapses) * (1 - one.slips) * bool(one.simulations) for one in skills]
    assert seen == sorted(seen)
    assert thought == sorted(thought)
    assert len(set(skills)) == 8
    assert skills[-1] == Skill(skills[-1].simulations)


@every_game
def test_who_can_be_told_how_long_to_think_does_think(game: Game[Any]) -> None:
    for level in EIGHT:
        has_thought = bots.LEVELS[level].skill(game.ID).simulations > 0
        assert has_thought == bots.is_bot(f"{level}:20")


def skill_cell(skill: Skill) -> str:
    parts = [f"{skill.simulations:,}"] if skill.simulations else []
    parts += [f"g {100 * skill.slips:.0f} %"] if skill.slips else []
    parts += [f"b {100 * skill.lapses:.0f} %"] if 0 < skill.lapses < 1 else []
    parts += ["h"] if skill.learner else []
    return ", ".join(parts) or ("b" if skill.lapses else "g")


@every_game
def test_the_page_has_how_well_each_level_plays(game: Game[Any]) -> None:
    cells = (skill_cell(bots.LEVELS[level].skill(game.ID)) for level in EIGHT)
    page = (Path(__file__).parents[3] / "docs" / "bots.md").read_text("utf-8")
    assert f"| {' | '.join((game.TITLE, *cells))} |" in page


def test_a_beginner_that_lapses_now_and_then_sees_all_at_other_times() -> None:
    model = bots.MODELS["kuzushi"]
    where = max(positions(kuzushi), key=lambda one: len(one.legal))
    seen = set()
    for seed in range(40):
        rng = Random(seed)
        is_lapse = rng.random() < bots.LEVELS["2"].skill("kuzushi").lapses
        expected = model.beginner(where, rng) if is_lapse else model.easy(where, rng)
        assert bots.find("2")(where, Random(seed), bots.Budget()) == expected
        seen.add(is_lapse)
    assert seen == {False, True}


def test_only_the_last_level_has_a_clock() -> None:
    assert [name for name in bots.BOTS if bots.is_timed(name)] == ["8", "strong"]
    assert not bots.is_timed("strong:500")


def test_nobody_meets_simple_in_a_list() -> None:
    assert "simple" not in bots.LISTED
    assert bots.is_bot("simple")  # old logs have it
    assert len({bots.find(name) for name in bots.LISTED}) == 8


def test_a_bot_with_a_number_takes_so_many_simulations() -> None:
    where = max(positions(kuzushi), key=lambda one: len(one.legal))
    given = bots.find("strong:37")(where, Random(1), bots.Budget())
    assert given == bots.find("strong")(where, Random(1), bots.Budget(37))
    assert bots.usual("strong:37", "kuzushi") == 37


@pytest.mark.parametrize(
    "name", ["", "strong:", "strong:x", "strong:0", "easy:5", "simple:5", "9", "0", "strong:²"]
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    assert not bots.is_bot(name)
    with pytest.raises(BadSetup):
        bots.find(name)


def test_who_overlooks_steps_sees_one_at_least() -> None:
    where = max(positions(kuzushi), key=lambda one: len(one.legal))
    assert len(noticed(where, Random(1), lambda _: 1.0).legal) == 1
    assert noticed(where, Random(1), lambda _: 0.0) == where
    some = noticed(where, Random(1), lambda step: float(step.endswith("+"))).legal
    assert some == tuple(step for step in where.legal if not step.endswith("+"))


def greedy(match: Match, rng: Random) -> Step:
    """Return a step that takes most cards now."""
    seat, state = match.state.turn, match.state
    legal = match.legal(seat)
    cards = [kuzushi.apply(state, seat, step).score(seat) for step in legal]
    return rng.choice([step for step, n in zip(legal, cards, strict=True) if n == max(cards)])


def points_against_greed(level: str, matches: int) -> float:
    """Return what a level scores at Kuzushi against somebody who takes what can be taken."""
    points = 0.0
    for number in range(matches):
        match, rng, seat = Match.begin(Setup.of(kuzushi)), Random(number), Seat(number % 2)
        while match.actors:
            actor = Seat(int(match.actors[0]))
            where = bots.Position(kuzushi, match.state, actor, (), match.legal(actor))
            step = bots.find(level)(where, rng, bots.Budget()).step if actor == seat else None
            match = match.play(actor, step or greedy(match, rng))
        assert match.outcome is not None
        points += (seat in match.outcome.winners) / len(match.outcome.winners)
    return points


def test_who_takes_the_most_cards_has_a_chance_against_the_first_level_alone() -> None:
    assert 6 <= points_against_greed("1", 24) <= 12
    assert points_against_greed("easy", 72) >= 39
    assert points_against_greed("4", 24) >= 19
