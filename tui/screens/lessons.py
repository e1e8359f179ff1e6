"""The lessons of a game: the list of tasks, each task, and the match that follows the last.

tui/lessons/judging.py decides whether a task is done.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar, Final

from textual.binding import Binding, BindingType

from kumite.core.bots import LISTED
from kumite.core.game import Setup
from kumite.core.games import GAMES
from kumite.core.players import BOT, bot_name
from kumite.store import progress
from kumite.store.library import Library
from kumite.store.record import whole_record
from kumite.tui.lessons import LESSONS
from kumite.tui.play.local_seats import is_tutored
from kumite.tui.play.local_table import LocalTable, seat_names
from kumite.tui.play.suggestion import weakest_unbeaten
from kumite.tui.play.tasks import TaskTable
from kumite.tui.scenes import Line, Scene
from kumite.tui.screens.form_screen import BannerFormScreen
from kumite.tui.screens.table import TableScreen
from kumite.tui.screens.task import TaskScreen
from kumite.tui.settings import own_name, own_names
from kumite.tui.shell import Shell
from kumite.tui.widgets.bindings import escape
from kumite.tui.widgets.form import Row

PLAY: Final = "play"
SENTENCES: Final = re.compile(r"(?<=[.!?]) ")
CHECKING: Final = 0.2  # s spent reading logs to find the player's level


class LessonsScreen(BannerFormScreen):
    """The list of tasks; the cursor is on the one just left, or the next that is not done."""

    HELP = """\
Enter starts a task. Finished tasks are marked and remembered. The last row starts a match,
first against the weakest bot, later against stronger ones."""
    BINDINGS: ClassVar[list[BindingType]] = [escape("lessons.back", show=True)]

    def __init__(self, game_id: str) -> None:
        self.game_id, self.last = game_id, 0  # the task that was left last
        super().__init__()

    def heading(self) -> Line:
        tasks = LESSONS[self.game_id].TASKS
        count = len(progress.done(self.game_id) & {task.title for task in tasks})
        said = f"{GAMES[self.game_id].TITLE}: lessons, {count} of {len(tasks)} done"
        return ((said, "title"),)

    def rows(self) -> Sequence[Row]:
        done = progress.done(self.game_id)
        tick = "done" if not self.shell.look.is_drawn else f"{self.shell.look.solid[0]} done"
        wide = max(len(task.title) for task in LESSONS[self.game_id].TASKS)
        tasks = [
            Row(
                str(number),
                f"{number + 1:>2}  {task.title:<{wide}}",
                SENTENCES.split(" ".join(task.text.split()))[-1],  # the instruction itself
                line=((f"   {tick}", "gain"),) if task.title in done else (),
            )
            for number, task in enumerate(LESSONS[self.game_id].TASKS)
        ]
        level = level_after(self.game_id, self.shell)
        name = f"    a match against {bot_name(level)}"
        match = Row(PLAY, name, "All that you have learnt, at once.")
        return [*tasks, Row("", ""), match]

    def pictured(self, row: Row) -> Scene | None:
        if not row.key.isdecimal():
            return None
        return self.scene_of(TaskTable(self.game_id, LESSONS[self.game_id].TASKS[int(row.key)]))

    def on_screen_resume(self) -> None:
        """Refresh the list and move on to a task that is not done."""
        if not self.query("#form"):
            return
        done = progress.done(self.game_id)
        self.show_again()
        tasks = LESSONS[self.game_id].TASKS
        order = (*range(self.last, len(tasks)), *range(self.last))
        left = [number for number in order if tasks[number].title not in done]
        self.form.go(str(left[0]) if left else PLAY)
        self.selected(self.form.row)

    def chosen(self, key: str) -> None:
        if key == PLAY:
            level = level_after(self.game_id, self.shell)
            self.app.push_screen(screen_against(self.game_id, level, self.shell))
            return
        self.app.push_screen(LessonScreen(self.game_id, int(key)))


class LessonScreen(TaskScreen):
    """One task of a lesson."""

    HELP = """\
Do what the text beside the board says; the keys are the same as in a match. u takes a
step back, i shows a solution, and i again the task alone, m starts over, Enter continues
when the task is done. Your progress is saved. r shows the rules, q returns to the list of
tasks."""
    LEAVING = "q leads back to the list of tasks"

    def __init__(self, game_id: str, number: int = 0) -> None:
        self.game_id, self.number = game_id, number
        self._hinted_at: object = None  # the position at which the hint was asked for
        super().__init__(TaskTable(game_id, LESSONS[game_id].TASKS[number]))

    def title_line(self) -> Line:
        count = len(LESSONS[self.game_id].TASKS)
        game = self.table.match.game.TITLE
        done = "   done" if self.is_shown_done else ""
        return (
            (f"{game}, lesson {self.number + 1} of {count}: ", "quiet"),
            (self.table.task.title, "title"),
            (done, "gain"),
        )

    def action_hint(self) -> None:
        """Show the hint, or the task alone again: on a small screen there is no room for both."""
        if self._hinted_at is self.table.match:
            self.is_helped, self._hinted_at = False, None
            self.show_words()
        else:
            self._hinted_at = self.table.match
            super().action_hint()
            self.point_at_way()

    def action_back(self) -> None:
        for below in self.app.screen_stack:
            if isinstance(below, LessonsScreen):
                below.last = self.number
        super().action_back()

    def called(self, binding: Binding) -> str:
        is_hint = binding.id == "lesson.hint" and self._hinted_at is self.table.match
        return "task" if is_hint else super().called(binding)

    @property
    def _is_last(self) -> bool:
        return self.number + 1 == len(LESSONS[self.game_id].TASKS)

    @property
    def next_said(self) -> str:
        if not self._is_last:
            return "go on"
        return f"now play against {bot_name(self._level)}"

    @cached_property
    def _level(self) -> str:
        return level_after(self.game_id, self.shell)

    def go_on(self) -> None:
        """Go to the next task, or to a match after the last one."""
        with self.complaining():
            if self._is_last:
                screen = screen_against(self.game_id, self._level, self.shell)
            else:
                screen = LessonScreen(self.game_id, self.number + 1)
            self.app.switch_screen(screen)

    def show_table(self) -> None:
        super().show_table()
        if self.is_done:
            with self.complaining():
                progress.mark_done(self.game_id, self.table.task.title)


# --- The match after the lessons -----------------------------------------------------------


def level_after(game_id: str, shell: Shell) -> str:
    """Return the level above the strongest one the player has beaten in a game, or the last."""
    library = Library()
    library.read(seconds=CHECKING)
    courses = whole_record(library.all(), own_names(shell.settings)).courses
    return weakest_unbeaten(courses.get(game_id), LISTED) or LISTED[-1]


def screen_against(game_id: str, level: str, shell: Shell) -> TableScreen:
    """Return the screen of a new match against bots; the two weakest levels come with the tutor."""
    game = GAMES[game_id]
    seats = min(game.SEATS)
    names = [own_name(shell.settings), *[f"{BOT}{level}"] * (seats - 1)]
    table = LocalTable.begin(Setup.of(game, seats), seat_names(",".join(names), seats))
    return TableScreen(table, wants_tutor=is_tutored(names) or None)
