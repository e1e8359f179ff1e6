"""Lessons and puzzles by lines: each can be done by what is typed, and failure is explained."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from kumite.core.game import Setup
from kumite.core.games import GAMES, find
from kumite.core.log import Header, log_text
from kumite.core.log.reading import read
from kumite.core.match import Match
from kumite.store import practice, progress
from kumite.tui.bots.judging import look_back_at_all
from kumite.tui.lessons import LESSONS
from kumite.tui.plain import tasks
from kumite.tui.plain.console import Console
from kumite.tui.play import reviewed
from kumite.tui.play.replaying import Replay
from kumite.tui.play.tasks import PuzzleTable, TaskTable, next_puzzle
from kumite.tui.puzzles.model import FORCE, HOLD, shipped
from kumite.tui.settings import Settings

SIMULATIONS = 40  # for each position


def told(run: Callable[[Console], Coroutine[Any, Any, None]], *lines: str) -> str:
    """Return all that is said while these lines are typed."""
    said: list[str] = []
    chunks = iter(["\n".join((*lines, "")).encode()])
    console = Console(lambda: next(chunks, b""), said.append, is_terminal=False)
    asyncio.run(run(console))
    return "".join(said)


def learnt(game_id: str, *lines: str) -> str:
    return told(lambda console: tasks.learn(game_id, console, Settings()), *lines)


@pytest.mark.parametrize("game_id", GAMES)
def test_all_lessons_of_a_game_are_done_by_their_solutions(game_id: str) -> None:
    ways = [TaskTable(game_id, task).way for task in LESSONS[game_id].TASKS]
    said = learnt(game_id, *(step for way in ways for step in way))
    for task in LESSONS[game_id].TASKS:
        assert task.title in said
        assert " ".join(task.praise.split()) in said
    assert progress.done(game_id) == {task.title for task in LESSONS[game_id].TASKS}
    assert "That was the last lesson." in said


def test_a_wrong_step_is_explained_and_can_be_taken_back() -> None:
    said = learnt("kumo", "next", "e3=jump", "cw", "undo", "+e1=kumo", "quit")
    assert "Type undo, again or hint." in said
    after = said.partition("Type undo, again or hint.")[2]
    assert " ".join(LESSONS["kumo"].TASKS[1].praise.split()) in after


def test_lines_say_what_to_type_instead_of_a_key() -> None:
    said = learnt("kumo", *(step for task in LESSONS["kumo"].TASKS[:4] for step in task.solution))
    assert "Turn it (type cw or ccw) so that they push north." in said
    assert "(Tab)" not in said


def test_the_words_of_a_task() -> None:
    task = LESSONS["kumo"].TASKS[0]
    said = learnt("kumo", "hint", "task", "help", "what e5", "again", "quit")
    assert " ".join(task.hint.split()) in said
    assert said.count(" ".join(task.text.split())) == 3  # at first, when asked for, and again
    assert "You would type: push:e8+e7" in said
    assert "again      start over" in said
    assert "resign" not in said


def test_a_hint_in_the_midst_of_a_task_tells_the_next_step() -> None:
    said = learnt("kumo", *["next"] * 6, "throw:d7:e7-d8", "hint", "quit")
    assert "Your kumo e5 and e4 push the stone to e7." in said
    assert "You would type: push:e5+e4" in said


@pytest.mark.parametrize("game_id", GAMES)
def test_a_puzzle_is_solved_and_graded(game_id: str) -> None:
    puzzle = next_puzzle(game_id)
    assert puzzle is not None
    answer = PuzzleTable(puzzle).way
    said = told(lambda console: tasks.solve(game_id, console, Settings()), *answer, "quit")
    assert "Solved at the first try; 1 in a row." in said
    assert practice.load().row == 1


@pytest.mark.parametrize("game_id", ["kuzushi", "kiriai"])
def test_a_puzzle_gives_a_hint_before_its_answer(game_id: str) -> None:
    answer = PuzzleTable(next_puzzle(game_id)).way
    run = lambda console: tasks.solve(game_id, console, Settings())  # noqa: E731
    said = told(run, "hint", "quit")
    assert ("Look at the " if game_id == "kuzushi" else "It begins with ") in said
    assert "You would type" not in said
    assert "Solved at the first try" in told(run, "hint", *answer, "quit")
    practice.save(practice.Practice())
    said = told(run, "hint", "hint", *answer, "quit")
    assert f"You would type: {' '.join(answer)}" in said
    assert "Correct, but not at the first try." in said


@pytest.mark.parametrize("goal", [HOLD, FORCE])
def test_a_wrong_answer_says_what_comes_of_it_and_is_no_first_try(
    goal: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = {HOLD: "kumo", FORCE: "kuzushi"}[goal]
    puzzle = next(one for one in shipped(game_id) if one.goal == goal)
    monkeypatch.setattr(tasks, "next_puzzle", lambda _, before="": None if before else puzzle)
    table = PuzzleTable(puzzle)
    wrong = []
    while not table.is_missed:
        step = next(one for one in table.match.legal(puzzle.seat) if one not in puzzle.answer)
        wrong.append(step)
        table.play(puzzle.seat, step)
    lines = [*wrong, "again", *puzzle.answer]
    said = told(lambda console: tasks.solve(game_id, console, Settings()), *lines)
    assert ("wins:" if goal == HOLD else "That is not the answer.") in said
    assert "Correct, but not at the first try." in said
    assert f"No puzzle of {GAMES[game_id].TITLE} is left for today." in said
    assert practice.load().row == 0


def test_a_turning_point_is_tried_again() -> None:
    rng = Random(3)
    match = Match.begin(Setup.of(find("kuzushi"), 2, {"board": "small"}))
    while match.actors:
        match = match.play(match.actors[0], rng.choice(match.legal(match.actors[0])))
    replay = Replay(read(log_text(Header("f11f", match.setup, ("ada", "bot:1")), match)))
    first = reviewed.of_replay(replay, SIMULATIONS)
    look_back_at_all(first, "f11f", lambda: None)
    turning = first.turnings[0]
    found = reviewed.of_replay(replay, SIMULATIONS)
    tried = [turning.step, "undo", turning.better, "quit"]
    said = told(lambda console: tasks.review(replay, found, console, Settings()), *tried)
    assert "ada: accuracy" in said
    assert reviewed.asked(turning, replay.names) in said
    assert "That was played in the match" in said
    after = said.partition(f"> {turning.better}")[2]
    assert "Yes" in after
    assert "Better: " in after
