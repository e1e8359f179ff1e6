"""Every first lesson: its texts fit, its positions are such, its solutions solve it."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest

from kumite.core.game import CHANCE, Step
from kumite.core.games import find
from kumite.core.games.kumo.state import PIECES, STANCES
from kumite.core.match import Match
from kumite.tui.games.kumo.words import CALLED, movers
from kumite.tui.lessons import LESSONS
from kumite.tui.lessons.judging import Attempt, Reason, Task
from kumite.tui.look.glyphs import LOOKS
from kumite.tui.play.table_model import TableModel
from kumite.tui.play.tasks import TaskTable
from kumite.tui.screens.lessons import LessonScreen
from tests.support import kumo_positions
from tests.support.apps import frame, running, shown
from tests.support.apps import play as play_here

TASKS = [
    pytest.param(game_id, task, id=f"{game_id}: {task.title}")
    for game_id, lesson in LESSONS.items()
    for task in lesson.TASKS
]


STANCES_OFFERED = {f"={stance}" for stance in STANCES}


def begin(game_id: str, task: Task) -> Match:
    return TaskTable(game_id, task).start


def play(match: Match, task: Task, step: str) -> Match:
    """Make a step of the lesson: of its seat, or of chance where chance is to act."""
    actor = CHANCE if match.actors == (CHANCE,) else task.seat
    assert step in match.legal(actor)
    return match.play(actor, Step(step))


@pytest.mark.parametrize("game_id", LESSONS)
def test_a_lesson_has_five_to_ten_tasks_with_different_titles(game_id: str) -> None:
    titles = [task.title for task in LESSONS[game_id].TASKS]
    assert 5 <= len(titles) <= 10
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_the_texts_fit(game_id: str, task: Task) -> None:
    game, lines = find(game_id), task.text.split("\n")
    assert game.text(game.parse(task.position)) == task.position
    assert 1 <= len(lines) <= 4
    for line in (*lines, task.title, task.hint, *task.praise.split("\n")):
        assert 0 < len(line) <= 76
        assert line == line.strip()


def test_the_second_lesson_of_kumo_says_what_each_stance_can_do_and_which_may_walk() -> None:
    """Who may walk was only told after a later task."""
    text = " ".join(LESSONS["kumo"].TASKS[1].text.split())
    told, last = text.split(". ")
    assert all(name in told for name in CALLED)
    walking = []
    for stance, name in zip(STANCES, CALLED, strict=True):
        state = kumo_positions.at(f"c3 0{stance}")
        walking += [name] * ("c3-c4" in kumo_positions.legal(state))
    assert {name for name in CALLED if name in last.lower()} == {*walking}
    assert last.endswith("also walk one step.")


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_the_solution_solves_the_task_with_its_last_step(game_id: str, task: Task) -> None:
    table = TaskTable(game_id, task)
    now, typed = table.start, list[str]()
    for step in task.solution:
        assert not task.is_done(now)
        typed += [step] * (now.actors != (CHANCE,))
        now = play(now, task, step)
    assert task.is_done(now)
    assert typed == [*table.way]  # which a hint tells


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_another_step_does_not_solve_the_task(game_id: str, task: Task) -> None:
    """On the way of the solution there is a step after which the task is not done."""
    now = begin(game_id, task)
    undone = []
    for step in task.solution:
        legal = now.legal(CHANCE if now.actors == (CHANCE,) else task.seat)
        others = [play(now, task, other) for other in legal if other != step]
        undone += [other for other in others if not task.is_done(other)]
        now = play(now, task, step)
    assert undone


def wrong_answers(game_id: str, task: Task) -> Iterator[Match]:
    """Yield what can be tried in vain, with a step more than the task takes; short ones first."""
    left = deque([(begin(game_id, task), 1 + len(TaskTable(game_id, task).way))])
    while left:
        match, steps = left.popleft()
        if match.number and not task.is_done(match):
            yield match
        if CHANCE in match.actors or (steps and task.seat in match.actors):
            actor = CHANCE if CHANCE in match.actors else task.seat
            after = (match.play(actor, step) for step in match.legal(actor))
            left += [(one, steps - (actor != CHANCE)) for one in after]


@pytest.mark.parametrize("game_id", LESSONS)
def test_every_reason_of_a_lesson_is_told_of_some_wrong_answer(game_id: str) -> None:
    """Tasks may share reasons, so that not each of them has to be told of each task."""
    every: set[Reason] = set()
    told: set[Reason] = set()
    for task in LESSONS[game_id].TASKS:
        own = {task.goal.why_not, *(mistake.feedback for mistake in task.goal.mistakes)}
        every |= own
        for match in wrong_answers(game_id, task):
            if own <= told:
                break
            tried: Attempt[Any] = Attempt(match, task.seat)
            said = task.why_not(match)
            told |= {one for one in own if said == (one if isinstance(one, str) else one(tried))}
    assert told == every


def test_kumo_shows_stances_and_the_mark_of_movers_no_earlier_than_it_explains_them() -> None:
    known: set[str] = set()
    for task in LESSONS["kumo"].TASKS:
        match = begin("kumo", task)
        shown = {CALLED[one] for byte in match.state.arena for _, one in PIECES[byte]}
        told = set(CALLED) & set(re.findall(r"\w+", task.text))
        shown |= {"*"} if any(movers(match.state, task.seat)) else set()
        told |= {"*"} & set(task.text)
        assert shown <= known | told, task.title
        known |= told if len(told) < len(CALLED) else set()  # all: a list explains none of them


PLACES = re.compile(r"\b(panels?|cursor|on the (left|right)|(line|digits|signs) (below|beside))\b")


@pytest.mark.parametrize(
    ("number", "offered"),
    [(0, {"push"}), (1, STANCES_OFFERED), (2, STANCES_OFFERED), (3, {"cw", "ccw", "push"})],
)
def test_kumo_offers_only_what_a_task_has_explained(number: int, offered: set[str]) -> None:
    look = LOOKS["ascii"]
    table = TaskTable("kumo", LESSONS["kumo"].TASKS[number])
    model, _ = TableModel.open(table, look).follow(look)
    board, choice = model.scene.board, model.choice
    assert choice is not None
    parts = {part for some in choice.parts.values() for part in some if not board.place(part)}
    assert parts - (STANCES_OFFERED if number > 2 else set()) == offered
    assert {chip.name for chip in model.scene.tray} == {"cw", "ccw"} & parts


@pytest.mark.parametrize("game_id", LESSONS)
def test_a_lesson_refers_to_no_place_that_a_small_window_or_a_line_lacks(game_id: str) -> None:
    for task in LESSONS[game_id].TASKS:
        assert not PLACES.search(" ".join((task.text, task.hint, task.praise)))


def test_a_task_of_kumo_stays_done_when_one_goes_on() -> None:
    task = next(one for one in LESSONS["kumo"].TASKS if one.title == "Onto the arena")
    now = begin("kumo", task)
    for step in (*task.solution, "+f1=run"):
        now = play(now, task, step)
        assert task.is_done(now)


@pytest.mark.parametrize(
    ("title", "plan", "said"),
    [
        ("Strike high", "low,charge", "Your Low Strike missed at distance 2 (strikes at 1 only)."),
        ("Strike low", "low,charge", "Your Low Strike missed in Heaven (needs Earth)."),
        ("Strike low", "stance,approach", "You have struck no blow."),
        ("Think one card ahead", "high,retreat", "Your High Strike missed at distance 1"),
        (
            "Turn a blow back",
            "high,stance",
            "You were hit yourself: blue's blow strikes at distance 1.",
        ),
    ],
)
def test_a_blow_that_misses_is_told_with_its_distance_and_why(
    title: str, plan: str, said: str
) -> None:
    task = next(one for one in LESSONS["kiriai"].TASKS if one.title == title)
    match = play(begin("kiriai", task), task, plan)
    while match.actors == (CHANCE,):
        match = match.play(CHANCE, match.legal(CHANCE)[0])
    assert task.why_not(match).startswith(said)


@pytest.mark.parametrize(
    ("number", "steps", "said"),
    [
        (6, "b2-e5 e5-f4 +s s@e3", "done"),
        (7, "b1-c3 stop", "You landed beside a friend, but the second leap has to go to a4."),
        (7, "b1-c3 c3>b5", "You landed beside a friend, but the second leap has to go to a4."),
        (7, "b1-a3", "The Samurai on a4 is still there"),
        (7, "d3-e4 e4xh1", "The Samurai on a4 is still there"),
        (8, "a1-b2 stop", "You stopped without sending it."),
        (8, "a1-d4", "Your opponent's piece is not on f3"),
        (10, "d1-f3 f3xh1", "No fourth Samurai was taken in this turn."),
    ],
)
def test_kitsu_says_what_was_wrong_with_an_attempt(number: int, steps: str, said: str) -> None:
    """Somebody beside the piece who did not send it was told to go beside it."""
    task = LESSONS["kitsu"].TASKS[number - 1]
    match = begin("kitsu", task)
    for step in steps.split():
        match = play(match, task, step)
    assert ("done" if task.is_done(match) else task.why_not(match)).startswith(said)


def test_a_round_that_is_lost_is_not_told_as_steps_backwards() -> None:
    task = LESSONS["kitsune"].TASKS[-1]
    lost = play(begin("kitsune", task), task, "b1+3o")
    assert task.why_not(lost) == "The trick went to the Yako, and the round with it."


async def test_a_hint_and_the_praise_are_shown_whole_and_the_way_can_be_typed_at_once() -> None:
    async with running(lambda: LessonScreen("kitsu", 3)) as (kumite, pilot):
        await pilot.pause()
        assert "i hint" in frame(kumite).split("\n")[-1]
        await pilot.press("i")
        task = LESSONS["kitsu"].TASKS[3]
        assert task.hint in " ".join(shown(kumite, "facts").split())
        assert "Or type :c3-a5 +f" in " ".join(shown(kumite, "facts").split())
        await pilot.press("colon", *"c3-a5 +f", "enter")
        assert task.praise in " ".join(shown(kumite, "facts").split())
        assert "Enter: go on" in shown(kumite, "hint")


@pytest.mark.parametrize("glyphs", ["letters", "ascii"])
@pytest.mark.parametrize("size", [(56, 18), (60, 20), (80, 24), (120, 36)])
async def test_kitsu_shows_what_is_off_the_board_and_the_seasons_from_lesson_4_on(
    size: tuple[int, int], glyphs: str
) -> None:
    """Lesson 4 explains them; a move in the lessons before does not bring them up, either."""
    for number, task in enumerate(LESSONS["kitsu"].TASKS[:4]):
        is_known = number == 3
        async with running(lambda at=number: LessonScreen("kitsu", at), size, glyphs) as (
            kumite,
            _,
        ):
            for _ in range(2):
                seen, seats = frame(kumite), shown(kumite, "seats")
                assert {"in hand" in seats, "Spirit Realm" in seats} == {is_known}
                assert bool(re.search(r"(?i)spring|Sp[↑^]", seen)) == is_known, seen
                kumite.screen.moving.end()
                play_here(kumite.screen, task.solution[0])


@pytest.mark.parametrize(
    ("game_id", "number", "steps", "said"),
    [
        ("kumo", 2, ("e3=kumo", "e4-f4"), "one kumo has to be beside it, another beside that one"),
        ("kitsu", 3, ("c3-e5",), "the corner from Spring to Autumn is no border"),
    ],
)
def test_a_likely_mistake_has_its_own_reason(
    game_id: str, number: int, steps: tuple[str, ...], said: str
) -> None:
    task = LESSONS[game_id].TASKS[number]
    match = begin(game_id, task)
    for step in map(Step, steps):
        match = match.play(task.seat, step)
    assert said in task.why_not(match)


@pytest.mark.parametrize(("game_id", "task"), TASKS)
def test_what_a_hint_offers_to_type_is_legal_after_every_first_step(
    game_id: str, task: Task
) -> None:
    """After a throw to another square the hint offered the throw again, which was refused."""
    for step in begin(game_id, task).legal(task.seat):
        table = TaskTable(game_id, task)
        table.play(task.seat, step)
        if table.is_done or not table.way_left:
            continue
        for left in table.way_left:
            assert left in table.match.legal(task.seat)
            table.play(task.seat, Step(left))
        assert table.is_done


async def test_a_hint_follows_what_was_done_already() -> None:
    async with running(lambda: LessonScreen("kumo", 6)) as (kumite, pilot):
        throws = (one for one in kumite.screen.table.match.legal(0) if one.startswith("throw:d7"))
        other = next(one for one in throws if one != kumite.screen.table.way[0])
        assert play_here(kumite.screen, other)
        await pilot.press("i")
        assert "Or type :push:e5+e4" in " ".join(shown(kumite, "facts").split())
        await pilot.press("m")
        assert play_here(kumite.screen, Step("ccw"))
        await pilot.press("i")
        told = " ".join(shown(kumite, "facts").split())
        assert "m starts over; then type :throw" in told
