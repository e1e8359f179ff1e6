"""Every first lesson: its texts fit, its positions are such, its solutions solve it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kumite.core.game import CHANCE, HOLE, Setup
from kumite.core.games import find
from kumite.core.match import Match, Played
from kumite.tui.lessons import LESSONS
from kumite.tui.screens.lesson import LessonScreen
from kumite.tui.screens.task import TaskTable
from tests.support.apps import app, frame, shown

if TYPE_CHECKING:
    from kumite.core.game import Step
    from kumite.tui.lessons.model import Task

TASKS = [
    pytest.param(game_id, task, id=f"{game_id}: {task.title}")
    for game_id, lesson in LESSONS.items()
    for task in lesson.TASKS
]


def begin(game_id: str, task: Task) -> Match:
    game = find(game_id)
    state = game.parse(task.position)
    assert game.text(state) == task.position
    seats, options = game.setup_of(state)
    by = frozenset({task.seat}) if HOLE in task.position else None
    return Match.begin(Setup.of(game, seats, options), by, state)


def play(match: Match, task: Task, step: str) -> Match:
    """Make a step of the lesson: of its seat, or of chance where chance is to act."""
    actor = CHANCE if match.actors == (CHANCE,) else task.seat
    legal = match.legal(actor)
    chosen: Step = next(one for one in legal if one == step)
    return match.play(actor, chosen)


def is_done(task: Task, first: Match, now: Match) -> bool:
    played: tuple[Played, ...] = now.steps()
    return task.is_done(first.state, played, now.state)


@pytest.mark.parametrize("game_id", LESSONS)
def test_a_lesson_has_five_to_ten_tasks_with_different_titles(game_id: str) -> None:
    titles = [task.title for task in LESSONS[game_id].TASKS]
    assert 5 <= len(titles) <= 10
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_the_texts_fit(game_id: str, task: Task) -> None:
    lines = task.text.split("\n")
    assert 1 <= len(lines) <= 4
    for line in (*lines, task.title, task.hint, *task.praise.split("\n")):
        assert 0 < len(line) <= 76
        assert line == line.strip()


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_the_solution_solves_the_task_with_its_last_step(game_id: str, task: Task) -> None:
    first = now = begin(game_id, task)
    for step in task.solution:
        assert not is_done(task, first, now)
        now = play(now, task, step)
    assert is_done(task, first, now)


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_another_step_does_not_solve_the_task(game_id: str, task: Task) -> None:
    """On the way of the solution there is a step after which the task is not done."""
    first = now = begin(game_id, task)
    undone = []
    for step in task.solution:
        legal = now.legal(CHANCE if now.actors == (CHANCE,) else task.seat)
        others = [play(now, task, other) for other in legal if other != step]
        undone += [other for other in others if not is_done(task, first, other)]
        now = play(now, task, step)
    assert undone


async def test_a_hint_and_the_praise_are_shown_whole_and_the_way_can_be_typed_at_once() -> None:
    kumite = app(lambda: LessonScreen("kitsu", 3))
    async with kumite.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "i hint" in frame(kumite).split("\n")[-1]
        await pilot.press("i")
        task = LESSONS["kitsu"].TASKS[3]
        assert task.hint in " ".join(shown(kumite, "facts").split())
        assert "Or type :c3-a5 +f" in " ".join(shown(kumite, "facts").split())
        await pilot.press("colon", *"c3-a5 +f", "enter")
        assert task.praise in " ".join(shown(kumite, "facts").split())
        assert "Enter: go on" in shown(kumite, "hint")


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_what_a_hint_tells_to_type_leaves_out_what_chance_does(game_id: str, task: Task) -> None:
    way = TaskTable(game_id, task).way
    match, left = begin(game_id, task), list(way)
    for step in task.solution:
        if match.actors != (CHANCE,):
            assert left.pop(0) == step
        match = play(match, task, step)
    assert way
    assert not left
