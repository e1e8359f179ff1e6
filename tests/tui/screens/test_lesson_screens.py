"""Lessons: what is done is kept, what is wrong is said why, and they lead to a match."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from kumite.core.game import CHANCE, Setup, Step
from kumite.core.games import GAMES
from kumite.core.log import Header, log_text
from kumite.store import progress
from kumite.tui.app import KumiteApp
from kumite.tui.lessons import LESSONS
from kumite.tui.lessons.judging import Task
from kumite.tui.play.tasks import TaskTable
from kumite.tui.screens.form_screen import PREVIEWS, REST, REST_FAR
from kumite.tui.screens.lessons import LessonScreen, LessonsScreen, screen_against
from kumite.tui.screens.table import TableScreen
from kumite.tui.settings import Settings, own_name
from kumite.tui.widgets.field import EndCard
from kumite.tui.widgets.lines import Lines
from tests.support.apps import app, frame, play, running, screen_of, shown, until, words
from tests.support.random_matches import walk
from tests.support.spread import spread

TASKS = [
    pytest.param(game_id, number, id=f"{game_id}-{number + 1}")
    for game_id in GAMES
    for number in range(len(LESSONS[game_id].TASKS))
]


def task_of(game_id: str, number: int) -> Task:
    return LESSONS[game_id].TASKS[number]


async def solve(pilot: Pilot[None]) -> None:
    """Make the learner's steps of the way that the lesson knows; look at every moment."""
    screen = screen_of(pilot.app, LessonScreen)
    for step in screen.table.way:
        while screen.model.interlude:
            await pilot.press("enter")
        assert play(screen, Step(step))
        await pilot.pause()
    while screen.model.interlude:
        await pilot.press("enter")


def said(pilot: Pilot[None]) -> str:
    """Return what the lesson tells, beside a board or below a table."""
    app = pilot.app
    return " ".join(f"{shown(app, 'facts')} {shown(app, 'company')}".split())


def in_sight(kumite: KumiteApp) -> str:
    """Return what is told, as far as it is not below the end of the side or of the window."""
    read = []
    for lines in kumite.screen.query("#facts, #company").results(Lines):
        rows = lines.region.intersection(lines.parent.content_region).height
        read += [lines.render_line(y).text for y in range(rows)]
    return " ".join(" ".join(read).split())


async def test_what_is_done_is_marked_kept_and_not_begun_with_again() -> None:
    async with running(lambda: LessonsScreen("kuzushi")) as (kumite, pilot):
        assert "0 of 8 done" in frame(kumite)
        await pilot.press("enter")
        await solve(pilot)
        await pilot.press("q")
        assert "1 of 8 done" in frame(kumite)
        assert frame(kumite).count("● done") == 1
        await pilot.press("enter")
        assert screen_of(kumite, LessonScreen).number == 1
    assert progress.done("kuzushi") == {task_of("kuzushi", 0).title}
    assert progress.done("kumo") == frozenset()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
@pytest.mark.parametrize("game_id", GAMES)
async def test_every_task_that_is_done_shows_its_mark(game_id: str, size: tuple[int, int]) -> None:
    """Kitsu's list had none at 80x24: its longest title pushed them all over the edge."""
    for task in LESSONS[game_id].TASKS:
        progress.mark_done(game_id, task.title)
    async with running(lambda: LessonsScreen(game_id), size) as (kumite, _):
        assert frame(kumite).count("● done") == len(LESSONS[game_id].TASKS)


async def test_the_list_of_lessons_leads_back_to_the_one_that_was_left() -> None:
    async with running(lambda: LessonsScreen("kiriai")) as (kumite, pilot):
        await pilot.press("down", "enter", "right", "right", "enter")
        field = screen_of(kumite, LessonScreen).field
        chosen = screen_of(kumite, LessonScreen).model.choice.chosen
        assert (field.pointed,) != chosen
        await pilot.press("right", "escape")  # back on the card that is taken back
        assert (field.pointed,) == chosen
        await pilot.press("q")
        await pilot.pause()
        assert screen_of(kumite, LessonsScreen).form.row.key == "1"


def test_a_broken_file_of_what_was_learnt_says_that_nothing_was(tmp_path: Path) -> None:
    for text in ("{", "[]", '{"kumo": 3}', json.dumps({"kumo": [1]})):
        (tmp_path / progress.FILE).write_text(text)
        assert progress.done("kumo") == frozenset()
    progress.mark_done("kumo", "A pair")
    progress.mark_done("kumo", "A pair")
    assert progress.done("kumo") == {"A pair"}


@pytest.mark.parametrize("game_id", GAMES)
async def test_tasks_are_seen_whole_at_80x24_also_beside_what_can_be_chosen_next(
    game_id: str,
) -> None:
    """The stances of Kumo's second lesson covered the last line of its task."""
    async with running() as (kumite, pilot):
        for number, task in enumerate(LESSONS[game_id].TASKS):
            screen = LessonScreen(game_id, number)
            await kumite.push_screen(screen)
            await pilot.pause()
            first = screen.model.choice.parts[Step(screen.table.way[0])]
            for part in ("", *first[:-1]):
                if part:
                    screen.field.point(part)
                    await pilot.press("enter")
                    await pilot.pause()
                assert " ".join(task.text.split()) in in_sight(kumite), (number, part)


@pytest.mark.parametrize(("game_id", "size"), spread(GAMES, ((80, 24), (60, 20))))
async def test_tasks_are_seen_whole_also_below_a_hint_and_made_by_the_keys_of_a_match(
    game_id: str, size: tuple[int, int]
) -> None:
    async with running() as (kumite, pilot):
        for number, task in enumerate(LESSONS[game_id].TASKS):
            screen = LessonScreen(game_id, number)
            await kumite.push_screen(screen)
            await pilot.pause()
            text = " ".join(task.text.split())
            assert text in said(pilot)
            first = screen.model.choice.parts[Step(screen.table.way[0])]
            cards = {chip.name for chip in screen.model.scene.tray} & screen.model.choice.targets
            gives_away = first[0] in cards and len(cards) > 1  # another card can be begun with
            assert (screen.field.pointed != first[0]) == gives_away or len(first) == 1

            # Enter again on a chosen part leads to a choice: who presses it twice makes no step.
            if len(first) > 1:
                screen.field.point(first[0])
                await pilot.press("enter")
                assert screen.model.choice.chosen == first[:1]
                if screen.field.pointed == first[0]:
                    await pilot.press("enter")
                assert screen.model.choice.chosen == first[:1]
                assert screen.field.pointed in screen.model.choice.targets
                while screen.model.choice.chosen:
                    await pilot.press("escape")

            # Below a hint what is to be done is still read: other sentences give way first.
            await pilot.resize_terminal(*size)
            await pilot.press("i")
            await pilot.pause()
            seen, *_, last = in_sight(kumite), *text.split(". ")
            assert last in seen
            if text not in seen:  # all other sentences have gone: none refers to one that has not
                assert text.split(". ")[-2] not in seen
            await pilot.press("i")
            assert text in said(pilot)
            await pilot.resize_terminal(80, 24)

            for step in screen.table.way:  # after a hint Enter makes the step
                while screen.model.interlude:
                    await pilot.press("enter")
                await pilot.press("i", "enter")
                own = [one.step for one in screen.table.match.steps() if one.actor != CHANCE]
                assert own[-1:] == [step]
            await kumite.pop_screen()


@pytest.mark.parametrize("number", range(len(LESSONS["kumo"].TASKS)))
async def test_where_the_cursor_begins_enter_makes_no_wrong_step(number: int) -> None:
    """Also after each step and each part of it, after a step back, and from the start again."""
    async with running(lambda: LessonScreen("kumo", number)) as (kumite, pilot):
        screen = screen_of(kumite, LessonScreen)
        way = screen.table.way
        for key, step in [*(("", step) for step in way), ("u", way[-1]), ("m", way[0])]:
            await pilot.press(*[key] * bool(key))
            await pilot.pause()
            parts = screen.model.choice.parts[Step(step)]
            assert len(parts) == 1 or screen.field.pointed == parts[0]
            for part in parts:
                assert screen.model.choice.step_at(screen.field.pointed) in (None, step)
                screen.apply(screen.model.pick(part))
                await pilot.pause()


@pytest.mark.parametrize(("game_id", "number"), TASKS)
def test_every_wrong_step_has_a_reason(game_id: str, number: int) -> None:
    table = TaskTable(game_id, task_of(game_id, number))
    if table.match.actors == (CHANCE,):
        return
    reasons = set()
    for step in table.match.legal(table.task.seat):
        tried = TaskTable(game_id, table.task)
        tried.play(table.task.seat, step)
        if not tried.is_done and tried.match.actors != (CHANCE,):
            reasons.add(tried.why_not)
    assert all(reason.endswith(".") and len(reason.split()) > 3 for reason in reasons)


@pytest.mark.parametrize(
    ("game_id", "number", "wrong", "reason"),
    [
        ("kumo", 3, "cw", "Your pair would still not push north."),
        ("kuzushi", 4, "h6", "corner to corner"),
        ("kitsune", 0, "b1", "The trick went to the Yako, whose marker moved 1."),
    ],
)
async def test_a_missed_goal_is_noticed_said_why_and_taken_back(
    game_id: str, number: int, wrong: str, reason: str
) -> None:
    async with running(lambda: LessonScreen(game_id, number)) as (kumite, pilot):
        screen = screen_of(kumite, LessonScreen)
        legal = screen.model.seen.legal(screen.table.task.seat)
        step = Step(wrong) if Step(wrong) in legal else _other(screen, legal)
        play(screen, step)
        await pilot.pause()
        while screen.model.interlude:
            await pilot.press("enter")
        assert screen.table.is_missed
        assert screen.table.why_not in said(pilot)
        assert ("(no way on from here)" in shown(kumite, "hint")) == screen.table.is_stuck
        assert reason in said(pilot) or Step(wrong) not in legal
        await pilot.press("u")
        assert not screen.table.is_missed
        assert screen.table.match.number == 0
        await solve(pilot)
        assert task_of(game_id, number).praise in said(pilot)


def _other(screen: LessonScreen, legal: tuple[Step, ...]) -> Step:
    return next(step for step in legal if step not in screen.table.task.solution)


async def test_every_base_corner_to_corner_that_holds_two_squares_is_right() -> None:
    task, right = task_of("kuzushi", 4), []
    for step in TaskTable("kuzushi", task).match.legal(task.seat):
        table = TaskTable("kuzushi", task)
        table.play(task.seat, step)
        if table.is_done:
            right.append(step)
        elif "corner to corner" in table.why_not:
            assert step[:2] in table.why_not  # says of that base why not
    assert set(task.solution) < set(right)


async def test_the_marker_of_the_first_trick_is_seen_to_move() -> None:
    async with running(lambda: LessonScreen("kitsune", 0), glyphs="ascii") as (kumite, pilot):
        before = next(
            line for line in frame(kumite).split("\n") if line.strip().startswith("Zenko")
        )
        await solve(pilot)
        after = next(line for line in frame(kumite).split("\n") if line.strip().startswith("Zenko"))
        assert after.index("-Z") > before.index("-Z")


@pytest.mark.parametrize("number", [2, 4])
async def test_a_blow_is_seen_before_it_is_praised(number: int) -> None:
    async with running(lambda: LessonScreen("kiriai", number)) as (kumite, pilot):
        screen = screen_of(kumite, LessonScreen)
        seen = []
        play(screen, Step(screen.table.way[0]))
        await pilot.pause()
        while screen.model.interlude:
            seen.append(words(kumite))
            await pilot.press("enter")
        assert any("second" in one for one in seen)
        assert "hits" in seen[-1]
        assert screen.table.is_done


async def test_the_last_task_leads_to_a_match_against_the_weakest_bot() -> None:
    last = len(LESSONS["kuzushi"].TASKS) - 1
    async with running(lambda: LessonScreen("kuzushi", last)) as (kumite, pilot):
        await solve(pilot)
        assert not kumite.screen.query_one(EndCard).display  # though the match is won
        assert "now play against bot 1" in shown(kumite, "hint")
        await pilot.press("enter")
        assert type(kumite.screen) is TableScreen
        assert "bot:1" in kumite.screen.table.names
        assert kumite.screen.model.wants_tutor


def test_a_tutor_sits_by_in_the_first_matches_alone(tmp_path: Path) -> None:
    kumite = app()
    for level, is_tutored in (("1", True), ("easy", True), ("3", None), ("strong", None)):
        screen = screen_against("kuzushi", level, kumite)
        screen.table.close()
        assert screen._wants_tutor is is_tutored


@pytest.mark.parametrize(
    ("beaten", "following"), [(("1",), "easy"), (("1", "easy"), "3"), (("easy",), "3")]
)
async def test_whoever_has_beaten_a_level_is_offered_the_next(
    beaten: tuple[str, ...], following: str, tmp_path: Path
) -> None:
    match = next(
        one
        for one in (walk(Setup.of(GAMES["kuzushi"]), seed) for seed in count())
        if one.outcome is not None and one.outcome.winners == (0,)
    )
    for number, level in enumerate(beaten):
        names = (own_name(Settings()), f"bot:{level}")
        header = Header(f"ab{number}", match.setup, names)
        (tmp_path / f"{level}.kumite").write_text(log_text(header, match), encoding="utf-8")
    async with running(lambda: LessonsScreen("kuzushi")) as (kumite, _):
        assert f"a match against bot {following}" in frame(kumite)


async def test_escape_in_a_lesson_promises_no_saved_match() -> None:
    async with running(lambda: LessonScreen("kumo")) as (kumite, pilot):
        await pilot.press("escape")
        assert shown(kumite, "hint") == "q leads back to the list of tasks"


@pytest.mark.parametrize("size", [(160, 50), (80, 24)])
async def test_beside_the_lessons_is_the_position_of_the_marked_one(size: tuple[int, int]) -> None:
    async with running(lambda: LessonsScreen("kumo"), size=size) as (kumite, pilot):
        preview = kumite.screen.query_one("#preview")
        if size[0] < PREVIEWS[-1][0]:
            await pilot.pause(2 * REST)
            assert not preview.display
            return
        seen = []
        for _ in range(2):
            await until(
                pilot, lambda: preview.display and shown(kumite, "preview") not in seen, "a picture"
            )
            seen.append(shown(kumite, "preview"))
            assert preview.region.x >= kumite.screen.query_one("#form").region.right
            await pilot.press("down")


@pytest.mark.parametrize(("variable", "rest"), [("", REST), ("SSH_CONNECTION", REST_FAR)])
async def test_over_ssh_a_picture_is_drawn_only_once_the_cursor_rests_for_longer(
    variable: str, rest: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    if variable:
        monkeypatch.setenv(variable, "192.0.2.1 5 192.0.2.2 22")
    async with running(lambda: LessonsScreen("kumo"), size=(160, 50)) as (kumite, pilot):
        screen, waited = kumite.screen, []
        set_timer = screen.set_timer
        monkeypatch.setattr(
            screen, "set_timer", lambda s, do: (waited.append(s), set_timer(s, do))[1]
        )
        await pilot.press("down")
        await pilot.pause()
        assert rest in waited


async def test_a_solved_lesson_is_seen_before_it_is_praised() -> None:
    kumite = app(lambda: LessonScreen("kuzushi"))
    kumite.pace = 40.0
    async with kumite.run_test(size=(80, 24)) as pilot:
        screen = screen_of(kumite, LessonScreen)
        for step in screen.table.way:
            assert play(screen, step)
        await pilot.pause()
        assert screen.is_done
        assert screen.table.praise not in words(kumite)
        assert "done" not in shown(kumite, "title")
        await pilot.press("enter")  # a quick Enter ends the motion, and does not skip the praise
        assert kumite.screen is screen
        assert "done" in shown(kumite, "title")
        assert screen.table.praise in said(pilot)
        assert "Done." in shown(kumite, "hint")
        await pilot.press("enter")
        assert kumite.screen is not screen


async def test_buttons_do_not_cover_the_end_of_a_task() -> None:
    async with running(lambda: LessonScreen("kumo")) as (kumite, pilot):
        for key in ("enter", "down", "enter"):
            assert "then push." in in_sight(kumite)
            await pilot.press(key)
            await pilot.pause()
        assert "then push." in in_sight(kumite)


@pytest.mark.parametrize("number", range(len(LESSONS["kitsu"].TASKS)))
async def test_at_the_end_of_a_task_the_whole_board_is_in_full_light(number: int) -> None:
    """Shut seasons stayed dim below the praise."""
    async with running(lambda: LessonScreen("kitsu", number)) as (kumite, pilot):
        await solve(pilot)
        screen = screen_of(kumite, LessonScreen)
        assert screen.is_done
        rows = screen.model.scene.board.rows
        assert not [cell.name for row in rows for cell in row if "-shut" in cell.ground]
