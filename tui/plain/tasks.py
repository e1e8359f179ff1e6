"""Lessons and puzzles in line mode: a task, its feedback, another try, the next one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Final

from kumite.core.errors import KumiteError
from kumite.core.game import Step
from kumite.core.games import GAMES
from kumite.store import progress
from kumite.tui.bots.judging import Judge, look_back
from kumite.tui.bots.looking import Worth
from kumite.tui.bots.review import Review, grade
from kumite.tui.bots.service import BotService
from kumite.tui.lessons import LESSONS
from kumite.tui.plain.table import PlainTable
from kumite.tui.play import reviewed
from kumite.tui.play.tasks import AT_ONCE, LATER, NO_WIN, SHOWN, PuzzleTable, TaskTable, next_puzzle
from kumite.tui.play.trying import THINKING, TryTable
from kumite.tui.puzzles import turns
from kumite.tui.puzzles.model import TURN
from kumite.tui.scenes.notation import spelled
from kumite.tui.settings import Settings, own_name

if TYPE_CHECKING:
    from kumite.tui.plain.console import Console
    from kumite.tui.play.replaying import Replay

PROGRESS: Final = 10.0  # s between two lines about a review that goes on
NEXT, AGAIN, QUIT = "next", "again", "quit"  # what follows a task
TASK_HELP: Final = (
    "Do what the task says; a step is typed as it is written, and `?` lists what can be chosen.",
    "Enter alone tells the position again. Else one of these words:",
    "  task       the task again",
    "  hint       how it is done",
    "  undo       take the last step back",
    "  again      start over",
    "  next       leave this one for the next",
    "  quit       leave",
)


class PlainTask(PlainTable):
    """A task of a lesson in line mode."""

    help_lines = TASK_HELP
    table: TaskTable

    def __init__(self, table: TaskTable, console: Console, settings: Settings, title: str) -> None:
        super().__init__(table, console, settings)
        self.title = title
        self.then = QUIT
        self._judged: object = None  # the position that was judged last

    @property
    def reads(self) -> bool:
        return True

    def greet(self) -> None:
        self.console.say(self.title)
        self._tell_task("")

    def go_on(self) -> None:
        """Tell what is new, and judge the attempt when it is at its end."""
        table = self.table
        self.tell()
        while not table.is_stuck and self._make_only_step():
            self.tell()
        if table.is_done:
            self.finish()
            self._go(NEXT)
        elif table.is_missed and self._judged is not table.match:
            self._judged = table.match
            self.miss()
        elif table.is_stuck:
            self.console.prompt()
        else:
            self._ask()

    def finish(self) -> None:
        """Praise, and keep that it is done."""
        self.console.say(self.table.praise)
        self.keep()

    def keep(self) -> None:
        game_id, title = self.table.match.game.ID, self.table.task.title
        self.attempt(lambda: progress.mark_done(game_id, title))

    def miss(self) -> None:
        """Say why the attempt has failed."""
        self.console.say(self.table.why_not, "Type undo, again or hint.")
        self.console.prompt()

    # --- commands -----------------------------------------------------------------------------

    @property
    def commands(self) -> Mapping[str, Callable[[str], object]]:
        return {name: do for name, do in super().commands.items() if name != "resign"} | {
            "task": self._tell_task,
            "hint": self._hint,
            AGAIN: lambda _: self._go(AGAIN),
            NEXT: lambda _: self._go(NEXT),
        }

    def _go(self, then: str) -> None:
        self.then, self.is_left = then, True

    def _tell_task(self, _: str) -> None:
        names = (chip.name for chip in self.model.scene.tray)
        typed = " or ".join(name for name in names if name not in self.table.hidden)
        said = self.table.task.text.replace("(Tab)", f"(type {typed})")
        self.console.say(" ".join(said.split()))

    def _hint(self, _: str) -> None:
        table = self.table
        steps = [
            spelled(table.match.game, Step(one), table.shown_names)
            for one in table.way_left or table.way
        ]
        first = "" if table.way_left or not table.SHOWS_WAY else f"{AGAIN}, then "
        self.console.say(" ".join(table.hint.split()), f"You would type: {first}{' '.join(steps)}")


class PlainPuzzle(PlainTask):
    """A puzzle in line mode; a bot refutes wrong answers where it can."""

    table: PuzzleTable

    def __init__(self, table: PuzzleTable, console: Console, settings: Settings) -> None:
        self.puzzle, self._is_helped = table.puzzle, False
        title = f"{table.puzzle.game.TITLE}, puzzle: {table.puzzle.difficulty}."
        super().__init__(table, console, settings, title)

    def finish(self) -> None:
        self.grade(AT_ONCE)
        self.console.say(self.table.praise)

    def miss(self) -> None:
        table = self.table
        self.grade(LATER)
        if self.puzzle.goal != TURN and table.tried not in table.refuted:
            said = table.refutation(table.match)
            table.refuted[table.tried] = said or ("That is not the answer.",)
        super().miss()

    def _ask(self) -> None:
        table = self.table
        is_begun = self.puzzle.goal == TURN and table.tried
        if is_begun and turns.is_out_of_reach(self.puzzle, table.match.state):
            self.grade(LATER)
            self.console.say(f"{NO_WIN}. Type undo, again or hint.")
        super()._ask()

    def _hint(self, rest: str) -> None:
        model = self.model
        clue = "" if model.choice is None else self.table.clue(model.scene, model.choice)
        if clue and not self._is_helped:
            self.console.say(f"{clue}. Type hint again for the answer.")
        else:
            self.grade(SHOWN)
            super()._hint(rest)
        self._is_helped = True

    def grade(self, grade: int) -> None:
        self.attempt(lambda: self.table.grade(grade))


class PlainTry(PlainTask):
    """A turning point of a match in line mode; a bot looks at what is tried."""

    table: TryTable

    def __init__(self, table: TryTable, console: Console, settings: Settings, judge: Judge) -> None:
        self.judge = judge
        title = f"Step {table.turning.step_number} again: {grade(table.turning.lost)}."
        super().__init__(table, console, settings, title)

    @property
    def reads(self) -> bool:
        return not self._is_looking

    @property
    def _is_looking(self) -> bool:
        return self.table.tried is not None and self.table.tried not in self.table.worths

    def go_on(self) -> None:
        if not self._is_looking:
            super().go_on()
            return
        self.tell()
        self.console.say(THINKING)
        table, step, review = self.table, self.table.tried, self.table.review
        assert step is not None
        trial = review.trial(table.turning, step)
        look = partial(self.judge.answered, trial, review.simulations)
        self._looking = self.start(look, partial(self._looked, step))

    def _looked(self, step: Step, found: Worth | KumiteError) -> None:
        if isinstance(found, KumiteError):
            self.complain(found)
            self.apply(self.model.take_back())
        else:
            self.table.worths[step] = found
            self.judge.save()

    def keep(self) -> None:
        """Keep nothing: a review is already saved."""


async def review(replay: Replay, found: Review, console: Console, settings: Settings) -> None:
    """Look back at a match, then try its turning points again."""
    console.begin()
    console.say(f"Looking back at {found.count} choices; this takes a while.")
    told = monotonic()

    def tell() -> None:
        nonlocal told
        if monotonic() - told > PROGRESS:
            told = monotonic()
            console.say(f"Looked{found.briefly} at {found.done} of {found.count}.")

    with closing(BotService()) as service:
        judge = Judge(service, replay.log.header.match_id)
        await look_back(judge, found, tell)
        await _retry_all(replay, found, judge, console, settings)


async def _retry_all(
    replay: Replay, found: Review, judge: Judge, console: Console, settings: Settings
) -> None:
    """Tell what a review has found, and let people try their turning points again."""
    for seat in found.seats:
        well, errors = reviewed.standing(found, seat)
        console.say(f"{replay.names[seat]}: accuracy {well}, {errors}.")
    turnings = list(found.turnings)
    if not turnings:
        console.say(reviewed.NOTHING)
    while turnings:
        turning, is_tried = turnings[0], turnings[0].seat in found.people
        if is_tried:
            one = PlainTry(TryTable(found, turning, replay.names), console, settings, judge)
            await one.run()
            if one.then == QUIT:
                break
            if one.then != NEXT:
                continue
        told = reviewed.told(turnings.pop(0), replay.names)
        console.say(*filter(None, told[2:] if is_tried else told))


async def learn(game_id: str, console: Console, settings: Settings) -> None:
    """Go through the lessons of a game, from the first that is not done."""
    tasks = LESSONS[game_id].TASKS
    done = progress.done(game_id)
    number = next((n for n, task in enumerate(tasks) if task.title not in done), 0)
    while number < len(tasks):
        title = f"{GAMES[game_id].TITLE}, lesson {number + 1} of {len(tasks)}: "
        title += tasks[number].title
        one = PlainTask(TaskTable(game_id, tasks[number]), console, settings, title)
        await one.run()
        if one.then == QUIT:
            return
        number += one.then == NEXT
    seats = f"{own_name(settings)},bot:1"
    console.say(f"That was the last lesson. Now play: kumite play {game_id} --seats {seats}")


async def solve(game_id: str, console: Console, settings: Settings) -> None:
    """Give the puzzles of a game that are due today or new."""
    puzzle = next_puzzle(game_id)
    while puzzle is not None:
        one = PlainPuzzle(PuzzleTable(puzzle), console, settings)
        await one.run()
        while one.then == AGAIN:
            one = PlainPuzzle(one.table.anew(), console, settings)
            await one.run()
        if one.then == QUIT:
            return
        puzzle = next_puzzle(game_id, puzzle.id)
    console.say(f"No puzzle of {GAMES[game_id].TITLE} is left for today.")
