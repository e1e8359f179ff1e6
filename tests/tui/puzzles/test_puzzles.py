"""Puzzles: their lines, the proof of those that are shipped, the day's, those of one's own."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from kumite.cli.main import main
from kumite.core.errors import KumiteError
from kumite.core.game import Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.core.log.sharing import BadShared
from kumite.core.match import Match
from kumite.tui.puzzles import own
from kumite.tui.puzzles.making import MODELS, found_in, only_first, only_win, only_winner
from kumite.tui.puzzles.model import (
    FOLDER,
    FORCE,
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
from tests.support.random_matches import walk

ALL = [one for name in games() for one in shipped(name)]
KITSU_WIN = """\
options adjacent=4 limit=100 opening=4
turn 3 seat 0 phase move
open autumn winter spring
at - used - owed 0
seat 0 spirit s6 f2 hand s0 f4 taken s2 f0
seat 1 spirit s6 f4 hand s0 f1 taken s1 f1
8 ........
7 ........
6 .s......
5 ......f.
4 .....sFf
3 .....fsf
2 ....S...
1 .S.F....
outcome -
"""


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMITE_LOGS", str(tmp_path))


def solved(one: Puzzle) -> Match:
    match = one.start
    for step in one.answer:
        match = match.play(one.seat, step)
    return match


def test_there_are_shipped_puzzles_and_each_line_of_them_is_one() -> None:
    assert set(games()) == {"kitsu", "kumo", "kuzushi"}
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
    else:
        assert only_first(MODELS[one.game.ID], state) == (one.answer[0],)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.id)
def test_a_puzzle_is_its_line_and_is_solved_by_its_answer_alone(one: Puzzle) -> None:
    again = parsed(line_of(one))
    assert (again.id, again.goal, again.level, again.answer) == (
        one.id, one.goal, one.level, one.answer,
    )  # fmt: skip
    assert again.position == one.position
    assert one.is_solved(solved(one))
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
    state = game.parse(KITSU_WIN)
    model = MODELS["kitsu"]
    assert only_first(model, state) == ()
    following = model.after(state, Step("g4-h2"))
    assert only_first(model, following) == ("d1-f2",)
    found = only_win(game, state)
    assert found is not None
    assert (found.start.state, found.answer) == (following, ("d1-f2", "f2>xh3", "h3>xf4"))


def test_of_games_and_tables_without_a_proof_there_are_none() -> None:
    for match in (
        walk(Setup.of(GAMES["kiriai"]), 1),
        walk(Setup.of(GAMES["kuzushi"], 3), 1),
        walk(Setup.of(GAMES["kumo"], 4), 1, 20),
    ):
        assert list(found_in(match)) == []


def test_every_day_has_one_the_same_for_all_and_days_differ() -> None:
    first = date(2026, 1, 1)
    drawn = [daily(first + timedelta(days=number)) for number in range(60)]
    assert drawn == [daily(first + timedelta(days=number)) for number in range(60)]
    assert len({one.id for one in drawn if one is not None}) > min(len(ALL), 60) // 3
    assert daily(first, reversed(ALL)) == drawn[0]
    assert daily(first, []) is None


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
    with pytest.raises(KumiteError):
        own.add(one)


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
