"""Puzzles: their lines, the proof of those that are shipped, the day's, those of one's own."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from statistics import mean

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.game import CHANCE, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.core.log.sharing import BadShared
from kumite.core.match import Match
from kumite.tools.make_puzzles import APART, SHARING, alike, chosen, match_of, work
from kumite.tools.second_search import AGREED, REFUTED, UNSURE, verdict
from kumite.tui.games.kiriai import puzzles as duels
from kumite.tui.games.kitsune import puzzles as rounds
from kumite.tui.games.kuzushi.puzzles import only_winner
from kumite.tui.puzzles import making, own, turns
from kumite.tui.puzzles.making import MODULES, found_in, puzzles_of
from kumite.tui.puzzles.model import (
    FOLDER,
    FORCE,
    HARDEST,
    HOLD,
    TRICK,
    TURN,
    Puzzle,
    daily,
    games,
    line_of,
    parsed,
    puzzle,
    read,
    shipped,
)
from kumite.tui.puzzles.turns import Defences, only_first, only_win, turn_game
from tests.support import kitsu_positions
from tests.support.puzzles import THERE_AND_BACK
from tests.support.random_matches import walk

NOTATION = re.compile(r"\b[bo][1-6]\b|[:>]|\b(black|white|katana)\b")
ALL = [one for name in games() for one in shipped(name)]


def turned_up(match: Match) -> Match:
    """Return the match after a card that lay under the shield was turned up."""
    while match.actors == (CHANCE,) and match.state.phase == "show":
        match = match.play(CHANCE, match.legal(CHANCE)[0])
    return match


def test_there_are_shipped_puzzles_and_each_line_of_them_is_one() -> None:
    assert set(games()) == set(MODULES)
    for name in games():
        lines = [
            line for line in (FOLDER / f"{name}.txt").read_text().splitlines() if line[0] != "#"
        ]
        assert len(shipped(name)) == len(lines)
        assert {one.game.ID for one in shipped(name)} == {name}
    assert len({one.id for one in ALL}) == len(ALL)


@pytest.mark.parametrize("one", ALL[::15], ids=lambda one: one.id)
def test_the_answer_of_a_shipped_puzzle_is_the_only_one(one: Puzzle) -> None:
    """A part of them; they were all proved when they were made."""
    state = one.start.state
    if one.goal == FORCE:
        assert only_winner(state) == one.answer[0]
    elif one.game.ID == "kiriai":
        assert duels.only_safe(state) == one.answer[0]
    elif one.game.ID == "kitsune":
        worth = rounds.WON if one.goal == TRICK else rounds.OPEN
        assert rounds.only_card(state) == (one.answer[0], worth)
    elif one.goal == HOLD:
        assert Defences(one.game, turn_game(one.game.ID)).only(state) == one.held
    else:
        assert only_first(turn_game(one.game.ID), state)[0] == (one.answer[0],)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_a_puzzle_is_its_line_and_is_solved_by_its_answer_alone(one: Puzzle) -> None:
    again = parsed(line_of(one))
    assert (again.id, again.goal, again.level, again.answer) == (
        one.id, one.goal, one.level, one.answer,
    )  # fmt: skip
    assert again.position == one.position
    assert one.is_solved(one.end)
    assert not one.is_solved(one.start)
    other = next(step for step in one.start.legal(one.seat) if step != one.answer[0])
    assert not one.is_solved(one.start.play(one.seat, other))


def test_a_line_that_is_none_is_refused_and_left_out_of_a_file() -> None:
    one = ALL[0]
    sound = line_of(one)
    goal, level, shared = sound.split()
    unsolved = puzzle(one.game, one.start.state, goal, one.answer[:1], one.level)
    bad = [
        "", "x", f"{goal} {shared}", f"hard {level} {shared}", f"{goal} 10 {shared}", sound[:-5],
        sound.replace("kumite:1", "kumite:2"),
    ]  # fmt: skip
    if goal == TURN:
        bad.append(line_of(unsolved))
    for line in bad:
        with pytest.raises(BadShared):
            parsed(line)
    assert [found.id for found in read("\n".join(["# a remark", *bad, sound]))] == [one.id]


def test_a_win_that_can_begin_in_several_ways_is_no_puzzle() -> None:
    game = GAMES["kitsu"]
    state = game.parse(kitsu_positions.WIN)
    model = turn_game("kitsu")
    assert only_first(model, state)[0] == ()
    following = model.after(state, Step("g4-h2"))
    assert only_first(model, following)[0] == ("d1-f2",)
    found = only_win(game, state)
    assert (found.start.state, found.answer) == (following, ("d1-f2", "f2>xh3", "h3>xf4"))


def test_of_games_and_tables_without_a_proof_there_are_none() -> None:
    for match in (
        walk(Setup.of(GAMES["kitsune"], 4), 1),
        walk(Setup.of(GAMES["kuzushi"], 3), 1),
        walk(Setup.of(GAMES["kumo"], 4), 1, 20),
    ):
        assert list(found_in(match)) == []


def test_every_day_has_one_the_same_for_all_and_days_differ() -> None:
    first = date(2026, 1, 1)
    drawn = [daily(first + timedelta(days=number)) for number in range(60)]
    assert drawn == [daily(first + timedelta(days=number)) for number in range(60)]
    assert len({one.id for one in drawn}) > min(len(ALL), 60) // 3


def test_ones_own_are_kept_once_and_come_first(tmp_path: Path) -> None:
    one, two = ALL[0], ALL[-1]
    assert own.read_all() == []
    assert own.add(two)
    assert not own.add(two)
    assert own.add(one)
    assert [found.id for found in own.read_all()] == [two.id, one.id]
    mine = own.by_game()[two.game.ID]
    assert mine[0].id == two.id
    assert len(mine) == len(shipped(two.game.ID))
    (tmp_path / own.FILE).unlink()
    (tmp_path / own.FILE).mkdir()
    assert own.add(one)  # what cannot be read is set aside, not written over
    assert [found.id for found in own.read_all()] == [one.id]
    assert len([*tmp_path.glob(f"{own.FILE}*")]) == 2


@pytest.mark.slow
def test_a_command_makes_them_of_saved_matches(tmp_path: Path) -> None:
    match = walk(Setup.of(GAMES["kuzushi"]), 5)
    path = tmp_path / "x.kumite"
    path.write_text(log_text(Header("ab12", match.setup, ("ada", "bob")), match), encoding="utf-8")
    (tmp_path / "y.kumite").write_text("no log", encoding="utf-8")
    first = CliRunner().invoke(main, ["puzzles", "make"])
    assert first.exit_code == 0, first.output
    assert "x.kumite: Kuzushi, force, difficulty" in first.stdout
    assert first.stdout.endswith("you have 1 of your own\n")
    (made,) = own.read_all()
    number = next(n for n, one in enumerate(match.line()) if one.state == made.start.state)
    assert number < match.number
    again = CliRunner().invoke(main, ["puzzles", "make", str(path)])
    assert again.stdout == "you have 1 of your own\n"
    bad = CliRunner().invoke(main, ["puzzles", "make", str(tmp_path / "y.kumite")])
    assert "y.kumite" in bad.stderr
    assert bad.exit_code == 1  # a script has to see it


# --- The tool that makes the shipped ones -----------------------------------------------------

SHORT = [
    next(one for one in shipped(name) if len(one.answer) < 4 and one.goal != HOLD)
    for name in ("kitsu", "kitsune", "kiriai")  # of the others it takes minutes
]


@pytest.mark.parametrize("one", SHORT, ids=lambda one: one.game.ID)
def test_a_second_search_agrees_with_what_is_shipped_and_refutes_another_answer(
    one: Puzzle,
) -> None:
    assert verdict(one)[0] in AGREED
    wrong = next(step for step in one.start.legal(one.seat) if step != one.answer[0])
    other = puzzle(one.game, one.start.state, one.goal, (wrong, *one.answer[1:]), one.level)
    assert verdict(other)[0] == REFUTED


@pytest.mark.slow
def test_work_can_be_ended_and_gone_on_with_and_comes_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kumite.tools.make_puzzles.FOLDER", tmp_path)
    whole = work("kiriai", tmp_path / "whole", 1e9, range(5, 8))
    path = tmp_path / "parts"
    work("kiriai", path, 1e9, range(5, 7))
    path.write_text(path.read_text()[:-9])  # the last line was being written
    assert work("kiriai", path, 1e9, range(5, 8)) == whole
    assert path.read_text() == (tmp_path / "whole").read_text()
    assert sum(len(row["puzzles"]) for row in whole) > 0


def test_a_match_is_told_by_its_number() -> None:
    one, two = match_of("kitsune", 3), match_of("kitsune", 3)
    assert one.digest == two.digest != match_of("kitsune", 4).digest
    assert one.by is None


def test_of_what_is_found_all_kinds_and_difficulties_are_chosen_once() -> None:
    some = [*shipped("kitsune"), *shipped("kitsune")]
    kinds = {(one.goal, one.level) for one in some}
    few = chosen(some, len(kinds))
    assert {(one.goal, one.level) for one in few} == kinds
    assert len(chosen(some, 1000)) == len({alike(one) for one in some})


@pytest.mark.parametrize("game_id", MODULES)
def test_few_puzzles_share_an_answer(game_id: str) -> None:
    mirrored = puzzles_of(game_id).mirrored
    answers = Counter(min(mirrored(" ".join(one.answer))) for one in shipped(game_id))
    assert max(answers.values()) <= SHARING
    same = [replace(one, answer=(Step("d6"),)) for one in shipped("kuzushi")]
    some = chosen(same, 50)
    assert len(some) == SHARING
    assert max(one.level for one in some) - min(one.level for one in some) <= APART


def test_answers_from_the_other_side_or_in_a_mirror_are_the_same() -> None:
    seen = set(puzzles_of("kumo").mirrored("e1=run run:e1-d2 ccw"))
    assert seen == {
        "e1=run run:e1-d2 ccw",
        "e9=run run:e9-f8 ccw",
        "e1=run run:e1-f2 cw",
        "e9=run run:e9-d8 cw",
    }


def test_a_match_of_kuzushi_ends_alike_in_all_eight_ways_in_which_its_board_may_lie() -> None:
    mirrored = puzzles_of("kuzushi").mirrored
    assert set(mirrored("d7+")) == {"d7+", "h7+", "d5+", "h5+", "e8+", "g8+", "e4+", "g4+"}
    for seed in range(4):
        match = walk(Setup.of(GAMES["kuzushi"]), seed)
        for steps in zip(*(mirrored(played.step) for played in match.steps()), strict=True):
            other = Match.begin(match.setup)
            for step in steps:
                other = other.play(other.actors[0], Step(step))
            assert other.outcome == match.outcome


def test_a_lucky_find_of_a_weak_level_is_not_the_difficulty(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finds = dict.fromkeys((1, 7, 8), True)
    monkeypatch.setattr(making, "_finds", lambda level, *_: level in finds)
    one = shipped("kitsune")[0]
    assert making.measured(one).level == 6  # five levels miss it
    finds.update(dict.fromkeys(range(1, 9)))
    assert making.measured(one).level == 1
    finds.clear()
    assert making.measured(one).level == HARDEST


def test_in_kiriai_the_plans_to_be_tried_make_the_difficulty() -> None:
    """Bots mix their plans: one position was rated 1, and the like of it 5."""
    assert all(making.measured(one).level == one.level for one in shipped("kiriai"))
    like = defaultdict[object, list[int]](list)
    for one in shipped("kiriai"):
        state = one.start.state
        threats = sorted(len(duels.threats(state, plan)) for plan in duels.mine(state))
        like[len(duels.theirs(state)), *threats].append(one.level)
    assert max(map(len, like.values())) > 1
    assert all(len(set(levels)) == 1 for levels in like.values())


@pytest.mark.parametrize("game_id", MODULES)
def test_puzzles_with_one_answer_are_about_equally_difficult(game_id: str) -> None:
    mirrored = puzzles_of(game_id).mirrored
    levels = defaultdict[str, list[int]](list)
    for one in shipped(game_id):
        levels[min(mirrored(" ".join(one.answer)))].append(one.level)
    assert mean(max(some) - min(some) for some in levels.values() if some[1:]) < 2


# --- Defences of Kitsu! and Kumo --------------------------------------------------------------

HELD = [next(one for one in shipped(name) if one.goal == HOLD) for name in ("kitsu", "kumo")]
QUICK_AND_SLOW = [  # to search through a turn of Kitsu! takes a minute
    pytest.param(HELD[0], id="kitsu", marks=pytest.mark.long),
    pytest.param(HELD[1], id="kumo"),
]


@pytest.mark.parametrize("one", HELD, ids=lambda one: one.game.ID)
def test_after_every_other_turn_the_win_that_is_told_wins_by_the_rules(one: Puzzle) -> None:
    ends = list(Defences(one.game, turn_game(one.game.ID)).ends(one.start.state))
    assert one.held in ends
    assert len(ends) == len(set(ends)) > 7
    for end in (end for end in ends[:: max(1, len(ends) // 8)] if end != one.held):
        match = Match.begin(one.start.setup, None, end)
        for step in turns.win_after(one, end):
            match = match.play(match.actors[0], step)
        assert match.outcome.winners == (1 - one.seat,)
    assert turns.win_after(one, one.held) == ()


@pytest.mark.parametrize(
    "one", [one for one in ALL if one.goal == TURN][::5], ids=lambda one: one.id
)
def test_on_the_way_to_a_win_none_of_a_turn_is_out_of_reach_and_beside_it_all(one: Puzzle) -> None:
    match = one.start
    for step in one.answer:
        assert not turns.is_out_of_reach(one, match.state)
        match = match.play(one.seat, step)
    beside = (one.start.play(one.seat, step) for step in one.start.legal(one.seat)[::4])
    for after in beside:
        is_begun = [played.step for played in after.steps()] == [one.answer[0]]
        if after.actors == (one.seat,) and not is_begun:
            assert turns.is_out_of_reach(one, after.state)


def test_what_takes_too_long_to_know_is_not_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    one, after = next(
        (one, one.start.play(one.seat, step))
        for one in shipped("kitsu")
        if one.goal == TURN
        for step in one.start.legal(one.seat)
        if step != one.answer[0] and one.start.play(one.seat, step).actors == (one.seat,)
    )
    assert turns.is_out_of_reach(one, after.state)
    monkeypatch.setattr("kumite.tui.puzzles.turns.FEARED", 0)
    assert not turns.is_out_of_reach(one, after.state)


def test_a_turn_that_comes_to_the_same_position_is_the_same_answer() -> None:
    """The arena is turned there and back, or first back and then there."""
    one = THERE_AND_BACK
    match = one.start.play(one.seat, Step("cw"))
    assert not one.is_solved(match)  # the turn continues
    assert one.is_solved(match.play(one.seat, Step("ccw")))
    assert not one.is_solved(match.play(one.seat, Step("cw")))


@pytest.mark.parametrize("one", QUICK_AND_SLOW)
def test_a_defence_is_found_in_a_match_that_goes_on_after_it(one: Puzzle) -> None:
    (found,) = puzzles_of(one.game.ID).finders[HOLD](one.end)
    assert (found.id, found.answer, found.held) == (one.id, one.answer, one.held)


def test_a_second_search_that_reaches_its_limit_comes_to_no_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It went round for ever."""
    monkeypatch.setattr("kumite.tools.second_search.MOST", 50)
    assert verdict(HELD[1]) == (UNSURE, 51)


@pytest.mark.slow
@pytest.mark.parametrize("one", QUICK_AND_SLOW)
def test_a_second_search_agrees_with_a_defence_and_refutes_another_turn(one: Puzzle) -> None:
    assert verdict(one)[0] in AGREED
    known = Defences(one.game, turn_game(one.game.ID))
    end = next(end for end in known.ends(one.start.state) if end != one.held)
    wrong = known.way_to(one.start.state, end)
    assert verdict(puzzle(one.game, one.start.state, HOLD, wrong, 1))[0] == REFUTED


# --- Kitsune and Kiri-ai ----------------------------------------------------------------------


@pytest.mark.parametrize("one", shipped("kiriai")[::10], ids=lambda one: one.id)
def test_of_every_other_plan_it_is_known_what_is_against_it(one: Puzzle) -> None:
    for plan in one.start.legal(one.seat):
        assert bool(duels.threats(one.start.state, plan)) == (plan != one.answer[0])


@pytest.mark.parametrize("one", shipped("kitsune")[::10], ids=lambda one: one.id)
def test_what_follows_another_card_can_be_played_up_to_what_the_other_answers(one: Puzzle) -> None:
    for step in one.start.legal(one.seat):
        after = turned_up(one.start.play(one.seat, step))
        follows = rounds.what_follows(one.start.state, step)
        for seat, answer in follows:
            assert answer in after.legal(seat)
            after = turned_up(after.play(seat, answer))
        assert all(seat == one.seat for seat, _ in follows[:-1])
        is_theirs = bool(follows) and follows[-1][0] != one.seat
        assert is_theirs or after.state.standing.wins != one.start.state.standing.wins


@pytest.mark.parametrize("one", shipped("kitsune"), ids=lambda one: one.id)
def test_what_is_against_a_card_is_said_in_words_and_is_more_than_that_it_is_wrong(
    one: Puzzle,
) -> None:
    names = ("ada", "bob")
    for step in one.start.legal(one.seat):
        if step == one.answer[0]:
            continue
        said = rounds.against(one, step, names)
        assert not NOTATION.search(said), said
        assert f"{names[1 - one.seat]} may play " in said or said.endswith(" at once."), said


@pytest.mark.parametrize("one", shipped("kitsune"), ids=lambda one: one.id)
def test_in_kitsune_nothing_can_be_drawn_so_the_other_hand_is_known(one: Puzzle) -> None:
    state = one.start.state
    assert rounds.is_open(state)
    seen = one.start.seen_by(frozenset({one.seat})).state
    assert rounds.held(seen, one.seat) == []  # the view hides it; the discards tell
    assert len(rounds.held(state, one.seat)) > 0
