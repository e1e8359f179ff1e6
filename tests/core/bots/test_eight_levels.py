"""Eight levels by one scale of names, and bots with a number of simulations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kumite.core import bots
from kumite.core.bots.base import PLAYED, Skill, drawn_for, noticed
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
    overlooked = [skill.overlooks for skill in skills]
    assert overlooked == sorted(overlooked, reverse=True)
    assert overlooked[0] > overlooked[1] >= overlooked[2] >= overlooked[3] > overlooked[4] == 0
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
    parts += [f"o {100 * skill.overlooks:.0f} %"] if skill.overlooks else []
    parts += [f"g {100 * skill.slips:.0f} %"] if skill.slips else []
    parts += [f"b {100 * skill.lapses:.0f} %"] if skill.lapses else []
    parts += ["h"] if skill.learner else []
    return ", ".join(parts)


@every_game
def test_the_page_has_how_well_each_level_plays(game: Game[Any]) -> None:
    cells = (skill_cell(bots.LEVELS[level].skill(game.ID)) for level in EIGHT)
    page = (Path(__file__).parents[3] / "docs" / "bots.md").read_text("utf-8")
    assert f"| {' | '.join((game.TITLE, *cells))} |" in page


def test_a_beginner_that_lapses_now_and_then_sees_all_at_other_times() -> None:
    model, skill = bots.MODELS["kuzushi"], bots.LEVELS["2"].skill("kuzushi")
    lapses = set()
    for where in positions(kuzushi):
        seen = noticed(where, model, skill.overlooks)
        if len(where.legal) > 1:
            is_lapse = drawn_for(where, "beginner") < skill.lapses
            choose = skill.beginner if is_lapse else model.easy
            assert choose is not None
            expected = choose(seen, Random(3))
            assert bots.find("2")(where, Random(3), bots.Budget()) == expected
            lapses.add(is_lapse)
    assert lapses == {False, True}


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


@every_game
def test_who_overlooks_a_kind_of_steps_overlooks_all_of_them_and_each_time(game: Game[Any]) -> None:
    model, removed = bots.MODELS[game.ID], set()
    for where in positions(game, 40):
        last = set(where.legal)
        assert noticed(where, model, 0) == where
        for share in (0.2, 0.6, 1.0):
            some = noticed(where, model, share)
            assert some == noticed(where, model, share)
            assert some.legal
            gone = {model.kind(where, step) for step in {*where.legal} - {*some.legal}}
            assert "" not in gone
            assert not gone & {model.kind(where, step) for step in some.legal}
            assert set(some.legal) <= last or some.legal == where.legal  # nothing else was left
            last, removed = set(some.legal), removed | gone
        skill = bots.LEVELS["1"].skill(game.ID)
        seen = noticed(where, model, skill.overlooks).legal
        assert bots.find("1")(where, Random(1), bots.Budget()).step in seen
    assert len(removed) >= 2
    assert removed <= set(model.MISSED)


def test_what_is_overlooked_is_the_same_on_every_machine() -> None:
    start = next(positions(kuzushi))
    assert drawn_for(start, "far") == pytest.approx(0.3419018)


@pytest.mark.parametrize("level", ["3", "4"])
def test_a_level_that_searches_does_not_play_what_it_overlooks(level: str) -> None:
    game, cut = GAMES["kitsu"], 0
    model, share = bots.MODELS["kitsu"], bots.LEVELS[level].skill("kitsu").overlooks
    for where in positions(game, 200):
        seen = noticed(where, model, share).legal
        if seen != where.legal:
            cut += 1
            assert bots.find(level)(where, Random(1), bots.Budget(8)).step in seen
    assert cut >= 3


def test_a_player_who_overlooks_what_was_played_searches_without_it() -> None:
    game, model = GAMES["kitsune"], bots.MODELS["kitsune"]
    forgotten = {noticed(where, model, 0.5).seen == () for where in positions(game, 30)}
    assert forgotten == {False, True}
    assert PLAYED in model.MISSED


KINDS = {  # some steps of seat 0, and the kinds of what is easily overlooked
    "kitsu": {"a5-c7": "", "a5-d8": "long", "b6xa5": "", "b6-a5": "back", "c5-d7": "leap",
              "c5-d3": "back", "d5>c7": "pounce", "e3~a7": "dispatch", "+s": "", "end": ""},
    "kumo": {"jump:c3-c6": "jump", "run:e1-d2": "run", "throw:b1:a1-x": "grab", "cw": "",
             "block:c4-c5": "block", "e4=kumo": "change", "e3-e4": "", "e3-e2": "back",
             "a1-a2": "far", "push:e4+e3": "", "push:e6+e7": "back", "pull:e4+e3": "back"},
    "kuzushi": {"f5+": "flip", "f5": ""},
    "kitsune": {"b6": "", "o2": "small", "b5+swap": "token", "recall:b6": "token",
                "white": "kitsune", "katana:o5": "katana"},
    "kiriai": {"high,low": "", "low,retreat": "retreat", "stance,high": "stance",
               "charge,low": "charge", "kesa,retreat": "special"},
}  # fmt: skip


@every_game
def test_each_game_names_what_is_easily_overlooked(game: Game[Any]) -> None:
    model, start = bots.MODELS[game.ID], next(positions(game))
    kinds = KINDS[game.ID]
    assert {step: model.kind(start, Step(step)) for step in kinds} == kinds
    assert set(kinds.values()) - {""} <= set(model.MISSED)


def test_whoever_glances_at_kitsu_ends_a_turn_that_nothing_more_improves() -> None:
    """Walking about and sending pieces away for nothing is what nobody does."""
    glanced = 0
    for where in positions(GAMES["kitsu"], 20):
        quiet = {"stop", "end"} & {*where.legal}
        chosen = {bots.find("easy")(where, Random(seed), bots.Budget()).step for seed in range(6)}
        glanced += bool(quiet)
        assert len(chosen) == 1 or not chosen & quiet
    assert glanced


def test_in_kuzushi_the_far_side_of_the_last_card_is_overlooked() -> None:
    kind = bots.MODELS["kuzushi"].kind
    where = max(positions(kuzushi), key=lambda one: len(one.legal))
    last, new = where.seen[-1].step, [step for step in where.legal if not step.endswith("+")]
    far = [step for step in new if kind(where, step) == "far"]
    apart = [max(abs(ord(a[0]) - ord(last[0])), abs(int(a[1:]) - int(last[1:]))) for a in new]
    assert far == [step for step, spaces in zip(new, apart, strict=True) if spaces > 2]
    assert 0 < len(far) < len(new)


Worth = Callable[[kuzushi.State, Seat], int]


def cards(state: kuzushi.State, seat: Seat) -> int:
    return state.score(seat)


def lead(state: kuzushi.State, seat: Seat) -> int:
    return state.score(seat) - state.score(1 - seat)


def greedy(match: Match, rng: Random, worth: Worth) -> Step:
    """Return a step after which the position is worth most."""
    seat, state = match.state.turn, match.state
    legal = match.legal(seat)
    worths = [worth(kuzushi.apply(state, seat, step), seat) for step in legal]
    return rng.choice([step for step, n in zip(legal, worths, strict=True) if n == max(worths)])


def points_against_greed(level: str, matches: int, worth: Worth) -> float:
    """Return what a level scores at Kuzushi against somebody who takes what can be taken."""
    points = 0.0
    for number in range(matches):
        match, rng, seat = Match.begin(Setup.of(kuzushi)), Random(number), Seat(number % 2)
        while match.actors:
            actor = Seat(int(match.actors[0]))
            where = bots.Position(kuzushi, match.state, actor, match.steps(), match.legal(actor))
            step = bots.find(level)(where, rng, bots.Budget()).step if actor == seat else None
            match = match.play(actor, step or greedy(match, rng, worth))
        points += (seat in match.outcome.winners) / len(match.outcome.winners)
    return points


def test_who_takes_the_most_cards_has_a_chance_against_the_first_level_alone() -> None:
    assert 6 <= points_against_greed("1", 24, cards) <= 12
    assert points_against_greed("easy", 72, cards) >= 39
    assert points_against_greed("4", 24, cards) >= 19


def test_who_also_counts_the_other_cards_loses_to_the_third_level() -> None:
    assert points_against_greed("easy", 48, lead) <= 24
    assert points_against_greed("3", 48, lead) >= 29
